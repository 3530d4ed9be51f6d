"""Every AWI-T rule is named by a test, or stands in rule_gaps.yaml with a reason."""

import re
from pathlib import Path

import yaml

HERE = Path(__file__).parent
CATALOGUE = yaml.safe_load((HERE.parents[1] / "battles/rulesets/awi/catalogue.yaml").read_text())
GAPS: dict[str, str] = yaml.safe_load((HERE / "rule_gaps.yaml").read_text())
RULES = {rule["id"] for rule in CATALOGUE["rules"] if rule["id"].startswith("AWI-T-")}


def named_in_tests() -> set[str]:
    """Rules in the names of test functions and their docstrings, with - or _ between the parts."""
    found: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for line in path.read_text().splitlines():
            if line.lstrip().startswith(("def test_", '"""')):
                found |= {"AWI-T-" + "-".join(part) for part in re.findall(r"([A-Z]{3}|V\d\d)_(\d\d)", line)}
    return found


def test_every_tactical_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert RULES - named_in_tests() - set(GAPS) == set()


def test_reasons_are_given_only_for_rules_without_a_test() -> None:
    assert set(GAPS) <= RULES
    assert set(GAPS) & named_in_tests() == set()
