"""Every rule of the catalogue is named by a test, or stands in rule_gaps.yaml with a reason."""

import re
from pathlib import Path

import yaml

from tests.battles.rule_names import names_that_assert
from tests.battles.rulesets.volley_bayonet.rtg.books import CHECKS, RULES

HERE = Path(__file__).parent
REASONS: dict[str, dict[str, str]] = yaml.safe_load((HERE / "rule_gaps.yaml").read_text())
#: Rules without a test, and rules of which a part is tested and the rest is not built yet.
GAPS, IN_PART = REASONS["gaps"], REASONS["in_part"]
#: RTG_CMD_04_06_RTG_EXH_02 are three rules, RTG_MOR_03_to_05 three as well.
NAMED = re.compile(r"RTG_([A-Z]{3})_(\d\d)((?:_(?:to_)?\d\d)*)")


def rules_in(name: str) -> set[str]:
    """Rules in a test's name."""
    found: set[str] = set()
    for chapter, first, more in NAMED.findall(name):
        last = int(first)
        numbers = {last}
        for to, number in re.findall(r"_(to_)?(\d\d)", more):
            numbers |= set(range(last, int(number) + 1)) if to else {int(number)}
            last = int(number)
        found |= {f"RTG-{chapter}-{number:02}" for number in numbers}
    return found


def named() -> set[str]:
    """Rules in the names of test functions that assert, and of the worked checks, which are all played."""
    found = {check["rule"] for check in CHECKS.values()}
    for name in names_that_assert(HERE):
        found |= rules_in(name)
    return found


def test_ranges_and_lists_in_names_are_read() -> None:
    assert rules_in("def test_x_RTG_MOR_03_to_05_RTG_TER_09_11(") == {
        "RTG-MOR-03", "RTG-MOR-04", "RTG-MOR-05", "RTG-TER-09", "RTG-TER-11",
    }  # fmt: skip


def test_every_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert set(RULES) - named() - set(GAPS) == set()


def test_only_rules_without_a_test_have_a_reason_and_names_are_of_rules() -> None:
    assert set(GAPS) <= set(RULES)
    assert set(GAPS) & named() == set()
    assert set(IN_PART) <= named()
    assert named() <= set(RULES)
