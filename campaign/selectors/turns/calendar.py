"""State of a campaign: its calendar, its seats, its jobs."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from campaign.fog.visibility import MapView, SeenFormation, Viewer, jobs_for, journal_for
from campaign.models import Job, find_time_zone
from campaign.rules.world.world import World
from campaign.selectors.turns.deadline_extension import grace_text
from campaign.text.almanac import Sky, compute_sky
from campaign.text.place_names import CampaignNames, position_text
from campaign.text.sightings import sighting_text, strength_text


@dataclass(frozen=True, slots=True)
class Calendar:
    """The campaign's date and deadline. `weather` is the last completed day's, "" before the first.

    `sky` is the coming day's, in the middle of the theatre; `past` says that the deadline is.
    `grace` tells of more time that was given after an outage, while it lasts.
    """

    date: date
    day: int
    days: int
    week: int
    weeks: int
    weather: str
    ended: bool
    deadline: datetime | None
    past: bool
    sky: Sky
    grace: str


def load_calendar(viewer: Viewer, world: World, weather: str | None = None) -> Calendar:
    """The calendar strip; `day` and `week` count from 1. Who sees it late hears no deadline (HR-SET-12).

    `weather` is the last completed day's where it has been read already, as the viewer may know it.
    """
    days = world.theatre.days
    day = min(world.day, days - 1)
    if weather is None:
        told = journal_for(viewer).filter(kind="weather", day=world.day - 1)
        weather = told.values_list("data__weather", flat=True).last() or ""
    today = world.theatre.start + timedelta(days=day)
    south, north = find_latitude_range(world)
    grace = viewer.campaign.grace_now if viewer.day_limit is None else None
    return Calendar(
        date=today,
        day=day + 1,
        days=days,
        week=day // 7 + 1,
        weeks=-(-days // 7),
        weather=weather,
        ended=world.ended,
        deadline=viewer.campaign.deadline if viewer.day_limit is None else None,
        past=viewer.campaign.overdue and viewer.day_limit is None,
        sky=compute_sky(today, (south + north) / 2),
        grace=grace_text(grace, find_time_zone(viewer.user, viewer.campaign)) if grace is not None else "",
    )


def find_latitude_range(world: World) -> tuple[float, float]:
    """Of the southernmost and the northernmost place of the theatre."""
    found = [place.lat for place in world.theatre.atlas.places.values()]
    return min(found), max(found)


@dataclass(frozen=True, slots=True)
class ReportRow:
    """An enemy as the viewer has him reported: who, how strong, where, when and by whom."""

    name: str
    strength: str
    where: str
    sighted: str


def list_enemy_reports(view: MapView, world: World, names: CampaignNames) -> list[ReportRow]:
    """The enemies on the viewer's map, those in sight first, then the latest seen; none for the umpire."""
    enemies = [seen for seen in view.formations if not seen.own and seen.sighting is not None]
    rows = []
    for seen in sorted(enemies, key=_latest_first):
        assert seen.sighting is not None
        rows.append(
            ReportRow(
                name=f"{seen.name} ({names.side(seen.side)})",
                strength=strength_text(seen.sp, seen.sighting.error),
                where=position_text(seen.position, names),
                sighted=sighting_text(seen.sighting, world.theatre, names),
            )
        )
    return rows


def _latest_first(seen: SeenFormation) -> tuple[int, int, int]:
    assert seen.sighting is not None
    return -seen.sighting.day, -seen.sighting.minute, seen.sighting.number


def job_latest(viewer: Viewer) -> Job | None:
    """The last day asked for as a job, for the campaign's umpire."""
    return jobs_for(viewer).filter(kind="advance_day").first()
