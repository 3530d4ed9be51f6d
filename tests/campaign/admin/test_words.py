"""What rows, columns and pages of the umpire's lists say: words instead of keys, days counted from 1."""

import html
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaign.models import Battle, Job, JournalEntry, Notice, OrderPaper, Seat
from campaign.rules.world.world import Order
from campaign.scenarios.theatres import theatre_load
from campaign.services.orders.march_orders import order_submit
from campaign.text.unit_names import day_words
from rosters.models import Formation, Pool, Unit


def listed(desk, name: str, query: str = "") -> str:
    return html.unescape(desk.get(reverse(f"umpire:{name}_changelist") + query).content.decode())


def row_text(desk, row) -> str:
    page = reverse(f"umpire:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])
    with CaptureQueriesContext(connection) as asked:
        text = html.unescape(desk.get(page).content.decode())
    assert len(asked) <= 20
    return text


def offered(text: str) -> list[str]:
    """The keys of what can be done to a row, in order."""
    parts = text.split('name="action" value="')[1:]
    return [part.partition('"')[0] for part in parts]


# --- names of rows ---


def test_entries_are_called_by_day_and_kind(desk, saratoga):
    entry = JournalEntry.objects.get(kind="campaign_begins")
    assert str(entry) == "Day 1, campaign begins"
    assert str(entry) in row_text(desk, entry)


def test_a_paper_is_called_by_what_it_is_about(desk, saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("castleton",)), actor=burgoyne
    )
    paper = OrderPaper.objects.get()
    name = Formation.objects.get(slug="advanced_corps").name
    assert str(paper) == "Advanced corps, day 1, version 1"
    assert f"{name}, day 1, version 1" in row_text(desk, paper)
    returns = OrderPaper(kind=OrderPaper.Kind.RETURNS, formation="crown", day=6, version=2)
    assert str(returns) == "Crown, weekly returns, day 7, version 2"


def test_jobs_and_notices_are_called_by_words(desk, saratoga, carleton):
    job = Job.objects.create(kind="dry_run", key="d/1", campaign=saratoga)
    assert str(job) == f"The day tried out, no. {job.pk}" and str(job) in row_text(desk, job)
    assert str(Job(kind="campaign_restore", pk=7)) == "Campaign restore, no. 7"
    carleton.first_name, carleton.last_name = "Guy", "Carleton"
    carleton.save()
    notice = Notice.objects.create(campaign=saratoga, user=carleton, kind="late", subject="2026-11-21T01:53")
    Notice.objects.update(created_at=datetime(2026, 6, 1, 21, 5, tzinfo=UTC))
    text = row_text(desk, notice)
    assert "Orders were missed: Guy Carleton, 1 June" in text and "T01:53" not in text


def test_a_list_and_its_place_in_the_menu_have_one_name(desk, saratoga):
    for name, title in (("campaign_notice", "Notices"), ("campaign_job", "Jobs")):
        text = " ".join(listed(desk, name).split())
        assert text.count(f"> {title} <") + text.count(f">{title}<") >= 2, title
        assert "Notices sent" not in text and "Work in hand" not in text


# --- columns ---


def test_sides_pools_and_days_are_told_as_on_the_site(desk, saratoga):
    seat = saratoga.seats.get(role=Seat.Role.COMMANDER, side="rebel")
    Seat.objects.filter(pk=seat.pk).update(until_day=5)
    first, last = _date(saratoga, 0), _date(saratoga, 4)
    for text in (listed(desk, "campaign_seat"), row_text(desk, seat)):
        assert "United States" in text and ">rebel<" not in text
        assert f"day 1, {first}" in text and f"day 5, {last}" in text
    Pool.objects.create(order_of_battle=saratoga.order_of_battle, nation="american", arm="line", points=3)
    assert "American line pool" in listed(desk, "rosters_pool")


def _date(campaign, day: int) -> str:
    return day_words(theatre_load(campaign).start, day)


def test_a_unit_tells_its_days_from_1_and_only_those_it_has(desk, saratoga):
    unit = Unit.objects.filter(formation__slug="advanced_corps", departs=None)[0]
    text = row_text(desk, unit)
    assert f"day 1, {_date(saratoga, 0)}" in text and "Departs" not in text
    Unit.objects.filter(pk=unit.pk).update(departs=9, arrives=4)
    text = row_text(desk, unit)
    assert f"day 10, {_date(saratoga, 9)}" in text and f"day 5, {_date(saratoga, 4)}" in text


