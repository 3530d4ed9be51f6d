"""Towns and villages: their dice on four sides, and fire in wood (RTG-TER-20, RTG-TER-24).

Numbers in, numbers out: a battle's structures have no fields yet for what they are made of or whether
they burn.
"""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.rtg.tables import (
    BURNS_FOR,
    CATCHES_ON,
    SIDES,
    TOWN_OUT_FROM,
    VILLAGE_OUT_FROM,
)

#: What a place is; what is neither burning nor burnt has no turn of a fire.
VILLAGE_PLACE, TOWN_PLACE = 0, 1
NOT_BURNING = 0


@jit
def side_dice(total: Any) -> Any:
    """Dice on each of a town's sides: a quarter of the defenders', fractions up (RTG-TER-20)."""
    return -(-total // SIDES)


@jit
def catches_fire(die: Any) -> Any:
    """True when a wooden place catches fire in a turn in which guns fire at it or it is meleed (RTG-TER-24).

    One die a player turn; its occupiers then retreat at the end of the combat phase, disordered.
    """
    return die >= CATCHES_ON


@jit
def rolls_for_end(lit: Any, turn: Any) -> Any:
    """True in a game turn in which one rolls whether a fire is out: from the second after (RTG-TER-24)."""
    return lit != NOT_BURNING and turn >= lit + BURNS_FOR


@jit
def goes_out(place: Any, die: Any) -> Any:
    """True when a fire is out: on 5 or 6 in a village, on 6 in a town; the place is then broken ground."""
    return die >= (TOWN_OUT_FROM if place == TOWN_PLACE else VILLAGE_OUT_FROM)
