"""Odds: intervals, distributions, and the same figures however they are computed."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.engine.batch import Batch
from battles.engine.dtypes import (
    CAPTURED,
    DISABLED,
    ELIMINATED,
    GONE_HOME,
    IN_FIELD,
    KILLED,
    ON_TABLE,
    SURRENDERED,
)
from battles.errors import BattleFileError
from battles.files.schema import (
    BattleFile,
    BattleLeader,
    BattleOutcome,
    GeneralOutcome,
    PlanChoice,
    UnitOutcome,
)
from battles.odds import odds as module
from battles.odds.intervals import (
    Distribution,
    Interval,
    describe_interval,
    find_wilson_interval,
    whole_shares,
)
from battles.odds.odds import FightOdds, estimate_odds, odds_of_one, odds_seeds
from battles.odds.odds_json import odds_to_json
from battles.odds.text_tables import odds_tables
from battles.rulesets import registry
from battles.rulesets.awi.staff import general_fate
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force

LINE = TroopType.CONTINENTAL_LINE
FILE = replace(
    battle(force(CROWN, LINE, LINE, sp=3), force(CONGRESS, LINE, sp=2)),
    leaders=(BattleLeader("gates", "Gates", CONGRESS),),
)


class Scripted:
    """A battle whose end hangs on the seed alone: a sixth of the attacker, a half of the defender."""

    choices: tuple[PlanChoice, ...] = ()

    def batch(self, seeds: list[int]) -> Batch:
        kinds = np.array([seed % 6 for seed in seeds], dtype=np.int64)
        runs, units = len(seeds), len(FILE.units)
        lost, captured = np.zeros((runs, units), dtype=np.int64), np.zeros((runs, units), dtype=np.int64)
        place = np.full((runs, units), ON_TABLE)
        lost[:, 0] = kinds % 4
        captured[kinds == 0, 2] = 2
        place[kinds == 0, 2] = SURRENDERED
        lost[kinds == 1, 2] = 2
        place[kinds == 1, 2] = ELIMINATED
        fates = np.select([kinds == 0, kinds == 1, kinds == 2], [CAPTURED, KILLED, DISABLED], IN_FIELD)
        return Batch(
            holder=np.select([kinds == 0, kinds < 3], [0, -1], 1),
            turns=kinds + 1,
            lost=lost,
            captured=captured,
            place=place,
            fates=fates[:, None],
            wounds=(kinds[:, None] > 1).astype(np.int64),
        )


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "make_runner", lambda battle: Scripted())


@pytest.mark.parametrize(
    ("count", "runs", "told"),
    [
        (2400, 2400, "all of 2,400; at least 99.8 %"),
        (0, 2400, "none of 2,400; at most 0.2 %"),
        (2399, 2400, "99.9 % (99.8 to 100.0)"),
        (1500, 2400, "62 % (61 to 64)"),
        (0, 0, "not known"),
    ],
)
def test_a_share_is_told_with_no_more_certainty_than_the_runs_give(count, runs, told):
    assert (
        describe_interval(find_wilson_interval(count, runs), runs).replace("\N{NO-BREAK SPACE}", " ") == told
    )


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ((1250, 750, 0), [63, 37, 0]),
        ((1, 1, 1), [34, 33, 33]),
        ((0, 0, 4), [0, 0, 100]),
        ((5, 0, 0), [100, 0, 0]),
    ],
)
def test_shares_of_one_whole_add_up_to_100(counts, told):
    assert whole_shares([find_wilson_interval(count, sum(counts)) for count in counts]) == told
    assert whole_shares([find_wilson_interval(0, 0)] * 3) == [0, 0, 0]


def test_wilson_gives_the_published_intervals() -> None:
    # Newcombe 1998, table I, method 3 and the rule of three's neighbour
    assert find_wilson_interval(81, 263) == Interval(
        81 / 263, pytest.approx(0.2553, abs=1e-4), pytest.approx(0.3662, abs=1e-4)
    )
    assert find_wilson_interval(0, 20) == Interval(0.0, 0.0, pytest.approx(0.1611, abs=1e-4))
    assert find_wilson_interval(1, 29) == Interval(
        1 / 29, pytest.approx(0.0061, abs=1e-4), pytest.approx(0.1718, abs=1e-4)
    )
    assert find_wilson_interval(0, 0) == Interval(0.0, 0.0, 1.0)


@given(st.integers(1, 5000).flatmap(lambda runs: st.tuples(st.integers(0, runs), st.just(runs))))
def test_an_interval_holds_its_share_and_mirrors(case: tuple[int, int]) -> None:
    count, runs = case
    found, other = find_wilson_interval(count, runs), find_wilson_interval(runs - count, runs)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert math.isclose(found.low, 1.0 - other.high, abs_tol=1e-9)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_a_distribution_has_the_figures_of_its_runs(values: list[int]) -> None:
    found = Distribution(tuple(np.bincount(values).tolist()))
    assert found.runs == len(values)
    assert math.isclose(found.mean, float(np.mean(values)))
    assert math.isclose(found.deviation, float(np.std(values)), abs_tol=1e-9)
    for percent in (5, 50, 95):
        figure = found.percentile(percent)
        assert sum(value <= figure for value in values) * 100 >= percent * len(values)
        assert sum(value < figure for value in values) * 100 < percent * len(values)


def test_a_distribution_of_nothing_has_a_mean_of_nothing() -> None:
    assert (Distribution(()).mean, Distribution(()).percentile(50)) == (0.0, 0)


@pytest.mark.usefixtures("scripted")
def test_runs_are_counted_by_result_side_unit_and_general() -> None:
    seeds = odds_seeds(7, 0, 600)
    kinds = [seed % 6 for seed in seeds]
    found = estimate_odds(FILE, seed=7, runs=600, threads=2)
    assert found.runs == 600 and found.stopped == ""
    assert found.win == find_wilson_interval(kinds.count(0), 600)
    assert found.draw == find_wilson_interval(kinds.count(1) + kinds.count(2), 600)
    assert math.isclose(found.win.value + found.draw.value + found.loss.value, 1.0)
    crown, congress = found.sides
    assert (crown.sp, congress.sp) == (6, 2)
    assert math.isclose(crown.lost.mean, sum(kind % 4 for kind in kinds) / 600)
    assert congress.captured.counts == (600 - kinds.count(0), 0, kinds.count(0))
    assert congress.gone.counts[2] == kinds.count(0) + kinds.count(1)
    unit = found.units[2]
    assert unit.destroyed == find_wilson_interval(kinds.count(0) + kinds.count(1), 600)
    assert unit.surrendered == find_wilson_interval(kinds.count(0), 600)
    (gates,) = found.generals
    assert gates.lost == find_wilson_interval(kinds.count(0) + kinds.count(1), 600)
    assert gates.disabled == find_wilson_interval(kinds.count(2), 600)
    assert gates.wounded == find_wilson_interval(sum(kind > 2 for kind in kinds), 600)
    assert found.turns.counts == (0, *(kinds.count(kind) for kind in range(6)))


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("precision", [None, 5.0])
def test_odds_are_the_same_on_any_number_of_threads(precision: float | None) -> None:
    once = estimate_odds(FILE, seed=3, runs=1500, threads=1, precision=precision)
    assert once == estimate_odds(FILE, seed=3, runs=1500, threads=5, precision=precision)
    assert once != estimate_odds(FILE, seed=4, runs=1500, threads=1, precision=precision)


@pytest.mark.usefixtures("scripted")
def test_odds_stop_as_soon_as_they_are_precise_enough() -> None:
    found = estimate_odds(FILE, seed=3, runs=100_000, precision=4.0)
    assert found.stopped == "precision" and found.runs < 2000
    assert max(part.half_width for part in (found.win, found.draw, found.loss)) <= 0.04
    before = estimate_odds(FILE, seed=3, runs=found.runs - 256)
    assert max(part.half_width for part in (before.win, before.draw, before.loss)) > 0.04


@pytest.mark.usefixtures("scripted")
def test_odds_can_be_watched_and_cancelled() -> None:
    done: list[tuple[int, int]] = []
    found = estimate_odds(
        FILE, seed=3, runs=5000, threads=2,
        progress=lambda runs, asked: done.append((runs, asked)),
        cancelled=lambda: len(done) >= 3,
    )  # fmt: skip
    assert found.stopped == "cancelled" and found.asked == 5000
    assert found.runs == done[-1][0] < 5000
    assert [runs for runs, _ in done] == sorted({runs for runs, _ in done})
    assert found == replace(estimate_odds(FILE, seed=3, runs=found.runs), asked=5000, stopped="cancelled")


@pytest.mark.usefixtures("scripted")
def test_cancelled_before_the_first_run_nothing_is_known() -> None:
    found = estimate_odds(FILE, seed=3, cancelled=lambda: True)
    assert (found.runs, found.stopped, found.win) == (0, "cancelled", Interval(0.0, 0.0, 1.0))


def test_dice_of_odds_are_never_those_of_the_battle() -> None:
    seeds = odds_seeds(1777, 0, 3000)
    assert len(set(seeds)) == 3000 and 1777 not in seeds
    assert seeds[100:200] == odds_seeds(1777, 100, 200)
    assert all(0 <= seed < 2**64 for seed in seeds)


def test_a_battle_that_cannot_be_fought_has_no_odds() -> None:
    with pytest.raises(BattleFileError, match="split it in two"):
        estimate_odds(battle(force(CROWN, LINE, sp=9), ()), seed=1)


SMALL = battle(force(CROWN, LINE, LINE, sp=2), force(CONGRESS, LINE, LINE, sp=2), turns=3)


def test_the_engine_gives_the_odds_its_single_fights_have() -> None:
    found = estimate_odds(SMALL, seed=11, runs=6, threads=2)
    outcomes = registry.fight_many(SMALL, odds_seeds(11, 0, 6))
    assert found.win.value == sum(one.field_held_by == CROWN for one in outcomes) / 6
    assert found.draw.value == sum(not one.field_held_by for one in outcomes) / 6
    for i, unit in enumerate(found.units):
        assert math.isclose(unit.lost.mean, sum(one.units[i].sp_lost for one in outcomes) / 6)
        gone = sum(one.units[i].fate in ("eliminated", "surrendered") for one in outcomes)
        assert unit.destroyed.value == gone / 6
    assert math.isclose(found.turns.mean, sum(one.turns for one in outcomes) / 6)


def test_one_fight_reads_like_odds() -> None:
    outcome = registry.fight_battle(SMALL, 5).outcome
    found = odds_of_one(SMALL, outcome, 0.5)
    assert found.runs == 1 and found.seed == 5
    assert found.win.value == float(outcome.field_held_by == CROWN)
    assert [unit.lost.mean for unit in found.units] == [unit.sp_lost for unit in outcome.units]


def test_a_general_is_wounded_in_odds_when_his_outcome_says_so_AWI_T_GEN_03() -> None:
    ends = [
        (fate, wounds) for fate in (IN_FIELD, GONE_HOME, KILLED, CAPTURED, DISABLED) for wounds in range(3)
    ]
    fates, wounds = (np.array([row], dtype=np.int64) for row in zip(*ends, strict=True))
    none = np.zeros((1, 0), dtype=np.int64)
    batch = Batch(none[:, 0:1], none[:, 0:1], none, none, none, fates, wounds)
    assert module.find_light_wounds(batch).tolist() == [[general_fate(*end) == "wounded" for end in ends]]
    outcome = replace(registry.fight_battle(FILE, 5).outcome, generals=(GeneralOutcome("gates", "killed"),))
    (gates,) = odds_of_one(FILE, outcome, 0.5).generals
    assert (gates.killed.value, gates.wounded.value) == (1, 0)


def shown() -> tuple[BattleFile, FightOdds]:
    return FILE, estimate_odds(FILE, seed=7, runs=50)


@pytest.mark.usefixtures("scripted")
def test_odds_as_json_hold_everything_with_intervals() -> None:
    file, found = shown()
    data = json.loads(json.dumps(odds_to_json(found)))
    assert {"ruleset", "runs", "seconds", "win", "draw", "loss", "sides", "units", "generals"} <= set(data)
    assert set(data["win"]) == {"value", "low", "high"}
    assert [unit["id"] for unit in data["units"]] == [unit.id for unit in file.units]
    side = data["sides"][0]
    assert sum(side["points_gone"]["counts"]) == 50
    assert sum(side["lost"]["counts"]) == 50
    assert data["generals"][0]["id"] == "gates"


@pytest.mark.parametrize(
    ("sp_lost", "captured", "points"),
    [(0, 0, 0), (2, 0, 10), (3, 0, 25), (1, 2, 25), (0, 3, 30)],
)
def test_losses_cost_campaign_points_as_AWI_C_BAT_01_to_03_say(
    sp_lost: int, captured: int, points: int
) -> None:
    losses = [UnitOutcome(unit.id, unit.sp, 0, 0) for unit in FILE.units]
    losses[0] = replace(losses[0], sp_lost=sp_lost, sp_captured=captured)
    data = odds_to_json(odds_of_one(FILE, BattleOutcome("", 3, tuple(losses), seed=5), 0.5))
    assert data["units"][0]["points_gone"]["mean"] == points
    assert data["sides"][0]["points_gone"]["mean"] == points
    assert data["sides"][1]["points_gone"]["mean"] == 0
    assert data["units"][0]["gone"]["p95"] == sp_lost + captured


def test_the_table_of_units_counts_captured_sp_in_mean_and_range() -> None:
    losses = [UnitOutcome(unit.id, unit.sp, 0, unit.sp, "surrendered") for unit in FILE.units]
    found = odds_of_one(FILE, BattleOutcome("", 3, tuple(losses), seed=5), 0.5)
    units = odds_tables(FILE, found)[2]
    assert [next(iter(column.cells)) for column in units.columns][2:4] == ["3.0", "3 to 3"]


@pytest.mark.usefixtures("scripted")
def test_odds_make_a_table_each_for_result_sides_units_and_generals() -> None:
    assert len(odds_tables(FILE, shown()[1])) == 4
    assert len(odds_tables(FILE, replace(shown()[1], generals=()))) == 3


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize(
    ("ruleset", "options", "fates"),
    [
        ("awi", {}, ["killed", "captured", "wounded twice", "wounded"]),
        ("vb_wing", {}, ["captured"]),
        ("vb_division", {"attached_army_commander_dies": "on"}, ["killed", "captured"]),
    ],
)
def test_what_rules_never_tell_has_no_column_vbw_def_13(ruleset: str, options: Any, fates: list[str]) -> None:
    """Under Volley & Bayonet nobody is captured with his SP, and no general is wounded."""
    found = replace(shown()[1], ruleset=ruleset)
    tables = odds_tables(replace(FILE, ruleset=ruleset, options=options), found)
    assert [column.header for column in tables[3].columns] == ["general", *fates]
    assert ("captured too" in {column.header for column in tables[1].columns}) == (ruleset == "awi")
    assert all(len(column._cells) == len(tables[1].rows) for column in tables[1].columns)


@pytest.mark.parametrize(("units", "largest"), [(0, 256), (24, 256), (96, 64), (1000, 6), (5000, 4)])
def test_chunks_cover_every_run_once_and_are_small_for_large_battles(units: int, largest: int) -> None:
    for runs in (0, 1, 16, 17, 5000):
        chunks = list(module._iter_chunks(runs, units))
        assert [run for start, stop in chunks for run in range(start, stop)] == list(range(runs))
        assert all(0 < stop - start <= largest for start, stop in chunks)
    assert max(stop - start for start, stop in chunks) == largest
