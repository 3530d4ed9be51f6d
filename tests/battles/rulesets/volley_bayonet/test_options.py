"""Options of both scales: those of the catalogues, with the rulings as defaults."""

import pytest

from battles.errors import BattleFileError
from tests.battles.rulesets.volley_bayonet.books import CATALOGUES, RULES, SCALES

#: Rulings of the catalogues' parameter blocks that are options under another name, and how they read there.
RENAMED = {"poorly_drilled_rate_in": "poorly_trained_rate", "cards_optional": "cards"}
#: Rulings that are figures of the tables (test_tables) or stand in `hand_size` and `players_per_side`.
FIGURES = {"superior_command_radius_in", "hand_size_by_players_per_side"}


def said(name: str, value: object) -> object:
    """A parameter of the catalogue as the option of the same name says it."""
    if name == "cards_optional":
        return "off" if value else "on"
    if name == "woods_save_terrains":
        return "woods_only"
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else value


@pytest.mark.parametrize("scale", SCALES)
def test_options_are_those_of_the_catalogue(scale: str) -> None:
    listed = {row["id"]: row for row in CATALOGUES[scale]["options"]}
    known = SCALES[scale].options
    own = known if scale == "vb_wing" else SCALES[scale].switches
    assert list(listed) == list(own)
    for name, row in listed.items():
        assert (row["default"], tuple(row["choices"]), row["rule"]) == (
            known[name].default,
            known[name].choices,
            known[name].rule,
        )
        assert name in RULES[row["rule"]]["options"]
        assert known[name].default in known[name].choices


@pytest.mark.parametrize("scale", SCALES)
def test_rulings_of_the_parameter_block_are_the_defaults(scale: str) -> None:
    known = SCALES[scale].options
    for name, value in CATALOGUES[scale]["parameters"].items():
        if name not in FIGURES:
            assert known[RENAMED.get(name, name)].default == said(name, value), name


def test_division_has_every_option_of_wing_scale_VBD_GEN_01() -> None:
    wing, division = SCALES["vb_wing"].options, SCALES["vb_division"].options
    assert list(division) == list(wing)
    for name, option in SCALES["vb_division"].switches.items():
        assert option.choices == wing[name].choices
        assert option.rule.startswith("VBD-")


@pytest.mark.parametrize("scale", SCALES)
def test_what_cannot_be_chosen_is_refused_under_its_rule(scale: str) -> None:
    known = SCALES[scale]
    with pytest.raises(BattleFileError, match="did you mean “no_elites”") as refused:
        known.options_resolve({"no_elite": "on"})
    assert refused.value.rule_id == f"{known.prefix}-GEN-01"
    with pytest.raises(BattleFileError, match="cannot be 2") as refused:
        known.options_resolve({"save_succeeds_on": 2})
    assert refused.value.rule_id == "VBW-SAV-01"
    assert known.options_resolve({"save_succeeds_on": 5})["save_succeeds_on"] == 5


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("year", 1790, "cannot be 1790; give a whole number from 1775 to 1783"),
        ("year", "late", "cannot be late; give a whole number from 1775 to 1783"),
        ("players_per_side", 4, "give a whole number from 1 to 3"),
        ("unit_commander_radius_in", 4, "cannot be 4; there are 3, 6"),
        ("hand_size", 7, "there are by_players, 2"),
    ],
)
def test_a_number_out_of_range_is_told_the_range(option: str, value: object, hint: str) -> None:
    with pytest.raises(BattleFileError, match=hint) as refused:
        SCALES["vb_wing"].options_resolve({option: value})
    assert refused.value.field == f"options.{option}"


def test_both_catalogues_name_each_rule_once() -> None:
    listed = [rule["id"] for catalogue in CATALOGUES.values() for rule in catalogue["rules"]]
    assert len(listed) == len(set(listed)) == 441
