"""How a running campaign is played, changed by its umpire with a reason (HR-UMP-17, HR-UMP-18)."""

import pytest
from django.urls import reverse

from battles.rulesets.registry import RULESETS
from campaign.ledger.world_rows import world_load
from campaign.models import JournalEntry, Seat
from campaign.rules.world.options import LEVELLED, list_options
from campaign.services.seats.changes import seat_open
from campaign.services.turns.rewind import campaign_rewind
from campaign.web.setup.option_forms import AT_THE_HEAD
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db

WHY = "Our evenings are short."


@pytest.fixture
def page(saratoga) -> str:
    return reverse("campaign-settings", args=[saratoga.slug])


def sent(client, page, kind, **given):
    """What the page offers, sent back with something changed."""
    asked = client.get(page).context
    form = asked[f"{kind}_form"]
    data = {field.html_name: "" if field.value() is None else field.value() for field in form}
    data |= {f"{kind}-{name}": value for name, value in given.items()}
    return client.post(page, {**data, "kind": kind, "head": asked["campaign"].head_id})


def test_hr_ump_17_rules_are_changed_and_both_sides_read_it(saratoga, desk, crown, page):
    start = saratoga.head
    answer = sent(desk, page, "rules", road_miles="16", supply="food", level="open", opened="on", reason=WHY)
    assert answer.status_code == 302
    saratoga.refresh_from_db()
    settings = world_load(saratoga).settings
    assert (settings.road_miles, settings.supply, settings.fog) == (16, "food", "off")
    assert saratoga.head.parent == start and saratoga.head.reason == WHY
    told = crown.get(f"{saratoga.get_absolute_url()}?sheet=journal").content.decode()
    assert "16 miles a day instead of 12" in told and WHY.rstrip(".") in told
    shown = desk.get(page).context["rules_form"]
    assert {"road_miles", "supply"} <= {row.option.name for group in shown.groups for row in group.differing}
    sent(desk, page, "conduct", table_units=14, reason=WHY)
    acts = desk.get(reverse("week-desk", args=[saratoga.slug])).content.decode()
    assert "By road 16 miles a day" in acts
    campaign_rewind(campaign=saratoga, record=start, reason=WHY, actor=None)
    saratoga.refresh_from_db()
    assert world_load(saratoga).settings.road_miles == 12


def test_every_option_is_shown_and_what_is_settled_cannot_be_asked_for(desk, page):
    form = desk.get(page).context["rules_form"]
    rows = {row.option.name: row for group in form.groups for row in group.rows}
    assert set(rows) | set(AT_THE_HEAD) == set(list_options())
    fixed = {name for name, option in list_options().items() if option.fixed}
    assert {name for name, row in rows.items() if row.field is None} == fixed - set(LEVELLED) | {
        "troop_quality"
    }
    assert [level.id for level, _ in form.level_rows] == ["club", "open"]
    assert "cannot change any more" in desk.get(page).content.decode()


def test_a_number_says_from_where_to_where_it_goes(desk, page):
    told = desk.get(page).content.decode()
    for name, option in list_options().items():
        if not option.choices and not option.fixed:
            assert f'id="id_rules-{name}_helptext">{option.reach}<' in told, name
    assert "miles a day, 1 to 300<" in told


def test_every_ruleset_says_what_it_is_like_at_the_table(desk, page):
    told = desk.get(page).content.decode()
    assert [one.id for one in RULESETS if one.about not in told] == []


def test_hr_fog_06_the_map_is_opened_by_who_says_so_twice(saratoga, desk, page):
    refused = sent(desk, page, "rules", level="open", reason=WHY)
    text = refused.content.decode()
    assert refused.status_code == 422 and "Everybody would read what has been hidden so far" in text
    assert 'name="rules-opened"' in text and world_load(saratoga).settings.fog == "full"
    assert sent(desk, page, "rules", road_miles="13", reason=WHY).status_code == 302, "nothing is opened"
    assert sent(desk, page, "rules", level="open", opened="on", reason=WHY).status_code == 302
    saratoga.refresh_from_db()
    assert (
        world_load(saratoga).settings.fog == "off" and "rules-opened" not in desk.get(page).content.decode()
    )


