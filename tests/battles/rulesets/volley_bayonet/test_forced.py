"""Forced moves, return fire and the winner's advance beyond what the worked checks play."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import bases, forced, states
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.recording import DRIVEN_BACK
from tests.battles.rulesets.volley_bayonet.checks.common import returns_at
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, field, paint


def routed(*others: Stand, scale: str = "vb_wing", why: int = forced.FROM_CHECK, **facts: Any) -> Any:
    """Stand 0 runs straight down the table from (30, 40) for 16 inches; the record."""
    g = field(Stand(y=40.0, sp=3, state=r.DISORDERED, **facts), *others, scale=scale)
    states.change_order(g, 0, states.FAIL_MORALE)
    forced.flees_from(g, 0, 30.0, 45.0, why)
    forced.rout_moves(g)
    return g


def test_a_rout_goes_a_full_turns_move_and_ends_facing_away_VBW_MOR_07_VBD_MOR_08() -> None:
    g = routed()
    u = g.u[0]
    assert (u.x, u.y, u.face, u.sp, u.state, u.runs) == (30.0, 24.0, 180, 2, r.ROUTED, 0)


def test_a_rout_ignores_all_terrain_VBW_MOR_07() -> None:
    g = field(Stand(kind="LC", y=40.0, sp=2, state=r.DISORDERED))
    paint(g, "forest")
    states.change_order(g, 0, states.FAIL_MORALE)
    forced.flees_from(g, 0, 30.0, 45.0, forced.FROM_CHECK)
    forced.rout_moves(g)
    assert g.u[0].y == 16.0


def test_routed_gunners_run_as_infantry_VBW_MOR_08() -> None:
    g = routed(kind="Hv")
    assert (g.u[0].y, g.u[0].gun_y) == (28.0, 40.0)


def test_off_the_table_is_lost_VBW_DEF_14() -> None:
    g = field(Stand(y=5.0, sp=3, state=r.DISORDERED, brigade=0))
    states.change_order(g, 0, states.FAIL_MORALE)
    forced.flees_from(g, 0, 30.0, 10.0, forced.FROM_CHECK)
    forced.rout_moves(g)
    assert (g.u[0].place, g.u[0].lost, g.brigades[0].lost) == (r.GONE, 3, 3)


@pytest.mark.parametrize(
    ("why", "scale", "state", "after"),
    [
        (forced.FROM_CHECK, "vb_wing", r.GOOD, r.DISORDERED),
        (forced.FROM_CHECK, "vb_wing", r.DISORDERED, r.DISORDERED),
        (forced.FROM_MELEE, "vb_wing", r.GOOD, r.DISORDERED),
        (forced.FROM_MELEE, "vb_wing", r.DISORDERED, r.ROUTED),
        (forced.FROM_MELEE, "vb_wing", r.PERMANENT, r.ROUTED),
        (forced.FROM_MELEE, "vb_division", r.DISORDERED, r.DISORDERED),
        (forced.FROM_MELEE, "vb_wing", r.ROUTED, r.ROUTED),
    ],
)
def test_friends_in_the_way_of_a_rout_VBW_MEL_09_VBD_MEL_09(
    why: int, scale: str, state: int, after: int
) -> None:
    g = routed(Stand(y=35.0, state=state, sp=3), scale=scale, why=why)
    b = g.u[1]
    routs = after == r.ROUTED and state != r.ROUTED
    assert (b.state, b.lost) == (after, int(routs))
    assert (b.y < 35.0) == routs


def test_friends_beyond_the_first_half_are_not_touched_VBW_MEL_09() -> None:
    g = routed(Stand(y=40.0 - 1.5 - 8.5, sp=3), why=forced.FROM_MELEE)
    assert g.u[1].state == r.GOOD


def test_nobody_ends_on_another_VBW_DEF_21() -> None:
    g = routed(Stand(y=24.0))
    assert g.u[0].y < 24.0 - 1.5 + 0.3
    assert not forced.has_overlap_at(g, 0, float(g.u[0].x), float(g.u[0].y), 1)


def press(first: float, last: float) -> tuple[Stand, ...]:
    """Friends behind one another with less than a base's depth between them."""
    return tuple(Stand(y=first - 2.5 * k) for k in range(int((first - last) / 2.5) + 1))


def test_nobody_ends_on_another_however_deep_the_press_VBW_DEF_21() -> None:
    g = field(Stand(y=60.0), *press(52.0, 22.0))
    assert forced.forced_move(g, 0, 180, 8.0, forced.RETREATS) > 8.0 + 24.0
    u = g.u[0]
    assert u.place == r.ON_TABLE and bases.can_stand_at(g, 0, u.x, u.y, u.face)


def test_who_finds_no_room_before_the_edge_is_lost_VBW_DEF_14() -> None:
    g = field(Stand(y=38.0), *press(30.0, 0.0))
    forced.forced_move(g, 0, 180, 8.0, forced.RETREATS)
    assert (g.u[0].place, g.u[0].lost) == (r.GONE, 3)


def test_who_is_driven_back_ends_on_nobody_however_deep_the_press_VBW_MEL_06_VBW_DEF_21() -> None:
    g = field(Stand(y=60.0), Stand(y=58.0, state=r.DISORDERED), *press(49.9, 19.9))
    forced.forced_move(g, 0, 180, 8.0, forced.RETREATS)
    assert g.u[1].y < 20.0 and g.u[1].place == r.ON_TABLE
    told = [row for row in g.events[: g.events_n] if row.what == DRIVEN_BACK]
    assert [(row.actor, row.other, row.y) for row in told] == [(1, 0, g.u[1].y)]
    assert all(bases.can_stand_at(g, i, g.u[i].x, g.u[i].y, g.u[i].face) for i in (0, 1))


