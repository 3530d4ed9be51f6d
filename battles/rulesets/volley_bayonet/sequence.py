"""The sequence of play, turn by turn, and the end of a battle (VBW-SEQ, VBW-DEF-18, VBW-DEF-23)."""

from typing import Any

from battles.engine.compile import jit, jit_entry
from battles.engine.dtypes import DAY_OVER, GOES_ON, NO_CONTACT, NO_ERROR
from battles.engine.ending import count_losses, is_at_objective, judge_battle, reaches_share, withdraw_side
from battles.engine.progress import nothing_comes_of_it, turn_begins, turn_ends
from battles.engine.running import run_begins
from battles.engine.ways import entry_spot, is_off
from battles.rulesets.volley_bayonet.aiming import aim_stands
from battles.rulesets.volley_bayonet.breakthrough import morale_and_breakthroughs
from battles.rulesets.volley_bayonet.cards import (
    card_phase,
    end_step,
    end_turn,
    return_commanders,
    return_wounded_commanders,
)
from battles.rulesets.volley_bayonet.collapse_step import collapse_step
from battles.rulesets.volley_bayonet.combat import fire_dice
from battles.rulesets.volley_bayonet.combat_step import begin_combats, fire_combat, melee_combat
from battles.rulesets.volley_bayonet.command import determine_command, rally_all
from battles.rulesets.volley_bayonet.commander import order_attack_back, run_movement_step
from battles.rulesets.volley_bayonet.leading import (
    commanders_in_harm,
    record_army_commanders,
    ride_commanders,
)
from battles.rulesets.volley_bayonet.morale_step import has_met
from battles.rulesets.volley_bayonet.moving import ends_free
from battles.rulesets.volley_bayonet.playing import AT_AIMS, BEFORE_CHECKS, BEFORE_MOVES, play_cards
from battles.rulesets.volley_bayonet.recording import (
    ARRIVES,
    BATTLE_ENDS,
    GUN_CAPTURED,
    R_DAY_OVER,
    note_event,
    note_plain,
)
from battles.rulesets.volley_bayonet.records import GONE, ON_TABLE, REMOVED, ROUTED, TRANSPORT, WAITING
from battles.rulesets.volley_bayonet.rtg.phase import brigades_phase
from battles.rulesets.volley_bayonet.states import first_side, is_standing

#: Inches between the places tried for who comes on, and how many of them.
ASIDE, PLACES = 1.6, 60


@jit
def bring_on_arrivals(g: Any) -> None:
    """Stands whose turn has come are set down where they enter, or beside it along that edge."""
    for i in range(g.n):
        u = g.u[i]
        if u.place != WAITING or u.side != g.mover or u.due > g.turn:
            continue
        u.place = ON_TABLE
        settled = False
        for k in range(PLACES):
            x, y = entry_spot(g, u, k, ASIDE)
            if not is_off(g, x, y) and ends_free(g, i, x, y):
                u.x, u.y, settled = x, y, True
                note_plain(g, ARRIVES, i, -1)
                break
        if not settled:
            u.place = WAITING


@jit
def run_combat_step(g: Any) -> None:
    """The combat step: the active side fires first, then its melees are fought (VBW-SEQ-03, VBW-COM-01).

    Who aims into a melee supports it, and fires with it (VBW-DEF-09).
    """
    begin_combats(g)
    if g.o.commander_dies == 1:
        record_army_commanders(g)
    aim_stands(g)
    return_wounded_commanders(g)
    play_cards(g, AT_AIMS)
    charging = 0
    for i in range(g.n):
        charging += g.u[i].charged
    for j in range(g.n):
        if g.u[j].side == g.mover or not is_standing(g.u[j]) or (charging > 0 and in_contact(g, j)):
            continue
        if is_aimed_at(g, j):
            g.quiet = 0
            fire_combat(g, j)
    for i in range(g.n):
        u = g.u[i]
        if u.side == g.mover and u.charged == 1 and u.fought == 0 and is_standing(u) and meets_anyone(g, i):
            g.quiet = 0
            melee_combat(g, i)
    for i in range(g.n):
        if g.u[i].fought == 1:
            g.u[i].fired = g.turn


