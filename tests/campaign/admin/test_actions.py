"""What the lists do: each question names its rows, asks why, and leaves it to a service; it can be undone."""

import html
import re
from datetime import timedelta

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign import tasks
from campaign.models import AuditEntry, Battle, Campaign, DayRecord, Job, JournalEntry, Notice, OrderPaper
from campaign.rules.world.world import Order
from campaign.services.orders.march_orders import order_submit
from campaign.services.turns.provisional_play import day_run_on
from rosters.models import Formation, Pool, Unit
from tests.factories.people import signed_in
from tests.factories.several_campaigns import another_campaign
from tests.factories.years import NEXT_YEAR

WHY = "The club has agreed on it."


def page_of(name: str) -> str:
    return reverse(f"umpire:{name}_changelist")


def ask(client, name, action, rows):
    return client.post(page_of(name), {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows]})


def do(client, campaign, listed, action, rows, *, head=None, **given):
    """Confirm a question on a page opened now."""
    campaign.refresh_from_db()
    data = {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows], "confirmed": "1", "reason": WHY}
    data |= {f"head_{campaign.pk}": campaign.head_id if head is None else head, **given}
    return client.post(page_of(listed), data, follow=True)


def units(campaign, *names):
    rows = Unit.objects.filter(order_of_battle=campaign.order_of_battle)
    return [rows.get(name__startswith=name) for name in names]


@pytest.fixture
def three(saratoga):
    """Three units of one formation, none of them full."""
    formation = Formation.objects.get(order_of_battle=saratoga.order_of_battle, slug="advanced_corps")
    found = list(formation.units.exclude(points__gt=110).exclude(points=0).order_by("name")[:3])
    assert len(found) == 3
    return found


# --- armies ---


def test_points_are_given_to_several_for_one_reason_and_undone_by_going_back(desk, saratoga, three):
    """HR-UMP-31, HR-UMP-05."""
    before = [unit.points for unit in three]
    text = ask(desk, "rosters_unit", "points", three).content.decode()
    assert all(unit.name in text.replace("&#x27;", "'") for unit in three) and "Reason" in text
    text = do(desk, saratoga, "rosters_unit", "points", three, points="5").content.decode()
    assert [Unit.objects.get(pk=unit.pk).points for unit in three] == [each + 5 for each in before]
    acts = list(DayRecord.objects.filter(campaign=saratoga, kind="act").order_by("pk"))
    assert len(acts) == 3 and {record.reason for record in acts} == {WHY}
    back = reverse("rewind", args=["saratoga", acts[0].parent_id])
    assert back in text and reverse("journal-day", args=["saratoga", 1]) in text
    saratoga.refresh_from_db()
    desk.post(back, {"reason": "It was too much.", "head": saratoga.head_id})
    assert [Unit.objects.get(pk=unit.pk).points for unit in three] == before


def test_points_come_out_of_a_pool_that_is_named(desk, saratoga, three):
    Pool.objects.filter(order_of_battle=saratoga.order_of_battle).delete()
    refused = do(desk, saratoga, "rosters_unit", "points", three, points="5", pool="british/line")
    assert refused.status_code == 422 and "not, or no longer, to be had" in refused.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_one_that_cannot_be_done_leaves_all_undone_and_is_named(desk, saratoga, three):
    """HR-UMP-31: all or none."""
    weakest = min(three, key=lambda unit: unit.points)
    answer = do(desk, saratoga, "rosters_unit", "points", three, points=str(-weakest.points - 1))
    assert answer.status_code == 422
    assert weakest.name in answer.content.decode() or "HR-UMP-05" in answer.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()
    assert [Unit.objects.get(pk=unit.pk).points for unit in three] == [unit.points for unit in three]


def test_no_points_are_refused_in_one_sentence_that_names_nothing_twice(desk, saratoga, three):
    """HR-UMP-05."""
    for rows in (three[:1], three):
        text = html.unescape(do(desk, saratoga, "rosters_unit", "points", rows, points="0").content.decode())
        assert text.count("0 points change nothing; give some, or take some with a minus.") == 1
    weakest = three[0]
    wrong = do(desk, saratoga, "rosters_unit", "points", [weakest, three[1]], points="-119")
    found = html.unescape(re.findall(r'role="alert">(.*?)</p>', wrong.content.decode())[0])
    assert found.count(weakest.name) == 1 and "A unit has 0 to 120." in wrong.content.decode()


