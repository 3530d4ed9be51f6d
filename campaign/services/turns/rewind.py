"""Rewinding to an earlier morning, what becomes of the orders, and the way on from there (HR-UMP-14)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, Literal

from django.db import transaction
from django.db.models import Max, Q

from campaign.fog.seat_roles import seats_in_force
from campaign.ledger.journal import record_append
from campaign.ledger.versions import versions_now
from campaign.ledger.world_rows import snapshot_unpack, world_load, world_save
from campaign.models import Battle, Campaign, DayRecord, Job, Notice, OrderPaper, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.correction_effects import act_apply
from campaign.rules.umpire.corrections import RewindCampaign, act_to_json
from campaign.scenarios.theatres import theatre_load
from campaign.services.dispatches import letters_undo
from campaign.services.jobs.jobs import job_cancel
from campaign.services.notifications.notifications import COMMANDS, notices_write
from campaign.services.orders.day_orders import numbers_take
from campaign.services.orders.organisation import week_end
from campaign.services.orders.standing_orders import nothing_new_forget
from campaign.services.press.bulletins import bulletins_notify_undone
from campaign.services.turns.deadlines import deadline_after_rewind
from campaign.services.umpire.campaign_settings import conduct_undo
from campaign.services.umpire.corrections import done_already, lock_campaign

State = OrderPaper.State
Author = OrderPaper.Author


@dataclass(frozen=True, slots=True)
class ActUndone:
    """An act of the umpire's about a paper: its kind, what it was about, the morning and the moment."""

    kind: str
    paper: str
    subject: str
    day: int
    at: datetime


def list_undone_acts(steps: Sequence[DayRecord]) -> list[ActUndone]:
    """List the corrections to orders among the undone steps, in the order in which they were made."""
    keys = [step.pk for step in steps if step.kind == DayRecord.Kind.ACT]
    rows = DayRecord.objects.filter(pk__in=keys).order_by("pk").values_list("inputs", "day", "created_at")
    found = []
    for inputs, day, at in rows:
        act: dict[str, Any] = inputs["act"]
        if act["kind"] == "command":
            found.append(ActUndone("command", OrderPaper.Kind.ACTIVITY, act["formation"], day, at))
        elif act["kind"] == "strike":
            due = week_end(day) if act["paper"] == OrderPaper.Kind.RETURNS else day
            found.append(ActUndone("strike", act["paper"], act["subject"], due, at))
    return found


def papers_again(campaign: Campaign, papers: Literal["stand", "draft"], acts: Sequence[ActUndone]) -> None:
    """Let papers of undone days stand again or become drafts; the staff's are void.

    What the umpire ordered by an act that is undone counts no more, and what it took the place of, or what
    he struck, counts again.
    """
    for act in reversed(acts):
        _undo_act(campaign, act)
    # drafts that lapsed with the days undone, or for returns with the week that is open again
    again = Q(day__gte=campaign.day) | Q(
        kind=OrderPaper.Kind.RETURNS, day__gte=campaign.day - campaign.day % 7
    )
    OrderPaper.objects.filter(again, campaign=campaign, state=State.LAPSED, version=0).update(
        state=State.DRAFT
    )
    undone = OrderPaper.objects.filter(
        campaign=campaign, day__gte=campaign.day, state__in=(State.CARRIED_OUT, State.STANDING)
    )
    undone.filter(author=Author.STAFF).update(state=State.REPLACED)
    peoples = undone.exclude(author=Author.STAFF)
    if papers == "draft":
        mine = peoples.exclude(author=Author.UMPIRE)
        _create_drafts(campaign, list(mine))
        mine.update(state=State.REPLACED)
    peoples.update(state=State.STANDING)


def _undo_act(campaign: Campaign, act: ActUndone) -> None:
    rows = OrderPaper.objects.filter(
        campaign=campaign, day=act.day, kind=act.paper, formation=act.subject, version__gt=0
    ).order_by("-version")
    if act.kind == "strike":
        last = rows.first()
        # one put in since counts instead, even if its author has withdrawn it
        if last is not None and last.state == State.WITHDRAWN and last.submitted_at <= act.at:
            rows.filter(pk=last.pk).update(state=State.STANDING)
        return
    ordered = rows.filter(author=Author.UMPIRE, submitted_at__lte=act.at).first()
    if ordered is None or ordered.state not in (State.STANDING, State.CARRIED_OUT):
        return
    rows.filter(pk=ordered.pk).update(state=State.REPLACED)
    before = rows.filter(version__lt=ordered.version).first()
    if before is not None and before.state == State.REPLACED and before.author != Author.STAFF:
        rows.filter(pk=before.pk).update(state=State.STANDING)


