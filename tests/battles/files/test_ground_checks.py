"""Ground that cannot be, and places where nobody can stand, are refused with path and reason."""

from typing import Any

import pytest

from battles.errors import BattleFileError
from battles.files.checks import battle_verify
from battles.files.schema import BattleGround, BattlePlan, Feature
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit
from tests.battles.test_raster import box

T = TroopType
FOOT, GUNS = T.CONTINENTAL_LINE, T.EUROPEAN_ARTILLERY
FARM = Feature("building", ((30, 30),), id="farm")
HALL = Feature("building", ((60, 30),), id="hall", size="large")
RIVER = Feature("river", ((0, 30), (96, 30)), id="Hudson")
ROAD = Feature("road", ((48, 0), (48, 60)))
LADDER = Feature("rough", ((0, 0), (10, 10), (10, 0), (0, 10)))


def checked(
    *units: Any, features: tuple[Feature, ...] = (), size: tuple[float, float] = (96, 60), **more: Any
) -> None:
    battle_verify(battle(units, (), ground=BattleGround(*size, features), **more))


def unit(name: str = "47th Foot", kind: TroopType = FOOT, **more: Any) -> Any:
    return battle_unit(name, CROWN, kind, **more)


def refused(path: str, says: str, *units: Any, **more: Any) -> BattleFileError:
    with pytest.raises(BattleFileError, match=says) as error:
        checked(*units, **more)
    assert error.value.field == path
    assert error.value.rule_id.startswith("AWI-T-")
    return error.value


@pytest.mark.parametrize(
    ("feature", "path", "says"),
    [
        (Feature("jungle", box(0, 0, 9, 9)), "kind", "no ground called “jungle”"),
        (Feature("rough", ((0, 0), (9, 9))), "points", "3 or more corners"),
        (LADDER, "points", "crosses itself"),
        (Feature("rough", ((0, 0), (9, 0), (9, 9), (0, 0))), "points", "leave the last one out"),
        (Feature("stream", ((0, 0),)), "points", "2 or more different points"),
        (Feature("wall", ((3, 3), (3, 3))), "points", "2 or more different points"),
        (Feature("redoubt", ((0, 0), (9, 0))), "points", "3 or more corners"),
        (Feature("ford", ((0, 0), (9, 0))), "points", "where its centre is"),
        (Feature("wall", ((0, 0), (float("nan"), 0))), "points", "nowhere near"),
        (Feature("hill", box(0, 0, 9, 9), grade="sheer"), "grade", "no grade"),
        (Feature("hill", box(0, 0, 9, 9), height=80), "height", "contours high"),
        (Feature("building", ((5, 5),), material="brick"), "material", "wood, stone"),
        (Feature("redoubt", box(0, 0, 9, 9), sp=-1), "sp", "0 to"),
    ],
)
def test_shapes_that_cannot_be_are_refused(feature: Feature, path: str, says: str) -> None:
    refused(f"ground.features[1].{path}", says, features=(FARM, feature))


def test_tables_and_ids_that_cannot_be_are_refused() -> None:
    refused("ground.width", "must be 12 to 1000", size=(5, 60))
    refused("ground.depth", "must be 12 to 1000", size=(96, 5000))
    refused("ground.features[2].id", "is there twice", features=(FARM, HALL, FARM))
    checked(
        features=(
            LADDER.__class__("rough", box(0, 0, 9, 9)),
            FARM,
            HALL,
            Feature("stream", ((0, 50), (96, 50))),
        )
    )


def test_a_road_meets_water_at_a_bridge_or_ford_AWI_T_TER_09() -> None:
    error = refused("ground.features[1].points", "put a bridge or a ford there", features=(RIVER, ROAD))
    assert "48.0, 30.0" in error.message
    checked(features=(RIVER, ROAD, Feature("bridge", ((48, 31),))))
    checked(features=(RIVER, ROAD, Feature("ford", ((48, 30),))))
    stream = Feature("stream", ((0, 10), (96, 12)))
    refused("ground.features[0].points", "meets the stream", features=(ROAD, stream))
    off_the_table = Feature("stream", ((0, 70), (96, 55)))
    checked(features=(Feature("road", ((48, 0), (48, 90))), off_the_table))


