"""Campaign points lost by battles and forced marches (AWI-C-BAT-01..04, AWI-C-MAR-01..03)."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from campaign.rules.errors import RuleViolation
from campaign.rules.world.events import Event
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Unit, UnitStatus
from rosters.domain.dice import DiceRoller
from rosters.domain.strength import POINTS_FOR_ZERO, POINTS_PER_SP_CAPTURED, POINTS_PER_SP_LOST
from rosters.domain.vocabulary import Nation

POINTS_SECOND_BATTLE = 5  # AWI-C-BAT-04

MARCH_HALF = "AWI-C-MAR-01"
MARCH_DOUBLE = "AWI-C-MAR-02"

#: Points lost by the modified die, 1 to 6.
MARCH_LOSSES: dict[str, tuple[int, ...]] = {
    MARCH_HALF: (0, 0, 0, 0, 5, 10),
    MARCH_DOUBLE: (0, 0, 5, 5, 10, 20),
}

Fate = Literal["present", "eliminated", "surrendered", "left_table"]


@dataclass(frozen=True, slots=True)
class UnitLoss:
    """A unit's losses in one battle, in strength points.

    `sp_captured` are the SP it had when it surrendered; they are not counted in `sp_lost`
    (AWI-C-BAT-03).
    """

    unit: str
    sp_start: int
    sp_lost: int
    sp_captured: int = 0
    fate: Fate = "present"

    @property
    def sp_left(self) -> int:
        return self.sp_start - self.sp_lost - self.sp_captured


def counts_as_militia(unit: Unit) -> bool:
    """Militia for the campaign's own tables: American militia of any arm, Loyalist militia (HR-REC-03)."""
    return unit.nation is Nation.AMERICAN_MILITIA or unit.is_militia


def with_points(unit: Unit, points: int, day: int | None = None) -> Unit:
    """`unit` with `points`; a unit of 0 points that was present is eliminated since `day` (AWI-C-ELI-01)."""
    if points == 0 and unit.points > 0 and unit.status is UnitStatus.PRESENT:
        since = unit.since if day is None else day
        return replace(unit, points=0, status=UnitStatus.ELIMINATED, since=since)
    return replace(unit, points=points)


def battle_charges(loss: UnitLoss, settings: RuleSettings) -> tuple[tuple[str, int], ...]:
    """Points a battle costs, by rule, as negative changes (AWI-C-BAT-01, -02, -03).

    A unit whose SP are all lost, none of them captured, is reduced to zero. Surrender counts as
    reduced to zero only by the setting `surrender_counts_as_zero`.
    Raises RuleViolation when the figures do not add up.
    """
    _verify_loss(loss)
    per_captured = POINTS_PER_SP_CAPTURED
    if settings.captured_points == "on_top_of_lost":
        per_captured += POINTS_PER_SP_LOST
    for_lost = POINTS_PER_SP_LOST * loss.sp_lost
    at_zero = loss.sp_start > 0 and loss.sp_left == 0
    zero = at_zero and (loss.sp_captured == 0 or settings.surrender_counts_as_zero)
    if zero and settings.zero_strength_penalty == "instead_of_per_point":
        for_lost = 0
    charges = (
        ("AWI-C-BAT-01", -for_lost),
        ("AWI-C-BAT-02", -POINTS_FOR_ZERO if zero else 0),
        ("AWI-C-BAT-03", -per_captured * loss.sp_captured),
    )
    return tuple((rule, change) for rule, change in charges if change)


def battle_losses(
    unit: Unit,
    loss: UnitLoss,
    settings: RuleSettings,
    *,
    minute: int = 0,
    contact: str = "",
    day: int | None = None,
) -> tuple[Unit, tuple[Event, ...]]:
    """The unit after a battle, and the event of its loss; never below 0 points (AWI-C-BAT-01..03).

    No event when the battle cost it nothing. `minute` is that of the battle's end.
    """
    charges = battle_charges(loss, settings)
    if not charges:
        return unit, ()
    after = max(0, unit.points + sum(change for _, change in charges))
    event = Event(
        "battle_loss",
        minute,
        charges[0][0],
        sides=(unit.side,),
        unit=unit.id,
        formation=unit.formation,
        contact=contact,
        before=unit.points,
        after=after,
        modifiers=charges,
        data={"sp_start": loss.sp_start, "sp_lost": loss.sp_lost, "sp_captured": loss.sp_captured},
    )
    return with_points(unit, after, day), (event,)


