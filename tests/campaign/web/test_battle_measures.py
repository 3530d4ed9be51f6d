"""A battle's pages speak of turns and inches as its rules count them (VBW-GEN-03, AWI-T-SCA-02)."""

import html

import pytest

from battles.files.reading import decode_battle
from battles.printing.sheet_types import figure_size
from battles.replay.event_text import FILE_MINUTES
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import file_now
from campaign.services.battles.settlement import battle_settle_by_engine
from campaign.text.battle_measures import Measured, find_table_measures, telling_under

PAGE = "/campaigns/saratoga/battles/"


def under(battle: Battle, ruleset: str) -> Battle:
    """The battle under a ruleset, with a plan that changes after turn 6 and a unit that comes in turn 7."""
    battle.ruleset = ruleset
    battle.inputs["file"]["plans"]["crown"] = {"kind": "assault", "until": 6, "then": "withdraw"}
    late = next(unit for unit in battle.inputs["file"]["units"] if unit["side"] == "crown")
    late["arrives"] = 7
    battle.save()
    return battle


def page(client, battle, more: str = "") -> str:
    return html.unescape(client.get(f"{PAGE}{battle.pk}/{more}").content.decode())


def test_the_map_of_a_battle_has_the_inches_of_its_rules_as_its_pack_has_vbw_gen_03(crown, battle):
    ground = decode_battle(battle.inputs["file"]).ground
    assert ground is not None
    plain = page(crown, battle)
    assert f"A table {ground.width:.3g} by {ground.depth:.3g} inches" in plain
    assert "200 yards, 12 inches" in plain and "within 15 inches of their edge" in plain
    stands = page(crown, under(battle, "vb_wing"))
    size = f"A table {ground.width / 1.5:.3g} by {ground.depth / 1.5:.3g} inches"
    assert size in stands and size in page(crown, battle, "pack/")
    assert "200 yards, 8 inches" in stands and "within 10 inches of their edge" in stands
    assert "inches of 25 yards" in stands and f"A table {ground.width:.3g} by" not in stands


def test_figures_of_15_mm_have_the_inches_of_their_pack_awi_t_sca_02(crown, battle):
    battle.inputs["file"].setdefault("options", {})["scale"] = "15mm"
    battle.save()
    assert figure_size(file_now(battle)["options"]) == "15mm"
    text = page(crown, battle)
    assert "200 yards, 8 inches" in text and "for 15 mm figures" in text


def test_a_replay_has_the_inches_of_its_battles_page_awi_t_sca_02(crown, battle):
    battle.inputs["file"].setdefault("options", {})["scale"] = "15mm"
    battle.inputs["file"]["turns"] = 2
    battle.save()
    battle_settle_by_engine(battle=battle, actor=None)
    ground = decode_battle(battle.inputs["file"]).ground
    assert ground is not None
    size = f"A table {ground.width / 1.5:.3g} by {ground.depth / 1.5:.3g} inches"
    assert size in page(crown, battle) and size in page(crown, battle, "replay/")


def test_turns_of_plans_and_late_troops_are_those_of_the_rules_vbw_gen_03(crown, desk, battle):
    plain = page(crown, under(battle, "awi"))
    assert "after turn 6 to withdraw" in plain and ">turn 7<" in plain
    assert "Of ten minutes each. Leave it empty" in plain
    text = page(crown, under(battle, "vb_wing"))
    assert "after turn 4 (turn 6 of ten minutes) to withdraw" in text and ">turn 5<" in text
    turns = battle.inputs["file"]["turns"]
    assert f"the day's {turns} are {-(-turns * 2 // 3)} of 15 under these rules" in text
    assert "after turn 4 (turn 6 of ten minutes)" in page(desk, battle)


def test_the_umpire_is_told_what_the_turns_he_enters_are_vbw_gen_03(desk, waiting):
    found = Battle.objects.get(campaign=waiting)
    assert "whatever the rules; 0 is there" in page(desk, found, "way/")
    found.ruleset = "vb_wing"
    found.save()
    turns = found.inputs["file"]["turns"]
    counted = f"whatever the rules: {turns} of them are {-(-turns * 2 // 3)} of 15 under these; 0 is there"
    assert counted in page(desk, found, "way/")


def test_what_the_umpire_adjusts_is_told_in_both_vbw_gen_03(desk, crown, battle):
    under(battle, "vb_wing")
    [late] = [unit for unit in battle.inputs["file"]["units"] if unit["arrives"] == 7]
    ground = {"draw": 2, "season": "summer", "wet": False, "works": -1, "width": 96, "depth": 60}
    arrivals = {"arrivals": [{"unit": late["id"], "turn": 12}]}
    battle.adjusted = [
        {"number": 1, "what": "ground", "terms": ground, "sides": ["crown"], "changes": {}, "reason": "so"},
        {
            "number": 2,
            "what": "arrivals",
            "terms": arrivals,
            "sides": ["crown"],
            "changes": {},
            "reason": "so",
        },
    ]
    battle.save()
    for text in (page(desk, battle, "way/"), page(crown, battle)):
        assert "a table of 64 by 40 inches (96 by 60 as entered)" in text
        assert "in turn 8 (turn 12 of ten minutes)" in text


@pytest.mark.parametrize("ruleset", ["awi", "vb_wing", "vb_division"])
def test_turns_begun_are_counted_vbw_gen_03(ruleset):
    telling = telling_under(ruleset)
    for turns in range(40):
        assert (telling.turns(turns) - 1) * telling.minutes < turns * FILE_MINUTES or turns == 0
        assert telling.turns(turns) * telling.minutes >= turns * FILE_MINUTES


def test_rules_that_are_not_installed_are_told_as_the_battle_file_is(battle):
    file = {**file_now(battle), "ruleset": "none_such"}
    assert find_table_measures(file) == Measured() and telling_under("none_such").turns(7) == 7
