"""The umpire's page of a battle that waits (HR-TAB-11 to 14): what he chooses, adjusts and splits there."""

import html
import re

import pytest

from battles.rulesets import registry
from battles.rulesets.registry import RULESETS
from campaign.models import Battle, Campaign, Job
from campaign.services.battles.settlement import battle_settle_ask, battle_settle_by_engine

pytestmark = pytest.mark.django_db
WHY = "Everybody knows the creek."


@pytest.fixture
def battle(waiting) -> Battle:
    return Battle.objects.select_related("campaign").get(campaign=waiting)


@pytest.fixture
def page(battle) -> str:
    return f"/campaigns/saratoga/battles/{battle.pk}/way/"


def text(response) -> str:
    return html.unescape(response.content.decode())


def post(client, page: str, **fields):
    return client.post(page, {name.replace("__", "-"): value for name, value in fields.items()})


GROUND = {
    "act": "ground", "ground__draw": 2, "ground__season": "winter", "ground__works": -1,
    "ground__width": 96, "ground__depth": 60, "ground__reason": WHY,
}  # fmt: skip


def test_only_the_umpire_has_it_hr_tab_11(crown, rebel, stranger, client, page):
    for browser in (crown, rebel, stranger):
        assert browser.get(page).status_code == 404
        assert browser.post(page, {"act": "way", "way-way": "table"}).status_code == 404
    assert client.get(page).status_code == 302
    assert Battle.objects.get().way == ""


def test_odds_come_first_and_lead_back_here(desk, page, battle):
    told = text(desk.get(page))
    assert told.index("What may come of it") < told.index("How it is settled</h2>") < told.index("Adjust it")
    sent = desk.post(f"/campaigns/saratoga/battles/{battle.pk}/odds/", {"page": "way"})
    assert sent.url == page


def test_the_options_it_is_fought_with_are_listed_hr_bat_13(desk, page, waiting):
    waiting.ruleset_options = {"vb_wing": {"save_succeeds_on": 5}}
    waiting.save()
    shown = desk.get(page).context["options"]
    assert [one.short for one in shown if one.otherwise] == []
    assert "Options it is fought with" in text(desk.get(page))
    post(desk, page, act="way", way__way="engine", way__ruleset="vb_wing", way__reason="")
    shown = desk.get(page).context["options"]
    assert [one.short for one in shown if one.otherwise] == ["Save succeeds on: 5"]
    assert '1777 <span class="soft">(of its day)' in text(desk.get(page))


def test_the_way_is_chosen_and_told_on_the_days_sheet(desk, crown, page, battle):
    sent = post(desk, page, act="way", way__way="table", way__ruleset="awi", way__reason="")
    assert (sent.status_code, sent.url) == (302, page)
    assert Battle.objects.get().way == "table"
    assert "for the table" in text(desk.get("/campaigns/saratoga/?sheet=day"))
    assert "for the table" in text(crown.get("/campaigns/saratoga/?sheet=battles"))
    refused = post(desk, page, act="way", way__way="word", way__ruleset="awi", way__reason="")
    assert refused.status_code == 422 and "say why. (HR-TAB-11)" in text(refused)


def test_each_ruleset_is_chosen_by_what_it_is_like_at_the_table_hr_tab_11(desk, page):
    told = text(desk.get(page))
    assert [one.id for one in RULESETS if one.about not in told] == []
    assert told.count('name="way-ruleset"') == len(RULESETS)
    refused = post(desk, page, act="way", way__way="table", way__ruleset="chess", way__reason="")
    assert refused.status_code == 422 and "Choose one of the list." in text(refused)


def test_other_rules_show_their_muster_and_no_rain_hr_bat_13_hr_wea_04(desk, page, battle):
    told = text(desk.get(page))
    assert "How the units stand" not in told and "The weather on the field" in told
    assert "turns of ten minutes at most." in told
    sent = post(desk, page, act="way", way__way="table", way__ruleset="vb_wing", way__reason="")
    assert (sent.status_code, sent.url) == (302, page)
    told = text(desk.get(page))
    assert "How the units stand under these rules" in told and "The rules chosen have none for rain" in told
    assert "turns of ten minutes at most," in told and "of 15 under these rules." in told
    assert all(unit["name"] in told for unit in battle.inputs["file"]["units"])
    part = told.partition('<details class="muster">')[2].partition("</details>")[0]
    assert 'scope="col">Brigade of<' in part and "morale 5" in part and "right stand 3" in part
    leaders = [one["name"] for one in battle.inputs["file"]["leaders"] if one["rank"] == "brigadier"]
    assert any(f"<td>{name}</td>" in part for name in leaders) and not re.search(r"<td[^>]*>none</td>", part)
    stale = post(desk, page, act="rain", rain__rain="storm", rain__reason=WHY, number=1)
    assert stale.status_code == 422 and "has no rule for rain" in text(stale)
    assert Battle.objects.get().adjusted == []
    entering = text(desk.get(f"/campaigns/saratoga/battles/{battle.pk}/result/"))
    assert "count as the rules of this table do" in entering


