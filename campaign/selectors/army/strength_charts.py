"""Strength by week and what changed it, in figures: the charts of an army and the table beside them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from campaign.fog.visibility import Viewer, list_known_units
from campaign.rules.returns.militia import rolls_as_militia
from campaign.rules.world.world import Unit, World
from campaign.selectors.army.weekly_strength import Muster, Musters, WeeksChange, collect_known_points
from campaign.text.event_table import EVENT_KINDS
from campaign.text.place_names import CampaignNames
from rosters.domain.strength import strength_points

#: Causes by which losses and gains are told apart, in the order in which they are drawn.
CAUSES = {
    "battle": "Battle",
    "march": "Forced marches",
    "hunger": "Hunger",
    "terms": "Enlistments and replacements",
    "militia": "Militia come and gone",
    "raised": "Raised and rebuilt",
    "came": "Arrived and left",
    "other": "Other",
}
#: Kinds that move points from one unit to another: what one loses the other may gain.
MOVES = frozenset({"loyalist_fill", "balanced"})


@dataclass(slots=True)
class CauseTally:
    """Points won and lost by one cause in a week; `losses` is not above 0."""

    gains: int = 0
    losses: int = 0

    def add(self, gains: int, losses: int = 0) -> None:
        self.gains += max(0, gains) + max(0, losses)
        self.losses += min(0, gains) + min(0, losses)

    @property
    def losses_text(self) -> str:
        """The losses with a true minus."""
        return f"\N{MINUS SIGN}{-self.losses}"


@dataclass(frozen=True, slots=True)
class WeekFigures:
    """A side at the end of a week, 0 for the first morning; the last one may still be running."""

    week: int
    date: date
    points: int
    sp: int
    units: int
    causes: Mapping[str, CauseTally] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """A side's weeks; `causes` are those that did anything to it, with their names."""

    id: str
    name: str
    tint: str
    weeks: tuple[WeekFigures, ...]

    @property
    def causes(self) -> list[tuple[str, str]]:
        met = {
            cause
            for week in self.weeks
            for cause, tally in week.causes.items()
            if tally.gains or tally.losses
        }
        return [(cause, name) for cause, name in CAUSES.items() if cause in met]

    @property
    def rows(self) -> list[tuple[WeekFigures, list[CauseTally]]]:
        """Each week with its tallies in the order of `causes`."""
        return [
            (week, [week.causes.get(cause, CauseTally()) for cause, _ in self.causes]) for week in self.weeks
        ]


def list_strength_figures(
    viewer: Viewer, world: World, names: CampaignNames, weeks: Musters
) -> tuple[SideFigures, ...]:
    """Figures by week for each side whose strength the viewer may know; `world` is the present one."""
    now = collect_known_points(viewer, world)
    units = {unit.id: unit for unit in list_known_units(viewer, world)}
    days = sorted(weeks.by_day)
    mornings = [(day, weeks.by_day[day]) for day in days]
    if not days or days[-1] < world.day:
        mornings.append((world.day, now))
    return tuple(
        SideFigures(
            side,
            names.side(side),
            names.tint(side),
            tuple(_iter_week_figures(world, side, units, mornings, weeks)),
        )
        for side in now
    )


def _iter_week_figures(
    world: World, side: str, units: Mapping[str, Unit], mornings: list[tuple[int, Muster]], weeks: Musters
) -> Iterable[WeekFigures]:
    before: Mapping[str, int] = {}
    for number, (day, muster) in enumerate(mornings):
        here = muster.get(side, {})
        week = -(-day // 7) - 1  # 0 is the first
        causes: dict[str, CauseTally] = {}
        if number:
            told = weeks.changes.get(week, {})
            causes = _tally_causes(units, side, before, here, told, mornings[number - 1][0])
        yield WeekFigures(
            week=week + 1,
            date=world.theatre.start + timedelta(days=max(0, day - 1)),
            points=sum(here.values()),
            sp=sum(strength_points(points) for points in here.values()),
            units=len(here),
            causes=causes,
        )
        before = here


def _tally_causes(
    units: Mapping[str, Unit],
    side: str,
    before: Mapping[str, int],
    after: Mapping[str, int],
    told: Mapping[str, tuple[WeeksChange, ...]],
    first: int,
) -> dict[str, CauseTally]:
    """Tallies by cause; what no entry explains is a coming or going."""
    found = {cause: CauseTally() for cause in CAUSES}
    for key in {*before, *after, *told}:
        unit = units.get(key)
        if unit is not None and unit.side != side:
            continue
        rest = after.get(key, 0) - before.get(key, 0)
        for change in told.get(key, ()):
            if unit is None:
                continue
            rest -= change.points
            tally = found[EVENT_KINDS[change.kind].cause if change.kind in EVENT_KINDS else "other"]
            if change.kind in MOVES:
                tally.add(change.points)
            else:
                tally.add(change.gains, change.losses)
        if rest:
            militia = unit is not None and rolls_as_militia(unit) and unit.arrives < max(1, first)
            found["militia" if militia else "came"].add(rest)
    return found