def test_pages_and_journal_say_alike_from_when_a_change_holds(saratoga, desk, page, crown):
    answer = sent(desk, page, "rules", road_miles="13", reason=WHY)
    for text in (desk.get(answer.headers["Location"]).content.decode(), desk.get(page).content.decode()):
        assert "from now on" in text and "coming morning" not in text
    told = crown.get(f"{saratoga.get_absolute_url()}?sheet=journal").content.decode()
    assert "From now on other rules hold" in told


def test_what_is_settled_stays_whatever_is_sent(saratoga, desk, page):
    sent(desk, page, "rules", boats="counted", road_miles="13", reason=WHY)
    saratoga.refresh_from_db()
    settings = world_load(saratoga).settings
    assert (settings.boats, settings.road_miles) == ("unlimited", 13)
    assert sent(desk, page, "rules", level="full", reason=WHY).status_code == 422


@pytest.mark.parametrize(
    ("kind", "given", "sentence"),
    [
        ("rules", {"reason": WHY}, "Nothing is changed"),
        ("rules", {"road_miles": "14"}, "Say why"),
        ("rules", {"road_miles": "0", "reason": WHY}, "It is 1 to 300"),
        ("conduct", {"reason": WHY}, "Nothing is changed"),
        ("conduct", {"table_units": "1", "reason": WHY}, "whole number"),
        ("conduct", {"title": "", "reason": WHY}, "empty"),
        ("conduct", {"battle_policy": "table"}, "Say why"),
        ("spectators", {"days": "999", "reason": WHY}, "120"),
        ("spectators", {"days": "3"}, "Say why"),
        ("spectators", {"days": "7", "reason": WHY}, "Nothing is changed"),
    ],
)
def test_bad_input_is_told_and_nothing_is_changed(saratoga, desk, page, kind, given, sentence):
    answer = sent(desk, page, kind, **given)
    assert answer.status_code == 422 and sentence in answer.content.decode()
    head = saratoga.head_id
    saratoga.refresh_from_db()
    assert (saratoga.head_id, saratoga.title, saratoga.spectator_days) == (head, "Saratoga 1777", 7)


def test_hr_ump_18_name_and_battles_are_changed(saratoga, desk, page):
    answer = sent(
        desk, page, "conduct", title="The summer", battle_policy="table", table_units=14, reason=WHY
    )
    assert answer.status_code == 302
    saratoga.refresh_from_db()
    assert (saratoga.title, saratoga.battle_policy, saratoga.table_units) == ("The summer", "table", 14)
    told = JournalEntry.objects.get(campaign=saratoga, kind="conduct_changed")
    assert told.sides == "|crown|rebel|"


def test_options_of_the_rules_are_set_with_a_reason_and_told_hr_ump_18(saratoga, desk, crown, page):
    told = desk.get(page).content.decode()
    assert told.count("Options of these rules") == len(RULESETS)
    assert "none (our reading)" in told and ">AWI-T-CHG-09</a>" in told
    assert "awi-rain_on_muskets" not in told and "vb_wing-year" not in told, "facts of the day"
    given = {"awi-evade": "open_order_foot_and_cavalry", "vb_wing-save_succeeds_on": "5"}
    assert sent(desk, page, "conduct", **given, reason=WHY).status_code == 302
    saratoga.refresh_from_db()
    kept = {"awi": {"evade": "open_order_foot_and_cavalry"}}
    assert saratoga.ruleset_options == kept, "of the rules that are chosen alone"
    journal = crown.get(f"{saratoga.get_absolute_url()}?sheet=journal").content.decode()
    assert "Evade open order foot and cavalry instead of none" in journal
    form = desk.get(page).context["conduct_form"]
    assert form["awi-evade"].value() == "open_order_foot_and_cavalry"
    assert [(key, fold.differing) for _, key, fold in form.ruleset_rows if fold.differing] == [
        (RULESETS[0].about, 1)
    ]
    other = {"ruleset": "vb_wing", "vb_wing-save_succeeds_on": "5", "awi-evade": "none"}
    assert sent(desk, page, "conduct", **other, reason=WHY).status_code == 302
    saratoga.refresh_from_db()
    assert saratoga.ruleset_options == {**kept, "vb_wing": {"save_succeeds_on": 5}}