def test_without_a_reason_nothing_is_done(desk, saratoga, three):
    answer = do(desk, saratoga, "rosters_unit", "points", three, points="5", reason=" ")
    assert answer.status_code == 422 and "Say why" in answer.content.decode()
    assert not DayRecord.objects.filter(kind="act").exists()


def test_an_old_page_does_nothing_and_a_second_click_is_one(desk, saratoga, three):
    """HR-UMP-01: the page remembers which morning it was opened on."""
    first = saratoga.head_id
    do(desk, saratoga, "rosters_unit", "points", three, points="5", head=first)
    again = do(desk, saratoga, "rosters_unit", "points", three, points="5", head=first)
    assert again.status_code == 200
    assert DayRecord.objects.filter(kind="act").count() == 3
    late = do(desk, saratoga, "rosters_unit", "points", three[:1], points="1", head=first)
    assert late.status_code == 422 and "gone on since" in late.content.decode()
    assert DayRecord.objects.filter(kind="act").count() == 3


def test_a_unit_is_renamed_one_at_a_time(desk, saratoga, three):
    assert "one row at a time" in ask_followed(desk, "rosters_unit", "rename", three)
    do(desk, saratoga, "rosters_unit", "rename", three[:1], name="The Grenadiers")
    assert Unit.objects.get(pk=three[0].pk).name == "The Grenadiers"


def ask_followed(client, name, action, rows) -> str:
    data = {"action": action, ACTION_CHECKBOX_NAME: [row.pk for row in rows]}
    return client.post(page_of(name), data, follow=True).content.decode()


def test_units_form_a_new_formation_where_they_stand(desk, saratoga, three):
    do(desk, saratoga, "rosters_unit", "split", three[:2], name="The vanguard")
    new = Formation.objects.get(name="The vanguard")
    assert {unit.pk for unit in new.units.all()} == {unit.pk for unit in three[:2]}
    elsewhere = Unit.objects.exclude(formation__in=[new, three[2].formation]).first()
    text = ask_followed(desk, "rosters_unit", "split", [three[2], elsewhere])
    assert "Choose units of one formation" in text


def test_formations_are_put_elsewhere_halted_and_renamed(desk, saratoga):
    corps = Formation.objects.get(slug="advanced_corps")
    wrong = do(desk, saratoga, "rosters_formation", "place", [corps], position="Atlantis")
    assert wrong.status_code == 422 and "There is no Atlantis on this map" in wrong.content.decode()
    do(desk, saratoga, "rosters_formation", "place", [corps], position=" castleton ")
    corps.station.refresh_from_db()
    assert corps.station.place == "castleton"
    do(desk, saratoga, "rosters_formation", "rename", [corps], name="Fraser's men")
    assert Formation.objects.get(pk=corps.pk).name == "Fraser's men"
    do(desk, saratoga, "rosters_formation", "halt", [corps])
    assert JournalEntry.objects.filter(kind="order_cancelled", formation="advanced_corps").exists()


def test_more_rows_than_are_done_at_once_are_refused(desk, saratoga, monkeypatch):
    monkeypatch.setattr("campaign.admin.confirm_action.MOST", 3)
    text = ask_followed(desk, "rosters_unit", "points", list(Unit.objects.all()[:4]))
    assert "Choose 1 to 3 rows" in text


# --- the campaign ---


