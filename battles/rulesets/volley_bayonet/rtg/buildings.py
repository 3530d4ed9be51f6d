"""Towns and villages: who holds them, their dice on four sides, stone, and fire in wood (RTG-TER-19 to 24).

Numbers in, numbers out: a battle's structures have no fields yet for what they are made of or whether
they burn.
"""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.records import DETACHMENT, INFANTRY
from battles.rulesets.volley_bayonet.rtg.tables import (
    BURNS_FOR,
    CATCHES_ON,
    ROOM_OF_BRIGADE,
    SIDES,
    TOWN_OUT_FROM,
    TOWN_ROOM,
    VILLAGE_OUT_FROM,
    VILLAGE_ROOM,
)

#: What a place is; what is neither burning nor burnt has no turn of a fire.
VILLAGE_PLACE, TOWN_PLACE = 0, 1
NOT_BURNING = 0


@jit
def room_of(u: Any) -> Any:
    """Room a stand takes: four foot skirmishers or one infantry brigade fill a town; others take none."""
    if u.class_ == INFANTRY:
        return ROOM_OF_BRIGADE
    return 1 if u.class_ == DETACHMENT else 0


@jit
def may_hold(u: Any, place: Any, taken: Any) -> Any:
    """True when a stand may occupy a place where so much room is taken (RTG-TER-20, RTG-TER-22).

    Cavalry and guns occupy none; a village has room for one skirmisher.
    """
    room = room_of(u)
    return room > 0 and taken + room <= (TOWN_ROOM if place == TOWN_PLACE else VILLAGE_ROOM)


@jit
def side_dice(total: Any) -> Any:
    """Dice on each of a town's sides: a quarter of the defenders', fractions up (RTG-TER-20)."""
    return -(-total // SIDES)


@jit
def dice_on(total: Any, used: Any) -> Any:
    """Dice on the next side when so many have been rolled on others, never more than all (RTG-TER-20)."""
    left, each = total - used, side_dice(total)
    return each if each < left else left


@jit
def may_fire_at_stone(stone: Any, occupiers_turn: Any) -> Any:
    """True when guns may fire at who holds a place: not at stone in the occupier's turn (RTG-TER-23)."""
    return stone == 0 or occupiers_turn == 0


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
