"""The week's desk: what to do next, both sides' orders, the trial on the map, dice, and playing on again."""

import html
import json
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Battle, BattleEntry, Campaign, DayRecord, Job
from campaign.rules.umpire.corrections import PlaceFormation
from campaign.rules.world.world import Order, Position
from campaign.selectors.umpire.corrections import DryRun
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit, order_withdraw
from campaign.services.press.bulletins import bulletins_publish
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.umpire.corrections import act_perform
from campaign.tasks import run_job
from campaign.text.place_names import names_of
from campaign.web.umpire.desk import trial_features

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/saratoga/desk/"
MARCH = Order("advanced_corps", ("valcour_island",))
WHY = "Thrown at the table."


def now(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def told(client, query: str = "") -> str:
    """The page as it is read."""
    text = html.unescape(client.get(f"{PAGE}{query}").content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def try_out(desk, campaign: Campaign) -> None:
    desk.post(f"{PAGE}dry-run/")
    run_job(campaign.jobs.filter(kind="dry_run").order_by("-pk")[0].pk)


# --- what is next ---


def test_it_says_to_wait_for_orders_then_to_advance(desk, saratoga, burgoyne, gates):
    page = told(desk)
    assert "Nothing has come in from Crown and United States yet. There is no deadline." in page
    assert "Advance a day all the same" in page
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert "Nothing has come in from United States yet" in told(desk)
    order_submit(campaign=saratoga, side="rebel", order=Order("poors_brigade", ("crown_point",)), actor=gates)
    page = told(desk)
    assert re.search(r"Both sides have sent orders: Crown for 1 of \d+ formations, United States for 1", page)
    assert "Crown orders for 1 of " in page and "has ordered" not in page
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() + timedelta(hours=5, minutes=30))
    page = told(desk)
    assert "they may still change their minds until" in page and "in 5 hours" in page
    Campaign.objects.filter(pk=saratoga.pk).update(advance_at_deadline=True)
    assert "The day is played by itself at the deadline, in 5 hours" in told(desk)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() - timedelta(hours=3))
    assert "The deadline has passed; play the day." in told(desk)


def test_hr_due_02_it_tells_columns_that_march_on_by_earlier_orders(desk, saratoga, burgoyne, carleton):
    far = Order("british_2nd_brigade", ("isle_aux_noix", "crown_point"))
    order_submit(campaign=saratoga, side="crown", order=far, actor=burgoyne)
    assert day_advance(campaign=saratoga, actor=carleton).records
    page = told(desk)
    assert "No new orders; 1 column marches on by earlier orders." in page
    assert "Papers have come in." not in page
    halt = Order("british_1st_brigade")
    paper = order_submit(campaign=now(saratoga), side="crown", order=halt, actor=burgoyne)
    assert "Papers have come in." in told(desk) and "No new orders" not in told(desk)
    order_withdraw(paper=paper, actor=burgoyne)
    assert "No new orders; 1 column marches on by earlier orders." in told(desk)


def test_a_battle_that_waits_is_the_next_thing_and_its_entries_are_told(desk, saratoga, battle, burgoyne):
    page = told(desk)
    assert "A battle waits to be settled." in page and f"Settle the {battle.inputs['file']['title']}" in page
    Battle.objects.filter(pk=battle.pk).update(way=Battle.Way.TABLE)
    BattleEntry.objects.create(battle=battle, side="crown", user=burgoyne, state="entered")
    BattleEntry.objects.create(battle=battle, side="rebel")
    page = told(desk)
    assert "to be fought on the table; Crown has" in page
    assert "Crown has entered a result; United States has begun to" in page
    assert (
        f"A battle waits to be settled. {battle.inputs['file']['title']}: Crown has entered a result." in page
    )


def test_a_rest_and_the_end_are_told_hr_ump_10(desk, saratoga):
    Campaign.objects.filter(pk=saratoga.pk).update(paused="the club is on holiday")
    page = told(desk)
    assert "The campaign rests: the club is on holiday" in page and "Let it go on" in page
    assert "Advance a day" not in page


