"""The combat step: fire with its return, melees with support, losses at once."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import combat_step as step
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import Stand, field, throw


def volley(
    *dice: int, ours: Any = None, theirs: Any = None, others: tuple[Stand, ...] = (), **more: Any
) -> Any:
    """Stand 0 fires at stand 1, six inches off, and has; the record after it."""
    g = field(Stand(y=20.0, **(ours or {})), Stand(1, **({"y": 27.5} | (theirs or {}))))
    step.begin_combats(g)
    g.u[0].aims = 1
    throw(g, *dice)
    step.fire_combat(g, 1)
    return g


def test_both_roll_before_losses_come_off_VBW_DEF_07_VBW_RTF_01() -> None:
    g = volley(6, 6, 6, 6, 1, 1, theirs={"sp": 3})
    assert [u.sp for u in g.u[:2]] == [2, 0], "who is destroyed has answered"
    assert g.cursor == 6


def test_each_fires_once_in_a_step_VBW_DEF_06() -> None:
    g = volley(1, 1, 1, 6, 1, 1)
    assert [u.fought for u in g.u[:2]] == [1, 1]
    g.u[0].aims = 1
    cursor = g.cursor
    step.fire_combat(g, 1)
    assert g.cursor == cursor


def test_who_is_in_contact_neither_fires_nor_answers_VBW_DEF_06_VBW_RTF_01() -> None:
    pair = [Stand(1, x=30.0 + 3 * k, y=27.5, unit="own") for k in range(2)]
    g = field(Stand(y=20.0), *pair, Stand(x=33.5, y=26.0))
    attack(g, 3, 2)
    step.begin_combats(g)
    g.u[0].aims = g.u[3].aims = 1
    throw(g, 1, 1, 1, 1, 1, 1)
    step.fire_combat(g, 1)
    assert [u.fought for u in g.u[:4]] == [1, 1, 0, 0]
    assert g.cursor == 6


def test_hits_are_counted_for_the_brigade_and_rout_losses_are_not_VBW_COL_04() -> None:
    g = volley(6, 6, 1, 1, 1, 1, theirs={"brigade": 0})
    assert (g.brigades[0].hits, g.brigades[0].lost) == (2, 2)
    step.begin_combats(g)
    assert (g.brigades[0].hits, g.brigades[0].lost) == (0, 2)


def test_horse_goes_back_for_its_saves_when_it_could_be_destroyed_VBW_SAV_08() -> None:
    g = volley(6, 1, 1, 4, theirs={"kind": "LC", "sp": 1})
    assert (g.u[1].sp, g.u[1].y, g.u[1].face) == (1, 33.5, 180)
    g = volley(6, 1, 1, theirs={"kind": "LC", "sp": 2})
    assert (g.u[1].sp, g.u[1].y) == (1, 27.5)


def test_a_reroll_card_is_for_one_combat_VBW_CRD_14() -> None:
    g = field(Stand(y=20.0), Stand(1, kind="LC", y=27.5, sp=3))
    step.begin_combats(g)
    g.battalions[0].fire_again, g.u[0].aims = 1, 1
    throw(g, 1, 6, 1, 1, 1, 1)
    step.fire_combat(g, 1)
    assert (g.cursor, g.u[1].sp, g.battalions[0].fire_again) == (6, 2, 0)


def melee(
    *dice: int, ours: Any = None, theirs: Any = None, others: tuple[Stand, ...] = (), **more: Any
) -> Any:
    """Stand 0 has charged stand 1 and they have fought; the record after it, with the result."""
    facts = {"y": 30.0, "sp": 3} | (ours or {})
    g = field(Stand(0, **facts), Stand(1, **({"y": 31.5, "sp": 3} | (theirs or {}))), *others)
    attack(g, 0, 1)
    for i in range(g.n):
        g.u[i].nerve = g.u[i].morale
    step.begin_combats(g)
    throw(g, *dice)
    return g, int(step.melee_combat(g, 0))


def test_the_winner_takes_the_ground_and_the_loser_goes_back_VBW_MEL_01_05_12_VBW_DEF_08() -> None:
    g, result = melee(6, 1, 1, 1, 1, 1)
    assert result == 1
    assert (g.u[1].sp, g.u[1].state, g.u[1].y) == (2, r.DISORDERED, 39.5)
    assert 31.0 < g.u[0].y <= 32.5
    assert [u.charges for u in g.u[:2]] == [-1, -1]


def test_the_defender_stays_and_horse_does_not_VBW_MEL_13() -> None:
    for kind, moved in (("FI", False), ("LC", True)):
        dice = (1, 1, 1, 6, 1, 1) if kind == "FI" else (1, 1, 1, 6, 1)
        g, result = melee(*dice, theirs={"kind": kind})
        assert result == -1
        assert bool(g.u[1].y != 31.5) is moved
        assert g.u[0].y == 22.0


def test_loss_of_all_sp_loses_whatever_was_inflicted_VBW_MEL_02() -> None:
    g, result = melee(6, 6, 1, 6, 1, 1, ours={"sp": 1})
    assert result == -1
    assert (g.u[0].place, g.u[1].sp, g.u[1].state) == (r.GONE, 1, r.GOOD)


def test_both_gone_and_nobody_wins_VBW_MEL_02() -> None:
    g, result = melee(6, 1, 1, 6, 1, 1, ours={"sp": 1}, theirs={"sp": 1})
    assert result == 0
    assert [u.place for u in g.u[:2]] == [r.GONE, r.GONE]


def test_a_drawn_melee_is_rolled_off_by_the_best_morale_VBW_MEL_03() -> None:
    g, result = melee(1, 1, 1, 1, 1, 1, 3, 3, ours={"morale": 6})
    assert (result, g.cursor) == (1, 8)
    assert g.u[1].state == r.DISORDERED


def supported(choice: str, *dice: int) -> tuple[Any, int]:
    """A melee of one stand against one, into which a friend fires; the record and the result."""
    g = field(
        Stand(0, y=30.0, sp=3), Stand(1, y=31.5, sp=3), Stand(x=36.0, y=24.0),
        options={"support_fire_counts_for_melee_result": choice},
    )  # fmt: skip
    attack(g, 0, 1)
    for i in range(g.n):
        g.u[i].nerve = 5
    step.begin_combats(g)
    g.u[2].aims = 1
    throw(g, *dice)
    return g, int(step.melee_combat(g, 0))


def test_supporting_fire_counts_for_the_result_VBW_DEF_09() -> None:
    for choice, result in (("on", 1), ("off", -1)):
        g, found = supported(choice, 1, 1, 1, 6, 1, 1, 6, 6, 1)
        assert found == result
        assert g.u[1].sp == 1, "its hits cost SP in any case"


def test_who_is_destroyed_with_the_help_of_supporting_fire_has_lost_VBW_MEL_02_VBW_DEF_09() -> None:
    """Though that fire counts for no comparison."""
    g, found = supported("off", 6, 1, 1, 6, 6, 1, 6, 6, 1)
    assert found == 1
    assert (g.u[1].place, g.u[0].sp, g.u[0].state) == (r.GONE, 1, r.GOOD)


def test_hits_beyond_a_stand_pass_to_another_of_the_group_VBW_DEF_08() -> None:
    pair = (Stand(1, x=33.0, y=31.5, sp=3),)
    g, _ = melee(6, 6, 6, 1, 1, 1, 1, 1, 1, theirs={"sp": 2}, others=pair)
    assert [u.sp for u in g.u[1:3]] == [0, 2]


@pytest.mark.parametrize(("y", "face", "dice"), [(32.25, 180, 4), (32.25, 0, 3)])
def test_guns_met_from_behind_have_no_dice_VBW_STD_07(y: float, face: int, dice: int) -> None:
    g, _ = melee(6, 1, 1, 1, theirs={"kind": "Fd", "y": y, "face": face, "sp": 2})
    assert g.cursor == dice


def test_road_march_fights_without_dice_but_is_in_it_VBW_MOV_16() -> None:
    g, result = melee(6, 1, 1, theirs={"form": r.ROAD_MARCH})
    assert (result, g.cursor) == (1, 3)
    assert g.u[1].state == r.DISORDERED
