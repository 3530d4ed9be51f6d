"""Cost of a battle: the standard fight timed every way and under every ruleset, as ratios to a loop.

Machines are shared and noisy, so each figure is the best of five and a loop of five million
additions is timed beside it. Starts are timed in processes of their own.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from battles.files.reading import read_battle
from battles.files.schema import BattleFile
from battles.odds.odds import estimate_odds
from battles.rulesets import registry

PROJECT = Path(__file__).resolve().parent.parent
STANDARD = PROJECT / "battles" / "fixtures" / "standard-fight.json"
ROUNDS = 5
RUNS_ONE_CORE, RUNS_ALL_CORES, RUNS_ODDS, RUNS_INTERPRETED = 1500, 10_000, 2400, 4
CHUNK = 250

#: A process of its own: reads the standard fight, fights once, tells seconds and memory.
ONE_FIGHT = """
import json, resource, sys, time
began = time.perf_counter()
from battles.files.reading import read_battle
from battles.rulesets import registry
battle = read_battle(sys.argv[1])
runner = registry.make_runner(battle)
runner.batch([1])
started = time.perf_counter() - began
began = time.perf_counter()
runner.batch(range(2, 2 + int(sys.argv[2])))
print(json.dumps({
    "start": started,
    "runs": time.perf_counter() - began,
    "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `ratio` is its seconds over those of the loop, None where that says nothing."""

    name: str
    value: float
    unit: str
    ratio: float | None = None


def loop_seconds() -> float:
    """Seconds of five million additions, the best of five."""

    def loop() -> None:
        total = 0
        for number in range(5_000_000):
            total += number

    return time_best_round(loop)


def time_best_round(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Least seconds of some rounds of a piece of work."""
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def _time_process(var: str, runs: int, *, interpreted: bool = False) -> dict[str, float]:
    environment = {**os.environ, "AWI_VAR": var, "NUMBA_DISABLE_JIT": "1" if interpreted else "0"}
    environment["AWI_ENGINE_STEPS"] = "0"
    done = subprocess.run(
        [sys.executable, "-c", ONE_FIGHT, str(STANDARD), str(runs)],
        cwd=PROJECT, env=environment, check=True, capture_output=True, text=True,
    )  # fmt: skip
    told: dict[str, float] = json.loads(done.stdout)
    return told


def _on_all_cores(runner: Any, runs: int) -> None:
    cores = os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(runner.batch, [range(k, min(k + CHUNK, runs)) for k in range(0, runs, CHUNK)]))


def measure_figures(battle: BattleFile | None = None, *, starts: bool = True) -> list[Figure]:
    """All figures, ratios to the loop beside them. Without `starts` no other process is begun."""
    battle = battle or read_battle(str(STANDARD))
    runner = registry.make_runner(battle)
    turns = float(runner.batch(range(RUNS_ONE_CORE)).turns.mean())
    loop = loop_seconds()
    one = time_best_round(lambda: runner.batch(range(RUNS_ONE_CORE)))
    full = time_best_round(lambda: _on_all_cores(runner, RUNS_ALL_CORES), 3)
    counted = time_best_round(lambda: estimate_odds(battle, seed=1777, runs=RUNS_ODDS))
    plain = time_best_round(lambda: [runner.run(seed, record=False) for seed in range(200)])
    recorded = time_best_round(lambda: [runner.run(seed, record=True) for seed in range(200)])
    figures = [
        Figure("the loop: five million additions", loop, "s", 1.0),
        Figure("battles a second on one core", RUNS_ONE_CORE / one, "1/s", one / loop),
        Figure(f"battles a second on {os.cpu_count()} cores", RUNS_ALL_CORES / full, "1/s", full / loop),
        Figure(f"{RUNS_ALL_CORES} runs on {os.cpu_count()} cores", full, "s", full / loop),
        Figure(f"odds of {RUNS_ODDS} runs", counted, "s", counted / loop),
        Figure("game turns a battle", turns, ""),
        Figure("a player turn", one / RUNS_ONE_CORE / turns / 2 * 1e6, "microseconds"),
        Figure("recording events costs", (recorded / plain - 1) * 100, "%"),
    ]
    return figures + _other_rules(battle, one, loop) + (_measure_starts() if starts else [])


def _other_rules(battle: BattleFile, usual: float, loop: float) -> list[Figure]:
    """The same fight under every other ruleset, beside its own, which took `usual` seconds."""
    figures = []
    for ruleset in registry.RULESETS:
        if ruleset.id == battle.ruleset:
            continue
        runner = registry.make_runner(replace(battle, ruleset=ruleset.id, options={}))
        turns = float(runner.batch(range(RUNS_ONE_CORE)).turns.mean())
        one = time_best_round(partial(runner.batch, range(RUNS_ONE_CORE)))
        figures += [
            Figure(f"{ruleset.id}: battles a second on one core", RUNS_ONE_CORE / one, "1/s", one / loop),
            Figure(f"{ruleset.id}: time of a battle beside {battle.ruleset}", one / usual, "times"),
            Figure(f"{ruleset.id}: game turns a battle, of the file", turns, ""),
        ]
    return figures


def _measure_starts() -> list[Figure]:
    with tempfile.TemporaryDirectory() as var:
        cold = _time_process(var, 1)
        warm = min((_time_process(var, 1) for _ in range(ROUNDS)), key=lambda told: told["start"])
        slow = _time_process(var, RUNS_INTERPRETED, interpreted=True)
    return [
        Figure("first start, compiling everything", cold["start"], "s"),
        Figure("later starts, with one battle", warm["start"], "s"),
        Figure("memory of a process that fights", warm["memory"], "MB"),
        Figure("battles a second interpreted", RUNS_INTERPRETED / slow["runs"], "1/s"),
    ]
