"""A battle under other rules than it was made for: what they do not know is left out, with a warning."""

from dataclasses import asdict
from typing import Any

import pytest

from battles.errors import BattleFileError
from battles.files.other_rulesets import adapt_document, document_under, options_of
from battles.files.reading import battle_from_json, battle_to_json, decode_battle
from battles.rulesets import registry
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, force

LINE = TroopType.CONTINENTAL_LINE
RISING = {"variant": "jacobite_1745", "rain_on_muskets": -1}


def document(**more: Any) -> dict[str, Any]:
    """A file of the Forty-Five, whose first unit are Highlanders."""
    made = battle_to_json(battle(force(CROWN, LINE, LINE, sp=3), force(CONGRESS, LINE, sp=3), options=RISING))
    made["units"][0]["traits"] = ["highlanders"]
    made["units"][2]["traits"] = ["pikes"]
    return made | more


def test_options_and_traits_other_rules_do_not_know_are_left_out_and_named_AWI_T_SCA_01() -> None:
    file = document()
    made, warnings = document_under(file, "vb_wing")
    assert (made["ruleset"], made["options"]) == ("vb_wing", {})
    assert made["units"][0]["traits"] == ["highlanders"], "they have a card of their own there"
    assert made["units"][2]["traits"] == []
    assert warnings == [
        "Volley & Bayonet in the Americas, wing scale has no options variant and rain_on_muskets; left out "
        "(AWI-T-SCA-01).",
        f"Volley & Bayonet in the Americas, wing scale has no pikes; left out of {file['units'][2]['id']} "
        "(AWI-T-SCA-01).",
    ]
    assert battle_from_json(made).ruleset == "vb_wing"
    assert file == document(), "the document itself is not touched"


def test_what_both_rules_know_stays() -> None:
    file = document(ruleset="vb_wing", options={"year": 1781, "cards": "on"})
    file["units"][2]["traits"] = []
    made, warnings = document_under(file, "vb_division")
    assert (made["options"], warnings) == ({"year": 1781, "cards": "on"}, [])
    back, warnings = document_under(file, "awi")
    assert back["options"] == {} and back["units"][0]["traits"] == []
    assert len(warnings) == 2 and "year and cards" in warnings[0] and "highlanders" in warnings[1]
    assert battle_from_json(back).ruleset == "awi"


@pytest.mark.parametrize("named", [{}, {"ruleset": "awi"}])
def test_a_file_under_its_own_rules_is_left_as_it_is(named: dict[str, str]) -> None:
    file = document(**named, options={"varient": "none"})
    assert document_under(file, "awi") == (file, []) == document_under(file, "")
    with pytest.raises(BattleFileError, match="no option “varient”"):
        battle_from_json(document_under(file, "awi")[0])


def test_a_file_of_the_very_rules_asked_for_is_refused_for_an_option_they_do_not_know_VBW_GEN_01() -> None:
    file = document(ruleset="vb_wing", options={"rain_on_muskets": -1})
    with pytest.raises(BattleFileError, match="no option “rain_on_muskets”") as refused:
        battle_from_json(document_under(file, "vb_wing")[0])
    assert refused.value.rule_id == "VBW-GEN-01"


@pytest.mark.parametrize(
    "odd", [[], "text", {"options": 5, "units": 7}, {"units": [3, {"traits": 4}, {"traits": [{}, 1]}]}]
)
def test_what_is_no_battle_file_is_left_to_be_refused(odd: Any) -> None:
    made, warnings = document_under(odd, "vb_wing")
    assert not warnings
    with pytest.raises(BattleFileError):
        battle_from_json(made)


def test_rules_there_are_not_are_refused() -> None:
    with pytest.raises(BattleFileError, match="no ruleset “chess”") as refused:
        document_under(document(), "chess")
    assert refused.value.field == "ruleset"


def test_a_frozen_file_is_taken_alike() -> None:
    units = [{**unit, "traits": []} for unit in document()["units"]]
    frozen = asdict(battle_from_json(document(units=units)))
    made, warnings = adapt_document(frozen, "vb_wing")
    assert len(warnings) == 1
    registry.verify_battle(decode_battle(made))


@pytest.mark.parametrize(
    ("facts", "ruleset", "options"),
    [
        ({"year": 1777, "rain_on_muskets": -1}, "awi", {"rain_on_muskets": -1}),
        ({"year": 1777, "rain_on_muskets": -1}, "vb_wing", {"year": 1777}),
        ({"year": 1745}, "vb_division", {"year": 1775}),
        ({"year": 1812}, "vb_wing", {"year": 1783}),
        ({"moon": 3}, "awi", {}),
    ],
)
def test_rules_take_the_facts_they_have_options_for_VBW_RAT_04(
    facts: dict[str, int], ruleset: str, options: dict[str, int]
) -> None:
    """Rain on muskets is a house rule of the AWI rules alone, HR-WEA-04."""
    assert options_of(ruleset, facts) == options
