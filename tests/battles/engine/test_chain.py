"""Who leads whom in a battle file, whatever the ruleset."""

import pytest

from battles.engine.chain import (
    UNITS_LED,
    Brigade,
    crown_of,
    juniors_of,
    list_leaderless_brigades,
    list_led_brigades,
)
from battles.files.schema import BattleFile
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force, leader

FOOT = TroopType.BRITISH_LINE


def test_a_brigadier_leads_his_list_or_his_formation_and_nobody_twice() -> None:
    units = [battle_unit(name, CROWN, FOOT, formation="F") for name in "abc"]
    enemy = battle_unit("d", CONGRESS, FOOT, formation="F")
    chiefs = (leader("X", commands=("c",)), leader("F"), leader("G"), leader("H", rank="senior"))
    file = battle(tuple(units), (enemy,), leaders=chiefs)
    assert list_led_brigades(file, file.units) == [
        Brigade(0, [2], 0),
        Brigade(0, [0, 1], 1),
        Brigade(0, [], 2),
    ]
    rebel = battle(tuple(units), (enemy,), leaders=(leader("F", CONGRESS),))
    assert list_led_brigades(rebel, rebel.units) == [Brigade(1, [3], 0)]


def test_others_stand_by_formation_and_without_one_by_fours() -> None:
    formed = tuple(battle_unit(f"{n}", CROWN, FOOT, formation="F") for n in range(UNITS_LED + 2))
    units = (*formed, *force(CROWN, *[FOOT] * (UNITS_LED + 1)))
    every = range(len(units))
    sizes = [len(brigade.units) for brigade in list_leaderless_brigades(1, every, units)]
    assert sizes == [UNITS_LED + 2, UNITS_LED, 1]
    assert {brigade.side for brigade in list_leaderless_brigades(1, every, units)} == {1}
    assert list_leaderless_brigades(0, [len(units) - 1], units) == [Brigade(0, [len(units) - 1])]
    assert list_leaderless_brigades(0, [], units) == []


def test_a_senior_without_a_list_leads_whom_no_other_claims() -> None:
    chiefs = (
        leader("a"), leader("b"), leader("e", CONGRESS),
        leader("s", rank="senior", commands=("a",)), leader("t", rank="senior"),
    )  # fmt: skip
    file = battle(force(CROWN, FOOT), force(CONGRESS, FOOT), leaders=chiefs)
    assert [juniors_of(file, one) for one in chiefs[3:]] == [{"a"}, {"b"}]


@pytest.mark.parametrize(
    ("attacker", "defender", "crown"),
    [("crown", "rebel", "crown"), ("rebel", "british", "british"), ("red", "blue", "red")],
)
def test_the_crown_s_side_is_known_by_its_id_or_is_the_attacker(
    attacker: str, defender: str, crown: str
) -> None:
    assert crown_of(BattleFile("Sides", attacker, defender, ())) == crown
