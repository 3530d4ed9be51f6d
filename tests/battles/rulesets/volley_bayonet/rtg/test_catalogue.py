"""The catalogue of Road to Glory: whole, titled, and its options those of the code."""

import pytest

from battles.errors import BattleFileError
from battles.rulesets.volley_bayonet.options import OPTIONS
from battles.rulesets.volley_bayonet.rtg.options import BY_YEAR, FIXED, SWITCHES
from tests.battles.rulesets.volley_bayonet.rtg.books import CATALOGUE, ROAD_TO_GLORY, RULES, WING_RULES


def test_it_has_its_113_rules_each_once_with_a_title_of_its_own_and_in_a_chapter() -> None:
    ids = [rule["id"] for rule in CATALOGUE["rules"]]
    assert len(ids) == len(set(ids)) == 113
    chapters = CATALOGUE["books"]["RTG"]["chapters"]
    assert [*chapters] == [*dict.fromkeys(id.split("-")[1] for id in ids)]
    for chapter in chapters:
        titles = [rule["title"] for rule in CATALOGUE["rules"] if rule["id"].split("-")[1] == chapter]
        assert len(titles) == len(set(titles))


def test_what_is_the_same_at_wing_scale_is_a_rule_there() -> None:
    same = [rule for rule in CATALOGUE["rules"] if "same_as" in rule]
    assert {rule["same_as"] for rule in same} <= set(WING_RULES)
    assert len(same) == len({rule["same_as"] for rule in same}) == 35


def test_options_are_those_of_the_catalogue() -> None:
    listed = {row["id"]: row for row in CATALOGUE["options"]}
    assert list(listed) == list(SWITCHES)
    for name, row in listed.items():
        option = SWITCHES[name]
        assert (row["default"], tuple(row["choices"]), row["rule"]) == (
            option.default,
            option.choices,
            option.rule,
        )
        assert RULES[row["rule"]]["options"] == [name]
        if name in OPTIONS:
            assert option.choices == OPTIONS[name].choices


def test_rulings_of_the_parameter_block_are_the_defaults() -> None:
    for name, value in CATALOGUE["parameters"].items():
        said = {True: "on", False: "off"}[value] if isinstance(value, bool) else value
        assert SWITCHES[name].default == said, name


def test_every_option_of_the_core_is_open_or_fixed_and_what_it_is_fixed_at_is_a_choice() -> None:
    assert set(OPTIONS) <= set(SWITCHES) | set(BY_YEAR) | set(FIXED)
    assert not set(FIXED) & (set(SWITCHES) | set(BY_YEAR))
    for name, value in FIXED.items():
        assert value in OPTIONS[name].choices, name
    assert set(ROAD_TO_GLORY.options_resolve({})) >= set(OPTIONS)


def test_what_cannot_be_chosen_is_refused_under_its_rule() -> None:
    with pytest.raises(BattleFileError, match="cards") as refused:
        ROAD_TO_GLORY.options_resolve({"cards": "on"})
    assert refused.value.rule_id == "RTG-GEN-01"
    with pytest.raises(BattleFileError, match="cannot be 5") as refused:
        ROAD_TO_GLORY.options_resolve({"battery_close_to_hit": 5})
    assert refused.value.rule_id == "RTG-CBT-20"
    assert ROAD_TO_GLORY.options_resolve({"battery_close_to_hit": 4})["battery_close_to_hit"] == 4


def test_nothing_is_known_of_pursuit_in_woods_so_nobody_may_choose_it_RTG_CHG_11() -> None:
    assert "options" not in RULES["RTG-CHG-11"]
    assert "pursuit_in_woods" not in ROAD_TO_GLORY.options_resolve({})