def test_a_campaign_is_advanced_by_a_job_and_once(desk, saratoga):
    """HR-CAL-09: the answer says which day was meant."""
    asked = ask(desk, "campaign_campaign", "advance", [saratoga]).content.decode()
    assert "from day 1" in asked and f'name="head_{saratoga.pk}" value="0"' in asked
    do(desk, saratoga, "campaign_campaign", "advance", [saratoga], head=0)
    assert Campaign.objects.get().day == 0  # nothing is played while somebody waits for the page
    tasks.run_job(Job.objects.get(kind="advance_day").pk)
    assert Campaign.objects.get().day == 1
    answer = do(desk, saratoga, "campaign_campaign", "advance", [saratoga], head=0)
    assert answer.status_code == 422 and "HR-CAL-09" in answer.content.decode()
    assert Job.objects.filter(kind="advance_day").count() == 1


def test_a_campaign_rests_and_goes_on(desk, saratoga):
    do(desk, saratoga, "campaign_campaign", "pause", [saratoga])
    assert Campaign.objects.get().paused == WHY
    twice = do(desk, saratoga, "campaign_campaign", "pause", [saratoga])
    assert twice.status_code == 422 and "rests already" in twice.content.decode()
    do(desk, saratoga, "campaign_campaign", "resume", [saratoga])
    assert Campaign.objects.get().paused == ""


def test_the_deadline_is_moved_by_the_clubs_clock(desk, saratoga):
    Campaign.objects.update(time_zone="America/New_York")
    do(desk, saratoga, "campaign_campaign", "deadline", [saratoga], until=f"{NEXT_YEAR}-01-03T20:00")
    assert Campaign.objects.get().deadline.isoformat() == f"{NEXT_YEAR}-01-04T01:00:00+00:00"
    past = do(desk, saratoga, "campaign_campaign", "deadline", [saratoga], until="2001-01-01T20:00")
    assert past.status_code == 422 and "That moment is past" in past.content.decode()


# --- papers, battles, letters, work ---


def test_papers_are_struck(desk, saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("castleton",)), actor=burgoyne
    )
    paper = OrderPaper.objects.get(state="standing")
    assert paper.receipt in ask(desk, "campaign_orderpaper", "strike", [paper]).content.decode()
    do(desk, saratoga, "campaign_orderpaper", "strike", [paper])
    paper.refresh_from_db()
    assert paper.state == "withdrawn"
    assert "Only papers that stand" in ask_followed(desk, "campaign_orderpaper", "strike", [paper])


def test_nobodys_drafts_are_listed(desk, saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("castleton",)), actor=burgoyne
    )
    OrderPaper.objects.update(state="draft")
    assert not desk.get(page_of("campaign_orderpaper")).context["cl"].queryset.exists()


def test_how_a_battle_is_settled_is_said_from_the_list(desk, waiting):
    """HR-TAB-11."""
    battle = waiting.battles.get()
    do(desk, waiting, "campaign_battle", "way", [battle], way="table")
    battle.refresh_from_db()
    assert battle.way == "table" and DayRecord.objects.filter(reason=WHY).exists()
    assert "on the table" in desk.get("/umpire/").content.decode()


def test_a_battle_is_settled_by_the_engine(desk, saratoga, battle):
    text = do(desk, saratoga, "campaign_battle", "settle", [battle]).content.decode()
    assert "The engine fights the" in text
    tasks.run_job(Job.objects.get(kind="battle_settle").pk)
    assert Battle.objects.get().source == "engine"
    again = do(desk, saratoga, "campaign_battle", "settle", [battle])
    assert again.status_code == 422 and "settled already" in again.content.decode()


def test_a_letter_that_failed_is_sent_again_and_no_other(desk, saratoga, carleton):
    """HR-DUE-06."""
    made = {"campaign": saratoga, "user": carleton, "kind": "due"}
    failed = Notice.objects.create(**made, subject="a", state="failed", attempts=5, error="No such box.")
    sent = Notice.objects.create(**made, subject="b", state="sent")
    both = do(desk, saratoga, "campaign_notice", "send_again", [failed, sent])
    assert both.status_code == 422 and "HR-DUE-06" in both.content.decode()
    failed.refresh_from_db()
    assert failed.state == "failed"
    do(desk, saratoga, "campaign_notice", "send_again", [failed])
    failed.refresh_from_db()
    assert (failed.state, failed.attempts, failed.error) == ("pending", 0, "")
    [line] = AuditEntry.objects.filter(kind="umpire", what__contains="sent again")
    assert line.campaign == saratoga and "orders are due" in line.what


