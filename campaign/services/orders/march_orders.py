"""Orders: checked by the rule the turn itself uses, and stored with a receipt (HR-PAP-01)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet

from campaign.ledger.provisional_days import coming_day, load_outlook, verify_free
from campaign.models import Battle, Campaign, Job, OrderPaper, User
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.consistency import verify_order_agrees
from campaign.rules.orders.order_json import order_to_paper
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_from_json
from campaign.selectors.turns.deadlines import late_for
from campaign.services.orders.day_orders import acts_of, numbers_take
from campaign.services.orders.standing_orders import nothing_new_note, seats_spoken_for
from campaign.services.seats.assignment import verify_command

State = OrderPaper.State
Kind = OrderPaper.Kind
Author = OrderPaper.Author


class NewerPaper(RuleViolation):
    """A paper came in that the writer of this one had not seen (HR-PAP-04)."""

    def __init__(self, paper: OrderPaper) -> None:
        super().__init__(
            "HR-PAP-04",
            f"Version {paper.version} of this order came in while you wrote and stands; read it, then submit "
            "yours again if it is to replace it.",
            "formation",
        )
        self.paper = paper


def order_submit(
    *,
    campaign: Campaign,
    side: str,
    order: Order,
    actor: User | None,
    seen: int | None = None,
    written: int | None = None,
) -> OrderPaper:
    """Put in an order for the coming day; an earlier one for the same formation is replaced.

    Late, it is refused or kept for the next day, as the campaign has it (HR-CAL-04). `written` is the day
    it was written for and `seen` the number of the last paper the writer had seen, if they are known: sent
    twice it is one paper. Raises RuleViolation, and leaves the earlier order standing, when the
    campaign has ended, the day has been advanced, a newer paper stands (NewerPaper), the formation is not
    the side's or the rules do not allow the order.
    """
    verify_command(campaign=campaign, side=side, actor=actor, formations=[order.formation])
    ahead = load_outlook(campaign)
    day = ahead.world.day
    if written is not None and written != day:
        raise build_advanced_refusal()
    verify_order(build_reported_world(ahead.world, side), order, side=side)
    verify_free(campaign, order.formation, ahead)
    with transaction.atomic():
        current, state = lock_for_submission(campaign, side, seen=day)
        acts = OrderPaper.objects.filter(
            campaign=current, kind=Kind.ORGANISATION, side=side, day=day, state=state
        )
        verify_order_agrees(ahead.world, order, [act for paper in acts for act in acts_of(paper)])
        bodies = {order.formation: order_to_paper(order)}
        newer = _find_newer_order(current, order.formation, day, seen)
        if newer is not None and order_from_json(newer.body) != order:
            raise NewerPaper(newer)
        list_order_drafts(current, Kind.ACTIVITY, side, order.formation).delete()
        if newer is not None:
            return newer
        return file_papers(current, Kind.ACTIVITY, side, bodies, actor, day=day, state=state)[0]


def _find_newer_order(campaign: Campaign, formation: str, day: int, seen: int | None) -> OrderPaper | None:
    """Find a valid order that came in after number `seen`; None when there is none."""
    if seen is None:
        return None
    papers = OrderPaper.objects.filter(campaign=campaign, day=day, kind=Kind.ACTIVITY, formation=formation)
    return papers.filter(number__gt=seen, state__in=(State.STANDING, State.QUEUED)).order_by("number").last()


def staff_orders_submit(
    *, campaign: Campaign, side: str, orders: Sequence[Order], world: World
) -> list[OrderPaper]:
    """Put in the staff's orders for a side nobody commands, all or none (HR-BOT-01).

    The staff writes when the day is advanced, so the players' deadline does not bind it.
    """
    for order in orders:
        verify_order(build_reported_world(world, side), order, side=side)
    with transaction.atomic():
        current = _open_for_orders(campaign, world.day)
        bodies = {order.formation: order_to_paper(order) for order in orders}
        return file_papers(current, Kind.ACTIVITY, side, bodies, None, day=world.day)


def nothing_new_say(*, campaign: Campaign, side: str, actor: User, written: int | None = None) -> int:
    """Say for one's seats of a side that there is nothing new: older orders go on, no deadline is missed.

    `written` is the day it was said for, if that is known. Returns the day it counts for; said twice it is
    the same. Raises RuleViolation when no order would be taken, or the person commands nothing of the side.
    """
    day = coming_day(campaign)
    if written is not None and written != day:
        raise build_advanced_refusal()
    with transaction.atomic():
        current, state = lock_for_submission(campaign, side, seen=day)
        if state == State.QUEUED:
            late = late_for(current, side)
            raise RuleViolation("HR-CAL-04", late.told if late else "The deadline has passed.")
        seats = seats_spoken_for(current, actor, side)
        if not seats:
            raise RuleViolation(
                "HR-SET-05",
                "You command nothing of this side now, so you have no orders to leave as they are.",
            )
        nothing_new_note(seats=seats, day=day, actor=actor)
    return day


def order_withdraw(*, paper: OrderPaper, actor: User | None) -> OrderPaper:
    """Take a paper back; the formation's standing order counts again.

    Raises RuleViolation when the paper no longer stands, the day is being or has been played, or
    the deadline is past. One that came late and waits for the next day may still be taken back.
    """
    verify_command(campaign=paper.campaign, side=paper.side, actor=actor, formations=[paper.formation])
    with transaction.atomic():
        current = lock_running_campaign(paper.campaign)
        paper = OrderPaper.objects.get(pk=paper.pk)
        if paper.state == State.STANDING:
            _verify_day(current, min(paper.day, coming_day(current)))
            if refusal := _too_late(current, paper.side, paper.day):
                raise refusal
        elif paper.state != State.QUEUED:
            raise RuleViolation(
                "HR-CAL-06", "This order no longer stands, so it cannot be withdrawn; give a new one."
            )
        paper.state = State.WITHDRAWN
        paper.save(update_fields=["state"])
    return paper


def may_withdraw(paper: OrderPaper) -> bool:
    """True when `order_withdraw` would accept the order now, as far as its day and the deadline allow."""
    if paper.state == State.QUEUED:
        return True
    now = coming_day(paper.campaign)
    return (
        paper.state == State.STANDING
        and paper.day >= now
        and not _too_late(paper.campaign, paper.side, paper.day)
    )


def list_order_drafts(campaign: Campaign, kind: Kind, side: str, subject: str) -> QuerySet[OrderPaper]:
    """List the drafts of one side's order for a subject: one or none (HR-PAP-02)."""
    return OrderPaper.objects.filter(
        campaign=campaign, kind=kind, side=side, formation=subject, state=State.DRAFT
    )


