"""The winner of a melee (VBW-MEL-01 to 03)."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dice import roll_d6
from battles.engine.dtypes import NO_ERROR
from battles.rulesets.volley_bayonet.recording import R_NONE, ROLL_OFF_DICE, note_event

#: Results, seen from the active side.
DEFENDER_WINS, NOBODY, ATTACKER_WINS, ROLL_OFF = -1, 0, 1, 2


@jit
def find_winner(attack_hits: Any, defence_hits: Any, attack_sp: Any, defence_sp: Any) -> Any:
    """The winner by hits after saves, which are not capped by the SP there are (VBW-MEL-01, VBW-MEL-02).

    A side all of whose SP are gone has lost whatever it inflicted; if both are gone nobody wins.
    """
    attacker_gone, defender_gone = defence_hits >= attack_sp, attack_hits >= defence_sp
    if attacker_gone and defender_gone:
        return NOBODY
    if attacker_gone:
        return DEFENDER_WINS
    if defender_gone or attack_hits > defence_hits:
        return ATTACKER_WINS
    return DEFENDER_WINS if defence_hits > attack_hits else ROLL_OFF


@jit
def one_roll(attack_die: Any, defence_die: Any, attack_nerve: Any, defence_nerve: Any) -> Any:
    """A roll of a drawn melee: die and best modified morale (VBW-MEL-03)."""
    lead = attack_die + attack_nerve - defence_die - defence_nerve
    if lead == 0:
        return ROLL_OFF
    return ATTACKER_WINS if lead > 0 else DEFENDER_WINS


@jit
def roll_off(g: Any, attack_nerve: Any, defence_nerve: Any) -> Any:
    """Roll a drawn melee off; equal totals are rolled again, or fall to the defender (option)."""
    while g.error == NO_ERROR:
        attack_die, defence_die = roll_d6(g), roll_d6(g)
        note_event(g, ROLL_OFF_DICE, -1, -1, attack_die, defence_die, 0, 0, R_NONE)
        result = one_roll(attack_die, defence_die, attack_nerve, defence_nerve)
        if result != ROLL_OFF:
            return result
        if g.o.tie_to_defender == 1:
            return DEFENDER_WINS
    return NOBODY


@jit
def tie_nerve(g: Any, u: Any) -> Any:
    """The value of a stand in a roll-off: its modified morale, less 1 for no elites (VBW-ABL-05)."""
    return u.nerve - (u.no_elites if g.o.no_elites == 1 else 0)
