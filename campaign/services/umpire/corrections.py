"""The umpire's corrections: each checked, chained with its reason, and done once (HR-UMP)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, QuerySet

from campaign.ledger.journal import Appender
from campaign.ledger.provisional_days import days_ahead
from campaign.ledger.versions import versions_now
from campaign.ledger.world_rows import snapshot_unpack, world_load, world_save
from campaign.models import Campaign, DayRecord, OrderPaper, ProvisionalDay, User
from campaign.rules.day.dice_catalogue import verify_throw
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.umpire.battle_corrections import Annul
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import (
    BESIDE,
    Act,
    CancelOrder,
    CommandFormation,
    Deadline,
    EnterDie,
    Pause,
    RewindCampaign,
    act_from_json,
    act_to_json,
)
from campaign.rules.umpire.settings import Conduct
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_to_json, world_hash
from campaign.scenarios.theatres import theatre_load
from campaign.services.orders.day_orders import numbers_take
from campaign.services.orders.organisation import week_end
from campaign.services.turns.deadlines import deadline_set, rhythm_set
from campaign.services.umpire.campaign_settings import conduct_set

RULE = "HR-UMP-01"


def act_perform(
    *, campaign: Campaign, act: Act, reason: str, actor: User | None, seen: int | None = None
) -> DayRecord:
    """Do an act of the umpire's on the coming morning and chain it. The same click twice is one act.

    `seen` is the row of the head the umpire has looked at: when the campaign has gone on since, the act
    is refused. Raises RuleViolation, and writes nothing, for an act that cannot be done.
    """
    return acts_perform(campaign=campaign, acts=[act], reason=reason, actor=actor, seen=seen)[0]


class ActRefused(RuleViolation):
    """One of several acts that cannot be done; `number` counts it from 0."""

    def __init__(self, violation: RuleViolation, number: int) -> None:
        super().__init__(violation.rule_id, violation.message, violation.field)
        self.number = number


def acts_perform(
    *, campaign: Campaign, acts: Sequence[Act], reason: str, actor: User | None, seen: int | None = None
) -> list[DayRecord]:
    """Do several acts one after another for one reason, each chained by itself; all of them or none.

    `seen` is as in `act_perform`. Raises ActRefused for the first that cannot be done.
    """
    if not acts:
        raise RuleViolation(RULE, "There is nothing to do; change something first.")
    with transaction.atomic():
        current = lock_campaign(campaign)
        done = _find_done_acts(current, acts, reason, seen)
        if done is not None:
            return done
        before = world = world_load(current)
        _may_act(current, world)
        steps, ordinal = Appender(current, actor), ordinal_next(current)
        records: list[DayRecord] = []
        touched = False  # the morning itself, by an act that does not stand beside it
        for number, act in enumerate(acts):
            first = not touched and not isinstance(act, BESIDE)
            try:
                result = _act_do(current, world, act, reason, actor, first=first)
            except RuleViolation as violation:
                raise ActRefused(violation, number) from violation
            world, touched = result.world, touched or first
            records.append(
                steps.append(
                    kind=DayRecord.Kind.ACT,
                    happened_on=current.day,
                    inputs={"act": act_to_json(act), "reason": reason.strip()},
                    versions=versions_now(current.ruleset),
                    events=result.events,
                    world=world,
                    ordinal=ordinal + number,
                    reason=reason.strip(),
                )
            )
        steps.finish()
        world_save(current, before, world)
        current.save()
    return records


def _act_do(
    current: Campaign, world: World, act: Act, reason: str, actor: User | None, *, first: bool
) -> Completed:
    """Do one act and what goes with it; the caller chains it and saves world and campaign.

    `first` says that it is the first of several that touches the morning itself.
    """
    if isinstance(act, Annul):
        raise RuleViolation(RULE, "Battles fall away when a day is played, not by hand.")
    if isinstance(act, RewindCampaign):
        raise RuleViolation("HR-UMP-14", "Going back has a page of its own.")
    if world.ended:  # by the act before it
        raise _build_ended_refusal(current)
    if first:
        _verify_no_battle(current)
    if isinstance(act, EnterDie):  # a day of old may have dice that no rule of today throws
        verify_throw(world, act)
    result = act_apply(world, act, reason)
    _apply_side_effects(current, world, act, reason, actor)
    if first:  # days that had run on began from another morning (HR-CAL-11)
        ProvisionalDay.objects.filter(pk__in=[row.pk for row in days_ahead(current)]).delete()
    return result


def lock_campaign(campaign: Campaign) -> Campaign:
    """Lock the campaign and return it; saving a day takes the same lock."""
    return Campaign.objects.select_for_update().get(pk=campaign.pk)


def done_already(current: Campaign, act: Act, reason: str, seen: int | None) -> DayRecord | None:
    """The record of the same act done from the same page; None when it is still to be done.

    Raises RuleViolation when something else has happened since `seen`.
    """
    done = _find_done_acts(current, [act], reason, seen)
    return done[0] if done else None


def _find_done_acts(
    current: Campaign, acts: Sequence[Act], reason: str, seen: int | None
) -> list[DayRecord] | None:
    """Find the records of several corrections already made by the same click; None when they are new."""
    head = current.head
    if seen is None or head is None or head.pk == seen:
        return None
    since = current.records.filter(pk__gt=seen).defer("snapshot").order_by("pk")
    records = list(since[: len(acts) + 1])
    if len(records) == len(acts) and records[-1].pk == head.pk:
        parents = [seen, *(record.pk for record in records)]
        twice = [{"act": act_to_json(act), "reason": reason.strip()} for act in acts]
        if all(
            record.kind == DayRecord.Kind.ACT and record.parent_id == parent and record.inputs == inputs
            for record, parent, inputs in zip(records, parents, twice, strict=False)
        ):
            return records
    raise RuleViolation(
        RULE, "The campaign has gone on since this page was opened; look at it again, then act."
    )


@dataclass(frozen=True, slots=True)
class Done:
    """The act at the head of the campaign, and the morning it was done on."""

    act: Act
    morning: World


def find_act_since(campaign: Campaign, seen: int | None) -> Done | None:
    """Find the correction made since the head that the umpire saw; None unless it is exactly one."""
    head = campaign.head
    if head is None or head.kind != DayRecord.Kind.ACT or head.parent is None or head.parent_id != seen:
        return None
    morning = snapshot_unpack(bytes(head.parent.snapshot), theatre_load(campaign))
    return Done(act_from_json(head.inputs["act"]), morning)


def ordinal_next(current: Campaign) -> int:
    """The number of the next act on this morning, in this revision."""
    last = DayRecord.objects.filter(
        campaign=current, revision=current.revision, day=current.day, kind=DayRecord.Kind.ACT
    ).aggregate(Max("ordinal"))["ordinal__max"]
    return 0 if last is None else last + 1


def _build_ended_refusal(current: Campaign) -> RuleViolation:
    return RuleViolation("HR-CAL-02", f"{current.title} has ended; go back to a day before its end first.")


def _may_act(current: Campaign, world: World) -> None:
    if world.ended:
        raise _build_ended_refusal(current)
    if current.head is None or world_hash(world) != current.head.world_hash:
        raise RuleViolation(
            "HR-CAL-08",
            f"The stored strengths or positions of {current.title} are not those its journal ends with. "
            f"Run verifycampaign {current.slug} and restore a backup before you go on.",
        )


def _verify_no_battle(current: Campaign) -> None:
    if current.battles.filter(revision=current.revision, day__gte=current.day).exists():
        raise RuleViolation(
            RULE,
            "This day is already being played and has a battle; play it to its end first, or go back to "
            "its morning.",
        )


def _apply_side_effects(current: Campaign, world: World, act: Act, reason: str, actor: User | None) -> None:
    """Apply a correction's effects outside the world: orders, deadline, pause, settings."""
    match act:
        case CommandFormation():
            _replace_order(current, world, act, actor)
        case CancelOrder():
            struck = _list_standing_orders(current, act.paper, act.subject).filter(side=act.side)
            if not struck.update(state=OrderPaper.State.WITHDRAWN):
                raise RuleViolation("HR-UMP-08", "There is no such paper for the coming day.", "subject")
        case Pause():
            if act.on == bool(current.paused):
                told = "rests already" if act.on else "does not rest"
                raise RuleViolation("HR-UMP-10", f"{current.title} {told}.", "on")
            current.paused = reason.strip() if act.on else ""
        case Deadline():
            until = datetime.fromisoformat(act.until) if act.until else None
            deadline_set(current, until, earlier=act.earlier)
        case Rhythm():
            rhythm_set(current, act)
        case Conduct():
            conduct_set(current, act, actor)
        case _:
            pass


