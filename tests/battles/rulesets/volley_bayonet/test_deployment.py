"""Drawing up: side by side on free ground, as told, in lines, in blocks, behind works; who comes later."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from battles.engine.compile import is_interpreted
from battles.engine.deployment import FROM_ENEMIES, STEP
from battles.engine.dtypes import FENCE, FIELDWORK
from battles.errors import BattleFileError
from battles.files.schema import BattleGround, Feature
from battles.ground.shapes import Rectangle, has_overlap, is_meeting
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.bases import can_stand_at, is_touching
from battles.rulesets.volley_bayonet.deployment import BETWEEN
from battles.rulesets.volley_bayonet.formations import may_stand_here
from battles.rulesets.volley_bayonet.sequence import bring_on_arrivals
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, force
from tests.battles.rulesets.volley_bayonet.files import FOOT, THIRDS, base, drawn_up, spot_of, stands_of
from tests.battles.test_deployment import features
from tests.battles.test_raster import box

T = TroopType
EXAMPLES = 6 if is_interpreted() else 25
HORSE, GUNS, RIFLES = T.AMERICAN_LIGHT_CAVALRY, T.EUROPEAN_ARTILLERY, T.AMERICAN_REGULAR_RIFLES
MIXED = (FOOT, T.CONTINENTAL_LINE, RIFLES, HORSE, GUNS, T.WAGON, T.MILITIA, T.INDIANS)
BARRED_TO_HORSE = ("dense_woods", "swamp", "water")


def verify_apart(g: Any) -> None:
    """Everybody on the table with all his base, friends apart and an inch between enemies."""
    bases = [base(g, i) for i in range(g.n)]
    for i, one in enumerate(bases):
        assert all(0 <= x <= g.width and 0 <= y <= g.depth for x, y in one.corners()), i
        assert can_stand_at(g, i, one.x, one.y, int(one.heading)), i
        for j, two in enumerate(bases[:i]):
            if abs(one.x - two.x) > 9 or abs(one.y - two.y) > 9:
                continue
            more = 0.0 if g.u[i].side == g.u[j].side else FROM_ENEMIES - 1.0e-6
            wider = two._replace(half_width=two.half_width + more, half_depth=two.half_depth + more)
            assert not has_overlap(one, wider), (i, j)


@pytest.mark.parametrize("scale", ["vb_wing", "vb_division"])
@pytest.mark.parametrize("count", [1, 7, 20, 40])
def test_everybody_stands_on_the_table_and_on_nobody_VBW_DEF_21_VBW_STD_12(count: int, scale: str) -> None:
    kinds = [list(TroopType)[i % len(TroopType)] for i in range(count)]
    g = drawn_up(*force(CROWN, *kinds), *force(CONGRESS, *kinds), scale=scale)
    assert g.n >= 2 * count
    verify_apart(g)
    for i in range(g.n):
        u = g.u[i]
        assert (u.place, u.y < g.depth / 2.0) == (r.ON_TABLE, u.side == 0)
        assert (u.spot_x, u.spot_y) == (u.x, u.y), "who holds the attacker's or defender's line keeps to it"


def test_both_sides_are_drawn_up_alike() -> None:
    g = drawn_up(*force(CROWN, *MIXED), *force(CONGRESS, *MIXED))
    half = g.n // 2
    for i in range(half):
        a, b = g.u[i], g.u[half + i]
        assert (a.x + b.x, a.y + b.y) == pytest.approx((g.width, g.depth))
        assert (a.face, b.face, a.home, b.home) == (0, 180, 180, 0)


def test_stands_of_a_unit_touch_the_first_to_the_right_VBW_CMD_08() -> None:
    for side, right in ((CROWN, 1), (CONGRESS, -1)):
        g = drawn_up(battle_unit("a", side, FOOT, 6), battle_unit("b", side, T.INDIANS, 6))
        assert is_touching(g, 0, 1)
        assert (g.u[0].x - g.u[1].x) * right == pytest.approx(3.0 + BETWEEN)
        bands = stands_of(g, 1)
        assert len(bands) == 3
        assert is_touching(g, bands[0], bands[1]) and is_touching(g, bands[1], bands[2])


def test_units_stand_about_the_spot_they_are_told_VBW_GEN_03() -> None:
    g = drawn_up(
        battle_unit("a", CROWN, FOOT, 3, x=15, y=21, facing=45),
        battle_unit("b", CONGRESS, FOOT, 6, x=60, y=42),
        battle_unit("c", CONGRESS, FOOT, 3, x=30, y=42, facing=-90),
        features=(),
    )
    assert spot_of(g, 0) == (10, 14)
    assert (g.u[1].x + g.u[2].x) / 2 == pytest.approx(40)
    assert [int(u.face) for u in g.u[:4]] == [45, 180, 180, 270]
    turned = drawn_up(battle_unit("a", CROWN, FOOT, 6, x=48, y=30, facing=90), features=())
    assert turned.u[0].y < turned.u[1].y and turned.u[0].x == pytest.approx(turned.u[1].x)


@pytest.mark.parametrize("gap", [2.4, 2.7, 2.96, 3.0])
def test_who_is_told_too_near_gets_the_next_free_ground_VBW_DEF_21(gap: float) -> None:
    told = [battle_unit(f"{n}", CROWN, FOOT, 3, x=48 + n * gap / THIRDS, y=30) for n in range(2)]
    g = drawn_up(*told, features=())
    verify_apart(g)
    assert spot_of(g, 0) == (32, 20)
    moved = abs(g.u[1].x - 32 - gap) + abs(g.u[1].y - 20)
    assert 0 < moved <= max(1.5 + 2 * STEP, 3.0 - gap + STEP) + 1e-9


def test_enemies_told_to_stand_on_one_another_are_kept_apart_VBW_DEF_21() -> None:
    g = drawn_up(
        battle_unit("a", CROWN, FOOT, 3, x=48, y=29),
        battle_unit("b", CONGRESS, FOOT, 3, x=48, y=31),
        features=(),
    )
    verify_apart(g)
    assert spot_of(g, 0) == (32, 19.333)


FARM = Feature("building", ((30, 40),), id="farm", heading=90)
TOWN = Feature("building", ((60, 40),), id="Chew House", size="large", heading=180)


@pytest.mark.parametrize(
    ("house", "kind", "sp", "within", "beside"),
    [
        (FARM, RIFLES, 2, 1, 0),  # a detachment
        (FARM, T.INDIANS, 6, 1, 2),
        (FARM, FOOT, 3, 0, 1),  # an infantry stand is too much for it
        (TOWN, FOOT, 6, 2, 0),
        (TOWN, T.INDIANS, 6, 3, 0),
    ],
)
def test_blocks_hold_as_much_as_there_is_room_VBW_TER_39_40_41(
    house: Feature, kind: TroopType, sp: int, within: int, beside: int
) -> None:
    g = drawn_up(battle_unit("a", CONGRESS, kind, sp, inside=house.id), features=(FARM, TOWN))
    k = (FARM, TOWN).index(house)
    held = [i for i in range(g.n) if g.u[i].inside == k]
    others = [i for i in range(g.n) if g.u[i].inside == -1]
    assert (len(held), len(others)) == (within, beside)
    e = g.structures[k]
    for i in held:
        assert (g.u[i].x, g.u[i].y, g.u[i].face, g.u[i].place) == (e.x, e.y, e.face, r.ON_TABLE)
        assert g.u[i].state == r.GOOD
    block = Rectangle(float(e.x), float(e.y), int(e.face), float(e.half_width), float(e.half_depth))
    for i in others:
        assert not has_overlap(base(g, i), block)
        assert abs(g.u[i].x - e.x) + abs(g.u[i].y - e.y) < 8
    assert e.capacity >= sum(2 if g.u[i].class_ == r.INFANTRY else 1 for i in held)


def test_two_units_share_the_room_of_one_block_VBW_TER_39() -> None:
    units = [battle_unit(name, CONGRESS, FOOT, 6, inside=TOWN.id) for name in ("a", "b")]
    g = drawn_up(*units, features=(TOWN,))
    assert [int(u.inside) for u in g.u[:4]] == [0, 0, -1, -1]


def test_nobody_else_is_drawn_up_in_a_block_VBW_TER_42() -> None:
    houses = tuple(Feature("building", ((x, 15),), size="large") for x in (36, 48, 60))
    g = drawn_up(*force(CROWN, *MIXED), features=houses)
    blocks = [
        Rectangle(float(e.x), float(e.y), int(e.face), float(e.half_width), float(e.half_depth))
        for e in g.structures[: g.buildings_n]
    ]
    assert not any(has_overlap(base(g, i), block) for i in range(g.n) for block in blocks)


@pytest.mark.parametrize("area", BARRED_TO_HORSE)
def test_nobody_forms_where_his_kind_may_not_go_VBW_TER_03_VBW_TER_30(area: Any) -> None:
    g = drawn_up(*force(CROWN, HORSE, GUNS, T.WAGON), features=(Feature(area, box(0, 5, 96, 25)),))
    for i in range(g.n):
        assert not any(5 * THIRDS + 1 < y < 25 * THIRDS - 1 for _, y in base(g, i).spots()), i


@pytest.mark.parametrize("area", ["dense_woods", "swamp"])
def test_formed_foot_set_up_in_woods_begins_disordered_VBW_TER_02(area: Any) -> None:
    g = drawn_up(*force(CROWN, FOOT, RIFLES, sp=3), features=(Feature(area, box(0, 5, 96, 25)),))
    assert [int(g.u[i].state) for i in range(2)] == [r.DISORDERED, r.GOOD], "skirmishers keep theirs"
    assert not may_stand_here(g, 0, g.ground[int(g.u[0].y), int(g.u[0].x)])
    raw = battle_unit("raw", CROWN, T.MILITIA, 3, poor_militia=True)
    assert drawn_up(raw, features=(Feature(area, box(0, 5, 96, 25)),)).u[0].state == r.PERMANENT


def test_horse_set_up_on_broken_ground_begins_disordered_VBW_TER_15() -> None:
    g = drawn_up(*force(CROWN, HORSE, FOOT, GUNS, sp=2), features=(Feature("rough", box(0, 5, 96, 25)),))
    states = {int(u.class_): int(u.state) for u in g.u[: g.n]}
    assert states == {r.HORSE: r.DISORDERED, r.INFANTRY: r.GOOD, r.GUNS: r.GOOD}


def test_no_room_on_a_small_table_is_refused_VBW_DEF_21() -> None:
    with pytest.raises(BattleFileError, match="no room to draw up") as refused:
        drawn_up(*force(CROWN, *[FOOT] * 40), table=BattleGround(24, 24))
    assert refused.value.rule_id == "VBW-DEF-21"
    assert refused.value.field.startswith("units[")


def test_reserves_stand_behind_their_line() -> None:
    line = force(CONGRESS, *[FOOT] * 3, sp=3)
    kept = [replace(unit, reserve=True) for unit in line[1:]]
    g = drawn_up(line[0], *kept, features=())
    assert g.u[0].y < g.u[1].y == g.u[2].y
    assert [int(u.reserve) for u in g.u[:3]] == [0, 1, 1]


def fronts(g: Any, side: int) -> list[float]:
    """Where the fronts of a side's bases are, in inches from its own edge."""
    forward = 1.0 if side == 0 else -1.0
    return [
        (base(g, i).spot(0.0, base(g, i).half_depth)[1] * forward) % g.depth
        for i in range(g.n)
        if g.u[i].side == side
    ]


