"""Odds: one battle fought many times by the engine and counted, with 95 % intervals.

The dice of odds are never the battle's own: their seeds are drawn from the seed asked for and a number.
Chunks of runs are shared among threads but counted in their order, so that the same seed gives the
same odds however many threads there are and wherever they stop.
"""

import hashlib
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from battles.engine.batch import Batch
from battles.engine.dtypes import (
    CAPTURED,
    DISABLED,
    ELIMINATED,
    GONE_HOME,
    IN_FIELD,
    KILLED,
    LEFT_TABLE,
    ON_TABLE,
    SURRENDERED,
)
from battles.engine.fighting import ENGINE_VERSION
from battles.files.schema import BattleFile, BattleOutcome, PlanChoice
from battles.odds.intervals import POINTS_STEP, Distribution, Interval, find_wilson_interval
from battles.rulesets import registry
from rosters.domain.strength import POINTS_FOR_ZERO, POINTS_PER_SP_CAPTURED, POINTS_PER_SP_LOST

USUAL_RUNS = 2400
#: Why there are fewer runs than asked.
Stop = Literal["", "precision", "cancelled"]
#: Runs of the first chunks and of all after them: the first figures come soon, later calls are few.
FIRST_CHUNK, LARGEST_CHUNK = 16, 256
#: Seconds after which a thread looks whether it shall stop, at the least.
PATIENCE = 0.05
#: What a tally counts, as its rows are called.
COUNTED = ("holders", "turns", "sides", "units", "places", "fates", "wounded")
#: Units that all runs of a chunk have together at most, so that a large battle can be stopped soon too.
UNITS_A_CHUNK = 6144


@dataclass(frozen=True, slots=True)
class UnitOdds:
    """The losses of a unit: SP `lost`, `captured`, both together `gone`; `points` are as in SideOdds.

    `destroyed` is eliminated or surrendered, `surrendered` the second alone.
    """

    id: str
    name: str
    side: str
    sp: int
    lost: Distribution
    captured: Distribution
    gone: Distribution
    points: Distribution
    destroyed: Interval
    surrendered: Interval
    left_table: Interval


@dataclass(frozen=True, slots=True)
class GeneralOdds:
    """The fates of a general; `lost` is killed or captured, `disabled` out by a second wound.

    `wounded` came away with one light wound, so each is counted once.
    """

    id: str
    name: str
    side: str
    lost: Interval
    killed: Interval
    captured: Interval
    disabled: Interval
    wounded: Interval


@dataclass(frozen=True, slots=True)
class SideOdds:
    """The losses of a side: SP shot away, SP captured, and both together.

    `points` are the campaign points they cost, in steps of five (AWI-C-BAT-01 to 03).
    """

    id: str
    name: str
    sp: int
    lost: Distribution
    captured: Distribution
    gone: Distribution
    points: Distribution


@dataclass(frozen=True, slots=True)
class FightOdds:
    """`win` and `loss` are the attacker's. `stopped` says why there are fewer runs than `asked`."""

    ruleset: str
    options: Mapping[str, Any]
    engine_version: str
    seed: int
    asked: int
    runs: int
    stopped: Stop
    win: Interval
    draw: Interval
    loss: Interval
    turns: Distribution
    sides: tuple[SideOdds, SideOdds]
    units: tuple[UnitOdds, ...]
    generals: tuple[GeneralOdds, ...]
    seconds: float = field(default=0.0, compare=False)
    #: The plans of commanders who look ahead, and what they weighed.
    choices: tuple[PlanChoice, ...] = ()


def odds_seeds(seed: int, start: int, stop: int) -> list[int]:
    """64-bit seeds of the runs from `start` to before `stop`: never the seed of the battle itself."""
    return [
        int.from_bytes(hashlib.sha256(f"{seed}/odds/{k}".encode()).digest()[:8], "big")
        for k in range(start, stop)
    ]


