"""Photographs of a fight on the table: checked, re-encoded without metadata, and stored (HR-TAB-07)."""

import json
import subprocess
import sys
from threading import BoundedSemaphore

from django.conf import settings
from django.db import transaction
from filelock import FileLock, Timeout

from campaign.fog.battles import photos_for
from campaign.fog.visibility import viewer_of
from campaign.models import Battle, BattlePhoto, Campaign, User
from campaign.ops import photo_decoding
from campaign.ops.upload_checks import Readable, bytes_of
from campaign.rules.errors import RuleViolation
from campaign.services.battles.table_results import verify_may_enter, verify_open

RULE = "HR-TAB-07"
#: Bytes of a photograph as a phone sends it, at most.
LARGEST = 15 * 2**20
#: Pixels at most, by what a format makes of them: JPEG is read at a fraction of its size, others whole.
MOST_PIXELS = {"JPEG": 60_000_000, "PNG": 16_000_000, "WebP": 8_000_000}
#: Bytes of memory and seconds of CPU that one may take, and how long it waits for others.
MEMORY, SECONDS, LONGEST_WAIT = 170 * 2**20, 10, 20
#: Photographs that a process reads or lets wait: half of its threads go on serving pages.
WAITING = BoundedSemaphore(4)
#: Points of the longer edge, and the quality, of what is kept.
EDGE = 1600
QUALITY = 82
#: Photographs of one battle a side, and letters of what is said of one.
MOST = 12
LONGEST_CAPTION = 200
BUSY = "Other photographs are being read just now. Send this one again."


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
    """A JPEG of what was sent: upright, no larger than is kept, without place and time of its taking.

    It is decoded by a program of its own, one photograph at a time on this machine, within `MEMORY`.
    """
    if not WAITING.acquire(blocking=False):
        raise _build_photo_refusal(BUSY)
    try:
        return _decode_photo(file)
    finally:
        WAITING.release()


def _decode_photo(file: Readable) -> bytes:
    bounds = {
        "edge": EDGE, "quality": QUALITY, "pixels": MOST_PIXELS, "memory": MEMORY, "seconds": SECONDS
    }  # fmt: skip
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(settings.VAR_DIR / "photographs.lock", timeout=LONGEST_WAIT):
            data = bytes_of(file, LARGEST)  # now, so that of those that wait none is held in memory
            if data is None:
                raise _build_photo_refusal(
                    f"The photograph has more than {LARGEST // 2**20} MB; send a smaller one."
                )
            done = subprocess.run(
                [sys.executable, "-I", photo_decoding.__file__, json.dumps(bounds)],
                input=data,
                capture_output=True,
                check=False,
                timeout=2 * SECONDS,
            )
    except Timeout as busy:
        raise _build_photo_refusal(BUSY) from busy
    except subprocess.TimeoutExpired as late:
        raise _build_photo_refusal(
            "The photograph takes too long to read. Send a smaller one, as JPEG."
        ) from late
    if done.returncode == photo_decoding.TOO_MANY_PIXELS:
        most = ", ".join(f"{pixels / 10**6:g} million as {name}" for name, pixels in MOST_PIXELS.items())
        raise _build_photo_refusal(
            f"The photograph has too many pixels. At most are taken: {most}. Make it smaller."
        )
    if done.returncode != 0:  # no picture, or one that wants more than it may have
        least = min(MOST_PIXELS.values()) / 10**6
        raise _build_photo_refusal(
            "The site cannot read this photograph. Send it as JPEG, PNG or WebP; "
            f"with at most {least:g} million pixels it is certainly small enough."
        )
    return done.stdout


def _build_photo_refusal(sentence: str) -> RuleViolation:
    return RuleViolation(RULE, sentence, "photo")
