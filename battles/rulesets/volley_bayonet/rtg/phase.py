"""A player turn of six phases where a stand is a brigade (RTG-GEN-02, RTG-GEN-03)."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.bases import leader_gap
from battles.rulesets.volley_bayonet.collapse_step import runs_from_nearest
from battles.rulesets.volley_bayonet.command import commands_stand
from battles.rulesets.volley_bayonet.commander import run_movement_step
from battles.rulesets.volley_bayonet.forced import rout_moves
from battles.rulesets.volley_bayonet.leading import count_touching_stands, ride_commanders
from battles.rulesets.volley_bayonet.recording import GENERAL_TAKEN, note_plain
from battles.rulesets.volley_bayonet.records import COMMANDS, LOST
from battles.rulesets.volley_bayonet.rtg.breakthrough import morale_and_breakthroughs
from battles.rulesets.volley_bayonet.rtg.combats import roll_fires_out, run_combat_step
from battles.rulesets.volley_bayonet.rtg.command import determine_command, keeps_touch, rally_all
from battles.rulesets.volley_bayonet.rtg.exhaustion import begin_turn, exhaustion_phase
from battles.rulesets.volley_bayonet.states import INCIDENTAL, change_order, first_side, is_standing


@jit
def brigades_phase(g: Any) -> None:
    """Command, movement, rally, morale, combat and exhaustion of the active side (RTG-GEN-02).

    In the last three both sides act. Commanders ride at the end of the movement, so that they are with
    the routed when these are rallied.
    """
    begin_turn(g)
    if g.mover == first_side(g):
        roll_fires_out(g)
    determine_command(g, g.mover)
    g.step = 2
    run_movement_step(g)
    loses_touch(g)
    ride_commanders(g)
    g.step = 3
    rally_all(g, g.mover)
    g.step = 4
    morale_and_breakthroughs(g)
    g.step = 5
    run_combat_step(g)
    g.step = 6
    exhaustion_phase(g)
    for i in range(g.n):
        if g.u[i].runs > 0 and is_standing(g.u[i]):
            runs_from_nearest(g, i)
    rout_moves(g)
    get_away(g)


@jit
def loses_touch(g: Any) -> None:
    """Put stands out of command that moved away from those who alone kept them in command (RTG-CMD-02)."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side == g.mover and is_standing(u) and u.moved == 1 and not keeps_touch(g, i):
            u.in_command, u.stationary = 0, 0
            change_order(g, i, INCIDENTAL)


@jit
def get_away(g: Any) -> None:
    """A commander whom only the enemy touches goes to the nearest stand of his command (RTG-MIS-03).

    Without any he is taken.
    """
    for k in range(g.leaders_n):
        e = g.leaders[k]
        if e.state != COMMANDS or e.due > g.turn:
            continue
        if count_touching_stands(g, k, 1 - e.side) == 0 or count_touching_stands(g, k, e.side) > 0:
            continue
        best, nearest = -1, 0.0
        for i in range(g.n):
            if not is_standing(g.u[i]) or not commands_stand(g, k, i):
                continue
            inches = leader_gap(g, k, i)
            if best < 0 or inches < nearest:
                best, nearest = i, inches
        if best >= 0:
            e.x, e.y = g.u[best].x, g.u[best].y
            continue
        e.state = LOST
        if e.named >= 0:
            note_plain(g, GENERAL_TAKEN, -1, e.named)
