"""Names and choices of options in plain words."""

import pytest

from battles.option_names import choice_words, option_words
from battles.rulesets import registry


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("save_succeeds_on", "Save succeeds on"),
        ("unit_commander_radius_in", "Unit commander radius, inches"),
        ("front_arc_half_angle_beyond_corner_deg", "Front arc half angle beyond corner, degrees"),
    ],
)
def test_a_name_is_told_with_its_unit(name, words):
    assert option_words(name) == words


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("by_strength", "by strength"),
        ("2/3", "2/3"),
        ("crown", "the Crown"),
        ("rebel", "the Rebels"),
        (-1, "-1"),
        (0.25, "0.25"),
        ({"dense": 4, "open": 12}, "dense 4, open 12"),
    ],
)
def test_a_choice_is_told(choice, words):
    assert choice_words(choice) == words


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_no_two_options_or_choices_of_a_ruleset_are_told_alike(ruleset):
    options = registry.get_rules(ruleset).options
    assert len({option_words(name) for name in options}) == len(options)
    for name, option in options.items():
        assert len({choice_words(choice) for choice in option.choices}) == len(option.choices), name
