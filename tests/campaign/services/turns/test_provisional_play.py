"""Days that run on beside a battle: stored apart, ordered for by day, played again with the outcome."""

from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.ledger.journal import event_from_entry, event_to_json
from campaign.ledger.provisional_days import coming_day, days_ahead, load_outlook
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, DayRecord, Job, JournalEntry, OrderPaper, ProvisionalDay
from campaign.rules.army.organisation import Join, Transfer
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.victory.treaties import OfferTerms
from campaign.rules.world.world import Order, Position
from campaign.rules.world.world_json import to_canonical_json, world_hash
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.jobs.jobs import JobLost, job_cancel, job_claim
from campaign.services.orders.march_orders import order_submit
from campaign.services.orders.organisation import organisation_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.turns import days as turns
from campaign.services.turns import provisional_play, runs
from campaign.services.turns.days import AlreadyAdvanced, BattleProgress, day_advance
from campaign.services.turns.provisional_play import day_run_on
from campaign.services.turns.rewind import campaign_rewind
from campaign.services.turns.runs import advance_request, battles_overdue_settle, turn_advance, turn_job
from campaign.services.umpire.corrections import act_perform

pytestmark = pytest.mark.django_db

FRASER, POOR, HAMILTON = "advanced_corps", "poors_brigade", "british_2nd_brigade"
FAR_OFF = (("german_1st_brigade", "fort_edward"), ("patersons_brigade", "half_moon"))


def again(campaign: Campaign) -> Campaign:
    return Campaign.objects.select_related("head").get(pk=campaign.pk)


def order(campaign: Campaign, *given: Order) -> None:
    for each in given:
        side = world_load(campaign).formations[each.formation].side
        order_submit(campaign=campaign, side=side, order=each, actor=campaign.seats.get(side=side).user)


def decide(campaign: Campaign, **more: int) -> None:
    for battle in campaign.battles.filter(state=Battle.State.WAITING):
        lost = {battle.attacker: 20, battle.defender: 30}
        battle_settle_by_word(
            battle=battle, field_held_by=battle.attacker, percent_lost=lost, actor=None, **more
        )


def shown(day: ProvisionalDay) -> Counter[bytes]:
    return Counter(map(to_canonical_json, day.events))


def told(record: DayRecord) -> Counter[bytes]:
    return Counter(
        to_canonical_json(event_to_json(event_from_entry(entry))) for entry in record.entries.all()
    )


def test_hr_cal_11_the_rest_runs_on_for_three_days_and_the_chain_stays_where_it_is(waiting):
    head, before = waiting.head_id, world_hash(world_load(waiting))
    for number in range(3):
        day_run_on(campaign=waiting, actor=None, day=number)
    with pytest.raises(RuleViolation, match="3 days that may run on"):
        day_run_on(campaign=waiting, actor=None)
    waiting = again(waiting)
    assert (waiting.day, waiting.head_id, coming_day(waiting)) == (0, head, 3)
    assert world_hash(world_load(waiting)) == before
    found = load_outlook(waiting)
    assert found.provisional and found.world.day == 3
    assert {FRASER, POOR} <= set(found.locked)
    assert HAMILTON not in found.locked
    assert found.world.formations[HAMILTON].position != world_load(waiting).formations[HAMILTON].position
    assert found.world.formations[FRASER].position == Position(place="castleton")


def test_hr_cal_11_the_outcome_lands_on_its_day_and_what_was_shown_stands(waiting):
    for _ in range(3):
        day_run_on(campaign=waiting, actor=None)
    days = days_ahead(waiting)
    decide(waiting)
    result = turn_advance(campaign=waiting, actor=None)
    assert (result.day, result.waiting, result.provisional) == (3, 0, 0)
    records = list(DayRecord.objects.filter(campaign=waiting, kind="day"))
    assert [record.day for record in records] == [1, 2, 3]
    for day, record in zip(days, records, strict=True):
        day.refresh_from_db()
        assert day.record == record
        assert not shown(day) - told(record)
    assert "apart" in records[0].inputs
    assert JournalEntry.objects.get(record=records[0], kind="battle").place == "hubbardton"
    assert not days_ahead(again(waiting))
    assert campaign_verify(campaign=again(waiting)).replayed == 3


