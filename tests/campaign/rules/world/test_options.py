"""The table of options: every setting has its line, its bounds and its words (HR-SET-01)."""

from dataclasses import fields, replace

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.world.options import (
    LEVELLED,
    LEVELS,
    format_setting,
    get_level,
    list_changed_settings,
    list_options,
    list_setting_groups,
    option_of,
    verify_hours,
)
from campaign.rules.world.settings import RuleSettings

NAMES = [item.name for item in fields(RuleSettings)]


def test_every_setting_stands_in_the_table_once():
    listed = [option.name for group in list_setting_groups() for option in group.options]
    assert sorted(listed) == sorted(NAMES)
    assert all(group.title and group.lead.endswith(".") for group in list_setting_groups())


@pytest.mark.parametrize("name", NAMES)
def test_every_option_says_in_one_line_what_it_changes(name):
    option = list_options()[name]
    assert option.label and option.line.endswith(".") and 20 < len(option.line) < 120
    assert bool(option.choices) != bool(option.unit)
    assert all(option.choices.values())
    assert not option.fixed or option.fixed.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_a_value_written_is_read_again_and_the_default_is_within_bounds(name):
    option = list_options()[name]
    for value in [*option.choices, option.default]:
        assert option.read(format_setting(value)) == value
        assert type(option.read(format_setting(value))) is type(value)
        RuleSettings.from_json({name: option.read(format_setting(value))})
        assert option.format_text(format_setting(value)) == option.words(value)


@pytest.mark.parametrize("name", NAMES)
def test_hr_set_01_what_will_not_do_is_refused_at_the_option(name):
    for text in ("", "x", "-5", "1.5", "9999999999", "²"):
        with pytest.raises(RuleViolation) as refused:
            list_options()[name].read(text)
        assert (refused.value.rule_id, refused.value.field) == ("HR-SET-01", name)
    if not list_options()[name].choices:
        assert RuleSettings.from_json({name: list_options()[name].least})
        with pytest.raises(RuleViolation, match="It is"):
            list_options()[name].read(str(list_options()[name].most + 1))


def test_an_unknown_setting_is_refused():
    with pytest.raises(RuleViolation, match="no setting called speed"):
        option_of("speed")


def test_the_hours_of_a_day_follow_each_other():
    verify_hours(RuleSettings())
    with pytest.raises(RuleViolation) as refused:
        verify_hours(RuleSettings(march_starts=1200))
    assert refused.value.field == "dark"
    with pytest.raises(RuleViolation) as refused:
        verify_hours(RuleSettings(march_starts=900))
    assert refused.value.field == "march_minutes"


def test_every_mixture_of_what_makes_the_fog_is_one_level():
    assert [level.id for level in LEVELS] == ["full", "club", "open_couriers", "open"]
    found = [get_level(replace(RuleSettings(), **level.settings)) for level in LEVELS]
    assert found == list(LEVELS)
    assert get_level(RuleSettings()) is LEVELS[1]
    for fog in list_options()["fog"].choices:
        for couriers in list_options()["couriers"].choices:
            assert get_level(RuleSettings(fog=fog, couriers=couriers)).settings.keys() == set(LEVELLED)
    assert all(level.line for level in LEVELS)


def test_what_differs_is_named_in_the_tables_order():
    assert list_changed_settings(RuleSettings(), RuleSettings(supply="food", fog="off")) == ["fog", "supply"]