@pytest.mark.parametrize("side", [CROWN, CONGRESS])
def test_a_line_forms_behind_its_works_and_in_order_VBW_TER_47_48(side: str) -> None:
    y = 12 if side == CROWN else 48
    work = Feature("fieldwork", ((20, y), (76, y)))
    g = drawn_up(*force(side, FOOT, FOOT, GUNS), features=(work,))
    for front in fronts(g, 0 if side == CROWN else 1):
        assert 8.0 - 1.0 <= front < 8.0, "its inner side within an inch, and nobody astride"
    assert {int(u.state) for u in g.u[: g.n]} == {r.GOOD}


@pytest.mark.parametrize(("cover", "kind"), [("soft", FENCE), ("hard", FIELDWORK)])
@pytest.mark.parametrize("kinds", [(FOOT,) * 3, (GUNS,) * 2, (FOOT, GUNS, HORSE)])
def test_a_files_cover_runs_before_the_whole_first_line_VBW_TER_46(
    cover: Any, kind: int, kinds: tuple[TroopType, ...]
) -> None:
    g = drawn_up(*force(CROWN, FOOT), *force(CONGRESS, *kinds), cover=cover)
    w = g.works[0]
    assert (g.works_n, w.kind_) == (1, kind)
    for i in range(g.n):
        if g.u[i].side == 0:
            continue
        corners = base(g, i).corners()
        assert w.low_x <= min(x for x, _ in corners) and max(x for x, _ in corners) <= w.high_x
        assert 0.0 < min(y for _, y in corners) - w.y0 <= 1.0
        assert is_meeting((float(g.u[i].x), float(g.u[i].y)), (float(g.u[i].x), 0.0),
                    (float(w.x0), float(w.y0)), (float(w.x1), float(w.y1)))  # fmt: skip