@pytest.mark.parametrize(
    "act", [corrections.Rumour("rebel", "Burgoyne is ill."), OfferTerms("crown", "", "Let us go home.")]
)
def test_hr_cal_11_word_that_comes_while_a_battle_waits_voids_no_day_that_ran_on(act, waiting, carleton):
    for _ in range(3):
        day_run_on(campaign=waiting, actor=None)
    days = days_ahead(waiting)
    act_perform(campaign=waiting, act=act, reason="A deserter talks.", actor=carleton)
    decide(waiting)
    assert turn_advance(campaign=waiting, actor=None).day == 3
    for day, record in zip(days, DayRecord.objects.filter(campaign=waiting, kind="day"), strict=True):
        day.refresh_from_db()
        assert day.record == record and "apart" in record.inputs
        assert not shown(day) - told(record)
    world = world_load(again(waiting))
    assert world.rumours if isinstance(act, corrections.Rumour) else world.offers
    assert campaign_verify(campaign=again(waiting)).replayed == 3


def test_hr_cal_10_who_is_locked_takes_no_orders_and_the_others_do_day_by_day(waiting, burgoyne):
    day_run_on(campaign=waiting, actor=None)
    with pytest.raises(RuleViolation, match="waits for the outcome of the Battle of Hubbardton") as refused:
        order(waiting, Order(FRASER, ("castleton",)))
    assert refused.value.rule_id == "HR-CAL-10"
    units = tuple(key for key, unit in load_outlook(waiting).world.units.items() if unit.formation == FRASER)
    for act in (Transfer(units[:1], HAMILTON), Join(HAMILTON, FRASER)):
        with pytest.raises(RuleViolation, match="waits for the outcome"):
            organisation_submit(campaign=waiting, side="crown", acts=[act], actor=burgoyne)
    order(waiting, Order(HAMILTON))  # halt
    assert OrderPaper.objects.get(formation=HAMILTON, state="standing", day=1)
    stands = load_outlook(waiting).world.formations[HAMILTON].position
    day_run_on(campaign=waiting, actor=None)
    assert load_outlook(waiting).world.formations[HAMILTON].position == stands
    decide(waiting)
    with pytest.raises(RuleViolation, match="is settled; order Advanced Corps again when its day"):
        order(waiting, Order(FRASER, ("castleton",)))
    turn_advance(campaign=waiting, actor=None)
    assert world_load(again(waiting)).formations[HAMILTON].position == stands
    assert set(OrderPaper.objects.filter(formation=HAMILTON).values_list("state", flat=True)) == {
        "carried_out"
    }
    assert campaign_verify(campaign=again(waiting)).replayed == 2


def test_a_second_battle_on_a_day_that_runs_on_waits_likewise(meeting, carleton):
    for name, place in FAR_OFF:
        act = corrections.PlaceFormation(name, Position(place=place))
        act_perform(campaign=meeting, act=act, reason="Another story begins here.", actor=carleton)
    order(meeting, Order("german_1st_brigade", ("half_moon",), stance="attack"))
    turn_advance(campaign=meeting, actor=None)
    turn_advance(campaign=meeting, actor=None)
    assert list(meeting.battles.order_by("day").values_list("day", "place")) == [
        (0, "hubbardton"),
        (1, "half_moon"),
    ]
    found = load_outlook(again(meeting))
    contacts = dict(meeting.battles.values_list("place", "contact"))
    assert found.locked[POOR] == (contacts["hubbardton"],)
    assert found.locked["patersons_brigade"] == (contacts["half_moon"],)
    days = days_ahead(again(meeting))
    for battle in meeting.battles.order_by("day"):
        lost = {battle.attacker: 10, battle.defender: 10}
        battle_settle_by_word(battle=battle, field_held_by=battle.defender, percent_lost=lost, actor=None)
        turn_advance(campaign=again(meeting), actor=None)
    assert again(meeting).day == 2
    for day in days:
        day.refresh_from_db()
        assert not shown(day) - told(day.record)
    assert campaign_verify(campaign=again(meeting)).replayed == 2


def test_two_clicks_are_one_day_that_runs_on(waiting):
    day_run_on(campaign=waiting, actor=None, day=0)
    with pytest.raises(AlreadyAdvanced):
        day_run_on(campaign=waiting, actor=None, day=0)
    assert ProvisionalDay.objects.count() == 1


def test_who_comes_second_writes_no_second_provisional_day(waiting, monkeypatch):
    """Another worker plays the same day while ours is computed."""
    played = provisional_play.run_on

    def slow(*args):
        monkeypatch.setattr(provisional_play, "run_on", played)
        day_run_on(campaign=waiting, actor=None)
        return played(*args)

    monkeypatch.setattr(provisional_play, "run_on", slow)
    with pytest.raises(AlreadyAdvanced):
        day_run_on(campaign=waiting, actor=None, day=0)
    assert ProvisionalDay.objects.count() == 1


