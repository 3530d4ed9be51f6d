"""Worked checks of the fog of war cards."""

from fractions import Fraction
from itertools import product

from battles.rulesets.volley_bayonet import cards, deck
from battles.rulesets.volley_bayonet.figures import hand_size
from tests.battles.checks.common import set_up
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.checks.common import D6, Facts
from tests.battles.rulesets.volley_bayonet.forces import Stand, field


def deck_faults(hands: int) -> list[str]:
    """What is wrong with a deck for so many cards held on both sides together (VBW-CRD-08, VBW-CRD-10)."""
    total = len(deck.deck_of())
    kinds = (deck.NEUTRAL, deck.CROWN, deck.REBEL)
    by_kind = {kind: sum(c.copies for c in deck.CARDS if c.kind == kind) for kind in kinds}
    faults = []
    if not total <= 3 * by_kind[deck.NEUTRAL] or not 2 * by_kind[deck.NEUTRAL] <= total:
        faults.append("neutral cards must be a third to a half of the deck")
    if by_kind[deck.CROWN] != by_kind[deck.REBEL]:
        faults.append("there must be as many Crown as Rebel cards")
    if total - hands < 2 * hands:
        faults.append(f"{total} cards are too few for hands of {hands} in all; take {3 * hands} or more")
    return faults


def check_card(given: Facts, expect: Facts, scale: str) -> None:
    if "card" in given:
        set_up(given, card="Good Going")
        kinds = [{"infantry": "FI", "cavalry": "LC"}[words] for words in given["units"]]
        for kind, mean in zip(kinds, expect["mean_gain_in"], strict=True):
            total = 0
            for dice in product(D6, D6):
                g = field(Stand(kind=kind), scale=scale, dice=dice)
                g.hands[0, 0], g.hand_n[0] = cards.GOOD_GOING, 1
                assert cards.play_card(g, 0, 0, 0)
                total += int(g.battalions[0].going)
            assert Fraction(total, 36) == Fraction(mean)
    elif "deck" in given:
        numbers = [deck.BY_NUMBER[number].kind for number in deck.deck_of()]
        assert {kind: numbers.count(kind) for kind in set(numbers)} == given["deck"]
        assert len(numbers) == expect["total"]
        assert Fraction(numbers.count("neutral"), len(numbers)) == Fraction(expect["neutral_share"])
        share = Fraction(numbers.count("crown") + numbers.count("rebel"), len(numbers))
        assert share == Fraction(expect["specific_share"])
        assert (deck_faults(8) == []) is expect["legal"]
    elif "deck_total" in given:
        rules = SCALES[scale].options_resolve({"players_per_side": given["players_per_side"]})
        assert 2 * hand_size(rules) == given["hands_total"]
        total, hands = len(deck.deck_of()), given["hands_total"]
        assert (total, total - hands) == (given["deck_total"], expect["deck_left"])
        assert (total - hands >= 2 * hands) is expect["at_least_twice_hands"]
        assert deck_faults(hands) == []
        assert deck_faults(14) == ["40 cards are too few for hands of 14 in all; take 42 or more"]
    else:
        found = []
        for players in given["players_per_side"]:
            options = SCALES[scale].options_resolve({"players_per_side": min(players, 3)})
            found.append(hand_size(options))
        assert found == expect["hand"]