def test_a_formations_points_are_those_there_and_those_in_all(desk, saratoga):
    formation = Formation.objects.get(slug="advanced_corps")
    Unit.objects.filter(formation=formation).update(points=10, status="present")
    away = Unit.objects.filter(formation=formation)[0]
    Unit.objects.filter(pk=away.pk).update(status="expected")
    row = desk.get(reverse("umpire:rosters_formation_changelist"), {"q": formation.name}).context["cl"]
    found = row.queryset.get(slug=formation.slug)
    assert found.sum - found.present == 10
    assert "points present" in listed(desk, "rosters_formation").lower()


def test_an_entrys_page_leaves_out_what_it_has_nothing_of(desk, saratoga):
    entry = JournalEntry.objects.get(kind="campaign_begins")
    text = row_text(desk, entry)
    assert "commitment" in text
    for label in ("Rolls", "Modifiers", "Pool", "Before"):
        assert f"{label}:" not in text and f">{label}<" not in text, label
    JournalEntry.objects.filter(pk=entry.pk).update(before=0, rolls=[3])
    text = row_text(desk, entry)
    assert "Rolls" in text and "Before" in text and "Modifiers" not in text


# --- what can be done now ---


@pytest.mark.parametrize(
    ("source", "told"),
    [("engine", "by the engine"), ("table", "on the table"), ("umpire", "by the umpire's word")],
)
def test_a_settled_battle_says_how_and_offers_no_other_way(desk, battle, source, told):
    assert offered(row_text(desk, battle)) == ["way", "settle"]
    assert "not said yet" in row_text(desk, battle)
    Battle.objects.filter(pk=battle.pk).update(state="settled", source=source, settled_at=timezone.now())
    text = row_text(desk, battle)
    assert told in text and "not said yet" not in text and offered(text) == []
    assert told in listed(desk, "campaign_battle")


def test_the_engine_is_not_offered_what_is_fought_on_the_table(desk, battle):
    Battle.objects.filter(pk=battle.pk).update(way="table")
    assert offered(row_text(desk, battle)) == ["way"]
    Battle.objects.filter(pk=battle.pk).update(way="engine", revision=9)
    assert offered(row_text(desk, battle)) == []


def test_a_campaign_is_offered_rest_or_going_on(desk, saratoga):
    text = row_text(desk, saratoga)
    assert offered(text) == ["advance", "pause", "deadline"]
    assert text.count("desk-button taking") == 1
    saratoga.paused = "The umpire is away."
    saratoga.save()
    assert offered(row_text(desk, saratoga)) == ["resume", "deadline"]
    saratoga.state = "ended"
    saratoga.save()
    assert offered(row_text(desk, saratoga)) == []


@pytest.mark.parametrize(
    ("kind", "state", "keys"),
    [
        ("dry_run", "queued", ["stop"]),
        ("dry_run", "running", ["stop"]),
        ("dry_run", "done", []),
        ("dry_run", "failed", ["try_again"]),
        ("dry_run", "cancelled", ["try_again"]),
        ("advance_day", "running", []),
    ],
)
def test_a_job_is_offered_what_fits_its_state(desk, saratoga, kind, state, keys):
    job = Job.objects.create(kind=kind, key="d", campaign=saratoga, state=state, note="3 of 4 courses")
    text = row_text(desk, job)
    assert offered(text) == keys
    assert ("3 of 4 courses" in text) is (state != "done"), "what is done says no more how far it is"


def test_papers_notices_and_seats_are_offered_what_fits(desk, saratoga, burgoyne):
    order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("castleton",)), actor=burgoyne
    )
    paper = OrderPaper.objects.get()
    assert offered(row_text(desk, paper)) == ["strike"]
    OrderPaper.objects.update(state="withdrawn")
    assert offered(row_text(desk, paper)) == []
    notice = Notice.objects.create(campaign=saratoga, user=burgoyne, kind="due", subject="s", state="sent")
    assert offered(row_text(desk, notice)) == []
    Notice.objects.update(state="failed")
    assert offered(row_text(desk, notice)) == ["send_again"]
    seat = saratoga.seats.get(user=burgoyne)
    assert offered(row_text(desk, seat)) == ["dates", "empty", "close"]
    Seat.objects.filter(pk=seat.pk).update(user=None)
    assert offered(row_text(desk, seat)) == ["invite", "dates", "offer", "close"]
    Seat.objects.filter(pk=seat.pk).update(offered=True)
    assert offered(row_text(desk, seat)) == ["invite", "dates", "keep", "close"]
