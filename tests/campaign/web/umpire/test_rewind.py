"""The umpire's hand on the week's desk: acts, the day tried out, real dice, the way back (HR-UMP)."""

import re

import pytest

from campaign.api.umpire.turns import KINDS
from campaign.fog.visibility import viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord, JournalEntry
from campaign.rules.army.organisation import Detach
from campaign.rules.umpire.corrections import RULE_CORRECTIONS, CancelOrder, CommandFormation
from campaign.rules.umpire.settings import ChangeRules, SettingChange
from campaign.rules.world.world import Order
from campaign.selectors.press.journal import journal_page
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit
from campaign.services.turns.days import day_advance
from campaign.services.umpire.corrections import act_perform
from campaign.tasks import run_job
from campaign.text.event_facts import EventFacts
from campaign.text.events.umpire import describe_correction_event
from campaign.text.place_names import names_of
from campaign.web.umpire.correction_forms import HAND_FORMS
from campaign.web.umpire.desk import APART
from tests.factories.years import NEXT_YEAR

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/saratoga/desk/"
WHY = "A slip at the table."


def feed(campaign: Campaign) -> None:
    """From now on food is played."""
    food = ChangeRules((SettingChange("supply", "off", "food"),))
    act_perform(campaign=campaign, act=food, reason="They eat.", actor=None)
    campaign.refresh_from_db()


def post(desk, campaign: Campaign, kind: str, **fields: object):
    campaign.refresh_from_db()
    data = {f"{kind}-{name}": value for name, value in fields.items()}
    return desk.post(PAGE, {"kind": kind, "head": campaign.head_id, **data, f"{kind}-reason": WHY})


@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        ("place", {"formation": "army_train", "position": "isle_aux_noix"}, "placed"),
        ("reinforce", {"unit": "9th_foot", "points": -10, "pool": ""}, "points_changed"),
        ("pool", {"pool": "german/line", "points": 30}, "points_changed"),
        ("general", {"general": "fraser", "state": "wounded", "weeks": 2, "formation": ""}, "general_set"),
        ("holder", {"place": "hubbardton", "side": "crown"}, "holder_set"),
        ("rename", {"id": "formation/advanced_corps", "name": "Fraser's Corps"}, "renamed"),
        (
            "order",
            {"formation": "advanced_corps", "via": "valcour_island", "pace": "normal", "stance": "avoid"},
            "order_changed",
        ),
        ("weather", {"day": 0, "weather": "storm"}, "weather_decided"),
        ("rumour", {"side": "rebel", "text": "Howe sails for the Delaware."}, "rumour"),
        ("pause", {"on": "True"}, "campaign_paused"),
        ("deadline", {"until": f"{NEXT_YEAR}-12-24T20:00"}, "deadline_moved"),
        ("die", {"rule": "HR-WEA-02", "subject": "theatre", "index": 0, "sides": 6, "value": 3},
         "die_entered"),
        (
            "add",
            {
                "name": "New levies", "side": "rebel", "nation": "american_militia", "troop_type": "militia",
                "gun_class": "", "points": 40, "formation": "poors_brigade", "place": "", "pool": "",
            },
            "unit_added",
        ),
    ],
)  # fmt: skip
def test_an_act_is_done_and_journaled_with_its_reason_hr_ump_01(desk, saratoga, kind, fields, told):
    if kind == "reinforce":
        fields = {
            **fields,
            "unit": next(key for key, unit in world_load(saratoga).units.items() if unit.points > 50),
        }
    assert post(desk, saratoga, kind, **fields).status_code == 302
    record = DayRecord.objects.get(campaign=saratoga, kind="act")
    assert record.reason == WHY
    assert told in JournalEntry.objects.filter(record=record).values_list("kind", flat=True)
    assert desk.get(PAGE).status_code == 200


def test_what_a_pool_was_given_is_told_at_once_and_in_the_journal_hr_ump_19(desk, saratoga, carleton):
    asked = desk.get(PAGE, {"act": "pool"}, headers={"HX-Target": "acts"}).content.decode()
    assert 'value="german/line"' in asked and 'value="native/' not in asked  # warriors raise no units
    post(desk, saratoga, "pool", pool="german/line", points=30)
    said = " ".join(str(each) for each in desk.get(PAGE).context["messages"])
    assert f"the umpire changes a pool's points: {WHY[:-1]} (German line pool, +30 points)." in said
    world = world_load(saratoga)
    page = journal_page(viewer_of(carleton, saratoga), world, names_of(world))
    told = [line.text for day in page.days for line in day.lines]
    assert any("changes the points of the German line pool" in text for text in told)


