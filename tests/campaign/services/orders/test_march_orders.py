"""Orders: one validation, a receipt, the last one in time counts, refusals change nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.ledger.provisional_days import load_outlook
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order, present_units
from campaign.services.orders.march_orders import order_submit, order_withdraw
from campaign.services.turns.days import day_advance

pytestmark = pytest.mark.django_db


@pytest.fixture
def march(saratoga) -> Order:
    """A formation of the Crown at a port, ordered one place further along a route it can use."""
    world = world_load(saratoga)
    at = {key: item.position for key, item in world.formations.items() if item.side == "crown"}
    formation = next(
        key for key in sorted(present_units(world)) if at.get(key) and at[key].place == "cumberland_head"
    )
    return Order(formation=formation, via=("valcour_island",), pace="normal", stance="attack")


@pytest.fixture(autouse=True)
def _known_place(saratoga):
    assert "valcour_island" in world_load(saratoga).theatre.atlas.places


def test_a_submitted_order_has_a_receipt_and_is_carried_out(saratoga, burgoyne, march):
    paper = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    assert paper.receipt == f"1-1-{paper.number}"
    before = world_load(saratoga).formations[march.formation].position
    day_advance(campaign=saratoga, actor=None)
    paper.refresh_from_db()
    saratoga.refresh_from_db()
    assert paper.state == OrderPaper.State.CARRIED_OUT
    assert world_load(saratoga).formations[march.formation].position != before
    assert saratoga.head.inputs["orders"][0]["formation"] == march.formation


def test_the_last_one_counts(saratoga, burgoyne, march):
    first = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    halt = Order(formation=march.formation)
    second = order_submit(campaign=saratoga, side="crown", order=halt, actor=burgoyne)
    first.refresh_from_db()
    assert (first.state, second.state, second.version) == ("replaced", "standing", 2)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    assert [row["via"] for row in saratoga.head.inputs["orders"]] == [[]]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"via": ("atlantis",)}, "via"),
        ({"formation": "nobody"}, "formation"),
        ({"pace": "gallop"}, "pace"),
        ({"stance": "dance"}, "stance"),
    ],
)
def test_a_refusal_names_the_field_and_leaves_the_earlier_order(saratoga, burgoyne, march, change, field):
    paper = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    values = {"formation": march.formation, "via": march.via, **change}
    with pytest.raises(RuleViolation) as refused:
        order_submit(campaign=saratoga, side="crown", order=Order(**values), actor=burgoyne)
    assert refused.value.field == field
    assert refused.value.message.endswith(".")
    paper.refresh_from_db()
    assert paper.state == OrderPaper.State.STANDING
    assert OrderPaper.objects.count() == 1


def test_nobody_orders_the_enemy_about(saratoga, gates, march):
    with pytest.raises(RuleViolation) as refused:
        order_submit(campaign=saratoga, side="rebel", order=march, actor=gates)
    assert refused.value.field == "formation"
    # and the refusal is the one for a formation that does not exist: it tells nothing
    with pytest.raises(RuleViolation) as unknown:
        order_submit(campaign=saratoga, side="rebel", order=Order(formation="nobody"), actor=gates)
    assert refused.value.message.replace(march.formation, "nobody") == unknown.value.message


def test_after_the_deadline_the_last_order_in_time_stands(saratoga, burgoyne, march):
    paper = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    with pytest.raises(RuleViolation, match="deadline for this day has passed"):
        order_submit(campaign=saratoga, side="crown", order=Order(formation=march.formation), actor=burgoyne)
    paper.refresh_from_db()
    assert paper.state == OrderPaper.State.STANDING


def test_a_day_that_waits_for_a_battle_takes_no_orders_hr_cal_05(saratoga, burgoyne, march):
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel", inputs={}
    )
    with pytest.raises(RuleViolation, match="waits for a battle"):
        order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)


def test_withdrawing(saratoga, burgoyne, march):
    paper = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    assert order_withdraw(paper=paper, actor=burgoyne).state == OrderPaper.State.WITHDRAWN
    with pytest.raises(RuleViolation, match="no longer stands"):
        order_withdraw(paper=paper, actor=burgoyne)
    assert order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne).version == 2


def test_nothing_is_withdrawn_after_contact_or_deadline(saratoga, burgoyne, march):
    """Who has seen the contact must not change the orders the day is played with."""
    paper = order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    with pytest.raises(RuleViolation, match="deadline"):
        order_withdraw(paper=paper, actor=burgoyne)
    Campaign.objects.filter(pk=saratoga.pk).update(deadline=None)
    Battle.objects.create(
        campaign=saratoga, day=0, contact="d0/x/1", minute=600, attacker="crown", defender="rebel", inputs={}
    )
    with pytest.raises(RuleViolation, match="waits for a battle"):
        order_withdraw(paper=paper, actor=burgoyne)
    paper.refresh_from_db()
    assert paper.state == OrderPaper.State.STANDING


def test_an_order_written_on_an_older_position_is_refused_hr_cal_03(saratoga, march, burgoyne, monkeypatch):
    """The day is advanced while the order is checked."""
    seen = load_outlook(saratoga)
    day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    monkeypatch.setattr("campaign.services.orders.march_orders.load_outlook", lambda campaign: seen)
    with pytest.raises(RuleViolation, match="look at the new position") as refused:
        order_submit(campaign=saratoga, side="crown", order=march, actor=burgoyne)
    assert refused.value.rule_id == "HR-CAL-03"
    assert not OrderPaper.objects.filter(campaign=saratoga, formation=march.formation).exists()
