"""Wall-clock time in a club's zone: steps of whole days, across summer time too (HR-DUE-01)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from campaign.rules.errors import RuleViolation


def moment_at(wall: datetime, zone: ZoneInfo) -> datetime:
    """The moment, in UTC, of a wall-clock time in the zone; one that `wall` has of its own is passed over.

    A time that occurs twice is its first occurrence. One that summer time skips is as much later by the new
    clock as it lies after the change: 02:30 becomes 03:30.
    """
    return wall.replace(tzinfo=zone, fold=0).astimezone(UTC)


def verify_wall(wall: datetime, zone: ZoneInfo) -> None:
    """Raises RuleViolation (HR-DUE-01) for a wall-clock time that summer time skips."""
    told = moment_at(wall, zone).astimezone(zone)
    if told.replace(tzinfo=None) != wall.replace(tzinfo=None, fold=0):
        raise RuleViolation(
            "HR-DUE-01",
            f"There is no {wall:%H:%M} on {wall.day} {wall:%B %Y} in {zone.key}: summer time begins. Choose "
            f"another time, such as {told:%H:%M}.",
            "until",
        )


def wall_of(moment: datetime, zone: ZoneInfo, meant: time | None) -> datetime:
    """The wall-clock time a moment stands for, without a zone.

    `meant` is the hour that was meant, where summer time skipped it; it counts only if it gives this moment.
    """
    shown = moment.astimezone(zone).replace(tzinfo=None)
    if meant is not None:
        for days in (0, 1):  # an hour skipped before midnight comes after it
            wall = datetime.combine(shown.date() - timedelta(days=days), meant)
            if moment_at(wall, zone) == moment:
                return wall
    return shown


def next_wall(wall: datetime, zone: ZoneInfo, *, days: int, after: datetime) -> datetime:
    """The first wall-clock time `days`, twice `days` and so on later that comes after a moment."""
    wall += timedelta(days=days)
    while moment_at(wall, zone) <= after:
        wall += timedelta(days=days)
    return wall
