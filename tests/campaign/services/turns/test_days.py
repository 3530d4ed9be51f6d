"""Advancing days: once, whole, and the same however often it is tried."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.ledger.journal import record_append
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Battle, Campaign, Job, JournalEntry, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import world_hash
from campaign.services.jobs.jobs import job_claim
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import campaign_create
from campaign.services.turns import days as turns
from campaign.services.turns.days import AlreadyAdvanced, day_advance
from campaign.services.turns.runs import advance_request, turn_job
from rosters.models import Unit
from tests.campaign.conftest import SECRET

pytestmark = pytest.mark.django_db


def quietly(percent: int, note: str) -> None:
    """Nobody watches the job."""


def claimed(job: Job) -> Job:
    taken = job_claim(job_id=job.pk)
    assert taken is not None
    return taken


def advance(campaign: Campaign, days: int) -> Campaign:
    for _ in range(days):
        day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
    return campaign


def test_a_day_is_saved_whole(saratoga, carleton):
    result = day_advance(campaign=saratoga, actor=carleton)
    saratoga.refresh_from_db()
    (record,) = result.records
    assert (saratoga.day, record.day, record.kind) == (1, 1, "day")
    assert saratoga.head == record
    assert record.parent.kind == "start"
    assert record.actor == carleton
    assert world_hash(world_load(saratoga)) == record.world_hash
    assert JournalEntry.objects.filter(record=record, kind="weather").exists()


def test_the_seventh_day_closes_the_week_awi_c_pol_04(staff_campaign):
    advance(staff_campaign, 7)
    kinds = list(staff_campaign.records.values_list("kind", flat=True))
    assert kinds == ["start", *["day"] * 7, "week"]
    rules = set(JournalEntry.objects.filter(record__kind="week").values_list("rule", flat=True))
    assert {"AWI-C-ATT-01", "AWI-C-MIL-01", "AWI-C-EUR-01"} <= rules


def test_the_same_secret_is_the_same_war(staff_campaign):
    other = campaign_create(scenario="saratoga-1777", slug="again", secret=SECRET, battle_policy="automatic")
    another = campaign_create(
        scenario="saratoga-1777", slug="another", secret=b"x" * 32, battle_policy="automatic"
    )
    hashes = [advance(campaign, 8).head.world_hash for campaign in (staff_campaign, other, another)]
    assert hashes[0] == hashes[1] != hashes[2]


def test_who_comes_second_writes_nothing(staff_campaign, monkeypatch):
    """Another worker advances the day while ours is computed."""
    played = turns.play_day

    def slow(*args):
        monkeypatch.setattr(turns, "play_day", played)
        day_advance(campaign=staff_campaign, actor=None)
        return played(*args)

    monkeypatch.setattr(turns, "play_day", slow)
    with pytest.raises(AlreadyAdvanced, match="advanced already"):
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert staff_campaign.day == 1
    assert list(staff_campaign.records.values_list("day", flat=True)) == [0, 1]


def test_a_battle_opened_under_the_staffs_pen_is_waited_for_hr_cal_05(staff_campaign, monkeypatch):
    """Another worker plays the day up to a battle, after it was looked for and before the staff's orders."""
    written = turns.staff_orders_submit

    def late(**given):
        Battle.objects.get_or_create(
            campaign=staff_campaign, day=0, contact="d0/ticonderoga/1", minute=600, place="ticonderoga",
            attacker="crown", defender="rebel", inputs={"file": {"title": "Battle of Ticonderoga"}},
        )  # fmt: skip
        return written(**given)

    monkeypatch.setattr(turns, "staff_orders_submit", late)
    with pytest.raises(turns.BattleWaits):
        day_advance(campaign=staff_campaign, actor=None)
    assert not OrderPaper.objects.exists()


def test_a_failure_while_saving_leaves_the_day_before(staff_campaign, monkeypatch):
    def broken(**kwargs):
        raise RuntimeError("disk full")

    before = world_load(staff_campaign)
    with monkeypatch.context() as patch:
        patch.setattr(turns, "record_append", broken)
        with pytest.raises(RuntimeError):
            day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert staff_campaign.day == 0
    assert world_load(staff_campaign) == before
    assert not JournalEntry.objects.filter(record__kind="day").exists()


def test_an_ended_campaign_is_refused(staff_campaign):
    Campaign.objects.filter(pk=staff_campaign.pk).update(state=Campaign.State.ENDED)
    with pytest.raises(RuleViolation, match="has ended; start a new campaign"):
        day_advance(campaign=staff_campaign, actor=None)