def test_who_finds_the_battle_opened_meanwhile_lets_the_rest_run_on(meeting, monkeypatch):
    """Another worker plays the day up to its battle between this one's look and its own try (HR-CAL-07)."""
    tried = []

    def after_the_other(**asked):
        tried.append(day_advance(**asked).battles_waiting)
        return day_advance(**asked)

    monkeypatch.setattr(runs, "day_advance", after_the_other)
    result = turn_advance(campaign=meeting, actor=None)
    ((waiting,),) = tried
    assert (result.day, result.waiting, result.provisional) == (0, 1, 1)
    assert [battle.pk for battle in meeting.battles.all()] == [waiting.pk]


def test_nothing_runs_on_without_a_battle_or_where_it_may_not(meeting):
    with pytest.raises(RuleViolation, match="No battle waits"):
        day_run_on(campaign=meeting, actor=None)
    day_advance(campaign=meeting, actor=None)
    Campaign.objects.update(run_on_days=0)
    with pytest.raises(RuleViolation, match="settle it by the engine"):
        day_run_on(campaign=meeting, actor=None)
    assert not ProvisionalDay.objects.exists()


def test_what_ran_on_is_void_when_the_umpire_goes_back(waiting, carleton):
    day_run_on(campaign=waiting, actor=None)
    campaign_rewind(
        campaign=waiting, record=waiting.records.get(kind="start"), reason="A wrong map.", actor=carleton
    )
    assert not days_ahead(again(waiting))
    assert coming_day(again(waiting)) == 0


def test_what_ran_on_is_void_when_the_umpire_acts_between(waiting, carleton):
    for _ in range(2):
        day_run_on(campaign=waiting, actor=None)
    decide(waiting)
    day_advance(campaign=waiting, actor=None)
    assert [day.day for day in days_ahead(again(waiting))] == [1]
    act = corrections.PlaceFormation(FRASER, Position(place="montreal"))
    act_perform(campaign=again(waiting), act=act, reason="Taken home.", actor=carleton)
    assert (days_ahead(again(waiting)), coming_day(again(waiting))) == ([], 1)
    (record,) = day_advance(campaign=again(waiting), actor=None).records
    assert "apart" not in record.inputs
    assert campaign_verify(campaign=again(waiting)).replayed == 2


# --- turns ---


def run_until(campaign: Campaign, until: str, **more: object) -> Campaign:
    Campaign.objects.filter(pk=campaign.pk).update(run_until=until, **more)
    return again(campaign)


def test_hr_cal_12_a_turn_is_so_many_days(saratoga):
    result = turn_advance(campaign=run_until(saratoga, "turn", days_a_turn=3), actor=None)
    assert (result.day, again(saratoga).day) == (3, 3)


def test_hr_cal_12_a_turn_ends_with_the_week_at_the_latest(saratoga):
    for until in ("week", "contact"):
        Campaign.objects.filter(pk=saratoga.pk).update(run_until=until)
        assert turn_advance(campaign=saratoga, actor=None).day % 7 == 0
    assert again(saratoga).day == 14


def test_hr_cal_12_run_until_sighting_stops_on_the_day_an_enemy_is_seen(saratoga, carleton):
    track, miles = "chimney_point--mount_independence--track", 17
    near = Position("", track, "chimney_point", "mount_independence", miles * 1760)
    act_perform(
        campaign=saratoga, act=corrections.PlaceFormation(FRASER, near), reason="Nearer.", actor=carleton
    )
    result = turn_advance(campaign=run_until(saratoga, "sighting"), actor=None)
    seen = JournalEntry.objects.filter(campaign=saratoga, kind="enemy_sighted")
    assert set(seen.values_list("day", flat=True)) == {result.day - 1}
    assert 0 < result.day < 7
    assert not JournalEntry.objects.filter(campaign=saratoga, kind__in=runs.CONTACT_KINDS).exists()
    act = corrections.PlaceFormation(FRASER, Position(place="montreal"))
    act_perform(campaign=again(saratoga), act=act, reason="Away.", actor=carleton)
    assert turn_advance(campaign=saratoga, actor=None).day == 7


def test_hr_cal_12_a_battle_ends_the_turn_once_the_others_have_played_the_day(meeting):
    result = turn_advance(campaign=run_until(meeting, "contact"), actor=None)
    assert (result.day, result.waiting, result.provisional) == (0, 1, 1)
    assert turn_advance(campaign=meeting, actor=None).provisional == 1  # asked again, they play one more
    decide(meeting)
    assert turn_advance(campaign=meeting, actor=None).day == 2  # all that had run on, and no more


