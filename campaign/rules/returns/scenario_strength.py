"""Strength as the scenario's dates have it, and how far a campaign has drifted from it (HR-REC-08)."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from campaign.rules.world.world import Unit, UnitStatus, World

#: Percent of the scheduled points beyond which the umpire is warned.
WARNING_PERCENT = 15


@dataclass(frozen=True, slots=True)
class Drift:
    """Points a side should have on the map by the scenario's dates, and has."""

    side: str
    scheduled: int
    actual: int

    @property
    def percent(self) -> int:
        """Percent above the schedule, negative when below it."""
        return round(100 * (self.actual - self.scheduled) / self.scheduled) if self.scheduled else 0

    @property
    def far(self) -> bool:
        """True if the drift from history is large enough to report."""
        return abs(self.percent) > WARNING_PERCENT


def schedule_of(units: Iterable[Unit], sides: Iterable[str], days: int) -> dict[str, tuple[int, ...]]:
    """Points each side has on the morning of each day when all come and go on their dates, without losses."""
    changes = {side: [0] * (days + 1) for side in sides}
    for unit in units:
        gone = days if unit.departs is None else max(0, min(unit.departs + 1, days))
        came = max(0, unit.arrives)
        if unit.side in changes and came < gone:
            changes[unit.side][came] += unit.points
            changes[unit.side][gone] -= unit.points
    return {side: tuple(accumulate(found[:days])) for side, found in changes.items()}


def list_drifts(world: World) -> list[Drift]:
    """Each side's strength against the schedule, on this morning; none for a theatre without one."""
    found = []
    for side, points in sorted(world.theatre.schedule.items()):
        actual = sum(
            unit.points
            for unit in world.units.values()
            if unit.side == side and unit.status is UnitStatus.PRESENT
        )
        found.append(Drift(side, points[min(world.day, len(points) - 1)], actual))
    return found