def test_an_unresolved_battle_stops_the_day_and_says_what_to_do(saratoga):
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/ticonderoga/1", minute=600, place="ticonderoga",
        attacker="crown", defender="rebel", inputs={"file": {"title": "Battle of Ticonderoga"}},
    )  # fmt: skip
    with pytest.raises(
        RuleViolation, match="settle it by the engine, the tabletop result or the umpire's word"
    ):
        day_advance(campaign=saratoga, actor=None)
    Campaign.objects.filter(pk=saratoga.pk).update(run_on_days=0)
    saratoga.refresh_from_db()
    with pytest.raises(RuleViolation, match="settle it by the engine"):
        advance_request(campaign=saratoga, actor=None)


def test_altered_strengths_are_noticed_before_anything_is_played_hr_cal_08(saratoga):
    unit = Unit.objects.filter(order_of_battle=saratoga.order_of_battle, points__gt=20).first()
    Unit.objects.filter(pk=unit.pk).update(points=unit.points - 5)
    with pytest.raises(RuleViolation, match="Run verifycampaign saratoga"):
        day_advance(campaign=saratoga, actor=None)


def test_asking_twice_is_one_job(saratoga, carleton, gates):
    first = advance_request(campaign=saratoga, actor=carleton)
    assert advance_request(campaign=saratoga, actor=gates) == first
    assert Job.objects.count() == 1


def test_the_staff_leaves_commanded_sides_alone(saratoga):
    day_advance(campaign=saratoga, actor=None)
    assert not OrderPaper.objects.filter(campaign=saratoga).exists()


def test_the_staff_orders_where_nobody_commands(staff_campaign):
    day_advance(campaign=staff_campaign, actor=None)
    papers = OrderPaper.objects.filter(campaign=staff_campaign)
    assert set(papers.values_list("side", flat=True)) == {"crown", "rebel"}
    assert set(papers.values_list("state", flat=True)) == {"carried_out"}


def test_an_order_that_comes_in_while_the_day_is_computed_counts(saratoga, burgoyne, monkeypatch):
    played = turns.play_day
    order = Order("advanced_corps", ("valcour_island",))

    def interrupted(*args):
        monkeypatch.setattr(turns, "play_day", played)
        order_submit(campaign=saratoga, side="crown", order=order, actor=burgoyne)
        return played(*args)

    monkeypatch.setattr(turns, "play_day", interrupted)
    (record,) = day_advance(campaign=saratoga, actor=None).records
    assert [row["formation"] for row in record.inputs["orders"]] == ["advanced_corps"]
    assert OrderPaper.objects.get().state == OrderPaper.State.CARRIED_OUT


def test_a_job_plays_the_day_it_names_and_no_other(staff_campaign):
    job = advance_request(campaign=staff_campaign, actor=None)
    day_advance(campaign=staff_campaign, actor=None)
    assert turn_job(claimed(job), quietly) == {"day": 1, "waiting": 0, "provisional": 0}
    staff_campaign.refresh_from_db()
    assert staff_campaign.day == 1
    with pytest.raises(AlreadyAdvanced):
        day_advance(campaign=staff_campaign, actor=None, day=0)
    with pytest.raises(AlreadyAdvanced):
        advance_request(campaign=staff_campaign, actor=None, day=0)


def test_the_players_deadline_does_not_bind_the_staff(staff_campaign):
    past = timezone.now() - timedelta(minutes=1)
    Campaign.objects.filter(pk=staff_campaign.pk).update(deadline=past)
    day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert (staff_campaign.day, staff_campaign.deadline) == (1, None)


def test_a_day_saved_while_the_world_was_read_is_no_tampering(staff_campaign, monkeypatch):
    loaded = turns.world_load

    def late(campaign):
        monkeypatch.setattr(turns, "world_load", loaded)
        day_advance(campaign=staff_campaign, actor=None)
        return loaded(campaign)

    monkeypatch.setattr(turns, "world_load", late)
    with pytest.raises(AlreadyAdvanced):
        day_advance(campaign=staff_campaign, actor=None)


def test_ten_times_the_units_take_no_more_queries(db):
    """Statements grow by whole batches of at least 500 rows, not by units."""
    plain = queries_of_a_day(campaign_create(scenario="saratoga-1777", slug="plain", secret=SECRET))
    large = campaign_create(scenario="saratoga-1777", slug="large", secret=SECRET)
    world = world_load(large)
    copies = {
        f"{unit.id}-{number}": replace(unit, id=f"{unit.id}-{number}")
        for unit in world.units.values()
        for number in range(9)
    }
    larger = replace(world, units={**world.units, **copies})
    world_save(large, world, larger)
    record_append(
        campaign=large, kind="day", happened_on=0, inputs={}, versions={}, events=[], world=larger, actor=None
    )
    large.save()
    assert queries_of_a_day(large) <= plain + 4


def queries_of_a_day(campaign: Campaign) -> int:
    with CaptureQueriesContext(connection) as queries:
        day_advance(campaign=campaign, actor=None)
    return len(queries)
