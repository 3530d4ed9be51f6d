"""Orders besides marches: organisation, a week's returns, and any order submitted as JSON."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeGuard

from django.db import transaction

from campaign.ledger.provisional_days import coming_day, load_outlook, verify_free
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, OrderPaper, User
from campaign.rules.army.organisation import (
    Escort,
    Join,
    Organisation,
    Transfer,
    subject_of,
    verify_organisation,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.consistency import verify_acts_agree
from campaign.rules.orders.orders import verify_order
from campaign.rules.returns.week import WeekChoices, verify_choices
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.world.world import World
from campaign.rules.world.world_json import order_from_json
from campaign.services.orders.day_orders import (
    acts_of,
    acts_to_json,
    choices_to_json,
    parse_week_choices,
    same_act,
)
from campaign.services.orders.march_orders import (
    NewerPaper,
    build_advanced_refusal,
    file_papers,
    index_latest_orders,
    lock_for_submission,
)
from campaign.services.seats.assignment import verify_command

State = OrderPaper.State
Kind = OrderPaper.Kind
Author = OrderPaper.Author

#: The most acts or choices on one paper.
LONGEST = 50


# --- organisation ---


def organisation_submit(
    *,
    campaign: Campaign,
    side: str,
    acts: Sequence[Organisation],
    actor: User | None,
    seen: int | None = None,
    written: int | None = None,
    add: bool = False,
) -> OrderPaper:
    """Put in one formation's acts of organisation for the coming morning, in place of its earlier ones.

    With `add` they go on its paper besides those. `written` and `seen` are as in `order_submit`: sent twice
    they stand on the paper once (HR-PAP-04). Raises RuleViolation for an act the rules do not allow beside
    the side's other papers, and as `order_submit`.
    """
    subject = subject_of(acts[0])
    if any(subject_of(act) != subject for act in acts):
        raise RuleViolation("HR-PAP-01", "A paper of organisation is about one formation.", "formation")
    ahead = load_outlook(campaign)
    if written is not None and written != ahead.world.day:
        raise build_advanced_refusal()
    world = build_reported_world(ahead.world, side)
    ordered = sorted({key for act in acts for key in _list_ordered_formations(world, act)})
    verify_command(campaign=campaign, side=side, actor=actor, formations=ordered)
    for key in sorted({*ordered, *(act.into for act in acts if isinstance(act, Join))}):
        verify_free(campaign, key, ahead)
    with transaction.atomic():
        current, state = lock_for_submission(campaign, side, seen=world.day)
        papers = _side_papers(current, Kind.ORGANISATION, side, world.day, state)
        mine = papers.pop((str(Kind.ORGANISATION), subject), None)
        kept = acts_of(mine) if mine is not None else []
        if came_since(mine, seen):
            there = all(any(same_act(act, one) for one in kept) for act in acts)
            if there and (add or len(kept) == len(acts)):
                return mine
            if not add:
                raise NewerPaper(mine)
        whole = [*(kept if add else ()), *acts]
        others = [act for paper in papers.values() for act in acts_of(paper)]
        for number, act in enumerate(whole):
            verify_organisation(world, act, side, [*others, *whole[:number], *whole[number + 1 :]])
        orders = _side_papers(current, Kind.ACTIVITY, side, world.day, state).values()
        given = {paper.formation: order_from_json(paper.body) for paper in orders}
        verify_acts_agree(world, acts, [act for act in [*others, *whole] if act not in acts], given)
        verify_length(whole)
        bodies = {subject: acts_to_json(whole)}
        return file_papers(current, Kind.ORGANISATION, side, bodies, actor, day=world.day, state=state)[0]


def organisation_strike(*, paper: OrderPaper, number: int, actor: User | None) -> OrderPaper | None:
    """Strike one act (0 is the first) off a standing paper; None when none is left and it is withdrawn."""
    acts = acts_of(paper)
    left = acts[:number] + acts[number + 1 :]
    return _strike_lines(paper, acts_to_json(left) if left else None, len(acts) - len(left), actor)


def _list_ordered_formations(world: World, act: Organisation) -> set[str]:
    """List the formations an act of organisation gives orders to, or takes units from."""
    match act:
        case Transfer():
            units = (world.units.get(unit) for unit in act.units)
            return {act.into, *(unit.formation for unit in units if unit)}
        case Escort():
            return {act.formation, act.wagons}
        case _:
            return {act.formation}


# --- returns ---


def week_end(day: int) -> int:
    """The last day of the week that `day` is in: the day a paper of returns is for."""
    return day // 7 * 7 + 6


def returns_submit(
    *,
    campaign: Campaign,
    side: str,
    choices: WeekChoices,
    actor: User | None,
    seen: int | None = None,
    written: int | None = None,
    add: bool = False,
) -> OrderPaper:
    """Put in a side's choices for the week's returns, in place of its earlier ones (HR-PAP-03).

    `side` is empty for the umpire; `add`, `seen` and `written` are as in `organisation_submit`. Raises
    RuleViolation for a choice the rules do not allow today, for what was written in an earlier week, after
    the deadline of the week's last day, and when the campaign has ended.
    """
    if written is not None and week_end(written) != week_end(coming_day(campaign)):
        raise build_advanced_refusal()
    if choices.refused:
        raise RuleViolation(
            "HR-PAP-03", "What is refused is not for a player to say; leave it out.", "refused"
        )
    world = build_reported_world(world_load(campaign), side)
    verify_command(campaign=campaign, side=side, actor=actor, formations=[side])
    with transaction.atomic():
        due = week_end(world.day)
        current, state = lock_for_submission(campaign, side, seen=world.day, due=due)
        if state == State.QUEUED:
            raise RuleViolation(
                "HR-CAL-04", "The week's returns are being made up; choose for the next week."
            )
        mine = _side_papers(current, Kind.RETURNS, side, due, state).get((str(Kind.RETURNS), side))
        kept = parse_week_choices(mine) if mine is not None else WeekChoices()
        if came_since(mine, seen):
            # counted, as a pool is named once for each unit wanted
            said, there = Counter(choices.single()), Counter(kept.single())
            if said == there or (add and said < there):
                return mine
            if not add:
                raise NewerPaper(mine)
        whole = (kept if add else WeekChoices()).plus(choices)
        verify_choices(world, whole, side)
        verify_length(list(whole.single()))
        bodies = {side: choices_to_json(whole)}
        return file_papers(current, Kind.RETURNS, side, bodies, actor, day=due)[0]


def returns_strike(*, paper: OrderPaper, number: int, actor: User | None) -> OrderPaper | None:
    """Strike one choice (0 is the first) off a standing paper; None when none is left."""
    choices = list(parse_week_choices(paper).single())
    left = WeekChoices()
    for choice in choices[:number] + choices[number + 1 :]:
        left = left.plus(choice)
    empty = left == WeekChoices()
    struck = int(0 <= number < len(choices))
    return _strike_lines(paper, None if empty else choices_to_json(left), struck, actor)


# --- both ---


def came_since(paper: OrderPaper | None, seen: int | None) -> TypeGuard[OrderPaper]:
    """True when an order came in after the last one that another writer had seen (HR-PAP-04)."""
    return paper is not None and seen is not None and paper.number > seen


def _side_papers(
    campaign: Campaign, kind: Kind, side: str, day: int, state: State
) -> dict[tuple[str, str], OrderPaper]:
    return index_latest_orders(
        OrderPaper.objects.filter(campaign=campaign, kind=kind, side=side, day=day, state=state)
    )


def verify_length(items: Sequence[Any]) -> None:
    """Refuses a paper with too many lines."""
    if len(items) > LONGEST:
        raise RuleViolation("HR-PAP-01", f"A paper holds {LONGEST} lines at most; strike some off.")


def _strike_lines(
    paper: OrderPaper, body: dict[str, Any] | None, struck: int, actor: User | None
) -> OrderPaper | None:
    """Submit an order without the cancelled lines, or withdraw it when none is left. Raises RuleViolation."""
    verify_command(campaign=paper.campaign, side=paper.side, actor=actor, formations=[paper.formation])
    with transaction.atomic():
        current, state = lock_for_submission(
            paper.campaign, paper.side, seen=paper.campaign.day, due=paper.day
        )
        stands = OrderPaper.objects.filter(pk=paper.pk, state=state).exists()
        if not struck or not stands:
            raise RuleViolation("HR-CAL-06", "This line no longer stands; look at the page again.")
        kind = Kind(paper.kind)
        if body is not None:
            bodies = {paper.formation: body}
            return file_papers(current, kind, paper.side, bodies, actor, day=paper.day, state=state)[0]
        OrderPaper.objects.filter(pk=paper.pk).update(state=State.WITHDRAWN)
    return None


# --- late papers ---


def queued_take_up(campaign: Campaign, world: World) -> None:
    """Let the papers that came late for a day now played stand for the coming one (HR-CAL-04).

    What the rules no longer allow lapses. Call in the transaction that saves the day.
    """
    queued = list(OrderPaper.objects.filter(campaign=campaign, state=State.QUEUED, day__lt=world.day))
    if not queued:
        return
    OrderPaper.objects.filter(pk__in=[paper.pk for paper in queued]).update(state=State.REPLACED)
    acts: dict[str, list[Organisation]] = {}
    for (kind, subject), paper in sorted(index_latest_orders(queued).items()):
        known = build_reported_world(world, paper.side)
        try:
            if kind == Kind.ACTIVITY:
                verify_order(known, order_from_json(paper.body), paper.side)
            else:
                others = acts.setdefault(paper.side, [])
                for act in acts_of(paper):
                    verify_organisation(known, act, paper.side, others)
                    others.append(act)
        except RuleViolation:
            OrderPaper.objects.filter(pk=paper.pk).update(state=State.LAPSED)
            continue
        bodies, author = {subject: paper.body}, Author(paper.author)
        file_papers(
            campaign,
            Kind(kind),
            paper.side,
            bodies,
            paper.submitted_by,
            author=author,
            day=coming_day(campaign),
        )
