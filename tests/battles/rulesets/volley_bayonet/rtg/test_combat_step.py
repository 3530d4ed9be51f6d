"""A combat on one enemy stand: fire, melee, and who loses."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.melee import ATTACKER_WINS, DEFENDER_WINS, NOBODY
from battles.rulesets.volley_bayonet.rtg import combat_step
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF
from tests.battles.rulesets.volley_bayonet.rtg.forces import Leader, Stand, field, throw

TOUCHING = 21.5
#: y of a line whose edge is two inches, and four, from that of a line at 20.
TWO, FOUR = 23.5, 25.5


def melee(*stands: Stand, dice: tuple[int, ...], **options: Any) -> tuple[Any, int]:
    """Stand 0 has charged stand 1, which it touches; the record after their melee, and who won."""
    g = field(*stands, options=options)
    g.u[0].charges, g.u[0].charged = 1, 1
    for i in range(g.n):
        g.u[i].nerve = g.u[i].morale
    combat_step.begin_combats(g)
    throw(g, *dice)
    return g, int(combat_step.resolve_melee(g, 1, 0))


def test_all_who_aim_at_a_stand_fire_and_it_fires_back_at_once_RTG_CBT_01_RTG_CBT_03() -> None:
    g = field(Stand(), Stand(x=33.0), Stand(1, y=TWO, sp=2))
    combat_step.begin_combats(g)
    g.u[0].aims = g.u[1].aims = 2
    g.u[2].aims = 0
    throw(g, 6, 1, 6, 1, 6, 6)
    assert combat_step.fire_combat(g, 2, 0, 0) == 2
    assert g.u[2].place == r.GONE and g.u[0].sp == 1, "the dead have fired"
    assert [int(g.u[i].fought) for i in range(3)] == [1, 1, 1]
    throw(g, 6, 6)
    assert combat_step.fire_combat(g, 2, 0, 0) == 0 and g.cursor == 0, "nobody fires twice"


def test_beyond_two_inches_only_the_gun_fires_RTG_CBT_22() -> None:
    g = field(Stand(traits=("dedicated_gun",)), Stand(1, y=FOUR))
    combat_step.begin_combats(g)
    g.u[0].aims = 1
    throw(g, 6, 6, 6)
    assert combat_step.fire_combat(g, 1, 0, 0) == 1
    assert g.cursor == 1


def test_a_gun_alone_harms_who_is_in_stone_RTG_TER_23() -> None:
    g = field(Stand(traits=("dedicated_gun",)), Stand(1, y=TWO))
    combat_step.begin_combats(g)
    g.u[0].aims = 1
    throw(g, 6, 6, 6)
    assert combat_step.fire_combat(g, 1, 1, 0) == 1 and g.cursor == 1


def test_hits_are_saved_by_the_stand_hit_RTG_SAV_06() -> None:
    g = field(Stand(kind="infantry_skirmisher"), Stand(1, y=22.0))
    combat_step.begin_combats(g)
    g.u[0].aims = 1
    throw(g, 6, 4)
    assert combat_step.fire_combat(g, 1, 0, 0) == 0
    g.u[0].fought = 0
    throw(g, 6, 3)
    assert combat_step.fire_combat(g, 1, 0, 0) == 1


@pytest.mark.parametrize(("retires", "sp", "back"), [(0, 1, 0.0), (1, 2, 12.0)])
def test_cavalry_goes_back_six_inches_for_each_hit_it_would_save_RTG_SAV_05(
    retires: int, sp: int, back: float
) -> None:
    """One of two is saved; it goes back for both."""
    g = field(Stand(stationary=True), Stand(1, "cavalry_brigade", y=24.25))
    combat_step.begin_combats(g)
    g.u[0].aims = 1
    throw(g, 6, 6, 1, 1, 4, 3)
    combat_step.fire_combat(g, 1, 0, retires)
    assert (g.u[1].sp, g.u[1].y, g.u[1].face) == (sp, 24.25 + back, 180)
    assert g.u[1].state == r.GOOD


@pytest.mark.parametrize(
    ("dice", "winner"),
    [
        ((1, 1, 1, 6, 1, 1), ATTACKER_WINS),
        ((6, 1, 1, 1, 1, 1), DEFENDER_WINS),
        ((1, 1, 1, 1, 1, 1, 5, 2), ATTACKER_WINS),
        ((1, 1, 1, 1, 1, 1, 3, 3, 2, 5), DEFENDER_WINS),
    ],
)
def test_fewer_casualties_win_or_the_roll_off_RTG_MEL_01_02(dice: tuple[int, ...], winner: int) -> None:
    """The defender's dice come first."""
    g, result = melee(Stand(), Stand(1, y=TOUCHING), dice=dice)
    assert result == winner
    assert g.cursor == len(dice)
    loser, other = (1, 0) if winner == ATTACKER_WINS else (0, 1)
    assert (g.u[loser].state, g.u[other].state) == (r.DISORDERED, r.GOOD)


