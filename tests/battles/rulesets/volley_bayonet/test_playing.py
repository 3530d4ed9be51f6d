"""When commanders play their cards, and on whom."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import cards, playing
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Leader, Stand, field, paint
from tests.battles.rulesets.volley_bayonet.test_cards import holding


def playing_side(g: Any, *numbers: int, side: int = 0, mover: int = 0) -> Any:
    """The record with cards on, these in a side's hand; side 0 is the Crown's."""
    g.o.cards, g.mover = 1, mover
    return holding(g, side, *numbers)


def in_melee(*abilities: Any, nation: int = r.BRITISH) -> Any:
    """A stand of the Crown in contact with one of the Rebels, whom it has charged."""
    g = field(
        Stand(y=18.5, nation=nation, abilities=abilities), Stand(1, kind="SI", y=20.0, nation=r.AMERICAN)
    )
    g.u[0].charged, g.u[0].charges = 1, 1
    return g


def test_without_the_option_no_card_is_played_VBW_SEQ_01() -> None:
    g = holding(in_melee(), 0, cards.STEEL_CROWN)
    playing.play_cards(g, playing.BEFORE_CHECKS)
    assert g.hand_n[0] == 1 and g.battalions[1].step_die == 0


def test_a_card_waits_for_its_moment_VBW_CRD_05_VBW_CRD_06() -> None:
    g = playing_side(in_melee(), cards.STEEL_CROWN)
    playing.play_cards(g, playing.BEFORE_MOVES)
    playing.play_cards(g, playing.AT_AIMS)
    assert g.hand_n[0] == 1
    playing.play_cards(g, playing.BEFORE_CHECKS)
    assert (g.hand_n[0], g.discards_n, g.battalions[1].step_die) == (0, 1, 1)


@pytest.mark.parametrize("nation", [r.BRITISH, r.GERMAN])
def test_british_steel_is_for_the_british_alone_VBW_CRD_22(nation: int) -> None:
    g = playing_side(in_melee(nation=nation), cards.STEEL_BRITISH)
    playing.play_cards(g, playing.BEFORE_CHECKS)
    assert g.battalions[1].step_die == (1 if nation == r.BRITISH else 0)


def test_steel_is_kept_when_nobody_is_meleed_VBW_CRD_06_VBW_CRD_21() -> None:
    g = playing_side(field(Stand(), Stand(1, y=40.0)), cards.STEEL_CROWN)
    playing.play_cards(g, playing.BEFORE_CHECKS)
    assert g.hand_n[0] == 1


def test_order_and_rally_go_to_who_needs_them_most_VBW_CRD_24_VBW_CRD_29() -> None:
    g = field(
        Stand(unit="a", state=r.DISORDERED), Stand(unit="b", x=40, state=r.DISORDERED),
        Stand(unit="b", x=44, state=r.DISORDERED), Stand(unit="c", x=60, state=r.ROUTED), Stand(1, y=60.0),
    )  # fmt: skip
    playing.play_cards(playing_side(g, cards.ORDER_CROWN, cards.RALLY_CROWN), playing.BEFORE_MOVES)
    states = [int(g.u[i].state) for i in range(4)]
    assert states == [r.DISORDERED, r.GOOD, r.GOOD, r.PERMANENT] and g.hand_n[0] == 0


def test_good_going_is_for_who_would_just_not_reach_the_enemy_VBW_CRD_18() -> None:
    g = playing_side(
        field(Stand(unit="far", x=90.0, y=2.0), Stand(unit="near"), Stand(1, y=20.0 + 16.0 + 3.5)),
        cards.GOOD_GOING,
    )
    playing.play_cards(g, playing.BEFORE_MOVES)
    assert g.battalions[0].going == 0.0 and g.battalions[1].going > 0.0


def test_bad_going_is_for_the_enemys_phase_VBW_CRD_17() -> None:
    stands = (Stand(), Stand(1, kind="SI", y=20.0 + 12.0))
    own = playing_side(field(*stands), cards.BAD_GOING, mover=0)
    playing.play_cards(own, playing.BEFORE_MOVES)
    assert own.hand_n[0] == 1
    theirs = playing_side(field(*stands), cards.BAD_GOING, mover=1)
    playing.play_cards(theirs, playing.BEFORE_MOVES)
    assert theirs.hand_n[0] == 0 and theirs.battalions[1].going < 0.0


def test_a_volley_is_for_who_has_aimed_and_spoiled_for_the_enemy_who_has_VBW_CRD_14_VBW_CRD_15() -> None:
    g = field(Stand(), Stand(x=50.0), Stand(1, y=27.0))
    g.u[0].aims = 2
    playing.play_cards(playing_side(g, cards.VOLLEY), playing.AT_AIMS)
    assert [int(g.battalions[k].fire_again) for k in range(2)] == [1, 0]
    playing.play_cards(playing_side(g, cards.BAD_VOLLEY, side=1), playing.AT_AIMS)
    assert g.battalions[0].extra_saves == 1


@pytest.mark.parametrize(("y", "played"), [(28.0, True), (40.0, False)])
def test_officers_are_picked_off_within_range_only_VBW_CRD_11(y: float, played: bool) -> None:
    g = playing_side(field(Stand(), Stand(1, y=y)), cards.OFFICERS)
    playing.play_cards(g, playing.AT_AIMS)
    assert (g.hand_n[0] == 0) == played


@pytest.mark.parametrize(("abilities", "played"), [(("R", "detachments"), True), ((), False)])
def test_riflemen_pick_off_officers_VBW_CRD_41(abilities: Any, played: bool) -> None:
    g = field(Stand(), Stand(1, y=27.0, abilities=abilities, nation=r.AMERICAN))
    playing.play_cards(playing_side(g, cards.PICK_OFF, side=1), playing.AT_AIMS)
    assert (g.hand_n[1] == 0) == played


@pytest.mark.parametrize(("x", "played"), [(30.0, True), (60.0, False)])
def test_sharpshooters_aim_at_a_commander_near_them_VBW_CRD_16(x: float, played: bool) -> None:
    g = field(
        Stand(abilities=("SS", "R", "detachments")), Stand(1, x=x, y=28.0),
        leaders=(Leader(1, r.ARMY_COMMANDER, x, 29.0),), dice=(6, 6),
    )  # fmt: skip
    playing.play_cards(playing_side(g, cards.SHARPSHOOTERS), playing.AT_AIMS)
    assert (g.leaders[0].state == r.OUT_OF_PLAY) == played


@pytest.mark.parametrize(("militia", "checked"), [(True, True), (False, False)])
def test_panic_is_for_militia_that_sees_its_own_rout_VBW_CRD_27(militia: bool, checked: bool) -> None:
    g = field(
        Stand(), Stand(1, unit="run", x=40.0, y=30.0, state=r.ROUTED, nation=r.AMERICAN),
        Stand(1, unit="see", y=30.0, nation=r.AMERICAN, abilities=("MIL",) if militia else ()),
        dice=(6,),
    )  # fmt: skip
    playing.play_cards(playing_side(g, cards.PANIC), playing.BEFORE_CHECKS)
    assert (g.hand_n[0] == 0) == checked
    assert (g.u[2].state == r.ROUTED) == checked


def test_who_routs_from_a_card_runs_at_once_from_the_enemy_VBW_CRD_28() -> None:
    g = field(Stand(), Stand(1, y=34.0, state=r.DISORDERED, nation=r.AMERICAN), dice=(6,))
    playing.play_cards(playing_side(g, cards.REGULARS_CHECK), playing.BEFORE_CHECKS)
    assert g.u[1].state == r.ROUTED and g.u[1].y > 45.0 and g.u[1].runs == 0


def test_knowledge_of_the_ground_is_for_who_is_in_rough_going_VBW_CRD_31_VBW_CRD_47() -> None:
    g = field(Stand(nation=r.LOYALIST), Stand(x=60.0, nation=r.LOYALIST), Stand(1, y=60.0))
    paint(g, "forest", x=(50, 70))
    playing.play_cards(playing_side(g, cards.GROUND_LOYALIST), playing.BEFORE_MOVES)
    assert [int(g.battalions[k].free_ground) for k in range(2)] == [0, 1]
