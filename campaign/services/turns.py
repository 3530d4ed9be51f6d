"""Advancing a campaign: read, compute outside any write transaction, then compare and swap."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from campaign.journal import record_append
from campaign.models import Battle, Campaign, DayRecord, Job, OrderPaper, User
from campaign.rules.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.events import Event
from campaign.rules.organisation import organisation_to_json
from campaign.rules.outcome import Completed, Pending
from campaign.rules.week import close_week, merge_choices
from campaign.rules.world import World
from campaign.rules.world_json import order_to_json, world_hash
from campaign.services.battles import (
    battle_open,
    battle_settle_by_engine,
    settles_itself,
)
from campaign.services.deadlines import deadline_roll, orders_for_absent
from campaign.services.dice import dice_entered, dice_for
from campaign.services.jobs import job_request
from campaign.services.orders import staff_orders_submit
from campaign.services.outcomes import settlement_from_json
from campaign.services.papers import DayPapers, papers_standing
from campaign.services.staff_papers import queued_take_up
from campaign.services.versions import versions_now
from campaign.state import world_load, world_save
from rosters.domain.dice import WrongDie


class AlreadyAdvanced(RuleViolation):
    """The day has been played already, by a second click or another worker; nothing was written."""


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


def day_advance(*, campaign: Campaign, actor: User | None, day: int | None = None) -> DayResult:
    """Play the coming day to its end, or up to the first battle that waits for people.

    `day` is the number of days completed that the caller has seen; left out, whatever day comes next
    is meant. Raises RuleViolation when the campaign has ended, a battle is unresolved or the stored
    world is not the one the chain vouches for; AlreadyAdvanced when the day has been played.
    """
    while True:
        campaign = Campaign.objects.select_related("head").get(pk=campaign.pk)
        day = campaign.day if day is None else day
        if campaign.day != day:
            raise _already(campaign, day)
        _may_advance(campaign)
        world = _world(campaign)
        _staff_work(campaign, world)
        try:
            return _play(campaign, world, actor)
        except _OrdersChanged:
            continue  # an order came in meanwhile; it counts, so the day is computed again
        except WrongDie as error:
            raise RuleViolation("HR-UMP-12", f"{error} Enter another, or go back to the morning.") from error


class _OrdersChanged(Exception):
    """An order was submitted or withdrawn, or the umpire did something, while the day was computed."""


def _already(campaign: Campaign, day: int) -> AlreadyAdvanced:
    return AlreadyAdvanced(
        "HR-CAL-09",
        f"Day {day + 1} of {campaign.title} has been advanced already; look at the campaign page for "
        "what happened.",
    )


def _world(campaign: Campaign) -> World:
    """The head day's world, checked against the chain."""
    world = world_load(campaign)
    if campaign.head is None or world_hash(world) != campaign.head.world_hash:
        # The rows are read one table after another: a day saved in between is no tampering.
        if Campaign.objects.values_list("head_id", flat=True).get(pk=campaign.pk) != campaign.head_id:
            raise _already(campaign, campaign.day)
        raise RuleViolation(
            "HR-CAL-08",
            f"The stored strengths or positions of {campaign.title} are not those its journal ends with. "
            f"Run verifycampaign {campaign.slug} and restore a backup before you go on.",
        )
    return world


def _play(campaign: Campaign, world: World, actor: User | None) -> DayResult:
    """Compute the day with the orders that stand now, settling what needs nobody, and save it."""
    papers = papers_standing(campaign, campaign.day)
    orders, organisation = papers.orders, papers.organisation
    entered = dice_entered(campaign)
    dice = dice_for(campaign, world.day, entered=entered)
    # Only a day with real dice says so (HR-UMP-12), so that every other hashes as it did.
    by_hand = {"entered": dict(sorted(entered.items()))} if entered else {}
    while True:
        settled = {
            battle.contact: settlement_from_json(battle.settlement or {})
            for battle in _battles(campaign).filter(state=Battle.State.SETTLED)
        }
        result = advance_day(world, orders, dice, settled, organisation)
        if isinstance(result, Completed):
            break
        waiting = _open_battles(campaign, world, papers, result)
        if waiting:
            return DayResult(battles_waiting=tuple(waiting))
    # Only what the day used belongs to its inputs: a battle of a course not taken is left out.
    used = {event.contact for event in result.events if event.contact}
    steps = [
        _Step(
            DayRecord.Kind.DAY,
            {**_inputs(papers, [asdict(settled[key]) for key in sorted(settled) if key in used]), **by_hand},
            result.events,
            result.world,
        )
    ]
    if result.world.week_is_over:
        choices = merge_choices(result.world, papers.choices)
        closed = close_week(result.world, choices, dice)
        steps.append(
            _Step(DayRecord.Kind.WEEK, {"choices": choices.to_json(), **by_hand}, closed.events, closed.world)
        )
    return DayResult(records=_commit(campaign, world, papers, steps, actor))