@jit
def is_aimed_at(g: Any, j: Any) -> Any:
    """True when an active stand that has not fought aims at stand j."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        u = g.u[i]
        if u.side != g.mover or u.aims != j or u.fought == 1 or u.charges >= 0 or not is_standing(u):
            continue
        if fire_dice(g, u) > 0:
            return True
    return False


@jit
def in_contact(g: Any, j: Any) -> Any:
    """True when a charger touches stand j: fire at it is support for the melee."""
    for i in range(g.first[g.mover], g.past[g.mover]):
        if g.u[i].fought == 1:
            continue
        if has_met(g, i, j):
            return True
    return False


@jit
def meets_anyone(g: Any, i: Any) -> Any:
    """True when stand i's charge touches an enemy."""
    for j in range(g.first[1 - g.mover], g.past[1 - g.mover]):
        if g.u[j].fought == 1:
            continue
        if has_met(g, i, j):
            return True
    return False


@jit
def player_phase(g: Any) -> None:
    """One side's phase, of seven steps or of six where a stand is a brigade (VBW-SEQ-03, 04, RTG-GEN-02).

    Commanders ride at the end of the movement, so that they are with the routed when these are rallied.
    """
    g.step = 1
    return_commanders(g)
    bring_on_arrivals(g)
    if g.o.grand == 1:
        brigades_phase(g)
    else:
        stands_phase(g)
    for i in range(g.n):
        u = g.u[i]
        u.charged, u.charges, u.rallied, u.over_stream, u.over_fence = 0, -1, 0, 0, 0


@jit
def stands_phase(g: Any) -> None:
    """The steps of a phase where a stand is part of a battalion (VBW-SEQ-03)."""
    determine_command(g, g.mover)
    g.step = 2
    play_cards(g, BEFORE_MOVES)
    run_movement_step(g)
    ride_commanders(g)
    g.step = 3
    rally_all(g, g.mover)
    g.step = 4
    play_cards(g, BEFORE_CHECKS)
    morale_and_breakthroughs(g)
    end_step(g)
    g.step = 6
    run_combat_step(g)
    g.step = 7
    collapse_step(g)
    commanders_in_harm(g)


@jit
def still_there(g: Any, side: Any) -> Any:
    """True when a side has a stand that is not running, or one still to come."""
    count = 0
    for i in range(g.n):
        u = g.u[i]
        if u.side != side or u.class_ == TRANSPORT:
            continue
        if (is_standing(u) and u.state != ROUTED) or (u.place == WAITING and u.due <= g.turns):
            count += 1
    return count > 0


@jit
def is_broken(g: Any, side: Any) -> Any:
    """True when a side's losses reach the share at which it breaks off."""
    return reaches_share(count_losses(g, side), g.sp_start[side], g.break_at[side])


@jit
def take_guns(g: Any, holder: Any) -> None:
    """Guns left behind are taken by the enemy who holds the field (VBW-MOR-08, VBW-DEF-22).

    The SP a battery still has go with them: in a battle file these are its guns, and a crew without any has
    none of its own (ours). Whose own side holds the field has them back.
    """
    for i in range(g.n):
        u = g.u[i]
        if u.guns_gone == 1 and u.side != holder and u.sp > 0:
            note_plain(g, GUN_CAPTURED, i, -1)
            u.captured, u.sp = u.captured + u.sp, 0
            u.state, u.place = REMOVED, GONE