def _create_drafts(campaign: Campaign, papers: Sequence[OrderPaper]) -> None:
    """Create a draft of each order with its author and time; the original stays as its receipt says.

    One its owner has made since is kept.
    """
    known = set(
        OrderPaper.objects.filter(campaign=campaign, state=State.DRAFT).values_list(
            "day", "kind", "formation"
        )
    )
    again = [paper for paper in papers if (paper.day, paper.kind, paper.formation) not in known]
    drafts = OrderPaper.objects.bulk_create(
        OrderPaper(
            campaign=campaign,
            day=paper.day,
            kind=paper.kind,
            formation=paper.formation,
            side=paper.side,
            number=numbers_take(campaign, paper.side, 1)[0],
            body=paper.body,
            version=0,
            state=State.DRAFT,
            author=paper.author,
            submitted_by=paper.submitted_by,
        )
        for paper in again
    )
    for draft, paper in zip(drafts, again, strict=True):
        draft.submitted_at = paper.submitted_at  # which a new row has as now
    OrderPaper.objects.bulk_update(drafts, ["submitted_at"])


RULE = "HR-UMP-14"
#: Jobs that play days; those under way would play a day of the course that is left.
PLAYING = ("advance_day", "advance_turn")


def campaign_rewind(
    *,
    campaign: Campaign,
    record: DayRecord,
    reason: str,
    actor: User | None,
    seen: int | None = None,
    new_dice: bool = False,
    keep: bool = True,
    anew: Sequence[str] = (),
    papers: Literal["stand", "draft"] = "stand",
) -> DayRecord:
    """Take a campaign back to the morning that `record` ended with; the same click twice is one.

    Days, battles and journal of the course that is left stay as they are, undone. Papers for its days
    stand again, or become drafts; the staff writes its own anew, and what the umpire ordered or struck by
    an act now undone counts no more. The rhythm of deadlines goes on. Dice keep their addresses unless
    `new_dice`; `keep` lets a battle that comes about alike keep its result, but for those whose contacts
    are named in `anew`. `actor` is the umpire himself, or None for the machine's administrator (HR-SET-08).
    Raises RuleViolation for anybody else, for a record that is not on the campaign's course, for a contact
    that had no battle, and when there is nothing to undo.
    """
    with transaction.atomic():
        current = lock_campaign(campaign)
        _verify_actor(current, actor)
        act = _build_rewind(current, record, new_dice=new_dice, keep=keep, anew=anew, papers=papers)
        done = _find_same_rewind(current, record, reason, seen)
        if done is not None:
            return done
        course = _verify_target(current, record, new_dice)
        _verify_anew(current, act)
        world = snapshot_unpack(bytes(record.snapshot), theatre_load(current))
        result = act_apply(world, act, reason)
        world_save(current, world_load(current), world)
        newest = current.records.aggregate(Max("revision"))["revision__max"]
        current.revision, current.dice_revision = newest + 1, act.dice_revision
        current.head = record
        undone = list(takewhile(lambda step: step.pk != record.pk, course))
        conduct_undo(current, undone)
        deadline_after_rewind(current)
        nothing_new_forget(current)
        letters_undo(current, world.day)
        papers_again(current, papers, list_undone_acts(undone))
        rewound = record_append(
            campaign=current,
            kind=DayRecord.Kind.ACT,
            happened_on=world.day,
            inputs={"act": act_to_json(act), "reason": reason.strip()},
            versions=versions_now(current.ruleset),
            events=result.events,
            world=world,
            actor=actor,
            reason=reason.strip(),
        )
        current.save()
        bulletins_notify_undone(current, undone)
        seats = [seat for seat in seats_in_force(current) if seat.role in COMMANDS]
        readers = [seat.user for seat in seats if seat.user is not None and seat.user != actor]
        notices_write(
            campaign=current, kind=Notice.Kind.PUBLISHED, subject=f"rewound {rewound.pk}", users=readers
        )
        under_way = (Job.State.QUEUED, Job.State.RUNNING)
        for job in Job.objects.filter(campaign=current, kind__in=PLAYING, state__in=under_way):
            job_cancel(job=job)
    return rewound


