"""Bulletins as pages list them: weeks, copies, and what has become of them (HR-REP-01, HR-REP-02)."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from campaign.fog.press import (
    PUBLIC,
    bulletins_for,
    closing_record,
    copies_of,
    count_closed_weeks,
    list_readable_copies,
    public_weeks,
)
from campaign.fog.visibility import Viewer
from campaign.ledger.journal import records_on_course
from campaign.models import Bulletin, Campaign, DayRecord
from campaign.rules.world.world import Theatre
from campaign.selectors.press.bulletin_body import bulletin_body
from campaign.text.gazette import DAYS_A_WEEK
from campaign.text.place_names import CampaignNames, names_of_theatre

DRAFT = "Not published: so it would read now."
OVERTAKEN = "The campaign has gone back before the end of this week since the bulletin came out."


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of a week's bulletin. `body` is {} where the viewer's is not written yet.

    `overtaken`: the campaign has gone back before the week's end since it came out (HR-REP-02).
    """

    week: int
    side: str
    name: str
    bulletin: Bulletin | None
    body: dict[str, Any]
    overtaken: bool = False

    @property
    def is_published(self) -> bool:
        return self.bulletin is not None and self.bulletin.state == Bulletin.State.PUBLISHED

    @property
    def foreword(self) -> str:
        return self.bulletin.foreword if self.bulletin else ""

    @property
    def note(self) -> str:
        """Note to the reader on a draft or an overtaken copy; "" for a copy in force."""
        return OVERTAKEN if self.overtaken else "" if self.is_published else DRAFT

    @property
    def label(self) -> str:
        """Line on the printed sheet that names the copy's readers."""
        return f"Copy for {self.name[:1].lower()}{self.name[1:]}" if self.side == PUBLIC else self.name


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week with a bulletin. `state` is what has become of its bulletin, `overtaken` older ones of it.

    It is not `closed` where the campaign has gone back before its end.
    """

    week: int
    first: date
    last: date
    copies: tuple[tuple[str, str], ...]
    published: bool
    state: str
    overtaken: tuple[Bulletin, ...] = ()
    closed: bool = True


def side_ids(theatre: Theatre) -> tuple[str, ...]:
    return tuple(side.id for side in theatre.sides)


def copy_name(side: str, names: CampaignNames) -> str:
    """Name a copy by its side; "" is the public copy."""
    return "The public" if side == PUBLIC else names.side(side)


def week_rows(viewer: Viewer, theatre: Theatre) -> list[WeekRow]:
    """The weeks with a bulletin the viewer may read, newest first; for the umpire every week that is over."""
    names, sides = names_of_theatre(theatre), side_ids(theatre)
    revisions = _load_week_revisions(viewer.campaign)
    every = list(bulletins_for(viewer, sides).defer("body").order_by("-pk"))
    out = [each for each in every if each.state == Bulletin.State.PUBLISHED]
    last = count_closed_weeks(viewer.campaign)
    over = range(1, last + 1) if viewer.is_umpire else ()
    weeks = sorted({*over, *(each.week for each in out)}, reverse=True)
    found = []
    for week in weeks:
        here = [each for each in out if each.week == week]
        standing = [each for each in here if each.revision == revisions.get(week)]
        known = standing or here
        shown = [each.side for each in known] if not viewer.is_umpire else list_readable_copies(viewer, sides)
        first, until = week_dates(theatre, week)
        found.append(
            WeekRow(
                week=week,
                first=first,
                last=until,
                copies=tuple((side, copy_name(side, names)) for side in sides_in_order(shown, sides)),
                published=bool(standing),
                state=_describe_week_state(standing, here, every, week, viewer),
                overtaken=tuple(each for each in here if each not in standing),
                closed=week <= last,
            )
        )
    return found


def sides_in_order(shown: Any, sides: tuple[str, ...]) -> list[str]:
    """Sides as the theatre lists them, the public last."""
    return [side for side in (*sides, PUBLIC) if side in shown]


def _describe_week_state(
    standing: list[Bulletin], here: list[Bulletin], every: list[Bulletin], week: int, viewer: Viewer
) -> str:
    if standing:
        return "published"
    if here:
        return "overtaken: the campaign has gone back"
    drafted = any(each.week == week and each.foreword for each in every)
    return "foreword begun, not published" if drafted else "not published" if viewer.is_umpire else ""


def week_dates(theatre: Theatre, week: int) -> tuple[date, date]:
    first = theatre.start + timedelta(days=(week - 1) * DAYS_A_WEEK)
    return first, min(first + timedelta(days=DAYS_A_WEEK - 1), theatre.end)


def _load_week_revisions(campaign: Campaign) -> dict[int, int]:
    """By week the revision in which it was closed on the campaign's course."""
    records = DayRecord.objects.filter(records_on_course(campaign), campaign=campaign)
    rows = records.filter(kind=DayRecord.Kind.WEEK).order_by("pk").values_list("day", "revision")
    found = {-(-day // DAYS_A_WEEK): revision for day, revision in rows}
    last = count_closed_weeks(campaign)
    if last and last not in found:
        closing = closing_record(campaign, last)
        if closing is not None:
            found[last] = closing.revision
    return found


def find_bulletin_copy(
    viewer: Viewer, theatre: Theatre, week: int, side: str, revision: int | None = None
) -> Copy | None:
    """A copy the viewer may read; the umpire's of a week not yet published is composed for him.

    `revision` asks for one that has been overtaken; without it the one that stands, else the latest.
    """
    sides, campaign = side_ids(theatre), viewer.campaign
    if side not in list_readable_copies(viewer, sides):
        return None
    name = copy_name(side, names_of_theatre(theatre))
    record = closing_record(campaign, week)
    rows = list(bulletins_for(viewer, sides).filter(week=week, side=side).order_by("-revision"))
    standing = next((row for row in rows if record is not None and row.revision == record.revision), None)
    if revision is None and standing is None:
        if viewer.is_umpire and record is not None:
            return Copy(week, side, name, None, bulletin_body(campaign, record, week, side))
        standing = next((row for row in rows if row.state == Bulletin.State.PUBLISHED), None)
    chosen = standing if revision is None else next((row for row in rows if row.revision == revision), None)
    if chosen is None:
        return None
    if chosen.state == Bulletin.State.PUBLISHED:
        overtaken = record is None or chosen.revision != record.revision
        return Copy(week, side, name, chosen, chosen.body, overtaken)
    if record is None or chosen.revision != record.revision:
        return None
    return Copy(week, side, name, chosen, bulletin_body(campaign, record, week, side))


def copy_first(viewer: Viewer, theatre: Theatre) -> str | None:
    """The copy the viewer reads when he names none: his side's, else the first he may."""
    known = list_readable_copies(viewer, side_ids(theatre))
    return viewer.side if viewer.side in known and viewer.side else next(iter(known), None)


def copy_choices(viewer: Viewer, theatre: Theatre) -> list[tuple[str, str]]:
    """The copies the viewer may read, with their names."""
    names = names_of_theatre(theatre)
    return [(side, copy_name(side, names)) for side in list_readable_copies(viewer, side_ids(theatre))]


def public_when(campaign: Campaign, week: int) -> str:
    """Tell the umpire when spectators can read a week."""
    if campaign.spectator_days is None:
        return ""
    if public_weeks(campaign) >= week:
        return "Spectators may read it at once."
    days = week * DAYS_A_WEEK + campaign.spectator_days
    return f"Spectators read it once {days} days of the campaign are played (HR-SET-12)."


__all__ = [
    "Copy", "WeekRow", "copies_of", "copy_choices", "copy_first", "find_bulletin_copy", "public_when",
    "week_rows",
]  # fmt: skip