def test_generals_are_found_by_surname_hr_ump_20(desk):
    asked = desk.get(PAGE, {"act": "general"}, headers={"HX-Target": "acts"}).content.decode()
    first = [asked.index(f'value="{key}"') for key in ("acland", "baum", "burgoyne", "fraser", "phillips")]
    assert first == sorted(first)


def test_every_act_has_a_form_hr_ump_01(desk, saratoga, burgoyne):
    order = Order("advanced_corps", ("valcour_island",))
    order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
    feed(saratoga)
    page = desk.get(PAGE).content.decode()
    for kind in HAND_FORMS:
        assert (f'href="?act={kind}#acts"' in page) is (kind not in APART)
        opened = desk.get(PAGE, {"act": kind}, headers={"HX-Target": "acts"}).content.decode()
        assert f'id="form-{kind}"' in opened and f'name="{kind}-reason"' in opened
        assert "<html" not in opened


@pytest.mark.parametrize("kind", RULE_CORRECTIONS)
def test_every_correction_is_offered_by_page_and_program_in_its_own_words_hr_ump_01(kind):
    assert kind in HAND_FORMS and kind in KINDS
    said = describe_correction_event(EventFacts(act=kind, reason=WHY))
    assert said.startswith("the umpire ") and not said.startswith("the umpire acts")


def test_an_order_is_cancelled_or_its_paper_struck_hr_ump_08(desk, saratoga, burgoyne):
    order = Order("advanced_corps", ("valcour_island",))
    for kind, fields, act in (
        ("strike", {"subject": "activity/crown/advanced_corps"}, CancelOrder),
        ("command", {"formation": "advanced_corps"}, CommandFormation),
    ):
        order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
        assert post(desk, saratoga, kind, **fields).status_code == 302, act
    assert DayRecord.objects.filter(campaign=saratoga, kind="act").count() == 2


def test_rations_are_changed_where_food_is_played_hr_ump_22(desk, saratoga):
    assert "There is nothing to choose from" in desk.get(PAGE, {"act": "food"}).content.decode()
    feed(saratoga)
    assert post(desk, saratoga, "food", id="formation/advanced_corps", rations=500).status_code == 302
    assert world_load(Campaign.objects.get(pk=saratoga.pk)).formations["advanced_corps"].rations == 500
    again = post(desk, saratoga, "food", id="formation/advanced_corps", rations=500)
    assert again.status_code == 422 and "There are 500 rations already" in again.content.decode()


@pytest.mark.parametrize(
    ("chosen", "formation"),
    [
        ({"state": "wounded", "weeks": 2, "formation": ""}, "advanced_corps"),
        ({"state": "well", "formation": "-"}, ""),
        ({"state": "dead", "formation": ""}, ""),
    ],
)
def test_a_general_stays_with_his_formation_or_leaves_it_hr_ump_20(desk, saratoga, chosen, formation):
    assert post(desk, saratoga, "general", general="fraser", **chosen).status_code == 302
    fraser = world_load(Campaign.objects.get(pk=saratoga.pk)).generals["fraser"]
    assert (fraser.state, fraser.formation) == (chosen["state"], formation)


def test_units_are_split_off_hr_ump_04(desk, saratoga):
    world = world_load(saratoga)
    unit = next(key for key, each in world.units.items() if each.formation == "advanced_corps")
    assert (
        post(desk, saratoga, "split", formation="advanced_corps", units=unit, name="Scouts").status_code
        == 302
    )
    assert world_load(Campaign.objects.get(pk=saratoga.pk)).units[unit].formation == "advanced_corps-d1"


def test_a_split_leaves_a_players_detachment_its_number_hr_org_02(desk, saratoga, burgoyne):
    world = world_load(saratoga)
    first, second = [k for k, unit in world.units.items() if unit.formation == "advanced_corps"][:2]
    detach = Detach("advanced_corps", (first,), "advanced_corps-d1", "Marksmen")
    organisation_submit(campaign=saratoga, side="crown", acts=[detach], actor=burgoyne)
    post(desk, saratoga, "split", formation="advanced_corps", units=second, name="Scouts")
    day_advance(campaign=saratoga, actor=None)
    after = world_load(Campaign.objects.get(pk=saratoga.pk))
    names = {key: after.formations[after.units[key].formation].name for key in (first, second)}
    assert names == {first: "Marksmen", second: "Scouts"}


