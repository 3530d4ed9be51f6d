"""The table of options: every setting has its line, its bounds and its words (HR-SET-01)."""

from dataclasses import fields, replace

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.world.options import (
    LEVELLED,
    LEVELS,
    differing,
    groups,
    level_of,
    option_of,
    options,
    verify_hours,
    written,
)
from campaign.rules.world.settings import RuleSettings

NAMES = [item.name for item in fields(RuleSettings)]


def test_every_setting_stands_in_the_table_once():
    listed = [option.name for group in groups() for option in group.options]
    assert sorted(listed) == sorted(NAMES)
    assert all(group.title and group.lead.endswith(".") for group in groups())


@pytest.mark.parametrize("name", NAMES)
def test_every_option_says_in_one_line_what_it_changes(name):
    option = options()[name]
    assert option.label and option.line.endswith(".") and 20 < len(option.line) < 120
    assert bool(option.choices) != bool(option.unit)
    assert all(option.choices.values())
    assert not option.fixed or option.fixed.endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_a_value_written_is_read_again_and_the_default_is_within_bounds(name):
    option = options()[name]
    for value in [*option.choices, option.default]:
        assert option.read(written(value)) == value
        assert type(option.read(written(value))) is type(value)
        RuleSettings.from_json({name: option.read(written(value))})
        assert option.said(written(value)) == option.words(value)


@pytest.mark.parametrize("name", NAMES)
def test_hr_set_01_what_will_not_do_is_refused_at_the_option(name):
    for text in ("", "x", "-5", "1.5", "9999999999", "²"):
        with pytest.raises(RuleViolation) as refused:
            options()[name].read(text)
        assert (refused.value.rule_id, refused.value.field) == ("HR-SET-01", name)
    if not options()[name].choices:
        assert RuleSettings.from_json({name: options()[name].least})
        with pytest.raises(RuleViolation, match="It is"):
            options()[name].read(str(options()[name].most + 1))


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
    found = [level_of(replace(RuleSettings(), **level.settings)) for level in LEVELS]
    assert found == list(LEVELS)
    assert level_of(RuleSettings()) is LEVELS[1]
    for fog in options()["fog"].choices:
        for couriers in options()["couriers"].choices:
            assert level_of(RuleSettings(fog=fog, couriers=couriers)).settings.keys() == set(LEVELLED)
    assert all(level.line for level in LEVELS)


def test_what_differs_is_named_in_the_tables_order():
    assert differing(RuleSettings(), RuleSettings(supply="food", fog="off")) == ["fog", "supply"]
