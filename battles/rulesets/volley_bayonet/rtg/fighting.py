"""Fight battle files under Road to Glory. Importing this module loads numba."""

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
from battles.rulesets.volley_bayonet.events import RESULTS
from battles.rulesets.volley_bayonet.fighting import FATES
from battles.rulesets.volley_bayonet.positions import build_initial_positions
from battles.rulesets.volley_bayonet.records import LARGE, SMALL, VolleyBayonetRecordSize, make_blank_state
from battles.rulesets.volley_bayonet.rtg.events import KINDS
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.positions import build_table_file
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY, FixedScale
from battles.rulesets.volley_bayonet.rtg.setup import (
    build_outcome,
    build_unit_outcomes,
    convert_turns_to_file,
    pools_of,
    record_gun_losses,
    size_for,
    state_write,
)
from battles.rulesets.volley_bayonet.sequence import play_many
from battles.skirmish import build_skirmish

#: The engine's codes for what became of a unit.
PLACES = {"present": dtypes.ON_TABLE, "left_table": dtypes.LEFT_TABLE, "eliminated": dtypes.ELIMINATED}


def prepare_state(battle: BattleFile, scale: FixedScale, size: VolleyBayonetRecordSize) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = make_blank_state(size)
    state_write(state, battle, scale, size)
    state["dice_n"] = size.dice
    return state


class RoadToGloryDeployedBattle(running.DeployedBattle):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, scale: FixedScale, size: VolleyBayonetRecordSize) -> None:
        state = prepare_state(battle, scale, size)
        g = state[0]
        rows, leaders = int(g.battalions_n), int(g.leaders_n)
        used = {"u": int(g.n), "battalions": rows, "brigades": int(g.brigades_n), "leaders": leaders}
        super().__init__(size, state, used, make_blank_state, play_many, (rows, 5), (leaders,))

    def play(self, dice: Array, *, record: bool = False) -> tuple[Any, Any, Any, Any]:
        """Play once for each row of dice; who holds the field has the guns that were lost on it."""
        state, results, units, leaders = super().play(dice, record=record)
        record_gun_losses(self.state, results[:, 0], units)
        return state, results, units, leaders


class RoadToGloryBattleRunner(system.BattleRunner):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile, scale: FixedScale) -> None:
        self.scale = scale
        choices = plans_weigh(battle)
        battle = apply_plan_choices(battle, choices)
        small = size_for(battle, scale) == SMALL
        super().__init__(battle, choices, (SMALL, LARGE) if small else (LARGE,))
        self.pools = pools_of(battle, scale)

    def draw_up(self, size: VolleyBayonetRecordSize) -> RoadToGloryDeployedBattle:
        """The battle drawn up in a layout."""
        return RoadToGloryDeployedBattle(self.battle, self.scale, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP of the file lost and captured, and the place of each unit that fights, by runs.

        Runs that ended alike are turned into SP of the file once.
        """
        names = [unit.id for unit in self.battle.units if unit.sp > 0]
        ends, which = np.unique(units.reshape(len(units), -1), axis=0, return_inverse=True)
        told = np.zeros((len(ends), len(names), 3), dtype=np.int64)
        told[:, :, 2] = dtypes.ON_TABLE
        for row, end in enumerate(ends):
            became = build_unit_outcomes(self.battle, self.pools, end.reshape(units.shape[1:]))
            for k, name in enumerate(names):
                if name in became:
                    one = became[name]
                    told[row, k] = one.sp_lost, one.sp_captured, PLACES[one.fate]
        runs = told[which.reshape(-1)]
        return runs[:, :, 0], runs[:, :, 1], runs[:, :, 2]

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate of each leader of the record, by runs; nobody is wounded."""
        return system.codes_of(leaders, FATES, dtypes.IN_FIELD), np.zeros_like(leaders)

    def turns(self, turns: Array) -> Array:
        """Game turns of the file that so many of these rules are, no more than the day has."""
        in_file: Array = np.minimum(convert_turns_to_file(turns), self.battle.turns)
        return in_file


class RoadToGloryEngine(system.RulesetEngine):
    """Road to Glory as the registry asks for it."""

    kinds, results, inch = KINDS, RESULTS, INCH

    def __init__(self, scale: FixedScale) -> None:
        self.scale = scale

    def ready(self, battle: BattleFile) -> RoadToGloryBattleRunner:
        """A runner of a battle (`BattleRunner`)."""
        return RoadToGloryBattleRunner(battle, self.scale)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """The outcome of a battle."""
        return build_outcome(state, battle, self.scale, units, leaders, seed, ENGINE_VERSION)

    def pieces(self, battle: BattleFile) -> tuple[str, ...]:
        """Ids of all stands (`build_table_file`)."""
        return tuple(unit.id for unit in build_table_file(battle, self.scale).units)

    def standing(self, battle: BattleFile) -> InitialPositions:
        """The positions of all stands before the first move."""
        state = prepare_state(battle, self.scale, size_for(battle, self.scale))
        return build_initial_positions(state, battle, build_table_file(battle, self.scale), INCH)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """Entry points that are compiled ahead, by name: the version of the other scales."""
        size = LARGE if large else SMALL
        battle = build_skirmish(self.scale.id, 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            RoadToGloryDeployedBattle(battle, self.scale, size).play(draw_words(1, size.dice)[None, :])

        return ((f"{self.scale.title}: battles of {name} {SMALL.stands} stands", fight_it),)


SYSTEM = RoadToGloryEngine(ROAD_TO_GLORY)
