"""Battles of these rules as they are told: words for every kind, accounts and replays without gaps."""

import re
from pathlib import Path

import pytest

from battles.engine.events import GENERAL_KINDS
from battles.files.other_rulesets import adapt_document
from battles.files.reading import decode_battle, encode_value, read_battle
from battles.files.schema import BattleFile
from battles.replay.account import TOLD, UNTOLD, compose_account
from battles.replay.replay import read_replay, write_replay
from battles.replay.rolls import LINES, list_log_lines, list_roll_lines
from battles.rulesets import registry
from battles.rulesets.regimental.event_text import TELLING
from battles.rulesets.regimental.events import KINDS, RESULTS
from battles.strength_conversion import fighting_units
from tests.battles.rulesets.regimental.books import RULES
from tests.battles.tables import board_at_end

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("regimental fights")

#: The line of the registry.
LINE = registry.Ruleset(
    "regimental",
    "Regimental",
    "1",
    "battles.rulesets.regimental.rules:RULES",
    "battles.rulesets.regimental.fighting:SYSTEM",
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules in the registry, whether they stand in it already or not."""
    others = [one for one in registry.RULESETS if one.id != LINE.id]
    monkeypatch.setattr(registry, "RULESETS", (*others, LINE))


def under(name: str) -> BattleFile:
    """A battle of the project under these rules, without what it asks of its own."""
    data, _ = adapt_document(encode_value(read_battle(name)), "regimental")
    return decode_battle(data)


def test_every_kind_is_of_a_rule_and_has_words() -> None:
    kinds = {kind for kind, _ in KINDS}
    assert len(kinds) == len(KINDS)
    assert {rule for _, rule in KINDS} - {"HR-BAT-02"} <= set(RULES), "the house rule of all rulesets aside"
    assert kinds <= set(LINES) | set(TELLING.lines)
    assert kinds <= TOLD | UNTOLD | set(TELLING.sayings) | TELLING.untold
    assert not set(TELLING.sayings) & TELLING.untold
    own = {*TELLING.lines, *TELLING.untold, *TELLING.follows, *TELLING.joint, *TELLING.implied}
    own |= {*TELLING.implied.values(), *TELLING.by_rolls, *TELLING.wavers, *TELLING.compared}
    assert own | set(TELLING.sayings) | (set(TELLING.results) - {""}) <= kinds


def test_every_result_of_dice_has_words() -> None:
    assert set(TELLING.results[""]) <= set(RESULTS)
    assert set(RESULTS[RESULTS.index("double_quick") :]) <= set(TELLING.results[""])
    assert len(set(RESULTS)) == len(RESULTS)


def test_kinds_about_leaders_are_known_as_such() -> None:
    about = {kind for kind, _ in KINDS if kind.startswith("general_")}
    assert about <= GENERAL_KINDS


@pytest.mark.parametrize("name", ["standard-fight", "hubbardton"])
def test_a_battle_is_told_in_whole_words(name: str) -> None:
    battle = under(name)
    result = registry.fight_battle(battle, 1777, record=True)
    text = "\n".join(
        [*compose_account(battle, result), *list_roll_lines(battle, result), *list_log_lines(battle, result)]
    )
    assert not re.search(r"\{[a-z]\}|_|None|\x1f", text)
    assert "Maneuver" in str(TELLING.joint) and "REG-MAN-01" in text
    assert "stands" in text


def test_fire_that_tells_is_told_so() -> None:
    battle = under("standard-fight")
    result = registry.fight_battle(battle, 3, record=True)
    hits = [event for event in result.events if event.kind == "fire" and event.result == "hit"]
    assert hits and any("fire told" in paragraph for paragraph in compose_account(battle, result))


def test_a_replay_ends_as_the_battle_did(tmp_path: Path) -> None:
    battle = under("hubbardton")
    result = registry.fight_battle(battle, 5, record=True)
    write_replay(tmp_path / "it.json", battle, result)
    replay = read_replay(tmp_path / "it.json")
    assert replay.outcome == result.outcome and replay.events == result.events
    board = board_at_end(replay.table, replay.standing, replay.events)
    table = {unit.id: unit.sp for unit in replay.table.units}
    fates = {told.id: told for told in result.outcome.units}
    for unit in fighting_units(battle):
        piece, told = board.units[unit.id], fates[unit.id]
        if told.sp_lost + told.sp_captured == 0:
            assert piece.sp == table[unit.id], unit.id
        elif told.fate == "eliminated":
            assert piece.mood == "gone", unit.id
        assert 0 <= piece.sp <= table[unit.id]
