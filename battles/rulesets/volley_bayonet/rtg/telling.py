"""The words in which battles of brigades are told: the core's, with its own terms. No numba here."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from battles.engine.events import Event
from battles.rulesets.volley_bayonet.rtg.brigades import commander_of
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.muster import muster
from battles.rulesets.volley_bayonet.rtg.ratings import KINDS, pooling_of
from battles.rulesets.volley_bayonet.rtg.scale import FixedScale
from battles.rulesets.volley_bayonet.rtg.table import table_of
from battles.rulesets.volley_bayonet.rtg.tables import BASES, MINUTES_PER_TURN
from battles.rulesets.volley_bayonet.table import unit_id
from battles.rulesets.volley_bayonet.telling import telling_of as telling_of_core
from battles.scenario import BattleFile, BattleUnit
from battles.telling import Telling
from battles.wording import possessive

STEPS = {
    "-": "before any move",
    "A": "command",
    "B": "movement",
    "C": "rally",
    "D": "tests of morale",
    "E": "combat",
    "F": "exhaustion",
}
#: Where the core says brigade for who tires.
LINES = {
    "change_formation": "{a} change formation",
    "exhausted": "{n} is exhausted",
    "collapse_die": "{n}",
    "collapses": "{n} collapses",
}
SAYINGS = {
    "exhausted": {"": "the division of {a} had little more to give"},
    "collapses": {"": "the division of {a} gave way altogether"},
}
#: The base of each kind of stand of a battle file's troops.
BASE_OF = {
    "linear_infantry": "linear",
    "infantry_skirmisher": "skirmisher",
    "linear_cavalry": "linear",
    "artillery_battalion": "artillery",
}


def base_of(unit: BattleUnit) -> tuple[float, float]:
    """Inches of the file of front and depth of the stands of such troops (RTG-GEN-04)."""
    front, depth = BASES[BASE_OF[KINDS[pooling_of(unit)]]]
    return front / INCH, depth / INCH


def division_told(battle: BattleFile, event: Event, options: Mapping[str, Any]) -> str:
    """The division of a stand: by its commander, else by the brigade that stands for it."""
    pools = muster(battle, options)
    unit = unit_id(event.actor)
    number = next((pool.division for pool in pools if unit in pool.units), 0)
    n = commander_of(battle, [pool for pool in pools if pool.division == number])
    if n >= 0:
        return f"{possessive(battle.leaders[n].name)} division"
    name = next((one.name for one in battle.units if one.id == unit), "")
    return f"the division of {name}" if name else "a division"


def telling_of(scale: FixedScale) -> Telling:
    """How these battles are told: a turn is an hour, a piece a stand of a brigade (RTG-GEN-01)."""

    def division(battle: BattleFile, event: Event) -> str:
        return division_told(battle, event, scale.options_resolve(battle.options))

    def rolls(battle: BattleFile, event: Event) -> str:
        return f"{division(battle, event)} rolls against collapse, {event.total} or less collapses"

    core = telling_of_core(scale)
    plain = Telling(steps=STEPS)
    return replace(
        core,
        steps=STEPS,
        minutes=MINUTES_PER_TURN,
        lines={**core.lines, **LINES},
        sayings={**core.sayings, **SAYINGS},
        figures={**core.figures, "exhausted": division, "collapses": division, "collapse_die": rolls},
        explained=plain.explained,
        base=base_of,
        pieces=partial(table_of, scale=scale),
    )
