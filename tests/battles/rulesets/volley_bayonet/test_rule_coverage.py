"""Every rule of both catalogues is named by a test, or stands in rule_gaps.yaml with a reason.

A rule of division level that is the same as one of wing scale is covered with it: the core is one.
"""

import re
from pathlib import Path

import yaml

from tests.battles.rule_names import names_that_assert
from tests.battles.rulesets.volley_bayonet.books import CHECKS, RULES

HERE = Path(__file__).parent
GAPS: dict[str, str] = yaml.safe_load((HERE / "rule_gaps.yaml").read_text())
NAMED = re.compile(r"(VB[WD])_([A-Z]{3})_(\d\d)((?:_(?:to_)?\d\d)*)")


def rules_in(name: str) -> set[str]:
    """Rules in a test's name: VBW_MOV_25_26 is two of them, VBW_MOV_12_to_14 three."""
    found: set[str] = set()
    for book, chapter, first, more in NAMED.findall(name):
        last = int(first)
        numbers = {last}
        for to, number in re.findall(r"_(to_)?(\d\d)", more):
            numbers |= set(range(last, int(number) + 1)) if to else {int(number)}
            last = int(number)
        found |= {f"{book}-{chapter}-{number:02}" for number in numbers}
    return found


def named_in_tests() -> set[str]:
    """Rules in the names of test functions that assert, and of the worked checks, which are all played."""
    found = {rule for check in CHECKS.values() for rule in check["rules"]}
    for name in names_that_assert(HERE):
        found |= rules_in(name)
    return found


def covered() -> set[str]:
    named = named_in_tests()
    return named | {rule for rule, row in RULES.items() if row.get("same_as") in named}


def test_ranges_and_lists_in_names_are_read() -> None:
    assert rules_in("def test_x_VBW_MOV_12_to_14_VBD_TER_09_11(") == {
        "VBW-MOV-12", "VBW-MOV-13", "VBW-MOV-14", "VBD-TER-09", "VBD-TER-11",
    }  # fmt: skip


def test_every_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert set(RULES) - covered() - set(GAPS) == set()


def test_only_rules_without_a_test_have_a_reason_and_names_are_of_rules() -> None:
    assert set(GAPS) <= set(RULES)
    assert set(GAPS) & covered() == set()
    assert named_in_tests() <= set(RULES)
