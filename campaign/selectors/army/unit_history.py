"""History of one unit as its side was told it: every journal entry of a week with its rule and dice, and
its strength by week.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q

from campaign.fog.visibility import Viewer, journal_for
from campaign.rules.world.world import Unit, World
from campaign.selectors.army.returns import PointChange
from campaign.selectors.army.weekly_strength import Musters, collect_known_points
from campaign.selectors.press.journal import JournalLine, line_of
from campaign.text.place_names import CampaignNames


@dataclass(frozen=True, slots=True)
class RollLine:
    """An entry with the date it happened on, or was told on by a courier."""

    date: date
    line: JournalLine


def unit_roll(viewer: Viewer, world: World, names: CampaignNames, unit: str, week: int) -> list[RollLine]:
    """A unit's entries of a week (0 is the first), in order of happening.

    With those of a pool that its share went to, as an eliminated unit's does (AWI-C-ELI-01).
    """
    about = Q(unit=unit) | Q(data__for_unit=unit)
    if not viewer.sees_all:  # who sees all reads of it on the day itself
        about |= Q(kind="told_by_courier", data__event__unit=unit)
    entries = journal_for(viewer).filter(about, day__gte=7 * week, day__lt=7 * (week + 1))
    return [
        RollLine(world.theatre.start + timedelta(days=entry.day), line_of(entry.ordinal + 1, entry, names))
        for entry in entries.order_by("day", "record_id", "ordinal")
    ]


@dataclass(frozen=True, slots=True)
class UnitWeek:
    """A unit at the end of a week; `points` is None when it was not on the map."""

    week: int
    date: date
    points: int | None
    changes: tuple[PointChange, ...]


def unit_weeks(viewer: Viewer, world: World, weeks: Musters, unit: Unit) -> list[UnitWeek]:
    """The unit's weeks from the first, the running one as it stands; `world` is the present one."""
    mornings = dict(weeks.by_day)
    mornings.setdefault(world.day, collect_known_points(viewer, world))
    found = []
    for day in sorted(mornings)[1:]:
        number = -(-day // 7)
        by_rule: dict[str, int] = {}
        for change in weeks.changes.get(number - 1, {}).get(unit.id, ()):
            by_rule[change.rule] = by_rule.get(change.rule, 0) + change.points
        found.append(
            UnitWeek(
                week=number,
                date=world.theatre.start + timedelta(days=day - 1),
                points=mornings[day].get(unit.side, {}).get(unit.id),
                changes=tuple(PointChange(rule, points) for rule, points in by_rule.items() if points),
            )
        )
    return found
