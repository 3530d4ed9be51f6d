"""The pages: who may open them, what they let through, and what they cost in queries."""

import html
import json
import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from campaign.fog.visibility import journal_for, map_view, provisional_events, viewer_of
from campaign.ledger.provisional_days import days_ahead
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, Job, JournalEntry, OrderPaper
from campaign.rules.world.world import Order, present_units
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.days import day_advance
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.turns.runs import turn_job
from tests.campaign.web.posed import words
from tests.factories.years import NEXT_YEAR

PAGE = "/campaigns/saratoga/"
SHEETS = ("orders", "returns", "journal", "battles", "standing")
MARCH = {
    "formation": "advanced_corps",
    "destination": "crown_point",
    "pace": "normal",
    "stance": "give_battle",
}


def test_strangers_and_visitors(saratoga, stranger):
    for address in (PAGE, f"{PAGE}map.geojson"):
        assert stranger.get(address).status_code == 404
        assert Client().get(address)["Location"].startswith("/sign-in/")
    for address in ("orders/", "orders/preview/", "orders/1/withdraw/", "advance/"):
        assert stranger.post(PAGE + address).status_code == 404
    assert stranger.get(f"{PAGE}jobs/1/").status_code == 404


def test_no_such_campaign(crown):
    assert crown.get("/campaigns/yorktown/").status_code == 404


@pytest.mark.parametrize("sheet", SHEETS)
def test_commanders_pages_open(crown, sheet):
    response = crown.get(f"{PAGE}?sheet={sheet}")
    assert response.status_code == 200
    assert "Sunday, 15 June 1777" in response.content.decode()


@pytest.mark.parametrize("sheet", ("day", *SHEETS))
def test_umpires_pages_open(desk, sheet):
    response = desk.get(f"{PAGE}?sheet={sheet}")
    assert response.status_code == 200
    if sheet == "day":
        assert "Advance a day" in response.content.decode()


def test_a_commander_has_no_umpires_sheet(crown):
    assert "Advance a day" not in crown.get(f"{PAGE}?sheet=day").content.decode()


def test_hidden_enemy_formations_are_on_no_page(crown, rebel, saratoga, world):
    """HR-FOG-01: neither name nor unit of an enemy out of sight leaves for a commander."""
    for client, side in ((crown, "crown"), (rebel, "rebel")):
        pages = [html.unescape(client.get(f"{PAGE}?sheet={sheet}").content.decode()) for sheet in SHEETS]
        features = client.get(f"{PAGE}map.geojson").content.decode()
        seen = {
            feature["properties"]["name"]
            for feature in json.loads(features)["features"]
            if feature["properties"]["feature"] == "formation"
        }
        units = present_units(world)
        for key, formation in world.formations.items():
            if formation.side == side or formation.name in seen:
                continue
            for page in (*pages, features):
                assert not re.search(rf"\b{re.escape(formation.name)}\b", page), formation.name
                assert not any(unit.name in page for unit in units.get(key, ())), formation.name


def test_days_played_give_no_hidden_enemy_away(crown, saratoga):
    """HR-FOG-01 in the course of play: who was never met nor seen is on no page, journal included."""
    for side, formation, place in (
        ("crown", "advanced_corps", "ticonderoga"),
        ("rebel", "mcdougalls_brigade", "fishkill"),
    ):
        order_submit(
            campaign=saratoga, side=side, order=Order(formation, (place,), pace="double"), actor=None
        )
    for _ in range(4):
        for battle in day_advance(campaign=saratoga, actor=None).battles_waiting:
            battle_settle_by_word(
                battle=battle, field_held_by="crown", percent_lost={"crown": 10}, actor=None
            )
    saratoga.refresh_from_db()
    assert saratoga.day > 1
    world = world_load(saratoga)
    visible = {
        seen.name
        for seen in map_view(viewer_of(saratoga.seats.get(side="crown").user, saratoga), world).formations
    }
    met = {unit["formation"] for battle in saratoga.battles.all() for unit in battle.inputs["file"]["units"]}
    hidden = [
        formation.name
        for formation in world.formations.values()
        if formation.side == "rebel" and formation.id not in met and formation.name not in visible
    ]
    assert "McDougall's Brigade" in hidden
    pages = [crown.get(f"{PAGE}?sheet={sheet}").content.decode() for sheet in SHEETS]
    pages.append(crown.get(f"{PAGE}map.geojson").content.decode())
    for name in hidden:
        assert not any(re.search(rf"\b{re.escape(name)}\b", html.unescape(page)) for page in pages), name


