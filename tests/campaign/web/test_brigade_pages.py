"""Brigades of several units on a battle's pages: one row, all units charged, no fog lifted (HR-BAT-13)."""

import html
import re
from dataclasses import replace

import pytest

from battles.files.reading import decode_battle
from battles.printing.blinds import DUMMY
from battles.rulesets import registry
from battles.table_pieces import pieces_of, stand_count
from campaign.api.battles.table_results import PresentShape
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.battles.table_results import Entry, UnitResult
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import DrawGround
from campaign.selectors.battles.adjustments import _verify_drawing
from campaign.selectors.battles.sectors import propose_sector, too_big, verify_sector
from campaign.selectors.battles.table_results import build_table_roster
from campaign.services.battles.methods import battle_split, battle_way_choose
from campaign.services.battles.table_results import _describe_decision, battle_entry_save, build_settlement

PAGE = "/campaigns/saratoga/battles/"


def text(answer) -> str:
    return html.unescape(answer.content.decode())


def brigades(battle, side: str) -> list[tuple[str, ...]]:
    """Ids of the units of each brigade of a side, its guns left out."""
    own = [unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == side]
    return [tuple(own[:3]), tuple(own[4:])]


def gun(battle, side: str) -> str:
    return [unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == side][3]


def entered(battle, actor, **costs: UnitResult) -> None:
    said = Entry(units=costs, held_by="crown")
    battle_entry_save(entered=True, battle=battle, side="", entry=said, version=0, actor=actor)


# --- the umpire confirms ---


def test_what_it_costs_lists_every_unit_of_a_brigade_hr_tab_05(grand, desk, carleton):
    first = brigades(grand, "crown")[0]
    entered(grand, carleton, **{first[0]: UnitResult(lost=2)})
    shown = text(desk.get(f"{PAGE}{grand.pk}/result/compare/"))
    costs = shown[shown.index('id="casualties"') :]
    assert all(f"<td>{unit['name']} " in costs for unit in grand.inputs["file"]["units"])
    assert ">940 → " in costs and costs.count('class="figure change">940 → ') == 2, "47 SP of 20 points"


def test_the_sp_entered_are_named_in_whole_words_hr_bat_13(grand, desk, carleton):
    entered(grand, carleton)
    for way, whose in (("table", "Volley & Bayonet: Road to Glory"), ("word", "the rules of this battle")):
        Battle.objects.update(way=way)
        shown = text(desk.get(f"{PAGE}{grand.pk}/result/compare/"))
        assert f"The SP entered are those of {whose}; what it costs the campaign" in shown


def test_an_account_says_whose_sp_it_tells_only_where_they_differ_hr_bat_13(grand, burgoyne, gates, carleton):
    """Of a brigade they are others than the campaign's; where nothing is in dispute no SP follow."""
    first = brigades(grand, "crown")[0][0]
    table = build_table_roster(grand, {})
    for other, told in ((1, False), (2, True)):
        for side, lost, actor in (("crown", 1, burgoyne), ("rebel", other, gates)):
            said = Entry(units={first: UnitResult(lost)}, held_by="crown")
            version = grand.entries.filter(side=side).values_list("version", flat=True).first() or 0
            battle_entry_save(entered=True, battle=grand, side=side, entry=said, version=version, actor=actor)
        account = " ".join(
            _describe_decision(grand, Entry(units={first: UnitResult(1)}, held_by="crown"), table)
        )
        assert ("as the rules of the table count them (HR-BAT-13)" in account) == told


# --- the result is entered ---


@pytest.fixture
def form(grand, crown) -> str:
    return text(crown.get(f"{PAGE}{grand.pk}/result/"))


def row_of(form: str, name: str) -> str:
    return next(row for row in form.split('<li class="tally"')[1:] if name in row)


def test_a_row_of_the_result_names_its_brigade_hr_bat_13(grand, form):
    named = {unit["id"]: unit["name"] for unit in grand.inputs["file"]["units"]}
    assert form.count('class="tally"') == 6
    for side in ("crown", "rebel"):
        for units in brigades(grand, side):
            row = row_of(form, f"{named[units[0]]} and 2 more")
            assert f"Stands as one with {', '.join(named[unit] for unit in units[1:])}<" in row
    assert form.count('<span class="soft sum">2 brigades of 7 units</span>') == 2
    assert "A brigade of several units is entered as one" in form


