"""From how far off troops in woods are seen (AWI-T-TER-07). No numba here."""

from battles.files.schema import BattleUnit
from battles.rulesets.awi.tables import DENSE_SEEN, HIDES, OPEN_SEEN
from rosters.domain.vocabulary import TYPES, FormationOrder


def seen_in_woods(unit: BattleUnit, wood: str) -> float:
    """Inches from which a unit is seen that stands in open or dense woods; open order hides better."""
    hides = HIDES.get(unit.troop_type, int(TYPES[unit.troop_type].order is FormationOrder.OPEN))
    return (DENSE_SEEN if wood == "dense_woods" else OPEN_SEEN)[hides]
