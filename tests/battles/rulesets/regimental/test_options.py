"""Options: those of the catalogue, with the rulings as defaults."""

import pytest

from battles.errors import BattleFileError
from battles.rulesets.regimental.figures import options_write, tables_write
from battles.rulesets.regimental.options import OPTIONS, options_faults, options_resolve
from battles.rulesets.regimental.records import MUSKET, RIFLE, SMALL, make_blank_state
from tests.battles.rulesets.regimental.books import CATALOGUE, RULES


def test_options_are_those_of_the_catalogue() -> None:
    listed = {row["id"]: row for row in CATALOGUE["options"]}
    assert list(listed) == list(OPTIONS)
    for name, row in listed.items():
        option = OPTIONS[name]
        assert (row["default"], tuple(row["choices"]), row["rule"]) == (
            option.default,
            option.choices,
            option.rule,
        )
        assert name in RULES[row["rule"]]["options"]
        assert option.default in option.choices


def test_every_option_named_at_a_rule_is_one() -> None:
    named = [name for rule in RULES.values() for name in rule.get("options", ())]
    assert sorted(named) == sorted(OPTIONS)


def test_rulings_of_the_parameter_block_are_the_defaults() -> None:
    for name, value in CATALOGUE["engine_parameters"].items():
        assert OPTIONS[name].default == {True: "on", False: "off"}.get(value, value), name


def test_what_cannot_be_chosen_is_refused_under_its_rule() -> None:
    with pytest.raises(BattleFileError, match="did you mean “worn_at”") as refused:
        options_resolve({"worn": "3/4"})
    assert refused.value.rule_id == "REG-GEN-01"
    (fault,) = options_faults({"musket_max_in": 6})
    assert fault.rule_id == "REG-FIR-02"
    assert options_resolve({"musket_max_in": 8})["musket_max_in"] == 8


def test_every_choice_of_every_option_can_be_written() -> None:
    for name, option in OPTIONS.items():
        for choice in option.choices:
            g = make_blank_state(SMALL._replace(units=2, rows=2, columns=2, dice=2, events=2))[0]
            chosen = options_resolve({name: choice})
            options_write(g.o, chosen)
            tables_write(g.t, chosen)
            assert g.o.year == chosen["year"]


def test_ranges_of_small_arms_may_be_chosen_otherwise_REG_FIR_02() -> None:
    g = make_blank_state(SMALL._replace(units=2, rows=2, columns=2, dice=2, events=2))[0]
    tables_write(g.t, options_resolve({"musket_max_in": 8, "rifle_full_in": 4, "rifle_max_in": 8}))
    assert (g.t.longest[MUSKET], g.t.longest[RIFLE]) == (8, 8)
    assert (g.t.reach[RIFLE][0], g.t.points[RIFLE][1]) == (4, 0.5)


def test_the_catalogue_names_each_rule_once_and_gives_it_a_title_and_a_chapter() -> None:
    ids = [rule["id"] for rule in CATALOGUE["rules"]]
    assert len(ids) == len(set(ids)) == 75
    chapters = CATALOGUE["books"]["REG"]["chapters"]
    assert {id.split("-")[1] for id in ids} == set(chapters)
    assert all(rule["title"] and rule["rule"] for rule in RULES.values())
    assert len({rule["title"] for rule in RULES.values()}) == len(ids)
