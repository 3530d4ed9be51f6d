"""The umpire's acts saved: chained, once, replayed; real dice in the day (HR-UMP)."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.fog.visibility import viewer_of
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, DayRecord, JournalEntry, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.world.markers import Position
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import world_hash
from campaign.selectors.press.journal import journal_page
from campaign.services.orders.march_orders import order_submit
from campaign.services.proof.database import NotVerified, campaign_verify
from campaign.services.turns import days
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.turns.runs import advance_request
from campaign.services.umpire.corrections import act_perform
from campaign.text.place_names import names_of
from rosters.models import Unit
from tests.factories.years import NEXT_YEAR

pytestmark = pytest.mark.django_db

WHY = "The scenario had it wrong."


@pytest.fixture
def act(saratoga, carleton):
    def done(what: corrections.Act, reason: str = WHY, **more) -> DayRecord:
        record = act_perform(campaign=saratoga, act=what, reason=reason, actor=carleton, **more)
        saratoga.refresh_from_db()
        return record

    return done


def test_an_act_is_a_record_of_the_chain_with_its_reason_hr_ump_01(saratoga, carleton, act):
    before = saratoga.head
    record = act(corrections.PlaceFormation("advanced_corps", Position(place="valcour_island")))
    assert (record.kind, record.day, record.ordinal, record.reason) == ("act", 0, 0, WHY)
    assert (record.parent, record.actor, saratoga.head) == (before, carleton, record)
    assert world_load(saratoga).formations["advanced_corps"].position == Position(place="valcour_island")
    assert act(corrections.Pause(True)).ordinal == 1
    assert campaign_verify(campaign=saratoga).days == 0


def test_a_double_click_is_one_act_and_an_old_page_none_hr_ump_01(saratoga, act):
    seen = saratoga.head_id
    unit = Unit.objects.filter(order_of_battle=saratoga.order_of_battle, points=100).first()
    less = corrections.Reinforce(unit.slug, -20)
    first = act(less, seen=seen)
    assert act(less, seen=seen) == first
    unit.refresh_from_db()
    assert unit.points == 80
    with pytest.raises(RuleViolation, match="gone on since"):
        act(corrections.Reinforce(unit.slug, -10), seen=seen)


def test_units_are_added_and_renamed_in_the_books(saratoga, act):
    act(
        corrections.Add(
            "new_1", "New levies", "rebel", "continental", "continental_line", 60, "poors_brigade"
        )
    )
    act(corrections.Rename("unit", "new_1", "Albany levies"))
    act(corrections.Rename("formation", "poors_brigade", "Poor's men"))
    row = Unit.objects.get(order_of_battle=saratoga.order_of_battle, slug="new_1")
    assert (row.name, row.points, row.formation.name) == ("Albany levies", 60, "Poor's men")
    assert campaign_verify(campaign=saratoga)


def test_a_side_reads_what_touches_it_and_only_the_umpire_why_hr_ump_01(
    saratoga, act, burgoyne, gates, carleton
):
    act(corrections.Rumour("crown", "Arnold comes with 3,000 men."), "To frighten St Leger.")
    act(corrections.PlaceFormation("poors_brigade", Position(place="albany")))
    world = world_load(saratoga)

    def read(user) -> str:
        page = journal_page(viewer_of(user, saratoga), world, names_of(world))
        return " ".join(line.text for day in page.days for line in (*day.lines, *day.routine))

    crown, rebel, umpire = read(burgoyne), read(gates), read(carleton)
    assert "Arnold comes" in crown and "Arnold comes" not in rebel
    assert "put down" in rebel and "put down" not in crown
    assert "frighten" in umpire and "frighten" not in crown + rebel


def test_an_order_is_amended_or_cancelled_hr_ump_08(saratoga, burgoyne, act):
    given = order_submit(
        campaign=saratoga, side="crown", order=Order("advanced_corps", ("valcour_island",)), actor=burgoyne
    )
    act(corrections.CommandFormation("advanced_corps"))
    given.refresh_from_db()
    assert given.state == OrderPaper.State.REPLACED
    standing = OrderPaper.objects.get(state=OrderPaper.State.STANDING)
    assert (standing.version, standing.body["via"]) == (2, [])
    act(corrections.CancelOrder("activity", "advanced_corps", "crown"))
    assert not OrderPaper.objects.filter(state=OrderPaper.State.STANDING).exists()
    with pytest.raises(RuleViolation, match="no such paper"):
        act(corrections.CancelOrder("activity", "advanced_corps", "crown"))


def test_a_weeks_returns_are_struck_on_any_day_hr_ump_08(saratoga, act):
    paper = OrderPaper.objects.create(
        campaign=saratoga, day=6, kind="returns", formation="crown", side="crown", number=1, body={}
    )
    act(corrections.CancelOrder("returns", "crown", "crown"))
    paper.refresh_from_db()
    assert paper.state == OrderPaper.State.WITHDRAWN


def test_the_umpires_order_binds_a_staff_hr_ump_08(staff_campaign, carleton):
    order = Order("advanced_corps")
    act_perform(
        campaign=staff_campaign,
        act=corrections.CommandFormation("advanced_corps", order),
        reason=WHY,
        actor=carleton,
    )
    (record,) = day_advance(campaign=staff_campaign, actor=None).records
    by_formation = {row["formation"]: row["via"] for row in record.inputs["orders"]}
    assert list(by_formation.pop("advanced_corps")) == []
    assert by_formation


def test_a_campaign_that_rests_plays_no_day_hr_ump_10(saratoga, act):
    act(corrections.Pause(True), "Christmas")
    for ask in (day_advance, advance_request):
        with pytest.raises(RuleViolation, match="rests: Christmas"):
            ask(campaign=saratoga, actor=None)
    with pytest.raises(RuleViolation, match="rests already"):
        act(corrections.Pause(True))
    act(corrections.Pause(False))
    day_advance(campaign=saratoga, actor=None)


def test_the_deadline_moves_and_both_are_told_hr_ump_11(saratoga, act):
    until = timezone.now() + timedelta(days=2)
    act(corrections.Deadline(until.isoformat()))
    assert saratoga.deadline == until
    entry = JournalEntry.objects.get(kind="deadline_moved")
    assert entry.sides == "|crown|rebel|"
    with pytest.raises(RuleViolation, match="past"):
        act(corrections.Deadline((until - timedelta(days=3)).isoformat()))
    sooner = (until - timedelta(days=1)).isoformat()
    with pytest.raises(RuleViolation, match="people count on that"):
        act(corrections.Deadline(sooner))
    act(corrections.Deadline(sooner, earlier=True))
    for until in (f"{NEXT_YEAR}-06-01T20:00+00:00", ""):
        with pytest.raises(RuleViolation, match="not earlier than was said"):
            act(corrections.Deadline(until, earlier=True))
    assert JournalEntry.objects.filter(kind="deadline_moved").last().data["earlier"] is True
    act(corrections.Deadline(""))
    assert saratoga.deadline is None
    assert JournalEntry.objects.get(kind="deadline_dropped").sides == "|crown|rebel|"
    with pytest.raises(RuleViolation, match="There is no deadline"):
        act(corrections.Deadline(""))


def test_a_real_die_stands_for_the_computed_one_hr_ump_12(saratoga, act):
    usual = day_advance_weather(saratoga)
    value = usual["value"] % usual["sides"] + 1
    # the next day's wind
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 3))
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, value))
    (record,) = day_advance(campaign=saratoga, actor=None).records
    assert list(record.inputs["entered"].values()) == [value]
    wind = JournalEntry.objects.get(record=record, kind="weather").rolls[-1]
    assert (wind["value"], wind["entered"]) == (value, True)
    saratoga.refresh_from_db()
    assert campaign_verify(campaign=saratoga).replayed == 2
    # the day after throws its own again
    (after,) = day_advance(campaign=saratoga, actor=None).records
    assert "entered" not in after.inputs


def day_advance_weather(campaign: Campaign) -> dict:
    (record,) = day_advance(campaign=campaign, actor=None).records
    campaign.refresh_from_db()
    return JournalEntry.objects.get(record=record, kind="weather").rolls[-1]


def test_a_real_die_nobody_entered_is_found_hr_ump_12(saratoga, act):
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 3))
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    DayRecord.objects.filter(kind="act").update(
        inputs={"act": corrections.act_to_json(corrections.Pause(True)), "reason": WHY}
    )
    with pytest.raises(NotVerified):
        campaign_verify(campaign=saratoga)


def test_a_real_die_of_the_weeks_end_must_be_one_entered_hr_ump_12(saratoga, carleton, monkeypatch):
    week = [day_advance(campaign=saratoga, actor=None) for _ in range(7)][-1].records[-1]
    assert week.kind == "week"
    assert campaign_verify(campaign=saratoga_again(saratoga)).replayed == 7
    roll = week.entries.exclude(rolls=[]).first().rolls[0]
    campaign_rewind(campaign=saratoga, record=week.parent.parent, reason=WHY, actor=carleton, seen=None)
    forged = {roll["address"]: roll["value"] % roll["sides"] + 1}
    honest, step = days.close_week, days._PendingRecord

    def closed(world, choices, dice):
        return honest(world, choices, replace(dice, entered=forged))

    def told(kind, inputs, events, world):
        return step(kind, {**inputs, "entered": forged} if kind == "week" else inputs, events, world)

    monkeypatch.setattr(days, "close_week", closed)
    monkeypatch.setattr(days, "_PendingRecord", told)
    day_advance(campaign=saratoga, actor=None)
    with pytest.raises(NotVerified, match="not those entered"):
        campaign_verify(campaign=saratoga_again(saratoga))


def saratoga_again(campaign: Campaign) -> Campaign:
    return Campaign.objects.get(pk=campaign.pk)


def test_a_real_die_counts_at_the_weeks_end_too_hr_ump_12(saratoga, act):
    for _ in range(6):
        day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 3))
    day_advance(campaign=saratoga, actor=None)
    assert campaign_verify(campaign=saratoga_again(saratoga)).replayed == 7
    day_advance(campaign=saratoga, actor=None)
    assert campaign_verify(campaign=saratoga_again(saratoga)).replayed == 8


def test_a_die_no_day_asks_for_is_refused_at_once_hr_ump_12(saratoga, act):
    with pytest.raises(RuleViolation, match="has 6 faces, not 10"):
        act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 9, 10))
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_die_with_too_many_faces_stops_the_day_with_a_sentence_hr_ump_12(saratoga, act, monkeypatch):
    """Where only the day knows how many there are."""
    monkeypatch.setattr("campaign.services.umpire.corrections.verify_throw", lambda world, act: None)
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 9, 10))
    with pytest.raises(RuleViolation, match="must be 1 to 6"):
        day_advance(campaign=saratoga, actor=None)
    act(corrections.EnterDie("HR-WEA-02", "theatre", 0, 4))
    day_advance(campaign=saratoga, actor=None)


def test_an_act_while_the_day_is_computed_counts(saratoga, carleton, act, monkeypatch):
    played = days.play_day

    def interrupted(*args):
        monkeypatch.setattr(days, "play_day", played)
        act(corrections.SetWeather(0, "storm"))
        return played(*args)

    monkeypatch.setattr(days, "play_day", interrupted)
    (record,) = day_advance(campaign=saratoga, actor=None).records
    assert JournalEntry.objects.get(record=record, kind="weather").data["weather"] == "storm"


def test_while_a_battle_is_open_nobody_is_moved(saratoga, battle: Battle, act):
    with pytest.raises(RuleViolation, match="already being played"):
        act(corrections.PlaceFormation("advanced_corps", Position(place="valcour_island")))
    act(corrections.Rumour("crown", "It rains in Albany."))


def test_what_is_refused_writes_nothing(saratoga, act):
    before = world_hash(world_load(saratoga))
    for refused in (
        corrections.CommandFormation("advanced_corps", Order("advanced_corps", ("london",))),
        corrections.Pause(False),
    ):
        with pytest.raises(RuleViolation):
            act(refused)
    assert world_hash(world_load(saratoga)) == before
    assert not DayRecord.objects.filter(kind="act").exists()
    assert not OrderPaper.objects.exists()
