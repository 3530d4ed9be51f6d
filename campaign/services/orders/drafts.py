"""Drafts: orders kept and checked, that count for nothing until they are submitted (HR-PAP-02).

Earlier orders can be copied as drafts for the coming day, and all drafts submitted at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from battles.grammar import Subject
from campaign.ledger.provisional_days import coming_day, load_outlook, verify_free
from campaign.models import Campaign, OrderPaper, User
from campaign.rules.army.organisation import (
    Detach,
    Escort,
    HandOver,
    Join,
    Organisation,
    Transfer,
    subject_of,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.order_json import order_to_paper
from campaign.rules.orders.orders import verify_order
from campaign.rules.returns.week import WeekChoices, verify_owner
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_from_json
from campaign.services.orders.day_orders import (
    acts_of,
    acts_to_json,
    choices_to_json,
    numbers_take,
    parse_week_choices,
    same_act,
)
from campaign.services.orders.march_orders import (
    build_advanced_refusal,
    list_order_drafts,
    lock_running_campaign,
    order_submit,
)
from campaign.services.orders.organisation import (
    came_since,
    organisation_submit,
    returns_submit,
    verify_length,
    week_end,
)
from campaign.services.seats.assignment import verify_command

State = OrderPaper.State
Kind = OrderPaper.Kind

#: A draft, and what would refuse it if it were submitted now.
Kept = tuple[OrderPaper, RuleViolation | None]


def order_draft(
    *, campaign: Campaign, side: str, order: Order, actor: User | None, written: int | None = None
) -> Kept:
    """Keep an order as its formation's draft, in place of an earlier one.

    `written` is the day it was written for, if that is known: a day gone by is told as the refusal
    (HR-CAL-03), for what it was written at is gone. Raises RuleViolation when the formation is not the
    side's or the campaign has ended.
    """
    _verify_own(load_outlook(campaign).world, side, formations=(order.formation,))
    given: dict[str, Any] = {"campaign": campaign, "side": side, "actor": actor, "written": written}
    refusal = _find_refusal(lambda: order_submit(order=order, **given))
    return order_draft_keep(campaign=campaign, side=side, order=order, actor=actor), refusal


def order_draft_keep(
    *, campaign: Campaign, side: str, order: Order, actor: User | None, seen: int | None = None
) -> OrderPaper:
    """Save an order that was already checked as a draft.

    With `seen`, the number of the last paper its writer knew, it replaces no newer draft (HR-PAP-04).
    """

    def body(draft: OrderPaper | None) -> dict[str, Any]:
        if came_since(draft, seen):
            raise RuleViolation(
                "HR-PAP-04", "Another draft of it came in meanwhile, which stays; look again."
            )
        return order_to_paper(order)

    return _keep_draft(campaign, Kind.ACTIVITY, side, order.formation, actor, body)


def organisation_draft(
    *,
    campaign: Campaign,
    side: str,
    act: Organisation,
    actor: User | None,
    seen: int | None = None,
    written: int | None = None,
) -> Kept:
    """Put an act on the draft of its formation's organisation. Raises RuleViolation as `order_draft`.

    Sent twice it stands there once; `seen` and `written` are as in `order_submit` and `order_draft`.
    """
    _verify_act_own(load_outlook(campaign).world, side, act)

    def body(draft: OrderPaper | None) -> dict[str, Any]:
        before = acts_of(draft) if draft else []
        if came_since(draft, seen) and any(same_act(act, one) for one in before):
            return acts_to_json(before)
        acts = [*before, act]
        verify_length(acts)
        return acts_to_json(acts)

    draft = _keep_draft(campaign, Kind.ORGANISATION, side, subject_of(act), actor, body)
    return draft, _draft_refusal(draft, actor, written)


def returns_draft(
    *,
    campaign: Campaign,
    side: str,
    choices: WeekChoices,
    actor: User | None,
    seen: int | None = None,
    written: int | None = None,
) -> Kept:
    """Put choices on the side's draft for the returns. Raises RuleViolation as `organisation_draft`."""
    verify_owner(load_outlook(campaign).world, choices, side)

    def body(draft: OrderPaper | None) -> dict[str, Any]:
        before = parse_week_choices(draft) if draft else WeekChoices()
        if came_since(draft, seen) and set(choices.single()) <= set(before.single()):
            return choices_to_json(before)
        whole = before.plus(choices)
        verify_length(list(whole.single()))
        return choices_to_json(whole)

    draft = _keep_draft(campaign, Kind.RETURNS, side, side, actor, body)
    return draft, _draft_refusal(draft, actor, written)


def draft_submit(*, paper: OrderPaper, actor: User | None, seen: int | None = None) -> OrderPaper:
    """Submit a draft: an order takes the place of the one given, lines go on the paper that stands.

    `seen` is as in `order_submit`. Raises RuleViolation as the paper's own service does; then it stays.
    """
    with transaction.atomic():
        lock_running_campaign(paper.campaign)
        _verify_draft(paper)
        done = _submit_draft(paper, actor, seen)
        OrderPaper.objects.filter(pk=paper.pk, state=State.DRAFT).delete()
    return done


