"""The campaign's book as its readers find it: the last that was made, and one being made (HR-REP-03)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from battles.files.reading import decode_battle
from battles.grammar import Subject
from battles.ground.drawing import ground_svg
from battles.ground.landscape import FIRST_LINE
from campaign.fog.battles import list_settled_photos
from campaign.fog.press import books_for
from campaign.fog.visibility import Viewer
from campaign.models import Battle, BattlePhoto, Job
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.world.world import Theatre
from campaign.selectors.battles.battles import SOURCES
from campaign.selectors.press.book_body import EDITION
from campaign.selectors.press.bulletin_page import BulletinSheet, SheetError, sheet_of
from campaign.text.battle_measures import find_table_measures

BUSY = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class BookDesk:
    """State of the campaign's book: the one to read, the one in the making, and the reason the last one
    failed.

    `stale` when days have been played since the book was made.
    """

    book: Job | None
    making: Job | None
    failed: str
    stale: bool


@dataclass(frozen=True, slots=True)
class Battlefield:
    """A great battle, with the drawing of its ground where there is one."""

    facts: Mapping[str, Any]
    day: str
    by: str
    ground: SafeString
    photos: tuple[BattlePhoto, ...]


@dataclass(frozen=True, slots=True)
class CampaignBook:
    """A book ready to be read: `weeks` are bulletins that tell everything."""

    body: Mapping[str, Any]
    start: date
    until: date
    weeks: tuple[BulletinSheet, ...]
    battles: tuple[Battlefield, ...]
    letters: tuple[dict[str, Any], ...]

    @property
    def strength(self) -> BulletinSheet | None:
        """The week whose charts show the whole course."""
        return self.weeks[-1] if self.weeks else None


def book_desk(viewer: Viewer) -> BookDesk:
    """The newest book the viewer may read, and what is under way."""
    jobs = list(books_for(viewer).defer("result").order_by("-pk")[:10])
    book = next((job for job in jobs if job.state == Job.State.DONE), None)
    newest = jobs[0] if jobs else None
    head = viewer.campaign.head.record_hash if viewer.campaign.head else ""
    return BookDesk(
        book=book,
        making=newest if newest is not None and newest.state in BUSY else None,
        failed=newest.error if newest is not None and newest.state == Job.State.FAILED else "",
        stale=book is not None and book.payload.get("head") != head,
    )


def load_campaign_book(job: Job, theatre: Theatre, viewer: Viewer, *, images: bool = False) -> CampaignBook:
    """A finished book made ready, its photographs with their `images` where they are to be printed.

    Photographs are no part of what the job wrote: whoever reads sees those he may see. Raises SheetError
    for a book of another version.
    """
    body = (job.result or {}).get("book", {})
    if body.get("edition") != EDITION:
        raise SheetError("This book was made by another version of the site; have it made again.")
    keys = [battle["key"] for battle in body["battles"]]
    grounds, photos = _load_battle_files(keys), _load_battle_photos(viewer, keys, images)
    return CampaignBook(
        body=body,
        start=date.fromisoformat(body["start"]),
        until=date.fromisoformat(body["until"]),
        weeks=tuple(sheet_of(week, theatre) for week in body["weeks"]),
        battles=tuple(
            Battlefield(
                battle,
                _format_iso_date(battle["date"]),
                SOURCES.get(battle["by"], ""),
                _render_battle_ground(battle, grounds.get(battle["key"])),
                tuple(photos.get(battle["key"], ())),
            )
            for battle in body["battles"]
        ),
        letters=tuple(letter | {"day": _format_iso_date(letter["date"])} for letter in body["letters"]),
    )


def _load_battle_files(keys: list[int]) -> dict[int, Any]:
    return {battle.pk: file_now(battle) for battle in Battle.objects.filter(pk__in=keys)}


def _load_battle_photos(viewer: Viewer, keys: list[int], images: bool) -> dict[int, list[BattlePhoto]]:
    rows = list_settled_photos(viewer, keys)
    found: dict[int, list[BattlePhoto]] = {}
    for photo in rows if images else rows.defer("image"):
        found.setdefault(photo.battle_id, []).append(photo)
    return found


def _render_battle_ground(battle: Mapping[str, Any], file: Any) -> SafeString:
    if not file or not file.get("ground"):
        return mark_safe("")
    ground = decode_battle(file).ground
    assert ground is not None
    near, far = (f"{Subject(battle[side]):sets} out here" for side in ("attacker", "defender"))
    drawing = ground_svg(ground, near=near, far=far, zone=FIRST_LINE, inch=find_table_measures(file).inch)
    return mark_safe(drawing)  # names are escaped there


def _format_iso_date(text: str) -> str:
    when = date.fromisoformat(text)
    return f"{when:%A}, {when.day} {when:%B}"
