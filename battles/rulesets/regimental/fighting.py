"""Fight battle files under the Regimental rules. Importing this module loads numba."""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine import dtypes, running
from battles.engine.batch import Batch
from battles.engine.dice import words
from battles.engine.events import Event, decode
from battles.engine.fighting import ENGINE_VERSION, EngineError, FightResult
from battles.planning import plans_set, plans_weigh
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.events import KINDS, RESULTS
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.muster import fighting_units, losses_table
from battles.rulesets.regimental.records import LARGE, SMALL, Size, blank
from battles.rulesets.regimental.sequence import play_many
from battles.rulesets.regimental.setup import outcome_read, size_for, state_write
from battles.rulesets.regimental.table import standing_read, structure_names
from battles.scenario import BattleFile, BattleOutcome
from battles.skirmish import skirmish
from battles.standing import Standing

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
        self.units, self.leaders = int(g.n), int(g.leaders_n)
        used = {"u": self.units, "brigades": int(g.brigades_n), "leaders": self.leaders}
        super().__init__(size, state, used, blank)

    def play(self, dice: NDArray[np.int64], *, record: bool = False) -> tuple[Any, Any, Any, Any]:
        """Play once for each row of dice: the record as it ended, results, units and leaders."""
        state = self.workspace()
        results = np.zeros((len(dice), 3), dtype=np.int64)
        units = np.zeros((len(dice), self.units, 3), dtype=np.int64)
        leaders = np.zeros((len(dice), self.leaders), dtype=np.int64)
        raw = np.asarray(state).view(np.int64)
        play_many(state, raw, self.spans, self.words, dice, int(record), results, units, leaders)
        return state, results, units, leaders


class Fought:
    """One battle file made ready once, to be fought with many seeds, from any thread.

    Commanders who look ahead choose their plans here, once for all runs.
    """

    def __init__(self, battle: BattleFile) -> None:
        self.choices = plans_weigh(battle)
        self.battle = plans_set(battle, self.choices)
        self._ready: dict[Size, Ready] = {}
        self._lock = threading.Lock()
        small = size_for(self.battle) == SMALL
        self.sizes = (SMALL, LARGE) if small else (LARGE,)

    def ready(self, size: Size) -> Ready:
        """The battle in that layout, drawn up on first use."""
        with self._lock:
            if size not in self._ready:
                self._ready[size] = Ready(self.battle, size)
            return self._ready[size]

    def run(self, seed: int, *, record: bool) -> tuple[Any, Any, Any]:
        """Play once: the record as it ended, what became of its units and of its leaders.

        A battle that outgrows the small layout is played again in the large one; the words of a seed are
        one stream, so it is the same in both.
        """
        for size in self.sizes:
            dice = words(seed, size.dice)[None, :]
            state, results, units, leaders = self.ready(size).play(dice, record=record)
            if results[0, 2] == dtypes.NO_ERROR:
                return state, units[0], leaders[0]
        raise EngineError(
            f"The battle “{self.battle.title}” needs more dice or events than the engine holds; "
            "give it fewer turns or fewer units."
        )

    def batch(self, seeds: Sequence[int]) -> Batch:
        """Play once for each seed, as arrays in the SP of the file."""
        ready = self.ready(self.sizes[0])
        results = np.zeros((len(seeds), 3), dtype=np.int64)
        units = np.zeros((len(seeds), ready.units, 3), dtype=np.int64)
        leaders = np.zeros((len(seeds), ready.leaders), dtype=np.int64)
        for few, dice in running.runs_of(seeds):
            _, results[few], units[few], leaders[few] = ready.play(dice)
        for run in np.flatnonzero(results[:, 2] != dtypes.NO_ERROR).tolist():
            state, units[run], leaders[run] = self.run(int(seeds[run]), record=False)
            results[run] = state["holder"][0], state["turn"][0], dtypes.NO_ERROR
        return self._batch(results, units, leaders, ready)

    def _batch(self, results: Any, units: Any, leaders: Any, ready: Ready) -> Batch:
        shape = (len(results), len(self.battle.units))
        lost, captured, place = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        listed = [n for n, unit in enumerate(self.battle.units) if unit.sp > 0]
        for k, n in enumerate(listed):
            table = losses_table(self.battle.units[n])
            gone = table[units[:, k, 0] + units[:, k, 1]]
            lost[:, n] = np.minimum(table[units[:, k, 0]], gone)
            captured[:, n] = gone - lost[:, n]
            where = units[:, k, 2]
            place[:, n] = np.select(
                [where == code for code in PLACES], list(PLACES.values()), dtypes.ON_TABLE
            )
        fates, wounds = (np.zeros((len(results), len(self.battle.leaders)), dtype=np.int64) for _ in range(2))
        for k, named in enumerate(ready.state["leaders"]["named"][0][: ready.leaders].tolist()):
            if named >= 0:
                what = leaders[:, k]
                fates[:, named] = np.select(
                    [what == code for code in FATES], list(FATES.values()), dtypes.IN_FIELD
                )
                wounds[:, named] = what == r.WOUNDED
        return Batch(results[:, 0], results[:, 1], lost, captured, place, fates, wounds)


class System:
    """The Regimental rules as the registry asks for them."""

    def ready(self, battle: BattleFile) -> Fought:
        """A battle made ready once."""
        return Fought(battle)

    def fight(self, battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
        """Fight one battle. The same battle and seed always end the same way.

        Raises BattleFileError when the battle cannot be fought.
        """
        fought = self.ready(battle)
        state, units, leaders = fought.run(seed, record=record)
        outcome = outcome_read(state, battle, units, leaders, seed, ENGINE_VERSION)
        events = self._events(state, battle) if record else ()
        return FightResult(outcome=outcome, events=events, turns=outcome.turns, choices=fought.choices)

    def _events(self, state: Any, battle: BattleFile) -> tuple[Event, ...]:
        """What happened, unit by unit."""
        g = state[0]
        return tuple(
            decode(
                g.events[: g.events_n],
                (battle.attacker, battle.defender),
                tuple(unit.id for unit in fighting_units(battle)),
                tuple(leader.id for leader in battle.leaders),
                structure_names(state, battle),
                kinds=KINDS,
                results=RESULTS,
                inch=INCH,
            )
        )

    def standing(self, battle: BattleFile) -> Standing:
        """How a battle stands drawn up, before the first move."""
        return standing_read(prepare(battle, size_for(battle)), battle)

    def fight_many(self, battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
        """Outcomes for many seeds."""
        fought = self.ready(battle)
        outcomes = []
        for seed in seeds:
            state, units, leaders = fought.run(seed, record=False)
            outcomes.append(outcome_read(state, battle, units, leaders, seed, ENGINE_VERSION))
        return outcomes

    def fight_batch(self, battle: BattleFile, seeds: Sequence[int]) -> Batch:
        """Results for many seeds as arrays; the GIL is free while battles are played, so threads help."""
        return self.ready(battle).batch(seeds)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What is compiled ahead, by name."""
        size = LARGE if large else SMALL
        battle = skirmish("regimental", SMALL.units if large else 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            Ready(battle, size).play(words(1, size.dice)[None, :])

        return ((f"{TITLE}: battles of {name} {SMALL.units} units", fight_it),)


SYSTEM = System()