def test_an_option_there_is_not_is_told_beside_its_field(saratoga, desk, page):
    answer = sent(desk, page, "conduct", **{"awi-evade": "always"}, reason=WHY)
    form = answer.context["conduct_form"]
    assert answer.status_code == 422
    assert "Evade cannot be “always”; choose one of" in str(form.errors["awi-evade"])
    assert [about for _, about, fold in form.ruleset_rows if fold.open] == [RULESETS[0].about]
    elsewhere = sent(desk, page, "conduct", **{"vb_wing-cards": "maybe"}, title="The war", reason=WHY)
    assert elsewhere.status_code == 302, "what is not shown does not count"
    saratoga.refresh_from_db()
    assert (saratoga.ruleset_options, saratoga.title) == ({}, "The war")


def test_a_page_without_options_leaves_them_as_they_are(saratoga, desk, page):
    sent(desk, page, "conduct", **{"awi-evade": "open_order_foot_and_cavalry"}, reason=WHY)
    saratoga.refresh_from_db()
    bare = {
        "conduct-title": "The war", "conduct-battle_policy": "ask", "conduct-table_units": 20,
        "conduct-ruleset": "awi", "conduct-reason": WHY, "kind": "conduct", "head": saratoga.head_id,
    }  # fmt: skip
    assert desk.post(page, bare).status_code == 302
    saratoga.refresh_from_db()
    assert saratoga.title == "The war" and "evade" in saratoga.ruleset_options["awi"]


def test_pressed_twice_it_is_one_act_and_an_old_page_none(saratoga, desk, page):
    asked = desk.get(page).context
    data = {field.html_name: field.value() for field in asked["conduct_form"]}
    data |= {"conduct-table_units": 14, "conduct-reason": WHY, "kind": "conduct", "head": saratoga.head_id}
    assert [desk.post(page, data).status_code for _ in range(2)] == [302, 302]
    assert JournalEntry.objects.filter(campaign=saratoga, kind="conduct_changed").count() == 1
    answer = desk.post(page, data | {"conduct-table_units": 18})
    assert answer.status_code == 422 and "gone on since" in answer.content.decode()


def test_spectators_are_set_by_the_umpire_alone(saratoga, desk, page, carleton, django_user_model):
    assert sent(desk, page, "spectators", days="3", side="rebel", reason=WHY).status_code == 302
    saratoga.refresh_from_db()
    assert (saratoga.spectator_days, saratoga.spectator_side) == (3, "rebel")
    second = django_user_model.objects.create_user("tryon")
    seat_open(campaign=saratoga, role=Seat.Role.ASSISTANT, user=second, actor=carleton)
    assistant = signed_in(second)
    assert "spectators_form" not in assistant.get(page).context
    assert assistant.post(page, {"kind": "spectators", "spectators-days": "1"}).status_code == 404
    assert sent(assistant, page, "conduct", table_units=15, reason=WHY).status_code == 302


def test_nobody_but_the_umpire_opens_it(page, crown, rebel, stranger, client):
    for reader in (crown, rebel, stranger):
        assert reader.get(page).status_code == 404
        assert reader.post(page, {"kind": "conduct"}).status_code == 404
    assert client.get(page).status_code == 302


def test_the_day_leads_to_it(saratoga, desk, page):
    assert page in desk.get(f"{saratoga.get_absolute_url()}?sheet=day").content.decode()
