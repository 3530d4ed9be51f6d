"""`make checks CHECKS=FOLDER`: worked checks of any folder, played and counted."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.worked_checks.command import main

ROOT = Path(__file__).parents[2]
RIGHT = """\
- {id: CHK-STR-01, rules: [AWI-T-STR-01], given: {men: 250, class: close_order_foot}, expect: {sp: 5}}
- {id: CHK-CNV-06, rules: [AWI-C-CNV-01], given: {points: 49}, expect: {sp: 2}}
- {id: REG-FIR-PTS-3, rule: REG-FIR-05, given: {fire_points: "3"}, expect: {modifier: -2}}
- {id: RTG-MOR-2, rule: RTG-MOR-02, given: {modified_morale: 2}, expect: {p_fail: 2/3}}
- id: VBC-SAV-02
  rulesets: [vb_wing, vb_division]
  rules: [VBW-FIR-16]
  kind: save
  given: {conditions: 2}
  expect: {p_hit_stands: 1/4}
- {id: CLUB-7, rules: [AWI-T-STR-01], given: {men: 200, class: close_order_foot}, expect: {sp: 4}}
"""
OTHERS = """\
- {id: CHK-STR-02, rules: [AWI-T-STR-01], given: {men: 200, class: close_order_foot}, expect: {sp: 5}}
- id: CHK-STR-03
  rules: [AWI-T-STR-01]
  given: {men: 150, class: close_order_foot}
  expect: {sp: 3, colour: red}
- {id: CHK-CNV-09, rules: [AWI-C-CNV-01], given: {points: 90}, expect: {sp: 5, flags: 1}}
- {id: CHK-RNG-77, rules: [AWI-T-FIR-02], given: {weapon: musket, inches: 6}, expect: {band: point blank}}
- {id: CHK-ZZZ-01, rules: [AWI-T-STR-01], given: {balloon: 1}, expect: {lift: 2}}
- {id: CHK-BM-90, rules: [AWI-T-MOR-01], given: {type: hussars of Corsica, sp: 5}, expect: {basic_morale: 7}}
- {id: CHK-STR-91, rules: [AWI-T-STR-01], given: {men: 100, class: cavalry, rain: true}, expect: {sp: 6}}
- {id: XYZ-1, rules: [XYZ-RULE-1], given: {a: 1}, expect: {b: 2}}
"""


def play(folder: Path | str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """The command, as `make checks` runs it."""
    command = [sys.executable, "-m", "tests.worked_checks", str(folder)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


def test_right_checks_of_all_rules_pass(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(f"checks:\n{RIGHT}", encoding="utf-8")
    (tmp_path / "catalogue.yaml").write_text("rules: []\n", encoding="utf-8")
    found = play(tmp_path)
    assert (found.stdout, found.stderr, found.returncode) == (
        "6 passed, 0 failed, 0 without a player\n", "", 0,
    )  # fmt: skip


def test_each_that_did_not_pass_is_told_with_what_was_expected_and_what_came(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"checks:\n{RIGHT}", encoding="utf-8")
    (tmp_path / "b.yml").write_text(f"checks:\n{OTHERS}", encoding="utf-8")
    found = play(tmp_path)
    assert found.stdout.splitlines() == [
        "failed: CHK-STR-02 (b.yml): expected sp = 5; came 4",
        'failed: CHK-STR-03 (b.yml): expected {"sp": 3, "colour": "red"}; '
        "no player reads it: check_strength does not read expect.colour",
        'failed: CHK-CNV-09 (b.yml): expected {"sp": 5, "flags": 1}; '
        "no player reads it: conversion does not read expect.flags",
        "failed: CHK-RNG-77 (b.yml): expected band = point blank; "
        "no player reads it: check_range does not know “point blank”",
        'without a player: CHK-ZZZ-01 (b.yml): expected {"lift": 2}; '
        "there is no player for such a check of AWI battles",
        'without a player: CHK-BM-90 (b.yml): expected {"basic_morale": 7}; '
        "check_basic_morale does not know “hussars of Corsica”",
        'without a player: CHK-STR-91 (b.yml): expected {"sp": 6}; check_strength does not read given.rain',
        'without a player: XYZ-1 (b.yml): expected {"b": 2}; no ruleset has rules named XYZ-RULE-1',
        "6 passed, 4 failed, 4 without a player",
    ]
    assert found.returncode == 1


def test_a_relative_folder_counts_from_where_it_is_run() -> None:
    found = play("tests/battles/rulesets/volley_bayonet/rtg")
    assert found.stdout == "59 passed, 0 failed, 0 without a player\n"


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        (None, b"", "holds no files of checks: their names end in .yaml or .yml."),
        ("notes.txt", b"checks", "holds no files of checks: their names end in .yaml or .yml."),
        ("a.yaml", b"rules: []", "holds no worked checks: none of its files has a list named checks."),
        ("checks-a.yaml", b"", "has no list named checks."),
        ("a.yaml", b"checks: [1", "is not YAML (line 1: "),
        ("a.yaml", b"checks: [\xff]", "is not text in UTF-8: save it as UTF-8."),
        ("a.yaml", b"checks: [7]", "check 1 is not a mapping with id, rules, given and expect."),
        ("a.yaml", b"checks: [{given: {}, expect: {}}]", "check 1 has no id."),
        ("a.yaml", b"checks: [{id: A, given: {}}]", "check 1 (A) has no mapping named expect."),
        ("a.yaml", b"checks: [{id: A, given: {}, expect: {}}]", "check 1 (A) expects nothing."),
        (
            "a.yaml",
            b"checks: [{id: A, rules: 3, given: {}, expect: {b: 1}}]",
            "check 1 (A) has no list of names in rules.",
        ),
    ],
)
def test_what_cannot_be_read_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str | None, content: bytes, sentence: str
) -> None:
    if name:
        (tmp_path / name).write_bytes(content)
    assert main([str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert str(tmp_path) in printed.err and sentence in printed.err
    assert printed.err.count("\n") == 1


def test_a_missing_folder_and_no_folder_are_one_sentence_each(tmp_path: Path) -> None:
    found = play(tmp_path / "away")
    assert (found.stderr, found.returncode) == (
        f"There is no folder {tmp_path / 'away'}: name the folder of the checks in CHECKS.\n", 2,
    )  # fmt: skip
    assert play("").stderr == "Name the folder of the checks: make checks CHECKS=FOLDER.\n"
