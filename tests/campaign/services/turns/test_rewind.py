"""Going back: rows as they were, what was undone kept, and on with the same dice (HR-UMP-14)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.fog.visibility import battles_for, journal_for, viewer_of
from campaign.ledger.journal import load_course
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, BattleReplay, Campaign, DayRecord, JournalEntry, OrderPaper, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import world_hash
from campaign.selectors.army.returns import load_returns
from campaign.selectors.press.journal import journal_page
from campaign.services.battles.recurrence import battles_alike, find_kept_result
from campaign.services.battles.settlement import battle_open, battle_settle_by_word
from campaign.services.orders.march_orders import order_submit, staff_orders_submit
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind, rewind_targets
from campaign.services.umpire.corrections import act_perform
from campaign.text.place_names import names_of
from rosters.domain.dice import AddressedDice
from rosters.models import Formation, Unit
from tests.campaign.services.battles.test_battle_files import meeting
from tests.factories.random_orders import random_orders

pytestmark = pytest.mark.django_db

WHY = "An order was misread."


@pytest.fixture
def back(saratoga, carleton):
    def done(record: DayRecord, **more) -> DayRecord:
        rewound = campaign_rewind(campaign=saratoga, record=record, reason=WHY, actor=carleton, **more)
        saratoga.refresh_from_db()
        return rewound

    return done


def play(campaign: Campaign, days: int) -> list[DayRecord]:
    records = [record for _ in range(days) for record in day_advance(campaign=campaign, actor=None).records]
    campaign.refresh_from_db()
    return records


def order(campaign: Campaign, *given: Order) -> None:
    for each in given:
        side = world_load(campaign).formations[each.formation].side
        order_submit(campaign=campaign, side=side, order=each, actor=campaign.seats.get(side=side).user)


def story(record: DayRecord, *without: str) -> list[tuple]:
    """Events of a day with their dice, but for those of some formations."""
    return [
        (entry.minute, entry.kind, entry.formation, entry.unit, entry.place, entry.before, entry.after,
         str(entry.rolls), str(entry.data))
        for entry in record.entries.all()
        if entry.formation not in without
    ]  # fmt: skip


def test_the_morning_is_as_it_was_and_the_undone_days_stay_hr_ump_14(saratoga, back):
    start = saratoga.head
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    first, second = play(saratoga, 2)
    rewound = back(first)
    assert (saratoga.day, saratoga.revision, saratoga.dice_revision, saratoga.head) == (1, 2, 1, rewound)
    assert rewound.world_hash == first.world_hash == world_hash(world_load(saratoga))
    assert DayRecord.objects.filter(pk=second.pk).exists() and second.entries.exists()
    told = JournalEntry.objects.get(kind="rewound")
    assert (told.sides, told.data["days"], told.data["reason"]) == ("|crown|rebel|", 1, WHY)
    assert [(part.revision, part.last) for part in load_course(saratoga)] == [(2, None), (1, first.pk)]
    assert rewind_targets(saratoga) == [rewound, first, start]
    assert campaign_verify(campaign=saratoga).days == 1


def test_undone_and_done_again_is_never_undone_hr_ump_14(saratoga, back):
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    first, second, third = play(saratoga, 3)
    back(saratoga.records.get(kind="start"))
    assert OrderPaper.objects.get().state == OrderPaper.State.STANDING
    again = play(saratoga, 3)
    assert [one.world_hash for one in again] == [one.world_hash for one in (first, second, third)]
    assert [story(one) for one in again] == [story(one) for one in (first, second, third)]
    assert again[0].record_hash != first.record_hash
    assert campaign_verify(campaign=saratoga).replayed == 3


def test_one_amended_order_touches_nothing_else_hr_ump_14(saratoga, back):
    order(saratoga, Order("advanced_corps", ("valcour_island",)), Order("poors_brigade", ("mount_defiance",)))
    before = play(saratoga, 3)
    back(saratoga.records.get(kind="start"))
    order(saratoga, Order("advanced_corps"))
    after = play(saratoga, 3)
    assert before[0].world_hash != after[0].world_hash
    for one, other in zip(before, after, strict=True):
        assert story(one, "advanced_corps") == story(other, "advanced_corps")


def test_a_campaign_whose_dice_are_told_is_not_played_on_hr_prf_02(saratoga, back):
    first, *_ = play(saratoga, 1)
    Campaign.objects.update(state=Campaign.State.ENDED)
    DayRecord.objects.update(created_at=timezone.now() - timedelta(days=1))
    saratoga.refresh_from_db()
    with pytest.raises(RuleViolation, match="every die to come") as refused:
        back(saratoga.records.get(kind="start"))
    assert refused.value.rule_id == "HR-PRF-02"
    assert Campaign.objects.get().head == first


def test_new_dice_fall_otherwise_hr_ump_14(saratoga, back):
    first, *_ = play(saratoga, 1)
    back(saratoga.records.get(kind="start"), new_dice=True)
    assert saratoga.dice_revision == 2
    (again,) = play(saratoga, 1)
    address = again.entries.get(kind="weather").rolls[-1]["address"]
    assert "/2/0/HR-WEA-02/" in address
    assert first.entries.get(kind="weather").rolls[-1]["address"] != address
    assert campaign_verify(campaign=saratoga).replayed == 1
    back(first.parent)
    assert saratoga.dice_revision == 1


def test_papers_become_drafts_when_the_umpire_says_so(saratoga, back):
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    play(saratoga, 1)
    back(saratoga.records.get(kind="start"), papers="draft")
    given, draft = OrderPaper.objects.order_by("pk")
    assert (given.state, given.version, draft.state, draft.version) == ("replaced", 1, "draft", 0)
    assert (draft.body, draft.submitted_by) == (given.body, given.submitted_by)
    assert draft.submitted_at == given.submitted_at, "not the hour of going back"


def test_the_staff_may_order_where_an_undone_paper_is_a_draft(saratoga, back):
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    play(saratoga, 1)
    back(saratoga.records.get(kind="start"), papers="draft")
    staff_orders_submit(
        campaign=saratoga, side="crown", orders=[Order("advanced_corps")], world=world_load(saratoga)
    )
    papers = OrderPaper.objects.filter(formation="advanced_corps", day=0)
    assert [(paper.state, paper.version) for paper in papers.exclude(version=0).order_by("pk")] == [
        ("replaced", 1),
        ("standing", 2),
    ]


@pytest.mark.parametrize("papers", ["stand", "draft"])
@pytest.mark.parametrize("days", [0, 1])
def test_an_order_of_the_umpires_is_undone_with_its_act_hr_ump_14(saratoga, back, carleton, papers, days):
    start = saratoga.head
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    for _ in range(2):
        command = corrections.CommandFormation("advanced_corps")
        act_perform(campaign=saratoga, act=command, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    play(saratoga, days)
    back(start, papers=papers)
    assert not OrderPaper.objects.filter(author="umpire").exclude(state="replaced").exists()
    (counts,) = OrderPaper.objects.exclude(state="replaced")
    assert (counts.state, counts.body["via"]) == ("standing" if papers == "stand" else "draft", [
        "valcour_island"
    ])  # fmt: skip


def test_an_order_of_the_umpires_stands_while_its_act_does_hr_ump_14(saratoga, back, carleton):
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    command = corrections.CommandFormation("advanced_corps")
    morning = act_perform(campaign=saratoga, act=command, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    play(saratoga, 1)
    back(morning, papers="draft")
    assert OrderPaper.objects.get(state="standing").author == "umpire"


@pytest.mark.parametrize("role", ["assistant", "commander", "administrator", "elsewhere", "later"])
def test_nobody_but_the_umpire_goes_back_hr_set_08(saratoga, staff_campaign, burgoyne, role):
    start = saratoga.head
    play(saratoga, 1)
    head, revision = saratoga.head_id, saratoga.revision
    person = burgoyne
    if role != "commander":
        person = User.objects.create_user("riedesel", is_superuser=role == "administrator", is_staff=True)
    if role == "assistant":
        Seat.objects.create(campaign=saratoga, role=Seat.Role.ASSISTANT, user=person)
    if role == "elsewhere":
        Seat.objects.create(campaign=staff_campaign, role=Seat.Role.UMPIRE, user=person)
    if role == "later":
        Seat.objects.create(campaign=saratoga, role=Seat.Role.UMPIRE, user=person, from_day=30)
    with pytest.raises(RuleViolation) as refused:
        campaign_rewind(campaign=saratoga, record=start, reason=WHY, actor=person)
    assert (refused.value.rule_id, refused.value.field) == ("HR-SET-08", "actor")
    saratoga.refresh_from_db()
    assert (saratoga.head_id, saratoga.revision) == (head, revision)


@pytest.mark.parametrize("again", [False, True])
def test_a_paper_struck_stands_again_when_the_act_is_undone_hr_ump_14(saratoga, back, carleton, again):
    start = saratoga.head
    order(saratoga, Order("advanced_corps", ("valcour_island",)))
    strike = corrections.CancelOrder("activity", "advanced_corps", "crown")
    act_perform(campaign=saratoga, act=strike, reason=WHY, actor=carleton)
    if again:
        order(saratoga, Order("advanced_corps"))
    saratoga.refresh_from_db()
    back(start)
    assert OrderPaper.objects.get(state="standing").version == (2 if again else 1)


def test_the_staff_writes_anew(staff_campaign):
    play(staff_campaign, 1)
    start = staff_campaign.records.get(kind="start")
    campaign_rewind(campaign=staff_campaign, record=start, reason=WHY, actor=None)
    assert set(OrderPaper.objects.values_list("state", flat=True)) == {"replaced"}
    first, second = staff_campaign.records.filter(kind="day"), play(staff_campaign, 1)
    assert first[0].world_hash == second[0].world_hash


def test_units_raised_since_are_struck_from_the_books(saratoga, carleton, back):
    start = saratoga.head
    new = corrections.Add(
        "new_1",
        "New",
        "rebel",
        "continental",
        "continental_line",
        60,
        "new",
        formation_name="N",
        place="albany",
    )
    act_perform(campaign=saratoga, act=new, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    back(start)
    assert not Unit.objects.filter(slug="new_1").exists()
    assert not Formation.objects.filter(slug="new").exists()
    assert campaign_verify(campaign=saratoga)


def test_a_double_click_goes_back_once_hr_ump_14(saratoga, back):
    first, _ = play(saratoga, 2)
    seen = saratoga.head_id
    rewound = back(first, seen=seen)
    assert back(first, seen=seen) == rewound
    assert saratoga.revision == 2
    with pytest.raises(RuleViolation, match="gone on since"):
        back(rewound.parent.parent, seen=seen)
    with pytest.raises(RuleViolation, match="nothing to undo"):
        back(rewound)


def test_a_morning_of_an_undone_course_is_refused(saratoga, back):
    first, second = play(saratoga, 2)
    back(first)
    with pytest.raises(RuleViolation, match="not on the campaign's course"):
        back(second)


def test_a_week_is_undone_with_its_seventh_day(saratoga, back):
    records = play(saratoga, 7)
    seventh, week = records[-2:]
    assert seventh not in rewind_targets(saratoga) and week in rewind_targets(saratoga)


def settled(battle: Battle, by: str = "table") -> Battle:
    battle.state, battle.source = Battle.State.SETTLED, by
    battle.settlement = {"contact": battle.contact, "field_held_by": "crown", "losses": [],
                         "source": by, "minutes": 60}  # fmt: skip
    battle.save()
    return battle


def test_battles_of_undone_days_are_left_out_hr_ump_14(saratoga, back, battle, carleton):
    """A battle that was opened on the morning the umpire goes back to is undone, too."""
    start = saratoga.head
    viewer = viewer_of(carleton, saratoga)
    assert list(battles_for(viewer)) == [battle]
    back(start)
    viewer = viewer_of(carleton, saratoga)
    assert not battles_for(viewer).exists()
    assert Battle.objects.filter(pk=battle.pk).exists()
    play(saratoga, 1)


@pytest.mark.parametrize("keep", [True, False])
def test_a_battle_that_comes_about_alike_keeps_its_result_if_the_umpire_says_so(saratoga, back, battle, keep):
    settled(battle)
    back(saratoga.head, keep=keep, new_dice=True)
    alike = battles_alike(saratoga, battle.contact, battle.inputs)
    assert alike == [battle] and find_kept_result(saratoga, alike) == (battle if keep else None)
    other = {**battle.inputs, "file": {**battle.inputs["file"], "cover": "none"}}
    assert battles_alike(saratoga, battle.contact, other) == []


def test_a_battle_that_keeps_its_result_keeps_its_replay_hr_bat_10(saratoga, back):
    world, start = world_load(saratoga), saratoga.head
    contact = meeting(world, "advanced_corps", "poors_brigade")
    fought = battle_open(campaign=saratoga, world=world, contact=contact)
    fought.account = ["All that happened."]
    settled(fought, "engine")
    BattleReplay.objects.create(battle=fought, data=b"1", seen={}, accounts={"crown": ["What we saw."]})
    back(start, keep=True)
    again = battle_open(campaign=saratoga, world=world, contact=contact)
    assert (again.revision, again.source) == (2, "engine")
    replay = BattleReplay.objects.get(battle=again)
    assert (bytes(replay.data), replay.accounts) == (b"1", {"crown": ["What we saw."]})


def test_what_is_undone_is_told_apart_and_counts_no_more_hr_ump_14(saratoga, back, carleton, burgoyne):
    (first, *_) = play(saratoga, 8)
    viewer = viewer_of(carleton, saratoga)
    names = names_of(world_load(saratoga))

    def told(entries):
        return [(entry.day, entry.minute, entry.kind, entry.unit, entry.formation) for entry in entries]

    before = load_returns(viewer, world_load(saratoga), names, 1), told(journal_for(viewer))
    back(first)
    viewer = viewer_of(carleton, saratoga)
    page = journal_page(viewer, world_load(saratoga), names)
    assert [day.day for day in page.days] == [8, 7, 6]
    assert all(day.undone and not day.lines and not day.routine for day in page.days)
    play(saratoga, 7)
    viewer = viewer_of(carleton, saratoga)
    again = [row for row in told(journal_for(viewer)) if row[2] not in ("rewound", "umpire_act")]
    assert (load_returns(viewer, world_load(saratoga), names, 1), again) == before
    page = journal_page(viewer, world_load(saratoga), names)
    assert all(len(day.undone) == len(day.lines) + len(day.routine) for day in page.days)
    # nothing of it is told to a side that may not read it
    theirs = journal_page(viewer_of(burgoyne, saratoga), world_load(saratoga), names)
    assert all(len(day.undone) == len(day.lines) + len(day.routine) for day in theirs.days)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_orders_undone_and_done_again_hr_ump_14(saratoga, back, seed):
    """Two days of random orders of both sides, battles settled by word, back, and on: nothing differs."""
    for side in ("crown", "rebel"):
        dice = AddressedDice(b"orders", "random", seed, 0)
        order(saratoga, *random_orders(world_load(saratoga), side, dice))
    first = fought(saratoga, 2)
    back(saratoga.records.get(kind="start"))
    again = play(saratoga, 2)  # results are kept, so nobody is asked
    assert [one.world_hash for one in again] == [one.world_hash for one in first]
    assert [one.inputs for one in again] == [one.inputs for one in first]
    assert [story(one) for one in again] == [story(one) for one in first]
    assert campaign_verify(campaign=saratoga).replayed == 2


def fought(campaign: Campaign, days: int) -> list[DayRecord]:
    """Days played with every battle settled by the umpire's word."""
    records: list[DayRecord] = []
    while len(records) < days:
        result = day_advance(campaign=campaign, actor=None)
        records += result.records
        for battle in result.battles_waiting:
            lost = {battle.attacker: 20, battle.defender: 10}
            battle_settle_by_word(battle=battle, field_held_by=battle.defender, percent_lost=lost, actor=None)
    campaign.refresh_from_db()
    return records


def test_the_rhythm_of_deadlines_goes_on_after_going_back_hr_ump_14(saratoga, back):
    """One of tomorrow or later stands; one nearer, past or missing gives way to the next."""
    now = timezone.now()
    saratoga.cadence_days = 3
    saratoga.save()
    start, (first,) = saratoga.head, play(saratoga, 1)
    hour = timedelta(hours=1)
    for stood, stands in (
        (now + 30 * hour, now + 30 * hour),
        (now + hour, now + 73 * hour),
        (now - hour, now + 71 * hour),
    ):
        Campaign.objects.filter(pk=saratoga.pk).update(deadline=stood)
        back(start, new_dice=True)
        assert saratoga.deadline == stands
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=None)
    play(saratoga, 1)
    assert saratoga.deadline is not None and saratoga.deadline > now + 71 * hour
    Campaign.objects.filter(pk=saratoga.pk).update(cadence_days=None)
    back(start)
    assert saratoga.deadline is None
    assert first.revision == 1