def test_the_loser_goes_back_half_its_move_facing_them_RTG_CBT_02() -> None:
    g, _ = melee(Stand(), Stand(1, y=TOUCHING), dice=(1, 1, 1, 6, 1, 1))
    assert (g.u[1].y, g.u[1].face) == (TOUCHING + 8.0, 180)


@pytest.mark.parametrize(
    ("before", "state", "sp"),
    [(r.DISORDERED, r.ROUTED, 1), (r.PERMANENT, r.ROUTED, 1), (r.ROUTED, r.REMOVED, 0)],
)
def test_a_loser_in_disorder_routs_and_a_routed_one_is_gone_RTG_CBT_02(
    before: int, state: int, sp: int
) -> None:
    g, result = melee(Stand(), Stand(1, y=TOUCHING, state=before), dice=(1, 1, 1, 6, 1, 1))
    assert result == ATTACKER_WINS
    assert (g.u[1].state, g.u[1].sp) == (state, sp)
    if state == r.ROUTED:
        assert (g.u[1].runs > 0, g.u[1].away) == (True, 0)


def test_modifiers_decide_a_draw_RTG_MEL_03() -> None:
    """Foot that is not secure takes 2 off its total against cavalry."""
    blank = (1, 1, 1, 1, 1, 1)
    _, result = melee(Stand(kind="cavalry_brigade", y=19.25), Stand(1, y=TOUCHING), dice=(*blank[:5], 2, 3))
    assert result == ATTACKER_WINS, "7 against 6"
    _, result = melee(Stand(), Stand(1, y=TOUCHING), dice=(*blank, 2, 3))
    assert result == DEFENDER_WINS


def test_a_defender_who_has_fought_does_not_reply_again_RTG_CBT_01() -> None:
    g = field(Stand(), Stand(1, y=TOUCHING))
    g.u[0].charges, g.u[0].charged, g.u[1].fought = 1, 1, 1
    throw(g, 1, 1, 6)
    assert combat_step.resolve_melee(g, 1, 0) == ATTACKER_WINS
    assert (g.cursor, g.u[0].sp) == (3, 3)


def test_several_attackers_roll_together_and_the_best_is_struck_RTG_CBT_01() -> None:
    g = field(Stand(x=28.4), Stand(x=31.5, morale=6), Stand(1, y=TOUCHING))
    for i in (0, 1):
        g.u[i].charges, g.u[i].charged, g.u[i].nerve = 2, 1, g.u[i].morale
    throw(g, 6, 1, 1, 6, 1, 1, 6, 1, 1)
    assert combat_step.resolve_melee(g, 2, 0) == ATTACKER_WINS
    assert [int(g.u[i].sp) for i in range(3)] == [3, 2, 1]


def test_nobody_there_no_melee_RTG_CBT_01() -> None:
    g = field(Stand(), Stand(1, y=30.0))
    assert combat_step.resolve_melee(g, 1, 0) == NOBODY


@pytest.mark.parametrize(("option", "winner"), [("off", DEFENDER_WINS), ("on", ATTACKER_WINS)])
def test_fire_in_support_counts_by_an_option_RTG_MEL_01(option: str, winner: int) -> None:
    g = field(Stand(), Stand(1, y=TOUCHING), options={"support_fire_counts_for_melee_result": option})
    g.u[0].charges, g.u[0].charged = 1, 1
    throw(g, 6, 1, 1, 1, 1, 1)
    assert combat_step.resolve_melee(g, 1, 2) == winner


@pytest.mark.parametrize("die", [5, 6])
def test_the_army_commander_is_diced_for_once_a_combat_RTG_MIS_01(die: int) -> None:
    g = field(Stand(), Stand(1, y=TWO), leaders=(Leader(0, CHIEF, 0.0, 0.0),))
    g.leaders[0].x, g.leaders[0].y = 30.0 - 1.5 - 0.75, 20.0
    combat_step.begin_combats(g)
    g.u[0].aims, g.u[1].aims = 1, 0
    throw(g, 1, 1, 6, 6, die)
    combat_step.note_chiefs(g)
    combat_step.fire_combat(g, 1, 0, 0)
    combat_step.end_combat(g)
    combat_step.end_combat(g)
    assert g.cursor == 5
    assert g.leaders[0].state == (r.FALLEN if die == 6 else r.COMMANDS)