def points_for_battle(points: int, sp_lost_today: int) -> int:
    """Points a unit fights its next battle of the day with (AWI-C-BAT-04).

    `points` are the permanent points after the day's earlier battles, `sp_lost_today` all SP lost
    in them. The deduction lasts for the battle only, and SP captured do not count.
    """
    return max(0, points - POINTS_SECOND_BATTLE * sp_lost_today)


def percent_over(normal: int, marched: int) -> int:
    """Whole percent by which `marched` exceeds `normal` (yards or minutes alike), rounded up.

    Rounded up because anything over 50 % uses the harder table (AWI-C-MAR-02) and anything over
    100 % is not allowed. 0 when within the normal day.
    """
    return max(0, -(-(marched - normal) * 100 // normal))


def forced_march_rule(percent: int) -> str:
    """The rule id of the table for a march of `percent` over normal; "" within a normal day.

    Raises RuleViolation above 100 % (AWI-C-MAR-02).
    """
    if percent > 100:
        raise RuleViolation(
            "AWI-C-MAR-02",
            f"The march is {percent} % over the normal day; 100 % is the limit. Choose a nearer destination.",
            "via",
        )
    if percent <= 0:
        return ""
    return MARCH_HALF if percent <= 50 else MARCH_DOUBLE


def march_modifiers(militia: bool, adverse_weather: bool) -> tuple[tuple[str, int], ...]:
    """Additions to the forced march die (AWI-C-MAR-03)."""
    listed = (("militia", militia), ("adverse_weather", adverse_weather))
    return tuple((name, 1) for name, applies in listed if applies)


def march_loss(rule: str, die: int, modifier: int) -> int:
    """Points lost on the table of `rule` by `die`; above 6 counts as 6 (AWI-C-MAR-03)."""
    return MARCH_LOSSES[rule][min(6, die + modifier) - 1]


def forced_march_loss(
    unit: Unit, percent: int, adverse_weather: bool, dice: DiceRoller, minute: int, *, day: int | None = None
) -> tuple[Unit, tuple[Event, ...]]:
    """One roll for a unit that marched `percent` over its normal day (AWI-C-MAR-01..03).

    Called once a unit a day, with the day's whole march. Within the normal day, and for units
    without points (trains, HR-REC-01), nothing is rolled. The event tells a die without loss too.
    """
    rule = forced_march_rule(percent)
    if not rule or unit.points == 0:
        return unit, ()
    modifiers = march_modifiers(counts_as_militia(unit), adverse_weather)
    roll = dice.roll(rule, unit.id)
    after = max(0, unit.points - march_loss(rule, roll.value, sum(value for _, value in modifiers)))
    event = Event(
        "forced_march",
        minute,
        rule,
        sides=(unit.side,),
        unit=unit.id,
        formation=unit.formation,
        before=unit.points,
        after=after,
        rolls=(roll,),
        modifiers=modifiers,
        data={"percent_over": percent},
    )
    return with_points(unit, after, day), (event,)


def forced_march_distribution(percent: int, militia: bool, adverse_weather: bool) -> dict[int, Fraction]:
    """Exact chances of each loss in points, before the floor at 0 (AWI-C-MAR-01..03)."""
    rule = forced_march_rule(percent)
    if not rule:
        return {0: Fraction(1)}
    modifier = len(march_modifiers(militia, adverse_weather))
    counts = Counter(march_loss(rule, die, modifier) for die in range(1, 7))
    return {loss: Fraction(count, 6) for loss, count in sorted(counts.items())}


def _verify_loss(loss: UnitLoss) -> None:
    if min(loss.sp_start, loss.sp_lost, loss.sp_captured) < 0 or loss.sp_left < 0:
        raise RuleViolation(
            "AWI-C-BAT-01",
            f"{loss.unit} began with {loss.sp_start} SP and cannot have lost {loss.sp_lost} and "
            f"{loss.sp_captured} captured; correct the result so that they add up.",
            "sp_lost",
        )