def test_map_shows_own_columns_routes_and_places(crown, world):
    collection = crown.get(f"{PAGE}map.geojson").json()
    kinds: dict[str, int] = {}
    for feature in collection["features"]:
        kind = feature["properties"]["feature"]
        kinds[kind] = kinds.get(kind, 0) + 1
    assert kinds["place"] == len(world.theatre.atlas.places)
    assert kinds["route"] == len(world.theatre.atlas.routes)
    own = [f for f in world.formations.values() if f.side == "crown" and f.position]
    assert kinds["formation"] >= len(own)
    (south, west), (north, east) = collection["bounds"]
    assert south < north and west < east


def test_tab_fetches_the_desk_alone(crown):
    response = crown.get(f"{PAGE}?sheet=returns", headers={"HX-Request": "true", "HX-Target": "desk"})
    text = response.content.decode()
    assert text.lstrip().startswith("<main") and "<html" not in text


def test_policy_forbids_inline_scripts_and_pages_have_none(crown):
    response = crown.get(PAGE)
    policy = response["Content-Security-Policy"]
    assert "script-src 'self'" in policy and "unsafe" not in policy
    text = response.content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)", text)
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=", text)


def test_order_is_submitted_replaced_and_withdrawn(crown, saratoga):
    response = crown.post(f"{PAGE}orders/", {**MARCH, "submit": "1"}, follow=True)
    first = OrderPaper.objects.get()
    assert f"Receipt {first.receipt}" in response.content.decode()
    assert first.body["via"] == ["crown_point"]

    crown.post(f"{PAGE}orders/", {**MARCH, "destination": "bouquet_river"})
    second = OrderPaper.objects.get(state=OrderPaper.State.STANDING)
    assert second.version == 2

    crown.post(f"{PAGE}orders/{second.number}/withdraw/")
    assert not OrderPaper.objects.filter(state=OrderPaper.State.STANDING).exists()
    refused = crown.post(f"{PAGE}orders/{second.number}/withdraw/", follow=True)
    assert "HR-CAL-06" in refused.content.decode()


def test_refused_order_keeps_the_form_and_says_why_beside_the_field(crown):
    response = crown.post(f"{PAGE}orders/", {**MARCH, "formation": "poors_brigade"})
    assert response.status_code == 422
    assert response.context["form"].errors["formation"]
    far = crown.post(f"{PAGE}orders/", {**MARCH, "formation": "artillery_park", "destination": "unadilla"})
    assert far.status_code == 422
    assert far.context["form"].errors["destination"]
    assert not OrderPaper.objects.exists()


def test_preview_without_and_with_scripts(crown):
    page = crown.post(f"{PAGE}orders/", {**MARCH, "try": "1"})
    assert page.status_code == 200 and "The march" in page.content.decode()
    fragment = crown.post(f"{PAGE}orders/preview/", MARCH, headers={"HX-Request": "true"}).content.decode()
    assert "data-path=" in fragment and "<html" not in fragment
    assert "Crown Point" in fragment
    empty = crown.post(f"{PAGE}orders/preview/", {}).content.decode()
    assert "The march" not in empty and "required" not in empty
    assert not OrderPaper.objects.exists()


def test_other_sides_orders_cannot_be_given_or_withdrawn(crown, rebel, desk):
    crown.post(f"{PAGE}orders/", MARCH)
    paper = OrderPaper.objects.get()
    assert rebel.post(f"{PAGE}orders/{paper.number}/withdraw/").status_code == 404
    assert desk.post(f"{PAGE}orders/{paper.number}/withdraw/").status_code == 404
    assert desk.post(f"{PAGE}orders/", MARCH).status_code == 404


def test_only_the_umpire_advances(crown, desk, saratoga):
    assert crown.post(f"{PAGE}advance/").status_code == 404
    desk.post(f"{PAGE}advance/", {"day": "0"})
    desk.post(f"{PAGE}advance/", {"day": "0"})  # a second click asks for nothing new
    job = Job.objects.get()
    shown = desk.get(f"{PAGE}?sheet=day").content.decode()
    assert reverse("job", args=["saratoga", job.pk]) in shown
    assert crown.get(f"{PAGE}jobs/{job.pk}/").status_code == 404


def test_one_day_is_advanced_where_a_turn_has_more_hr_cal_12(desk, saratoga):
    button = 'name="one" value="1">Advance one day</button>'
    pages = ("/campaigns/saratoga/?sheet=day", "/campaigns/saratoga/desk/")
    Campaign.objects.update(run_until="turn", days_a_turn=1)
    assert not any(button in desk.get(page).content.decode() for page in pages)
    Campaign.objects.update(days_a_turn=3)
    assert all(button in desk.get(page).content.decode() for page in pages)
    desk.post("/campaigns/saratoga/advance/", {"day": "0", "one": "1"})
    Job.objects.update(state="running")
    assert turn_job(Job.objects.get(), lambda percent, note: None)["day"] == 1


