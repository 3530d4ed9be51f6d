"""The ground of a battle file, and how units are drawn up on it (REG-TER, REG-DEF-02, REG-DEF-09)."""

from typing import Any

import pytest

from battles.engine.dtypes import FIELDWORK, STREAM, WALL
from battles.errors import BattleFileError
from battles.files.schema import BattleGround, BattlePlan, Feature
from battles.rulesets.regimental import cover
from battles.rulesets.regimental import records as r
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, leader
from tests.battles.rulesets.regimental.files import FOOT, THIRDS, drawn_up

ONE, TWO = battle_unit("a", CROWN, FOOT), battle_unit("b", CONGRESS, FOOT)
SQUARE = ((30.0, 20.0), (60.0, 20.0), (60.0, 40.0), (30.0, 40.0))


@pytest.mark.parametrize(
    ("kind", "going", "cover_", "heart", "growth"),
    [
        ("crops", r.ON_OPEN, r.NO_COVER, 0, r.BARE),
        ("rough", r.ON_ROUGH, r.NO_COVER, 1, r.BARE),
        ("marsh", r.ON_ROUGH, r.PARTIAL, 1, r.BARE),
        ("swamp", r.ON_ROUGH, r.PARTIAL, 1, r.BARE),
        ("dense_woods", r.ON_ROUGH, r.PARTIAL, 1, r.WOODS),
        ("open_woods", r.ON_BROKEN, r.PARTIAL, 1, r.ORCHARD),
        ("water", r.BARRED, r.NO_COVER, 0, r.BARE),
    ],
)
def test_areas_are_rows_of_the_terrain_table_REG_TER_01_REG_DEF_09(
    kind: Any, going: int, cover_: int, heart: int, growth: int
) -> None:
    g = drawn_up(ONE, TWO, features=(Feature(kind, SQUARE),))
    e = g.going[cover.code_at(g, 45 * THIRDS, 30 * THIRDS)]
    assert (e.going, e.cover, e.heart, e.growth) == (going, cover_, heart, growth)
    outside = g.going[cover.code_at(g, 10 * THIRDS, 30 * THIRDS)]
    assert (outside.going, outside.cover) == (r.ON_OPEN, r.NO_COVER)


def test_lines_and_houses_are_in_inches_of_these_rules_REG_DEF_09_REG_GEN_01() -> None:
    g = drawn_up(
        ONE, TWO,
        features=(
            Feature("wall", ((30, 30), (60, 30))),
            Feature("stream", ((0, 24), (96, 24))),
            Feature("fieldwork", ((30, 40), (60, 40))),
            Feature("building", ((48, 34),), id="church", heading=0),
        ),
    )  # fmt: skip
    kinds = {int(g.works[k].kind_) for k in range(g.works_n)}
    assert kinds == {WALL, STREAM, FIELDWORK}
    house = g.structures[0]
    assert (round(float(house.x), 3), round(float(house.y), 3)) == (32.0, 22.667)


@pytest.mark.parametrize(
    ("kind", "worth"),
    [("wall", r.FULL), ("fieldwork", r.FORTIFIED), ("stream", r.PARTIAL), ("fence", r.NO_COVER)],
)
def test_lines_cover_who_is_close_behind_them_REG_TER_01_REG_DEF_09(kind: Any, worth: int) -> None:
    defender = battle_unit("b", CONGRESS, FOOT, x=48, y=31.5)
    g = drawn_up(ONE, defender, features=(Feature(kind, ((20, 30), (76, 30))),))
    u = g.u[1]
    assert cover.cover_from(g, u, u.x, u.y - 10) == worth
    assert cover.cover_from(g, u, u.x, u.y + 10) == r.NO_COVER
    assert cover.is_favorable(g, u, u.x, u.y - 10, 0) == (kind != "fieldwork")
    assert cover.is_fortified(g, u, u.x, u.y - 10) == (kind == "fieldwork")


