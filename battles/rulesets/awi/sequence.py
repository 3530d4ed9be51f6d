"""The sequence of play A to K, turn by turn, and the end of a battle (AWI-T-SEQ-01)."""

from typing import Any

from battles.engine.bases import clear_of_enemy, half_depth, half_width, is_effective
from battles.engine.compile import jit, jit_entry
from battles.engine.dice import roll_d6
from battles.engine.dtypes import DAY_OVER, GOES_ON, LEFT_TABLE, NO_CONTACT, NO_ERROR, ON_TABLE, WAITING
from battles.engine.ending import is_at_objective, judge_battle, reaches_share, withdraw_side
from battles.engine.ground import has_room_at
from battles.engine.progress import nothing_comes_of_it, turn_begins, turn_ends
from battles.engine.recording import (
    ARRIVES,
    BATTLE_ENDS,
    EFFECTIVENESS,
    FIRST_MOVE,
    FIRST_MOVE_LEVEL,
    GUN_CAPTURED,
    R_DAY_OVER,
    R_NONE,
    WAGON_CAPTURED,
    note_event,
    note_plain,
)
from battles.engine.running import run_begins
from battles.engine.ways import entry_spot
from battles.rulesets.awi.charge_resolution import run_charge_steps
from battles.rulesets.awi.commander import order_attack_back, step_c
from battles.rulesets.awi.engineering import count_work, explode_due_charges
from battles.rulesets.awi.facing import step_d
from battles.rulesets.awi.fire import step_e
from battles.rulesets.awi.generals import drive_off_free_generals, leave_all
from battles.rulesets.awi.highland import (
    british_quality,
    end_highland_charges,
    is_forty_five,
    move_highlanders,
    release_highlanders,
    test_highlanders,
)
from battles.rulesets.awi.morale import step_a, take_prisoner
from battles.rulesets.awi.retreat import is_prize, step_b
from battles.rulesets.awi.tables import AT_OBJECTIVE, QUIET_TURNS


@jit
def start_battle(g: Any) -> None:
    """Dice for the first move, and for hidden effectiveness if the option is on (AWI-T-OPT-01)."""
    one, two = roll_d6(g), roll_d6(g)
    while one == two and g.error == NO_ERROR:
        note_event(g, FIRST_MOVE_LEVEL, -1, -1, one, two, 0, 0, R_NONE)
        one, two = roll_d6(g), roll_d6(g)
    g.first = 0 if one > two else 1
    g.mover = g.first
    note_event(g, FIRST_MOVE, -1, -1, one, two, 0, g.first, R_NONE)
    if g.o.randomised == 1:
        for i in range(g.n):
            die = roll_d6(g)
            change = -1 if die == 1 else (1 if die == 6 else 0)
            g.u[i].morale += change
            note_event(g, EFFECTIVENESS, i, -1, die, 0, change, die, R_NONE)
    if is_forty_five(g):
        british_quality(g)


@jit
def bring_on_arrivals(g: Any) -> None:
    """Units whose turn has come are set down where they enter, or beside it along that edge.

    To the right of their own side first, and an inch from the enemy as in a move (AWI-T-SEQ-03).
    """
    for i in range(g.n):
        u = g.u[i]
        if u.place != WAITING or u.side != g.mover or u.due > g.turn:
            continue
        for k in range(80):
            x, y = entry_spot(g, u, k, 1.2 if u.side == 0 else -1.2)
            if x < 1.0 or x > g.width - 1.0 or y < 2.0 or y > g.depth - 2.0:
                continue
            if not clear_of_enemy(g, i, x, y, u.face):
                continue
            if has_room_at(g, i, x, y, u.face, half_width(u) + 0.1, half_depth(u), -1):
                u.x, u.y, u.place = x, y, ON_TABLE
                note_plain(g, ARRIVES, i, -1)
                break


@jit
def player_turn(g: Any) -> None:
    """One side's turn, A to K."""
    g.player_turn += 1
    g.step = 0
    bring_on_arrivals(g)
    step_a(g)
    step_b(g)
    count_work(g)
    clans = is_forty_five(g)
    if clans:
        move_highlanders(g)
    step_c(g)
    if clans:
        release_highlanders(g)
    step_d(g)
    step_e(g)
    explode_due_charges(g)
    if clans:
        test_highlanders(g)
    run_charge_steps(g)
    drive_off_free_generals(g)
    if clans:
        end_highland_charges(g)


@jit
def still_there(g: Any, side: Any) -> Any:
    """True when a side has an effective unit on the table or one still to come."""
    for i in range(g.n):
        u = g.u[i]
        if u.side != side:
            continue
        if is_effective(u) or (u.place == WAITING and u.wagon == 0 and u.due <= g.turns):
            return True
    return False


