"""The example's rules as pure pieces, and its sequence (docs/add-a-ruleset.md, steps 4 and 5)."""

from typing import Any

from battles.engine.compile import jit, jit_entry
from battles.engine.dice import roll_d6
from battles.engine.dtypes import NO_ERROR
from battles.engine.recording import note_event
from battles.engine.running import run_begins

#: Every kind of event with the rule it happens under, and the results of a die; its place is its code.
KINDS = (
    ("fire", "EXA-FIR-01"),
    ("sp_lost", "EXA-FIR-01"),
    ("eliminated", "EXA-FIR-01"),
    ("battle_ends", "EXA-END-01"),
)
FIRE, SP_LOST, REMOVED, ENDS = range(4)
RESULTS = ("none", "hit", "miss", "broken", "day_over")
HIT, MISS, BROKEN, DAY_OVER = 1, 2, 3, 4
STEP_FIRE = 1


@jit
def is_there(g: Any, i: Any) -> Any:
    """Whether a unit is on the table: it has come up, and has strength points left (EXA-SEQ-01)."""
    return g.u[i].sp > 0 and g.u[i].due <= g.turn


@jit
def first_enemy(g: Any, side: Any) -> Any:
    """The first unit of the other side that is on the table, or -1 (EXA-FIR-01)."""
    for i in range(g.n):
        if g.u[i].side != side and is_there(g, i):
            return i
    return -1


@jit
def throw(g: Any, i: Any) -> None:
    """A unit's die, and what it does to the enemy (EXA-FIR-01)."""
    target = first_enemy(g, g.u[i].side)
    if target < 0:
        return
    die = roll_d6(g)
    note_event(g, FIRE, i, target, die, 0, 0, die, HIT if die >= g.hits_on else MISS)
    if die < g.hits_on:
        return
    g.u[target].sp -= 1
    g.u[target].lost += 1
    g.lost[g.u[target].side] += 1
    note_event(g, SP_LOST, target, i, 0, 0, 0, 1, 0)
    if g.u[target].sp == 0:
        note_event(g, REMOVED, target, i, 0, 0, 0, 0, 0)


@jit
def play(g: Any) -> Any:
    """A battle to its end; gives the error, if there was one (EXA-SEQ-01, EXA-END-01)."""
    g.step = STEP_FIRE
    while g.turn < g.turns and g.error == NO_ERROR:
        g.turn += 1
        for side in range(2):
            g.mover = side
            for i in range(g.n):
                if g.u[i].side == side and is_there(g, i):
                    throw(g, i)
            if g.lost[1 - side] >= g.break_at[1 - side]:
                g.holder = side
                note_event(g, ENDS, -1, -1, 0, 0, 0, 0, BROKEN)
                return g.error
    note_event(g, ENDS, -1, -1, 0, 0, 0, 0, DAY_OVER)
    return g.error


@jit_entry
def play_many(
    states: Any, words: Any, spans: Any, fresh: Any, ground: Any, dice: Any, recording: Any, results: Any,
    units: Any, leaders: Any,
) -> None:  # fmt: skip
    """Play once for each row of dice, as `running.Ready` asks: SP lost and left of every unit."""
    g = states[0]
    for run in range(dice.shape[0]):
        run_begins(g, words, spans, fresh, ground, dice, run, recording)
        results[run, 2] = play(g)
        results[run, 0] = g.holder
        results[run, 1] = g.turn
        for i in range(g.n):
            units[run, i, 0] = g.u[i].lost
            units[run, i, 1] = g.u[i].sp
