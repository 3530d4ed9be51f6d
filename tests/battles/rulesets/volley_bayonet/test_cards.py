"""The deck, the hands, and each card."""

from typing import Any

import pytest

from battles.engine.dice import draw_words
from battles.rulesets.volley_bayonet import cards, deck
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.recording import RECOVERS
from tests.battles.rulesets.volley_bayonet.books import RULES
from tests.battles.rulesets.volley_bayonet.checks.cards import deck_faults
from tests.battles.rulesets.volley_bayonet.forces import Leader, Stand, field, throw


def holding(g: Any, side: int, *numbers: int) -> Any:
    """The record with these cards in a side's hand."""
    for number in numbers:
        g.hands[side, g.hand_n[side]] = number
        g.hand_n[side] += 1
    return g


def dealt(hand: int, seed: int, *, crown: int = 0) -> Any:
    """A record whose hands have been dealt from the whole deck."""
    g = field(Stand(), Stand(1))
    g.crown, g.o.hand = crown, hand
    g.dice[:] = draw_words(seed, g.dice.shape[0])
    g.dice_n = g.dice.shape[0]
    for k, number in enumerate(deck.deck_of()):
        g.deck[k] = number
    g.deck_n = len(deck.deck_of())
    cards.card_phase(g)
    return g


def all_cards(g: Any) -> list[int]:
    held = [int(card) for side in range(2) for card in g.hands[side, : g.hand_n[side]]]
    return sorted([*held, *map(int, g.deck[: g.deck_n]), *map(int, g.discards[: g.discards_n])])


def test_every_card_of_the_catalogue_is_in_the_deck_VBW_CRD_01_VBW_CRD_10_VBD_ABS_05() -> None:
    listed = [rule for rule in RULES if rule.startswith("VBW-CRD-") and int(rule[-2:]) >= 11]
    assert [card.rule for card in deck.CARDS] == sorted(listed)
    assert {card.number for card in deck.CARDS if card.kind == deck.NEUTRAL} == set(range(11, 19))
    default = RULES["VBW-CRD-10"]["table"]["default_deck"]
    counted = {
        kind: sum(c.copies for c in deck.CARDS if c.kind == kind) for kind in default if kind != "total"
    }
    assert counted | {"total": len(deck.deck_of())} == default
    for card in deck.CARDS:
        assert card.copies in ((2, 3, 4, 5, 6) if card.kind == deck.NEUTRAL else (1, 2))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_sides_hold_as_many_and_no_card_is_lost_VBW_CRD_02_VBW_CRD_05(seed: int) -> None:
    g = dealt(4, seed)
    assert list(g.hand_n) == [4, 4]
    assert all_cards(g) == sorted(deck.deck_of())


def test_what_was_played_goes_back_before_new_cards_are_drawn_VBW_CRD_06_VBW_CRD_07() -> None:
    g = dealt(2, 5)
    kept = int(g.hands[0, 0])
    cards.discard_card(g, 0, 1)
    assert (g.hand_n[0], g.discards_n) == (1, 1)
    cards.card_phase(g)
    assert (g.hand_n[0], g.discards_n) == (2, 0)
    if cards.is_of(kept, 1):
        assert kept in g.hands[0, :2], "a held card may stay in hand"
    assert all_cards(g) == sorted(deck.deck_of())


def test_each_side_plays_neutral_cards_and_its_own_VBW_CRD_09() -> None:
    assert [cards.is_of(card, crown) for card in (11, 21, 41) for crown in (1, 0)] == [
        True, True, True, False, False, True,
    ]  # fmt: skip
    g = holding(field(Stand(nation=r.AMERICAN)), 0, cards.STEADY_REBEL)
    assert not cards.play_card(g, 0, 0, 0), "side 0 is the Crown's"
    assert g.hand_n[0] == 1
    g.crown = 1
    assert cards.play_card(g, 0, 0, 0)


@pytest.mark.parametrize(("die", "falls"), [(3, False), (4, True)])
def test_officer_casualties_VBW_CRD_11(die: int, falls: bool) -> None:
    g = field(Stand(), Stand(1, morale=6), leaders=(Leader(1, r.UNIT_COMMANDER, 30, 30, unit=1),))
    throw(g, die, 6)
    assert cards.play_card(holding(g, 0, cards.OFFICERS), 0, 0, 1)
    assert g.leaders[0].state == (r.OUT_OF_PLAY if falls else r.COMMANDS)
    assert g.u[1].state == (r.DISORDERED if falls else r.GOOD), "a 6 fails morale 6 - 1"


