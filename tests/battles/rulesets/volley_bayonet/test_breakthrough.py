"""Breakthroughs: who makes one, onto the ground won or at the next enemy, and what it costs."""

from typing import Any

import pytest

from battles.engine.dtypes import ADVANCE
from battles.rulesets.volley_bayonet import aiming, bases, breakthrough, combat, exhaustion, states
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.checks.morale import attack
from tests.battles.rulesets.volley_bayonet.forces import Stand, build, field, throw

NATIVE: Any = {"abilities": ("native",), "sp": 1}


def charge(
    *dice: int,
    charger: Any = None,
    target: Any = None,
    others: tuple[Stand, ...] = (),
    bold: bool = True,
    options: Any = None,
) -> Any:
    """Stand 0 in contact with stand 1, disordered, which it has charged; the dice to fall, by stands."""
    facts = {"y": 30.0, "sp": 3, "brigade": 0} | (charger or {})
    foe = {"y": 31.5, "sp": 3, "state": r.DISORDERED} | (target or {})
    g = field(Stand(0, **facts), Stand(1, **foe), *others, options=options)
    attack(g, 0, 1)
    g.plans[0].boldness = 9.0 if bold else 0.0
    if not bold:
        g.plan[0] = ADVANCE
    throw(g, *dice)
    return g


def played(*dice: int, **facts: Any) -> Any:
    """The record of `charge` after its morale step."""
    g = charge(*dice, **facts)
    breakthrough.morale_and_breakthroughs(g)
    return g


def test_a_target_that_routs_by_its_check_lets_the_charger_through_VBW_BRK_01() -> None:
    g = played(1, 6, bold=False)
    assert g.u[1].state == r.ROUTED
    assert (g.u[0].y, g.u[0].charged, g.u[0].charges) == (31.5, 0, -1)


def test_so_does_one_that_is_removed_by_it_VBW_BRK_01() -> None:
    g = played(1, 6, bold=False, target={"state": r.ROUTED})
    assert g.u[1].state == r.REMOVED
    assert g.u[0].y == 31.5


@pytest.mark.parametrize(
    ("dice", "state"),
    [((1, 1), r.DISORDERED), ((1, 6), r.GOOD)],
)
def test_a_target_that_stays_is_fought_VBW_BRK_01(dice: Any, state: int) -> None:
    g = played(*dice, target={"state": state})
    assert (g.u[0].y, g.u[0].charges, g.u[0].charged) == (30.0, 1, 1)
    assert breakthrough.in_melee(g, 0) and breakthrough.in_melee(g, 1)


def test_a_charger_that_routs_itself_breaks_nothing_through_VBW_BRK_01() -> None:
    g = played(6, 6, charger={"state": r.DISORDERED})
    assert [u.state for u in g.u[:2]] == [r.ROUTED, r.ROUTED]
    assert g.u[0].y < 30.0 and g.u[0].charges == -1


def test_who_touches_another_that_stands_fast_stays_and_fights_him_VBW_BRK_01() -> None:
    g = played(1, 6, 1, others=(Stand(1, x=32.5, y=31.5 + 0.1),), target={"x": 29.0})
    assert [g.u[k].state for k in (1, 2)] == [r.ROUTED, r.GOOD]
    assert (g.u[0].y, g.u[0].charged) == (30.0, 1)
    assert breakthrough.in_melee(g, 0)


def test_only_the_active_side_breaks_through_VBW_BRK_01_VBW_BRK_02() -> None:
    g = charge(1, 6)
    g.mover = 1
    breakthrough.morale_and_breakthroughs(g)
    assert g.u[0].y == 30.0


