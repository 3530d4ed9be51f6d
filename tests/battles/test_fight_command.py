"""The command that fights a battle file, without campaign or database."""

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from battles.engine.fighting import EngineError
from battles.files.reading import battle_from_json, battle_to_json
from battles.files.schema import BattleLeader
from battles.management.commands import fight as command
from battles.odds.odds import estimate_odds
from battles.odds.odds_json import odds_to_json
from battles.replay.replay import read_replay
from battles.rulesets import registry
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force
from tests.battles.rulesets.example.fighting import Fought
from tests.battles.rulesets.example.line import registered

LINE = TroopType.CONTINENTAL_LINE
BATTLE = battle(
    force(CROWN, LINE, LINE, sp=3),
    force(CONGRESS, LINE, LINE, sp=3),
    turns=2,
    leaders=(BattleLeader("gates", "Gates", CONGRESS, with_unit="congress 0"),),
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "hubbardton.json"
    path.write_text(json.dumps(battle_to_json(BATTLE)))
    return str(path)


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("fight", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments: str) -> str:
    with pytest.raises(CommandError) as error:
        call_command("fight", *arguments, stdout=StringIO())
    assert error.value.returncode == 2
    return str(error.value)


def test_a_file_is_fought_under_other_rules_which_leave_out_what_they_do_not_know(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(Path(file).read_text())
    wet = tmp_path / "wet.json"
    wet.write_text(json.dumps(document | {"options": {"rain_on_muskets": -1}}))
    data = json.loads(said(str(wet), "--seed", "5", "--ruleset", "vb_wing", "--json"))
    assert data["ruleset"] == "vb_wing"
    assert any("has no option rain_on_muskets; left out" in warning for warning in data["warnings"])
    assert "left out" in capsys.readouterr().err
    own = tmp_path / "own.json"
    own.write_text(json.dumps(document | {"ruleset": "vb_wing", "options": {"rain_on_muskets": -1}}))
    for more in ((), ("--ruleset", "vb_wing")):
        assert "no option “rain_on_muskets”" in refused(str(own), *more)


def test_the_help_lists_every_ruleset() -> None:
    text = command.Command().create_parser("manage.py", "fight").format_help()
    assert all(one.id in text for one in registry.RULESETS)


def test_every_ruleset_is_set_side_by_side(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    with registered() as example:
        text = said(file, "--every-ruleset", "--runs", "4", "--seed", "5")
        data = json.loads(said(file, "--every-ruleset", "--runs", "4", "--seed", "5", "--json"))
    assert all(one.title.split()[0] in text for one in (*registry.RULESETS, example))
    assert "by neither" in text and "men" in text and "minutes" in text
    assert [row["ruleset"] for row in data["systems"]] == ["awi", "example"]
    assert all(row["runs"] == 4 for row in data["systems"])


def test_a_ruleset_that_cannot_fight_the_file_says_so_beside_the_others(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    monkeypatch.setattr(Fought, "draw_up", refusing)
    with registered():
        data = json.loads(said(file, "--every-ruleset", "--runs", "2", "--json"))
        text = said(file, "--every-ruleset", "--runs", "2")
    assert [row.get("refused") for row in data["systems"]] == [None, "It is too large."]
    assert "It is too large." in text


@pytest.mark.parametrize(("stopped_in", "fought"), [(1, []), (2, ["awi"]), (3, ["awi"])])
def test_ctrl_c_shows_no_figures_of_rulesets_that_were_not_fought(
    file: str, monkeypatch: pytest.MonkeyPatch, stopped_in: int, fought: list[str]
) -> None:
    """Stopped before the first fight of a ruleset, or after the last: the others are named instead."""
    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    real, asked = command.estimate_odds, []

    def interrupted(*args: Any, **more: Any) -> Any:
        asked.append(args)
        if len(asked) == stopped_in:
            os.kill(os.getpid(), signal.SIGINT)
        found = real(*args, **more)
        if stopped_in == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return found

    monkeypatch.setattr(command, "estimate_odds", interrupted)
    with registered() as example:
        data = json.loads(said(file, "--every-ruleset", "--runs", "2", "--seed", "5", "--json"))
        asked.clear()
        text = said(file, "--every-ruleset", "--runs", "2", "--seed", "5")
    assert [row["ruleset"] for row in data["systems"]] == fought
    assert data["not_fought"] == [one.id for one in registry.RULESETS if one.id not in fought] + ["example"]
    assert f"{example.title}" in text.partition("Stopped before these were fought: ")[2]
    assert len(asked) == (1 if stopped_in != 2 else 2)


def refusing(self: Fought, size: object) -> None:
    raise EngineError("It is too large.")


@pytest.mark.parametrize("more", [("--ruleset", "awi"), ("--dice",), ("--replay", "x")])
def test_what_does_not_go_with_every_ruleset_is_refused(file: str, more: tuple[str, ...]) -> None:
    assert "leave out --ruleset, --replay and --dice" in refused(file, "--every-ruleset", *more)


def test_one_fight_is_told_and_is_the_same_again(file: str) -> None:
    text = said(file, "--seed", "5")
    assert text.startswith("Hubbardton. Crown with two units")
    assert "Seed 5: --seed 5 fights it again." in text
    assert said(file, "--seed", "5") == text


def test_without_a_seed_one_is_drawn_and_told(file: str) -> None:
    seed = said(file).rsplit("--seed ", 1)[1].split()[0]
    assert said(file, "--seed", seed) == said(file, "--seed", seed)


def test_dice_are_shown_on_demand(file: str) -> None:
    assert "which side moves first" not in said(file, "--seed", "5")
    assert "step -: which side moves first: " in said(file, "--seed", "5", "--dice")


def test_one_fight_as_json_has_the_outcome_and_the_figures_of_odds(file: str) -> None:
    data = json.loads(said(file, "--seed", "5", "--json", "--dice"))
    result = registry.fight_battle(battle_from_json(battle_to_json(BATTLE)), 5, record=True)
    assert data["runs"] == 1 and data["seed"] == 5 and data["ruleset"] == "awi"
    assert data["outcome"]["field_held_by"] == result.outcome.field_held_by
    assert {unit["id"] for unit in data["outcome"]["units"]} == {unit.id for unit in BATTLE.units}
    assert len(data["events"]) == len(result.events)
    assert len(data["rolls"]) == sum(bool(event.dice) for event in result.events)
    assert data["account"][0].startswith("Hubbardton.")


def test_many_fights_as_json_hold_win_draw_loss_with_intervals(file: str) -> None:
    data = json.loads(said(file, "--seed", "5", "--runs", "8", "--json"))
    assert data.pop("seconds") >= 0
    expected = odds_to_json(estimate_odds(battle_from_json(battle_to_json(BATTLE)), seed=5, runs=8))
    expected.pop("seconds")
    expected["warnings"] = []
    assert data == json.loads(json.dumps(expected))
    for key in ("win", "draw", "loss"):
        assert 0 <= data[key]["low"] <= data[key]["value"] <= data[key]["high"] <= 1


def test_many_fights_print_tables(file: str) -> None:
    text = said(file, "--seed", "5", "--runs", "8", "--threads", "1")
    for part in (
        "Hubbardton",
        "Crown (attacker)",
        "neither",
        "Strength points lost",
        "Gates",
        "8 battles in",
    ):
        assert part in text


def test_names_in_brackets_are_printed_as_they_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # so wide that no name is broken
    name = "The 1st [/b] [red]"
    named = replace(
        BATTLE,
        title=name,
        side_names={CROWN: name},
        units=tuple(replace(unit, name=name) for unit in BATTLE.units),
        leaders=tuple(replace(leader, name=name) for leader in BATTLE.leaders),
    )
    path = tmp_path / "named.json"
    path.write_text(json.dumps(battle_to_json(named)))
    assert said(str(path), "--seed", "5", "--runs", "2").count(name) == 8


def test_a_search_for_a_precision_stops_when_it_is_found(file: str) -> None:
    data = json.loads(said(file, "--seed", "5", "--precision", "25", "--threads", "1", "--json"))
    assert data["asked"] == command.MOST_RUNS and data["runs"] < 200
    assert data["stopped"] == "precision"


def test_a_replay_is_written(file: str, tmp_path: Path) -> None:
    out = tmp_path / "r.json.gz"
    assert f"Replay: {out}" in said(file, "--seed", "5", "--replay", str(out)).replace("\n", "")
    assert read_replay(out).outcome.seed == 5
    none = str(tmp_path / "no" / "r.json")
    assert f"--replay {none}: there is no folder" in refused(file, "--seed", "5", "--replay", none)
    assert "it is a folder" in refused(file, "--seed", "5", "--replay", str(tmp_path))


def test_ctrl_c_shows_what_was_done(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = command.estimate_odds
    before = signal.getsignal(signal.SIGINT)

    def interrupted(*args: Any, progress: Callable[[int, int], None], **more: Any) -> Any:
        def once(done: int, asked: int) -> None:
            progress(done, asked)
            if done == 16:
                os.kill(os.getpid(), signal.SIGINT)

        return real(*args, progress=once, **more)

    monkeypatch.setattr(command, "estimate_odds", interrupted)
    data = json.loads(said(file, "--seed", "5", "--runs", "5000", "--threads", "1", "--json"))
    assert data["stopped"] == "cancelled" and 16 <= data["runs"] < 200
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--runs", "0"], "--runs is 0; it must be 1 or more"),
        (["--precision", "0"], "0.1 to 50"),
        (["--threads", "0"], "1 to 256"),
        (["--seed", "-1"], "0 to 18446744073709551615"),
        (["--runs", "5", "--dice"], "of one fight"),
        (["--precision", "5", "--replay", "x"], "of one fight"),
        (["--ruleset", "chess"], "--ruleset: There is no ruleset “chess”"),
    ],
)
def test_options_that_cannot_be_are_refused(file: str, options: list[str], says: str) -> None:
    assert says in refused(file, *options)


@pytest.mark.parametrize(
    ("option", "says"), [("--seed", "“x” is no whole number"), ("--precision", "“x” is no number")]
)
def test_words_for_figures_are_refused(file: str, option: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("fight", file, option, "x", stdout=StringIO())


def test_a_bad_file_ends_with_its_path_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    data = battle_to_json(BATTLE)
    data["units"][1]["troop_type"] = "infantry"
    path.write_text(json.dumps(data))
    assert refused(str(path)).startswith(f"{path}: units[1].troop_type: “infantry” is no choice")
    path.write_text("{")
    assert "line 1, column 2: This is not valid JSON: a name in double quotation marks is" in refused(
        str(path)
    )
    path.write_text('{"title": Bennington}')
    assert "column 11: This is not valid JSON: a value is missing, or a text stands without" in refused(
        str(path)
    )
    path.write_text(json.dumps({**battle_to_json(BATTLE), "turns": 0}))
    assert refused(str(path)).count("AWI-T-SCA-02") == 1
    assert "Shipped battles are" in refused(str(tmp_path / "none.json"))


def test_a_battle_without_units_on_a_side_is_refused_AWI_T_STR_01(tmp_path: Path) -> None:
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(battle_to_json(battle(force(CROWN, LINE), ()))))
    assert "Congress has no units. Add at least one unit that fights." in refused(str(path))


def test_what_should_be_looked_at_again_is_told_beside_the_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "weak.json"
    path.write_text(json.dumps(battle_to_json(battle(force(CROWN, LINE, sp=2), force(CONGRESS, LINE)))))
    data = json.loads(said(str(path), "--seed", "5", "--json"))
    assert len(data["warnings"]) == 1 and "fewer than 3 SP: crown 0 (2); merge it" in data["warnings"][0]
    assert "Warning: Of Crown, fewer than 3 SP: crown 0 (2)" in capsys.readouterr().err


def test_every_fault_of_a_file_is_told_on_a_line_of_its_own(file: str) -> None:
    document = json.loads(Path(file).read_text())
    document["units"][0]["poor_militia"] = True
    document["units"][1]["side"] = "crwn"
    Path(file).write_text(json.dumps(document))
    first, second, *_, last = refused(file).splitlines()
    assert f"{file}: units[0].poor_militia" in first and f"{file}: units[1].side" in second
    assert last.endswith("faults.")


@pytest.mark.parametrize("more", [(), ("--runs", "2"), ("--every-ruleset", "--runs", "2")])
def test_rules_that_are_still_to_be_compiled_are_named_and_no_others(
    file: str, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    def told() -> str:
        err = StringIO()
        call_command("fight", file, *more, stdout=StringIO(), stderr=err)
        return err.getvalue()

    monkeypatch.setattr(registry, "RULESETS", registry.RULESETS[:1])
    monkeypatch.setattr(registry, "is_waiting", lambda battle: False)
    assert "ompiled" not in told()
    monkeypatch.setattr(registry, "is_waiting", lambda battle: battle.ruleset == "awi")
    assert command.COMPILING.format(rules="AWI tactical rules") in told()


def test_odds_say_by_which_rules_they_were_fought(file: str) -> None:
    assert "Hubbardton, under AWI tactical rules" in said(file, "--runs", "2")
    assert "under Volley & Bayonet" in said(file, "--runs", "2", "--ruleset", "vb_wing")