def test_the_first_tab_shows_the_events_of_the_last_turn(desk, crown, saratoga):
    page, heading = "/campaigns/saratoga/", "Events of the last turn"
    assert heading not in desk.get(page).content.decode()
    for _ in range(3):
        day_advance(campaign=saratoga, actor=None)
    Job.objects.create(campaign=saratoga, kind="advance_day", key="turn", state="done", payload={"day": 1})
    weather = JournalEntry.objects.filter(kind="weather", day=2).get().data["weather"]
    for client, address in ((desk, page), (crown, page), (desk, f"{page}desk/")):
        shown = client.get(address)
        assert [day.day for day in shown.context["events"]] == [2, 3]
        assert heading in shown.content.decode()
        assert shown.context["calendar"].weather == weather and weather
    assert "#events" in desk.get(f"{page}desk/").content.decode()
    orders = crown.get(page).content.decode()
    assert orders.index(heading) < orders.index('id="order-form"')
    seen = {line.text for day in crown.get(page).context["events"] for line in (*day.lines, *day.routine)}
    saratoga.refresh_from_db()
    viewer = viewer_of(saratoga.seats.get(side="crown").user, saratoga)
    known = journal_for(viewer).filter(day__in=(1, 2)).count()
    shown = crown.get(page).context["events"]
    assert sum(len(day.lines) + len(day.routine) for day in shown) == known and seen


def test_a_day_stopped_before_its_end_leaves_the_last_turn_as_it_was(desk, crown, saratoga):
    """A job that began on the coming day, stopped by a battle, or before a rewind, played none of them."""
    for _ in range(3):
        day_advance(campaign=saratoga, actor=None)
    for day in (1, 3, 5):
        key = f"from day {day}"
        Job.objects.create(campaign=saratoga, kind="advance_day", key=key, state="done", payload={"day": day})
    for client, address in ((desk, PAGE), (crown, PAGE), (desk, f"{PAGE}desk/")):
        shown = client.get(address)
        assert [day.day for day in shown.context["events"]] == [2, 3]
        assert "2 days played. It is now the morning of Wednesday, 18 June." in words(shown)


def test_the_turns_events_begin_with_its_battles_and_what_they_cost(desk, crown, waiting, carleton):
    battle = waiting.battles.get()
    battle_settle_by_word(
        battle=battle, field_held_by="crown", percent_lost={"crown": 10, "rebel": 50}, actor=carleton
    )
    day_advance(campaign=waiting, actor=None)
    battle.refresh_from_db()
    sides = {unit["unit"]: unit["side"] for unit in battle.inputs["contact"]["units"]}
    lost = Counter()
    for loss in battle.settlement["losses"]:
        lost[sides[loss["unit"]]] += loss["sp_lost"] + loss["sp_captured"]
    told = "Battle of Hubbardton , 15 June: Crown against United States. Field held by Crown. Losses: "
    told += f"Crown {lost['crown']} SP, United States {lost['rebel']} SP."
    assert lost["rebel"] > lost["crown"] > 0
    for client, page in ((desk, PAGE), (crown, PAGE), (desk, f"{PAGE}desk/")):
        text = words(client.get(page))
        assert told in text and "1 day played. It is now the morning of Monday, 16 June." in text


def test_the_turns_events_count_the_days_run_on_beyond_a_battle_hr_cal_11(desk, crown, rebel, waiting):
    for _ in range(2):
        day_run_on(campaign=waiting, actor=None)
    said = (
        "2 days played provisionally until the outcome of a battle is played in. "
        "It is now the morning of Tuesday, 17 June."
    )
    viewer = viewer_of(waiting.seats.get(side="rebel").user, waiting)
    days = days_ahead(waiting)
    hidden = [row for day in days for row in day.events if "rebel" not in row["sides"]]
    seen = sum(len(provisional_events(viewer, day)) for day in days)
    assert hidden and seen
    for client, page in ((desk, PAGE), (crown, PAGE), (rebel, PAGE), (desk, f"{PAGE}desk/")):
        shown = client.get(page)
        assert said in html.unescape(words(shown))
        text = words(shown).partition("Events of the last turn")[2]
        assert text.index("Sunday, 15 June day 1, provisional") < text.index(
            "Monday, 16 June day 2, provisional"
        )
    told = rebel.get(PAGE).context["ahead"].days
    assert sum(len(day.lines) + len(day.routine) for day in told) == seen


def test_a_click_on_an_old_page_advances_nothing(desk, saratoga):
    """Without the day it was seen on nothing is played; with a day that is over it is refused."""
    assert desk.post(f"{PAGE}advance/").status_code == 400
    day_advance(campaign=saratoga, actor=None)
    text = desk.post(f"{PAGE}advance/", {"day": "0"}, follow=True).content.decode()
    assert "HR-CAL-09" in text
    assert not saratoga.jobs.exists()


