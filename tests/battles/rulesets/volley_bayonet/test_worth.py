"""What a charge looks worth beforehand."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet import worth
from tests.battles.rulesets.volley_bayonet.forces import Stand, entrench, field


def worth_of(charger: Any = None, target: Any = None) -> float:
    g = field(Stand(**({"y": 20.0} | (charger or {}))), Stand(1, **({"y": 28.0} | (target or {}))))
    return float(worth.charge_worth(g, 0, 1))


@pytest.mark.parametrize("nerve", range(-1, 8))
def test_chances_are_those_of_the_check_VBW_MOR_05(nerve: int) -> None:
    assert worth.find_pass_chance(nerve) == sum(die <= nerve for die in range(1, 7)) / 6


@pytest.mark.parametrize(
    ("charger", "target"),
    [
        ({}, {"state": r.DISORDERED}),
        ({}, {"morale": 3}),
        ({}, {"face": 0}),
        ({}, {"state": r.ROUTED}),
        ({"abilities": ("Sh",)}, {}),
        ({"morale": 6}, {}),
    ],
)
def test_some_charges_are_worth_more(charger: Any, target: Any) -> None:
    assert worth_of(charger, target) > worth_of()


@pytest.mark.parametrize(
    ("charger", "target"),
    [
        ({"state": r.DISORDERED}, {}),
        ({"morale": 3}, {}),
        ({}, {"stationary": True}),
        ({"abilities": ("PT",)}, {}),
    ],
)
def test_and_some_less(charger: Any, target: Any) -> None:
    assert worth_of(charger, target) < worth_of()


def test_works_make_a_charge_worth_less_VBW_MOR_12_VBW_SAV_05() -> None:
    g = field(Stand(y=20.0), Stand(1, y=28.0))
    before = worth.charge_worth(g, 0, 1)
    entrench(g, 26.8)
    assert worth.charge_worth(g, 0, 1) < before


def test_from_behind_is_behind_the_line_of_the_front_VBW_DEF_05() -> None:
    for face, form, behind in ((180, r.FORMED, False), (0, r.FORMED, True), (0, r.ROAD_MARCH, False)):
        g = field(Stand(y=20.0), Stand(1, y=28.0, face=face, form=form))
        assert bool(worth.from_behind(g, 0, 1)) is behind
