"""Every AWI-C rule is named by a test or has a stated reason; its options are settings."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings

TESTS = Path(__file__).parents[1]
CATALOGUE = yaml.safe_load((TESTS.parent / "battles/rulesets/awi/catalogue.yaml").read_text())
GAPS: dict[str, str] = yaml.safe_load((Path(__file__).parent / "rule_gaps.yaml").read_text())
RULES = [rule["id"] for rule in CATALOGUE["rules"] if rule["id"].startswith("AWI-C-")]
OPTIONS = [option for option in CATALOGUE["options"] if option["rule"].startswith("AWI-C-")]


def named_in_tests() -> set[str]:
    files = [path for path in TESTS.rglob("test_*.py") if path != Path(__file__)]
    return {found for path in files for found in re.findall(r"AWI-C-[A-Z]+-\d+", path.read_text())}


def test_the_catalogue_has_its_26_campaign_rules() -> None:
    assert len(RULES) == 26


def test_every_campaign_rule_is_named_by_a_test_or_has_a_reason() -> None:
    assert set(RULES) - named_in_tests() - set(GAPS) == set()


def test_reasons_are_given_for_rules_of_the_catalogue_only() -> None:
    assert set(GAPS) == {"AWI-C-GAP-01", "AWI-C-QUA-01"}
    assert all(len(reason) > 40 for reason in GAPS.values())


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option["id"])
def test_options_are_settings_with_the_catalogues_default_and_choices(option: dict[str, Any]) -> None:
    assert getattr(RuleSettings(), option["id"]) == option["default"]
    for choice in option["choices"]:
        assert getattr(RuleSettings.from_json({option["id"]: choice}), option["id"]) == choice
    with pytest.raises(RuleViolation):
        RuleSettings.from_json({option["id"]: "anything"})
