"""Advancing a campaign: read, compute outside any write transaction, then compare and swap."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.bots import staff_orders
from campaign.journal import record_append
from campaign.models import Battle, Campaign, DayRecord, Job, OrderPaper, Seat, User
from campaign.rules.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.events import Event
from campaign.rules.outcome import Completed, Pending
from campaign.rules.week import WeekChoices, close_week
from campaign.rules.world import Order, World, order_from_json, world_hash
from campaign.services.battles import (
    battle_open,
    battle_settle_by_engine,
    settlement_from_json,
    settles_itself,
)
from campaign.services.dice import dice_for
from campaign.services.jobs import job_request
from campaign.services.orders import orders_submit
from campaign.services.versions import versions_now
from campaign.state import world_load, world_save


class AlreadyAdvanced(RuleViolation):
    """Somebody else advanced the campaign while this step was computed; nothing was written."""


@dataclass(frozen=True, slots=True)
class DayResult:
    """A finished day has records (one, or two with a week's end); a waiting one has battles."""

    records: tuple[DayRecord, ...] = ()
    battles_waiting: tuple[Battle, ...] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """One day record to be: what went in and what came out."""

    kind: str
    inputs: Mapping[str, Any]
    events: Sequence[Event]
    world: World


def day_advance(*, campaign: Campaign, actor: User | None) -> DayResult:
    """Play the coming day to its end, or up to the first battle that waits for people.

    Raises RuleViolation when the campaign has ended, a battle is unresolved or the stored world
    is not the one the chain vouches for; AlreadyAdvanced when another worker was first.
    """
    campaign = Campaign.objects.select_related("head").get(pk=campaign.pk)
    _may_advance(campaign)
    world = world_load(campaign)
    head = campaign.head
    if head is None or world_hash(world) != head.world_hash:
        raise RuleViolation(
            "HR-CAL-08",
            f"The stored strengths or positions of {campaign.title} are not those its journal ends with. "
            f"Run verifycampaign {campaign.slug} and restore a backup before you go on.",
        )
    _staff_work(campaign, world)
    orders = _orders(campaign)
    dice = dice_for(campaign, world.day)
    while True:
        settled = {
            battle.contact: settlement_from_json(battle.settlement)
            for battle in _battles(campaign).filter(state=Battle.State.SETTLED)
        }
        result = advance_day(world, orders, dice, settled)
        if isinstance(result, Completed):
            break
        waiting = _open_battles(campaign, world, result)
        if waiting:
            return DayResult(battles_waiting=tuple(waiting))
    # Only what the day used belongs to its inputs: a battle of a course not taken is left out.
    used = {event.contact for event in result.events if event.contact}
    steps = [
        _Step(
            DayRecord.Kind.DAY,
            {
                "orders": [asdict(orders[key]) for key in sorted(orders)],
                "settlements": [asdict(settled[key]) for key in sorted(settled) if key in used],
            },
            result.events,
            result.world,
        )
    ]
    if result.world.week_is_over:
        choices = WeekChoices()
        closed = close_week(result.world, choices, dice)
        steps.append(_Step(DayRecord.Kind.WEEK, {"choices": choices.to_json()}, closed.events, closed.world))
    return DayResult(records=_commit(campaign, world, steps, actor))


def _may_advance(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", f"{campaign.title} has ended; start a new campaign to play on.")
    waiting = _battles(campaign).filter(state=Battle.State.WAITING).first()
    if waiting is not None:
        raise RuleViolation(
            "HR-CAL-07",
            f"The {waiting} is not settled yet; settle it by the engine, the tabletop result or the "
            "umpire's word, then advance the day.",
        )


def _battles(campaign: Campaign) -> Any:
    return Battle.objects.filter(campaign=campaign, revision=campaign.revision, day=campaign.day)


def _orders(campaign: Campaign) -> dict[str, Order]:
    papers = OrderPaper.objects.filter(campaign=campaign, day=campaign.day, state=OrderPaper.State.STANDING)
    return {paper.formation: order_from_json(paper.body) for paper in papers}


def _staff_work(campaign: Campaign, world: World) -> None:
    """The staff orders for sides nobody commands (HR-BOT-01), once a day."""
    commanded = set(
        Seat.objects.filter(campaign=campaign, role=Seat.Role.COMMANDER, user__isnull=False).values_list(
            "side", flat=True
        )
    )
    if _battles(campaign).exists():
        return  # the day has begun; its orders are fixed
    for side in world.theatre.sides:
        if (
            side.id not in commanded
            and not OrderPaper.objects.filter(campaign=campaign, day=campaign.day, side=side.id).exists()
        ):
            orders_submit(
                campaign=campaign,
                side=side.id,
                orders=staff_orders(world, side.id),
                actor=None,
                world=world,
            )


def _open_battles(campaign: Campaign, world: World, pending: Pending) -> list[Battle]:
    """Write the contacts as battles; settle those that need nobody; return the others."""
    waiting = []
    for contact in pending.contacts:
        battle = battle_open(campaign=campaign, world=world, contact=contact)
        if battle.state == Battle.State.WAITING:
            if settles_itself(campaign, world, contact):
                battle_settle_by_engine(battle=battle, actor=None)
            else:
                waiting.append(battle)
    return waiting


def _commit(
    campaign: Campaign, world: World, steps: Sequence[_Step], actor: User | None
) -> tuple[DayRecord, ...]:
    """Save a day in one transaction, if the head is still the one it was computed from."""
    with transaction.atomic():
        current = Campaign.objects.select_for_update().select_related("head").get(pk=campaign.pk)
        if current.head_id != campaign.head_id:
            raise AlreadyAdvanced(
                "HR-CAL-09",
                f"Day {world.day + 1} of {campaign.title} has been advanced already; look at the campaign "
                "page for what happened.",
            )
        records = []
        for step in steps:
            world_save(current, world, step.world)
            records.append(
                record_append(
                    campaign=current,
                    kind=step.kind,
                    happened_on=campaign.day,
                    inputs=step.inputs,
                    versions=versions_now(campaign.ruleset),
                    events=step.events,
                    world=step.world,
                    actor=actor,
                )
            )
            world = step.world
        OrderPaper.objects.filter(campaign=current, day=campaign.day, state=OrderPaper.State.STANDING).update(
            state=OrderPaper.State.CARRIED_OUT
        )
        if current.deadline is not None and current.deadline < timezone.now():
            current.deadline = None
        current.save()
    return tuple(records)


def advance_request(*, campaign: Campaign, actor: User | None) -> Job:
    """Ask for the coming day as a job: asked twice, it is one job.

    The key counts the day's settled battles, because a day that waited is asked for again.
    Raises RuleViolation as `day_advance` does, so that the asker learns at once.
    """
    _may_advance(campaign)
    settled = _battles(campaign).count()
    with transaction.atomic():
        return job_request(
            kind="advance_day",
            key=f"advance/{campaign.slug}/{campaign.revision}/{campaign.day}/{settled}",
            payload={"campaign": campaign.pk},
            campaign=campaign,
            actor=actor,
        )


def day_advance_job(job: Job, report: Any) -> dict[str, Any]:
    """The job's work: safe to run twice, because a day exists once."""
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    wanted = int(job.key.split("/")[3])
    if campaign.day != wanted:
        return {"day": campaign.day, "waiting": 0}
    report(10, f"Day {wanted + 1} is being played.")
    try:
        result = day_advance(campaign=campaign, actor=job.requested_by)
    except AlreadyAdvanced:
        return {"day": wanted + 1, "waiting": 0}
    report(100, "Done.")
    return {"day": wanted + len(result.records[:1]), "waiting": len(result.battles_waiting)}