def test_a_refusal_stands_beside_its_field_and_writes_nothing_hr_ump_01(desk, saratoga):
    answer = post(desk, saratoga, "rename", id="formation/advanced_corps", name="Advanced Corps")
    no_reason = desk.post(PAGE, {"kind": "pause", "head": saratoga.head_id, "pause-reason": " "})
    for page, sentence in ((answer, "It is called"), (no_reason, "Say why")):
        assert page.status_code == 422
        assert sentence in page.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_die_no_day_asks_for_is_refused_beside_its_field_hr_ump_12(desk, saratoga):
    answer = post(desk, saratoga, "die", rule="HR-WEA-02", subject="lake", index=0, sides=6, value=3)
    form = answer.context["form"]
    assert answer.status_code == 422
    assert "write it as theatre" in form.errors["subject"][0]


def test_the_same_click_twice_is_one_act(desk, saratoga):
    data = {"kind": "pause", "head": saratoga.head_id, "pause-on": "True", "pause-reason": WHY}
    assert [desk.post(PAGE, data).status_code for _ in range(2)] == [302, 302]
    assert DayRecord.objects.filter(kind="act").count() == 1


@pytest.mark.parametrize("kind", ["add", "split", "strike", "command", "rename"])
def test_a_form_pressed_twice_is_one_act_and_said_to_be_done(desk, saratoga, burgoyne, kind):
    """What the first click has used up, an id or a paper, the second finds again."""
    unit = next(key for key, each in world_load(saratoga).units.items() if each.formation == "advanced_corps")
    order = Order("advanced_corps", ("valcour_island",))
    order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
    fields = {
        "add": {
            "name": "New levies", "side": "rebel", "nation": "american_militia", "troop_type": "militia",
            "gun_class": "", "points": 40, "formation": "poors_brigade", "place": "", "pool": "",
        },
        "split": {"formation": "advanced_corps", "units": unit, "name": "Scouts"},
        "strike": {"subject": "activity/crown/advanced_corps"},
        "command": {"formation": "advanced_corps"},
        "rename": {"id": "formation/advanced_corps", "name": "Fraser's Corps"},
    }[kind]  # fmt: skip
    data = {f"{kind}-{name}": value for name, value in fields.items()}
    sent = {"kind": kind, "head": saratoga.head_id, **data, f"{kind}-reason": WHY}
    pages = [desk.post(PAGE, sent, follow=True) for _ in range(2)]
    for page in pages:
        (said,) = re.findall(
            r"It is done, and stands in the journal: the umpire (.*?)</p>", page.content.decode()
        )
        assert f": {WHY[:-1]} (" in said and "umpire column" not in said  # no key of ours
    assert DayRecord.objects.filter(kind="act").count() == 1
    other = desk.post(PAGE, {**sent, f"{kind}-reason": "Another."})
    assert other.status_code == 422 and "has gone on since" in other.content.decode()


def test_the_day_is_tried_out_and_its_dice_lead_to_the_form_hr_ump_13(desk, saratoga):
    assert desk.post(f"{PAGE}dry-run/").status_code == 302
    job = saratoga.jobs.get(kind="dry_run")
    run_job(job.pk)
    page = desk.get(PAGE).content.decode()
    assert "elsewhere in the evening" in page
    assert "Try it out with other dice" in page
    prefilled = desk.get(
        PAGE, {"act": "die", "rule": "HR-WEA-02", "subject": "theatre", "index": 0, "sides": 6}
    )
    assert 'value="HR-WEA-02"' in prefilled.content.decode()


def test_back_to_a_morning_by_way_of_what_is_undone_hr_ump_14(desk, saratoga):
    start = saratoga.head
    day_advance(campaign=saratoga, actor=None)
    day_advance(campaign=Campaign.objects.get(pk=saratoga.pk), actor=None)
    saratoga.refresh_from_db()
    address = f"{PAGE}back/{start.pk}/"
    assert address in desk.get(PAGE).content.decode()
    assert "Day 2" in desk.get(address).content.decode()
    refused = desk.post(address, {"head": saratoga.head_id, "reason": ""})
    assert (refused.status_code, "Say why" in refused.content.decode()) == (422, True)
    assert desk.post(address, {"head": saratoga.head_id, "reason": WHY}).status_code == 302
    saratoga.refresh_from_db()
    assert (saratoga.day, saratoga.revision) == (0, 2)
    assert desk.get(f"{PAGE}back/999999/").status_code == 404