@pytest.mark.parametrize(("die", "falls"), [(1, False), (2, True)])
def test_pick_off_the_officers_VBW_CRD_41(die: int, falls: bool) -> None:
    g = field(Stand(abilities=("R",)), Stand(1, morale=6), dice=(die, 6))
    g.crown = 1
    assert cards.has_riflemen(g, 0) and not cards.has_riflemen(g, 1)
    assert cards.play_card(holding(g, 0, cards.PICK_OFF), 0, 0, 1)
    assert g.u[1].state == (r.DISORDERED if falls else r.GOOD)


def test_volleys_name_infantry_VBW_CRD_14_VBW_CRD_15() -> None:
    g = field(Stand(), Stand(kind="LC", x=40), Stand(1))
    assert [cards.may_name(g, 0, cards.VOLLEY, k) for k in range(3)] == [True, False, False]
    assert [cards.may_name(g, 0, cards.BAD_VOLLEY, k) for k in range(3)] == [False, False, True]
    assert cards.play_card(holding(g, 0, cards.BAD_VOLLEY, cards.VOLLEY), 0, 0, 2)
    assert cards.play_card(g, 0, 0, 0)
    assert (g.battalions[2].extra_saves, g.battalions[0].fire_again) == (1, 1)


@pytest.mark.parametrize(
    ("dice", "turns"), [((1,), 0), ((2,), 0), ((3,), 1), ((4,), 1), ((5, 1), 1), ((6, 4), 2), ((6, 5), 3)]
)
def test_sharpshooters_at_a_commander_VBW_CRD_16_VBW_GEN_04(dice: tuple[int, ...], turns: int) -> None:
    g = field(Stand(), Stand(1), leaders=(Leader(1, r.ARMY_COMMANDER, 30, 30),))
    throw(g, *dice)
    assert cards.play_card(holding(g, 0, cards.SHARPSHOOTERS), 0, 0, 0)
    assert g.leaders[0].back == (g.turn + turns if turns else 0)


@pytest.mark.parametrize(("card", "sign"), [(cards.BAD_GOING, -1), (cards.GOOD_GOING, 1)])
def test_going_VBW_CRD_17_VBW_CRD_18(card: int, sign: int) -> None:
    for kind, inches in (("FI", 3), ("Fd", 3), ("LC", 8)):
        side = 1 if sign < 0 else 0
        g = field(Stand(side, kind=kind), dice=(3, 5))
        assert cards.play_card(holding(g, 0, card), 0, 0, 0)
        assert g.battalions[0].going == sign * inches
        cards.end_turn(g)
        assert g.battalions[0].going == 0.0


@pytest.mark.parametrize(
    ("card", "crown", "works"),
    [
        (cards.STEEL_CROWN, 0, {"british": True, "german": True}),
        (cards.STEEL_BRITISH, 0, {"british": True, "german": False}),
        (cards.HIGHLAND_FURY, 0, {"british": False, "highland": True}),
        (cards.OLD_LINE, 1, {"american": False, "maryland": True}),
        (cards.STEEL_LIGHT, 1, {"american": False, "light": True}),
        (cards.TARLETON, 1, {"american": True}),
    ],
)
def test_cold_steel_VBW_CRD_21_22_32_42_48_49(card: int, crown: int, works: dict[str, bool]) -> None:
    nations = {"british": r.BRITISH, "highland": r.BRITISH, "german": r.GERMAN}
    for who, wanted in works.items():
        g = field(Stand(nation=nations.get(who, r.AMERICAN)), Stand(1, nation=r.LOYALIST))
        g.crown = crown
        b = g.battalions[0]
        b.highland, b.maryland, b.light = int(who == "highland"), int(who == "maryland"), int(who == "light")
        assert bool(cards.steel_of(g, card, 0)) is wanted
        assert cards.play_card(holding(g, 0, card), 0, 0, 1)
        assert g.battalions[1].step_die == 1
        cards.end_step(g)
        assert g.battalions[1].step_die == 0


def test_one_cold_steel_is_enough_VBW_CRD_22() -> None:
    g = holding(field(Stand(), Stand(1)), 0, cards.STEEL_CROWN, cards.STEEL_BRITISH)
    assert cards.play_card(g, 0, 0, 1)
    assert not cards.play_card(g, 0, 0, 1)
    assert (g.battalions[1].step_die, g.hand_n[0]) == (1, 1)


