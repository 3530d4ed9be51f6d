"""How often things happen over many rolls of the engine's own dice, against the exact chances."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from battles.engine.compile import is_interpreted
from battles.engine.dice import draw_words
from battles.engine.dtypes import ON_TABLE, ROUTING, SHAKEN
from battles.files.schema import BattlePlan
from battles.rulesets.awi import charge_declaration, charge_resolution, melee
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CHECKS, CROWN, Stand, table

T = TroopType
BY_ID = {check["id"]: check for check in CHECKS}
#: Rolls here; `make prove` has a hundred thousand.
ROLLS = 300 if is_interpreted() else 8_000
#: Standard deviations that a frequency may be off: one run in 300,000 by chance.
SIGMAS = 4.5
#: Words of dice drawn at a time, and how many one charge may use.
DRAWN, MOST = 8000, 12


def frequencies(
    g: Any, act: Callable[[Any], None], tell: Callable[[Any], list[str]], rolls: int
) -> Counter[str]:
    """What came of `act` from the same position, over and over, with fair dice."""
    fresh = g.u[: g.n].copy()
    g.recording = 0
    found: Counter[str] = Counter()
    g.cursor, seed = DRAWN, 1777
    for _ in range(rolls):
        if g.cursor + MOST > DRAWN:
            g.dice[:DRAWN] = draw_words(seed, DRAWN)
            g.cursor, seed = 0, seed + 1
        g.u[: g.n] = fresh
        act(g)
        found.update(tell(g))
    return found


def agree(found: Counter[str], expected: dict[str, Fraction], rolls: int) -> None:
    for name, chance in expected.items():
        spread = sqrt(float(chance * (1 - chance)) / rolls)
        assert abs(found[name] / rolls - chance) <= SIGMAS * spread, (name, found[name], rolls)


def fate(g: Any, i: int) -> str:
    u = g.u[i]
    if u.mood == ROUTING or u.place != ON_TABLE:
        return "routs"
    return "retires shaken" if u.mood == SHAKEN else "stands"


def charge_once(g: Any) -> None:
    """Steps F to J, and not K: unit 0 charges unit 1."""
    charge_declaration.declare_charges(g, 0)
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    melee.step_j(g)


def told(g: Any) -> list[str]:
    charger, target = fate(g, 0), fate(g, 1)
    if charger == target == "stands":
        return ["draw"]
    ready = ["second charge"] if g.u[0].won and charge_declaration.may_charge(g.u[0]) else []
    return [f"charger {charger}", f"target {target}", *ready]


CHARGES = [("CHK-END-01", T.BRITISH_LINE), ("CHK-END-02", T.AMERICAN_LIGHT_CAVALRY)]


def verify_charge(key: str, kind: TroopType, rolls: int) -> None:
    """Charge so many times from one position and compare what came of it with the worked check."""
    g = table(
        Stand(0, kind, 48, 28),
        Stand(1, T.CONTINENTAL_LINE, 48, 31, face=180),
        plans={CROWN: BattlePlan("assault", boldness=20)},
    )
    expect = BY_ID[key]["expect"]
    names = {
        "p_target_routs": "target routs",
        "p_charger_routs": "charger routs",
        "p_draw": "draw",
        "p_second_charge_available": "second charge",
    }
    expected = {names[key]: Fraction(chance) for key, chance in expect.items()}
    agree(frequencies(g, charge_once, told, rolls), expected, rolls)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "kind"), CHARGES)
def test_a_charge_to_the_end_AWI_T_CHG_03_MEL_08_CAV_01(key: str, kind: TroopType) -> None:
    verify_charge(key, kind, ROLLS)