def test_of_a_fight_that_is_split_the_muster_is_of_the_table_hr_bat_13_hr_tab_14(desk, page, battle):
    units = battle.inputs["file"]["units"]
    sector = [next(unit for unit in units if unit["side"] == side) for side in ("crown", "rebel")]
    battle.ruleset, battle.way, battle.sector = "vb_wing", "table", [unit["id"] for unit in sector]
    battle.save()
    part = text(desk.get(page)).partition('<details class="muster">')[2].partition("</details>")[0]
    assert [unit["name"] for unit in units if f'<th scope="row">{unit["name"]} <' in part] == [
        unit["name"] for unit in units if unit in sector
    ]


def test_ground_is_looked_at_before_it_is_taken_hr_tab_12(desk, page):
    looked = post(desk, page, **GROUND, look="yes")
    assert looked.status_code == 200 and "As it would be." in text(looked)
    assert Battle.objects.get().adjusted == []
    assert post(desk, page, **GROUND, number=1).status_code == 302
    told = text(desk.get(page))
    assert "The ground: drawing 2, winter, a table of 96 by 60 inches." in told and WHY in told
    post(desk, page, act="back", number=1, reason="No.")
    assert "Taken back: No." in text(desk.get(page))


def test_late_troops_rain_and_plans_hr_tab_12(desk, crown, rebel, page, battle):
    late = next(unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown")
    turns = {f"arrivals-{unit['id']}": unit["arrives"] for unit in battle.inputs["file"]["units"]}
    fields = {**turns, f"arrivals-{late}": 5, "act": "arrivals", "arrivals-reason": WHY, "number": 1}
    assert desk.post(page, fields).status_code == 302
    assert post(desk, page, act="rain", rain__rain="storm", rain__reason=WHY, number=2).status_code == 302
    plan = {"kind": "withdraw", "flank": "left", "reserve": 0, "boldness": 0, "until": "", "then": "withdraw"}
    fields = {f"plan-crown-{name}": value for name, value in plan.items()}
    sent = desk.post(page, {**fields, "act": "plan-crown", "plan-crown-reason": WHY, "number": 3})
    assert sent.status_code == 302
    assert [one["what"] for one in Battle.objects.get().adjusted] == ["arrivals", "rain", "plan"]
    battle_page = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert "turn 5" in text(crown.get(battle_page)) and "The umpire has laid it down." in text(
        crown.get(battle_page)
    )
    assert "turn 5" not in text(rebel.get(battle_page))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({**GROUND, "ground__width": 10}, "inches broad: 72 to 240, not 10. (HR-TAB-12)"),
        ({**GROUND, "ground__draw": "x"}, "enter a whole number."),
        ({**GROUND, "ground__reason": ""}, "Say why"),
        ({"act": "rain", "rain__rain": "hail", "rain__reason": WHY}, "Choose one of the list."),
        ({"act": "rain", "rain__rain": "none", "rain__reason": WHY}, "how wet it is already"),
        ({"act": "back", "number": 7, "reason": WHY}, "no such adjustment"),
    ],
)
def test_bad_input_is_told_at_its_field_and_writes_nothing(desk, page, fields, sentence):
    refused = post(desk, page, **fields)
    assert refused.status_code == 422 and sentence in text(refused)
    assert Battle.objects.get().adjusted == []


def test_no_such_form_is_no_page(desk, page):
    assert post(desk, page, act="bribe").status_code == 404