def _inputs(papers: DayPapers, settlements: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a day was played with, in an order of its own: who put his papers in first leaves no trace."""
    orders = papers.orders
    organisation = [organisation_to_json(act) for act in papers.organisation]
    return {
        "orders": [order_to_json(orders[key]) for key in sorted(orders)],
        **({"organisation": organisation} if organisation else {}),
        "settlements": list(settlements),
    }


def _may_advance(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", f"{campaign.title} has ended; start a new campaign to play on.")
    if campaign.paused:
        raise RuleViolation(
            "HR-UMP-10",
            f"{campaign.title} rests: {campaign.paused.rstrip('.')}. Let it go on first.",
        )
    waiting = _battles(campaign).filter(state=Battle.State.WAITING).first()
    if waiting is not None:
        raise RuleViolation(
            "HR-CAL-07",
            f"The {waiting} is not settled yet; settle it by the engine, the tabletop result or the "
            "umpire's word, then advance the day.",
        )


def _battles(campaign: Campaign) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, revision=campaign.revision, day=campaign.day)


def _locked(campaign: Campaign, papers: DayPapers) -> Campaign:
    """The campaign under lock, if head and orders are still those the day was computed from.

    Raises AlreadyAdvanced or _OrdersChanged. Orders are written under the same lock.
    """
    current = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if current.head_id != campaign.head_id:
        if (current.revision, current.day) == (campaign.revision, campaign.day):
            raise _OrdersChanged  # an act of the umpire's
        raise _already(campaign, campaign.day)
    if papers_standing(current, current.day) != papers:
        raise _OrdersChanged
    return current


def _staff_work(campaign: Campaign, world: World) -> None:
    """What is ordered for sides that give no orders (HR-BOT-01, HR-DUE-02), once a day."""
    if _battles(campaign).exists():
        return  # the day has begun; its orders are fixed
    for side, orders in orders_for_absent(campaign, world).items():
        try:
            staff_orders_submit(campaign=campaign, side=side, orders=orders, world=world)
        except RuleViolation as violation:
            if violation.rule_id == "HR-CAL-03":  # the day was advanced under the staff's pen
                raise _already(campaign, campaign.day) from violation
            raise


def _open_battles(campaign: Campaign, world: World, papers: DayPapers, pending: Pending) -> list[Battle]:
    """Write the contacts as battles; settle those that need nobody; return the others."""
    with transaction.atomic():
        _locked(campaign, papers)
        battles = [
            (contact, battle_open(campaign=campaign, world=world, contact=contact))
            for contact in pending.contacts
        ]
    waiting = []
    for contact, battle in battles:
        if battle.state == Battle.State.WAITING:
            if settles_itself(campaign, world, contact):
                battle_settle_by_engine(battle=battle, actor=None)
            else:
                waiting.append(battle)
    return waiting


def _commit(
    campaign: Campaign,
    world: World,
    papers: DayPapers,
    steps: Sequence[_Step],
    actor: User | None,
) -> tuple[DayRecord, ...]:
    """Save a day in one transaction, if nothing it was computed from has changed."""
    with transaction.atomic():
        current = _locked(campaign, papers)
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
        OrderPaper.objects.filter(pk__in=[paper.pk for paper in papers.papers]).update(
            state=OrderPaper.State.CARRIED_OUT
        )
        queued_take_up(current, world)
        deadline_roll(current)
        current.save()
    return tuple(records)


def advance_request(*, campaign: Campaign, actor: User | None, day: int | None = None) -> Job:
    """Ask for the coming day as a job: asked twice, it is one job.

    The key counts the day's settled battles, because a day that waited is asked for again, and names
    the head, because the umpire may act or go back in between.
    Raises RuleViolation as `day_advance` does, so that the asker learns at once.
    """
    if day is not None and campaign.day != day:
        raise _already(campaign, day)
    _may_advance(campaign)
    with transaction.atomic():
        return job_request(
            kind="advance_day",
            key=_advance_key(campaign),
            payload={"campaign": campaign.pk, "day": campaign.day},
            campaign=campaign,
            actor=actor,
        )


def _advance_key(campaign: Campaign) -> str:
    settled = _battles(campaign).count()
    return f"advance/{campaign.slug}/{campaign.revision}/{campaign.day}/{campaign.head_id}/{settled}"


def advance_asked(campaign: Campaign) -> bool:
    """Whether the coming day has been asked for as it stands; a job that failed counts too."""
    return Job.objects.filter(key=_advance_key(campaign)).exists()


def day_advance_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work: safe to run twice, because it names its day and a day exists once."""
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    day = job.payload["day"]
    report(10, f"Day {day + 1} is being played.")
    try:
        result = day_advance(campaign=campaign, actor=job.requested_by, day=day)
    except AlreadyAdvanced:
        return {"day": day + 1, "waiting": 0}
    return {"day": day + len(result.records[:1]), "waiting": len(result.battles_waiting)}