def test_work_is_stopped_and_asked_for_again(desk, saratoga):
    """HR-JOB-02."""
    job = Job.objects.create(kind="dry_run", key="d", campaign=saratoga, payload={"campaign": saratoga.pk})
    do(desk, saratoga, "campaign_job", "stop", [job])
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert do(desk, saratoga, "campaign_job", "stop", [job]).status_code == 422
    do(desk, saratoga, "campaign_job", "try_again", [job])
    job.refresh_from_db()
    assert job.state == "queued"
    assert do(desk, saratoga, "campaign_job", "try_again", [job]).status_code == 422
    day = Job.objects.create(kind="advance_day", key="a", campaign=saratoga)
    refused = do(desk, saratoga, "campaign_job", "stop", [day])
    assert refused.status_code == 422 and "cannot be stopped" in refused.content.decode()


# --- the board ---


def test_the_board_tells_what_waits_and_leads_there(desk, waiting, carleton, burgoyne):
    Notice.objects.create(campaign=waiting, user=burgoyne, kind="due", subject="s", state="failed")
    Job.objects.create(kind="dry_run", key="d", campaign=waiting, state="failed", error="It broke.")
    Campaign.objects.update(deadline=timezone.now() - timedelta(hours=2))
    text = desk.get("/umpire/").content.decode()
    battle = waiting.battles.get()
    assert reverse("battle-way", args=["saratoga", battle.pk]) in text and "Battle of Hubbardton" in text
    Battle.objects.update(way="table")
    assert reverse("battle-compare", args=["saratoga", battle.pk]) in desk.get("/umpire/").content.decode()
    assert "The deadline has passed" in text and "Orders were due" in text
    assert "John was not reached" in text and "gates has no address" in text
    assert "It broke." in text and "none for this day" in text


def test_the_board_tells_who_has_ordered_and_who_is_away(desk, saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("castleton",)), actor=burgoyne
    )
    text = desk.get("/umpire/").content.decode()
    crown, rebel = text.index("Burgoyne</td>"), text.index("Gates</td>")
    assert ">in</td>" in text[crown:rebel] and "none for this day" in text[rebel:]


def test_the_board_names_both_mornings_when_days_have_run_on_hr_cal_11(desk, waiting):
    assert "run on" not in desk.get("/umpire/").content.decode()
    day_run_on(campaign=waiting, actor=None)
    day_run_on(campaign=waiting, actor=None)
    text = desk.get("/umpire/").content.decode()
    assert "15 June 1777, day 1 of 126; the rest has run on to Tuesday, 17 June (provisional)." in text


def test_the_board_of_more_campaigns_asks_no_more_queries(carleton, burgoyne, gates):
    """A person may umpire twenty (HR-SET-15); no campaign asks anything by itself."""
    client, found = signed_in(carleton), []
    for number in range(1, 5):
        another_campaign(number, umpire=carleton, player=burgoyne, other=gates)
        client.get("/umpire/")
        with CaptureQueriesContext(connection) as asked:
            text = client.get("/umpire/").content.decode()
        found.append(len(asked))
        told = (
            "Battle of ", "; entered by Crown", "John was not reached", "2 dice of the coming day",
            "It broke.", "has run on to", "The deadline has passed",
        )  # fmt: skip
        assert [text.count(words) for words in told] == [number] * len(told)
    assert len(set(found)) == 1 and found[0] <= 15


def test_every_link_of_the_board_opens(desk, people, waiting, burgoyne):
    Notice.objects.create(campaign=waiting, user=burgoyne, kind="due", subject="s", state="failed")
    Job.objects.create(kind="dry_run", key="d", campaign=waiting, state="failed", error="It broke.")
    for client in (desk, people["assistant"]):
        text = client.get("/umpire/").content.decode()
        board = text[text.index('class="desk-board"') :].partition("</article>")[0]
        links = re.findall(r'href="([^"]+)"', board)
        assert len(links) > 6
        for link in links:
            assert client.get(html.unescape(link)).status_code == 200, link
