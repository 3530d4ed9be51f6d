"""Orders given before, given again: copied as drafts for the coming day, or all drafts submitted at once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import Max

from battles.grammar import Subject
from campaign.ledger.provisional_days import load_outlook, verify_free
from campaign.models import Campaign, OrderPaper, User
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.world.world import World
from campaign.rules.world.world_json import order_from_json
from campaign.services.orders.drafts import draft_submit, order_draft_keep
from campaign.services.seats.assignment import verify_command

State = OrderPaper.State
Kind = OrderPaper.Kind
RULE = "HR-PAP-02"


@dataclass(frozen=True, slots=True)
class Repeated:
    """What became of one formation's order: a draft or a paper, or the reason why there is none."""

    formation: str
    paper: OrderPaper | None
    reason: str = ""


def find_last_ordered_day(campaign: Campaign, side: str, before: int) -> int | None:
    """The last campaign day before another on which the side's own people had given orders."""
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
    """Orders that people of a side gave and that were carried out."""
    papers = OrderPaper.objects.filter(campaign=campaign, side=side, kind=Kind.ACTIVITY)
    return papers.filter(state=State.CARRIED_OUT, author=OrderPaper.Author.COMMANDER)


def _try_order(paper: OrderPaper, act: Callable[[OrderPaper], OrderPaper]) -> Repeated:
    try:
        return Repeated(paper.formation, act(paper))
    except RuleViolation as violation:
        return Repeated(paper.formation, None, f"{violation.message} ({violation.rule_id})")
