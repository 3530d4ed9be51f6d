"""Every AWI-T rule is named by a test, or stands in rule_gaps.yaml with a reason."""

import re
from pathlib import Path

import yaml

from tests.battles.forces import CHECKS
from tests.battles.rule_names import names_that_assert

HERE = Path(__file__).parent
CATALOGUE = yaml.safe_load((HERE.parents[1] / "battles/rulesets/awi/catalogue.yaml").read_text())
GAPS: dict[str, str] = yaml.safe_load((HERE / "rule_gaps.yaml").read_text())
#: Folders of tests that are of no ruleset, or of AWI alone.
ROOMS = ("engine", "files", "ground", "odds", "printing", "replay")
RULES = {rule["id"] for rule in CATALOGUE["rules"] if rule["id"].startswith("AWI-T-")}


def named_in_tests() -> set[str]:
    """Rules in the names of test functions that assert, and of the worked checks, which are read whole."""
    found = {rule for check in CHECKS for rule in check["rules"]} & RULES
    folders = (HERE, *(HERE / name for name in ROOMS))
    for name in (name for folder in folders for name in names_that_assert(folder)):
        found |= {"AWI-T-" + "-".join(part) for part in re.findall(r"([A-Z]{3}|V\d\d)_(\d\d)", name)}
    return found


def test_every_tactical_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert RULES - named_in_tests() - set(GAPS) == set()


def test_reasons_are_given_only_for_rules_without_a_test() -> None:
    assert set(GAPS) <= RULES
    assert set(GAPS) & named_in_tests() == set()