# --- when papers are taken ---


def lock_for_submission(
    campaign: Campaign, side: str, *, seen: int, due: int | None = None
) -> tuple[Campaign, State]:
    """Lock the campaign and say how a side's order is accepted: at once, or queued for the next day.

    `seen` is the day whose morning the paper was written at, `due` the day it is for if another.
    Raises RuleViolation when no paper is taken (HR-CAL-02 to HR-CAL-05).
    """
    current = lock_running_campaign(campaign)
    if due is None:
        _verify_day(current, seen)
    elif current.day != seen:
        raise build_advanced_refusal()
    refusal = _too_late(current, side, seen if due is None else due)
    if refusal is None:
        return current, State.STANDING
    if current.late_orders == Campaign.LateOrders.QUEUE:
        return current, State.QUEUED
    raise refusal


def lock_running_campaign(campaign: Campaign) -> Campaign:
    """Lock the campaign and return it. Raises RuleViolation when it has ended."""
    current = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if current.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", "The campaign has ended; no more orders are taken.")
    return current


def _verify_day(campaign: Campaign, day: int) -> None:
    """Refuses what is not for the coming day, be it one that runs on beside a battle (HR-CAL-11)."""
    if coming_day(campaign) != day:
        raise build_advanced_refusal()


def build_advanced_refusal() -> RuleViolation:
    """Build the refusal of an order written for a day that has already been played."""
    return RuleViolation(
        "HR-CAL-03", "The day has been advanced meanwhile; look at the new position and order again."
    )


def _too_late(campaign: Campaign, side: str, day: int) -> RuleViolation | None:
    """Why a side's paper for `day` comes too late to count, if it does."""
    if day > coming_day(campaign) + campaign.days_a_turn - 1:
        return None
    return _under_way(campaign) or _find_overdue_refusal(campaign, side)


def _under_way(campaign: Campaign) -> RuleViolation | None:
    battles = campaign.battles.filter(revision=campaign.revision, day=coming_day(campaign))
    if battles.exists():
        waits = battles.filter(state=Battle.State.WAITING).exists()
        why = "waits for a battle" if waits else "its battle is settled"
        return RuleViolation(
            "HR-CAL-05", f"This day is already being played and {why}; order again when it is over."
        )
    running = Job.objects.filter(campaign=campaign, kind__startswith="advance", state=Job.State.RUNNING)
    long = campaign.days_a_turn > 1 or campaign.run_until != Campaign.RunUntil.TURN
    if long and running.exists():
        return RuleViolation("HR-CAL-05", "The turn is being played; order again when it is over.")
    return None


def _find_overdue_refusal(campaign: Campaign, side: str) -> RuleViolation | None:
    late = late_for(campaign, side)
    return None if late is None else RuleViolation("HR-CAL-04", late.told)


def _open_for_orders(campaign: Campaign, day: int) -> Campaign:
    """The campaign under lock, if the staff's orders for `day` can still be written."""
    current = lock_running_campaign(campaign)
    _verify_day(current, day)
    if current.battles.filter(revision=current.revision, day=day).exists():
        raise RuleViolation("HR-CAL-05", "This day is already being played and waits for a battle.")
    return current


# --- filing ---


def file_papers(
    campaign: Campaign,
    kind: Kind,
    side: str,
    bodies: Mapping[str, Mapping[str, Any]],
    actor: User | None,
    *,
    author: Author | None = None,
    day: int | None = None,
    state: State = State.STANDING,
) -> list[OrderPaper]:
    """The papers of these bodies by subject, in few statements however many there are.

    The campaign must be locked; those that had the same state are replaced. Without an `author` those
    of a person are a commander's, those of nobody the staff's.
    """
    day = campaign.day if day is None else day
    papers = OrderPaper.objects.filter(campaign=campaign, day=day, kind=kind, formation__in=list(bodies))
    versions = dict(papers.exclude(state=State.DRAFT).values_list("formation").annotate(Max("version")))
    papers.filter(state=state).update(state=State.REPLACED)
    numbers = numbers_take(campaign, side, len(bodies))
    return OrderPaper.objects.bulk_create(
        OrderPaper(
            campaign=campaign,
            day=day,
            kind=kind,
            formation=subject,
            side=side,
            number=number,
            body=body,
            version=versions.get(subject, 0) + 1,
            state=state,
            author=author or (Author.COMMANDER if actor else Author.STAFF),
            submitted_by=actor,
        )
        for number, (subject, body) in zip(numbers, bodies.items(), strict=True)
    )


def index_latest_orders(papers: Iterable[OrderPaper]) -> dict[tuple[str, str], OrderPaper]:
    """Index the last order of each kind and subject."""
    return {(paper.kind, paper.formation): paper for paper in sorted(papers, key=lambda paper: paper.pk)}