def test_back_to_the_morning_of_a_day_with_a_battle_hr_ump_14(desk, saratoga, battle):
    address = f"{PAGE}back/{saratoga.head_id}/"
    assert address in desk.get(PAGE).content.decode()
    assert str(battle) in desk.get(address).content.decode()
    assert desk.post(address, {"head": saratoga.head_id, "reason": WHY}).status_code == 302
    saratoga.refresh_from_db()
    assert (saratoga.day, saratoga.revision) == (0, 2)
    # nothing has begun on the new course: its own morning is no way back
    assert desk.get(f"{PAGE}back/{saratoga.head_id}/").status_code == 404


def test_every_morning_is_offered_hr_ump_14(desk, saratoga, monkeypatch):
    monkeypatch.setattr("campaign.web.umpire.desk.RECENT", 1)
    start = saratoga.head
    for _ in range(2):
        day_advance(campaign=Campaign.objects.get(pk=saratoga.pk), actor=None)
    page = desk.get(PAGE).content.decode()
    assert page.index("Earlier mornings") < page.index(f"{PAGE}back/{start.pk}/")


@pytest.mark.parametrize("who", ["crown", "stranger"])
def test_nobody_else_has_a_hand_in_it(request, saratoga, who):
    client = request.getfixturevalue(who)
    start = saratoga.head_id
    for address in (PAGE, f"{PAGE}back/{start}/"):
        assert client.get(address).status_code == 404
    assert client.post(f"{PAGE}dry-run/").status_code == 404
    assert client.post(PAGE, {"kind": "pause", "pause-reason": WHY}).status_code == 404


def test_the_hand_takes_few_queries(desk, saratoga, django_assert_max_num_queries):
    with django_assert_max_num_queries(15):
        desk.get(PAGE)


def test_the_mornings_name_the_act_and_whom_it_was_about_hr_ump_14(desk, saratoga):
    post(desk, saratoga, "place", formation="army_train", position="isle_aux_noix")
    post(desk, saratoga, "rumour", side="rebel", text="Howe sails.")
    page = desk.get(PAGE).content.decode()
    name = world_load(saratoga).formations["army_train"].name
    assert f"after the umpire puts a formation elsewhere: A slip at the table ({name})" in page
    start = saratoga.records.get(kind="start")
    undone = desk.get(f"{PAGE}back/{start.pk}/").content.decode()
    assert "The umpire spreads a rumour: A slip at the table" in undone


def test_the_mornings_say_of_what_an_act_was_hr_ump_14(desk, saratoga):
    for day, sky in ((0, "rain"), (1, "fog")):
        post(desk, saratoga, "weather", day=day, weather=sky)
    post(desk, saratoga, "rename", id="formation/army_train", name="The Wagons")
    post(desk, saratoga, "rumour", side="rebel", text="Howe sails.")
    post(desk, saratoga, "weather", day=2, weather="fair")  # the head's own morning is not listed
    page = desk.get(PAGE).content.decode()
    for said in ("(day 1: rain)", "(day 2: fog)", "(The Wagons)", "(heard by United States)"):
        assert said in page, said


def test_a_formation_is_not_put_down_among_the_enemy_hr_ump_02(desk, saratoga):
    world = world_load(saratoga)
    held = world.formations["poors_brigade"].position.place
    assert world.holders[held] == "rebel"
    answer = post(desk, saratoga, "place", formation="army_train", position=held)
    assert answer.status_code == 422 and "is held by the enemy" in answer.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_trial_of_an_earlier_morning_is_folded_hr_ump_13(desk, saratoga):
    desk.post(f"{PAGE}dry-run/")
    run_job(saratoga.jobs.get(kind="dry_run").pk)
    assert "Sunday, 15 June, tried out (try 1)." in desk.get(PAGE).content.decode()
    post(desk, saratoga, "rumour", side="rebel", text="Howe sails.")
    page = desk.get(PAGE).content.decode()
    assert "<details><summary>The last trial, of Sunday, 15 June: the campaign has gone on" in page
