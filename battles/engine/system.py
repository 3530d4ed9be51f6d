"""A ruleset as what fights: what the registry asks for, and one battle fought with many seeds.

A ruleset says how a battle is drawn up in its record, what plays it, and what came of its units and leaders;
layouts, runs in parts, arrays and events are the same for all of them.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from battles.engine.batch import Batch
from battles.engine.dice import draw_words
from battles.engine.dtypes import NO_ERROR
from battles.engine.events import KINDS, RESULTS, BattleEvent, decode_events
from battles.engine.fighting import EngineError, FightResult
from battles.engine.reading import structure_names
from battles.engine.running import Array, DeployedBattle, runs_of
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome, PlanChoice
from battles.strength_conversion import fighting_units


class BattleRunner(ABC):
    """One battle file made ready once, to be fought with many seeds, from any thread.

    `choices` are the plans of commanders who looked ahead, which are set in `battle` once for all runs;
    `sizes` the layouts that hold it, the smallest first.
    """

    def __init__(self, battle: BattleFile, choices: tuple[PlanChoice, ...], sizes: Sequence[Any]) -> None:
        self.battle, self.choices, self.sizes = battle, choices, sizes
        self._ready: dict[Any, DeployedBattle] = {}
        self._lock = threading.Lock()

    @abstractmethod
    def draw_up(self, size: Any) -> DeployedBattle:
        """The battle drawn up in a layout."""

    @abstractmethod
    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        """SP of the file lost and captured, and the place (`dtypes`) of each unit that fights, by runs."""

    @abstractmethod
    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        """Fate and wounds of each leader of the record, by runs."""

    def list_leader_places(self) -> Sequence[int]:
        """The place of each leader of the record among those of the file, -1 for who is not in it."""
        ready = self.ready(self.sizes[0])
        places: list[int] = ready.state["leaders"]["named"][0][: ready.leaders[0]].tolist()
        return places

    def turns(self, turns: Array) -> Array:
        """Game turns of the file that so many of the rules are."""
        return turns

    def ready(self, size: Any) -> DeployedBattle:
        """The battle in that layout, drawn up on first use."""
        with self._lock:
            if size not in self._ready:
                self._ready[size] = self.draw_up(size)
            return self._ready[size]

    def run(self, seed: int, *, record: bool) -> tuple[Any, Any, Any]:
        """Play once: the record at the end, the results of its units and those of its leaders.

        A battle that outgrows the small layout is played again in the large one; the words of a seed are
        one stream, so it is the same in both.
        """
        for size in self.sizes:
            dice = draw_words(seed, size.dice)[None, :]
            state, results, units, leaders = self.ready(size).play(dice, record=record)
            if results[0, 2] == NO_ERROR:
                return state, units[0], leaders[0]
        raise EngineError(
            f"The battle “{self.battle.title}” needs more dice or events than the engine holds; "
            "give it fewer turns or fewer units."
        )

    def batch(self, seeds: Sequence[int]) -> Batch:
        """Play once for each seed, as arrays in the SP of the file."""
        ready = self.ready(self.sizes[0])
        results, units, leaders = ready.room(len(seeds))
        for few, dice in runs_of(seeds):
            _, results[few], units[few], leaders[few] = ready.play(dice)
        for run in np.flatnonzero(results[:, 2] != NO_ERROR).tolist():
            state, units[run], leaders[run] = self.run(int(seeds[run]), record=False)
            results[run] = state["holder"][0], state["turn"][0], NO_ERROR
        listed = [n for n, unit in enumerate(self.battle.units) if unit.sp > 0]
        count, leaders_n = len(self.battle.units), len(self.battle.leaders)
        return Batch(
            results[:, 0],
            self.turns(results[:, 1]),
            *(in_columns(values, listed, count) for values in self.of_units(units)),
            *(
                in_columns(values, self.list_leader_places(), leaders_n)
                for values in self.of_leaders(leaders)
            ),
        )


def in_columns(values: Array, columns: Sequence[int], count: int) -> Array:
    """The columns of an array in these places of so many, 0 in all others; -1 is no place."""
    placed = np.zeros((len(values), count), dtype=np.int64)
    for k, column in enumerate(columns):
        if column >= 0:
            placed[:, column] = values[:, k]
    return placed


def in_file(back: Sequence[Sequence[int]], lost: Array, captured: Array) -> tuple[Array, Array]:
    """SP of the file that points lost and captured are, a column a unit (`convert_losses`).

    `back` are the SP of the file by points lost of each unit.
    """
    lost_sp, captured_sp = np.zeros_like(lost), np.zeros_like(lost)
    for k, table in enumerate(np.array(sp, dtype=np.int64) for sp in back):
        gone = table[lost[:, k] + captured[:, k]]
        lost_sp[:, k] = np.minimum(table[lost[:, k]], gone)
        captured_sp[:, k] = gone - lost_sp[:, k]
    return lost_sp, captured_sp


def codes_of(values: Array, codes: Mapping[int, int], default: int) -> Array:
    """An array with each of these codes turned into another, and all others into one."""
    turned = np.full(values.shape, default, dtype=np.int64)
    for code, other in codes.items():
        turned[values == code] = other
    return turned


class RulesetEngine(ABC):
    """A ruleset's engine as the registry calls it, with its kinds of events and its inch."""

    kinds: tuple[tuple[str, str], ...] = KINDS
    results: tuple[str, ...] = RESULTS
    #: Inches of the record to an inch of the file.
    inch = 1.0

    @abstractmethod
    def ready(self, battle: BattleFile) -> BattleRunner:
        """A runner of a battle (`BattleRunner`)."""

    @abstractmethod
    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        """The outcome of a run as `BattleRunner.run` gives it."""

    @abstractmethod
    def standing(self, battle: BattleFile) -> InitialPositions:
        """The positions of all units and leaders before the first move."""

    @abstractmethod
    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """The kernels that are compiled ahead, by name."""

    def pieces(self, battle: BattleFile) -> tuple[str, ...]:
        """Ids of the pieces under `u` in the record, in its order."""
        return tuple(unit.id for unit in fighting_units(battle))

    def events(self, state: Any, battle: BattleFile) -> tuple[BattleEvent, ...]:
        """The events of a battle, in their order."""
        g = state[0]
        return tuple(
            decode_events(
                g.events[: g.events_n],
                (battle.attacker, battle.defender),
                self.pieces(battle),
                tuple(leader.id for leader in battle.leaders),
                structure_names(state, battle),
                kinds=self.kinds,
                results=self.results,
                inch=self.inch,
            )
        )

    def fight(self, battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
        """Fight one battle. The same battle and seed always end the same way.

        Raises BattleFileError when the battle cannot be fought.
        """
        fought = self.ready(battle)
        run = fought.run(seed, record=record)
        outcome = self.outcome(battle, seed, *run)
        events = self.events(run[0], battle) if record else ()
        return FightResult(outcome=outcome, events=events, turns=outcome.turns, choices=fought.choices)

    def fight_many(self, battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
        """Outcomes for many seeds."""
        fought = self.ready(battle)
        return [self.outcome(battle, seed, *fought.run(seed, record=False)) for seed in seeds]

    def fight_batch(self, battle: BattleFile, seeds: Sequence[int]) -> Batch:
        """Results for many seeds as arrays; the GIL is free while battles are played, so threads help."""
        return self.ready(battle).batch(seeds)
