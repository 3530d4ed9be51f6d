"""Accounts of battles."""

import re
from dataclasses import replace

import pytest

from battles.engine.events import KINDS
from battles.engine.fighting import FightResult
from battles.report import TOLD, account, summary
from battles.rulesets.registry import fight
from tests.battles.forces import random_battle


@pytest.mark.parametrize("seed", range(8))
def test_an_account_opens_tells_turns_in_order_and_ends_with_the_cost(seed: int) -> None:
    file = random_battle(seed)
    result = fight(file, seed, record=True)
    paragraphs = account(file, result)
    assert paragraphs[0].startswith("Hubbardton. Crown with three units")
    assert paragraphs[-1] == summary(file, result)
    clocks = [text.split(",")[0] for text in paragraphs[1:-1]]
    assert clocks == sorted(clocks)
    for text in paragraphs:
        assert text.endswith(".")
        assert "  " not in text


def test_summary_counts_what_was_lost() -> None:
    file = random_battle(3)
    result = fight(file, 3, record=True)
    lost = sum(unit.sp_lost for unit in result.outcome.units if unit.id.startswith("crown"))
    start = sum(unit.sp_start for unit in result.outcome.units if unit.id.startswith("crown"))
    assert f"Crown lost {lost} of {start} strength points" in summary(file, result)


def test_sides_are_called_by_their_names() -> None:
    names = {"crown": "Great Britain", "congress": "United States"}
    for seed in range(8):
        file = replace(random_battle(seed), side_names=names)
        text = " ".join(account(file, fight(file, seed, record=True)))
        assert "Great Britain with" in text and "United States lost" in text
        # Units of these forces are called after their sides' ids too.
        assert not re.search(r"(Crown|Congress) (with|lost|held|moving|had)", text)


def test_a_battle_without_events_still_has_an_account() -> None:
    file = random_battle(3)
    outcome = fight(file, 3).outcome
    assert len(account(file, FightResult(outcome, (), outcome.turns))) == 2


def test_what_is_told_can_happen() -> None:
    assert {kind for kind, _ in KINDS} >= TOLD