def test_losers_go_back_half_a_move_facing_the_winners_VBW_MEL_04_VBW_MEL_05_VBD_MEL_04_VBD_MEL_05() -> None:
    g = field(Stand(kind="SI", y=40.0), Stand(1, y=41.5))
    forced.lose_melee(g, 0, 30.0, 41.5)
    assert (g.u[0].y, g.u[0].face, g.u[0].state, g.u[0].lost) == (34.0, 0, r.DISORDERED, 0)


def test_losers_already_disordered_rout_VBW_MEL_09_VBW_MEL_10_VBD_MEL_10() -> None:
    g = field(Stand(y=40.0, state=r.PERMANENT, sp=3), Stand(1, y=41.5))
    forced.lose_melee(g, 0, 30.0, 41.5)
    forced.rout_moves(g)
    assert (g.u[0].y, g.u[0].face, g.u[0].state, g.u[0].lost) == (24.0, 180, r.ROUTED, 1)


def test_routed_losers_run_and_are_removed_VBW_MEL_11_VBD_MEL_11() -> None:
    g = field(Stand(y=40.0, state=r.ROUTED, sp=3), Stand(1, y=41.5), Stand(y=36.0))
    forced.lose_melee(g, 0, 30.0, 41.5)
    assert (g.u[0].place, g.u[0].lost) == (r.GONE, 3)
    assert g.u[2].state == r.DISORDERED, "with all that its rout does"


def test_disorderly_ground_adds_no_level_and_what_bars_stops_horse_VBW_MEL_07_VBD_MEL_07() -> None:
    g = field(Stand(y=40.0), Stand(kind="LC", x=60.0, y=40.0, sp=2))
    paint(g, "forest", y=(0, 35))
    forced.lose_melee(g, 0, 30.0, 41.5)
    forced.lose_melee(g, 1, 60.0, 41.5)
    assert (g.u[0].state, g.u[0].y) == (r.DISORDERED, 32.0)
    assert g.u[1].state == r.DISORDERED and 34.9 <= g.u[1].y <= 35.25


def test_horse_that_retires_keeps_order_and_face_VBW_SAV_08() -> None:
    g = field(Stand(kind="LC", y=40.0, sp=2), Stand(y=35.0))
    assert forced.forced_move(g, 0, 180, 12.0, forced.RETIRES) == 12.0
    assert (g.u[0].y, g.u[0].face, g.u[0].state, g.u[1].state) == (28.0, 0, r.GOOD, r.GOOD)


def test_the_option_leaves_friends_alone_VBW_MEL_06_VBD_MEL_06() -> None:
    friend = Stand(y=36.0, state=r.DISORDERED)
    g = field(Stand(y=40.0), Stand(1, y=41.5), friend, options={"driven_back_friends": "off"})
    forced.lose_melee(g, 0, 30.0, 41.5)
    assert (g.u[2].y, g.u[2].state) == (36.0, r.DISORDERED)


def test_winners_advance_unless_the_option_forbids_VBW_MEL_12_VBD_MEL_12() -> None:
    for choice, inches in (("on", 3.0), ("off", 0.0)):
        g = field(Stand(y=20.0), options={"winner_may_advance": choice})
        assert forced.advance_winner(g, 0, 0, 3.0) == inches
        assert g.u[0].y == 20.0 + inches


def test_a_battalion_returns_fire_through_touching_stands_VBW_RTF_01_VBD_ABS_03() -> None:
    line = [Stand(x=30.0 + 3 * k, y=20.0, unit="own") for k in range(2)]
    apart, other = Stand(x=37.0, y=20.0, unit="own"), Stand(x=27.0, y=20.0)
    for scale, answers in (("vb_wing", [True, True, False, False]), ("vb_division", [True] + [False] * 3)):
        g = field(*line, apart, other, Stand(1, x=31.5, y=26.0), scale=scale)
        assert [bool(returns_at(g, i, 0, 4) >= 0.0) for i in range(4)] == answers


@pytest.mark.parametrize("spoil", [{"fought": 1}, {"charges": 1}, {"state": r.ROUTED}, {"face": 180}])
def test_each_needs_a_shot_of_its_own_and_fires_once_VBW_RTF_01_VBW_DEF_06(spoil: Any) -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0))
    assert returns_at(g, 0, 0, 1) == 4.5
    for name, value in spoil.items():
        setattr(g.u[0], name, value)
    assert returns_at(g, 0, 0, 1) == -1.0


def test_who_is_driven_out_of_a_block_is_not_in_it_any_more_VBW_TER_45() -> None:
    g = field(Stand(y=30.0), Stand(1, y=60.0))
    g.u[0].inside = build(g, 30.0, 30.0)
    forced.forced_move(g, 0, 180, 6.0, forced.RETREATS)
    assert g.u[0].inside == -1 and g.u[0].y <= 24.0


def test_who_has_routed_stands_on_nobody_as_he_then_faces_VBW_DEF_21_VBW_MOR_07() -> None:
    g = field(Stand(y=20.0), Stand(x=30.0 + 16.0, y=21.8))
    forced.forced_move(g, 0, 90, 16.0, forced.FROM_CHECK)
    assert g.u[0].face == 90 and bases.can_stand_at(g, 0, g.u[0].x, g.u[0].y, 90)
