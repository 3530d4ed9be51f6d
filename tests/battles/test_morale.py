"""Steps A and B: shaken, routing and surrender."""

import pytest

from battles.engine.dtypes import ELIMINATED, LINE, ROUTING, SHAKEN, STEADY
from battles.rulesets.awi import morale
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, opposed, table

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(
    ("die", "mood", "sp", "retires"),
    [(1, ROUTING, 4, 0), (2, STEADY, 5, 1), (3, STEADY, 5, 1), (4, STEADY, 5, 0), (6, STEADY, 5, 0)],
)
def test_shaken_units_test_in_step_a_AWI_T_MOR_03(die: int, mood: int, sp: int, retires: int) -> None:
    g = opposed(dice=(die,))
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp, g.u[0].retires) == (mood, sp, retires)
    assert g.u[1].mood == STEADY


@pytest.mark.parametrize(
    ("die", "mood", "sp"), [(1, ROUTING, 4), (2, ROUTING, 5), (4, ROUTING, 5), (5, SHAKEN, 5)]
)
def test_routing_units_test_in_step_a_AWI_T_MOR_05(die: int, mood: int, sp: int) -> None:
    g = opposed(dice=(die,))
    g.u[0].mood, g.u[0].face = ROUTING, 180
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp, g.u[0].busy) == (mood, sp, 1)
    if mood == SHAKEN:
        assert (g.u[0].face, g.u[0].form) == (0, LINE), "it reforms where it stands and faces the enemy"


def test_irregulars_may_rout_instead_of_retiring_AWI_T_MOR_04() -> None:
    g = opposed(T.INDIANS, dice=(3,), options={"irregulars_rout_instead_of_retire": "on"})
    g.u[0].mood = SHAKEN
    morale.step_a(g)
    assert (g.u[0].mood, g.u[0].sp) == (ROUTING, 5)


@pytest.mark.parametrize(
    ("setting", "kind", "modifier"),
    [
        ("off", T.MILITIA, 0),
        ("militia_minus_1", T.MILITIA, -1),
        ("militia_minus_1", T.BRITISH_GRENADIERS, 0),
        ("militia_minus_1_grenadier_plus_1", T.EUROPEAN_GRENADIERS, 1),
    ],
)
def test_optional_quality_AWI_T_MOR_06(setting: str, kind: TroopType, modifier: int) -> None:
    g = opposed(kind, options={"shaken_quality_modifiers": setting})
    assert morale.quality_modifier(g, g.u[0]) == modifier


def test_militia_morale_is_set_per_unit_or_for_all_AWI_T_MOR_02() -> None:
    g = table(Stand(0, T.MILITIA, 30, 20), Stand(0, T.MILITIA, 50, 20, poor=True))
    assert [int(morale.basic_morale(g.u[i])) for i in range(2)] == [4, 3]
    g = table(Stand(0, T.MILITIA, 30, 20), options={"militia_morale": -2})
    assert morale.basic_morale(g.u[0]) == 3


def test_units_without_strength_are_removed_at_once_AWI_T_STR_03() -> None:
    g = opposed()
    morale.deduct_strength(g, 0, 9)
    assert (g.u[0].sp, g.u[0].lost, g.u[0].place) == (0, 5, ELIMINATED)
