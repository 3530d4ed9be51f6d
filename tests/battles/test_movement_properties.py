"""What holds of every move on every ground."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.bases import (
    clear_of_enemy,
    half_depth,
    half_width,
    inside_table,
    is_clear_of_units,
    measure_gap,
)
from battles.engine.compile import is_interpreted
from battles.engine.dtypes import COLUMN, LINE, ON_TABLE, WHEELED
from battles.engine.ground import can_stand
from battles.rulesets.awi import buildings, garrison, movement, retreat
from rosters.domain.vocabulary import TroopType
from tests.battles import grounds
from tests.battles.forces import Stand, table

EXAMPLES = 60 if is_interpreted() else 300

KINDS = st.sampled_from(
    (
        TroopType.CONTINENTAL_LINE,
        TroopType.RANGERS,
        TroopType.AMERICAN_LIGHT_CAVALRY,
        TroopType.EUROPEAN_ARTILLERY,
        TroopType.WAGON,
    )
)
WHERE = st.tuples(st.integers(0, 30), st.integers(0, 30))
COSTS = st.sampled_from(
    (grounds.ROUGH, grounds.STEEP, grounds.DENSE_WOODS, grounds.SWAMP, grounds.WATER, grounds.WATER)
)
PATCHES = st.lists(st.tuples(COSTS, WHERE, st.integers(1, 9), st.integers(1, 9)), max_size=5)
LINES = st.lists(st.tuples(st.sampled_from((grounds.fence, grounds.stream)), st.integers(8, 40)), max_size=2)
HOUSES = st.lists(st.tuples(WHERE, st.sampled_from((0, 30, 90)), st.booleans()), max_size=2)
UNITS = st.lists(st.tuples(KINDS, WHERE, st.integers(0, 359), st.integers(0, 1)), min_size=1, max_size=5)
ACTIONS = (
    "move", "move", "move", "back", "turn", "wheel", "column", "line", "limber", "deploy", "enter", "leave",
    "phase", "retire", "rout",
)  # fmt: skip
ORDERS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(ACTIONS), st.integers(0, 359)), min_size=1, max_size=12
)


def stands_well(g: Any, i: int) -> bool:
    u = g.u[i]
    width, depth = half_width(u), half_depth(u)
    return bool(
        inside_table(g, u.x, u.y)
        and (u.inside >= 0 or can_stand(g, i, u.x, u.y, u.face, width, depth))
        and is_clear_of_units(g, i, u.x, u.y, u.face, width, depth, -1)
    )


def battlefield(units: Any, patches: Any, lines: Any, houses: Any) -> Any:
    """Ground, and on it those of the units that can stand where they are put, apart from the enemy."""
    g = table(*(Stand(side, kind, 30 + x, 12 + y, face) for kind, (x, y), face, side in units))
    for costs, (x, y), width, depth in patches:
        grounds.lay(g, costs, near=12 + y, far=12 + y + depth, left=30 + x, right=30 + x + width)
    for (x, y), face, large in houses:
        grounds.house(g, 30 + x, 12 + y, face, large=large)
    for laid, y in lines:
        laid(g, y + 0.5)
    for i in range(g.n):
        if not stands_well(g, i) or not clear_of_enemy(g, i, g.u[i].x, g.u[i].y, g.u[i].face):
            g.u[i].place = 1
    return g


def obey(g: Any, i: int, action: str, number: int) -> None:
    """Do what one order says, as far as the rules let it be done."""
    u = g.u[i]
    want = number / 20.0
    if action == "move":
        movement.move_on(g, i, (u.face + number % 91 - 45) % 360, want)
    elif action == "back":
        movement.fall_back_facing(g, i, want)
    elif action == "turn":
        movement.turn_on_spot(g, i, number)
    elif action == "wheel":
        movement.wheel(g, i, number - 180)
    elif action in ("column", "line"):
        movement.change_formation(g, i, COLUMN if action == "column" else LINE)
    elif action == "limber":
        movement.limber(g, i)
    elif action == "deploy":
        movement.unlimber(g, i)
    elif action == "enter" and g.buildings_n:
        garrison.enter_building(g, i, number % g.buildings_n)
    elif action == "leave":
        garrison.leave_towards(g, i, number)
    elif action == "phase":
        movement.new_phase(g)
    elif action == "retire":
        retreat.retire(g, i)
    elif action == "rout" and u.wagon == 0:
        retreat.rout_move(g, i, number)


def check(g: Any, i: int, action: str) -> None:
    u = g.u[i]
    if u.place != ON_TABLE:
        return
    assert stands_well(g, i), action
    assert u.spent <= max(u.rate_line, u.rate_column) + 1e-6 or u.arm == WHEELED, action
    assert u.inside < 0 or g.structures[u.inside].sp > 0
    if action not in ("retire", "rout"):
        assert all(
            measure_gap(g, i, j) >= 1 - 1e-6
            for j in range(g.n)
            if g.u[j].side != u.side and g.u[j].place == ON_TABLE and g.u[j].inside < 0
        ), action


@given(UNITS, PATCHES, LINES, HOUSES, ORDERS)
@settings(max_examples=EXAMPLES, deadline=None)
def test_nobody_ends_in_water_in_another_or_off_the_table_AWI_T_SEQ_03(
    units: Any, patches: Any, lines: Any, houses: Any, orders: Any
) -> None:
    g = battlefield(units, patches, lines, houses)
    run_away = False
    for i, action, number in orders:
        if i >= g.n or g.u[i].place != ON_TABLE:
            continue
        g.mover = int(g.u[i].side)
        obey(g, i, action, number)
        # who runs may come near an enemy, and then only distance to go is left
        run_away = run_away or action in ("retire", "rout")
        check(g, i, "rout" if run_away else action)


@given(UNITS, PATCHES, LINES, HOUSES, st.integers(0, 179), st.integers(1, 400))
@settings(max_examples=EXAMPLES, deadline=None)
def test_no_move_goes_further_than_its_allowance_AWI_T_MOV_01_TER_01(
    units: Any, patches: Any, lines: Any, houses: Any, turned: int, want: int
) -> None:
    g = battlefield(units, patches, lines, houses)
    u = g.u[0]
    x, y = float(u.x), float(u.y)
    obstacles = float(g.works_n)
    gone = movement.move_on(g, 0, (u.face + turned % 46) % 360, want / 20.0)
    moved = ((u.x - x) ** 2 + (u.y - y) ** 2) ** 0.5
    assert abs(moved - max(gone, 0.0)) < 1e-6
    # only who is set down beyond an obstacle goes further than it could walk
    most = movement.move_rate(u) if obstacles == 0 else max(movement.move_rate(u), 2 * half_depth(u) + 0.3)
    assert moved <= most + 1e-6
    assert moved <= want / 20.0 + 1e-6 or obstacles > 0


@given(UNITS, PATCHES, LINES, HOUSES, st.integers(1, 400))
@settings(max_examples=EXAMPLES // 3, deadline=None)
def test_looking_at_a_way_changes_nothing(
    units: Any, patches: Any, lines: Any, houses: Any, want: int
) -> None:
    g = battlefield(units, patches, lines, houses)
    before = g.u[: g.n].tolist()
    inches = movement.find_straight_inches(g, 0, int(g.u[0].face), want / 20.0)
    assert g.u[: g.n].tolist() == before
    if g.wades < 0 and inches > 0:
        assert movement.move_on(g, 0, int(g.u[0].face), want / 20.0) in (inches, 0.0)


@given(UNITS, PATCHES, HOUSES, st.integers(0, 359))
@settings(max_examples=EXAMPLES // 3, deadline=None)
def test_whoever_comes_out_of_a_building_stands_at_its_wall_AWI_T_TER_10(
    units: Any, patches: Any, houses: Any, heading: int
) -> None:
    g = battlefield([(TroopType.RANGERS, (0, 0), 0, 0), *units], patches, [], [*houses, ((15, 15), 0, False)])
    s = int(g.buildings_n) - 1
    x, y = buildings.find_free_slot(g, 0, s)
    if g.u[0].place != ON_TABLE or x < 0:
        return
    buildings.put_inside(g, 0, s, x, y)
    if garrison.leave_towards(g, 0, heading):
        check(g, 0, "leave")
        assert 0 < buildings.wall_gap(g, 0, s) <= garrison.AT_WALL
    else:
        assert g.u[0].inside == s