@jit
def count_losses_without_wagons(g: Any, side: Any) -> Any:
    """SP a side has lost or had captured, wagons left out."""
    total = 0
    for i in range(g.n):
        if g.u[i].side == side and g.u[i].wagon == 0:
            total += g.u[i].lost + g.u[i].captured
    return total


@jit
def is_broken(g: Any, side: Any) -> Any:
    """True when a side's losses reach the share at which it breaks off."""
    return reaches_share(count_losses_without_wagons(g, side), g.sp_start[side], g.break_at[side])


@jit
def withdraw_all(g: Any, side: Any) -> None:
    """A side that breaks off leaves the table with what SP it has."""
    withdraw_side(g, side, LEFT_TABLE)
    leave_all(g, side)


@jit
def leave_field(g: Any, side: Any) -> None:
    """A side that has lost the field is gone from it; its abandoned guns and wagons are taken."""
    for i in range(g.n):
        u = g.u[i]
        if u.side == side and is_prize(u):
            take_prisoner(g, i)
            note_plain(g, GUN_CAPTURED if u.gun_left == 1 else WAGON_CAPTURED, i, -1)
    withdraw_all(g, side)


@jit
def end_battle(g: Any, why: Any, holder: Any) -> None:
    """Close the battle; `holder` is the side that holds the field, -1 for neither."""
    g.ending, g.holder = why, holder
    if holder >= 0:
        leave_field(g, 1 - holder)
    note_event(g, BATTLE_ENDS, -1, -1, 0, 0, 0, holder, R_DAY_OVER + why - DAY_OVER)


@jit
def objective_holder(g: Any) -> Any:
    """The side that alone has unbroken troops within a foot of the spot fought for, -1 for neither."""
    holder = -1
    if g.objective == 0:
        return holder
    for i in range(g.n):
        u = g.u[i]
        if not is_effective(u) or u.wagon == 1 or not is_at_objective(g, u, AT_OBJECTIVE):
            continue
        if holder == 1 - u.side:
            return -1
        holder = u.side
    return holder


@jit
def check_battle_end(g: Any) -> None:
    """See after each player turn whether the battle is over."""
    broken0, broken1 = is_broken(g, 0), is_broken(g, 1)
    why, holder = judge_battle(broken0, broken1, still_there(g, 0), still_there(g, 1))
    if why == GOES_ON:
        return
    end_battle(g, why, holder)
    if broken0:
        withdraw_all(g, 0)
    if broken1:
        withdraw_all(g, 1)


@jit
def play_battle(states: Any) -> Any:
    """Play a battle to its end in the one record of `states`; returns the error flag."""
    g = states[0]
    start_battle(g)
    check_battle_end(g)
    while g.ending == GOES_ON and g.turn < g.turns and g.error == NO_ERROR:
        turn_begins(g)
        for k in range(2):
            g.mover = (g.first + k) % 2
            player_turn(g)
            check_battle_end(g)
            if g.ending != GOES_ON:
                break
        turn_ends(g)
        why = nothing_comes_of_it(g, QUIET_TURNS)
        holder = objective_holder(g) if g.objective == 1 else -1
        if g.ending == GOES_ON and why == NO_CONTACT and order_attack_back(g, holder):
            why = GOES_ON
        if g.ending == GOES_ON and why != GOES_ON:
            end_battle(g, why, objective_holder(g))
    if g.ending == GOES_ON:
        end_battle(g, DAY_OVER, objective_holder(g))
    return g.error


@jit_entry
def play_many(
    states: Any,
    words: Any,
    spans: Any,
    fresh: Any,
    ground: Any,
    dice: Any,
    recording: Any,
    results: Any,
    units: Any,
    generals: Any,
) -> None:
    """Play one battle once for each row of `dice`, in the one record of `states`.

    What the record is made ready from is as `running.run_begins` has it. `results` gets the holder, the
    turns and the error of each run, `units` the SP lost, captured and the place of each unit, `generals`
    the fate and wounds of each general.
    """
    g = states[0]
    for run in range(dice.shape[0]):
        run_begins(g, words, spans, fresh, ground, dice, run, recording)
        results[run, 2] = play_battle(states)
        results[run, 0] = g.holder
        results[run, 1] = g.turn
        for i in range(g.n):
            units[run, i, 0] = g.u[i].lost
            units[run, i, 1] = g.u[i].captured
            units[run, i, 2] = g.u[i].place
        for k in range(g.generals_n):
            generals[run, k, 0] = g.generals[k].fate
            generals[run, k, 1] = g.generals[k].wounds
