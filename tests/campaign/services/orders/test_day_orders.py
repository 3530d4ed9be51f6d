"""Papers of every kind: drafts, receipts, late ones, and no trace of who came first (HR-PAP, HR-CAL-04)."""

import itertools
from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, OrderPaper, Seat
from campaign.rules.army.organisation import Detach, Garrison, Join, Transfer, organisation_to_json
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Order, present_units
from campaign.services.orders.day_orders import acts_of, parse_week_choices
from campaign.services.orders.drafts import draft_discard, draft_submit, order_draft, returns_draft
from campaign.services.orders.march_orders import NewerPaper, order_submit, order_withdraw
from campaign.services.orders.organisation import (
    organisation_strike,
    organisation_submit,
    returns_strike,
    returns_submit,
)
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.conftest import SECRET
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db

CORPS = "advanced_corps"
MARCH = Order(CORPS, ("crown_point",))


@pytest.fixture
def detach(world) -> Detach:
    unit = present_units(world)[CORPS][0]
    return Detach(CORPS, (unit.id,), f"{CORPS}-d1", "Baum's detachment")


def late(campaign: Campaign, policy: str = "refuse") -> None:
    past = timezone.now() - timedelta(minutes=1)
    Campaign.objects.filter(pk=campaign.pk).update(deadline=past, late_orders=policy)


def standing(campaign: Campaign) -> list[OrderPaper]:
    return list(OrderPaper.objects.filter(campaign=campaign, state=OrderPaper.State.STANDING))


def test_a_draft_is_checked_and_counts_for_nothing_hr_pap_02(saratoga, burgoyne):
    draft, refusal = order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert (draft.state, refusal) == ("draft", None)
    wrong = Order(CORPS, ("atlantis",))
    second, refusal = order_draft(campaign=saratoga, side="crown", order=wrong, actor=burgoyne)
    assert refusal is not None and refusal.field == "via"
    assert list(OrderPaper.objects.all()) == [second]  # a formation has one draft
    with pytest.raises(RuleViolation):
        draft_submit(paper=second, actor=burgoyne)
    assert list(OrderPaper.objects.all()) == [second]
    with pytest.raises(RuleViolation, match="of yours"):
        order_draft(campaign=saratoga, side="rebel", order=MARCH, actor=None)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert saratoga.head.inputs["orders"] == []


