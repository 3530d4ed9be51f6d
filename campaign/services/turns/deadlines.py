"""When orders are due, and what becomes of those that are missed (HR-DUE)."""

from datetime import datetime, timedelta

from django.utils import timezone

from campaign.ai.commander import staff_orders
from campaign.fog.seat_roles import DEPUTISED
from campaign.models import Campaign, OrderPaper, Seat
from campaign.rules.army.organisation import is_in_column
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.world.world import Order, World
from campaign.selectors.orders.standing_orders import seats_content, standing_in
from campaign.selectors.turns.deadlines import (
    convert_to_club_time,
    deadlines_after,
    list_commanded_sides,
    rhythm_of,
    sides_missing,
    sides_spoken,
)

#: How far ahead a deadline may be set: beyond it the rhythm and calendars would reckon past all dates.
FURTHEST = timedelta(days=2 * 366)


def rhythm_set(campaign: Campaign, rhythm: Rhythm) -> None:
    """Give a campaign another rhythm (HR-DUE-01). The caller saves the campaign."""
    if rhythm == rhythm_of(campaign):
        raise RuleViolation("HR-DUE-01", "That is the rhythm already; change something or leave it.")
    for name in Rhythm.__dataclass_fields__:
        setattr(campaign, name, getattr(rhythm, name))


def deadline_set(campaign: Campaign, until: datetime | None, *, earlier: bool) -> None:
    """Say until when orders for the coming day are taken, None for no deadline. The caller saves it.

    Raises RuleViolation (HR-UMP-11) for a moment already past, and for one before the present deadline
    unless `earlier` says that this is meant; or when that is said and not so.
    """
    present = campaign.deadline
    if until == present:
        told = "There is no deadline." if until is None else "That is the deadline already."
        raise RuleViolation("HR-UMP-11", told, "until")
    if until is not None and until <= timezone.now():
        raise RuleViolation("HR-UMP-11", "That moment is past; set the deadline to a later one.", "until")
    if until is not None and until > timezone.now() + FURTHEST:
        raise RuleViolation(
            "HR-UMP-11", "That is more than two years ahead; set the deadline to an earlier moment.", "until"
        )
    if until is not None and present is not None and until < present and not earlier:
        raise RuleViolation(
            "HR-UMP-11",
            f"Orders were to be taken until {convert_to_club_time(present, campaign):%-d %B %Y, %H:%M} "
            f"({campaign.time_zone}), and people count on that. Give a later moment, or say that it is to be "
            "earlier.",
            "until",
        )
    if earlier and (until is None or present is None or until > present):
        raise RuleViolation(
            "HR-UMP-11", "That is not earlier than was said; leave it out, for both sides read it.", "earlier"
        )
    campaign.deadline, campaign.deadline_meant = until, None


def deadline_roll(campaign: Campaign) -> None:
    """On a day played: a deadline past, or none, gives way to the next. The caller saves the campaign."""
    now = timezone.now()
    if campaign.deadline is None or campaign.deadline <= now:
        _set_next_deadline(campaign, now)


def deadline_after_rewind(campaign: Campaign) -> None:
    """After going back: people have a day at least to write anew (HR-UMP-14). The caller saves the campaign.

    A deadline nearer than that gives way to the next of the rhythm; without a rhythm there is none.
    """
    now = timezone.now()
    near = campaign.deadline is None or campaign.deadline < now + timedelta(days=1)
    if near or not campaign.cadence_days:
        _set_next_deadline(campaign, now)


def _set_next_deadline(campaign: Campaign, now: datetime) -> None:
    """Give a campaign its next deadline, and keep the hour that is meant by it."""
    campaign.deadline, campaign.deadline_meant = next(deadlines_after(campaign, now), (None, None))


# --- missed orders ---


def missed_note(campaign: Campaign, world: World | None = None) -> None:
    """Keep for the seats of sides that missed the deadline that they did; their deputies act (HR-SET-09)."""
    if missing := sides_missing(campaign, world):
        seats = Seat.objects.filter(campaign=campaign, role__in=DEPUTISED, side__in=missing).in_force()
        seats.update(missed_at=campaign.deadline)


def orders_for_absent(campaign: Campaign, world: World) -> dict[str, list[Order]]:
    """Orders to be written on the morning of a day for the sides that give none, by side.

    The staff writes for a side nobody commands (HR-BOT-01); for one whose commander missed the deadline it
    is as the campaign has it (HR-DUE-02). What its own people have under way is left alone.
    """
    commanded, spoken = list_commanded_sides(campaign), sides_spoken(campaign, world.day)
    missing = sides_missing(campaign, world)
    written: dict[str, list[Order]] = {}
    for side in (side.id for side in world.theatre.sides):
        unmanned = side not in commanded and side not in spoken
        if unmanned or (side in missing and campaign.missed_orders == Campaign.MissedOrders.STAFF):
            written[side] = _left_alone(campaign, world, staff_orders(world, side))
        elif side in missing and campaign.missed_orders == Campaign.MissedOrders.HALT:
            written[side] = build_halt_orders(world, side)
    told = _told_by_umpire(campaign, world.day) if any(written.values()) else frozenset()
    left = {
        side: [order for order in orders if order.formation not in told] for side, orders in written.items()
    }
    return {side: orders for side, orders in left.items() if orders}


def _left_alone(campaign: Campaign, world: World, orders: list[Order]) -> list[Order]:
    """The staff's orders without those for formations that their own people have under way, or content."""
    under_way = {formation for _, formation in standing_in(campaign, world, endless=True)}
    content = seats_content({campaign.pk: world.day}).filter(role=Seat.Role.COLUMN)
    columns = [seat.formations for seat in content]
    return [
        order
        for order in orders
        if order.formation not in under_way
        and not any(is_in_column(formations, order.formation) for formations in columns)
    ]


def _told_by_umpire(campaign: Campaign, day: int) -> frozenset[str]:
    """Formations with a paper for a day although their side gave none."""
    papers = OrderPaper.objects.filter(
        campaign=campaign, day=day, kind=OrderPaper.Kind.ACTIVITY, state=OrderPaper.State.STANDING
    )
    return frozenset(papers.values_list("formation", flat=True))


def build_halt_orders(world: World, side: str) -> list[Order]:
    """Orders to stand for the formations of a side that are under way; who is at work goes on."""
    return [
        Order(key, stance=formation.order.stance)
        for key, formation in sorted(world.formations.items())
        if formation.side == side
        and formation.position is not None
        and formation.order is not None
        and (
            formation.order.via
            or formation.order.stages
            or formation.order.activity in ("follow", "intercept")
        )
    ]