def test_it_takes_the_ground_faces_as_it_likes_and_may_fire_VBW_BRK_03_VBW_BRK_02() -> None:
    g = charge(1, 6, bold=False, others=(Stand(1, x=36.0, y=31.0, face=270),))
    breakthrough.morale_and_breakthroughs(g)
    u = g.u[0]
    assert u.face not in (0, 180), "it faces the next enemy"
    assert (u.state, u.charges, u.free_turn, u.stationary) == (r.GOOD, -1, 0, 0)
    assert combat.fire_dice(g, u) == 3
    assert aiming.choose_aim(g, 0) == 2
    assert not bases.is_touching(g, 0, 2), "it came into no new contact"


@pytest.mark.parametrize("choice", ["on", "off"])
def test_the_option_of_melee_winners_has_no_say_VBW_BRK_03(choice: str) -> None:
    g = played(1, 6, bold=False, options={"winner_may_advance": choice})
    assert g.u[0].y == 31.5


def test_horse_takes_the_ground_but_does_not_fire_VBW_BRK_03() -> None:
    g = played(1, 6, bold=False, charger={"kind": "LC"})
    assert (g.u[0].y, g.u[0].state) == (31.5, r.GOOD)
    assert combat.fire_dice(g, g.u[0]) == 0


def test_ground_taken_is_taken_short_of_others_VBW_BRK_03() -> None:
    g = played(1, 6, 1, bold=False, others=(Stand(1, x=31.0, y=33.1),))
    assert 30.0 < g.u[0].y <= 31.5
    assert bases.measure_gap(g, 0, 2) >= 0.25 - 1e-6


def test_nobody_takes_ground_off_the_table_or_in_a_block_VBW_BRK_03() -> None:
    g = charge(1, 6, bold=False)
    build(g, 30.0, 33.2)
    breakthrough.takes_ground(g, 0)
    assert g.u[0].y < 31.2


def test_it_charges_on_for_half_a_turn_VBW_BRK_04_VBW_BRK_02() -> None:
    near = Stand(1, x=30.0, y=38.0, state=r.DISORDERED)
    g = played(1, 6, 1, 1, others=(near,), target={"sp": 1})
    u = g.u[0]
    assert (u.charges, u.charged, u.breaks, u.state) == (2, 1, 1, r.GOOD)
    assert bases.is_touching(g, 0, 2)
    assert g.cursor == 4, "new checks of both, in the ordinary way"
    assert g.u[2].charges == -1 and breakthrough.in_melee(g, 2)


def test_no_farther_than_half_a_turn_VBW_BRK_04() -> None:
    for y, reached in ((39.0, True), (40.5, False)):
        g = played(1, 6, 1, 1, others=(Stand(1, x=30.0, y=y),), target={"sp": 1})
        assert bool(g.u[0].charges == 2) is reached
        assert bool(g.u[0].y == 31.5) is not reached, "else it takes the ground"


def test_what_was_left_of_its_turn_does_not_matter_VBW_BRK_04() -> None:
    g = charge(1, 6, 1, 1, others=(Stand(1, x=30.0, y=38.0),), target={"sp": 1})
    g.u[0].left, g.u[0].facings = 0.0, 1
    breakthrough.morale_and_breakthroughs(g)
    assert (g.u[0].charges, g.u[0].left) == (2, 0.0)


@pytest.mark.parametrize(
    ("abilities", "state"), [((), r.GOOD), (("PT",), r.DISORDERED), (("MIL",), r.DISORDERED)]
)
def test_the_poorly_trained_face_for_nothing_but_lose_their_order_VBW_BRK_04(
    abilities: Any, state: int
) -> None:
    g = played(
        1, 6, 1, 1,
        charger={"abilities": abilities, "state": r.GOOD},
        target={"sp": 1},
        others=(Stand(1, x=36.0, y=33.0, face=270, state=r.DISORDERED),),
    )  # fmt: skip
    u = g.u[0]
    assert (u.charges, u.state, u.free_turn, u.facings) == (2, state, 0, 0)
    assert u.face not in (0, 180)


