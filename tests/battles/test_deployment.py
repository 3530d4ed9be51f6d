"""Drawing up on real ground: as told, in buildings, in lines beside what bars them."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine import ground as kernels
from battles.engine.bases import half_depth, half_width
from battles.engine.compile import is_interpreted
from battles.engine.dtypes import COLUMN, DEPLOYED, LARGE, LIMBERED, LINE, ON_TABLE, SMALL, WAITING
from battles.engine.geometry import is_overlapping
from battles.errors import BattleFileError
from battles.files.schema import BattleGround, BattlePlan, Feature
from battles.ground.waters import waters_of
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.fighting import prepare_state
from battles.rulesets.awi.sequence import bring_on_arrivals
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force
from tests.battles.test_raster import box

T = TroopType
LINE_FOOT, HORSE, GUNS = T.CONTINENTAL_LINE, T.AMERICAN_LIGHT_CAVALRY, T.EUROPEAN_ARTILLERY
EXAMPLES = 8 if is_interpreted() else 25


def drawn_up(
    *units: Any, features: tuple[Feature, ...] = (), table: BattleGround | None = None, **more: Any
) -> Any:
    crown = tuple(unit for unit in units if unit.side == CROWN)
    congress = tuple(unit for unit in units if unit.side == CONGRESS)
    file = battle(crown, congress, ground=table or BattleGround(96, 60, features), **more)
    return prepare_state(file, size_for(file))[0]


def places(g: Any) -> list[tuple[float, float]]:
    return [(round(float(u.x), 2), round(float(u.y), 2)) for u in g.u[: g.n]]


def test_units_stand_where_they_are_told() -> None:
    g = drawn_up(
        battle_unit("a", CROWN, LINE_FOOT, x=12.5, y=20, facing=45),
        battle_unit("b", CONGRESS, LINE_FOOT, x=30, y=40),
        battle_unit("c", CONGRESS, LINE_FOOT, x=60, y=40, facing=-90, posture="column"),
    )
    assert places(g) == [(12.5, 20), (30, 40), (60, 40)]
    assert [int(u.face) for u in g.u[:3]] == [45, 180, 270]
    assert [int(u.form) for u in g.u[:3]] == [LINE, LINE, COLUMN]
    assert (g.u[0].post_x, g.u[0].post_y) == (12.5, 20)


def test_guns_stand_ready_or_limbered_as_told_AWI_T_MOV_06() -> None:
    guns = [
        battle_unit(f"{p}", CROWN, GUNS, gun_class=GunClass.LIGHT, posture=p)
        for p in ("deployed", "limbered")
    ]
    heavy = battle_unit("heavy", CROWN, GUNS, gun_class=GunClass.HEAVY)
    light = battle_unit("light", CROWN, GUNS, gun_class=GunClass.GALLOPER)
    g = drawn_up(*guns, heavy, light)
    assert [int(u.form) for u in g.u[:4]] == [DEPLOYED, LIMBERED, DEPLOYED, LIMBERED]
    # the galloper waits ready when its side does not attack
    g = drawn_up(light, plans={CROWN: BattlePlan("hold")})
    assert g.u[0].form == DEPLOYED


def test_garrisons_are_in_their_buildings_AWI_T_TER_10() -> None:
    small = Feature("building", ((30, 40),), id="farm", heading=90)
    large = Feature("building", ((60, 40),), id="Chew House", size="large", material="stone", heading=180)
    g = drawn_up(
        battle_unit("a", CONGRESS, LINE_FOOT, inside="farm"),
        battle_unit("b", CONGRESS, LINE_FOOT, inside="Chew House"),
        battle_unit("c", CONGRESS, LINE_FOOT, inside="Chew House"),
        features=(Feature("wall", ((10, 30), (20, 30))), small, large),
    )
    assert [int(u.inside) for u in g.u[:3]] == [0, 1, 1]
    assert [int(u.face) for u in g.u[:3]] == [90, 180, 180]
    assert places(g) == [(30, 40), (60, 39.02), (60, 40.98)]
    one, two = g.u[1], g.u[2]
    assert not is_overlapping(one.x, one.y, 180, 1.77, 0.88, two.x, two.y, 180, 1.77, 0.88)


def test_lines_form_beside_what_bars_them_AWI_T_UNI_01() -> None:
    pond = Feature("water", box(40, 8, 56, 22))
    house = Feature("building", ((60, 15),))
    g = drawn_up(*force(CROWN, *[LINE_FOOT] * 9), *force(CONGRESS, *[LINE_FOOT] * 9), features=(pond, house))
    for u in g.u[:9]:
        assert not (40 < u.x < 56 and 8 < u.y < 22)
    open_ground = drawn_up(*force(CROWN, *[LINE_FOOT] * 9), *force(CONGRESS, *[LINE_FOOT] * 9))
    assert places(g)[9:] == places(open_ground)[9:]
    assert places(g)[0] == places(open_ground)[0]


def test_a_reserve_is_drawn_up_behind_the_line_and_its_redoubt() -> None:
    line, kept = force(CONGRESS, LINE_FOOT, LINE_FOOT, LINE_FOOT), []
    for unit in line[1:]:
        kept.append(replace(unit, reserve=True))
    fort = Feature("redoubt", box(42, 46, 54, 54))
    for features, told, home in (((), {}, 10.5), ((fort,), {"x": 48.0, "y": 49.0}, 2.0)):
        units = (replace(line[0], **told), *kept)
        g = prepare_state(
            battle(force(CROWN, LINE_FOOT), units, ground=BattleGround(features=features)), SMALL
        )[0]
        assert [60 - float(g.u[i].y) for i in (2, 3)] == pytest.approx([home, home], abs=0.6)
    alone = prepare_state(battle(force(CROWN, LINE_FOOT), tuple(kept), cover="soft"), SMALL)[0]
    assert 60 - float(alone.u[1].y) == pytest.approx(15) and alone.works_n == 1


def test_lines_do_not_form_astride_a_fence_or_stream() -> None:
    stream = Feature("stream", ((0, 15), (96, 15)))
    g = drawn_up(*force(CROWN, *[LINE_FOOT] * 6), features=(stream,))
    for u in g.u[:6]:
        assert abs(u.y - 15) >= half_depth(u) - 1e-9


def test_horse_does_not_form_in_a_wood_and_rifles_do() -> None:
    wood = Feature("dense_woods", box(0, 5, 96, 25))
    g = drawn_up(battle_unit("horse", CROWN, HORSE), features=(wood,))
    assert not 4 < g.u[0].y < 26
    g = drawn_up(battle_unit("rifles", CROWN, T.AMERICAN_REGULAR_RIFLES), features=(wood,))
    assert places(g) == [(48, 15)]


def test_a_unit_told_to_stand_where_its_kind_cannot_is_refused_AWI_T_TER_01() -> None:
    swamp = Feature("swamp", box(10, 10, 30, 30))
    with pytest.raises(BattleFileError, match="closed to its kind of troops") as refused:
        drawn_up(
            battle_unit("foot", CROWN, LINE_FOOT),
            battle_unit("h", CROWN, HORSE, x=20, y=20),
            features=(swamp,),
        )
    assert refused.value.field == "units[1].x"


def test_no_room_on_a_small_table_is_refused() -> None:
    with pytest.raises(BattleFileError, match="no room to draw up"):
        drawn_up(*force(CROWN, *[LINE_FOOT] * 40), table=BattleGround(24, 24))


def test_the_table_is_the_grounds() -> None:
    g = drawn_up(*force(CROWN, *[LINE_FOOT] * 12), table=BattleGround(48, 36))
    assert (g.width, g.depth) == (48, 36)
    assert max(u.y for u in g.u[:12]) <= 9
    assert len(set(places(g))) == 12


def test_those_to_come_enter_where_told_or_at_their_own_edge_AWI_T_SEQ_01() -> None:
    g = drawn_up(
        battle_unit("a", CROWN, LINE_FOOT, arrives=1),
        battle_unit("b", CONGRESS, LINE_FOOT, arrives=1),
        battle_unit("c", CROWN, LINE_FOOT, arrives=1, x=0, y=30, facing=90),
        battle_unit("d", CROWN, LINE_FOOT, arrives=1, x=0, y=30, facing=90),
    )
    assert [int(u.place) for u in g.u[:4]] == [WAITING] * 4
    assert [int(u.form) for u in g.u[:4]] == [COLUMN] * 4
    g.turn = 1
    bring_on_arrivals(g)
    assert [int(u.place) for u in g.u[:4]] == [ON_TABLE, ON_TABLE, ON_TABLE, WAITING]
    assert places(g)[:2] == [(48, 2), (1, 30)]
    assert places(g)[2][0] == 1
    assert 1.7 < abs(places(g)[2][1] - 30) < 4
    g.mover = 1
    bring_on_arrivals(g)
    assert places(g)[3] == (48, 58)


def test_more_than_the_small_layout_holds_takes_the_large_or_is_refused() -> None:
    def fences(count: int) -> BattleGround:
        return BattleGround(
            96, 60, tuple(Feature("fence", ((1, 1), (1 + n / 100, 50))) for n in range(count))
        )

    units = force(CROWN, LINE_FOOT)
    assert size_for(battle(units, (), ground=fences(60))) is SMALL
    assert size_for(battle(units, (), ground=fences(70))) is LARGE
    with pytest.raises(BattleFileError, match="the most is") as refused:
        size_for(battle(units, (), ground=fences(300)))
    assert refused.value.field == "ground.features"


def test_the_ground_is_the_same_in_both_layouts() -> None:
    wide = BattleGround(200, 100, (Feature("dense_woods", box(90, 0, 110, 100)),))
    file = battle(force(CROWN, LINE_FOOT), force(CONGRESS, LINE_FOOT), ground=wide)
    small, large = prepare_state(file, SMALL)[0], prepare_state(file, LARGE)[0]
    rows, columns = int(small.rows), int(small.columns)
    assert (small.cell, rows, columns) == (large.cell, large.rows, large.columns)
    assert (small.ground[:rows, :columns] == large.ground[:rows, :columns]).all()


def test_a_start_lines_work_still_runs_before_the_defenders_first_line_AWI_T_FOR_03() -> None:
    g = drawn_up(*force(CROWN, LINE_FOOT), *force(CONGRESS, *[LINE_FOOT] * 3), cover="hard")
    assert (g.works_n, g.structures[0].sp) == (1, 6)
    assert kernels.work_between(g, 48.0, 30.0, 2, 0) == 0


corners = st.tuples(st.integers(0, 80), st.integers(0, 50))
shapes = st.tuples(
    st.sampled_from(("water", "swamp", "dense_woods", "rough")),
    corners,
    st.integers(4, 16),
    st.integers(4, 10),
)
# A building lies on the table with all its ground.
sites = st.tuples(st.integers(3, 93), st.integers(3, 57))


@st.composite
def features(draw: st.DrawFn) -> tuple[Feature, ...]:
    areas = [Feature(k, box(x, y, x + w, y + d)) for k, (x, y), w, d in draw(st.lists(shapes, max_size=4))]
    houses: list[Feature] = []
    for at in draw(st.lists(sites, max_size=2)):
        apart = all(math.dist(at, house.points[0]) > 5 for house in houses)
        if apart and not waters_of(BattleGround(96, 60, tuple(areas))).hold(at):
            houses.append(Feature("building", (at,), heading=20))
    return (*areas, *houses)


def turned_round(feature: Feature) -> Feature:
    points = tuple((96.0 - x, 60.0 - y) for x, y in feature.points)
    return replace(feature, points=points, heading=feature.heading + 180)


KINDS = (LINE_FOOT, LINE_FOOT, T.AMERICAN_REGULAR_RIFLES, HORSE, GUNS, T.WAGON, LINE_FOOT, LINE_FOOT)


@given(features())
@settings(max_examples=EXAMPLES, deadline=None)
def test_everybody_stands_where_he_may_and_on_nobody_AWI_T_UNI_01(ground: tuple[Feature, ...]) -> None:
    g = drawn_up(*force(CROWN, *KINDS), *force(CONGRESS, *KINDS), features=ground)
    for i in range(g.n):
        u = g.u[i]
        assert kernels.has_room_at(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1)
        assert (u.y < 30) == (u.side == 0)


@given(features())
@settings(max_examples=EXAMPLES, deadline=None)
def test_ground_turned_round_draws_the_other_side_up_alike(ground: tuple[Feature, ...]) -> None:
    one = drawn_up(*force(CROWN, *KINDS), *force(CONGRESS, *KINDS), features=ground)
    two = drawn_up(
        *force(CROWN, *KINDS), *force(CONGRESS, *KINDS), features=tuple(turned_round(f) for f in ground)
    )
    for i in range(len(KINDS)):
        a, b = one.u[i], two.u[len(KINDS) + i]
        assert (a.x + b.x, a.y + b.y) == pytest.approx((96, 60))