def test_tarletons_quarter_names_loyalists_VBW_CRD_49() -> None:
    g = field(Stand(), Stand(1, nation=r.BRITISH), Stand(1, nation=r.LOYALIST, x=50))
    assert [cards.may_name(g, 0, cards.TARLETON, k) for k in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("card", "crown", "nation", "other"),
    [
        (cards.AGAIN_CROWN, 0, r.GERMAN, -1),
        (cards.AGAIN_REBEL, 1, r.AMERICAN, r.FRENCH),
        (cards.RALLY_CROWN, 0, r.BRITISH, r.GERMAN),
        (cards.RALLY_REBEL, 1, r.AMERICAN, r.FRENCH),
        (cards.STEADY_BRITISH, 0, r.BRITISH, r.LOYALIST),
        (cards.STEADY_GERMAN, 0, r.GERMAN, r.BRITISH),
        (cards.STEADY_REBEL, 1, r.AMERICAN, r.FRENCH),
        (cards.ORDER_CROWN, 0, r.LOYALIST, -1),
        (cards.ORDER_BRITISH, 0, r.BRITISH, r.LOYALIST),
        (cards.GROUND_LOYALIST, 0, r.LOYALIST, r.BRITISH),
        (cards.GROUND_REBEL, 1, r.AMERICAN, r.FRENCH),
    ],
)
def test_whom_cards_for_ones_own_may_name_VBW_CRD_23_to_31_43_to_47(
    card: int, crown: int, nation: int, other: int
) -> None:
    g = field(Stand(nation=nation), Stand(1, nation=nation))
    g.crown = crown
    assert cards.may_name(g, 0, card, 0) and not cards.may_name(g, 0, card, 1)
    if other >= 0:
        g.battalions[0].nation = other
        assert not cards.may_name(g, 0, card, 0)


def test_rallied_by_a_card_on_the_spot_VBW_CRD_24_VBW_CRD_43() -> None:
    for card, crown, nation in ((cards.RALLY_CROWN, 0, r.BRITISH), (cards.RALLY_REBEL, 1, r.AMERICAN)):
        g = field(*[Stand(x=20.0 + 4 * k, unit="own", state=r.ROUTED, nation=nation) for k in range(2)])
        g.crown = crown
        assert cards.play_card(holding(g, 0, card), 0, 0, 0)
        assert [u.state for u in g.u[:2]] == [r.PERMANENT, r.PERMANENT]


def test_steady_lasts_for_the_turn_VBW_CRD_25_VBW_CRD_26_VBW_CRD_45() -> None:
    for card, crown, nation in (
        (cards.STEADY_BRITISH, 0, r.BRITISH),
        (cards.STEADY_GERMAN, 0, r.GERMAN),
        (cards.STEADY_REBEL, 1, r.AMERICAN),
    ):
        g = field(Stand(nation=nation))
        g.crown = crown
        assert cards.play_card(holding(g, 0, card), 0, 0, 0)
        cards.end_step(g)
        assert g.battalions[0].die == -1
        cards.end_turn(g)
        assert g.battalions[0].die == 0


def test_panic_and_regulars_make_a_unit_check_at_one_worse_VBW_CRD_27_VBW_CRD_28() -> None:
    for card in (cards.PANIC, cards.REGULARS_CHECK):
        g = field(Stand(), Stand(1, morale=5), dice=(5,))
        assert cards.play_card(holding(g, 0, card), 0, 0, 1)
        assert g.u[1].state == r.DISORDERED
        assert g.battalions[1].step_die == 0


def test_order_is_restored_but_never_red_VBW_CRD_29_VBW_CRD_30() -> None:
    for card in (cards.ORDER_CROWN, cards.ORDER_BRITISH):
        g = field(Stand(unit="a", state=r.DISORDERED), Stand(x=40, unit="a", state=r.PERMANENT))
        assert cards.play_card(holding(g, 0, card), 0, 0, 0)
        assert [u.state for u in g.u[:2]] == [r.GOOD, r.PERMANENT]
        told = [int(row.actor) for row in g.events[: g.events_n] if row.what == RECOVERS]
        assert told == [0], "a replay shows it too"


def test_knowledge_of_the_ground_VBW_CRD_31_VBW_CRD_47() -> None:
    for card, crown, nation in ((cards.GROUND_LOYALIST, 0, r.LOYALIST), (cards.GROUND_REBEL, 1, r.AMERICAN)):
        g = field(Stand(nation=nation))
        g.crown = crown
        assert cards.play_card(holding(g, 0, card), 0, 0, 0)
        assert g.battalions[0].free_ground == 1


def test_streams_become_marshy_for_the_rest_of_the_game_VBW_CRD_46() -> None:
    g = field(Stand())
    assert all(cards.make_marshy(g, 30.0, 10.0 * k) for k in range(4))
    assert not cards.make_marshy(g, 30.0, 50.0)
    cards.end_turn(g)
    assert g.marshy_n == 4


def test_no_elites_and_cards_are_the_same_for_both_hands_VBW_CRD_03_VBW_CRD_04_VBW_CRD_08() -> None:
    for players, hand in ((1, 4), (2, 3), (3, 2)):
        g = field(Stand(), options={"players_per_side": players})
        assert g.o.hand == hand
        assert deck_faults(2 * hand) == []