def test_a_sides_form_has_its_own_cards_and_of_the_enemy_what_it_knows_hr_fog_03(grand, form, desk):
    assert form.count('<span class="soft">linear infantry, morale 5<') == 2
    assert form.count('<span class="soft">British line<') == 2, "of the enemy's as on the battle's page"
    assert form.count('<span class="soft">dedicated gun<') == 2
    assert text(desk.get(f"{PAGE}{grand.pk}/result/")).count(">linear infantry, morale 5<") == 4


def test_a_dedicated_gun_can_only_be_captured_RTG_CBT_22(grand, form, crown):
    name = gun(grand, "crown")
    called = next(one["name"] for one in grand.inputs["file"]["units"] if one["id"] == name)
    row = row_of(form, f"{called} ")
    assert "Destroyed" not in row and ">Lost<" not in row and ">Captured<" in row
    assert f'<div hidden><input type="number" name="lost-{name}"' in row
    assert "A dedicated gun goes with the first stand of its brigade" in form


def test_the_umpire_is_not_offered_to_have_a_dedicated_gun_lost_RTG_CBT_22(grand, desk, carleton):
    entered(grand, carleton)
    shown = text(desk.get(f"{PAGE}{grand.pk}/result/compare/"))
    name, foot = gun(grand, "crown"), brigades(grand, "crown")[0]
    assert f'name="captured-{name}"' in shown and f'name="lost-{name}"' not in shown
    names = {unit["id"]: unit["name"] for unit in grand.inputs["file"]["units"]}
    assert f"Crown; with {', '.join(names[key] for key in foot[1:])}<" in shown
    assert f'name="lost-{foot[0]}"' in shown


def test_a_program_is_told_who_stands_as_one_hr_bat_13(grand):
    shown = {
        one["id"]: one for one in PresentShape(build_table_roster(grand, {}).units.values(), many=True).data
    }
    first = brigades(grand, "rebel")[0]
    assert shown[first[0]]["units"] == list(first) and shown[first[0]]["goes_with"] == ""
    assert shown[gun(grand, "rebel")]["goes_with"] == first[0]


@pytest.mark.parametrize("said", [UnitResult(lost=1), UnitResult(captured=1), UnitResult(destroyed=True)])
def test_a_dedicated_gun_that_is_gone_was_captured_however_it_is_said_RTG_CBT_22(grand, said):
    name = gun(grand, "crown")
    settlement = build_settlement(grand, Entry(units={name: said}, held_by="rebel"))
    loss = next(one for one in settlement.losses if one.unit == name)
    assert (loss.sp_lost, loss.sp_captured, loss.fate) == (0, 2, "surrendered")
    there = build_table_roster(grand, {}).units[name]
    assert Entry(units={name: said}, held_by="rebel").cost(there) == UnitResult(0, 1, True)
    for held_by in ("crown", ""):
        assert Entry(units={name: said}, held_by=held_by).cost(there) == UnitResult(1, 0, True), (
            "as the engine has it"
        )


def test_rules_that_pool_nobody_say_nothing_of_brigades(grand, crown):
    Battle.objects.update(ruleset="vb_wing")
    shown = text(crown.get(f"{PAGE}{grand.pk}/result/"))
    assert "Stands as one" not in shown and "brigade of several" not in shown and "dedicated gun" not in shown
    assert '<span class="soft sum">7 units</span>' in shown


# --- the pack ---


def order_of(pack: str, side: str) -> list[tuple[str, str, str]]:
    """Name, formation with commander, and SP of each row of a side's order of battle, kinds left out."""
    tables = re.findall(r'<table class="order">(.*?)</table>', pack, re.S)
    part = tables[("crown", "rebel").index(side)]
    rows = re.findall(r"<tr><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td><td class=\"figure\">(\d+)</td>", part)
    return [(name, kind, sp) for name, kind, _, sp in rows]


def test_every_copy_of_a_pack_has_the_rows_and_sp_of_the_result_hr_tab_23(grand, crown, rebel, desk):
    for client in (crown, rebel, desk):
        pack = text(client.get(f"{PAGE}{grand.pk}/pack/"))
        for side in ("crown", "rebel"):
            there = [unit for unit in build_table_roster(grand, {}).units.values() if unit.side == side]
            rows = order_of(pack, side)
            assert [(name, int(sp)) for name, _, sp in rows] == [(one.name, one.sp) for one in there]
        assert pack.count("2 brigades of 7 units, 6 SP</caption>") == 2
        slip = re.findall(r'<table class="slip">(.*?)</table>', pack, re.S)
        assert [part.count('class="blank"') for part in slip] == [5, 5], "two for a brigade, one for a gun"
        assert pack.count("5 SP of 500 men in all, dedicated guns not counted, breaks off") == 2