def _iter_chunks(runs: int, units: int, start: int = 0) -> Iterator[tuple[int, int]]:
    """The start and stop of each chunk; the same whatever the number of threads."""
    largest = max(4, min(LARGEST_CHUNK, UNITS_A_CHUNK // max(1, units)))
    size = min(FIRST_CHUNK, largest)
    while start < runs:
        yield start, min(start + size, runs)
        start, size = start + size, min(size * 2, largest)


class OddsTally:
    """Counts of what the runs gave."""

    def __init__(self, battle: BattleFile) -> None:
        self.battle = battle
        self.runs = 0
        most = max([unit.sp for unit in battle.units], default=0)
        total = sum(unit.sp for unit in battle.units)
        units, leaders = len(battle.units), len(battle.leaders)
        self.holders = np.zeros(3, dtype=np.int64)
        self.turns = np.zeros(battle.turns + 2, dtype=np.int64)
        self.sp = np.array([unit.sp for unit in battle.units], dtype=np.int64)
        # no SP costs more than an empty unit of one SP: 15 points, three steps
        self.sides = np.zeros((2, 4, 3 * total + 1), dtype=np.int64)
        self.units = np.zeros((units, 4, 3 * most + 1), dtype=np.int64)
        self.places = np.zeros((units, LEFT_TABLE + 1), dtype=np.int64)
        self.fates = np.zeros((leaders, 8), dtype=np.int64)
        self.wounded = np.zeros(leaders, dtype=np.int64)
        self.own = np.array([[u.side == side for u in battle.units] for side in self._sides()], dtype=bool)

    def _sides(self) -> tuple[str, str]:
        return self.battle.attacker, self.battle.defender

    def add(self, batch: Batch) -> None:
        """Count the runs of a batch."""
        self.runs += len(batch)
        self._count(self.holders, batch.holder + 1)
        self._count(self.turns, batch.turns)
        losses = (batch.lost, batch.captured, batch.lost + batch.captured, self._cost(batch))
        for n, loss in enumerate(losses):
            for k, own in enumerate(self.own):
                self._count(self.sides[k, n], loss[:, own].sum(axis=1))
            for i in range(len(self.units)):
                self._count(self.units[i, n], loss[:, i])
        for i in range(len(self.units)):
            self._count(self.places[i], batch.place[:, i])
        for i in range(len(self.fates)):
            self._count(self.fates[i], batch.fates[:, i])
            self.wounded[i] += int(find_light_wounds(batch)[:, i].sum())

    def counts(self) -> dict[str, list[int]]:
        """All that was counted, as plain data."""
        return {name: getattr(self, name).ravel().tolist() for name in COUNTED}

    def join(self, runs: int, counts: Mapping[str, Sequence[int]]) -> None:
        """Add what was counted of other runs of the same battle."""
        self.runs += runs
        for name in COUNTED:
            own = getattr(self, name)
            own += np.array(counts[name], dtype=np.int64).reshape(own.shape)

    def _cost(self, batch: Batch) -> NDArray[Any]:
        """Steps of campaign points each unit loses, by the usual reading of AWI-C-BAT-01 to 03."""
        emptied = (batch.lost == self.sp) & (self.sp > 0)  # then nothing was captured (AWI-C-BAT-02)
        points = batch.lost * POINTS_PER_SP_LOST + batch.captured * POINTS_PER_SP_CAPTURED
        return (points + emptied * POINTS_FOR_ZERO) // POINTS_STEP

    @staticmethod
    def _count(row: NDArray[Any], values: NDArray[Any]) -> None:
        row += np.bincount(values, minlength=len(row))

    def share(self, count: Any) -> Interval:
        return find_wilson_interval(int(count), self.runs)

    def result(self) -> tuple[Interval, Interval, Interval]:
        """Win, draw and loss of the attacker."""
        draw, win, loss = (self.share(count) for count in self.holders)
        return win, draw, loss

    def precise(self, points: float) -> bool:
        """True when win, draw and loss are known to that many points."""
        return all(interval.half_width * 100.0 <= points for interval in self.result())

    def odds(self, seed: int, asked: int, stopped: Stop, seconds: float) -> FightOdds:
        """All that was counted."""
        win, draw, loss = self.result()
        return FightOdds(
            ruleset=self.battle.ruleset,
            options=self.battle.options,
            engine_version=ENGINE_VERSION,
            seed=seed,
            asked=asked,
            runs=self.runs,
            stopped=stopped,
            win=win,
            draw=draw,
            loss=loss,
            turns=_build_distribution(self.turns),
            sides=(self.side_odds(0), self.side_odds(1)),
            units=tuple(self.unit_odds(i) for i in range(len(self.units))),
            generals=tuple(self.general_odds(i) for i in range(len(self.fates))),
            seconds=seconds,
        )

    def side_odds(self, k: int) -> SideOdds:
        side = self._sides()[k]
        sp = sum(unit.sp for unit in self.battle.units if unit.side == side)
        return SideOdds(side, self.battle.side_name(side), sp, *map(_build_distribution, self.sides[k]))

    def unit_odds(self, i: int) -> UnitOdds:
        unit, places = self.battle.units[i], self.places[i]
        return UnitOdds(
            id=unit.id,
            name=unit.name,
            side=unit.side,
            sp=unit.sp,
            lost=_build_distribution(self.units[i, 0]),
            captured=_build_distribution(self.units[i, 1]),
            gone=_build_distribution(self.units[i, 2]),
            points=_build_distribution(self.units[i, 3]),
            destroyed=self.share(places[ELIMINATED] + places[SURRENDERED]),
            surrendered=self.share(places[SURRENDERED]),
            left_table=self.share(places[LEFT_TABLE]),
        )

    def general_odds(self, i: int) -> GeneralOdds:
        leader, fates = self.battle.leaders[i], self.fates[i]
        return GeneralOdds(
            id=leader.id,
            name=leader.name,
            side=leader.side,
            lost=self.share(fates[KILLED] + fates[CAPTURED]),
            killed=self.share(fates[KILLED]),
            captured=self.share(fates[CAPTURED]),
            disabled=self.share(fates[DISABLED]),
            wounded=self.share(self.wounded[i]),
        )


def find_light_wounds(batch: Batch) -> NDArray[Any]:
    """True for generals who came away with a light wound, as outcomes tell it (AWI-T-GEN-03)."""
    away: NDArray[Any] = (batch.fates == IN_FIELD) | (batch.fates == GONE_HOME)
    return away & (batch.wounds > 0)


def _build_distribution(counts: NDArray[Any]) -> Distribution:
    last = np.flatnonzero(counts)
    return Distribution(tuple(counts[: last[-1] + 1].tolist()) if len(last) else ())


def threads_usual() -> int:
    """Threads worth using here: one for each processor this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def estimate_odds(
    battle: BattleFile,
    *,
    seed: int,
    runs: int = USUAL_RUNS,
    precision: float | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> FightOdds:
    """Fight a battle `runs` times and count.

    `precision` stops early once win, draw and loss are known to so many points either way. `progress`
    is told runs done and asked after each chunk; when `cancelled`, which several threads ask, says so,
    the runs under way are ended and what was done is returned. Raises BattleFileError when the battle
    cannot be fought.
    """
    started = perf_counter()
    tally = OddsTally(battle)
    stopped: Stop = ""
    ready = registry.make_runner(battle)
    chunks = iter_batches(ready, battle, seed, runs, threads or threads_usual(), cancelled or (lambda: False))
    with closing(chunks):  # what is under way ends at once, however this is left
        for batches in chunks:
            for batch in batches:
                tally.add(batch)
            if progress is not None:
                progress(tally.runs, runs)
            if precision is not None and tally.precise(precision):
                stopped = "precision" if tally.runs < runs else ""
                break
    if not stopped and tally.runs < runs:
        stopped = "cancelled"
    return replace(tally.odds(seed, runs, stopped, perf_counter() - started), choices=ready.choices)


def iter_batches(
    ready: Any,
    battle: BattleFile,
    seed: int,
    runs: int,
    threads: int,
    cancelled: Callable[[], bool],
    start: int = 0,
) -> Generator[list[Batch], None, None]:
    """Chunks of the runs from `start` to before `runs`, in their order; the last may be cut short.

    A few of them are always under way.
    """
    over = threading.Event()

    def fight(start: int, stop: int) -> list[Batch]:
        """The runs of a chunk, or as many as were fought before it was stopped."""
        batches: list[Batch] = []
        first, size = start, 1
        while first < stop and not over.is_set() and not cancelled():
            began = perf_counter()
            batches.append(ready.batch(odds_seeds(seed, first, min(first + size, stop))))
            first += size
            size *= 2 if perf_counter() - began < PATIENCE else 1
        return batches

    waiting: deque[tuple[Future[list[Batch]], int]] = deque()
    chunks = _iter_chunks(runs, len(battle.units), start)
    with ThreadPoolExecutor(max_workers=threads) as pool:
        try:
            while True:
                while len(waiting) <= threads and not cancelled() and (chunk := next(chunks, None)):
                    waiting.append((pool.submit(fight, *chunk), chunk[1] - chunk[0]))
                if not waiting:
                    return
                future, wanted = waiting.popleft()
                batches = future.result()
                if batches:
                    yield batches
                if sum(map(len, batches)) < wanted:
                    return
        finally:
            over.set()
            for future, _ in waiting:
                future.cancel()


def odds_of_one(battle: BattleFile, outcome: BattleOutcome, seconds: float) -> FightOdds:
    """One fight in the form of odds, so that one run and many are read alike."""
    tally = OddsTally(battle)
    sides = (battle.attacker, battle.defender)
    holder = sides.index(outcome.field_held_by) if outcome.field_held_by else -1
    places = {"eliminated": ELIMINATED, "surrendered": SURRENDERED, "left_table": LEFT_TABLE}
    fates = {"killed": KILLED, "captured": CAPTURED, "disabled": DISABLED, "left_table": GONE_HOME}
    generals = {one.id: one.fate for one in outcome.generals}
    ends = [generals.get(leader.id, "present") for leader in battle.leaders]

    def row(values: Iterable[int]) -> NDArray[np.int64]:
        return np.array([list(values)], dtype=np.int64)

    tally.add(
        Batch(
            holder=row([holder])[0],
            turns=row([outcome.turns])[0],
            lost=row(unit.sp_lost for unit in outcome.units),
            captured=row(unit.sp_captured for unit in outcome.units),
            place=row(places.get(unit.fate, ON_TABLE) for unit in outcome.units),
            fates=row(fates.get(fate, IN_FIELD) for fate in ends),
            wounds=row(int(fate == "wounded") for fate in ends),
        )
    )
    return tally.odds(outcome.seed or 0, 1, "", seconds)
