"""Road to Glory as the registry names it. No numba here."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit, GeneralFate
from battles.rulesets.rules import RulesetRules
from battles.rulesets.volley_bayonet.rtg.event_text import telling_of
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.printed_sheets import RoadToGlorySheetTerms
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY
from battles.rulesets.volley_bayonet.rtg.strength import list_pool_strengths, pool_brigades
from battles.rulesets.volley_bayonet.rtg.tables import DISTANCES
from battles.strength_conversion import ConvertedStrength

#: Inches of the file of woods that hide who is behind them: at the edge one is seen (RTG-TER-06).
EDGE = DISTANCES["edge_of_growth"] / INCH


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches of the file from which a unit is seen in orchards or forest (RTG-TER-13, RTG-TER-05)."""
    return DISTANCES["seen_in_forest" if wood == "dense_woods" else "seen_in_woods"] / INCH


def seen_through(unit: BattleUnit, wood: str) -> float:
    """Inches of woods that are looked through: none but the edge."""
    return EDGE


def list_known_traits(options: Mapping[str, Any]) -> tuple[str, ...]:
    """None: a brigade has no traits of single units."""
    return ()


def traits_faults(battle: BattleFile, options: dict[str, Any]) -> Iterator[BattleFileError]:
    """Traits of units, which mean nothing in a brigade."""
    for k, unit in enumerate(battle.units):
        for trait in sorted(unit.traits):
            yield BattleFileError(
                ROAD_TO_GLORY.scope,
                f"{unit.name} has {trait}, which these rules do not know; leave it out.",
                f"units[{k}].traits",
            )


def list_possible_fates(options: Mapping[str, Any]) -> tuple[GeneralFate, ...]:
    """The Army Commander may fall (RTG-MIS-01), others be taken (RTG-MIS-03)."""
    return ("killed", "captured")


def convert_battle_strengths(battle: BattleFile) -> tuple[ConvertedStrength, ...]:
    """Strengths of the pools of units (RTG-GEN-01)."""
    return list_pool_strengths(pool_brigades(battle, ROAD_TO_GLORY.options_resolve(battle.options)))


PAPER = RoadToGlorySheetTerms(ROAD_TO_GLORY)
RULES = RulesetRules(
    options=ROAD_TO_GLORY.options,
    scope=ROAD_TO_GLORY.scope,
    traits=list_known_traits,
    traits_faults=traits_faults,
    seen_in_woods=seen_in_woods,
    seen_through=seen_through,
    sheets=PAPER,
    telling=telling_of(ROAD_TO_GLORY),
    muster=convert_battle_strengths,
    pooled=PAPER.pools,
    brigades=PAPER.brigades,
    endings=PAPER.endings_of,
    fates=list_possible_fates,
    captures=False,
)
