"""Advancing days: once, whole, and the same however often it is tried."""

import pytest

from campaign.models import Battle, Campaign, DayRecord, Job, JournalEntry, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.world import world_hash
from campaign.services import turns
from campaign.services.campaigns import campaign_create
from campaign.services.turns import AlreadyAdvanced, advance_request, day_advance
from campaign.state import world_load
from rosters.models import Unit

from .conftest import SECRET

pytestmark = pytest.mark.django_db


def advance(campaign: Campaign, days: int) -> Campaign:
    for _ in range(days):
        day_advance(campaign=campaign, actor=None)
    campaign.refresh_from_db()
    return campaign


def test_a_day_is_saved_whole(saratoga, umpire):
    result = day_advance(campaign=saratoga, actor=umpire)
    saratoga.refresh_from_db()
    (record,) = result.records
    assert (saratoga.day, record.day, record.kind) == (1, 1, "day")
    assert saratoga.head == record
    assert record.parent.kind == "start"
    assert record.actor == umpire
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
    played = turns.advance_day

    def slow(*args):
        monkeypatch.setattr(turns, "advance_day", played)
        day_advance(campaign=staff_campaign, actor=None)
        return played(*args)

    monkeypatch.setattr(turns, "advance_day", slow)
    with pytest.raises(AlreadyAdvanced, match="advanced already"):
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    assert staff_campaign.day == 1
    assert list(staff_campaign.records.values_list("day", flat=True)) == [0, 1]


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
        attacker="crown", defender="rebel", inputs={},
    )  # fmt: skip
    with pytest.raises(
        RuleViolation, match="settle it by the engine, the tabletop result or the umpire's word"
    ):
        day_advance(campaign=saratoga, actor=None)
    with pytest.raises(RuleViolation):
        advance_request(campaign=saratoga, actor=None)


def test_altered_strengths_are_noticed_before_anything_is_played(saratoga):
    unit = Unit.objects.filter(order_of_battle=saratoga.order_of_battle, points__gt=20).first()
    Unit.objects.filter(pk=unit.pk).update(points=unit.points - 5)
    with pytest.raises(RuleViolation, match="Run verifycampaign saratoga"):
        day_advance(campaign=saratoga, actor=None)


def test_asking_twice_is_one_job(saratoga, umpire, gates):
    first = advance_request(campaign=saratoga, actor=umpire)
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


def test_a_day_of_many_more_units_takes_no_more_queries(staff_campaign, django_assert_max_num_queries):
    """Statements grow by whole batches of at least 500 rows, not by units."""
    with django_assert_max_num_queries(60):
        day_advance(campaign=staff_campaign, actor=None)
    assert DayRecord.objects.filter(campaign=staff_campaign).count() == 2
