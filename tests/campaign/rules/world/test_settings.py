"""Settings: typed, read by a rule, and named in a catalogue (HR-SET-01)."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings

ROOT = Path(__file__).parents[4]
RULES = ROOT / "campaign/rules"
NAMES = [item.name for item in fields(RuleSettings)]
HOUSE = yaml.safe_load((RULES / "catalogue.yaml").read_text(encoding="utf-8"))["rules"]
DRAFT = yaml.safe_load((ROOT / "battles/rulesets/awi/catalogue.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("militia_full_strength_points", 100.0),
        ("militia_full_strength_points", "100"),
        ("pool_floor", False),
        ("pool_floor", 0.0),
        ("auto_raise_units", 1),
        ("auto_raise_units", None),
        ("recruitment", ["draft"]),
        ("recruitment", None),
        ("road_miles", 12.0),
        ("road_miles", True),
        ("road_miles", -1),
        ("road_miles", "12"),
        ("march_minutes", 0),
        ("surrender_chance", 4),
    ],
)
def test_hr_set_01_a_value_of_another_kind_is_refused(name: str, value: Any) -> None:
    with pytest.raises(RuleViolation) as refused:
        RuleSettings.from_json({name: value})
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-01", name)


def test_settings_come_back_from_json() -> None:
    settings = RuleSettings(pool_floor=None, rest_every_days=0, recruitment="off")
    assert RuleSettings.from_json(settings.to_json()) == settings


@pytest.mark.parametrize("item", fields(RuleSettings), ids=lambda item: item.name)
def test_every_setting_is_read_by_a_rule(item: Any) -> None:
    """A setting nobody reads promises what is not played; one with a single choice decides nothing."""
    sources = [path.read_text() for path in RULES.rglob("*.py") if path.name != "settings.py"]
    read = re.compile(rf"\bsettings\.{item.name}\b")
    assert any(read.search(source) for source in sources) or len(get_args(item.type)) == 1


def test_every_setting_is_named_in_a_catalogue_and_no_other() -> None:
    house = {name for rule in HOUSE for name in rule["settings"]}
    draft = {option["id"] for option in DRAFT["options"] if option["rule"].startswith("AWI-C-")}
    assert house | draft == set(NAMES)
    assert not house & draft