def test_no_copy_tells_a_general_a_gun_or_a_quality_of_the_enemy_hr_fog_03(grand, crown):
    pack = text(crown.get(f"{PAGE}{grand.pk}/pack/?blinds=no"))
    assert "Brigadier crown 0" in pack and "Brigadier rebel" not in pack
    for unit in grand.inputs["file"]["units"]:
        if unit["side"] == "rebel":
            unit["poor_militia"] = True
            unit["arrives"] = 0 if unit["id"] == brigades(grand, "rebel")[0][0] else 7
            unit["gun_class"] = "galloper" if unit["gun_class"] == "light" else unit["gun_class"]
    for leader in grand.inputs["file"]["leaders"]:
        if leader["side"] == "rebel":
            leader["name"] = f"Another {leader['name']}"
    grand.save()
    again = text(crown.get(f"{PAGE}{grand.pk}/pack/?blinds=no"))
    strip = r'nonce="[^"]*"|csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"'
    assert re.sub(strip, "", again) == re.sub(strip, "", pack)


def test_a_brigade_of_the_enemys_is_told_by_all_its_troops_and_rated_in_no_copy_hr_fog_03(
    grand, rebel, crown
):
    """Its own side's copy rates it by the mean of its units, half up, not by the first (RTG-GEN-05)."""
    first = brigades(grand, "crown")[0]
    kinds = {first[0]: "british_line", first[1]: "british_grenadiers", first[2]: "british_grenadiers"}
    for unit in grand.inputs["file"]["units"]:
        unit["troop_type"] = kinds.get(unit["id"], unit["troop_type"])
    grand.save()
    name = next(one.name for one in build_table_roster(grand, {}).units.values() if one.id == first[0])
    told = {}
    for side, client in (("crown", crown), ("rebel", rebel)):
        rows = order_of(text(client.get(f"{PAGE}{grand.pk}/pack/")), "crown")
        told[side] = {row: kind for row, kind, _ in rows}[name]
    assert told == {"crown": "linear infantry, morale 6", "rebel": "British line and British grenadiers"}
    row = row_of(text(rebel.get(f"{PAGE}{grand.pk}/result/")), name)
    assert ">British line and British grenadiers<" in row


def test_blinds_stand_for_brigades_and_a_dedicated_gun_has_none_hr_tab_21(grand, crown, desk):
    file = decode_battle(file_now(grand))
    assert stand_count(pieces_of(file, registry.get_rules("vb_rtg")), "crown") == 2
    names = [
        one.name
        for one in build_table_roster(grand, {}).units.values()
        if one.side == "crown" and not one.apart
    ]
    for client, query in ((crown, ""), (desk, "?copy=crown")):
        shown = text(client.get(f"{PAGE}{grand.pk}/pack/{query}"))
        key = re.search(r'<ol class="key">(.*?)</ol>', shown, re.S)
        under = re.findall(r"<li><strong>\w+</strong> (?:<em>)?([^<]+?)(?:</em>)? ?</li>", key[1])
        assert sorted(one for one in under if one != DUMMY) == sorted(names)
        assert "with a dummy for every 4 brigades." in shown
        assert under.count(DUMMY) == 1, "one at the least"


def test_who_is_out_scouted_by_far_has_no_dummies_hr_tab_21(grand, crown):
    foe = next(one for one in grand.inputs["file"]["units"] if one["side"] == "rebel")
    foe["troop_type"] = "american_light_cavalry"
    grand.save()
    shown = text(crown.get(f"{PAGE}{grand.pk}/pack/"))
    assert "you set out first, and without dummies" in shown and DUMMY not in shown.split('class="key"')[1]


# --- what fits the table ---


def test_brigades_are_counted_for_the_table_not_their_units_hr_tab_14(grand, desk):
    for most, big in ((2, False), (1, True)):
        grand.campaign.table_units = most
        grand.campaign.save()
        assert too_big(grand) == big
        shown = text(desk.get(f"{PAGE}{grand.pk}/way/"))
        assert shown.count("<dd>2 brigades of 7 units, 47 SP</dd>") == 2
        assert ("More than 1 brigades a side" in shown) == big
    first = [brigades(grand, side)[number][0] for side in ("crown", "rebel") for number in (0, 1)]
    names = {unit["id"]: unit["name"] for unit in grand.inputs["file"]["units"]}
    told = [shown.count(f"in the brigade of {names[key]} and 2 more<") for key in first]
    assert told == [4, 3, 4, 3], "with the gun that goes along"


