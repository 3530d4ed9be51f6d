"""Fight battle files under a scale of Volley & Bayonet. Importing this module loads numba."""

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
from battles.rulesets.volley_bayonet.events import KINDS, RESULTS
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.muster import losses_table, points_of
from battles.rulesets.volley_bayonet.records import FALLEN, LARGE, LOST, SMALL, Size, blank
from battles.rulesets.volley_bayonet.scales import Scale
from battles.rulesets.volley_bayonet.sequence import play_many
from battles.rulesets.volley_bayonet.setup import (
    outcome_read,
    size_for,
    state_write,
    turns_in_file,
)
from battles.rulesets.volley_bayonet.table import standing_read, structure_names, table_of
from battles.scenario import BattleFile, BattleOutcome
from battles.skirmish import skirmish
from battles.standing import Standing

#: Places of the engine's codes by what is left of a unit: stands, gone with SP, removed.
PLACES = (dtypes.ON_TABLE, dtypes.LEFT_TABLE, dtypes.ELIMINATED)


def prepare(battle: BattleFile, scale: Scale, size: Size) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = blank(size)
    state_write(state, battle, scale, size)
    state["dice_n"] = size.dice
    return state


class Ready(running.Ready):
    """One battle drawn up in one layout, to be played from any thread."""

    def __init__(self, battle: BattleFile, scale: Scale, size: Size) -> None:
        state = prepare(battle, scale, size)
        g = state[0]
        self.units, self.leaders = int(g.battalions_n), int(g.leaders_n)
        # units that break up have more stands than they began with
        stands = min(2 * int(g.n), size.stands)
        used = {"u": stands, "battalions": self.units, "brigades": int(g.brigades_n), "leaders": self.leaders}
        super().__init__(size, state, used, blank)

    def play(self, dice: NDArray[np.int64], *, record: bool = False) -> tuple[Any, Any, Any, Any]:
        """Play once for each row of dice: the record as it ended, results, units and commanders."""
        state = self.workspace()
        results = np.zeros((len(dice), 3), dtype=np.int64)
        units = np.zeros((len(dice), self.units, 5), dtype=np.int64)
        leaders = np.zeros((len(dice), self.leaders), dtype=np.int64)
        raw = np.asarray(state).view(np.int64)
        play_many(state, raw, self.spans, self.words, self.ground, dice, int(record), results, units, leaders)
        return state, results, units, leaders


class Fought:
    """One battle file made ready once, to be fought with many seeds, from any thread.

    Commanders who look ahead choose their plans here, once for all runs.
    """

    def __init__(self, battle: BattleFile, scale: Scale) -> None:
        self.scale = scale
        self.choices = plans_weigh(battle)
        self.battle = battle = plans_set(battle, self.choices)
        self._ready: dict[Size, Ready] = {}
        self._lock = threading.Lock()
        small = size_for(battle, scale) == SMALL
        self.sizes = (SMALL, LARGE) if small else (LARGE,)

    def ready(self, size: Size) -> Ready:
        """The battle in that layout, drawn up on first use."""
        with self._lock:
            if size not in self._ready:
                self._ready[size] = Ready(self.battle, self.scale, size)
            return self._ready[size]

    def run(self, seed: int, *, record: bool) -> tuple[Any, Any, Any]:
        """Play once: the record as it ended, what became of its units and of its commanders.

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
        size = self.sizes[0]
        ready = self.ready(size)
        results = np.zeros((len(seeds), 3), dtype=np.int64)
        units = np.zeros((len(seeds), ready.units, 5), dtype=np.int64)
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
            unit = self.battle.units[n]
            table = losses_table(unit, points_of(unit))
            gone = table[units[:, k, 0] + units[:, k, 1]]
            lost[:, n] = np.minimum(table[units[:, k, 0]], gone)
            captured[:, n] = gone - lost[:, n]
            place[:, n] = np.select([units[:, k, 2] > 0, units[:, k, 3] > 0], PLACES[:2], default=PLACES[2])
        fates = np.zeros((len(results), len(self.battle.leaders)), dtype=np.int64)
        for k, named in enumerate(ready.state["leaders"]["named"][0][: ready.leaders].tolist()):
            if named >= 0:
                what = leaders[:, k]
                fates[:, named] = np.select(
                    [what == LOST, what == FALLEN], [dtypes.CAPTURED, dtypes.KILLED], dtypes.IN_FIELD
                )
        turns = turns_in_file(results[:, 1])
        turns = np.minimum(turns, self.battle.turns)
        return Batch(results[:, 0], turns, lost, captured, place, fates, np.zeros_like(fates))


class System:
    """One scale of Volley & Bayonet as the registry asks for it."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale

    def ready(self, battle: BattleFile) -> Fought:
        """A battle made ready once."""
        return Fought(battle, self.scale)

    def fight(self, battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
        """Fight one battle. The same battle and seed always end the same way.

        Raises BattleFileError when the battle cannot be fought.
        """
        fought = self.ready(battle)
        state, units, leaders = fought.run(seed, record=record)
        outcome = outcome_read(state, battle, self.scale, units, leaders, seed, ENGINE_VERSION)
        events = self._events(state, battle) if record else ()
        return FightResult(outcome=outcome, events=events, turns=outcome.turns, choices=fought.choices)

    def _events(self, state: Any, battle: BattleFile) -> tuple[Event, ...]:
        """What happened, stand by stand (`table.table_of`)."""
        g = state[0]
        stands = tuple(unit.id for unit in table_of(battle, self.scale).units)
        return tuple(
            decode(
                g.events[: g.events_n],
                (battle.attacker, battle.defender),
                stands,
                tuple(leader.id for leader in battle.leaders),
                structure_names(state, battle),
                kinds=KINDS,
                results=RESULTS,
                inch=INCH,
            )
        )

    def standing(self, battle: BattleFile) -> Standing:
        """How a battle stands drawn up, before the first move, stand by stand."""
        return standing_read(prepare(battle, self.scale, size_for(battle, self.scale)), battle, self.scale)

    def fight_many(self, battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
        """Outcomes for many seeds."""
        fought = self.ready(battle)
        outcomes = []
        for seed in seeds:
            state, units, leaders = fought.run(seed, record=False)
            outcomes.append(outcome_read(state, battle, self.scale, units, leaders, seed, ENGINE_VERSION))
        return outcomes

    def fight_batch(self, battle: BattleFile, seeds: Sequence[int]) -> Batch:
        """Results for many seeds as arrays; the GIL is free while battles are played, so threads help."""
        return self.ready(battle).batch(seeds)

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        """What is compiled ahead, by name; one version serves every scale."""
        size = LARGE if large else SMALL
        battle = skirmish(self.scale.id, SMALL.stands if large else 1, 1)
        name = "more than" if large else "up to"

        def fight_it() -> None:
            Ready(battle, self.scale, size).play(words(1, size.dice)[None, :])

        return ((f"{self.scale.title}: battles of {name} {SMALL.stands} stands", fight_it),)
