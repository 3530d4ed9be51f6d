"""Photographs of a fight on the table: checked, made anew without what a phone adds, kept (HR-TAB-07)."""

import warnings
from io import BytesIO

from django.db import transaction
from PIL import Image, ImageOps

from campaign.models import Battle, BattlePhoto, Campaign, User
from campaign.rules.errors import RuleViolation
from campaign.services.battle_entries import verify_may_enter, verify_open
from campaign.uploads import Readable, bytes_of
from campaign.visibility import viewer_of
from campaign.visible_battles import photos_for

RULE = "HR-TAB-07"
#: Bytes of a photograph as a phone sends it, and its points, at most.
LARGEST = 15 * 2**20
MOST_PIXELS = 60_000_000
#: Points of the longer edge, and the quality, of what is kept.
EDGE = 1600
QUALITY = 82
#: Photographs of one battle a side, and letters of what is said of one.
MOST = 12
LONGEST_CAPTION = 200
FORMATS = ("JPEG", "PNG", "WEBP")


def battle_photo_add(
    *, battle: Battle, side: str, file: Readable, caption: str, actor: User | None
) -> BattlePhoto:
    """Keep a photograph of a battle whose result is open. `side` "" is the umpire's.

    Raises RuleViolation, and keeps nothing, for who may not enter a result there, what is no photograph or
    too large, a caption too long, and one too many.
    """
    verify_may_enter(battle=battle, side=side, actor=actor)
    if len(caption.strip()) > LONGEST_CAPTION:
        raise RuleViolation(
            RULE, f"The caption is longer than {LONGEST_CAPTION} letters; shorten it.", "caption"
        )
    image = _made_anew(file)
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = verify_open(battle)
        if current.photos.filter(side=side).count() >= MOST:
            raise RuleViolation(
                RULE, f"{MOST} photographs of this battle are here already; take one away first.", "photo"
            )
        return BattlePhoto.objects.create(
            battle=current, side=side, user=actor, image=image, caption=caption.strip()
        )


def battle_photo_remove(*, battle: Battle, photo: int, actor: User) -> None:
    """Take a photograph away again: who may enter for its side, while the result is open.

    Taken away twice is once.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = verify_open(battle)
        viewer = viewer_of(actor, current.campaign, also=("guest",))
        found = photos_for(viewer, current).filter(pk=photo).first()
        if found is None:
            return
        if not viewer.is_umpire:
            verify_may_enter(battle=current, side=found.side, actor=actor)
        found.delete()


def _made_anew(file: Readable) -> bytes:
    """A JPEG of what was sent: upright, no larger than is kept, without place and time of its taking."""
    data = bytes_of(file, LARGEST)
    if data is None:
        raise RuleViolation(
            RULE, f"The photograph has more than {LARGEST // 2**20} MB; send a smaller one.", "photo"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as sent:
                if sent.width * sent.height > MOST_PIXELS:
                    raise RuleViolation(
                        RULE,
                        f"The photograph has over {MOST_PIXELS // 10**6} million points; make it smaller.",
                        "photo",
                    )
                sent.draft("RGB", (2 * EDGE, 2 * EDGE))  # a JPEG need not be read larger than is kept
                upright = ImageOps.exif_transpose(sent).convert("RGB")
        upright.thumbnail((EDGE, EDGE))
        upright.info.clear()  # a JPEG would be written with the comment of what was sent
        made = BytesIO()
        upright.save(made, "JPEG", quality=QUALITY, optimize=True, exif=b"")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Warning) as error:
        raise RuleViolation(
            RULE,
            "This is no photograph the site can read; send it as JPEG, PNG or WebP.",
            "photo",
        ) from error
    return made.getvalue()
