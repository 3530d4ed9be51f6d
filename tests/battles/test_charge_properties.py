"""Invariants of charges over crowds of units and ground of all kinds."""

from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine import bases
from battles.engine.bases import BASE, HALF, half_depth, half_width
from battles.engine.compile import is_interpreted
from battles.engine.dtypes import (
    CLOSE_FOOT,
    COLUMN,
    HORSE,
    LEFT_TABLE,
    LINE,
    ON_TABLE,
    OPEN_FOOT,
    ROUTING,
    STREAM,
)
from battles.engine.geometry import is_overlapping
from battles.engine.ground import can_stand
from battles.engine.raster import work_add
from battles.files.schema import BattlePlan
from battles.rulesets.awi import charge_declaration, charge_resolution, melee
from battles.rulesets.awi.retreat import TOUCH
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, table
from tests.battles.grounds import house
from tests.battles.test_charge_at_obstacles import barred

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
KINDS_THAT_CHARGE = (LINE_FOOT, T.RANGERS, T.MILITIA, T.AMERICAN_LIGHT_CAVALRY, T.BRITISH_GRENADIERS)


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Stand, ...]:
    """Two crowds within charging distance of each other, every unit on its own ground."""
    stands: list[Stand] = []
    for side in (0, 0, 0, 0, 1, 1, 1, 1):
        wanted = Stand(
            side,
            draw(st.sampled_from(KINDS_THAT_CHARGE)),
            draw(st.integers(430, 530)) / 10,
            30 + (draw(st.integers(10, 60)) / 10) * (1 if side else -1),
            face=(180 * side + draw(st.integers(-45, 45))) % 360,
            sp=draw(st.integers(1, 6)),
            form=draw(st.sampled_from((LINE, COLUMN))),
        )
        if not any(share_ground(wanted, other) for other in stands):
            stands.append(wanted)
    return tuple(stands)


def share_ground(one: Stand, other: Stand) -> bool:
    a, b = ((s.x, s.y, s.face, *((BASE, HALF) if s.form == LINE else (HALF, BASE))) for s in (one, other))
    return bool(is_overlapping(*a, *b))


@given(crowds(), st.lists(st.integers(1, 6), min_size=60, max_size=60), st.sampled_from((0, 1)))
@settings(max_examples=60 if is_interpreted() else 600, deadline=None)
def test_every_melee_is_between_units_that_touch_AWI_T_CHG_10_MEL_01(
    stands: tuple[Stand, ...], dice: list[int], mover: int
) -> None:
    g = table(
        *stands, dice=tuple(dice), plans={"crown": BattlePlan("assault"), "congress": BattlePlan("assault")}
    )
    g.mover = mover
    charge_declaration.declare_charges(g, 0)
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    fighting = [u for u in g.u[: g.n] if u.contact]
    for i in range(g.n):
        if g.u[i].contact:
            assert bases.measure_gap(g, i, g.u[i].charges) <= TOUCH
            assert g.u[g.u[i].charges].mood != ROUTING
        if g.u[i].place == ON_TABLE:
            u = g.u[i]
            assert bases.is_clear_of_units(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1), (
                "on its own ground"
            )
    melee.step_j(g)
    assert all(u.fought for u in fighting), "and those who touch do fight"


@given(
    crowds(),
    st.lists(st.integers(1, 6), min_size=60, max_size=60),
    st.tuples(st.integers(440, 520), st.integers(270, 330), st.integers(0, 359)),
    st.tuples(st.integers(42, 53), st.integers(26, 33)),
)
@settings(max_examples=40 if is_interpreted() else 400, deadline=None)
def test_charges_on_ground_end_where_a_unit_may_stand_AWI_T_CHG_01_CHG_10(
    stands: tuple[Stand, ...], dice: list[int], walls: tuple[int, int, int], pond: tuple[int, int]
) -> None:
    g = table(
        *stands, dice=tuple(dice), plans={"crown": BattlePlan("assault"), "congress": BattlePlan("assault")}
    )
    house(g, walls[0] / 10, walls[1] / 10, walls[2])
    barred(g, *pond, pond[0] + 1, pond[1] + 1, CLOSE_FOOT, OPEN_FOOT, HORSE)
    work_add(g, STREAM, 40, 30.2, 56, 30.2, -1)

    def may_stand(i: int) -> bool:
        u = g.u[i]
        return bool(can_stand(g, i, u.x, u.y, u.face, half_width(u), half_depth(u)))

    for i in range(g.n):
        if not may_stand(i):
            g.u[i].place = LEFT_TABLE
    charge_declaration.declare_charges(g, 0)
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    for i in range(g.n):
        u = g.u[i]
        if u.place == ON_TABLE and u.charges >= 0:
            assert may_stand(i)
            assert bases.is_clear_of_units(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1)
            assert not u.contact or bases.measure_gap(g, i, u.charges) <= TOUCH
