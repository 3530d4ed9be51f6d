"""Fog of war cards: the deck, the hands, and what each card does (VBW-CRD).

Each effect is a function of its own, which a commander calls through `play`; who may be named stands in
`may_name`. A unit is a battalion of the record; both sides' hands are pooled (VBW-CRD-04).
"""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import draw_below, roll_d6
from battles.rulesets.volley_bayonet.combat import is_foot
from battles.rulesets.volley_bayonet.morale import nerve_of, roll_check
from battles.rulesets.volley_bayonet.recording import (
    CARD,
    CARD_DIE,
    CARD_DRAWN,
    R_NONE,
    RECOVERS,
    note_die,
    note_event,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import (
    AMERICAN,
    BRITISH,
    COMMANDS,
    DISORDERED,
    GERMAN,
    GUNS,
    HORSE,
    LOYALIST,
    OUT_OF_PLAY,
    RIFLE,
    ROUTED,
    UNIT_COMMANDER,
)
from battles.rulesets.volley_bayonet.states import FAIL_MORALE, RALLY, RECOVER, change_order, is_standing

#: Numbers of the cards: those of their rules.
OFFICERS, GUNNERY, BAD_GUNNERY, VOLLEY, BAD_VOLLEY, SHARPSHOOTERS, BAD_GOING, GOOD_GOING = range(11, 19)
STEEL_CROWN, STEEL_BRITISH, AGAIN_CROWN, RALLY_CROWN, STEADY_BRITISH, STEADY_GERMAN = range(21, 27)
PANIC, REGULARS_CHECK, ORDER_CROWN, ORDER_BRITISH, GROUND_LOYALIST, HIGHLAND_FURY = range(27, 33)
PICK_OFF, OLD_LINE, RALLY_REBEL, AGAIN_REBEL, STEADY_REBEL, MARSHY_BANKS = range(41, 47)
GROUND_REBEL, STEEL_LIGHT, TARLETON = range(47, 50)
#: The first card of the Rebels' and of the Crown's own.
FIRST_CROWN, FIRST_REBEL = 21, 41
#: Die on which officers fall, and their unit's morale then (VBW-CRD-11, VBW-CRD-41).
OFFICERS_ON, PICK_OFF_ON, SHOT_AT_MORALE = 4, 2, -1
#: Inches to a commander for sharpshooters, and from British foot for Regulars!!! (VBW-CRD-16, 28).
AIMED_AT, REGULARS_WITHIN = 12.0, 18.0


@jit
def first_of(g: Any, unit: Any) -> Any:
    """The first stand of a unit that is left, or -1."""
    for i in range(g.n):
        if g.u[i].battalion == unit and is_standing(g.u[i]):
            return i
    return -1


@jit
def draw_card(g: Any, side: Any) -> None:
    """Draw one card into a side's hand; the place of the card drawn is diced for, which shuffles the deck."""
    k = draw_below(g, g.deck_n)
    note_event(g, CARD_DRAWN, -1, -1, 0, 0, 0, side, R_NONE)
    g.hands[side, g.hand_n[side]] = g.deck[k]
    g.hand_n[side] += 1
    g.deck_n -= 1
    g.deck[k] = g.deck[g.deck_n]


@jit
def discard_card(g: Any, side: Any, place: Any) -> Any:
    """Put a card of a hand on the pile and return it; it is back in the deck next turn (VBW-CRD-07)."""
    card = g.hands[side, place]
    g.hand_n[side] -= 1
    g.hands[side, place] = g.hands[side, g.hand_n[side]]
    g.discards[g.discards_n] = card
    g.discards_n += 1
    return card


@jit
def is_of(card: Any, crown: Any) -> Any:
    """True for a card that a side may play: neutral, or its own (VBW-CRD-09)."""
    if card < FIRST_CROWN:
        return True
    return (card < FIRST_REBEL) == (crown == 1)


@jit
def card_phase(g: Any) -> None:
    """Return played and discarded cards to the deck, then fill up both hands (VBW-CRD-06, VBW-CRD-07).

    A side throws away what it cannot play. Sides draw in turn, the Crown first, so that both hold as
    many (VBW-CRD-02).
    """
    for side in range(2):
        place = g.hand_n[side] - 1
        while place >= 0:
            if not is_of(g.hands[side, place], 1 if side == g.crown else 0):
                discard_card(g, side, place)
            place -= 1
    for k in range(g.discards_n):
        g.deck[g.deck_n] = g.discards[k]
        g.deck_n += 1
    g.discards_n = 0
    for _ in range(g.o.hand):
        for k in range(2):
            side = g.crown if k == 0 else 1 - g.crown
            if g.hand_n[side] < g.o.hand and g.deck_n > 0:
                draw_card(g, side)


@jit
def end_turn(g: Any) -> None:
    """End the effects of cards on units, which last for the turn."""
    for k in range(g.battalions_n):
        b = g.battalions[k]
        b.die = b.step_die = b.again = b.fire_again = b.extra_saves = b.free_ground = 0
        b.going = 0.0


@jit
def end_step(g: Any) -> None:
    """End the effects of cards on morale, which last for the step."""
    for k in range(g.battalions_n):
        g.battalions[k].step_die = g.battalions[k].again = 0


@jit
def class_of(g: Any, unit: Any) -> Any:
    """Class of a unit by its first stand that is left; -1 for none."""
    for i in range(g.n):
        if g.u[i].battalion == unit and is_standing(g.u[i]):
            return g.u[i].class_
    return -1


@jit
def may_name(g: Any, side: Any, card: Any, unit: Any) -> Any:
    """True for a unit that a card of that side may work on, by side, nation and arm alone."""
    b = g.battalions[unit]
    arm = class_of(g, unit)
    if arm < 0:
        return False
    own = b.side == side
    if card in (GUNNERY, BAD_GUNNERY):
        return own == (card == GUNNERY) and arm == GUNS
    if card in (VOLLEY, BAD_VOLLEY):
        return own == (card == VOLLEY) and arm not in (GUNS, HORSE)
    if card in (OFFICERS, BAD_GOING, PICK_OFF, PANIC, REGULARS_CHECK):
        return not own
    if card in (STEEL_CROWN, STEEL_BRITISH, HIGHLAND_FURY, OLD_LINE, STEEL_LIGHT):
        return not own
    if card == TARLETON:
        return not own and b.nation == LOYALIST
    if card in (RALLY_CROWN, STEADY_BRITISH, ORDER_BRITISH):
        return own and b.nation == BRITISH
    if card == STEADY_GERMAN:
        return own and b.nation == GERMAN
    if card == GROUND_LOYALIST:
        return own and b.nation == LOYALIST
    if card in (RALLY_REBEL, AGAIN_REBEL, STEADY_REBEL, GROUND_REBEL):
        return own and b.nation == AMERICAN
    return own


@jit
def steel_of(g: Any, card: Any, unit: Any) -> Any:
    """True when a unit that melees makes a cold steel card work (VBW-CRD-21, 22, 32, 42, 48, 49)."""
    b = g.battalions[unit]
    if card == STEEL_BRITISH:
        return b.nation == BRITISH
    if card == HIGHLAND_FURY:
        return b.highland == 1
    if card == OLD_LINE:
        return b.maryland == 1
    if card == STEEL_LIGHT:
        return b.nation == AMERICAN and b.light == 1
    return True


@jit
def cold_steel(g: Any, unit: Any) -> None:
    """+1 on a meleed unit's morale dice in this step; not on top of another (VBW-CRD-21, VBW-CRD-22)."""
    g.battalions[unit].step_die = 1


@jit
def check_unit(g: Any, unit: Any, nerve: Any, die: Any) -> Any:
    """Each stand of a unit checks with that on its morale and on its die; how many fail.

    Those who rout owe their rout move (`runs`).
    """
    failed = 0
    b = g.battalions[unit]
    b.step_die += die
    for i in range(g.n):
        if g.u[i].battalion != unit or not is_standing(g.u[i]):
            continue
        # a melee to come is rolled off with the morale of the morale step (VBW-MEL-03)
        before = g.u[i].nerve
        g.u[i].nerve, g.u[i].caller = nerve_of(g, i, 0) + nerve, -1
        good = roll_check(g, i)
        g.u[i].nerve = before
        if not good:
            failed += 1
            change_order(g, i, FAIL_MORALE)
    b.step_die -= die
    return failed


@jit
def unit_commander(g: Any, unit: Any) -> Any:
    """Place of a unit's commander among the leaders, or -1."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.rank == UNIT_COMMANDER and e.battalion == unit and e.state == COMMANDS:
            return k
    return -1


@jit
def out_of_play(g: Any, k: Any, turns: Any) -> None:
    """A commander cannot command for so many full turns."""
    e = g.leaders[k]
    e.state, e.back, e.hit_in = OUT_OF_PLAY, g.turn + turns, g.mover


@jit
def return_commanders(g: Any) -> None:
    """At the beginning of a phase: who comes on in this turn, and whose time is over, commands again."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.state == OUT_OF_PLAY and (g.turn > e.back or (g.turn == e.back and e.hit_in < 0)):
            e.state = COMMANDS


@jit
def return_wounded_commanders(g: Any) -> None:
    """Return to command, after all have aimed, commanders whose turns out of play are over (VBW-CRD-11)."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.state == OUT_OF_PLAY and g.turn >= e.back and e.hit_in == g.mover:
            e.state = COMMANDS


@jit
def roll_officer_casualties(g: Any, unit: Any, on: Any) -> Any:
    """On the die the unit's commander is out for a turn and it checks at -1 (VBW-CRD-11, VBW-CRD-41)."""
    die = roll_d6(g)
    note_die(g, CARD_DIE, first_of(g, unit), -1, die, on, die >= on)
    if die < on:
        return False
    k = unit_commander(g, unit)
    if k >= 0:
        out_of_play(g, k, 1)
    check_unit(g, unit, SHOT_AT_MORALE, 0)
    return True


@jit
def half_die(die: Any) -> Any:
    """Half a die, fractions up (VBW-GEN-04)."""
    return (die + 1) // 2


@jit
def shoot_commander(g: Any, k: Any) -> Any:
    """Sharpshooters aim at a commander: turns for which he cannot command, 0 for none (VBW-CRD-16)."""
    die = roll_d6(g)
    note_die(g, CARD_DIE, -1, -1, die, 3, die > 2)
    if die <= 2:
        return 0
    turns = 1
    if die > 4:
        die = roll_d6(g)
        note_die(g, CARD_DIE, -1, -1, die, 1, True)
        turns = half_die(die)
    out_of_play(g, k, turns)
    return turns


@jit
def roll_going(g: Any, unit: Any, sign: Any) -> Any:
    """Inches that a unit gains or loses this turn: a die, two for horse (VBW-CRD-17, VBW-CRD-18)."""
    inches, second = roll_d6(g), 0
    if class_of(g, unit) == HORSE:
        second = roll_d6(g)
    inches += second
    note_event(g, CARD_DIE, first_of(g, unit), -1, inches - second, second, 0, inches, R_NONE)
    g.battalions[unit].going += float(sign * inches)
    return inches


@jit
def change_unit(g: Any, unit: Any, state: Any, event: Any) -> Any:
    """To every stand of a unit that is in this state the event happens; how many there were."""
    count = 0
    for i in range(g.n):
        if g.u[i].battalion == unit and is_standing(g.u[i]) and g.u[i].state == state:
            change_order(g, i, event)
            if event == RECOVER:
                note_plain(g, RECOVERS, i, -1)
            count += 1
    return count


@jit
def rally_unit(g: Any, unit: Any) -> Any:
    """All routed stands of a unit rally at once; at the moment of rout they do not move (VBW-CRD-24, 43)."""
    return change_unit(g, unit, ROUTED, RALLY)


@jit
def order_unit(g: Any, unit: Any) -> Any:
    """A unit recovers from yellow disorder for nothing; red stays (VBW-CRD-29, VBW-CRD-30)."""
    return change_unit(g, unit, DISORDERED, RECOVER)


@jit
def has_riflemen(g: Any, unit: Any) -> Any:
    """True for a unit with rifles, for VBW-CRD-41."""
    for i in range(g.n):
        u = g.u[i]
        if u.battalion == unit and is_standing(u) and u.weapon == RIFLE and is_foot(u):
            return True
    return False


@jit
def make_marshy(g: Any, x: Any, y: Any) -> Any:
    """Twelve inches of stream about a spot are marshy-banked to the Crown from now on (VBW-CRD-46)."""
    if g.marshy_n >= g.marshy.shape[0]:
        return False
    g.marshy[g.marshy_n].x, g.marshy[g.marshy_n].y = x, y
    g.marshy_n += 1
    return True


@jit
def play_card(g: Any, side: Any, place: Any, unit: Any) -> Any:
    """Play the card at that place of a hand on a unit; False, and it is kept, where it may not be.

    `unit` is a commander's place for Sharpshooters. What a card needs of range, sight and moment is the
    player's to see to; Local Knowledge! is played by `make_marshy`.
    """
    card = g.hands[side, place]
    if not is_of(card, 1 if side == g.crown else 0):
        return False
    if card != SHARPSHOOTERS and not may_name(g, side, card, unit):
        return False
    steel = card in (STEEL_BRITISH, STEEL_CROWN, HIGHLAND_FURY, OLD_LINE, STEEL_LIGHT, TARLETON)
    if steel and g.battalions[unit].step_die > 0:
        return False
    discard_card(g, side, place)
    note_event(g, CARD, -1 if card == SHARPSHOOTERS else first_of(g, unit), -1, 0, 0, 0, card, R_NONE)
    if steel:
        cold_steel(g, unit)
    elif card == OFFICERS:
        roll_officer_casualties(g, unit, OFFICERS_ON)
    elif card == PICK_OFF:
        roll_officer_casualties(g, unit, PICK_OFF_ON)
    elif card in (GUNNERY, VOLLEY):
        g.battalions[unit].fire_again = 1
    elif card in (BAD_GUNNERY, BAD_VOLLEY):
        g.battalions[unit].extra_saves += 1
    elif card == SHARPSHOOTERS:
        shoot_commander(g, unit)
    elif card in (BAD_GOING, GOOD_GOING):
        roll_going(g, unit, 1 if card == GOOD_GOING else -1)
    elif card in (AGAIN_CROWN, AGAIN_REBEL):
        g.battalions[unit].again = 1
    elif card in (RALLY_CROWN, RALLY_REBEL):
        rally_unit(g, unit)
    elif card in (STEADY_BRITISH, STEADY_GERMAN, STEADY_REBEL):
        g.battalions[unit].die -= 1
    elif card in (PANIC, REGULARS_CHECK):
        check_unit(g, unit, 0, 1)
    elif card in (ORDER_CROWN, ORDER_BRITISH):
        order_unit(g, unit)
    elif card in (GROUND_LOYALIST, GROUND_REBEL):
        g.battalions[unit].free_ground = 1
    return True
