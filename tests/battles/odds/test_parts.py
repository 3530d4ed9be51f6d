"""Odds fought in parts and joined are the odds fought in one go."""

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.odds.parts import join_odds, odds_part
from battles.rulesets import registry
from tests.battles.odds.test_odds import FILE, SMALL, Scripted

RUNS = 700


def through_a_database(part: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(part))


def in_parts(file, marks: list[int], seed: int, asked: int) -> dict[str, Any]:
    parts = [
        through_a_database(odds_part(file, seed=seed, start=start, stop=stop, threads=2))
        for start, stop in itertools.pairwise(marks)
    ]
    return join_odds(file, parts[::-1], seed=seed, asked=asked, seconds=0.0)


def plain(found: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps({**found, "seconds": 0.0}))


@settings(max_examples=20)
@given(cuts=st.sets(st.integers(1, RUNS - 1), max_size=6), seed=st.integers(0, 2**63))
def test_however_the_runs_are_shared_the_figures_are_those_of_one_go_hr_job_03(
    cuts: set[int], seed: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "make_runner", lambda battle: Scripted())
        whole = odds_to_json(estimate_odds(FILE, seed=seed, runs=RUNS))
        assert plain(in_parts(FILE, [0, *sorted(cuts), RUNS], seed, RUNS)) == plain(whole)


def test_real_fights_in_parts_are_those_of_one_go() -> None:
    assert plain(in_parts(SMALL, [0, 1, 4, 6], 11, 6)) == plain(
        odds_to_json(estimate_odds(SMALL, seed=11, runs=6))
    )


def test_a_part_that_was_stopped_gives_what_it_fought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "make_runner", lambda battle: Scripted())
    told: list[int] = []
    part = odds_part(FILE, seed=3, start=100, stop=5000, progress=told.append, cancelled=lambda: bool(told))
    assert part["runs"] == sum(part["counts"]["turns"]) < 4900
    joined = join_odds(FILE, [part], seed=3, asked=5000, seconds=0.0)
    assert (joined["runs"], joined["stopped"]) == (part["runs"], "cancelled")


def test_nothing_fought_is_told_too() -> None:
    assert join_odds(FILE, [], seed=3, asked=10, seconds=0.0)["runs"] == 0
