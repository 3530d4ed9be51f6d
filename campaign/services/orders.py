"""Orders: checked by the rule the turn itself uses, and kept with a receipt."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from campaign.models import Campaign, OrderPaper, User
from campaign.rules.errors import RuleViolation
from campaign.rules.orders import verify_order
from campaign.rules.world import Order, World
from campaign.rules.world_json import order_to_json
from campaign.state import world_load


def order_submit(*, campaign: Campaign, side: str, order: Order, actor: User | None) -> OrderPaper:
    """Put in an order for the coming day; an earlier one for the same formation is replaced.

    Raises RuleViolation, and leaves the earlier order standing, when the deadline is past, the
    campaign has ended, the formation is not the side's or the rules do not allow the march.
    """
    world = world_load(campaign)
    verify_order(world, order, side=side)
    with transaction.atomic():
        current = _open_for_orders(campaign, world.day)
        _in_time(current)
        return _papers(current, side, [order], actor)[0]


def staff_orders_submit(
    *, campaign: Campaign, side: str, orders: Sequence[Order], world: World
) -> list[OrderPaper]:
    """Put in the staff's orders for a side nobody commands, all or none (HR-BOT-01).

    The staff writes when the day is advanced, so the players' deadline does not bind it.
    """
    for order in orders:
        verify_order(world, order, side=side)
    with transaction.atomic():
        return _papers(_open_for_orders(campaign, world.day), side, orders, None)


def _open_for_orders(campaign: Campaign, day: int) -> Campaign:
    """The campaign under lock, if orders for `day` can still change."""
    current = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if current.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", "The campaign has ended; no more orders are taken.")
    if current.day != day:
        raise RuleViolation(
            "HR-CAL-03", "The day has been advanced meanwhile; look at the new position and order again."
        )
    if current.battles.filter(revision=current.revision, day=current.day).exists():
        raise RuleViolation(
            "HR-CAL-05",
            "This day is already being played and waits for a battle; order again when it is over.",
        )
    return current


def _in_time(campaign: Campaign) -> None:
    if campaign.deadline is not None and timezone.now() > campaign.deadline:
        raise RuleViolation(
            "HR-CAL-04",
            "The deadline for this day has passed; your last order in time stands. Order for the next day.",
        )


def _papers(campaign: Campaign, side: str, orders: Sequence[Order], actor: User | None) -> list[OrderPaper]:
    """The papers of these orders, in three statements however many there are."""
    papers = OrderPaper.objects.filter(
        campaign=campaign, day=campaign.day, formation__in=[order.formation for order in orders]
    )
    versions = dict(papers.values_list("formation").annotate(Max("version")))
    papers.filter(state=OrderPaper.State.STANDING).update(state=OrderPaper.State.REPLACED)
    return OrderPaper.objects.bulk_create(
        OrderPaper(
            campaign=campaign,
            day=campaign.day,
            formation=order.formation,
            side=side,
            body=order_to_json(order),
            version=versions.get(order.formation, 0) + 1,
            submitted_by=actor,
        )
        for order in orders
    )


def order_withdraw(*, paper: OrderPaper, actor: User | None) -> OrderPaper:
    """Take an order back; the formation's standing order counts again.

    Raises RuleViolation when the order no longer stands, the day is being or has been played, or
    the deadline is past.
    """
    with transaction.atomic():
        _in_time(_open_for_orders(paper.campaign, paper.day))
        paper = OrderPaper.objects.get(pk=paper.pk)
        if paper.state != OrderPaper.State.STANDING:
            raise RuleViolation(
                "HR-CAL-06", "This order no longer stands, so it cannot be withdrawn; give a new one."
            )
        paper.state = OrderPaper.State.WITHDRAWN
        paper.save(update_fields=["state"])
    return paper


def deadline_set(*, campaign: Campaign, deadline: datetime | None, actor: User | None) -> Campaign:
    """Say until when orders for the coming day are taken; None takes the deadline away (HR-CAL-04).

    Raises RuleViolation for a moment already past, or when the campaign has ended.
    """
    with transaction.atomic():
        current = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if current.state == Campaign.State.ENDED:
            raise RuleViolation("HR-CAL-02", "The campaign has ended; it needs no deadline.")
        if deadline is not None and deadline <= timezone.now():
            raise RuleViolation(
                "HR-CAL-04", "That moment is past; set the deadline to a later one.", "deadline"
            )
        current.deadline = deadline
        current.save(update_fields=["deadline"])
    return current