def test_a_draft_lapses_with_its_day_and_comes_back_with_it_hr_pap_02(saratoga, burgoyne, carleton):
    march = Order("advanced_corps", ("valcour_island",))
    draft, _ = order_draft(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    start = saratoga.head
    for _ in range(2):
        day_advance(campaign=saratoga, actor=None)
    draft.refresh_from_db()
    assert (draft.state, draft.version) == (OrderPaper.State.LAPSED, 0)
    with pytest.raises(RuleViolation, match="has lapsed; write it anew"):
        draft_submit(paper=draft, actor=burgoyne)
    page = signed_in(burgoyne).get("/campaigns/saratoga/?sheet=orders").content.decode()
    assert "This draft has lapsed: it was for a day that has been played." in page
    receipts = signed_in(burgoyne).get("/campaigns/saratoga/receipts/").content.decode()
    assert draft.receipt not in receipts
    campaign_rewind(campaign=saratoga, record=start, reason="Anew.", actor=carleton)
    draft.refresh_from_db()
    assert draft.state == OrderPaper.State.DRAFT
    day_advance(campaign=saratoga, actor=None)
    draft_discard(paper=draft, actor=burgoyne)
    assert not OrderPaper.objects.filter(pk=draft.pk).exists()


def test_a_newer_draft_takes_the_place_of_one_that_has_lapsed_hr_pap_02(saratoga, burgoyne):
    march = Order("advanced_corps", ("valcour_island",))
    order_draft(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    theirs = Order("british_1st_brigade", ("crown_point",))
    other, _ = order_draft(campaign=saratoga, side="crown", order=theirs, actor=burgoyne)
    day_advance(campaign=saratoga, actor=None)
    newer, _ = order_draft(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    assert set(OrderPaper.objects.all()) == {newer, other}, "that of another formation stays"


def test_a_draft_for_the_returns_lapses_with_its_week_hr_pap_02(saratoga, burgoyne, carleton):
    draft, _ = returns_draft(campaign=saratoga, side="crown", choices=WeekChoices(), actor=burgoyne)
    for state in (*[OrderPaper.State.DRAFT] * 6, OrderPaper.State.LAPSED):
        day_advance(campaign=saratoga, actor=None)
        draft.refresh_from_db()
        assert draft.state == state
    fifth = saratoga.records.get(kind="day", day=5)
    campaign_rewind(campaign=saratoga, record=fifth, reason="Anew.", actor=carleton)
    draft.refresh_from_db()
    assert draft.state == OrderPaper.State.DRAFT, "its week is open again"


def test_a_draft_is_submitted_or_thrown_away_once_hr_pap_02(saratoga, burgoyne):
    draft, _ = order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    paper = draft_submit(paper=draft, actor=burgoyne)
    assert (paper.state, paper.version) == ("standing", 1)
    assert not OrderPaper.objects.filter(state="draft").exists()
    with pytest.raises(RuleViolation, match="submitted or thrown away"):
        draft_submit(paper=draft, actor=burgoyne)
    draft, _ = order_draft(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    draft_discard(paper=draft, actor=burgoyne)
    assert not OrderPaper.objects.filter(state="draft").exists()


def test_a_late_order_is_kept_for_the_next_day_hr_cal_04(saratoga, burgoyne):
    first = order_submit(campaign=saratoga, side="crown", order=Order(CORPS), actor=burgoyne)
    late(saratoga, "queue")
    kept = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert (kept.state, kept.version, kept.day) == ("queued", 2, 0)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert [row["via"] for row in saratoga.head.inputs["orders"] if row["formation"] == CORPS] == [[]]
    first.refresh_from_db()
    assert first.state == "carried_out"
    (paper,) = standing(saratoga)
    assert (paper.day, paper.body["via"], paper.submitted_by) == (1, ["crown_point"], burgoyne)
    kept.refresh_from_db()
    assert kept.state == "replaced" and kept.receipt.startswith("1-2-")  # a receipt never changes


def test_a_late_order_that_can_no_longer_be_done_lapses_hr_cal_04(saratoga, burgoyne, monkeypatch):
    late(saratoga, "queue")
    kept = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    OrderPaper.objects.filter(pk=kept.pk).update(body={**kept.body, "via": ["atlantis"]})
    day_advance(campaign=saratoga, actor=None)
    kept.refresh_from_db()
    assert kept.state == "lapsed" and standing(saratoga) == []


def test_a_late_order_may_be_taken_back_hr_cal_06(saratoga, burgoyne):
    late(saratoga, "queue")
    kept = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert order_withdraw(paper=kept, actor=burgoyne).state == "withdrawn"


def test_while_a_campaign_rests_no_order_is_late_hr_due_01(saratoga, burgoyne):
    late(saratoga)
    Campaign.objects.filter(pk=saratoga.pk).update(paused="The club is closed.")
    assert order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne).state == "standing"


def test_organisation_is_played_and_proved_hr_pap_01(saratoga, burgoyne, detach):
    paper = organisation_submit(add=True, campaign=saratoga, side="crown", acts=[detach], actor=burgoyne)
    assert (paper.kind, paper.formation, paper.version) == ("organise", CORPS, 1)
    order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    assert len(standing(saratoga)) == 2  # march and organisation stand side by side
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert saratoga.head.inputs["organisation"] == [organisation_to_json(detach)]
    world = world_load(saratoga)
    assert [unit.id for unit in present_units(world)[detach.id]] == list(detach.units)
    assert campaign_verify(campaign=saratoga).replayed == 1


def test_a_refused_act_leaves_the_paper_as_it_was_hr_pap_01(saratoga, burgoyne, detach):
    paper = organisation_submit(add=True, campaign=saratoga, side="crown", acts=[detach], actor=burgoyne)
    twice = Detach(CORPS, detach.units, f"{CORPS}-d2", "Another")
    for wrong in (twice, Garrison(CORPS, on=False)):
        with pytest.raises(RuleViolation):
            organisation_submit(add=True, campaign=saratoga, side="crown", acts=[wrong], actor=burgoyne)
    with pytest.raises(RuleViolation, match="of yours"):
        organisation_submit(add=True, campaign=saratoga, side="rebel", acts=[detach], actor=None)
    with pytest.raises(RuleViolation, match="about one formation"):
        organisation_submit(
            campaign=saratoga, side="crown", acts=[detach, Garrison("artillery_park")], actor=None
        )
    assert standing(saratoga) == [paper]


def test_lines_are_struck_off_one_by_one(saratoga, burgoyne, detach, world):
    other = Detach(CORPS, (present_units(world)[CORPS][1].id,), f"{CORPS}-d2", "Breymann's")
    organisation_submit(add=True, campaign=saratoga, side="crown", acts=[detach], actor=burgoyne)
    paper = organisation_submit(add=True, campaign=saratoga, side="crown", acts=[other], actor=burgoyne)
    assert acts_of(paper) == [detach, other]
    left = organisation_strike(paper=paper, number=0, actor=burgoyne)
    assert left is not None and acts_of(left) == [other] and left.version == 3
    with pytest.raises(RuleViolation, match="no longer stands"):
        organisation_strike(paper=paper, number=0, actor=burgoyne)
    assert organisation_strike(paper=left, number=0, actor=burgoyne) is None
    assert standing(saratoga) == []


# --- returns ---

RAISED = WeekChoices(raised=("british/line",))


@pytest.fixture
def choosing(burgoyne, gates) -> Campaign:
    """Saratoga, where a side names the units it raises."""
    return campaign_create(
        scenario="saratoga-1777",
        slug="choosing",
        secret=SECRET,
        battle_policy="automatic",
        settings={"auto_raise_units": False},
        seats=(
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


def test_choices_are_for_the_end_of_the_week_hr_pap_03(choosing, burgoyne):
    paper = returns_submit(campaign=choosing, side="crown", choices=RAISED, actor=burgoyne)
    assert (paper.day, paper.formation, paper.side) == (6, "crown", "crown")
    second = returns_submit(
        add=True,
        campaign=choosing,
        side="crown",
        choices=WeekChoices(raised=("german/line",)),
        actor=burgoyne,
    )
    assert parse_week_choices(second).raised == ("british/line", "german/line")
    struck = returns_strike(paper=second, number=1, actor=burgoyne)
    assert struck is not None and parse_week_choices(struck) == RAISED
    assert returns_strike(paper=struck, number=0, actor=burgoyne) is None
    with pytest.raises(RuleViolation, match="not yours"):
        returns_submit(campaign=choosing, side="rebel", choices=RAISED, actor=None)


def test_choices_sent_whole_take_no_newer_papers_place_hr_pap_04(choosing, burgoyne):
    given = {"campaign": choosing, "side": "crown", "actor": burgoyne}
    first = returns_submit(**given, choices=RAISED, seen=0)
    assert returns_submit(**given, choices=RAISED, seen=0) == first
    twice = WeekChoices(raised=RAISED.raised * 2)
    with pytest.raises(NewerPaper):
        returns_submit(**given, choices=twice, seen=0)
    assert parse_week_choices(returns_submit(**given, choices=twice, seen=first.number)) == twice
    with pytest.raises(RuleViolation, match="advanced meanwhile"):
        returns_submit(**given, choices=RAISED, written=8)


def test_the_deadline_of_an_earlier_day_does_not_close_the_week_hr_pap_03(choosing, burgoyne):
    late(choosing)
    assert returns_submit(campaign=choosing, side="crown", choices=RAISED, actor=burgoyne)
    Campaign.objects.filter(pk=choosing.pk).update(days_a_turn=7)
    with pytest.raises(RuleViolation, match="deadline"):
        returns_submit(campaign=choosing, side="crown", choices=RAISED, actor=burgoyne)


def test_the_week_is_closed_with_both_sides_choices_hr_pap_03(choosing, burgoyne, gates):
    returns_submit(campaign=choosing, side="crown", choices=RAISED, actor=burgoyne)
    rebel = WeekChoices(raised=("american/line",))
    returns_submit(campaign=choosing, side="rebel", choices=rebel, actor=gates)
    for _ in range(7):
        day_advance(campaign=choosing, actor=None)
    choosing.refresh_from_db()
    assert choosing.head.kind == "week"
    assert choosing.head.inputs["choices"]["raised"] == ["british/line", "american/line"]
    assert campaign_verify(campaign=choosing).replayed == 7


# --- programs, and who comes first ---


def test_who_puts_in_first_leaves_no_trace_in_the_record(burgoyne, gates, world, detach):
    """Every order of submission gives the same day record, events and world."""
    hashes = set()
    for number, turn in enumerate(itertools.permutations(range(3))):
        campaign = campaign_create(
            scenario="saratoga-1777",
            slug=f"c{number}",
            title="The same",
            secret=SECRET,
            battle_policy="automatic",
            seats=(
                SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
                SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
            ),
        )
        submit = (
            lambda to=campaign: order_submit(campaign=to, side="crown", order=MARCH, actor=None),
            lambda to=campaign: organisation_submit(
                add=True, campaign=to, side="crown", acts=[detach], actor=None
            ),
            lambda to=campaign: order_submit(
                campaign=to, side="rebel", order=Order("poors_brigade", ("crown_point",)), actor=None
            ),
        )
        for which in turn:
            submit[which]()
        (record,) = day_advance(campaign=campaign, actor=None).records
        hashes.add((record.commitments["inputs"], record.events_hash, record.world_hash))
    assert len(hashes) == 1


def test_a_receipt_shows_whether_the_paper_is_the_same_hr_pap_01(saratoga, burgoyne):
    paper = order_submit(campaign=saratoga, side="crown", order=MARCH, actor=burgoyne)
    again = OrderPaper.objects.get(pk=paper.pk)
    assert len(paper.seal) == 12 and again.seal == paper.seal
    again.state = OrderPaper.State.REPLACED
    assert again.seal == paper.seal  # what became of it later is not what it says
    again.body = {**again.body, "pace": "double"}
    assert again.seal != paper.seal


def test_papers_that_contradict_each_other_are_refused_on_receipt_hr_pap_05(saratoga, burgoyne, world):
    first, second = "british_1st_brigade", "british_2nd_brigade"
    unit = present_units(world)[first][0].id
    given = {"campaign": saratoga, "side": "crown", "actor": burgoyne}
    stands = organisation_submit(**given, acts=[Detach(first, (unit,), f"{first}-d1", "Marksmen")])
    with pytest.raises(RuleViolation, match="is detached with Marksmen by another"):
        organisation_submit(**given, acts=[Transfer((unit,), second)])
    assert standing(saratoga) == [stands]
    organisation_submit(**given, acts=[Join(first, second)])  # in the place of the first
    with pytest.raises(RuleViolation, match="order of its own"):
        order_submit(**given, order=Order(first, ("valcour_island",)))
