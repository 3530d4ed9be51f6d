"""When orders are due, and what becomes of those that are missed (HR-DUE)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from django.db import transaction
from django.utils import timezone

from campaign.bots import staff_orders
from campaign.models import Campaign, OrderPaper, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.world import Order, World
from campaign.services.ahead import coming_day

#: The most real days between two deadlines, and campaign days in a turn.
LONGEST_CADENCE, LONGEST_TURN = 60, 28
#: The most campaign days that run on beside a battle, and real days it may be set to wait.
LONGEST_RUN, LONGEST_WAIT = 7, 90
#: Papers that show that somebody was there.
GIVEN = (
    OrderPaper.State.STANDING,
    OrderPaper.State.REPLACED,
    OrderPaper.State.WITHDRAWN,
    OrderPaper.State.CARRIED_OUT,
)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rhythm of a campaign, as its umpire sets it."""

    time_zone: str = "UTC"
    cadence_days: int | None = None
    days_a_turn: int = 1
    advance_at_deadline: bool = False
    late_orders: str = Campaign.LateOrders.REFUSE
    missed_orders: str = Campaign.MissedOrders.CARRY_ON
    run_until: str = Campaign.RunUntil.TURN
    run_on_days: int = 3
    settle_after_days: int | None = None


def schedule_of(campaign: Campaign) -> Schedule:
    """The rhythm a campaign has."""
    return Schedule(**{name: getattr(campaign, name) for name in Schedule.__dataclass_fields__})


def schedule_set(*, campaign: Campaign, schedule: Schedule, actor: User | None) -> Campaign:
    """Set the rhythm of a campaign. Raises RuleViolation (HR-DUE-01) with the field that is wrong."""
    _verify_schedule(schedule)
    with transaction.atomic():
        current = Campaign.objects.select_for_update().get(pk=campaign.pk)
        for name in Schedule.__dataclass_fields__:
            setattr(current, name, getattr(schedule, name))
        current.save(update_fields=list(Schedule.__dataclass_fields__))
    return current


def _verify_schedule(schedule: Schedule) -> None:
    if schedule.time_zone not in available_timezones():
        raise _refusal(f"There is no time zone {schedule.time_zone}; give one as Europe/London.", "time_zone")
    if schedule.cadence_days is not None and not 1 <= schedule.cadence_days <= LONGEST_CADENCE:
        raise _refusal(f"From one deadline to the next are 1 to {LONGEST_CADENCE} days.", "cadence_days")
    if not 1 <= schedule.days_a_turn <= LONGEST_TURN:
        raise _refusal(f"A turn has 1 to {LONGEST_TURN} days.", "days_a_turn")
    if schedule.run_until not in Campaign.RunUntil.values:
        raise _refusal("A turn ends with its days, a contact, a sighting or the week.", "run_until")
    if not 0 <= schedule.run_on_days <= LONGEST_RUN:
        raise _refusal(f"The others run on for 0 to {LONGEST_RUN} days.", "run_on_days")
    if schedule.settle_after_days is not None and not 1 <= schedule.settle_after_days <= LONGEST_WAIT:
        raise _refusal(f"A battle waits for 1 to {LONGEST_WAIT} days.", "settle_after_days")
    if schedule.late_orders not in Campaign.LateOrders.values:
        raise _refusal("Late orders are refused or kept for the next day; choose one.", "late_orders")
    if schedule.missed_orders not in Campaign.MissedOrders.values:
        raise _refusal("Who misses his orders carries on, halts or is ordered by his staff.", "missed_orders")


def _refusal(message: str, field: str) -> RuleViolation:
    return RuleViolation("HR-DUE-01", message, field)


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


def local(moment: datetime, campaign: Campaign) -> datetime:
    """A moment by the clock of the campaign's club."""
    return moment.astimezone(ZoneInfo(campaign.time_zone))


def deadline_after(campaign: Campaign, now: datetime) -> datetime | None:
    """The deadline that follows the one just past, at the same hour of the club's clock (HR-DUE-01).

    None without a cadence. Deadlines that passed while nobody played are skipped.
    """
    if campaign.deadline is None or not campaign.cadence_days:
        return None
    step = timedelta(days=campaign.cadence_days)
    deadline = local(campaign.deadline, campaign) + step
    while deadline <= now:
        deadline += step
    return deadline.astimezone(ZoneInfo("UTC"))


def deadline_roll(campaign: Campaign) -> None:
    """On a day just played: a deadline past gives way to the next. The caller saves the campaign."""
    now = timezone.now()
    if campaign.deadline is not None and campaign.deadline <= now:
        campaign.deadline = deadline_after(campaign, now)


# --- missed orders ---


def sides_commanded(campaign: Campaign) -> set[str]:
    """Sides with a person in their commander's seat."""
    seats = Seat.objects.filter(campaign=campaign, role=Seat.Role.COMMANDER, user__isnull=False)
    return set(seats.values_list("side", flat=True))


def sides_heard(campaign: Campaign, day: int) -> set[str]:
    """Sides that put in a paper for a day, even one withdrawn since.

    The umpire's own papers do not count (HR-UMP-08), nor the staff's that a rewind made void (HR-UMP-14).
    """
    papers = OrderPaper.objects.filter(campaign=campaign, day=day, state__in=GIVEN)
    papers = papers.exclude(kind=OrderPaper.Kind.RETURNS)
    papers = papers.exclude(author=OrderPaper.Author.STAFF, state=OrderPaper.State.REPLACED)
    papers = papers.exclude(author=OrderPaper.Author.UMPIRE)
    return set(papers.order_by("side").values_list("side", flat=True).distinct())


def sides_missing(campaign: Campaign) -> set[str]:
    """Commanded sides whose orders were not there at a deadline now past (HR-DUE-02)."""
    if campaign.paused or campaign.deadline is None or campaign.deadline > timezone.now():
        return set()
    return sides_commanded(campaign) - sides_heard(campaign, coming_day(campaign))


def orders_for_absent(campaign: Campaign, world: World) -> dict[str, list[Order]]:
    """Orders to be written on the morning of a day for the sides that give none, by side.

    The staff writes for a side nobody commands (HR-BOT-01); for one whose commander missed the deadline it
    is as the campaign has it (HR-DUE-02).
    """
    commanded, heard = sides_commanded(campaign), sides_heard(campaign, world.day)
    missing = sides_missing(campaign)
    written: dict[str, list[Order]] = {}
    for side in (side.id for side in world.theatre.sides):
        unmanned = side not in commanded and side not in heard
        if unmanned or (side in missing and campaign.missed_orders == Campaign.MissedOrders.STAFF):
            written[side] = staff_orders(world, side)
        elif side in missing and campaign.missed_orders == Campaign.MissedOrders.HALT:
            written[side] = halts(world, side)
    told = _told_by_umpire(campaign, world.day) if any(written.values()) else frozenset()
    left = {
        side: [order for order in orders if order.formation not in told] for side, orders in written.items()
    }
    return {side: orders for side, orders in left.items() if orders}


def _told_by_umpire(campaign: Campaign, day: int) -> frozenset[str]:
    """Formations with a paper for a day although their side gave none."""
    papers = OrderPaper.objects.filter(
        campaign=campaign, day=day, kind=OrderPaper.Kind.ACTIVITY, state=OrderPaper.State.STANDING
    )
    return frozenset(papers.values_list("formation", flat=True))


def halts(world: World, side: str) -> list[Order]:
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
