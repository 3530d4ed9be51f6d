"""The Combat phase: one enemy stand after the other, its reply, who takes ground, what burns."""

from typing import Any

import pytest

from battles.engine.dtypes import FIELDWORK
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg import combats
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from battles.rulesets.volley_bayonet.rtg.labels import Kind
from battles.rulesets.volley_bayonet.rtg.terrain import BROKEN, OPEN
from battles.rulesets.volley_bayonet.states import is_standing
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, build, field, throw


def in_melee(*more: Stand, dice: tuple[int, ...] = ()) -> Any:
    """Stand 0 has charged stand 1, who faces it, and touches it."""
    g = field(Stand(y=20.0), Stand(1, y=21.52), *more, dice=dice)
    g.mover = 0
    u = g.u[0]
    u.charges, u.charged, u.edge, u.from_x, u.from_y = 1, 1, r.FRONT, 30.0, 10.0
    for i in range(g.n):
        g.u[i].nerve, g.u[i].home = 5, 180 if g.u[i].side == 0 else 0
    return g


def test_a_melee_is_fought_once_by_each_side_and_the_loser_goes_back_RTG_GEN_03_RTG_CBT_02() -> None:
    # the defender's three dice miss, the attacker's hit twice
    g = in_melee(dice=(1, 1, 1, 6, 6, 1))
    combats.run_combat_step(g)
    assert (g.u[0].sp, g.u[1].sp, g.u[1].state) == (3, 1, r.DISORDERED)
    assert g.cursor == 6
    assert g.u[1].y == pytest.approx(21.52 + 8.0)
    assert g.u[0].y == pytest.approx(21.52 + 0.75, abs=0.3), "the winner takes the ground"


def test_one_winner_advances_and_keeps_an_inch_RTG_CBT_02_RTG_MOV_08() -> None:
    g = in_melee(Stand(x=33.1, y=20.0), Stand(1, y=24.5), dice=(1, 1, 1, 6, 6, 1))
    g.u[2].charges, g.u[2].charged, g.u[2].nerve = 1, 1, 4
    combats.attack_stand(g, 1)
    ahead = [float(g.u[i].y) > 20.1 for i in (0, 2)]
    assert ahead == [True, False]
    assert g.u[3].y - g.u[0].y - 1.5 >= 1.0 - 1.0e-6


def test_supporters_fire_with_the_melee_and_are_not_answered_RTG_CBT_01_RTG_MEL_01() -> None:
    g = in_melee(Stand(x=26.5, y=18.8), dice=(6, 1, 1, 1, 1, 1, 1, 1, 4, 2))
    combats.begin_combats(g)
    g.u[2].aims = 1
    assert combats.attack_stand(g, 1)
    assert (g.u[0].fought, g.u[1].fought, g.u[2].fought) == (1, 1, 1)
    assert g.u[1].sp == 2 and g.u[2].sp == 3


def test_works_save_the_defender_and_not_who_comes_over_them_RTG_TER_04_RTG_SAV_06() -> None:
    # the defender hits once, the attacker once, and only the defender has a die to save it
    g = in_melee(dice=(6, 1, 1, 6, 1, 1, 4))
    w = g.works[0]
    w.kind_, w.x0, w.y0, w.x1, w.y1 = FIELDWORK, 20.0, 20.76, 40.0, 20.76
    g.works_n = 1
    combats.run_combat_step(g)
    assert g.cursor == 7
    assert (g.u[0].sp, g.u[1].sp, g.u[0].state) == (2, 3, r.DISORDERED)


@pytest.mark.parametrize(("sp", "attacker"), [(2, r.GOOD), (3, r.DISORDERED)])
def test_who_is_destroyed_by_fire_in_support_has_lost_the_melee_RTG_MEL_01(sp: int, attacker: int) -> None:
    """Fire takes two points, the defender hits once and is not hit; with a point left it has won."""
    g = in_melee(Stand(x=26.5, y=18.8), dice=(6, 6, 6, 1, 1, 1, 1, 1))
    g.u[1].sp, g.u[2].aims = sp, 1
    assert combats.attack_stand(g, 1)
    assert (g.cursor, g.u[0].sp, g.u[1].sp) == (8, 2, sp - 2)
    assert g.u[0].state == attacker


