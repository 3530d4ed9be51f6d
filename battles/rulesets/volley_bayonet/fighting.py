"""Fight battle files under a scale of Volley & Bayonet. Importing this module loads numba."""

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
from battles.rulesets.volley_bayonet.events import KINDS, RESULTS
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.positions import build_table_file, find_initial_positions
from battles.rulesets.volley_bayonet.records import (
    FALLEN,
    LARGE,
    LOST,
    SMALL,
    VolleyBayonetRecordSize,
    make_blank_state,
)
from battles.rulesets.volley_bayonet.scales import RulesetScale
from battles.rulesets.volley_bayonet.sequence import play_many
from battles.rulesets.volley_bayonet.setup import build_outcome, convert_turns_to_file, size_for, state_write
from battles.rulesets.volley_bayonet.strength import count_points
from battles.skirmish import build_skirmish
from battles.strength_conversion import back_of, fighting_units

#: Places of the engine's codes by what is left of a unit: stands, gone with SP, removed.
PLACES = (dtypes.ON_TABLE, dtypes.LEFT_TABLE, dtypes.ELIMINATED)
#: The engine's codes for what became of a commander.
FATES = {LOST: dtypes.CAPTURED, FALLEN: dtypes.KILLED}


def prepare_state(battle: BattleFile, scale: RulesetScale, size: VolleyBayonetRecordSize) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = make_blank_state(size)
    state_write(state, battle, scale, size)
    state["dice_n"] = size.dice
    return state


class VolleyBayonetDeployedBattle(running.DeployedBattle):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, scale: RulesetScale, size: VolleyBayonetRecordSize) -> None:
        state = prepare_state(battle, scale, size)
        g = state[0]
        units, leaders = int(g.battalions_n), int(g.leaders_n)
        used = {"u": int(g.n), "battalions": units, "brigades": int(g.brigades_n), "leaders": leaders}
        super().__init__(size, state, used, make_blank_state, play_many, (units, 5), (leaders,))


class VolleyBayonetBattleRunner(system.BattleRunner):
    """One battle file made ready once, to be fought with many seeds, from any thread."""

    def __init__(self, battle: BattleFile, scale: RulesetScale) -> None:
        self.scale = scale
        choices = plans_weigh(battle)
        battle = apply_plan_choices(battle, choices)
        small = size_for(battle, scale) == SMALL
        super().__init__(battle, choices, (SMALL, LARGE) if small else (LARGE,))

    def draw_up(self, size: VolleyBayonetRecordSize) -> VolleyBayonetDeployedBattle:
        """The battle drawn up in a layout."""
        return VolleyBayonetDeployedBattle(self.battle, self.scale, size)

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP of the file lost and captured, and the place of each unit that fights, by runs."""
        fighting = fighting_units(self.battle)
        back = [back_of(unit, count_points(unit)) for unit in fighting]
        lost, captured = system.in_file(back, units[:, :, 0], units[:, :, 1])
        place = np.select([units[:, :, 2] > 0, units[:, :, 3] > 0], PLACES[:2], default=PLACES[2])
        for k, unit in enumerate(fighting):
            if count_points(unit) == 0:
                lost[:, k] = np.where(place[:, k] == PLACES[2], unit.sp, 0)  # as `muster.losses_of`
        return lost, captured, place

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate of each leader of the record, by runs; nobody is wounded."""
        return system.codes_of(leaders, FATES, dtypes.IN_FIELD), np.zeros_like(leaders)

    def turns(self, turns: Array) -> Array:
        """Game turns of the file that so many of these rules are, no more than the day has."""
        return np.minimum(convert_turns_to_file(turns), self.battle.turns)


class VolleyBayonetEngine(system.RulesetEngine):
    """One scale of Volley & Bayonet as the registry asks for it."""

    kinds, results, inch = KINDS, RESULTS, INCH

    def __init__(self, scale: RulesetScale) -> None:
        self.scale = scale

    def ready(self, battle: BattleFile) -> VolleyBayonetBattleRunner:
        """A runner of a battle (`BattleRunner`)."""
        return VolleyBayonetBattleRunner(battle, self.scale)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """The outcome of a battle."""
        return build_outcome(state, battle, self.scale, units, leaders, seed, ENGINE_VERSION)

    def pieces(self, battle: BattleFile) -> tuple[str, ...]:
        """Ids of all stands (`build_table_file`)."""
        return tuple(unit.id for unit in build_table_file(battle, self.scale).units)

    def standing(self, battle: BattleFile) -> InitialPositions:
        """The positions of all stands before the first move."""
        return find_initial_positions(
            prepare_state(battle, self.scale, size_for(battle, self.scale)), battle, self.scale
        )

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """Entry points that are compiled ahead, by name; one version serves every scale."""
        size = LARGE if large else SMALL
        battle = build_skirmish(self.scale.id, SMALL.stands if large else 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            VolleyBayonetDeployedBattle(battle, self.scale, size).play(draw_words(1, size.dice)[None, :])

        return ((f"{self.scale.title}: battles of {name} {SMALL.stands} stands", fight_it),)
