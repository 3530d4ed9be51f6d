"""Strength that the weekly tables lead to, by the setting `recruitment` (HR-REC-04): before anybody marches.

Weeks are closed by the rules of a campaign itself (`week.close_week`), so no figure can differ from play.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from campaign.rules.returns.attrition import weekly_distribution
from campaign.rules.returns.militia import militia_change
from campaign.rules.returns.replacements import REPLACED_ON, REPLACEMENT_POINTS
from campaign.rules.returns.returns import damp_gain
from campaign.rules.returns.week import WeekChoices, close_week
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Unit, UnitStatus, World
from rosters.domain.dice import AddressedDice, Roll

#: Runs of which the mean is taken: one for each face, so that every die shows each face once among them.
RUNS = 6
#: Units times weeks that one run may close while a reader waits.
MOST_UNIT_WEEKS = 6_000
#: Public seed of the runs: the figures are an estimate and no campaign's dice.
SEED = b"expected strength"


@dataclass(frozen=True, slots=True)
class TurnedDice:
    """Dice of one run: each shows the face of its address, turned on by the run's number.

    Of six runs the mean of every single die is exact; only what a die does by way of others is sampled.
    """

    dice: AddressedDice
    run: int

    def roll(self, rule: str, subject: str, index: int = 0, sides: int = 6) -> Roll:
        """One die, as `dice.Dice` has it."""
        rolled = self.dice.roll(rule, subject, index, sides)
        return replace(rolled, value=(rolled.value - 1 + self.run) % sides + 1)


def is_affordable(world: World) -> bool:
    """True if the runs for this scenario are quick enough for a reader to wait for."""
    return len(world.units) * _count_weeks(world) <= MOST_UNIT_WEEKS


def estimate_final_points(world: World) -> dict[str, int]:
    """Mean campaign points of each side on the map at the last week's end, without marches or fights.

    Units come and go on the scenario's dates. `world` stands on its first morning.
    """
    runs = 1 if world.settings.recruitment == "off" else RUNS
    total: Counter[str] = Counter()
    for run in range(runs):
        total.update(_play_run(world, run))
    return {side.id: round(Fraction(total[side.id], runs)) for side in world.theatre.sides}


def weekly_changes(settings: RuleSettings) -> Mapping[str, Fraction]:
    """Exact mean change of one unit on the map in a week, in campaign points, before cap and floor.

    Of a Continental or Loyalist regular, a militia unit (one that goes home keeps its points), a European.
    """
    if settings.recruitment == "off":
        return dict.fromkeys(("regular", "militia", "european"), Fraction(0))
    militia = sum(damp_gain(militia_change(die), settings) for die in range(1, 7))
    sixes = Fraction(7 - REPLACED_ON, 6)
    return {
        "regular": sum(
            (change * chance for change, chance in weekly_distribution(settings).items()), Fraction(0)
        ),
        "militia": Fraction(militia, 6),
        "european": damp_gain(REPLACEMENT_POINTS, settings) * sixes,
    }


def _count_weeks(world: World) -> int:
    return world.theatre.days // 7


def _play_run(world: World, run: int) -> Counter[str]:
    """Points of each side after the last week of one run."""
    for week in range(1, _count_weeks(world) + 1):
        day = 7 * week
        units = {key: _apply_dates(unit, day - 1) for key, unit in world.units.items()}
        world = replace(world, units=units, day=day)
        dice = TurnedDice(AddressedDice(SEED, "expected", 1, day), run)
        world = close_week(world, WeekChoices(), dice).world
    points: Counter[str] = Counter()
    for unit in world.units.values():
        if unit.status is UnitStatus.PRESENT:
            points[unit.side] += unit.points
    return points


def _apply_dates(unit: Unit, day: int) -> Unit:
    """The unit as its dates have it on a day, as in `schedule.schedule_of`."""
    if unit.status is UnitStatus.EXPECTED and unit.arrives <= day:
        unit = replace(unit, status=UnitStatus.PRESENT)
    if unit.status is UnitStatus.PRESENT and unit.departs is not None and unit.departs < day:
        unit = replace(unit, status=UnitStatus.DEPARTED)
    return unit