def test_units_start_as_they_fight_or_as_the_file_says_REG_DEF_02() -> None:
    light = battle_unit("l", CROWN, TroopType.BRITISH_LIGHT_INFANTRY)
    column = battle_unit("c", CROWN, FOOT, posture="column")
    guns = battle_unit("g", CROWN, TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.LIGHT)
    g = drawn_up(ONE, light, column, guns, TWO)
    assert [int(g.u[i].form) for i in range(4)] == [r.LINE, r.EXTENDED, r.MARCH_COLUMN, r.UNLIMBERED]


def test_who_is_told_where_to_stand_stands_there_or_near_REG_DEF_05() -> None:
    here = [battle_unit(f"u{k}", CROWN, FOOT, x=40 + 4 * k, y=12, facing=0) for k in range(3)]
    g = drawn_up(*here, TWO)
    assert (round(float(g.u[0].x), 2), round(float(g.u[0].y), 2)) == (26.67, 8.0)
    # six stands are broader than the bases of the file
    assert 2 * g.u[1].half_width == 3.0 and float(g.u[1].y) != 8.0


def test_there_must_be_room_for_all_REG_DEF_05() -> None:

    many = [battle_unit(f"u{k}", CROWN, FOOT, sp=6) for k in range(40)]
    with pytest.raises(BattleFileError, match="no room to draw up"):
        drawn_up(*many, TWO, ground=BattleGround(24, 24))


def test_a_garrison_is_in_its_house_while_there_is_room_REG_UNI_04() -> None:
    church = Feature("building", ((48, 45),), id="church", size="large")
    in_it = [battle_unit(f"u{k}", CONGRESS, FOOT, inside="church") for k in range(2)]
    g = drawn_up(ONE, *in_it, features=(church,))
    assert [int(g.u[i].inside) for i in (1, 2)] == [0, 0]
    assert g.u[1].form == r.GARRISON and g.u[1].half_width == g.structures[0].half_width


@pytest.mark.parametrize(("words", "works"), [("none", set()), ("hard", {WALL}), ("fortified", {FIELDWORK})])
def test_cover_without_a_ground_is_a_line_before_the_defender_REG_DEF_09(words: str, works: set[int]) -> None:
    g = drawn_up(ONE, TWO, cover=words)
    assert {int(g.works[k].kind_) for k in range(g.works_n)} == works


def test_who_comes_later_waits_REG_GEN_02() -> None:
    g = drawn_up(ONE, battle_unit("late", CROWN, FOOT, arrives=6), TWO)
    assert (g.u[1].place, g.u[1].due) == (r.WAITING, 6)


def test_leaders_start_with_their_unit_or_behind_their_men_REG_CMD_03() -> None:
    units = [battle_unit(f"u{k}", CROWN, FOOT, x=30 + 8 * k, y=15, formation="x") for k in range(2)]
    g = drawn_up(*units, TWO, leaders=(leader("x"), leader("y", rank="commander_in_chief", with_unit="u1")))
    chief = next(k for k in range(g.leaders_n) if g.leaders[k].named == 1)
    brigadier = next(k for k in range(g.leaders_n) if g.leaders[k].named == 0)
    assert g.leaders[chief].unit == 1
    assert g.leaders[brigadier].y < g.u[0].y
    assert g.brigades[int(g.u[0].brigade)].leader == brigadier


def test_roles_by_plan_REG_DEF_08() -> None:
    units = [battle_unit(f"u{k}", CROWN, FOOT) for k in range(5)]
    g = drawn_up(*units, TWO, plans={CROWN: BattlePlan("turn_flank", flank="right", reserve_percent=20)})
    assert sum(int(g.u[i].reserve) for i in range(5)) == 1
    out = [i for i in range(5) if g.u[i].outflanks]
    rest = [i for i in range(5) if not g.u[i].outflanks and not g.u[i].reserve]
    assert len(out) == 3
    assert min(float(g.u[i].x) for i in out) > max(float(g.u[i].x) for i in rest)