def test_the_umpire_sets_and_takes_away_the_deadline_hr_ump_11(desk, crown, saratoga):
    def post(client, until, **more):
        saratoga.refresh_from_db()
        sent = {"head": saratoga.head_id, "deadline-until": until, "deadline-reason": "Agreed.", **more}
        return client.post(f"{PAGE}deadline/", sent, follow=True)

    assert post(crown, f"{NEXT_YEAR}-01-05T20:00").status_code == 404
    assert f'value="{NEXT_YEAR}-01-05T20:00"' in post(desk, f"{NEXT_YEAR}-01-05T20:00").content.decode()
    saratoga.refresh_from_db()
    assert saratoga.deadline.isoformat() == f"{NEXT_YEAR}-01-05T20:00:00+00:00"
    for wrong, sentence in (
        ("2001-01-02T20:00", "That moment is past"),
        ("soon", "a day and an hour"),
        (f"{NEXT_YEAR}-01-04T20:00", "people count on that"),
        (f"{NEXT_YEAR}-01-05T20:00", "the deadline already"),
    ):
        answer = post(desk, wrong)
        assert answer.status_code == 422 and sentence in answer.content.decode()
    saratoga.refresh_from_db()
    assert saratoga.deadline.year == NEXT_YEAR
    assert post(desk, f"{NEXT_YEAR}-01-04T20:00", **{"deadline-earlier": "on"}).status_code == 200
    saratoga.refresh_from_db()
    assert saratoga.deadline.day == 4
    post(desk, "")
    saratoga.refresh_from_db()
    assert saratoga.deadline is None


def test_orders_received_count_those_marching_by_earlier_ones(desk, crown, saratoga):
    """A march of several days needs no new order; the umpire sees that it goes on."""
    crown.post(f"{PAGE}orders/", {**MARCH, "destination": "ticonderoga"})
    rows = {row.side: row for row in desk.get(f"{PAGE}?sheet=day").context["received"]}
    assert (rows["Crown"].given, rows["Crown"].marching) == (1, 0)
    day_advance(campaign=saratoga, actor=None)
    response = desk.get(f"{PAGE}?sheet=day")
    rows = {row.side: row for row in response.context["received"]}
    assert (rows["Crown"].given, rows["Crown"].marching) == (0, 1)
    assert "Marching by earlier ones" in response.content.decode()


def test_a_seats_name_stands_once_when_title_and_name_are_the_same(desk, saratoga, gates):
    gates.first_name, gates.last_name = "Major General", "Gates"
    gates.save()
    text = desk.get(f"{PAGE}?sheet=day").content.decode()
    seats = text[text.index('id="seats"') :]
    assert seats.count("Major General Gates") == 1
    assert "John" in seats


def test_the_umpires_returns_are_summed_by_side(desk, crown):
    response = desk.get(f"{PAGE}?sheet=returns")
    shown = response.context["returns"]
    assert [side.name for side in shown.sides] == ["Crown", "United States"]
    assert sum(side.now for side in shown.sides) == shown.now
    assert "Crown in all" in response.content.decode()
    assert "in all" not in crown.get(f"{PAGE}?sheet=returns").content.decode()


def test_a_changed_scenario_is_a_page_with_a_sentence(crown, saratoga):
    type(saratoga).objects.update(scenario_digest="0" * 64)
    response = crown.get(PAGE)
    assert response.status_code == 409
    assert "put the original files back" in response.content.decode()


def test_job_is_polled_until_done(desk, saratoga):
    desk.post(f"{PAGE}advance/", {"day": "0"})
    job = Job.objects.get()
    assert "HX-Refresh" not in desk.get(f"{PAGE}jobs/{job.pk}/")
    Job.objects.update(state=Job.State.DONE, progress=100)
    assert desk.get(f"{PAGE}jobs/{job.pk}/")["HX-Refresh"] == "true"


def test_queries_of_the_map(crown, django_assert_num_queries):
    with django_assert_num_queries(6):
        crown.get(f"{PAGE}map.geojson")


@pytest.mark.parametrize(
    "data",
    [
        {"activity": "siege"},
        {"activity": "obstruct"},
        {"activity": "break_bridge", "target": ""},
        {"activity": "follow"},
        {"destination": "nowhere"},
    ],
)
def test_the_preview_of_impossible_work_says_why(posed, player, data):
    order = {"formation": "british_2nd_brigade", "stance": "attack", **data}
    page = player.post("/campaigns/posed/orders/preview/", order).content.decode()
    shown = page[page.index('class="preview"') : page.index("</div>", page.index('class="preview"'))]
    assert "This cannot be ordered" in shown
    assert shown.count("<p>") == 1 and "</a>: " in shown
