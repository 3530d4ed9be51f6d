"""The sequence of play, turn by turn, and the end of a battle (REG-GEN-02, REG-DEF-08)."""

from typing import Any

from battles.engine.compile import jit, jit_entry
from battles.engine.dtypes import DAY_OVER, GOES_ON, NO_CONTACT, NO_ERROR
from battles.engine.ending import count_losses, is_at_objective, judge_battle, reaches_share, withdraw_side
from battles.engine.progress import nothing_comes_of_it, turn_begins, turn_ends
from battles.engine.running import run_begins
from battles.engine.ways import entry_spot, is_off
from battles.rulesets.regimental.bases import can_stand_in_form, has_enemy_within
from battles.rulesets.regimental.charge_step import charge_phase
from battles.rulesets.regimental.columns import COMES_FROM
from battles.rulesets.regimental.command import replace_fallen_leaders
from battles.rulesets.regimental.commander import order_attack_back, run_maneuver_phase
from battles.rulesets.regimental.fire_step import fire_phase
from battles.rulesets.regimental.formations import change_formation
from battles.rulesets.regimental.leading import attach_leaders, ride_to_men
from battles.rulesets.regimental.maneuver_step import begin_turn
from battles.rulesets.regimental.recording import (
    ARRIVES,
    BATTLE_ENDS,
    R_DAY_OVER,
    note_event,
    note_plain,
)
from battles.rulesets.regimental.records import BROKEN as RUNS
from battles.rulesets.regimental.records import FIELD_COLUMN, LEFT, LINE, ON_TABLE, WAGONS, WAITING
from battles.rulesets.regimental.tables import AT_OBJECTIVE, QUIET_TURNS
from battles.rulesets.regimental.victory import fate_of_leader, victory_points

#: Inches between the places tried for who comes on, and how many of them.
ASIDE, PLACES = 1.1, 90


@jit
def bring_on_arrivals(g: Any) -> None:
    """Units whose turn has come are set down where they enter, or beside it along that edge."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.place != WAITING or u.side != g.mover or u.due > g.turn:
            continue
        for k in range(PLACES):
            x, y = entry_spot(g, u, k, ASIDE)
            if not is_off(g, x, y) and can_stand_in_form(g, i, x, y, u.face):
                u.x, u.y, u.place = x, y, ON_TABLE
                note_plain(g, ARRIVES, i, -1)
                if u.form == FIELD_COLUMN and has_enemy_within(g, i, x, y, COMES_FROM):
                    change_formation(g, i, LINE)
                break


@jit
def player_turn(g: Any) -> None:
    """One side's turn of three phases (REG-GEN-02)."""
    g.step = 1
    bring_on_arrivals(g)
    begin_turn(g, g.mover)
    replace_fallen_leaders(g, g.mover)
    attach_leaders(g, g.mover)
    run_maneuver_phase(g)
    ride_to_men(g, g.mover)
    g.step = 2
    fire_phase(g)
    g.step = 3
    charge_phase(g)


@jit
def still_there(g: Any, side: Any) -> Any:
    """True when a side has a unit that is not broken, or one still to come."""
    count = 0
    for i in range(g.first[side], g.past[side]):
        u = g.u[i]
        if u.side != side or u.class_ == WAGONS:
            continue
        if (u.place == ON_TABLE and u.order_ != RUNS) or (u.place == WAITING and u.due <= g.turns):
            count += 1
    return count > 0


@jit
def is_broken(g: Any, side: Any) -> Any:
    """True when a side's losses reach the share at which it breaks off."""
    return reaches_share(count_losses(g, side), g.stands_start[side], g.break_at[side])


@jit
def end_battle(g: Any, why: Any, holder: Any) -> None:
    """Close the battle; `holder` is the side that holds the field, -1 for neither."""
    g.ending, g.holder = why, holder
    if holder >= 0:
        withdraw_side(g, 1 - holder, LEFT)
    note_event(g, BATTLE_ENDS, -1, -1, 0, 0, 0, holder, R_DAY_OVER + why - DAY_OVER)


@jit
def better_off(g: Any) -> Any:
    """The side with more victory points, -1 when level (REG-VP-01, REG-DEF-08)."""
    one, two = victory_points(g, 0), victory_points(g, 1)
    if one == two:
        return -1
    return 0 if one > two else 1


@jit
def holder_at_end(g: Any) -> Any:
    """The side that alone has unbroken troops at the spot fought for, -1 for neither.

    Without such a spot it is the side that is better off (REG-DEF-08).
    """
    if g.objective == 0:
        return better_off(g)
    holder = -1
    for i in range(g.n):
        u = g.u[i]
        if u.place != ON_TABLE or u.order_ == RUNS or u.class_ == WAGONS:
            continue
        if not is_at_objective(g, u, AT_OBJECTIVE):
            continue
        if holder == 1 - u.side:
            return -1
        holder = u.side
    return holder


@jit
def check_battle_end(g: Any) -> None:
    """See after each player turn whether the battle is over (REG-DEF-08)."""
    broken0, broken1 = is_broken(g, 0), is_broken(g, 1)
    why, holder = judge_battle(broken0, broken1, still_there(g, 0), still_there(g, 1))
    if why == GOES_ON:
        return
    end_battle(g, why, holder)
    if broken0:
        withdraw_side(g, 0, LEFT)
    if broken1:
        withdraw_side(g, 1, LEFT)


@jit
def play_battle(states: Any) -> Any:
    """Play a battle to its end in the one record of `states`; returns the error flag."""
    g = states[0]
    check_battle_end(g)
    while g.ending == GOES_ON and g.turn < g.turns and g.error == NO_ERROR:
        turn_begins(g)
        for k in range(2):
            g.mover = k if g.o.defender_first == 0 else 1 - k
            player_turn(g)
            check_battle_end(g)
            if g.ending != GOES_ON:
                break
        turn_ends(g)
        why = nothing_comes_of_it(g, QUIET_TURNS)
        holder = holder_at_end(g) if g.objective == 1 else -1
        if g.ending == GOES_ON and why == NO_CONTACT and order_attack_back(g, holder):
            why = GOES_ON
        if g.ending == GOES_ON and why != GOES_ON:
            end_battle(g, why, holder_at_end(g))
    if g.ending == GOES_ON:
        end_battle(g, DAY_OVER, holder_at_end(g))
    return g.error


@jit_entry
def play_many(
    states: Any, words: Any, spans: Any, fresh: Any, ground: Any, dice: Any, recording: Any, results: Any,
    units: Any, leaders: Any,
) -> None:  # fmt: skip
    """Play one battle once for each row of `dice`, in the one record of `states`.

    What the record is made ready from is as `running.run_begins` has it. `results` gets the holder, the
    turns and the error of each run, `units` for each unit the stands it has lost, those captured, and where
    it is; `leaders` what became of each.
    """
    g = states[0]
    for run in range(dice.shape[0]):
        run_begins(g, words, spans, fresh, ground, dice, run, recording)
        results[run, 2] = play_battle(states)
        results[run, 0] = g.holder
        results[run, 1] = g.turn
        for i in range(g.n):
            u = g.u[i]
            units[run, i, 0] = u.lost
            units[run, i, 1] = u.captured
            units[run, i, 2] = u.place
        for k in range(g.leaders_n):
            leaders[run, k] = fate_of_leader(g, k)