def test_units_stand_on_the_table_AWI_T_UNI_01() -> None:
    refused("units[0].x", "stands off the table", unit(x=96, y=20))
    refused("units[1].y", "stands off the table", unit(), unit("24th Foot", x=20, y=-3))
    refused("units[0].y", "only half", unit(x=20))
    checked(unit(x=96, y=60, arrives=2))


def test_units_do_not_stand_on_each_other_AWI_T_UNI_01() -> None:
    error = refused(
        "units[2].x", "same ground", unit(x=20, y=20), unit("b", x=40, y=20), unit("c", x=22, y=21)
    )
    assert "47th Foot and c" in error.message
    checked(unit(x=20, y=20), unit("b", x=23.6, y=20))
    checked(unit(x=20, y=20), unit("b", x=20, y=20, arrives=3))


def test_units_do_not_stand_in_water_or_on_cliffs_AWI_T_TER_08_TER_04() -> None:
    refused("units[0].x", "in the water", unit(x=20, y=30), features=(RIVER,))
    refused("units[0].x", "in the water", unit(x=20, y=12), features=(Feature("water", box(18, 8, 25, 25)),))
    checked(unit(x=48, y=30, posture="column"), features=(RIVER, Feature("bridge", ((48, 30),))))
    cliff = Feature("hill", box(0, 0, 40, 40), grade="impassable")
    refused("units[0].x", "impassable", unit(x=20, y=20), features=(cliff,))
    checked(unit(x=20, y=20), features=(cliff, Feature("hill", box(10, 10, 30, 30), grade="level")))


def test_units_are_in_a_building_or_beside_it_AWI_T_TER_10() -> None:
    refused("units[0].x", "name it as inside", unit(x=30, y=31), features=(FARM,))
    checked(unit(inside="farm"), features=(FARM,))
    refused("units[0].inside", "no building “mill”", unit(inside="mill"), features=(FARM,))
    refused("units[0].inside", "no building “Hudson”", unit(inside="Hudson"), features=(RIVER,))
    refused(
        "units[0].inside", "only foot", unit(kind=T.AMERICAN_LIGHT_CAVALRY, inside="farm"), features=(FARM,)
    )
    gun = battle_unit("gun", CROWN, GUNS, gun_class=GunClass.LIGHT, inside="farm")
    refused("units[0].inside", "only foot", gun, features=(FARM,))
    refused("units[1].inside", "holds 1", unit(inside="farm"), unit("b", inside="farm"), features=(FARM,))
    checked(unit(inside="hall"), unit("b", inside="hall"), features=(HALL,))
    enemy = battle_unit("enemy", CONGRESS, FOOT, inside="hall")
    refused("units[1].inside", "both sides", unit(inside="hall"), enemy, features=(HALL,))
    refused("units[0].inside", "leave out x", unit(inside="hall", x=60, y=30), features=(HALL,))
    ruin = Feature("building", ((30, 30),), id="farm", sp=0)
    refused("units[0].inside", "in ruins", unit(inside="farm"), features=(ruin,))
    checked(unit(x=30, y=30), features=(ruin,))


def test_postures_fit_the_troops_AWI_T_UNI_02() -> None:
    refused("units[0].posture", "take line or column", unit(posture="deployed"))
    refused("units[0].posture", "take limbered", unit(kind=T.WAGON, posture="line"))


def test_goals_lie_on_the_table() -> None:
    refused("objective", "off the table", objective=(100, 3))
    refused(f"plans.{CROWN}.goal", "off the table", plans={CROWN: BattlePlan("assault", goal=(3, 100))})