@pytest.mark.parametrize(("die", "state"), [(5, r.COMMANDS), (6, r.FALLEN)])
@pytest.mark.parametrize(("side", "dice"), [(0, (6, 1, 1, 1, 1, 1)), (1, (1, 1, 1, 6, 1, 1))])
def test_the_army_commander_is_diced_for_though_his_stand_is_driven_from_him_RTG_MIS_01(
    side: int, dice: tuple[int, ...], die: int, state: int
) -> None:
    g = in_melee(dice=(*dice, die))
    e = g.leaders[0]
    e.side, e.rank, e.x, e.y, e.named = side, CHIEF, 30.0 - 2.25, g.u[side].y, -1
    g.leaders_n = 1
    combats.run_combat_step(g)
    assert g.u[side].state == r.DISORDERED
    assert (g.cursor, e.state) == (7, state)


def test_nobody_fights_who_has_nobody_to_fight() -> None:
    g = field(Stand(), Stand(1, y=60.0))
    g.mover, g.quiet = 0, 3
    combats.run_combat_step(g)
    assert (g.cursor, g.quiet) == (0, 3)


def test_horse_that_is_nearly_gone_saves_itself_by_going_back_RTG_SAV_05() -> None:
    g = field(Stand(), Stand(1, kind="linear_cavalry", y=23.0, sp=1), dice=(6, 6, 4, 4))
    g.mover = 0
    combats.run_combat_step(g)
    assert g.u[1].sp == 1
    assert g.u[1].y == pytest.approx(23.0 + 12.0)


def test_wooden_houses_catch_fire_on_a_6_and_who_holds_them_leaves_RTG_TER_24() -> None:
    for die, burns in ((6, True), (5, False)):
        g = field(Stand(kind="artillery_battalion", gun="field_guns"), Stand(1, y=28.0), dice=(1, die))
        g.mover, g.turn, g.u[1].home = 0, 2, 0
        k = build(g, 30.0, 28.0)
        g.u[1].inside = k
        combats.run_combat_step(g)
        assert (g.lit[k] == 2, g.u[1].inside < 0, g.u[1].state == r.DISORDERED) == (burns,) * 3
    g = field(Stand(kind="artillery_battalion", gun="field_guns"), Stand(1, y=28.0))
    g.mover = 0
    k = build(g, 30.0, 28.0)
    g.u[1].inside, g.stone[k] = k, 1
    combats.run_combat_step(g)
    assert g.lit[k] == 0, "stone does not burn"


def test_a_fire_is_rolled_for_from_the_second_turn_after_RTG_TER_24() -> None:
    g = field()
    town, village = build(g, 30.0, 28.0), build(g, 50.0, 28.0)
    g.structures[village].capacity = 1
    g.lit[town] = g.lit[village] = 2
    g.turn = 3
    combats.roll_fires_out(g)
    assert g.cursor == 0
    g.turn = 4
    throw(g, 5, 5)
    combats.roll_fires_out(g)
    assert (g.lit[town], g.lit[village]) == (2, combats.BURNT)


@pytest.mark.parametrize(
    ("ground", "by", "goes"),
    [(BROKEN, "linear_cavalry", True), (OPEN, "linear_cavalry", False), (BROKEN, "linear_infantry", False)],
)
def test_a_skirmisher_who_stood_in_broken_ground_goes_back_from_horse_RTG_TER_02(
    ground: int, by: Kind, goes: bool
) -> None:
    # every die misses on both sides, and the roll-off is the defender's
    g = field(Stand(kind=by, y=20.0), Stand(1, kind="infantry_skirmisher", sp=1, y=21.52))
    g.going[2].terrain, g.going[2].costs[:] = ground, 1.0
    g.ground[:, :] = 2
    g.mover, g.u[0].home, g.u[1].home = 0, 180, 0
    u = g.u[0]
    u.charges, u.charged, u.edge, u.from_x, u.from_y, u.nerve, g.u[1].nerve = 1, 1, r.FRONT, 30.0, 10.0, 1, 9
    combats.attack_stand(g, 1)
    assert is_standing(g.u[1])
    assert g.u[1].y == pytest.approx(21.52 + (0.5 * g.u[1].rate if goes else 0.0))