def test_the_poorly_trained_who_take_the_ground_keep_their_order_VBW_BRK_03_VBW_BRK_04() -> None:
    g = played(1, 6, bold=False, charger={"abilities": ("PT",)})
    assert (g.u[0].y, g.u[0].state) == (31.5, r.GOOD)


def test_a_second_breakthrough_move_disorders_VBW_BRK_05() -> None:
    row = (
        Stand(1, x=30.0, y=36.0, sp=1, state=r.DISORDERED),
        Stand(1, x=30.0, y=42.0, sp=3),
    )
    g = played(1, 6, 1, 6, 1, 1, target={"sp": 1}, others=row)
    u = g.u[0]
    assert [g.u[k].state for k in (1, 2)] == [r.REMOVED, r.REMOVED]
    assert (u.breaks, u.charges, u.state) == (2, 3, r.DISORDERED)
    assert bases.is_touching(g, 0, 3)
    assert u.nerve == 4, "it checks in disorder"


def test_ground_taken_after_a_breakthrough_disorders_nobody_VBW_BRK_05() -> None:
    g = played(1, 6, 1, 6, target={"sp": 1}, others=(Stand(1, x=30.0, y=36.0, sp=1, state=r.DISORDERED),))
    assert (g.u[0].breaks, g.u[0].charges, g.u[0].state) == (1, -1, r.GOOD)
    assert g.u[0].y > 34.5


def test_a_stand_of_an_exhausted_brigade_only_takes_the_ground_VBW_BRK_06_VBW_COL_02() -> None:
    g = charge(1, 6, 1, 1, others=(Stand(1, x=30.0, y=38.0),), target={"sp": 1})
    g.brigades[0].level = g.brigades[0].lost = 3
    exhaustion.tire_brigade(g, 0)
    breakthrough.morale_and_breakthroughs(g)
    assert (g.u[0].y, g.u[0].charges) == (31.5, -1)


def test_an_attack_over_a_stream_tells_for_the_whole_phase_VBW_BRK_04_VBW_TER_32() -> None:
    g = charge(1, 6, 1, 1, others=(Stand(1, x=30.0, y=38.0),), target={"sp": 1})
    g.u[0].over_stream = 1
    breakthrough.morale_and_breakthroughs(g)
    assert g.u[0].charges == 2
    assert states.is_disordered(g.u[0])


@pytest.mark.parametrize("kind", ["LC", "MC"])
def test_horse_rides_on_over_natives_for_twelve_inches_and_is_disordered_VBW_NAT_05(kind: Any) -> None:
    for y, reached in ((43.0, True), (45.5, False)):
        g = played(1, 1, 1, 1, charger={"kind": kind}, target=NATIVE, others=(Stand(1, x=30.0, y=y),))
        assert g.u[1].place == r.GONE, "ridden down though it passed its check"
        assert bool(g.u[0].charges == 2) is reached
        assert g.u[0].state == (r.DISORDERED if reached else r.GOOD), "who stays keeps order"


def test_the_disorder_of_the_ride_falls_before_the_next_check_VBW_NAT_05() -> None:
    g = played(1, 1, 1, 1, charger={"kind": "LC"}, target=NATIVE, others=(Stand(1, x=30.0, y=42.0),))
    assert g.u[0].nerve == 4


def test_a_slower_ride_is_of_twelve_inches_as_well_VBW_NAT_05() -> None:
    g = charge(1, 1, 1, 1, charger={"kind": "LC"}, target=NATIVE, others=(Stand(1, x=30.0, y=43.0),))
    g.battalions[0].going = -8.0
    breakthrough.morale_and_breakthroughs(g)
    assert g.u[0].charges == 2


def test_foot_has_no_ride_over_natives_VBW_NAT_05() -> None:
    g = played(1, 6, 1, 1, target=NATIVE | {"state": r.ROUTED}, others=(Stand(1, x=30.0, y=41.0),))
    assert g.u[1].place == r.GONE
    assert (g.u[0].charges, g.u[0].y) == (-1, 31.5)