def _list_standing_orders(current: Campaign, kind: str, subject: str) -> QuerySet[OrderPaper]:
    """List the valid orders for the coming day, or for the end of its week (HR-PAP-03)."""
    day = week_end(current.day) if kind == OrderPaper.Kind.RETURNS else current.day
    return OrderPaper.objects.filter(
        campaign=current, day=day, kind=kind, formation=subject, state=OrderPaper.State.STANDING
    )


def _replace_order(current: Campaign, world: World, act: CommandFormation, actor: User | None) -> None:
    """Replace the side's order for the coming day with the umpire's."""
    kind = OrderPaper.Kind.ACTIVITY
    _list_standing_orders(current, kind, act.formation).update(state=OrderPaper.State.REPLACED)
    versions = OrderPaper.objects.filter(
        campaign=current, day=current.day, kind=kind, formation=act.formation
    ).aggregate(Max("version"))
    side = world.formations[act.formation].side
    OrderPaper.objects.create(
        campaign=current,
        day=current.day,
        kind=kind,
        formation=act.formation,
        side=side,
        number=numbers_take(current, side, 1)[0],
        body=order_to_json(act.order or Order(act.formation)),
        version=(versions["version__max"] or 0) + 1,
        author=OrderPaper.Author.UMPIRE,
        submitted_by=actor,
    )