def test_a_sector_has_whole_brigades_with_their_guns_hr_tab_14(grand, carleton):
    grand.campaign.table_units = 1
    grand.campaign.save()
    whole = [
        {*brigades(grand, side)[number], *([gun(grand, side)] if number == 0 else [])}
        for side in ("crown", "rebel")
        for number in (0, 1)
    ]
    chosen = set(propose_sector(grand))
    assert sum(brigade <= chosen for brigade in whole) == 2 and chosen <= set().union(*whole)
    assert all(brigade <= chosen or not brigade & chosen for brigade in whole)
    for cut in (gun(grand, "crown"), brigades(grand, "crown")[0][1]):
        with pytest.raises(RuleViolation, match="stand as one brigade under the rules") as refused:
            verify_sector(grand, (whole[0] | whole[2]) - {cut})
        assert refused.value.rule_id == "HR-TAB-14" and refused.value.field == "units"
    with pytest.raises(RuleViolation, match="would have 2 brigades on the table, and 1 fit it"):
        verify_sector(grand, whole[0] | whole[1] | whole[2])
    verify_sector(grand, whole[0] | whole[2])


def test_a_table_is_as_broad_as_its_brigades_need_hr_tab_12(grand):
    """Twelve times the foot are two brigades a side still, and far more units."""
    units = grand.inputs["file"]["units"]
    foot = [unit for unit in units if unit["gun_class"] == "none"]
    more = [{**unit, "id": f"{unit['id']}_{k}"} for unit in foot for k in range(12)]
    grand.inputs["file"]["units"] = more
    for leader in grand.inputs["file"]["leaders"]:
        leader["commands"] = [f"{key}_{k}" for key in leader["commands"] for k in range(12)]
    grand.save()
    drawing = DrawGround(1, "summer", False, 0, 73, 48)
    _verify_drawing(grand, drawing)
    Battle.objects.update(ruleset="awi")
    grand.refresh_from_db()
    with pytest.raises(RuleViolation, match="so many inches broad"):
        _verify_drawing(grand, drawing)


def test_rules_that_would_cut_a_brigade_of_a_split_fight_are_not_chosen_hr_tab_11(grand, carleton):
    Battle.objects.update(ruleset="vb_wing")
    grand.refresh_from_db()
    away = brigades(grand, "crown")[0][0]
    here = [unit["id"] for unit in grand.inputs["file"]["units"] if unit["id"] != away]
    battle_split(battle=grand, units=here, actor=carleton)
    choice = {"battle": grand, "way": "table", "ruleset": "vb_rtg", "reason": "Larger.", "actor": carleton}
    with pytest.raises(RuleViolation, match=r"stand as one brigade .* Make it whole again") as refused:
        battle_way_choose(**choice)
    assert refused.value.field == "ruleset"
    grand.refresh_from_db()
    assert grand.ruleset == "vb_wing" and len(grand.sector) == 13
    battle_split(battle=grand, units=(), actor=carleton)
    assert battle_way_choose(**choice).ruleset == "vb_rtg"


# --- the way it is settled ---


def test_the_muster_in_the_api_says_with_whom_guns_go_hr_bat_13(grand, desk):
    muster = desk.get(f"/api/v1{PAGE}{grand.pk}/way/").json()["muster"]
    along = {one["unit"]: one["goes_with"] for one in muster}
    assert along == {
        **{rows[0]: "" for side in ("crown", "rebel") for rows in brigades(grand, side)},
        **{gun(grand, side): brigades(grand, side)[0][0] for side in ("crown", "rebel")},
    }


@pytest.mark.parametrize("page", [PAGE, f"/api/v1{PAGE}"])
def test_the_way_of_a_battle_musters_its_file_once_hr_bat_13(grand, desk, monkeypatch, page):
    rules, mustered = registry.get_rules("vb_rtg"), []

    def counted(battle):
        mustered.append(battle)
        return rules.muster(battle)

    monkeypatch.setattr(registry, "get_rules", lambda ruleset: replace(rules, muster=counted))
    assert desk.get(f"{page}{grand.pk}/way/").status_code == 200
    assert len(mustered) == 1
