"""The fog of war cards as data: whose they are, whom they work on, how many there are. No numba here."""

from dataclasses import dataclass

#: Whose a card is (VBW-CRD-09).
NEUTRAL, CROWN, REBEL = "neutral", "crown", "rebel"
WHOSE = {NEUTRAL: "either side", CROWN: "the Crown", REBEL: "the Rebels"}


#: When most cards are of use; one may be played at any moment (VBW-CRD-05).
COMBATS = "when combats are to be fought"
THEIR_MOVE, YOUR_MOVE = "before an enemy unit moves", "before a unit of yours moves"
CHECKS = "before morale is checked"


@dataclass(frozen=True, slots=True)
class Card:
    """A card: the number of its rule, its name, whose it is, when it is played, what it does, its copies."""

    number: int
    title: str
    kind: str
    when: str
    does: str
    copies: int = 1

    @property
    def rule(self) -> str:
        """The rule of the card."""
        return f"VBW-CRD-{self.number}"


def _describe_cold_steel(whom: str, by: str) -> str:
    return (
        f"One {whom} unit in melee with {by} adds 1 to each of its morale dice in this step, unless another "
        "card does so already."
    )


def _describe_reroll(whose: str) -> str:
    return f"One {whose} unit rolls all its failed checks of this step again, once; the second roll stands."


def _describe_steadying(whose: str) -> str:
    return f"One {whose} unit takes 1 from each of its morale dice until the turn ends."


def _describe_rally(whose: str) -> str:
    return (
        f"All routed stands of one {whose} unit rally at once, without a commander. They stay permanently "
        "disordered and the SP is lost; played as they rout, it saves them the run."
    )


def _describe_recovery(whose: str) -> str:
    return (
        f"One {whose} unit recovers from disorder (yellow) and gives up none of its move for it. "
        "Permanent disorder (red) stays."
    )


def _describe_fright(whom: str) -> str:
    return f"One unit of {whom} checks morale, with 1 added to each die."


def _describe_local_knowledge(whose: str) -> str:
    return (
        f"The foot of one {whose} unit crosses one piece of ground that slows it as if it were open. "
        "What disorders there still does."
    )


#: The deck of 40 (VBW-CRD-10): each neutral twice, and three Rebel ones once more.
CARDS: tuple[Card, ...] = (
    Card(
        11, "Officer Casualties", NEUTRAL, COMBATS,
        "Name an enemy unit that small arms of yours may shoot at, and roll a die. On 4 or more its unit "
        "commander is out of play for one turn, and each of its stands checks morale at \u22121.", 2,
    ),
    Card(
        12, "Good Gunnery!!", NEUTRAL, "when guns of yours have rolled to hit",
        "One artillery unit rolls again, once, all dice that missed.", 2,
    ),
    Card(
        13, "Bad Gunnery!!", NEUTRAL, "when enemy guns have hit",
        "Against one artillery unit: each hit it makes this turn has one save more.", 2,
    ),
    Card(
        14, "Devastating Volley", NEUTRAL, "when foot of yours has rolled for fire",
        "One infantry unit rolls again, once, all dice of its fire that missed.", 2,
    ),
    Card(
        15, "Disappointing Volley", NEUTRAL, "when fire of enemy foot has hit",
        "Against one infantry unit: each hit of its fire has one save more.", 2,
    ),
    Card(
        16, "Sharpshooters", NEUTRAL, COMBATS,
        "Name an enemy commander whom sharpshooters of yours see within 12 inches, and roll a die. 1 or 2: "
        "nothing. 3 or 4: his horse is shot, and he does not command for one turn. 5 or 6: he is hit and out "
        "of play for half a die of turns, fractions up.", 2,
    ),
    Card(
        17, "Bad Going", NEUTRAL, THEIR_MOVE,
        "Roll for one enemy unit: foot and guns move a die of inches less this turn, horse two dice. One "
        "roll for all its stands.", 2,
    ),
    Card(
        18, "Good Going", NEUTRAL, YOUR_MOVE,
        "Roll for one unit of yours: foot and guns move a die of inches more this turn, horse two dice. One "
        "roll for all its stands.", 2,
    ),
    Card(21, "Cold Steel!!!", CROWN, CHECKS, _describe_cold_steel("Rebel", "any Crown unit")),
    Card(22, "Cold Steel!!! (British Army)", CROWN, CHECKS,
         _describe_cold_steel("Rebel", "British regulars")),
    Card(23, "God Save the King!!!", CROWN, "when checks have failed", _describe_reroll("Crown")),
    Card(24, "God Save the King!!", CROWN, "as a unit routs, or later", _describe_rally("British")),
    Card(25, "God Save the King!", CROWN, CHECKS, _describe_steadying("British")),
    Card(26, "Gott mit uns!", CROWN, CHECKS, _describe_steadying("German")),
    Card(27, "Panic!!!", CROWN, "when a Rebel unit routs",
         _describe_fright("Rebel militia that sees the rout")),
    Card(
        28, "Regulars!!!", CROWN, CHECKS,
        _describe_fright("Rebels within 18 inches of British infantry that sees them"),
    ),
    Card(29, "Regulars!!", CROWN, YOUR_MOVE, _describe_recovery("Crown")),
    Card(30, "Regulars!", CROWN, YOUR_MOVE, _describe_recovery("British")),
    Card(31, "Loyalist Knowledge", CROWN, YOUR_MOVE, _describe_local_knowledge("Loyalist")),
    Card(32, "Highlander Fury", CROWN, CHECKS, _describe_cold_steel("Rebel", "Highlanders")),
    Card(
        41, "Pick Off the Officers, Boys", REBEL, COMBATS,
        "Name an enemy unit within 12 inches of riflemen of yours who may shoot at it, and roll a die. On 2 "
        "or more its unit commander is out of play for one turn, and each of its stands checks morale at "
        "\u22121. The rifles may still fire.",
    ),
    Card(42, "The Old Line State!!!", REBEL, CHECKS,
         _describe_cold_steel("Crown", "Maryland or Delaware troops")),
    Card(43, "Liberty or Death!", REBEL, "as a unit routs, or later", _describe_rally("American"), 2),
    Card(44, "Liberty or Death!!", REBEL, "when checks have failed", _describe_reroll("American")),
    Card(45, "Liberty or Death!!!", REBEL, CHECKS, _describe_steadying("American")),
    Card(
        46, "Local Knowledge!", REBEL, "before a Crown unit crosses a stream",
        "Twelve inches of the stream have marshy banks for Crown units until the battle ends.", 2,
    ),
    Card(47, "Local Knowledge", REBEL, YOUR_MOVE, _describe_local_knowledge("American"), 2),
    Card(48, "Cold Steel!!! (light infantry)", REBEL, CHECKS,
         _describe_cold_steel("Crown", "American light infantry")),
    Card(49, "Tarleton's Quarter", REBEL, CHECKS, _describe_cold_steel("Loyalist", "any Rebel unit")),
)  # fmt: skip
BY_NUMBER = {card.number: card for card in CARDS}


def deck_of() -> tuple[int, ...]:
    """Numbers of all cards of the deck, in order."""
    return tuple(card.number for card in CARDS for _ in range(card.copies))