def test_a_battle_too_big_for_the_table_is_split_here_hr_tab_14(desk, page, battle):
    Campaign.objects.update(table_units=3)
    post(desk, page, act="way", way__way="table", way__ruleset="awi", way__reason="")
    told = text(desk.get(page))
    assert "3 units a side fit the table." in told
    units = battle.inputs["file"]["units"]
    picked = [unit["id"] for side in ("crown", "rebel") for unit in units if unit["side"] == side][:1]
    refused = desk.post(page, {"act": "split", "sector-units": picked})
    assert refused.status_code == 422 and "needs a unit on the table. (HR-TAB-14)" in text(refused)
    rebel = next(unit["id"] for unit in units if unit["side"] == "rebel")
    assert desk.post(page, {"act": "split", "sector-units": [*picked, rebel]}).status_code == 302
    assert set(Battle.objects.get().sector) == {picked[0], rebel}
    told = text(desk.get(page))
    assert "both parts are fought as they stood then" in told and "The engine fights the rest" in told
    assert desk.post(page, {"act": "whole"}).status_code == 302
    assert Battle.objects.get().sector == []


def test_units_left_beside_the_table_against_nobody_are_warned_of_hr_tab_15(desk, page, battle):
    Campaign.objects.update(table_units=5)
    post(desk, page, act="way", way__way="table", way__ruleset="awi", way__reason="")
    units = battle.inputs["file"]["units"]
    crown, rebel = ([one["id"] for one in units if one["side"] == side] for side in ("crown", "rebel"))
    assert len(crown) > 2 and 1 < len(rebel) <= 5
    sent = desk.post(page, {"act": "split", "sector-units": [crown[0], *rebel]}, follow=True)
    warning = f"Beside the table: {len(crown) - 1} units of Crown and nobody of United States."
    told = re.sub(r"<[^>]+>", "", text(sent))
    assert told.count(warning) == 2, "as it is done, and as long as it stands so"
    sent = desk.post(page, {"act": "split", "sector-units": [crown[0], rebel[0]]}, follow=True)
    assert "nobody of" not in text(sent)


@pytest.mark.parametrize(
    ("way", "ruleset", "said"),
    [
        ("table", "vb_wing", "It is for the table, by Volley & Bayonet in the Americas, wing scale."),
        ("engine", "awi", "It is for the engine, by "),
        ("word", "vb_wing", "It is for the umpire's word."),
    ],
)
def test_what_was_chosen_is_said_with_its_rules_hr_tab_11(desk, crown, page, battle, way, ruleset, said):
    sent = post(desk, page, act="way", way__way=way, way__ruleset=ruleset, way__reason="")
    assert said in text(desk.get(sent.url))
    assert said in text(crown.get(f"/campaigns/saratoga/battles/{battle.pk}/"))


def test_the_page_of_a_battle_says_whose_sp_it_tells_hr_bat_13(desk, crown, page, battle):
    shown = f"/campaigns/saratoga/battles/{battle.pk}/"
    assert "SP here are the campaign" not in text(crown.get(shown))
    post(desk, page, act="way", way__way="table", way__ruleset="vb_wing", way__reason="")
    assert "SP here are the campaign" in text(crown.get(shown))


def test_set_to_the_engine_it_waits_and_settled_it_leads_to_the_battle(desk, page, battle, carleton):
    battle_settle_ask(battle=battle, actor=carleton)
    told = text(desk.get(page))
    assert "The engine fights what stood when it was set to the battle." in told
    assert "So it shall be settled" not in told
    Job.objects.all().delete()
    battle_settle_by_engine(battle=battle, actor=carleton)
    assert desk.get(page).url == f"/campaigns/saratoga/battles/{battle.pk}/"


def test_the_sides_read_of_it_what_they_can_see_hr_tab_12(desk, crown, rebel, page, battle):
    post(desk, page, act="rain", rain__rain="rain", rain__reason=WHY, number=1)
    units = battle.inputs["file"]["units"]
    turns = {f"arrivals-{unit['id']}": unit["arrives"] for unit in units}
    late = next(unit for unit in units if unit["side"] == "crown")
    desk.post(page, {**turns, f"arrivals-{late['id']}": 5, "act": "arrivals", "arrivals-reason": WHY})
    post(desk, page, act="way", way__way="table", way__ruleset="awi", way__reason="")
    battle_page = f"/campaigns/saratoga/battles/{battle.pk}/"
    own, other = text(crown.get(battle_page)), text(rebel.get(battle_page))
    told = f"It is for the table, by {registry.get_ruleset('awi').title}."
    assert told in own and told in other
    assert "The weather on the field: rain" in own and "The weather on the field: rain" in other
    assert f"{late['name']} in turn 5." in own and "in turn 5." not in other
    assert WHY not in own and WHY not in other


def test_the_page_asks_few_queries(desk, page, django_assert_max_num_queries):
    desk.get(page)
    with django_assert_max_num_queries(15):
        assert desk.get(page).status_code == 200
