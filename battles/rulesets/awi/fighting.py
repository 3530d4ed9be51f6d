"""Fight battle files under the AWI rules. Importing this module loads numba; the registry does not."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine import running
from battles.engine.batch import Batch
from battles.engine.dice import words
from battles.engine.dtypes import LARGE, NO_ERROR, SMALL, Size, blank
from battles.engine.events import decode
from battles.engine.fighting import ENGINE_VERSION, EngineError, FightResult
from battles.planning import plans_set, plans_weigh
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.sequence import play_many
from battles.rulesets.awi.setup import outcome_read, rows_of, state_write
from battles.rulesets.awi.staff import structure_names
from battles.rulesets.awi.standings import standing_read
from battles.scenario import BattleFile, BattleOutcome
from battles.skirmish import skirmish
from battles.standing import Standing


def prepare(battle: BattleFile, size: Size) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = blank(size)
    state_write(state, battle)
    state["dice_n"] = size.dice
    return state


class Ready(running.Ready):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, size: Size) -> None:
        state = prepare(battle, size)
        g = state[0]
        self.units, self.generals = int(g.n), int(g.generals_n)
        used = {"u": self.units, "generals": self.generals, "structures": int(g.structures_n)}
        super().__init__(size, state, used, blank)

    def play(self, dice: NDArray[np.int64], *, record: bool = False) -> tuple[Any, Any, Any, Any]:
        """Play once for each row of dice: the record as it ended, results, units and generals."""
        state = self.workspace()
        results = np.zeros((len(dice), 3), dtype=np.int64)
        units = np.zeros((len(dice), self.units, 3), dtype=np.int64)
        generals = np.zeros((len(dice), self.generals, 2), dtype=np.int64)
        raw = np.asarray(state).view(np.int64)
        play_many(
            state, raw, self.spans, self.words, self.ground, dice, int(record), results, units, generals
        )
        return state, results, units, generals


class Fought:
    """One battle file made ready once, to be fought with many seeds, from any thread.

    Commanders who look ahead choose their plans here, once for all runs.
    """

    def __init__(self, battle: BattleFile) -> None:
        self.choices = plans_weigh(battle)
        self.battle = battle = plans_set(battle, self.choices)
        self._ready: dict[Size, Ready] = {}
        self._lock = threading.Lock()
        self.sizes = (SMALL, LARGE) if size_for(battle) == SMALL else (LARGE,)

    def ready(self, size: Size) -> Ready:
        """The battle in that layout, drawn up on first use."""
        with self._lock:
            if size not in self._ready:
                self._ready[size] = Ready(self.battle, size)
            return self._ready[size]

    def run(self, seed: int, *, record: bool) -> Any:
        """Play once; a battle that outgrows the small layout is played again in the large one.

        The words of a seed are one stream, so the battle is the same in both. Returns the record.
        """
        for size in self.sizes:
            state, results, _, _ = self.ready(size).play(words(seed, size.dice)[None, :], record=record)
            if results[0, 2] == NO_ERROR:
                return state
        raise self._void()

    def batch(self, seeds: Sequence[int]) -> Batch:
        """Play once for each seed, as arrays."""
        fought = [unit.sp > 0 for unit in self.battle.units]
        shape = (len(seeds), len(self.battle.units))
        results = np.zeros((len(seeds), 3), dtype=np.int64)
        units = np.zeros((*shape, 3), dtype=np.int64)
        generals = np.zeros((len(seeds), len(self.battle.leaders), 2), dtype=np.int64)
        size = self.sizes[0]
        for few, dice in running.runs_of(seeds):
            _, results[few], units[few, fought], generals[few] = self.ready(size).play(dice)
        for run in np.flatnonzero(results[:, 2] != NO_ERROR).tolist():
            state = self.run(int(seeds[run]), record=False)
            rows = state["u"][0][: sum(fought)]
            results[run] = state["holder"][0], state["turn"][0], NO_ERROR
            for column, name in enumerate(("lost", "captured", "place")):
                units[run, fought, column] = rows[name]
            few_generals = state["generals"][0][: len(self.battle.leaders)]
            generals[run, :, 0], generals[run, :, 1] = few_generals["fate"], few_generals["wounds"]
        return Batch(
            results[:, 0], results[:, 1],
            units[:, :, 0], units[:, :, 1], units[:, :, 2], generals[:, :, 0], generals[:, :, 1],
        )  # fmt: skip

    def _void(self) -> EngineError:
        return EngineError(
            f"The battle “{self.battle.title}” needs more dice or events than the engine holds; "
            "give it fewer turns or fewer units."
        )


def ready(battle: BattleFile) -> Fought:
    """A battle made ready once."""
    return Fought(battle)


def fight(battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
    """Fight one battle. The same battle and seed always end the same way.

    Raises BattleFileError when the battle cannot be fought.
    """
    fought = Fought(battle)
    state = fought.run(seed, record=record)
    ids = tuple(unit.id for unit in battle.units if unit.sp > 0)
    leaders = tuple(leader.id for leader in battle.leaders)
    sides = (battle.attacker, battle.defender)
    structures = structure_names(state, battle)
    events = decode(rows_of(state), sides, ids, leaders, structures) if record else []
    outcome = outcome_read(state, battle, seed, ENGINE_VERSION)
    return FightResult(outcome=outcome, events=tuple(events), turns=outcome.turns, choices=fought.choices)


def standing(battle: BattleFile) -> Standing:
    """How a battle stands drawn up, before the first move."""
    return standing_read(prepare(battle, size_for(battle)), battle)


def fight_many(battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
    """Outcomes for many seeds."""
    fought = Fought(battle)
    return [outcome_read(fought.run(seed, record=False), battle, seed, ENGINE_VERSION) for seed in seeds]


def fight_batch(battle: BattleFile, seeds: Sequence[int]) -> Batch:
    """Results for many seeds as arrays; the GIL is free while battles are played, so threads help."""
    return Fought(battle).batch(seeds)


def entry_points(*, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
    """What is compiled ahead, by name: the layout for up to 96 units, or the large one for more."""
    size = SMALL.units
    if large:
        battle, name = skirmish("awi", size, 5), f"AWI battles of more than {size} units"
    else:
        battle, name = skirmish("awi", 1, 5), f"AWI battles of up to {size} units"

    def fight_it() -> None:
        Fought(battle).run(1, record=False)

    return ((name, fight_it),)
