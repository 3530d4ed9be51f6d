"""Odds in parts: runs shared among processes or machines and joined, the same figures as in one go.

Each run's dice hang on its number alone, and what is counted are whole numbers: so it does not matter who
fights which runs, nor in which order they are added up.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from typing import Any

from battles.files.schema import BattleFile
from battles.odds.odds import OddsTally, iter_batches, threads_usual
from battles.odds.odds_json import odds_to_json
from battles.rulesets import registry

Part = Mapping[str, Any]


def odds_part(
    battle: BattleFile,
    *,
    seed: int,
    start: int,
    stop: int,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """The runs from number `start` to before `stop`, counted, as plain data for `join_odds`.

    `progress` is told how many are fought; when `cancelled` says so what was fought by then is given.
    Raises BattleFileError when the battle cannot be fought.
    """
    ready, tally = registry.make_runner(battle), OddsTally(battle)
    chunks = iter_batches(
        ready, battle, seed, stop, threads or threads_usual(), cancelled or (lambda: False), start
    )
    with closing(chunks):
        for batches in chunks:
            for batch in batches:
                tally.add(batch)
            if progress is not None:
                progress(tally.runs)
    choices = [asdict(choice) for choice in ready.choices]
    return {"runs": tally.runs, "counts": tally.counts(), "choices": choices}


def join_odds(
    battle: BattleFile, parts: Sequence[Part], *, seed: int, asked: int, seconds: float
) -> dict[str, Any]:
    """The parts joined, as `odds_to_json` gives the odds of one go; fewer than asked: stopped."""
    tally = OddsTally(battle)
    for part in parts:
        tally.join(part["runs"], part["counts"])
    found = odds_to_json(tally.odds(seed, asked, "cancelled" if tally.runs < asked else "", seconds))
    return {**found, "choices": parts[0]["choices"] if parts else []}
