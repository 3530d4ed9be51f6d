"""What the players of worked checks share: counted chances, a lone unit, types by their names."""

from collections import Counter
from fractions import Fraction
from typing import Any

from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CHECKS, Stand, table
from tests.worked_checks.read_whole import require_word as require_word
from tests.worked_checks.read_whole import set_up as set_up

Facts = dict[str, Any]
LINE_FOOT = TroopType.CONTINENTAL_LINE
BY_ID = {check["id"]: check for check in CHECKS}
D6 = range(1, 7)
TYPE_OF_CLASS = {
    "close_order_foot": TroopType.CONTINENTAL_LINE,
    "open_order_foot": TroopType.RANGERS,
    "light_cavalry": TroopType.AMERICAN_LIGHT_CAVALRY,
    "wagon": TroopType.WAGON,
}


def shares(results: list[str]) -> dict[str, Fraction]:
    """How often each result comes among equally likely ones."""
    return {name: Fraction(count, len(results)) for name, count in Counter(results).items()}


def agree(expected: Facts, found: dict[str, Fraction], names: dict[str, str] | None = None) -> None:
    """Every chance of the check is what was counted."""
    for name, chance in expected.items():
        assert found.get((names or {}).get(name, name), Fraction(0)) == Fraction(chance), name


def one(kind: TroopType, *, sp: int = 5, options: Facts | None = None, **more: Any) -> Any:
    """State record with one Crown unit of a type and one battalion far off."""
    return table(
        Stand(0, kind, 48, 20, sp=sp, **more), Stand(1, LINE_FOOT, 48, 50, face=180), options=options or {}
    )


IRELAND, FORTY_FIVE = {"variant": "ireland_1798"}, {"variant": "jacobite_1745"}
