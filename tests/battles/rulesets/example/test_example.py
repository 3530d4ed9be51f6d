"""A ruleset is one folder and one line of the registry: this folder, with everything that follows from it.

Pages and programs of a campaign: tests/campaign/test_example_ruleset.py.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO

import pytest
import yaml
from django.core.management import call_command

from battles.files.checks import battle_verify
from battles.files.reading import read_document
from battles.files.schema import BattleFile
from battles.odds.odds import estimate_odds
from battles.odds.ruleset_comparison import file_under
from battles.printing.packs import Occasion
from battles.printing.sheets import build_pack
from battles.replay.account import compose_account
from battles.replay.replay import pack_replay, unpack_replay
from battles.replay.rolls import list_roll_lines
from battles.rulesets import registry
from campaign.rulebook.book import load_rule_books, load_rulebook
from tests.battles.rulesets.example.line import EXAMPLE, registered
from tests.battles.rulesets.example.play import KINDS, first_enemy, throw
from tests.battles.rulesets.example.record import prepare
from tests.battles.rulesets.example.rules import OPTIONS, RULES
from tests.battles.tables import board_at_end


@pytest.fixture(autouse=True)
def example() -> Iterator[None]:
    with registered():
        yield


def under(name: str) -> BattleFile:
    """A shipped battle under the example, without the options and traits of others."""
    return file_under(read_document(name), EXAMPLE.id)[0]


def test_its_catalogue_and_its_code_say_the_same_exa_fir_01() -> None:
    catalogue = yaml.safe_load(EXAMPLE.catalogue.read_text(encoding="utf-8"))
    listed = {row["id"]: (row["default"], tuple(row["choices"]), row["rule"]) for row in catalogue["options"]}
    assert listed == {name: (one.default, one.choices, one.rule) for name, one in OPTIONS.items()}
    assert {rule for _, rule in KINDS} <= {row["id"] for row in catalogue["rules"]}


@pytest.mark.parametrize(("hits_on", "die", "lost"), [(6, 5, 0), (6, 6, 1), (5, 5, 1), (5, 4, 0)])
def test_a_die_takes_a_point_from_the_first_enemy_exa_fir_01(hits_on: int, die: int, lost: int) -> None:
    """A kernel as plain Python, with a scripted die."""
    battle = under("hubbardton")
    g = prepare(battle, RULES.options_resolve({"hits_on": hits_on}))[0]
    g.dice[0], g.dice_n, g.turn = die - 1, 1, 1
    target = first_enemy(g, 0)
    throw(g, 0)
    assert (g.u[target].lost, g.error) == (lost, 0)


def test_a_fight_keeps_to_exa_end_01_and_is_the_same_again() -> None:
    battle = under("hubbardton")
    battle_verify(battle)
    result = registry.fight_battle(battle, 7, record=True)
    assert result == registry.fight_battle(battle, 7, record=True)
    lost = dict.fromkeys((battle.attacker, battle.defender), 0)
    for unit, outcome in zip(battle.units, result.outcome.units, strict=True):
        lost[unit.side] += outcome.sp_lost
        assert 0 <= outcome.sp_lost <= unit.sp
    start = {side: sum(unit.sp for unit in battle.units if unit.side == side) for side in lost}
    percent = {side: battle.break_points.get(side, battle.break_percent) for side in lost}
    broken = [side for side in lost if 100 * lost[side] >= percent[side] * start[side]]
    held = {"": [], battle.attacker: [battle.defender], battle.defender: [battle.attacker]}
    assert held[result.outcome.field_held_by] == broken


def test_it_is_told_replayed_and_packed_like_any_other() -> None:
    battle = under("hubbardton")
    result = registry.fight_battle(battle, 7, record=True)
    text = " ".join([*compose_account(battle, result), *list_roll_lines(battle, result)])
    assert "EXA-FIR-01" in text and battle.title in text
    replay = unpack_replay(pack_replay(battle, result))
    assert replay.events == result.events
    board = board_at_end(replay.table, replay.standing, replay.events)
    left = {one.id: one.sp_start - one.sp_lost for one in result.outcome.units}
    assert {key: piece.sp for key, piece in board.units.items()} == left
    contents = build_pack(battle, Occasion(), own=(battle.attacker,))
    assert contents.ruleset == EXAMPLE.title and contents.reference[0].rules == ("EXA-FIR-01",)


def test_its_odds_and_its_option_are_counted() -> None:
    battle = under("hubbardton")
    few, many = (estimate_odds(replace(battle, options={"hits_on": on}), seed=1, runs=40) for on in (6, 5))
    assert few.runs == many.runs == 40
    assert many.turns.mean < few.turns.mean, "more hits end a battle sooner"


def test_the_command_fights_it() -> None:
    out = StringIO()
    call_command("fight", "hubbardton", "--ruleset", EXAMPLE.id, "--runs", "4", "--json", stdout=out)
    assert json.loads(out.getvalue())["ruleset"] == EXAMPLE.id


def test_it_has_its_book() -> None:
    assert [book.title for book in load_rule_books()][-1] == EXAMPLE.title
    assert load_rulebook()["EXA-FIR-01"].choices[0].id == "hits_on"
