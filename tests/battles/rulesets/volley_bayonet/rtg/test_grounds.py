"""A battle file's ground for brigades: the table of terrain, villages and towns, how large the table is."""

import pytest

from battles.engine.survey import GroundSpot
from battles.files.schema import BattleGround, Feature
from battles.ground.features import table_size as size_in_file
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.cover import code_at
from battles.rulesets.volley_bayonet.rtg import grounds
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.figures import tables_write
from battles.rulesets.volley_bayonet.rtg.tables import RTG_TABLES
from tests.battles.forces import battle

SQUARE = ((12.0, 12.0), (36.0, 12.0), (36.0, 36.0), (12.0, 36.0))


def written(*features: Feature) -> object:
    g = r.make_blank_state(r.SMALL)[0]
    tables_write(g.t, RTG_TABLES)
    grounds.ground_write(g, battle((), (), ground=BattleGround(96, 60, features)), r.SMALL)
    return g


def test_an_inch_is_a_hundred_yards_and_a_cell_twenty_five_RTG_GEN_01() -> None:
    g = written()
    assert (round(g.width, 6), round(g.depth, 6)) == (16.0, 10.0)
    assert (g.cell, g.cells_per_inch) == (0.25, 4.0)


@pytest.mark.parametrize(
    ("kind", "terrain"),
    [
        ("open_woods", t.ORCHARD), ("dense_woods", t.FOREST), ("rough", t.BROKEN), ("crops", t.CROPS),
        ("marsh", t.MARSH), ("swamp", t.SWAMP), ("water", t.RIVER),
    ],
)  # fmt: skip
def test_areas_of_a_file_by_the_table_of_terrain_RTG_TER_02_03_05_11_13_14_18(
    kind: str, terrain: int
) -> None:
    g = written(Feature(kind, SQUARE, "it"))  # type: ignore[arg-type]
    e = g.going[code_at(g, 4.0, 4.0)]
    assert e.terrain == terrain
    moves = t.MOVES[t.KINDS[terrain]]
    for column, cell in ((r.FAST_FOOT, t.INF_BDE), (r.RIDERS, t.CAV_BDE), (r.FOOT_SKIRMISHERS, t.INF_SKIRM)):
        barred = bool(moves[cell] & t.PROHIBITED)
        assert (e.costs[column] == 0.0) == barred
        if not barred:
            assert e.costs[column] == (2.0 if moves[cell] & t.TWICE else 1.0)
        assert e.disorders[column] == int(bool(moves[cell] & t.INSIDE))
    assert g.going[code_at(g, 12.0, 8.0)].terrain == t.OPEN


def test_small_buildings_are_villages_and_large_ones_towns_RTG_TER_20_22_23() -> None:
    g = written(
        Feature("building", ((24.0, 12.0),), "farm", size="small", material="stone"),
        Feature("building", ((60.0, 12.0),), "town", size="large"),
    )
    farm, town = (g.structures[k] for k in range(2))
    assert (farm.capacity, town.capacity) == (1, 4)
    assert (farm.half_width, town.half_width) == (0.75, 1.5), "as large as whom they hold"
    assert (farm.x, farm.y) == pytest.approx((4.0, 2.0))
    assert list(g.stone[:2]) == [1, 0]


def test_where_two_kinds_lie_the_dearer_counts_and_woods_are_named() -> None:
    assert grounds.kinds_of(GroundSpot(wood=2, rough=2)) == ("forest", "broken")
    assert grounds.kinds_of(GroundSpot(water=3)) == ("open",)
    assert [grounds.cost_of(effects) for effects in (0, t.TWICE, t.FOURFOLD)] == [1.0, 2.0, 4.0]


def test_a_file_without_a_ground_has_room_for_brigades() -> None:
    file = battle((), ())
    width, depth = size_in_file(file)
    assert grounds.table_size(file) == pytest.approx((width * 5 / 18, depth / 4))