def test_a_side_too_broad_for_the_table_stands_in_lines() -> None:
    g = drawn_up(*force(CROWN, *[FOOT] * 14, sp=6), features=())
    verify_apart(g)
    depths = [round(float(u.y), 2) for u in g.u[: g.n]]
    assert len(set(depths)) == 2
    assert depths.count(max(depths)) > depths.count(min(depths)), "most of it in the first"


def test_those_to_come_wait_at_their_own_edge_or_where_told_VBW_DEF_21() -> None:
    g = drawn_up(
        battle_unit("a", CROWN, FOOT, 3, arrives=1),
        battle_unit("c", CROWN, FOOT, 3, arrives=1, x=0, y=30, facing=90),
        battle_unit("d", CROWN, FOOT, 3, arrives=4, x=0, y=30, facing=90),
        battle_unit("b", CONGRESS, FOOT, 3, arrives=1),
        features=(),
    )
    assert [int(u.place) for u in g.u[:4]] == [r.WAITING] * 4
    assert [int(u.due) for u in g.u[:4]] == [1, 1, 3, 1]
    g.turn, g.mover = 1, 0
    bring_on_arrivals(g)
    assert [int(u.place) for u in g.u[:4]] == [r.ON_TABLE, r.ON_TABLE, r.WAITING, r.WAITING]
    assert spot_of(g, 0) == (32, 1.5)
    assert (*spot_of(g, 1), g.u[1].face) == (1.5, 20, 90)
    g.turn = 3
    bring_on_arrivals(g)
    assert g.u[2].place == r.ON_TABLE
    assert can_stand_at(g, 2, g.u[2].x, g.u[2].y, g.u[2].face), "beside the first along that edge"
    g.mover = 1
    bring_on_arrivals(g)
    assert spot_of(g, 3) == (32, 38.5)


def test_many_to_come_enter_side_by_side() -> None:
    units = [replace(unit, arrives=1) for unit in force(CROWN, *[FOOT] * 5, sp=3)]
    g = drawn_up(*units, features=())
    xs = sorted(float(u.x) for u in g.u[:5])
    assert all(b - a >= 3.0 for a, b in pairwise(xs))
    assert xs[0] + xs[-1] == pytest.approx(g.width)


@given(features())
@settings(max_examples=EXAMPLES, deadline=None)
def test_on_any_ground_everybody_stands_where_he_may_VBW_DEF_21(ground: tuple[Feature, ...]) -> None:
    g = drawn_up(*force(CROWN, *MIXED), *force(CONGRESS, *MIXED), features=ground)
    verify_apart(g)
    for i in range(g.n):
        if g.u[i].class_ in (r.HORSE, r.GUNS, r.TRANSPORT):
            kinds = {int(g.going[g.ground[int(y), int(x)]].kind_) for x, y in base(g, i).spots(0.99)}
            assert not kinds & {r.FOREST, r.SWAMP, r.WATER}