def test_a_job_says_once_that_it_goes_on_without_its_reader(desk, saratoga):
    desk.post("/campaigns/saratoga/advance/", {"day": "0", "back": "desk"})
    assert saratoga.jobs.get(kind="advance_day").state == "queued"
    assert told(desk).count("goes on when you leave this page") == 1


# --- orders ---


def test_orders_stand_beside_each_other_by_whom_and_as_the_morning_will_take_them(desk, saratoga, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    page = told(desk)
    assert "Marches to Valcour Island" in page and "Valcour Island on" in page
    assert "Without orders: " in page and "Poor's Brigade" in page
    assert "Will be refused" not in page
    act_perform(
        campaign=now(saratoga),
        act=PlaceFormation("advanced_corps", Position(place="montreal")),
        reason="A slip.",
        actor=None,
    )
    far = Order("advanced_corps", ("no_such_place",))
    saratoga.order_papers.update(body={**saratoga.order_papers.get().body, "via": list(far.via)})
    page = told(desk)
    assert "Will be refused:" in page and "1 order will be refused" in page


def test_rows_lead_to_acts_begun_for_them_hr_ump_08(desk, saratoga, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    page = desk.get(PAGE).content.decode()
    links = re.findall(r'<a href="(\?act=[^"]+advanced_corps)#acts"', page)
    assert len(links) == 6
    for link in links:
        opened = desk.get(PAGE + html.unescape(link), headers={"HX-Target": "acts"}).content.decode()
        assert re.search(r'value="[^"]*advanced_corps" selected', opened), link
    strike = {"kind": "strike", "head": saratoga.head_id, "strike-reason": WHY}
    desk.post(PAGE, {**strike, "strike-subject": "activity/crown/advanced_corps"})
    act = DayRecord.objects.get(kind="act").inputs["act"]
    assert (act["kind"], act["subject"]) == ("strike", "advanced_corps")


def test_an_unknown_act_opens_nothing(desk, saratoga):
    assert desk.get(PAGE, {"act": "burn"}).status_code == 200
    assert desk.post(PAGE, {"kind": "burn"}).status_code == 404


# --- the map ---


def features(client, kind: str) -> list[dict]:
    found = json.loads(client.get(f"{PAGE}map.geojson").content)["features"]
    return [each for each in found if each["properties"]["feature"] == kind]


def test_marches_have_their_days_and_the_trial_its_arrows_on_the_map(desk, saratoga, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    (march,) = features(desk, "march")
    halts = features(desk, "halt")
    assert halts[-1]["properties"]["kind"] == "end"
    assert halts[-1]["geometry"]["coordinates"] == march["geometry"]["coordinates"][-1]
    assert not features(desk, "move")
    try_out(desk, saratoga)
    moves = {each["properties"]["name"] for each in features(desk, "move")}
    assert any(name.startswith("Advanced Corps") for name in moves)
    day_advance(campaign=now(saratoga), actor=None)
    assert not features(desk, "move")


def test_battles_expected_are_swords_at_their_place_or_on_their_road_hr_ump_13(saratoga):
    world = world_load(saratoga)
    route = next(iter(world.theatre.atlas.routes.values()))
    fight = {"place": "", "route": route.id, "yards": 0, "minute": 600}
    battles = [fight, {**fight, "place": "crown_point", "route": ""}, {**fight, "settled": True}]
    gone = {"formation": "army_train", "from": {"place": "chambly"}, "to": None, "with": ""}
    found = {"moves": [gone], "battles": battles}
    run = DryRun(Job(), running=False, found=found, battles=("On the road.", "At the fort.", "Over."))
    first, second = trial_features(run, world, names_of(world))
    end, fort = (world.theatre.atlas.places[key] for key in (route.a, "crown_point"))
    assert first["geometry"]["coordinates"] == [round(end.lon, 4), round(end.lat, 4)]
    assert second["geometry"]["coordinates"] == [fort.lon, fort.lat]
    assert second["properties"] == {"feature": "expected", "name": "At the fort."}
    assert trial_features(replace(run, stale=True), world, names_of(world)) == []


# --- the trial ---


def test_two_tries_are_compared_hr_ump_13(desk, saratoga, burgoyne):
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    try_out(desk, saratoga)
    try_out(desk, saratoga)
    page = told(desk, "?with=1")
    assert "Compare with try 1" in page and "Try 2 beside try 1" in page
    assert "Try 2 beside" not in told(desk, "?with=7")
    order_submit(campaign=saratoga, side="crown", order=Order("army_train"), actor=burgoyne)
    assert "1 paper came in since it was asked for" in told(desk)


def test_a_trial_under_way_can_be_stopped(desk, saratoga):
    desk.post(f"{PAGE}dry-run/")
    job = saratoga.jobs.get(kind="dry_run")
    page = desk.get(PAGE).content.decode()
    assert f"/jobs/{job.pk}/stop/" in page and f"{job.name}, 0 %" in " ".join(
        page.replace("\N{NO-BREAK SPACE}", " ").split()
    )
    answer = desk.post(f"/campaigns/saratoga/jobs/{job.pk}/stop/", {"back": "desk"})
    assert answer["Location"] == PAGE
    job.refresh_from_db()
    assert job.state == "cancelled"


# --- dice ---


def test_dice_of_the_trial_are_entered_together_and_it_still_counts_hr_ump_12(desk, saratoga):
    try_out(desk, saratoga)
    page = desk.get(PAGE).content.decode()
    fields = re.findall(r'name="(throw/HR-WEA-0[12]/[^"]+)"', page)
    assert len(fields) == 4
    sent = {"head": now(saratoga).head_id, "reason": WHY, **dict.fromkeys(fields, "3")}
    for _ in range(2):
        assert desk.post(f"{PAGE}dice/", sent).status_code == 302
    assert DayRecord.objects.filter(kind="act").count() == 4
    page = told(desk)
    assert "4 entered" in page and "4 real dice entered since are not in it" in page
    assert "stay unused" not in page


def test_a_wrong_die_is_told_at_its_field_and_none_is_entered_hr_ump_12(desk, saratoga):
    try_out(desk, saratoga)
    good, bad = "throw/HR-WEA-01/theatre/0/10", "throw/HR-WEA-02/theatre/0/6"
    for text, said in (("9", "6 faces"), ("many", "as a whole number"), ("4444", "as a whole number")):
        sent = {"head": saratoga.head_id, "reason": WHY, good: "3", bad: text}
        answer = desk.post(f"{PAGE}dice/", sent)
        assert answer.status_code == 422
        (row,) = [row for group in answer.context["dice"] for row in group.rows if row.error]
        assert row.field == bad and said in row.error and row.given == text
        assert f'value="{text}"' in answer.content.decode()
    nothing = desk.post(f"{PAGE}dice/", {"head": saratoga.head_id, "reason": WHY})
    assert nothing.status_code == 422 and "No die has been filled in" in nothing.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_die_that_nothing_throws_is_warned_of_hr_ump_12(desk, saratoga):
    try_out(desk, saratoga)
    fields = {"rule": "HR-SUP-03", "subject": "br_24_1", "index": 0, "sides": 6, "value": 3}
    data = {f"die-{name}": value for name, value in fields.items()}
    sent = {"kind": "die", "head": saratoga.head_id, "die-reason": WHY, **data}
    assert desk.post(PAGE, sent).status_code == 302
    page = told(desk)
    assert "throws no die of HR-SUP-03 for 'br_24_1'" in page and "it would stay unused" in page


# --- the week, deadlines, the way back ---


def test_the_checklist_ticks_itself(desk, saratoga):
    line = {line.name: line for line in desk.get(f"{PAGE}?part=week").context["checklist"].lines}
    assert line["Battles"].done and line["Next deadline"].done is False
    assert line["Days of the week"].done is None and line["Bulletins"].done is None
    alone = desk.get(f"{PAGE}?part=week", headers={"HX-Target": "week"}).content.decode()
    assert "<html" not in alone and "Next deadline" in alone
    while now(saratoga).day < 7:
        for battle in day_advance(campaign=now(saratoga), actor=None).battles_waiting:
            battle_settle_by_word(battle=battle, field_held_by="", percent_lost={}, actor=None)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() + timedelta(days=3))
    checklist = desk.get(f"{PAGE}?part=week").context["checklist"]
    line = {line.name: line for line in checklist.lines}
    assert (checklist.week, checklist.closed) == (1, True)
    assert all(line[name].done for name in ("Days of the week", "Attrition", "Militia", "Next deadline"))
    assert line["Bulletins"].done is False and "0 of 3 published" in line["Bulletins"].told
    Campaign.objects.filter(pk=saratoga.pk).update(spectator_days=None)  # then there is no public copy
    bulletins_publish(campaign=now(saratoga), week=1, actor=saratoga.seats.get(role="umpire").user)
    line = {line.name: line for line in desk.get(f"{PAGE}?part=week").context["checklist"].lines}
    assert line["Bulletins"].done and "2 of 2 published" in line["Bulletins"].told


def test_undone_days_are_played_again_from_the_desk_hr_ump_14(desk, saratoga):
    start = saratoga.head
    for _ in range(2):
        day_advance(campaign=now(saratoga), actor=None)
    assert "played to the end of day" not in told(desk)
    campaign_rewind(campaign=now(saratoga), record=start, reason="A slip.", actor=None)
    assert "Play on to the morning of day 3" in told(desk)
    assert desk.post(f"{PAGE}again/", {"day": "0"}).status_code == 400
    assert desk.post(f"{PAGE}again/", {"day": "0", "until": "2"}).status_code == 302
    run_job(saratoga.jobs.get().pk)
    assert now(saratoga).day == 2
    assert "played to the end of day" not in told(desk)
    refused = desk.post(f"{PAGE}again/", {"day": "2", "until": "2"}, follow=True)
    assert "no undone days left" in refused.content.decode()


def test_deadline_and_rhythm_have_one_door(desk, saratoga):
    sheet = desk.get("/campaigns/saratoga/?sheet=day").content.decode()
    assert f'href="{PAGE}#deadline"' in sheet and "rhythm_form" not in sheet and "deadline-until" not in sheet
    page = desk.get(PAGE).content.decode()
    assert page.count('name="deadline-until"') == page.count('name="cadence_days"') == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [("hand/", "desk/"), ("hand/?rule=HR-WEA-02", "desk/?rule=HR-WEA-02&act=die"),
     ("hand/dry-run/", "desk/dry-run/"), ("hand/back/7/", "desk/back/7/")],
)  # fmt: skip
def test_old_addresses_lead_to_the_desk(desk, crown, saratoga, old, new):
    answer = desk.get(f"/campaigns/saratoga/{old}")
    assert (answer.status_code, answer["Location"]) == (307, f"/campaigns/saratoga/{new}")
    assert crown.get(f"/campaigns/saratoga/{old}").status_code == 404


def test_a_wrong_result_is_marked_from_its_page_hr_ump_14(desk, crown, saratoga, battle, carleton):
    assert "anew=" not in desk.get(f"/campaigns/saratoga/battles/{battle.pk}/").content.decode()
    battle_settle_by_word(battle=battle, field_held_by="", percent_lost={"crown": 10}, actor=carleton)
    plain = desk.get(f"/campaigns/saratoga/desk/back/{saratoga.head_id}/").content.decode()
    assert f'value="{battle.contact}"> the result of the' in plain
    page = desk.get(f"/campaigns/saratoga/battles/{battle.pk}/").content.decode()
    found = re.search(r'href="([^"]+desk/back/\d+/\?anew=[^"]+)"', page)
    assert found and "where this battle is marked to be settled anew" in page
    back = desk.get(found[1]).content.decode()
    assert f'value="{battle.contact}" checked> the result of the' in back
    assert "desk/back/" not in crown.get(f"/campaigns/saratoga/battles/{battle.pk}/").content.decode()


def test_going_back_names_the_day_that_has_run_on_hr_ump_14(desk, saratoga, battle):
    text = desk.get(f"/campaigns/saratoga/desk/back/{saratoga.head_id}/").content.decode()
    assert "Day 1, as far as it has run on" in text and "Nothing." not in text
