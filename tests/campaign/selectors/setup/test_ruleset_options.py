"""Options of tactical rules chosen for a campaign: what is kept, refused and told (HR-UMP-18, HR-BAT-13)."""

import pytest

from battles.rulesets import registry
from campaign.rules.battles.ruleset_options import (
    iter_option_changes,
    list_chosen_options,
    list_offered_options,
    list_option_descriptions,
    merge_options,
    options_otherwise,
    options_sound,
)
from campaign.rules.errors import RuleViolation

KEPT = {"awi": {"evade": "open_order_foot_and_cavalry"}, "vb_wing": {"save_succeeds_on": 5}}


def test_only_what_differs_from_the_defaults_is_kept():
    chosen = {"awi": {"scale": "25mm", "wagon_move": 9}, "vb_wing": {"cards": "off"}}
    assert merge_options({}, chosen) == {"awi": {"wagon_move": 9}}


def test_of_a_ruleset_that_is_named_all_are_meant_and_others_stay():
    assert merge_options(KEPT, {"awi": {"scale": "15mm"}}) == {**KEPT, "awi": {"scale": "15mm"}}
    assert merge_options(KEPT, {"awi": {}}) == {"vb_wing": {"save_succeeds_on": 5}}


def test_a_choice_is_kept_as_the_ruleset_has_it():
    merged = merge_options({}, {"awi": {"wagon_move": 9.0, "woods_detection_other": {"open": 6, "dense": 2}}})
    assert str(merged["awi"]["wagon_move"]) == "9"
    assert merged["awi"]["woods_detection_other"] == {"dense": 2, "open": 6}


@pytest.mark.parametrize(
    ("chosen", "rule", "field", "sentence"),
    [
        ({"chess": {}}, "HR-UMP-18", "chess", "no ruleset"),
        ({"awi": {"evde": "none"}}, "AWI-T-SCA-01", "awi.evde", "no option “evde”"),
        ({"awi": {"evade": "always"}}, "AWI-T-CHG-09", "awi.evade", "cannot be always"),
        ({"vb_wing": {"save_succeeds_on": "4"}}, "VBW-SAV-01", "vb_wing.save_succeeds_on", "quotation marks"),
        ({"vb_wing": {"players_per_side": True}}, "VBW-CRD-03", "vb_wing.players_per_side", "cannot be true"),
        ({"vb_wing": {"year": 1780}}, "HR-BAT-13", "vb_wing.year", "fact of each battle's day"),
        ({"awi": {"rain_on_muskets": -1}}, "HR-BAT-13", "awi.rain_on_muskets", "fact of each battle's day"),
    ],
)
def test_what_cannot_be_chosen_is_refused_by_its_field(chosen, rule, field, sentence):
    with pytest.raises(RuleViolation, match=sentence) as refused:
        merge_options(KEPT, chosen)
    assert (refused.value.rule_id, refused.value.field) == (rule, f"ruleset_options.{field}")


def test_what_a_later_version_does_not_know_stays_kept_and_is_left_out_of_battles():
    kept = {"awi": {"gone": "on", "scale": "6mm", "wagon_move": 3}, "chess": {"clock": 5}}
    assert list_chosen_options(kept, "awi") == {"wagon_move": 3} and list_chosen_options(kept, "chess") == {}
    assert merge_options(kept, {"awi": kept["awi"]}) == kept, "and nothing is refused that was not changed"
    assert options_sound(kept) == {"awi": {"wagon_move": 3}}


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_every_choice_of_every_option_makes_a_battle_its_rules_take(ruleset):
    for name, option in list_offered_options(ruleset).items():
        for choice in option.choices:
            merged = merge_options({}, {ruleset: {name: choice}})
            assert merged == ({} if choice == option.default else {ruleset: {name: choice}})
            registry.get_rules(ruleset).options_resolve(merged.get(ruleset, {}))


def test_facts_of_the_day_are_told_and_not_offered():
    assert not {"year", "rain_on_muskets"} & {*list_offered_options("awi"), *list_offered_options("vb_wing")}
    (year,) = [one for one in list_option_descriptions("vb_wing", {"year": 1781}) if one.of_the_day]
    assert year.short == "Year: 1781"


def test_what_is_otherwise_and_what_changes_is_told_in_words():
    (told,) = options_otherwise("vb_wing", {"year": 1780, "save_succeeds_on": 5, "cards": "off"})
    assert (told.short, told.rule) == ("Save succeeds on: 5", "VBW-SAV-01")
    assert list(iter_option_changes(KEPT, {"vb_wing": {"save_succeeds_on": 3}})) == [
        ("awi", ["Evade none instead of open order foot and cavalry"]),
        ("vb_wing", ["Save succeeds on 3 instead of 5"]),
    ]
    assert list(iter_option_changes({}, {"chess": {"clock": 5}})) == [
        ("chess", ["Clock 5 instead of default"])
    ]
