"""Fight battle files under the Regimental rules. Importing this module loads numba."""

from collections.abc import Callable
from typing import Any

import numpy as np

from battles.engine import dtypes, running, system
from battles.engine.dice import draw_words
from battles.engine.fighting import ENGINE_VERSION
from battles.engine.running import Array
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome
from battles.odds.plan_choice import apply_plan_choices, plans_weigh
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.events import KINDS, RESULTS
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.positions import find_initial_positions
from battles.rulesets.regimental.records import LARGE, SMALL, RegimentalRecordSize, make_blank_state
from battles.rulesets.regimental.sequence import play_many
from battles.rulesets.regimental.setup import build_outcome, size_for, state_write
from battles.rulesets.regimental.strength import count_stands
from battles.skirmish import build_skirmish
from battles.strength_conversion import back_of

TITLE = "Regimental"
#: Codes of the engine for where a unit is, and for what became of a leader.
PLACES = {r.LEFT: dtypes.LEFT_TABLE, r.REMOVED: dtypes.ELIMINATED}
FATES = {r.OUT_OF_BATTLE: dtypes.DISABLED, r.KILLED: dtypes.KILLED, r.CAPTURED: dtypes.CAPTURED}


def prepare_state(battle: BattleFile, size: RegimentalRecordSize) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = make_blank_state(size)
    state_write(state, battle, size)
    state["dice_n"] = size.dice
    return state


class RegimentalDeployedBattle(running.DeployedBattle):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, size: RegimentalRecordSize) -> None:
        state = prepare_state(battle, size)
        g = state[0]
        units, leaders = int(g.n), int(g.leaders_n)
        used = {"u": units, "brigades": int(g.brigades_n), "leaders": leaders}
        super().__init__(size, state, used, make_blank_state, play_many, (units, 3), (leaders,))


class RegimentalBattleRunner(system.BattleRunner):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile) -> None:
        choices = plans_weigh(battle)
        battle = apply_plan_choices(battle, choices)
        small = size_for(battle) == SMALL
        super().__init__(battle, choices, (SMALL, LARGE) if small else (LARGE,))

    def draw_up(self, size: RegimentalRecordSize) -> RegimentalDeployedBattle:
        """The battle drawn up in a layout."""
        return RegimentalDeployedBattle(self.battle, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP of the file lost and captured, and the place of each unit that fights, by runs."""
        back = [back_of(unit, count_stands(unit)) for unit in self.battle.units if unit.sp > 0]
        lost, captured = system.in_file(back, units[:, :, 0], units[:, :, 1])
        return lost, captured, system.codes_of(units[:, :, 2], PLACES, dtypes.ON_TABLE)

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate and wounds of each leader of the record, by runs."""
        return system.codes_of(leaders, FATES, dtypes.IN_FIELD), (leaders == r.WOUNDED).astype(np.int64)


class RegimentalEngine(system.RulesetEngine):
    """The Regimental engine as the registry calls it."""

    kinds, results, inch = KINDS, RESULTS, INCH

    def ready(self, battle: BattleFile) -> RegimentalBattleRunner:
        """A runner of a battle (`BattleRunner`)."""
        return RegimentalBattleRunner(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """The outcome of a battle."""
        return build_outcome(state, battle, units, leaders, seed, ENGINE_VERSION)

    def standing(self, battle: BattleFile) -> InitialPositions:
        """The positions of all units and leaders before the first move."""
        return find_initial_positions(prepare_state(battle, size_for(battle)), battle)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """The kernels that are compiled ahead, by name."""
        size = LARGE if large else SMALL
        battle = build_skirmish("regimental", SMALL.units if large else 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            RegimentalDeployedBattle(battle, size).play(draw_words(1, size.dice)[None, :])

        return ((f"{TITLE}: battles of {name} {SMALL.units} units", fight_it),)


SYSTEM = RegimentalEngine()
