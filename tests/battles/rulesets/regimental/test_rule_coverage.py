"""Every rule of the catalogue is named by a test, or stands in rule_gaps.yaml with a reason."""

import re

import yaml

from tests.battles.rule_names import names_that_assert
from tests.battles.rulesets.regimental.books import CHECKS, HERE, RULES

GAPS: dict[str, str] = yaml.safe_load((HERE / "rule_gaps.yaml").read_text(encoding="utf-8")) or {}
NAMED = re.compile(r"REG_([A-Z]{2,3})_(\d\d)((?:_(?:to_)?\d\d)*)")


def rules_in(name: str) -> set[str]:
    """Rules in a test's name: REG_MOV_01_02 is two of them, REG_MAN_05_to_08 four."""
    found: set[str] = set()
    for chapter, first, more in NAMED.findall(name):
        last = int(first)
        numbers = {last}
        for to, number in re.findall(r"_(to_)?(\d\d)", more):
            numbers |= set(range(last, int(number) + 1)) if to else {int(number)}
            last = int(number)
        found |= {f"REG-{chapter}-{number:02}" for number in numbers}
    return found


def named_in_tests() -> set[str]:
    """Rules in the names of test functions that assert, and of the worked checks, which are all played."""
    found = {check["rule"] for check in CHECKS.values()}
    for name in names_that_assert(HERE):
        found |= rules_in(name)
    return found


def test_ranges_and_lists_in_names_are_read() -> None:
    assert rules_in("def test_x_REG_MAN_05_to_07_REG_VP_01_REG_FIR_02_03(") == {
        "REG-MAN-05", "REG-MAN-06", "REG-MAN-07", "REG-VP-01", "REG-FIR-02", "REG-FIR-03",
    }  # fmt: skip


def test_every_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert set(RULES) - named_in_tests() - set(GAPS) == set()


def test_only_rules_without_a_test_have_a_reason_and_names_are_of_rules() -> None:
    assert set(GAPS) <= set(RULES)
    assert set(GAPS) & named_in_tests() == set()
    assert named_in_tests() <= set(RULES)
