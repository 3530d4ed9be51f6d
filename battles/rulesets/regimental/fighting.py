"""Fight battle files under the Regimental rules. Importing this module loads numba."""

from collections.abc import Callable
from typing import Any

import numpy as np

from battles.engine import dtypes, running, system
from battles.engine.dice import words
from battles.engine.fighting import ENGINE_VERSION
from battles.engine.running import Array
from battles.files.initial_positions import Standing
from battles.files.schema import BattleFile, BattleOutcome
from battles.odds.plan_choice import plans_set, plans_weigh
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.events import KINDS, RESULTS
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.muster import stands_of
from battles.rulesets.regimental.records import LARGE, SMALL, Size, blank
from battles.rulesets.regimental.sequence import play_many
from battles.rulesets.regimental.setup import outcome_read, size_for, state_write
from battles.rulesets.regimental.table import standing_read
from battles.skirmish import skirmish
from battles.strength_conversion import back_of

TITLE = "Regimental"
#: Codes of the engine for where a unit is, and for what became of a leader.
PLACES = {r.LEFT: dtypes.LEFT_TABLE, r.REMOVED: dtypes.ELIMINATED}
FATES = {r.OUT_OF_BATTLE: dtypes.DISABLED, r.KILLED: dtypes.KILLED, r.CAPTURED: dtypes.CAPTURED}


def prepare(battle: BattleFile, size: Size) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = blank(size)
    state_write(state, battle, size)
    state["dice_n"] = size.dice
    return state


class Ready(running.Ready):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, size: Size) -> None:
        state = prepare(battle, size)
        g = state[0]
        units, leaders = int(g.n), int(g.leaders_n)
        used = {"u": units, "brigades": int(g.brigades_n), "leaders": leaders}
        super().__init__(size, state, used, blank, play_many, (units, 3), (leaders,))


class Fought(system.Fought):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile) -> None:
        choices = plans_weigh(battle)
        battle = plans_set(battle, choices)
        small = size_for(battle) == SMALL
        super().__init__(battle, choices, (SMALL, LARGE) if small else (LARGE,))

    def draw_up(self, size: Size) -> Ready:
        """The battle drawn up in a layout."""
        return Ready(self.battle, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP of the file lost and captured, and the place of each unit that fights, by runs."""
        back = [back_of(unit, stands_of(unit)) for unit in self.battle.units if unit.sp > 0]
        lost, captured = system.in_file(back, units[:, :, 0], units[:, :, 1])
        return lost, captured, system.codes_of(units[:, :, 2], PLACES, dtypes.ON_TABLE)

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate and wounds of each leader of the record, by runs."""
        return system.codes_of(leaders, FATES, dtypes.IN_FIELD), (leaders == r.WOUNDED).astype(np.int64)


class System(system.System):
    """The Regimental rules as the registry asks for them."""

    kinds, results, inch = KINDS, RESULTS, INCH

    def ready(self, battle: BattleFile) -> Fought:
        """A battle made ready once."""
        return Fought(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """What became of a battle."""
        return outcome_read(state, battle, units, leaders, seed, ENGINE_VERSION)

    def standing(self, battle: BattleFile) -> Standing:
        """How a battle stands drawn up, before the first move."""
        return standing_read(prepare(battle, size_for(battle)), battle)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What is compiled ahead, by name."""
        size = LARGE if large else SMALL
        battle = skirmish("regimental", SMALL.units if large else 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            Ready(battle, size).play(words(1, size.dice)[None, :])

        return ((f"{TITLE}: battles of {name} {SMALL.units} units", fight_it),)


SYSTEM = System()
