"""The morale step: who checks, in what order, and what comes of it."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import bases
from battles.rulesets.volley_bayonet import morale_step as step
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.events import KINDS
from battles.rulesets.volley_bayonet.recording import CHARGE_HALTS
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import Stand, field, paint, throw


def clash(*dice: int, charger: Any = None, target: Any = None, others: tuple[Stand, ...] = ()) -> Any:
    """Stand 0 in contact with stand 1, which it has charged; the dice to fall, the lower stand's first."""
    facts = {"y": 30.0, "sp": 3} | (charger or {})
    depth = 2.25 if (target or {}).get("kind") == "Fd" else 1.5
    foe = {"y": 30.0 + depth, "sp": 3} | (target or {})
    g = field(Stand(0, **facts), Stand(1, **foe), *others)
    attack(g, 0, 1)
    throw(g, *dice)
    step.begin_step(g)
    return g


def test_charger_and_charged_check_each_for_itself_VBW_MOR_01_VBD_MOR_01() -> None:
    g = clash(6, 5)
    assert step.check_all(g) == 2
    assert [u.state for u in g.u[:2]] == [r.DISORDERED, r.GOOD]
    assert g.cursor == 2


def test_who_stands_by_does_not_check_VBW_MOR_01() -> None:
    g = clash(1, 1, others=(Stand(x=60.0), Stand(1, x=60.0, y=31.5)))
    assert step.check_all(g) == 2


def test_a_charger_that_fails_in_good_order_carries_on_VBW_MOR_06_VBD_MOR_07() -> None:
    g = clash(6, 1)
    step.check_all(g)
    assert (g.u[0].charges, g.u[0].state) == (1, r.DISORDERED)
    assert step.has_met(g, 0, 1)


def test_failing_when_disordered_routs_away_from_the_enemy_VBW_MOR_07() -> None:
    g = clash(1, 6, target={"state": r.PERMANENT})
    step.check_all(g)
    u = g.u[1]
    assert (u.state, u.sp, u.y, u.face) == (r.ROUTED, 2, 47.5, 0)
    assert not step.has_met(g, 0, 1)


def test_one_check_a_step_for_all_reasons_VBW_MOR_03() -> None:
    gun = Stand(1, kind="Fd", x=30.0, y=42.0, face=180)
    g = clash(1, 1, 1, target={"x": 32.25, "face": 270, "y": 30.0}, others=(gun,))
    assert step.gun_that_threatens(g, 0, step.guns_ready(g)) == 2
    assert step.check_all(g) == 2
    assert step.check_all(g) == 0, "not again in this step"


def test_a_danger_zone_calls_one_check_however_many_guns_VBW_MOR_02_VBW_SEQ_06() -> None:
    guns = [Stand(kind="Fd", x=29.0 + 2 * k, y=10.0) for k in range(2)]
    g = field(Stand(1, y=20.0), *guns, dice=(6,))
    step.begin_step(g)
    assert step.check_all(g) == 1
    assert g.u[0].state == r.DISORDERED


def test_a_gun_that_does_not_see_it_makes_nobody_check_VBW_MOR_02() -> None:
    g = field(Stand(1, y=24.0), Stand(kind="Fd", y=10.0))
    step.begin_step(g)
    assert step.gun_that_threatens(g, 0, step.guns_ready(g)) == 1
    paint(g, "forest", y=(15, 18))
    assert step.gun_that_threatens(g, 0, step.guns_ready(g)) == -1


def test_checks_are_rolled_on_the_states_at_the_start_VBW_DEF_12() -> None:
    # the first routs the friend it runs over only after that friend has checked in good order
    g = clash(
        1, 6, 5,
        target={"state": r.PERMANENT},
        others=(Stand(1, y=34.0), Stand(0, kind="Fd", x=30.0, y=20.0)),
    )  # fmt: skip
    g.u[0].x = 30.0
    nerves = [int(step.prepare_check(g, i, step.guns_ready(g), 1)) for i in range(3)]
    assert nerves[:2] == [1, 0]
    step.check_all(g)
    assert g.u[1].state == r.ROUTED
    assert g.u[2].state == r.DISORDERED


def test_the_fence_comes_before_the_check_VBW_TER_23_VBW_DEF_12() -> None:
    g = clash(6, 1, 1, charger={"kind": "LC", "morale": 5, "y": 30.0})
    g.u[0].over_fence = 1
    step.check_all(g)
    assert (g.u[0].state, g.u[0].nerve) == (r.DISORDERED, 4)


