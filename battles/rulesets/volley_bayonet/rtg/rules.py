"""Road to Glory as the registry names it. No numba here."""

from collections.abc import Iterator, Mapping
from typing import Any

from battles.errors import BattleFileError
from battles.files.schema import BattleFile, BattleUnit, GeneralFate
from battles.rulesets.rules import Rules
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.muster import muster, mustered_of
from battles.rulesets.volley_bayonet.rtg.paper import Paper
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY
from battles.rulesets.volley_bayonet.rtg.tables import DISTANCES
from battles.rulesets.volley_bayonet.rtg.telling import telling_of
from battles.strength_conversion import Mustered

#: Inches of the file of woods that hide who is behind them: at the edge one is seen (RTG-TER-06).
EDGE = DISTANCES["edge_of_growth"] / INCH


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches of the file from which a unit is seen in orchards or forest (RTG-TER-13, RTG-TER-05)."""
    return DISTANCES["seen_in_forest" if wood == "dense_woods" else "seen_in_woods"] / INCH


def seen_through(unit: BattleUnit, wood: str) -> float:
    """Inches of woods that are looked through: none but the edge."""
    return EDGE


def traits_known(options: Mapping[str, Any]) -> tuple[str, ...]:
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


def fates(options: Mapping[str, Any]) -> tuple[GeneralFate, ...]:
    """The Army Commander may fall (RTG-MIS-01), others be taken (RTG-MIS-03)."""
    return ("killed", "captured")


def mustered(battle: BattleFile) -> tuple[Mustered, ...]:
    """How units are pooled (RTG-GEN-01)."""
    return mustered_of(muster(battle, ROAD_TO_GLORY.options_resolve(battle.options)))


PAPER = Paper(ROAD_TO_GLORY)
RULES = Rules(
    options=ROAD_TO_GLORY.options,
    scope=ROAD_TO_GLORY.scope,
    traits=traits_known,
    traits_faults=traits_faults,
    seen_in_woods=seen_in_woods,
    seen_through=seen_through,
    sheets=PAPER,
    telling=telling_of(ROAD_TO_GLORY),
    muster=mustered,
    pooled=PAPER.pools,
    brigades=PAPER.brigades,
    endings=PAPER.endings_of,
    fates=fates,
    captures=False,
)
