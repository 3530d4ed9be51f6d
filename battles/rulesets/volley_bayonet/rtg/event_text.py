"""The words in which battles of brigades are told: the core's, with its own terms. No numba here."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from battles.engine.events import BattleEvent
from battles.files.schema import BattleFile, BattleUnit
from battles.replay.event_text import Telling
from battles.replay.words import format_possessive
from battles.rulesets.volley_bayonet.event_text import telling_of as telling_of_core
from battles.rulesets.volley_bayonet.positions import unit_id, unit_name
from battles.rulesets.volley_bayonet.rtg.brigades import commander_of
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.positions import build_table_file
from battles.rulesets.volley_bayonet.rtg.ratings import KINDS, pooling_of
from battles.rulesets.volley_bayonet.rtg.scale import FixedScale
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool, pool_brigades
from battles.rulesets.volley_bayonet.rtg.tables import BASES, MINUTES_PER_TURN

STEPS = {
    "-": "before any move",
    "A": "command",
    "B": "movement",
    "C": "rally",
    "D": "tests of morale",
    "E": "combat",
    "F": "exhaustion",
}
LINES = {"change_formation": "{a} change formation", "general_die": "{n} or more fells him"}
#: What befalls a whole division, where the core says brigade.
DIVISIONS = frozenset({"exhausted", "collapse_die", "collapses"})
#: The base of each kind of stand of a battle file's troops.
BASE_OF = {
    "linear_infantry": "linear",
    "infantry_skirmisher": "skirmisher",
    "linear_cavalry": "linear",
    "artillery_battalion": "artillery",
}


def find_base_size(unit: BattleUnit) -> tuple[float, float]:
    """Inches of the file of front and depth of the stands of such troops (RTG-GEN-04)."""
    front, depth = BASES[BASE_OF[KINDS[pooling_of(unit)]]]
    return front / INCH, depth / INCH


def explain_events(battle: BattleFile, events: Sequence[BattleEvent], scale: FixedScale) -> list[BattleEvent]:
    """The events in their order; what befalls a division has its commander as the target, where it has one.

    `battle` must be the whole file: its divisions cannot be told from a part of it, nor from its stands.
    """
    commanders = (
        _map_division_commanders(battle, scale) if any(event.kind in DIVISIONS for event in events) else {}
    )
    return [
        replace(event, target=commanders.get(unit_id(event.actor), "")) if event.kind in DIVISIONS else event
        for event in events
    ]


def _map_division_commanders(battle: BattleFile, scale: FixedScale) -> dict[str, str]:
    """The leader who commands the division of each unit, by their ids."""
    divisions: dict[int, list[BrigadePool]] = {}
    for pool in pool_brigades(battle, scale.options_resolve(battle.options)):
        divisions.setdefault(pool.division, []).append(pool)
    led = ((pools, commander_of(battle, pools)) for pools in divisions.values())
    return {unit: battle.leaders[n].id for pools, n in led if n >= 0 for pool in pools for unit in pool.units}


def describe_division(battle: BattleFile, event: BattleEvent) -> str:
    """A division by the commander its event names, or by the brigade that stands for it."""
    for leader in battle.leaders:
        if leader.id == event.target:
            return f"{format_possessive(leader.name)} division"
    unit = unit_id(event.actor)
    for one in battle.units:
        if unit_id(one.id) == unit:
            return f"the division of {one.name if one.id == unit else unit_name(one)}"
    return "a division"


def _describe_collapse_roll(battle: BattleFile, event: BattleEvent) -> str:
    """The words for a division's roll against collapse."""
    return f"{describe_division(battle, event)} rolls against collapse, {event.total} or less collapses"


def _describe_chief_roll(battle: BattleFile, event: BattleEvent) -> str:
    """The words for an Army Commander's roll: by name, or by side where one alone has none (RTG-MIS-01)."""
    named = {leader.id: leader.name for leader in battle.leaders}
    led = {leader.side for leader in battle.leaders if leader.rank == "commander_in_chief"}
    unled = [side for side in (battle.attacker, battle.defender) if side not in led]
    who = f"the Army Commander of {battle.side_name(unled[0])}" if len(unled) == 1 else "an Army Commander"
    return f"{named.get(event.target, who)} is under fire, {event.total}"


def telling_of(scale: FixedScale) -> Telling:
    """The event words of these battles: a turn is an hour, a piece a stand of a brigade (RTG-GEN-01)."""
    core = telling_of_core(scale)
    told = {
        "exhausted": describe_division,
        "collapses": describe_division,
        "collapse_die": _describe_collapse_roll,
        "general_die": _describe_chief_roll,
    }
    return replace(
        core,
        steps=STEPS,
        minutes=MINUTES_PER_TURN,
        lines={**core.lines, **LINES},
        figures={**core.figures, **told},
        explained=partial(explain_events, scale=scale),
        base=find_base_size,
        pieces=partial(build_table_file, scale=scale),
    )
