"""What the campaign page says of days that run on beside a battle (HR-CAL-10, HR-CAL-11)."""

import re

import pytest

from campaign.models import Battle, Campaign, Job
from campaign.rules.world.world import Order
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.turns.runs import turn_advance

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/saratoga/"


def text(client, sheet: str) -> str:
    return " ".join(client.get(f"{PAGE}?sheet={sheet}").content.decode().split())


@pytest.fixture
def ran_on(waiting) -> Campaign:
    for _ in range(2):
        day_run_on(campaign=waiting, actor=None)
    return waiting


def test_a_player_sees_which_days_are_provisional_and_who_of_his_waits_for_what(ran_on, crown):
    page = text(crown, "orders")
    assert 'Tuesday, 17 June 1777</time> <span class="soft">provisional</span>' in page
    assert "15 June to 16 June have run on provisionally" in page
    assert "Orders for Tuesday, 17 June" in page
    assert "Advanced Corps</strong> waits for the <a href=" in page
    assert not re.search(r"\bPoor\b", page.split('id="give"')[0].split("HR-CAL-11")[1])
    form = page.split('id="order-form"')[1].split("</form>")[0]
    assert '<option value="advanced_corps"' not in form
    assert '<option value="british_2nd_brigade"' in form


def test_the_front_page_names_the_same_morning_as_the_campaign_page(ran_on, crown):
    page = crown.get("/").content.decode()
    assert (
        'Tuesday, 17 June 1777</time> <span class="soft">day 3 of ' in page and ", provisional</span>" in page
    )


def test_the_other_side_reads_of_its_own_waiters_only(ran_on, rebel):
    page = text(rebel, "orders")
    assert "waits for the <a href=" in page
    assert "Advanced Corps</strong> waits" not in page


def test_a_settled_battle_is_waited_for_no_more_hr_cal_10(ran_on, crown):
    battle = ran_on.battles.get()
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)
    page = text(crown, "orders")
    assert "waits for the <a href=" not in page
    assert "Advanced Corps</strong> waits for its day to be played with the outcome of the <a href=" in page
    assert "The outcome is in" in page and "When the outcome is in" not in page


def test_a_turn_until_something_says_what_its_days_are_for_hr_cal_12(saratoga, desk):
    page = " ".join(desk.get(f"{PAGE}desk/").content.decode().split())
    assert "Counts only for a turn that ends with its days" in page


def test_the_journal_tells_a_provisional_day_cut_to_its_reader(ran_on, crown, rebel):
    assert 'Sunday, 15 June <span class="soft">day 1, provisional' in text(crown, "journal")
    assert "2nd British Brigade" in text(crown, "journal")
    assert "2nd British Brigade" not in text(rebel, "journal")


def test_the_umpire_lets_the_others_play_on_and_then_plays_all_with_the_outcome(ran_on, desk):
    page = text(desk, "day")
    assert "Let the others play one more day" in page
    assert 'name="day" value="2"' in page
    assert desk.post(f"{PAGE}advance/", {"day": 2}).status_code == 302
    turn_advance(campaign=ran_on, actor=None)
    Job.objects.update(state=Job.State.DONE)
    page = text(desk, "day")
    assert "the 3 days that may run on beside it have been played" in page
    assert "Let the others" not in page
    battle = Battle.objects.get()
    battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost={}, actor=None)
    page = text(desk, "day")
    assert "Play the days with the outcome" in page
    fought = desk.get(f"{PAGE}battles/{battle.pk}/").content.decode()
    assert "“Play the days with the outcome” on" in fought and "Advance the day" not in fought
    assert 'name="day" value="0"' in page


def test_a_paper_for_a_provisional_day_stands_on_the_page(ran_on, crown, burgoyne):
    order = Order("british_2nd_brigade", ("chambly",))
    paper = order_submit(campaign=ran_on, side="crown", order=order, actor=burgoyne)
    assert paper.day == 2
    assert f"receipt {paper.receipt}" in text(crown, "orders")


def test_the_end_of_a_turn_is_set_on_the_page(saratoga, desk):
    form = {
        "time_zone": "UTC", "run_until": "sighting", "days_a_turn": 2, "late_orders": "refuse",
        "missed_orders": "halt", "run_on_days": 1, "settle_after_days": 14, "cadence_days": "",
        "head": saratoga.head_id, "reason": "A slow week.",
    }  # fmt: skip
    assert desk.post(f"{PAGE}schedule/", form).status_code == 302
    saratoga.refresh_from_db()
    assert (saratoga.run_until, saratoga.run_on_days, saratoga.settle_after_days) == ("sighting", 1, 14)
    assert "Play on until a contact or a sighting" in text(desk, "day")
    refused = desk.post(f"{PAGE}schedule/", {**form, "run_on_days": 9, "head": saratoga.head_id})
    assert "The others run on for 0 to 7 days." in refused.content.decode()


def test_the_umpire_sees_when_columns_should_arrive_and_players_do_not(meeting, desk, crown):
    page = text(desk, "day")
    assert "2nd British Brigade</strong> at Montreal before dark: " in page
    assert re.search(r"Advanced Corps</strong> at Hubbardton before dark: 15 June, (certain|\d+ %)", page)
    assert "before dark" not in text(crown, "orders")


def test_who_waits_for_a_battle_is_not_expected_anywhere_hr_cal_10(ran_on, desk):
    page = text(desk, "day")
    assert "Advanced Corps</strong> waits for the " in page
    assert "2nd British Brigade</strong> at Montreal before dark: " in page
    assert "Advanced Corps</strong> at Hubbardton" not in page


def test_the_order_of_one_who_waits_is_not_offered_to_another_hr_cal_10(ran_on, crown):
    def asked(formation):
        return crown.get(f"{PAGE}?sheet=orders&formation={formation}").context["form"].initial

    assert asked("british_2nd_brigade")["destination"] == "montreal"
    assert asked("advanced_corps") == asked("no_such") == {"formation": ""}


def test_the_map_marks_whom_the_viewer_commands_and_who_waits_hr_cal_10(ran_on, crown, rebel):
    def waits(client) -> set[str]:
        found = client.get(f"{PAGE}map.geojson").json()["features"]
        return {one["properties"]["id"] for one in found if one["properties"].get("waits")}

    assert "advanced_corps" in waits(crown)
    assert "british_2nd_brigade" not in waits(crown)
    assert "advanced_corps" not in waits(rebel)
    assert not [key for key in waits(crown) | waits(rebel) if key.startswith("seen-")]
