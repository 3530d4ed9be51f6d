"""From the units of a battle file to stands, and their losses back (REG-GEN-01, REG-DEF-02)."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.chain import crown_of
from battles.files.reading import read_battle
from battles.files.schema import BattleUnit
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental import strength
from battles.rulesets.regimental.fighting import prepare_state
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.ratings import FRENCH_WORTH, WORTH, Troops, rating_of, troops_of
from battles.rulesets.regimental.setup import size_for
from battles.rulesets.regimental.victory import victory_points
from battles.strength_conversion import losses_in_file
from rosters.domain.vocabulary import TYPES, GunClass, TroopType, Weapon
from tests.battles.forces import CONGRESS, CROWN, battle_unit, leader
from tests.battles.rulesets.regimental.files import FOOT, file_of

T = TroopType


def unit(kind: TroopType, sp: int = 5, **more: Any) -> BattleUnit:
    if TYPES[kind].weapon is Weapon.GUN:
        more.setdefault("gun_class", GunClass.MEDIUM)
    return BattleUnit("own", "own", "crown", kind, sp, **more)


def troops(kind: TroopType, year: int = 1777, **more: Any) -> Troops:
    return troops_of(unit(kind, **more), options_resolve({"year": year}))


@pytest.mark.parametrize(
    ("kind", "sp", "stands"),
    [
        (T.BRITISH_LINE, 6, 8),  # 300 men
        (T.BRITISH_LINE, 1, 1),
        (T.MILITIA, 4, 5),
        (T.RANGERS, 5, 3),  # 120 men
        (T.INDIANS, 1, 1),
        (T.EUROPEAN_LIGHT_CAVALRY, 5, 2),  # 80 men
        (T.AMERICAN_ARTILLERY, 5, 2),  # four guns
        (T.AMERICAN_ARTILLERY, 1, 1),
        (T.WAGON, 3, 1),
        (T.WAGON, 0, 0),
    ],
)
def test_stands_of_forty_men_or_two_guns_REG_GEN_01(kind: TroopType, sp: int, stands: int) -> None:
    assert strength.count_stands(unit(kind, sp)) == stands


@given(kind=st.sampled_from(list(TroopType)), sp=st.integers(1, 6), data=st.data())
def test_losses_come_back_none_for_none_and_all_for_all_REG_GEN_01(
    kind: TroopType, sp: int, data: st.DataObject
) -> None:
    own = unit(kind, sp)
    stands = strength.count_stands(own)
    lost = data.draw(st.integers(0, stands))
    captured = data.draw(st.integers(0, stands - lost))
    killed, taken = losses_in_file(own, lost, captured, stands)
    assert min(killed, taken, sp - killed - taken) >= 0
    if lost + captured == 0:
        assert killed + taken == 0
    if lost + captured == stands:
        assert killed + taken == sp
    assert killed + taken >= losses_in_file(own, lost, 0, stands)[0]


def test_the_muster_is_the_table_and_its_inverse_REG_GEN_01() -> None:
    battle = read_battle("standard-fight")
    listed = strength.convert_strengths(battle, options_resolve({}))
    assert [one.unit for one in listed] == [one.id for one in battle.units]
    for one in listed:
        assert one.stands == (one.points,), "a stand is a point, so a result is ticked in one row of boxes"
        assert (one.back[0], one.back[-1]) == (0, one.sp)
        for lost in range(one.points + 1):
            assert one.in_file(lost, 0)[0] == one.back[lost]
        assert one.on_table(one.sp, 0) == (one.points, 0)
    assert all(one.brigade > 0 for one in listed)


def test_ratings_change_with_the_years_REG_DEF_02() -> None:
    line, light = unit(T.CONTINENTAL_LINE), unit(T.CONTINENTAL_LIGHT)
    assert [rating_of(line, year) for year in (1777, 1778)] == ["trained", "veteran"]
    assert [rating_of(light, year) for year in (1778, 1779)] == ["veteran", "elite"]
    assert rating_of(unit(T.MILITIA, poor_militia=True), 1777) == "raw"
    assert rating_of(unit(T.MILITIA), 1777) == "trained"


def test_what_troops_have_and_have_not_REG_SPC_02_REG_CHG_03_REG_FIR_06() -> None:
    rifles, jaegers, militia = troops(T.AMERICAN_REGULAR_RIFLES), troops(T.JAEGERS), troops(T.MILITIA)
    assert [one.marksmen for one in (rifles, jaegers, militia)] == [1, 1, 0]
    horse = (T.EUROPEAN_LIGHT_CAVALRY, T.AMERICAN_LIGHT_CAVALRY)
    for kind in (T.JAEGERS, T.MILITIA, T.INDIANS, T.AMERICAN_REGULAR_RIFLES, *horse):
        assert troops(kind).bayonets == 0
    for kind in (T.BRITISH_LINE, T.CONTINENTAL_LINE, T.EUROPEAN_GRENADIERS):
        assert troops(kind).bayonets == 1
    loads = {kind for kind in TroopType if troops(kind).buck_and_ball}
    assert loads == {T.CONTINENTAL_LINE, T.CONTINENTAL_LIGHT, T.MILITIA}
    chosen = options_resolve({"buck_and_ball": "nobody"})
    assert troops_of(unit(T.MILITIA), chosen).buck_and_ball == 0


@pytest.mark.parametrize(
    ("gun", "weapon", "carriage", "battalion"),
    [
        ("light", r.LIGHT_GUN, r.LIGHT, 1),
        ("grasshopper", r.GALLOPER, r.LIGHT, 1),
        ("medium", r.MEDIUM_GUN, r.ORDINARY, 0),
        ("howitzer", r.HOWITZER, r.ORDINARY, 0),
        ("heavy", r.HEAVY_GUN, r.HEAVY, 0),
    ],
)
def test_guns_and_their_carriages_REG_UNI_02_REG_FIR_03_REG_LDR_05(
    gun: str, weapon: int, carriage: int, battalion: int
) -> None:
    found = troops(T.EUROPEAN_ARTILLERY, gun_class=GunClass(gun))
    assert (found.weapon, found.carriage, found.battalion_gun) == (weapon, carriage, battalion)


def test_every_troop_type_has_a_rating_and_a_worth_REG_VP_01() -> None:
    for kind in TroopType:
        found = troops(kind)
        assert found.rating in range(4)
        assert found.worth == WORTH[kind]
    assert WORTH[T.JAEGERS] == WORTH[T.EUROPEAN_GRENADIERS] == 3
    assert WORTH[T.AMERICAN_LIGHT_CAVALRY] == 2


def test_europeans_of_the_americans_are_french_REG_VP_01() -> None:
    kinds = (T.EUROPEAN_LINE, T.EUROPEAN_GRENADIERS, T.EUROPEAN_LIGHT_CAVALRY, T.EUROPEAN_ARTILLERY)
    units = [battle_unit(f"{side} {kind}", side, kind) for side in (CROWN, CONGRESS) for kind in kinds]
    # a stand of each lost, seen by the side that scores for it
    for file in (file_of(*units), replace(file_of(*units), attacker=CONGRESS, defender=CROWN)):
        g = prepare_state(file, size_for(file))[0]
        worth = {one.id: int(u.worth) for one, u in zip(file.units, g.u[: g.n], strict=True)}
        assert [worth[f"{CROWN} {kind}"] for kind in kinds] == [2, 3, 3, 2]
        assert [worth[f"{CONGRESS} {kind}"] for kind in kinds] == [3, 3, 3, 1]
        for u in g.u[: g.n]:
            u.lost = 1
        british = (file.attacker, file.defender).index(CROWN)
        assert [victory_points(g, side) for side in (british, 1 - british)] == [10, 10]


def test_troops_of_the_country_are_worth_the_same_on_either_side_REG_VP_01() -> None:
    for kind in set(TroopType) - set(FRENCH_WORTH):
        assert troops_of(unit(kind), options_resolve({}), french=True).worth == WORTH[kind]


def test_the_crown_is_known_by_its_id_or_attacks() -> None:
    units = (battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT))
    assert crown_of(file_of(*units)) == CROWN


def test_brigades_are_led_by_who_the_file_names_REG_CMD_02() -> None:
    units = [battle_unit(f"u{k}", CROWN, FOOT, formation="first" if k < 2 else "") for k in range(7)]
    battle = file_of(*units, battle_unit("b", CONGRESS, FOOT), leaders=(leader("x", commands=("u6",)),))
    brigades = {one.unit: one.brigade for one in strength.convert_strengths(battle, options_resolve({}))}
    assert brigades["u0"] == brigades["u1"] != brigades["u2"]
    assert brigades["u6"] not in {brigades[f"u{k}"] for k in range(6)}
