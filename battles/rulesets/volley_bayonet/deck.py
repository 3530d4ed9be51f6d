"""The fog of war cards as data: whose they are, whom they work on, how many there are. No numba here."""

from dataclasses import dataclass

#: Whose a card is (VBW-CRD-09).
NEUTRAL, CROWN, REBEL = "neutral", "crown", "rebel"


@dataclass(frozen=True, slots=True)
class Card:
    """A card: the number of its rule, its name, whose it is, what it does in a word, copies in the deck."""

    number: int
    title: str
    kind: str
    effect: str
    copies: int = 1

    @property
    def rule(self) -> str:
        """The rule of the card."""
        return f"VBW-CRD-{self.number}"


#: The deck of 40 (VBW-CRD-10): each neutral twice, and three Rebel ones once more.
CARDS: tuple[Card, ...] = (
    Card(11, "Officer Casualties", NEUTRAL, "officers", 2),
    Card(12, "Good Gunnery!!", NEUTRAL, "gunnery", 2),
    Card(13, "Bad Gunnery!!", NEUTRAL, "bad gunnery", 2),
    Card(14, "Devastating Volley", NEUTRAL, "volley", 2),
    Card(15, "Disappointing Volley", NEUTRAL, "bad volley", 2),
    Card(16, "Sharpshooters", NEUTRAL, "sharpshooters", 2),
    Card(17, "Bad Going", NEUTRAL, "bad going", 2),
    Card(18, "Good Going", NEUTRAL, "good going", 2),
    Card(21, "Cold Steel!!!", CROWN, "cold steel"),
    Card(22, "Cold Steel!!! (British Army)", CROWN, "cold steel"),
    Card(23, "God Save the King!!!", CROWN, "again"),
    Card(24, "God Save the King!!", CROWN, "rally"),
    Card(25, "God Save the King!", CROWN, "steady"),
    Card(26, "Gott mit uns!", CROWN, "steady"),
    Card(27, "Panic!!!", CROWN, "panic"),
    Card(28, "Regulars!!!", CROWN, "regulars"),
    Card(29, "Regulars!!", CROWN, "order"),
    Card(30, "Regulars!", CROWN, "order"),
    Card(31, "Loyalist Knowledge", CROWN, "free ground"),
    Card(32, "Highlander Fury", CROWN, "cold steel"),
    Card(41, "Pick Off the Officers, Boys", REBEL, "pick off"),
    Card(42, "The Old Line State!!!", REBEL, "cold steel"),
    Card(43, "Liberty or Death!", REBEL, "rally", 2),
    Card(44, "Liberty or Death!!", REBEL, "again"),
    Card(45, "Liberty or Death!!!", REBEL, "steady"),
    Card(46, "Local Knowledge!", REBEL, "marshy banks", 2),
    Card(47, "Local Knowledge", REBEL, "free ground", 2),
    Card(48, "Cold Steel!!! (light infantry)", REBEL, "cold steel"),
    Card(49, "Tarleton's Quarter", REBEL, "cold steel"),
)
BY_NUMBER = {card.number: card for card in CARDS}


def deck_of() -> tuple[int, ...]:
    """Numbers of all cards of the deck, in order."""
    return tuple(card.number for card in CARDS for _ in range(card.copies))


def deck_faults(hands: int) -> list[str]:
    """What is wrong with a deck for so many cards held on both sides together (VBW-CRD-08, VBW-CRD-10)."""
    total = len(deck_of())
    by_kind = {kind: sum(c.copies for c in CARDS if c.kind == kind) for kind in (NEUTRAL, CROWN, REBEL)}
    faults = []
    if not total <= 3 * by_kind[NEUTRAL] or not 2 * by_kind[NEUTRAL] <= total:
        faults.append("neutral cards must be a third to a half of the deck")
    if by_kind[CROWN] != by_kind[REBEL]:
        faults.append("there must be as many Crown as Rebel cards")
    if total - hands < 2 * hands:
        faults.append(f"{total} cards are too few for hands of {hands} in all; take {3 * hands} or more")
    return faults