@pytest.mark.parametrize("form", [r.FORMED, r.SKIRMISH])
def test_native_americans_who_fail_stop_half_way_VBW_NAT_01_VBD_NAT_01_VBW_MOR_04_VBD_MOR_03(
    form: int,
) -> None:
    g = clash(6, 1, charger={"abilities": ("native",), "sp": 1, "form": form, "morale": 5})
    step.check_all(g)
    u = g.u[0]
    assert (u.state, u.form, u.charges, u.y) == (r.GOOD, r.SKIRMISH, -1, 27.5)
    assert [row.y for row in g.events[: g.events_n] if row.what == CHARGE_HALTS] == [27.5]
    assert not step.has_met(g, 0, 1)


def test_native_americans_do_not_stop_on_a_friend_VBW_NAT_01_VBW_DEF_21() -> None:
    charger = {"abilities": ("native",), "sp": 1, "form": r.SKIRMISH, "morale": 5}
    g = clash(6, 1, charger=charger, others=(Stand(y=27.0),))
    step.check_all(g)
    assert g.u[0].y < 25.5 + 1e-9
    assert bases.can_stand_at(g, 0, g.u[0].x, g.u[0].y, g.u[0].face)


def test_native_americans_go_back_behind_friends_who_have_come_up_VBW_NAT_01_VBW_DEF_21() -> None:
    charger = {"abilities": ("native",), "sp": 1, "form": r.SKIRMISH, "morale": 5}
    g = clash(6, 1, charger=charger, others=(Stand(y=27.0), Stand(y=25.4)))
    step.check_all(g)
    u = g.u[0]
    assert (u.place, u.state, u.form, u.x) == (r.ON_TABLE, r.GOOD, r.SKIRMISH, 30.0)
    assert 20.0 < u.y < 24.7
    assert bases.can_stand_at(g, 0, u.x, u.y, u.face)


def test_native_americans_with_nowhere_to_stop_are_lost_VBW_NAT_01_VBW_DEF_14() -> None:
    charger = {"abilities": ("native",), "sp": 1, "form": r.SKIRMISH, "morale": 5, "y": 5.0}
    g = clash(6, 1, charger=charger, target={"y": 6.5}, others=tuple(Stand(y=y) for y in (0.4, 2.0)))
    step.check_all(g)
    assert (g.u[0].place, g.u[0].lost) == (r.GONE, 1)


def test_native_americans_who_pass_form_for_the_melee_VBW_MOV_24_VBD_MOV_20() -> None:
    g = clash(1, 1, charger={"abilities": ("native",), "sp": 1, "form": r.SKIRMISH})
    g.recording, g.events_n = 1, 0
    step.check_all(g)
    assert (g.u[0].form, g.u[0].charges) == (r.FORMED, 1)
    told = [KINDS[int(event.what)] for event in g.events[: g.events_n] if event.actor == 0]
    assert told[-1] == ("forms_to_fight", "VBW-MOV-24"), "the table shows the base they have now"


def test_native_americans_who_stand_formed_already_are_not_said_to_form_VBW_MOV_24() -> None:
    g = clash(1, 1, charger={"abilities": ("native",), "sp": 1, "form": r.FORMED})
    g.recording, g.events_n = 1, 0
    step.check_all(g)
    assert "forms_to_fight" not in [KINDS[int(event.what)][0] for event in g.events[: g.events_n]]


@pytest.mark.parametrize(("die", "gone"), [(1, False), (6, True)])
def test_native_americans_disordered_before_horse_are_eliminated_VBW_NAT_04_VBD_NAT_02(
    die: int, gone: bool
) -> None:
    g = clash(1, die, charger={"kind": "LC"}, target={"abilities": ("native",), "sp": 1})
    step.check_all(g)
    assert bool(g.u[1].place == r.GONE) is gone


def test_several_enemies_count_each_and_formed_ones_take_the_skirmish_bonus_VBW_MOR_14() -> None:
    loose = {"abilities": ("detachments",), "form": r.SKIRMISH, "x": 30.0}
    for other, flags in (({}, False), ({"x": 33.0, "y": 31.5}, True)):
        friend = (Stand(1, **other),) if other else ()
        g = clash(1, 1, target=loose, others=friend)
        found, due, by = step.melee_flags(g, 0)
        assert (due, by) == (1, 1)
        assert bool(found & step.AT_SKIRMISHERS) is not flags