def draft_discard(*, paper: OrderPaper, actor: User | None) -> None:
    """Throw a draft away, a lapsed one too. Raises RuleViolation when it is gone or another's (HR-SET-05)."""
    verify_command(campaign=paper.campaign, side=paper.side, actor=actor, formations=[paper.formation])
    lapsed = OrderPaper.objects.filter(pk=paper.pk, state=State.LAPSED, version=0)
    if not lapsed.delete()[0]:
        _verify_draft(paper)
        OrderPaper.objects.filter(pk=paper.pk, state=State.DRAFT).delete()


def drafts_lapse(campaign: Campaign, world: World) -> None:
    """Drafts for days now played, or for returns of weeks now over, lapse; they can still be read.

    Call in the transaction that saves the day.
    """
    drafts = OrderPaper.objects.filter(campaign=campaign, state=State.DRAFT)
    returns = Q(kind=Kind.RETURNS)
    over = (~returns & Q(day__lt=world.day)) | (returns & Q(day__lt=world.day - world.day % 7))
    drafts.filter(over).update(state=State.LAPSED)


def _submit_draft(paper: OrderPaper, actor: User | None, seen: int | None) -> OrderPaper:
    given: dict[str, Any] = {"campaign": paper.campaign, "side": paper.side, "actor": actor, "seen": seen}
    if paper.kind == Kind.ACTIVITY:
        return order_submit(**given, order=order_from_json(paper.body))
    if paper.kind == Kind.ORGANISATION:
        return organisation_submit(**given, acts=acts_of(paper), add=True)
    return returns_submit(**given, choices=parse_week_choices(paper), add=True)


def _keep_draft(
    campaign: Campaign,
    kind: Kind,
    side: str,
    subject: str,
    actor: User | None,
    body: Callable[[OrderPaper | None], dict[str, Any]],
) -> OrderPaper:
    verify_command(campaign=campaign, side=side, actor=actor, formations=[subject])
    with transaction.atomic():
        current = lock_running_campaign(campaign)
        before = list_order_drafts(current, kind, side, subject)
        written = body(before.first())
        before.delete()
        _list_lapsed_drafts(current, kind, side, subject).delete()
        return OrderPaper.objects.create(
            campaign=current,
            day=coming_day(current),
            kind=kind,
            formation=subject,
            side=side,
            number=numbers_take(current, side, 1)[0],
            body=written,
            version=0,
            state=State.DRAFT,
            submitted_by=actor,
        )


def _list_lapsed_drafts(campaign: Campaign, kind: Kind, side: str, subject: str) -> QuerySet[OrderPaper]:
    """List lapsed drafts of the same order; a newer one replaces them."""
    return OrderPaper.objects.filter(
        campaign=campaign, kind=kind, side=side, formation=subject, state=State.LAPSED, version=0
    )


class _Tried(Exception):
    """The paper would have been taken."""


def _find_refusal(submit: Callable[[], object]) -> RuleViolation | None:
    """Find the reason why submitting would be refused; None when it would not. Nothing is written."""
    try:
        with transaction.atomic():
            submit()
            raise _Tried
    except RuleViolation as violation:
        return violation
    except _Tried:
        return None


def _draft_refusal(draft: OrderPaper, actor: User | None, written: int | None) -> RuleViolation | None:
    """The same of a draft just kept, which may have been written for a day gone by."""

    def submit() -> None:
        _verify_day_not_played(draft.campaign, draft.kind, written)
        draft_submit(paper=draft, actor=actor)

    return _find_refusal(submit)


def _verify_day_not_played(campaign: Campaign, kind: str, written: int | None) -> None:
    """Refuse orders written for a day, or returns for a week, that has already been played (HR-CAL-03)."""
    if written is None:
        return
    today = coming_day(campaign)
    if kind == Kind.RETURNS and week_end(written) == week_end(today):
        return
    if written != today:
        raise build_advanced_refusal()


def _verify_draft(paper: OrderPaper) -> None:
    if OrderPaper.objects.filter(pk=paper.pk, state=State.LAPSED).exists():
        raise RuleViolation(
            "HR-PAP-02", "This draft was for a day that has been played and has lapsed; write it anew."
        )
    if not OrderPaper.objects.filter(pk=paper.pk, state=State.DRAFT).exists():
        raise RuleViolation("HR-PAP-02", "This draft has been submitted or thrown away; look again.")


# --- a draft names nothing but one's own, lest its words tell of what is hidden (HR-FOG-01) ---


def _verify_act_own(world: World, side: str, act: Organisation) -> None:
    formations = [subject_of(act)]
    units: Sequence[str] = ()
    generals: Sequence[str] = ()
    match act:
        case Detach() | Transfer():
            units = act.units
        case Escort():
            formations.append(act.wagons)
        case Join():
            formations.append(act.into)
        case HandOver():
            generals = (act.leader,)
    _verify_own(world, side, formations=formations, units=units, generals=generals)


