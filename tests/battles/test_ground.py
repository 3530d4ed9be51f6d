"""What the ground is to units: where they stand, what they cross, what they see, what falls."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine import ground
from battles.engine.compile import is_interpreted
from battles.engine.dtypes import COLUMN, LINE, NO_WOOD
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import fighting
from battles.rulesets.awi.works import shelter_factor
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, Stand, battle, force, table
from tests.battles.test_raster import box

EXAMPLES = 100 if is_interpreted() else 400
T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
FAR = Stand(1, LINE_FOOT, 90, 55, face=180)


def on(*features: Feature, kind: TroopType = LINE_FOOT, x: float = 48, y: float = 20, **more: Any) -> Any:
    """One unit on a table of 96 by 60 inches with that ground."""
    options = more.pop("options", {})
    return table(
        Stand(0, kind, x, y, **more), FAR, ground=BattleGround(96, 60, tuple(features)), options=options
    )


WOOD = Feature("dense_woods", box(40, 10, 60, 30))
GROVE = Feature("open_woods", box(40, 10, 60, 30))
HILL = Feature("hill", box(40, 10, 60, 30), height=1)
RIVER = Feature("river", ((0, 30), (96, 30)))
HOUSE = Feature("building", ((48, 30),), id="farm")


def test_an_inch_costs_what_the_ground_and_the_class_say_AWI_T_TER_01() -> None:
    g = on(WOOD)
    assert [ground.pace_at(g, g.u[0], x, 20.0) for x in (50.0, 70.0)] == [3.0, 1.0]
    assert ground.pace_at(on(WOOD, kind=T.RANGERS), g.u[0], 50.0, 20.0) == 3.0
    g = on(WOOD, kind=T.AMERICAN_LIGHT_CAVALRY, x=70)
    assert ground.pace_at(g, g.u[0], 50.0, 20.0) == 0.0
    g = on(WOOD, Feature("road", ((48, 0), (48, 60))), x=48, form=COLUMN)
    assert ground.pace_at(g, g.u[0], 48.2, 20.0) == 1.0
    g.u[0].form = LINE
    assert ground.pace_at(g, g.u[0], 48.2, 20.0) == 3.0


def test_spots_off_the_table_count_as_the_nearest_cell() -> None:
    g = on(WOOD)
    assert ground.code_at(g, -5.0, 500.0) == ground.code_at(g, 0.5, 59.5)
    assert ground.code_at(g, 200.0, -3.0) == ground.code_at(g, 95.5, 0.5)


def test_nobody_stands_in_water_or_on_a_building_AWI_T_TER_08_TER_10() -> None:
    g = on(RIVER)
    assert ground.can_stand(g, 0, 48.0, 20.0, 0, 1.77, 0.886)
    assert not ground.can_stand(g, 0, 48.0, 26.5, 0, 1.77, 0.886)
    g = on(HOUSE)
    assert not ground.can_stand(g, 0, 48.0, 31.5, 0, 1.77, 0.886)
    assert ground.can_stand(g, 0, 48.0, 32.0, 0, 1.77, 0.886)
    g.u[0].inside = 0
    assert ground.can_stand(g, 0, 48.0, 30.0, 0, 1.77, 0.886)


def test_a_line_does_not_stand_on_a_bridge_and_a_column_does_AWI_T_TER_09() -> None:
    g = on(RIVER, Feature("bridge", ((48, 30),)), form=COLUMN)
    assert ground.can_stand(g, 0, 48.0, 30.0, 0, 0.886, 1.77)
    g.u[0].form = LINE
    assert not ground.can_stand(g, 0, 48.0, 30.0, 0, 1.77, 0.886)


def test_room_wants_free_and_open_ground() -> None:
    g = on(RIVER)
    assert ground.has_room_at(g, 0, 48.0, 20.0, 0, 1.77, 0.886, -1)
    assert not ground.has_room_at(g, 0, 48.0, 30.0, 0, 1.77, 0.886, -1)
    assert not ground.has_room_at(g, 0, 90.0, 54.0, 0, 1.77, 0.886, -1)
    assert ground.has_room_at(g, 0, 90.0, 54.0, 0, 1.77, 0.886, 1)


def test_who_stands_wholly_in_a_wood_AWI_T_TER_07() -> None:
    g = on(WOOD)
    assert ground.wood_around(g, 50.0, 20.0, 0, 1.77, 0.886) == 2
    assert ground.wood_around(g, 50.0, 10.5, 0, 1.77, 0.886) == NO_WOOD
    assert ground.wood_around(on(), 50.0, 20.0, 0, 1.77, 0.886) == NO_WOOD


@pytest.mark.parametrize(
    ("wood", "hides", "inches"),
    [(WOOD, 0, 4), (WOOD, 1, 2), (WOOD, 2, 1), (GROVE, 0, 12), (GROVE, 1, 6), (GROVE, 2, 3)],
)
def test_how_far_one_sees_into_a_wood_AWI_T_TER_07(wood: Feature, hides: int, inches: int) -> None:
    g = on(wood, x=20)
    assert ground.is_sight_open(g, 30.0, 20.0, 40.0 + inches - 0.5, 20.0, hides, -1)
    assert not ground.is_sight_open(g, 30.0, 20.0, 40.0 + inches + 1.0, 20.0, hides, -1)
    # one who has fired is seen however deep
    assert ground.is_sight_open(g, 30.0, 20.0, 59.0, 20.0, -1, -1)


def test_the_option_for_others_in_woods_AWI_T_TER_07() -> None:
    g = on(WOOD, x=20, options={"woods_detection_other": {"dense": 2, "open": 6}})
    assert not ground.is_sight_open(g, 30.0, 20.0, 43.5, 20.0, 0, -1)
    g = on(WOOD, x=20, options={"woods_detection_other": "unlimited"})
    assert ground.is_sight_open(g, 30.0, 20.0, 58.0, 20.0, 0, -1)
    assert not ground.is_sight_open(g, 30.0, 20.0, 58.0, 20.0, 1, -1)


def test_ground_higher_than_both_ends_bars_sight() -> None:
    g = on(HILL, x=20)
    assert not ground.is_sight_open(g, 30.0, 20.0, 70.0, 20.0, 0, -1)
    assert ground.is_sight_open(g, 30.0, 20.0, 50.0, 20.0, 0, -1)
    assert ground.is_sight_open(g, 50.0, 20.0, 70.0, 20.0, 0, -1)


def test_buildings_bar_sight_save_the_one_the_target_is_in_AWI_T_TER_10() -> None:
    g = on(HOUSE)
    assert not ground.is_sight_open(g, 48.0, 20.0, 48.0, 40.0, 0, -1)
    assert ground.is_sight_open(g, 48.0, 20.0, 48.0, 30.0, 0, 0)
    assert ground.is_sight_open(g, 44.0, 20.0, 44.0, 40.0, 0, -1)
    g.structures[0].sp = 0
    assert ground.is_sight_open(g, 48.0, 20.0, 48.0, 40.0, 0, -1)


SCENE = on(WOOD, Feature("open_woods", box(10, 30, 50, 50)), HOUSE, Feature("hill", box(60, 20, 80, 40)))
spots = st.tuples(st.floats(0, 96), st.floats(0, 60))


@given(spots, spots, st.integers(-1, 2))
@settings(max_examples=EXAMPLES, deadline=None)
def test_whoever_sees_is_seen(one: tuple[float, float], two: tuple[float, float], hides: int) -> None:
    there = ground.is_sight_open(SCENE, *one, *two, hides, -1)
    assert there == ground.is_sight_open(SCENE, *two, *one, hides, -1)


def test_a_stream_is_no_cover_and_no_bar_to_sight_AWI_T_TER_11() -> None:
    g = on(Feature("stream", ((40, 21), (60, 21))))
    assert ground.work_between(g, 48.0, 30.0, 0, 0) == 0
    assert shelter_factor(g, 48.0, 30.0, 0) == 0
    assert ground.is_sight_open(g, 48.0, 30.0, 48.0, 20.0, 0, -1)


def test_a_work_stands_between_until_it_is_shot_away_AWI_T_TER_11_FOR_03() -> None:
    g = on(Feature("wall", ((40, 21.5), (60, 21.5))))
    assert ground.work_between(g, 48.0, 30.0, 0, 0) == 0
    assert ground.work_between(g, 48.0, 10.0, 0, 0) == -1
    assert ground.find_work_crossing(g, 0, 48.0, 20.0, 48.0, 23.0) == pytest.approx(0.5)
    g.structures[0].sp = 0
    assert ground.work_between(g, 48.0, 30.0, 0, 0) == -1


def test_a_building_that_falls_is_rubble_AWI_T_FOR_02() -> None:
    g = on(HOUSE, x=20)
    assert g.plain == 1
    g.structures[0].sp = 0
    ground.rewrite_fallen_ground(g, 0)
    assert (g.plain, g.ground_changed) == (0, 1)
    assert ground.pace_at(g, g.u[0], 48.5, 30.5) == 1.5
    assert ground.pace_at(g, g.u[0], 48.5, 33.5) == 1.0
    assert g.going[ground.code_at(g, 48.5, 30.5)].soft == 1
    assert ground.can_stand(g, 0, 48.0, 30.0, 0, 1.77, 0.886)


def test_a_bridge_is_cut_when_one_piece_falls_and_its_troops_go_to_the_bank_AWI_T_FOR_01() -> None:
    g = on(RIVER, Feature("bridge", ((48, 30),)), Feature("ford", ((20, 30),)), y=31, form=COLUMN)
    assert ground.gate_open(g, 0)
    assert ground.gate_open(g, 1)
    g.structures[1].sp = 0
    ground.rewrite_fallen_ground(g, 1)
    assert not ground.gate_open(g, 0)
    assert g.ground_changed == 1
    assert ground.pace_at(g, g.u[0], 48.0, 30.0) == 0.0
    assert ground.pace_at(g, g.u[0], 20.0, 30.0) == 1.0
    assert (g.u[0].x, g.u[0].y > 33) == (48, True)
    assert ground.can_stand(g, 0, g.u[0].x, g.u[0].y, 0, 0.886, 1.77)


def test_a_stream_is_no_obstacle_under_a_bridge_that_stands_AWI_T_TER_09() -> None:
    g = on(Feature("stream", ((0, 30), (96, 30))), Feature("bridge", ((48, 30),)))
    crossed = [ground.find_work_crossing(g, k, 48.0, 25.0, 48.0, 35.0) >= 0.0 for k in range(g.works_n)]
    assert not any(crossed)
    g.structures[0].sp = 0
    crossed = [ground.find_work_crossing(g, k, 48.0, 25.0, 48.0, 35.0) >= 0.0 for k in range(g.works_n)]
    assert sum(crossed) == 1


def test_the_next_run_finds_the_ground_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    file = battle(
        force(CROWN, LINE_FOOT), force(CONGRESS, LINE_FOOT), ground=BattleGround(96, 60, (HOUSE,)), turns=2
    )
    fought = fighting.AwiBattleRunner(file)
    first, _, _ = fought.run(1, record=False)
    cells, codes = first["ground"].copy(), int(first["plain"][0])
    if is_interpreted():
        first[0].structures[0].sp = 0
        ground.rewrite_fallen_ground(first[0], 0)
        assert (first["ground"] != cells).any()
    again, _, _ = fought.run(1, record=False)
    assert (again["ground"] == cells).all()
    assert (int(again["plain"][0]), int(again["structures"][0][0]["sp"])) == (codes, 4)
