"""A formation's activities besides marching: pursuit, rest, work, stages of an order (HR-ORD)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from campaign.rules.day.arrivals import is_enemy_within
from campaign.rules.errors import RuleViolation
from campaign.rules.map.paths import path_find
from campaign.rules.march.marching import MIDNIGHT, formation_mobility
from campaign.rules.orders.labour import WORK, find_remaining_order, verify_work
from campaign.rules.orders.siege_orders import verify_siege
from campaign.rules.scouting.knowledge import FRESH_DAYS, side_view
from campaign.rules.world.world import (
    PACE_PERCENT,
    Activity,
    Formation,
    Order,
    Position,
    Stage,
    Stance,
    Unit,
    World,
)

ACTIVITIES: tuple[Activity, ...] = get_args(Activity)
STANCES: tuple[Stance, ...] = get_args(Stance)
#: Activities that go after an enemy.
SEEKING: frozenset[Activity] = frozenset({"follow", "intercept"})
#: Activities of a formation that halts.
HALTED: frozenset[Activity] = WORK | {"rest", "siege"}

#: Limits of an itinerary (HR-ORD-02).
MOST_STAGES, LONGEST_WAIT, FURTHEST_MILES = 12, 60, 100


def verify_manner(order: Order) -> None:
    """Refuses a pace, a stance or an activity there is not."""
    if order.activity not in ACTIVITIES:
        raise RuleViolation(
            "HR-ORD-01",
            f"There is no activity {order.activity!r}; choose one of {', '.join(ACTIVITIES)}.",
            "activity",
        )
    _verify_pace_and_stance(order.pace, order.stance)


def _verify_pace_and_stance(pace: str, stance: str) -> None:
    if pace not in PACE_PERCENT:
        raise RuleViolation(
            "AWI-C-MAR-02",
            f"There is no pace {pace!r}; choose one of {', '.join(PACE_PERCENT)}.",
            "pace",
        )
    if stance not in STANCES:
        raise RuleViolation(
            "HR-CON-03", f"There is no stance {stance!r}; choose one of {', '.join(STANCES)}.", "stance"
        )


def verify_activity(world: World, formation: Formation, order: Order, units: Sequence[Unit]) -> None:
    """Refuses what does not belong together in an order, and work that cannot be done where it stands."""
    latest = MIDNIGHT - world.settings.march_starts - 1
    if type(order.starts) is not int or not 0 <= order.starts <= max(0, latest):
        raise RuleViolation(
            "HR-ORD-05",
            f"A march may start 0 to {latest} minutes after the marching hour, not {order.starts}.",
            "starts",
        )
    if order.activity == "march":
        return
    if order.activity != "rest" and order.via:
        raise RuleViolation(
            "HR-ORD-06",
            "Only a march, or a march after a rest, goes by places; leave them out.",
            "via",
        )
    if order.activity not in SEEKING and order.starts:
        raise RuleViolation("HR-ORD-05", "Who halts has no hour to start; leave it out.", "starts")
    if order.activity in SEEKING and order.stages:
        raise RuleViolation(
            "HR-ORD-02", "Nobody knows when a chase is over; leave the further stages out.", "stages"
        )
    if order.activity == "intercept" and order.stance in ("delay", "avoid"):
        raise RuleViolation(
            "HR-ORD-04", "Who intercepts gives battle; order attack or give battle.", "stance"
        )
    if order.activity == "siege":
        verify_siege(world, formation)
    if order.activity in WORK:
        verify_work(world, formation, order, units)


def verify_stages(world: World, order: Order, start: Position, units: Sequence[Unit]) -> None:
    """Refuses an itinerary with a stage that can never be marched (HR-ORD-02, field `stages`)."""
    if len(order.stages) > MOST_STAGES:
        raise RuleViolation(
            "HR-ORD-02", f"An itinerary has {MOST_STAGES} stages at most, not {len(order.stages)}.", "stages"
        )
    here = Position(place=order.via[-1]) if order.via else start
    atlas = world.theatre.atlas
    for number, stage in enumerate(order.stages, start=1):
        _verify_pace_and_stance(stage.pace, stage.stance)
        fault = _stage_fault(world, stage)
        if fault:
            raise RuleViolation("HR-ORD-02", f"Stage {number} {fault}", "stages")
        try:
            path_find(
                atlas, here, stage.via, formation_mobility(units), world.settings, by_water=stage.by_water
            )
        except RuleViolation as violation:
            raise RuleViolation(
                violation.rule_id, f"Stage {number}: {violation.message}", "stages"
            ) from violation
        here = Position(place=stage.via[-1])


def _stage_fault(world: World, stage: Stage) -> str:
    if not stage.via:
        return "goes nowhere; name a place."
    if not 0 <= stage.wait <= LONGEST_WAIT:
        return f"waits {stage.wait} days; 0 to {LONGEST_WAIT} are possible."
    if not 0 <= stage.miles <= FURTHEST_MILES:
        return f"looks {stage.miles} miles around; 0 to {FURTHEST_MILES} are possible."
    if stage.when == "held" and stage.subject not in world.theatre.atlas.places:
        return f"waits for {stage.subject!r}, which is no place on the map."
    return ""


def next_part(world: World, formation: Formation, order: Order) -> Order | None:
    """The order as it begins the day: the next stage, if the part before it is done (HR-ORD-02).

    A rest is done in the evening; work and a siege when they are, or after the days the first stage says.
    None when all that was left has been passed over.
    """
    if not order.stages or order.activity == "rest" or (order.via and order.activity == "march"):
        return order
    if order.activity in HALTED and not order.stages[0].wait:
        return order
    for number, stage in enumerate(order.stages):
        if formation.waited < stage.wait:
            return replace(order, stages=order.stages[number:])
        if _is_condition_met(world, formation.side, stage):
            return replace(
                order,
                activity="march",
                target="",
                starts=0,
                via=stage.via,
                pace=stage.pace,
                stance=stage.stance,
                by_water=stage.by_water,
                stages=order.stages[number + 1 :],
            )
    return find_remaining_order(replace(order, stages=()))


def _is_condition_met(world: World, side: str, stage: Stage) -> bool:
    """True if the condition of a stage is met, as far as its side knows."""
    if stage.when == "always":
        return True
    if stage.when == "held":
        return side_view(world, side).holders.get(stage.subject) == side
    near = is_enemy_within(world, Position(place=stage.via[0]), side, stage.miles, days=FRESH_DAYS)
    return near == (stage.when == "enemy")


def evening_order(order: Order | None, via: tuple[str, ...]) -> Order | None:
    """The order that remains after the day: finished parts removed, a rest turned into the march."""
    if order is None:
        return None
    if order.activity == "rest":
        return replace(order, activity="march") if order.via or order.stages else order
    if order.via:
        return replace(order, via=via, starts=0)
    return replace(order, starts=0)
