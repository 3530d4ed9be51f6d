"""Where a campaign stands: its calendar, its seats, its jobs."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from campaign.models import Campaign, Job
from campaign.rules.world import World
from campaign.visibility import Viewer, jobs_for, journal_for


@dataclass(frozen=True, slots=True)
class Calendar:
    """Where the campaign stands in time. `weather` is the last completed day's, "" before the first."""

    date: date
    day: int
    days: int
    week: int
    weeks: int
    weather: str
    ended: bool
    deadline: datetime | None


def calendar(viewer: Viewer, world: World) -> Calendar:
    """The calendar strip; `day` and `week` count from 1."""
    days = world.theatre.days
    day = min(world.day, days - 1)
    weather = (
        journal_for(viewer)
        .filter(kind="weather", day=world.day - 1)
        .values_list("data__weather", flat=True)
        .last()
    )
    return Calendar(
        date=world.theatre.start + timedelta(days=day),
        day=day + 1,
        days=days,
        week=day // 7 + 1,
        weeks=-(-days // 7),
        weather=weather or "",
        ended=world.ended,
        deadline=viewer.campaign.deadline,
    )


def job_latest(viewer: Viewer) -> Job | None:
    """The last day asked for as a job, for the campaign's umpire."""
    return jobs_for(viewer).filter(kind="advance_day").first()


def seats(campaign: Campaign) -> list[tuple[str, str]]:
    """Seat titles and who sits there."""
    return [
        (str(seat), seat.user.get_full_name() or seat.user.get_username() if seat.user else "the staff")
        for seat in campaign.seats.select_related("user").order_by("role", "side")
    ]