@jit
def end_battle(g: Any, why: Any, holder: Any) -> None:
    """Close the battle; `holder` is the side that holds the field, -1 for neither."""
    g.ending, g.holder = why, holder
    if holder >= 0 and g.o.grand == 0:
        take_guns(g, holder)
    if holder >= 0:
        withdraw_side(g, 1 - holder, GONE)
    note_event(g, BATTLE_ENDS, -1, -1, 0, 0, 0, holder, R_DAY_OVER + why - DAY_OVER)


@jit
def count_collapsed_brigades(g: Any, side: Any) -> Any:
    """Brigades of a side that have collapsed."""
    count = 0
    for b in range(g.brigades_n):
        if g.brigades[b].side == side and g.brigades[b].collapsed == 1:
            count += 1
    return count


@jit
def better_off(g: Any) -> Any:
    """The side with fewer brigades collapsed, else the smaller share of its SP lost; -1 when level."""
    fallen0, fallen1 = count_collapsed_brigades(g, 0), count_collapsed_brigades(g, 1)
    if fallen0 != fallen1:
        return 0 if fallen0 < fallen1 else 1
    share0, share1 = count_losses(g, 0) * g.sp_start[1], count_losses(g, 1) * g.sp_start[0]
    if share0 == share1:
        return -1
    return 0 if share0 < share1 else 1


@jit
def holder_at_end(g: Any) -> Any:
    """The side that alone has unbroken troops at the spot fought for, -1 for neither.

    Without such a spot it is the side that is better off (VBW-DEF-23).
    """
    if g.objective == 0:
        return better_off(g)
    holder = -1
    for i in range(g.n):
        u = g.u[i]
        if not is_standing(u) or u.state == ROUTED or u.class_ == TRANSPORT:
            continue
        if not is_at_objective(g, u, g.t.at_objective):
            continue
        if holder == 1 - u.side:
            return -1
        holder = u.side
    return holder


@jit
def check_battle_end(g: Any) -> None:
    """See after each phase whether the battle is over."""
    broken0, broken1 = is_broken(g, 0), is_broken(g, 1)
    why, holder = judge_battle(broken0, broken1, still_there(g, 0), still_there(g, 1))
    if why == GOES_ON:
        return
    end_battle(g, why, holder)
    if broken0:
        withdraw_side(g, 0, GONE)
    if broken1:
        withdraw_side(g, 1, GONE)


@jit
def play_battle(states: Any) -> Any:
    """Play a battle to its end in the one record of `states`; returns the error flag."""
    g = states[0]
    check_battle_end(g)
    while g.ending == GOES_ON and g.turn < g.turns and g.error == NO_ERROR:
        turn_begins(g)
        g.step, g.mover = 0, first_side(g)
        if g.o.cards == 1:
            card_phase(g)
        for k in range(2):
            g.mover = first_side(g) if k == 0 else 1 - first_side(g)
            player_phase(g)
            check_battle_end(g)
            if g.ending != GOES_ON:
                break
        end_turn(g)
        turn_ends(g)
        why = nothing_comes_of_it(g, g.t.quiet_turns)
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
    turns and the error of each run, `units` for each battalion its SP lost and captured, its stands that
    are there or did not come, those that have left, and those removed; `leaders` the state of each
    commander.
    """
    g = states[0]
    for run in range(dice.shape[0]):
        run_begins(g, words, spans, fresh, ground, dice, run, recording)
        results[run, 2] = play_battle(states)
        results[run, 0] = g.holder
        results[run, 1] = g.turn
        for i in range(g.n):
            u = g.u[i]
            units[run, u.battalion, 0] += u.lost
            units[run, u.battalion, 1] += u.captured
            if u.spare == 1:
                continue
            column = 2
            if u.state == REMOVED:
                column = 4
            elif u.place == GONE:
                column = 3
            units[run, u.battalion, column] += 1
            if u.gun_row >= 0:  # a gun of its own has no points (RTG-CBT-22)
                units[run, u.gun_row, 3 if u.dedicated == 0 or u.state == REMOVED else 2] += 1
        for k in range(g.leaders_n):
            leaders[run, k] = g.leaders[k].state