def _verify_own(
    world: World,
    side: str,
    *,
    formations: Sequence[str] = (),
    units: Sequence[str] = (),
    generals: Sequence[str] = (),
) -> None:
    sides = {key: world.formations[key].side for key in formations if key in world.formations}
    sides |= {key: world.units[key].side for key in units if key in world.units}
    sides |= {key: world.generals[key].side for key in generals if key in world.generals}
    for key in (*formations, *units, *generals):
        if sides.get(key) != side:
            raise RuleViolation(
                "HR-FOR-04", f"There is no {key!r} of yours; choose one of your own.", "formation"
            )


RULE = "HR-PAP-02"


@dataclass(frozen=True, slots=True)
class Repeated:
    """Result of repeating a formation's order: a draft or submitted order, or why there is none."""

    formation: str
    paper: OrderPaper | None
    reason: str = ""


def find_last_ordered_day(campaign: Campaign, side: str, before: int) -> int | None:
    """Find the last campaign day before another on which the side's own people gave orders."""
    found = _list_carried_out_orders(campaign, side).filter(day__lt=before).aggregate(last=Max("day"))
    last: int | None = found["last"]
    return last


def orders_repeat(*, campaign: Campaign, side: str, actor: User | None, day: int) -> list[Repeated]:
    """Keep the orders carried out on `day` as drafts for the coming one, each checked as it would be now.

    Formations that have a draft or an order already are left alone, and told; so is whatever the rules would
    refuse. Raises RuleViolation when there is nothing to copy.
    """
    ahead = load_outlook(campaign)
    world, today = build_reported_world(ahead.world, side), ahead.world.day
    before = {
        paper.formation: paper
        for paper in _list_carried_out_orders(campaign, side).filter(day=day).order_by("version")
    }
    if not before or day >= today:
        raise RuleViolation(RULE, "No orders of your side were carried out on that day; write new ones.")
    papers = OrderPaper.objects.filter(campaign=campaign, side=side, kind=Kind.ACTIVITY, day=today)
    states = (State.STANDING, State.QUEUED, State.DRAFT)
    own = OrderPaper.objects.filter(campaign=campaign, side=side)
    last: int = own.aggregate(last=Max("number"))["last"] or 0
    has = dict(papers.filter(state__in=states).values_list("formation", "state"))

    def keep(paper: OrderPaper) -> OrderPaper:
        order = order_from_json(paper.body)
        verify_command(campaign=campaign, side=side, actor=actor, formations=[paper.formation])
        if paper.formation in has:
            word = "a draft" if has[paper.formation] == State.DRAFT else "an order"
            raise RuleViolation(RULE, f"It has {word} for this day already, which stays.")
        _verify_stands(world, paper.formation)
        verify_order(world, order, side=side)
        verify_free(campaign, paper.formation, ahead)
        return order_draft_keep(campaign=campaign, side=side, order=order, actor=actor, seen=last)

    return [_try_order(paper, keep) for _, paper in sorted(before.items())]


def _verify_stands(world: World, key: str) -> None:
    """Refuses an order for a formation that was on the map and has no units any more (HR-FOR-04)."""
    formation = world.formations.get(key)
    if formation is not None and formation.position is None:
        raise RuleViolation(
            "HR-FOR-04",
            f"{Subject(formation.name):has} no units any more, so {Subject(formation.name):+its} order is "
            "not copied. What went over into another formation is ordered with that.",
        )


def drafts_submit(
    *, campaign: Campaign, side: str, actor: User | None, seen: int | None = None
) -> list[Repeated]:
    """Submit every draft of an order; one that is refused stays a draft and says why.

    `seen` is the number of the last paper the writer had seen, if it is known: drafts kept since, as by a
    deputy or in another window, are not submitted unread (HR-PAP-04).
    """
    drafts = OrderPaper.objects.filter(campaign=campaign, side=side, kind=Kind.ACTIVITY, state=State.DRAFT)

    def submit(paper: OrderPaper) -> OrderPaper:
        if seen is not None and paper.number > seen:
            raise RuleViolation(
                "HR-PAP-04",
                "Its draft was written or changed since you looked. Read it, then submit it.",
            )
        return draft_submit(paper=paper, actor=actor, seen=seen)

    return [_try_order(paper, submit) for paper in drafts.order_by("formation")]


def _list_carried_out_orders(campaign: Campaign, side: str) -> Any:
    """List the orders that people of a side gave and that were carried out."""
    papers = OrderPaper.objects.filter(campaign=campaign, side=side, kind=Kind.ACTIVITY)
    return papers.filter(state=State.CARRIED_OUT, author=OrderPaper.Author.COMMANDER)


def _try_order(paper: OrderPaper, act: Callable[[OrderPaper], OrderPaper]) -> Repeated:
    try:
        return Repeated(paper.formation, act(paper))
    except RuleViolation as violation:
        return Repeated(paper.formation, None, f"{violation.message} ({violation.rule_id})")