def _build_rewind(
    current: Campaign,
    record: DayRecord,
    *,
    new_dice: bool,
    keep: bool,
    anew: Sequence[str],
    papers: Literal["stand", "draft"],
) -> RewindCampaign:
    dice = record.dice_revision
    if new_dice:
        dice = current.records.aggregate(Max("dice_revision"))["dice_revision__max"] + 1
    return RewindCampaign(
        left=current.revision,
        from_day=current.day,
        dice_revision=dice,
        new_dice=new_dice,
        keep=keep,
        papers=papers,
        anew=tuple(sorted(set(anew))) if keep else (),
    )


def _verify_actor(current: Campaign, actor: User | None) -> None:
    """Refuses anybody but the umpire: no assistant, no administrator of the site (HR-SET-08)."""
    if actor is None:
        return
    if not Seat.objects.filter(campaign=current, user=actor, role=Seat.Role.UMPIRE).in_force().exists():
        raise RuleViolation("HR-SET-08", f"Only the umpire takes {current.title} back; ask them.", "actor")


def _verify_anew(current: Campaign, act: RewindCampaign) -> None:
    there = Battle.objects.filter(campaign=current, contact__in=act.anew)
    known = set(there.values_list("contact", flat=True))
    for contact in act.anew:
        if contact not in known:
            raise RuleViolation(RULE, f"There was no battle {contact}; choose of the list.", "anew")


def _find_same_rewind(
    current: Campaign, record: DayRecord, reason: str, seen: int | None
) -> DayRecord | None:
    """Find the record of the same click when it was already handled."""
    head = current.head
    if head is not None and seen not in (None, head.pk) and head.parent_id == record.pk:
        twice = head.inputs.get("act", {}).get("kind") == "rewind" and head.reason == reason.strip()
        if twice and head.revision != record.revision:
            return head
    return done_already(current, RewindCampaign(0, 0, 0), reason, seen)


def rewind_targets(campaign: Campaign) -> list[DayRecord]:
    """The records a campaign can go back to, newest first: every step of its course that ends a morning.

    The seventh day of a week is left out, because its week's end belongs to it.
    """
    steps = DayRecord.objects.filter(campaign=campaign).defer("snapshot")
    acts = steps.filter(kind=DayRecord.Kind.ACT)  # the others' inputs are large and not told here
    others = steps.exclude(kind=DayRecord.Kind.ACT).defer("inputs")
    return _list_mornings(campaign, [*others, *acts])


def _list_mornings(campaign: Campaign, steps: Iterable[DayRecord]) -> list[DayRecord]:
    """List the records that end a morning of the campaign's course, newest first."""
    records = {record.pk: record for record in steps}
    course: list[DayRecord] = []
    key = campaign.head_id
    closed = False
    while key is not None:
        record = records[key]
        if not (closed and record.kind == DayRecord.Kind.DAY):
            course.append(record)
        closed = record.kind == DayRecord.Kind.WEEK
        key = record.parent_id
    return course


def morning_before(campaign: Campaign, battle: Battle) -> DayRecord | None:
    """The latest step of the course before a battle was fought; None where it cannot be gone back to."""
    steps = DayRecord.objects.filter(campaign=campaign).defer("snapshot", "inputs")
    return next((record for record in _list_mornings(campaign, steps) if record.day <= battle.day), None)


def has_day_begun(campaign: Campaign) -> bool:
    """True when the coming day has a battle, so that the campaign can be rewound to its morning."""
    return campaign.battles.filter(revision=campaign.revision, day__gte=campaign.day).exists()


def _verify_target(current: Campaign, record: DayRecord, new_dice: bool) -> list[DayRecord]:
    """Check that the campaign can be rewound to `record`; returns its course, newest first."""
    if current.dice_told:
        raise RuleViolation(
            "HR-PRF-02",
            "The secret of this campaign's dice has been told, so everybody would know every die to come. "
            "Begin a new season instead.",
            "to",
        )
    course = rewind_targets(current)
    if record.pk not in {target.pk for target in course}:
        raise RuleViolation(
            RULE, "That morning is not on the campaign's course; choose one of the list.", "to"
        )
    if record.pk == current.head_id and not has_day_begun(current) and not new_dice:
        raise RuleViolation(RULE, "That is where the campaign stands; there is nothing to undo.", "to")
    return course