def test_a_turn_is_one_job_with_progress_and_stops_when_cancelled(saratoga):
    run_until(saratoga, "week")
    job = job_claim(job_id=advance_request(campaign=saratoga, actor=None).pk)
    notes: list[tuple[int, str]] = []

    def watch(percent: int, note: str) -> None:
        notes.append((percent, note))
        if note == "Day 3 is being played.":
            job_cancel(job=job)

    with pytest.raises(JobLost):
        turn_job(job, watch)
    assert notes == [
        (0, "The staff writes missing orders for day 1."),
        (1, "Day 1 is being played."),
        (11, "Day 1 is being saved."),
        (14, "The staff writes missing orders for day 2."),
        (15, "Day 2 is being played."),
        (25, "Day 2 is being saved."),
        (28, "The staff writes missing orders for day 3."),
        (29, "Day 3 is being played."),
        (39, "Day 3 is being saved."),
    ]
    assert again(saratoga).day == 3  # what has been played stays
    assert campaign_verify(campaign=again(saratoga)).days == 3


def test_the_bar_moves_with_each_battle_of_a_day_and_never_back(meeting, monkeypatch):
    """A day whose battle settles itself; and one that stops at its battle, with another played beside it."""
    told: list[tuple[int, str]] = []

    def watch(percent: int, note: str) -> None:
        told.append((percent, note))

    result = turn_advance(campaign=meeting, actor=None, report=watch)
    assert (result.waiting, result.provisional) == (1, 1)
    assert [note for _, note in told][-1] == "Day 1 is being played provisionally."
    assert [percent for percent, _ in told] == sorted(percent for percent, _ in told)
    told.clear()
    Battle.objects.all().delete()
    ProvisionalDay.objects.all().delete()
    Campaign.objects.update(battle_policy="automatic")

    def word(*, battle: Battle, actor: object) -> Battle:
        return battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=None)

    monkeypatch.setattr(turns, "battle_settle_by_engine", word)
    assert turn_advance(campaign=again(meeting), actor=None, report=watch).day == 1
    assert told == [
        (0, "The staff writes missing orders for day 1."),
        (10, "Day 1 is being played."),
        (10, "Day 1: the Battle of Hubbardton is being fought."),
        (47, "Day 1 is being played."),
        (85, "Day 1 is being saved."),
    ]


def test_battles_share_what_is_left_of_their_day():
    told: list[tuple[int, str]] = []
    fights = BattleProgress(4, lambda percent, note: told.append((percent, note)))
    for left in (3, 2, 1):
        fights.begin(Battle(inputs={"file": {"title": "Battle of Hubbardton"}}), left)
    assert [percent for percent, _ in told] == [10, 28, 47] and fights.share == 66


def test_a_turn_cut_short_is_taken_up_where_it_stands(saratoga):
    run_until(saratoga, "turn", days_a_turn=3)
    job = job_claim(job_id=advance_request(campaign=saratoga, actor=None).pk)
    day_advance(campaign=saratoga, actor=None)
    assert turn_job(job, lambda percent, note: None)["day"] == 3
    assert turn_job(job, lambda percent, note: None)["day"] == 3


# --- battles nobody fights ---


@pytest.fixture
def by_word(monkeypatch):
    """The engine's place is taken by a word, so that no test waits for a fight."""

    def word(*, battle: Battle, actor: object) -> Battle:
        held = battle.defender
        return battle_settle_by_word(battle=battle, field_held_by=held, percent_lost={}, actor=None)

    monkeypatch.setattr(runs, "battle_settle_by_engine", word)


def overdue(campaign: Campaign, days: float) -> None:
    Battle.objects.filter(campaign=campaign).update(opened_at=timezone.now() - timedelta(days=days))


def test_hr_cal_13_a_battle_is_settled_after_so_many_real_days(waiting, by_word):
    Campaign.objects.update(settle_after_days=7)
    overdue(waiting, 6.9)
    assert battles_overdue_settle() == 0
    overdue(waiting, 7.1)
    assert battles_overdue_settle() == 1
    assert waiting.battles.get().state == Battle.State.SETTLED
    job = Job.objects.get()
    assert (job.kind, job.requested_by) == ("advance_day", None)
    assert battles_overdue_settle() == 0


@pytest.mark.parametrize("campaign", [{}, {"settle_after_days": 1, "paused": "Holidays."}])
def test_hr_cal_13_not_without_the_setting_nor_in_a_pause(waiting, by_word, campaign):
    Campaign.objects.update(**campaign)
    overdue(waiting, 30)
    assert battles_overdue_settle() == 0
    assert waiting.battles.get().state == Battle.State.WAITING
