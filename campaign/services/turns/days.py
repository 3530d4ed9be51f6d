"""Advancing a campaign: read, compute outside any write transaction, then compare and swap."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from campaign.ledger.dice import dice_for, load_entered_dice
from campaign.ledger.journal import record_append
from campaign.ledger.provisional_days import days_ahead, find_day_partition
from campaign.ledger.versions import versions_now
from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Battle, Campaign, DayRecord, OrderPaper, ProvisionalDay, User
from campaign.rules.army.organisation import organisation_to_json
from campaign.rules.contact.contact import Settlement
from campaign.rules.day.provisional import play_day
from campaign.rules.errors import RuleViolation
from campaign.rules.returns.week import close_week, merge_choices
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.world import World
from campaign.rules.world.world_json import order_to_json, world_hash
from campaign.services.battles.annulment import ENDED, VOID, battles_annul
from campaign.services.battles.outcomes import settlement_from_json, settlement_to_json
from campaign.services.battles.settlement import battle_open, battle_settle_by_engine, settles_itself
from campaign.services.dispatches import letters_leave
from campaign.services.orders.day_orders import DayPapers, papers_standing
from campaign.services.orders.drafts import drafts_lapse
from campaign.services.orders.march_orders import staff_orders_submit
from campaign.services.orders.organisation import queued_take_up
from campaign.services.turns.deadlines import deadline_roll, missed_note, orders_for_absent
from rosters.domain.dice import WrongDie

#: Is told how far a piece of work is, in percent, and what is being done.
Report = Callable[[int, str], None]
#: Percent of a day when it begins to be played, and when all its battles have been fought.
PLAYING, FOUGHT = 10, 85


def ignore_report(percent: int, note: str) -> None:
    """Ignore a progress report."""


class AlreadyAdvanced(RuleViolation):
    """Another day was asked for than the coming one; nothing was written.

    Mostly it has been played already, by a second click or another worker.
    """


class BattleWaits(RuleViolation):
    """A battle of the coming day waits for people; nothing was written."""


@dataclass(frozen=True, slots=True)
class DayResult:
    """A finished day has records (one, or two with a week's end); a waiting one has battles."""

    records: tuple[DayRecord, ...] = ()
    battles_waiting: tuple[Battle, ...] = ()


@dataclass(frozen=True, slots=True)
class _PendingRecord:
    """A day record to be written: its inputs, events and world."""

    kind: str
    inputs: Mapping[str, Any]
    events: Sequence[Event]
    world: World


def day_advance(
    *, campaign: Campaign, actor: User | None, day: int | None = None, report: Report = ignore_report
) -> DayResult:
    """Play the coming day to its end, or up to the first battle that waits for people.

    `day` is the number of days completed that the caller has seen; left out, whatever day comes next
    is meant. `report` is told how far the day is: orders, the day itself, each battle, saving.
    Raises RuleViolation when the campaign has ended or the stored world is not the one the
    chain vouches for; BattleWaits when a battle of it is unresolved; AlreadyAdvanced when the day has been
    played.
    """
    while True:
        campaign = Campaign.objects.select_related("head").get(pk=campaign.pk)
        day = campaign.day if day is None else day
        if campaign.day != day:
            raise build_already_advanced(campaign, day)
        verify_running(campaign)
        verify_no_battle_waits(campaign)
        world = world_at_head(campaign)
        try:
            report(0, f"The staff writes missing orders for day {day + 1}.")
            staff_work(campaign, world)
            return _play_definitive_day(campaign, world, actor, report)
        except OrdersChanged:
            continue  # an order came in meanwhile; it counts, so the day is computed again
        except WrongDie as error:
            raise RuleViolation("HR-UMP-12", f"{error} Enter another, or go back to the morning.") from error


class OrdersChanged(Exception):
    """Orders or the day's battles are others than when it was begun: it is looked at again."""


def build_already_advanced(campaign: Campaign, day: int, coming: int | None = None) -> AlreadyAdvanced:
    """Build the refusal for who has seen `day` days; `coming`, if given, counts provisional days too."""
    coming = campaign.day if coming is None else coming
    if day > coming:
        return AlreadyAdvanced(
            "HR-CAL-09",
            f"Day {day + 1} of {campaign.title} has not come yet; days played so far: {coming}. Look at the "
            "campaign again.",
            "day",
        )
    return AlreadyAdvanced(
        "HR-CAL-09",
        f"Day {day + 1} of {campaign.title} has been advanced already; look at the campaign page for "
        "what happened.",
        "day",
    )


def world_at_head(campaign: Campaign) -> World:
    """The head day's world, checked against the chain."""
    world = world_load(campaign)
    if campaign.head is None or world_hash(world) != campaign.head.world_hash:
        # The rows are read one table after another: a day saved in between is no tampering.
        if Campaign.objects.values_list("head_id", flat=True).get(pk=campaign.pk) != campaign.head_id:
            raise build_already_advanced(campaign, campaign.day)
        raise RuleViolation(
            "HR-CAL-08",
            f"The stored strengths or positions of {campaign.title} are not those its journal ends with. "
            f"Run verifycampaign {campaign.slug} and restore a backup before you go on.",
        )
    return world


def _play_definitive_day(campaign: Campaign, world: World, actor: User | None, report: Report) -> DayResult:
    """Play the day with the current orders, settle the battles that need nobody, and save it."""
    papers = papers_standing(campaign, campaign.day)
    orders, organisation = papers.orders, papers.organisation
    ahead = [row.pk for row in days_ahead(campaign)]
    apart = find_day_partition(campaign, world, papers_to_json(papers)) if ahead else None
    entered = load_entered_dice(campaign)
    dice = dice_for(campaign, world.day, entered=entered)
    # Only a day with real dice says so (HR-UMP-12), so that every other hashes as it did.
    by_hand = {"entered": dict(sorted(entered.items()))} if entered else {}
    fights = BattleProgress(world.day, report)
    while True:
        report(fights.share, f"Day {world.day + 1} is being played.")
        settled = settlements_of_day(campaign, world.day)
        result = play_day(world, orders, dice, settled, organisation, apart)
        if isinstance(result, Completed):
            break
        waiting = battles_open(campaign, world, papers, ahead, result, fights)
        if waiting:
            return DayResult(battles_waiting=tuple(waiting))
    # Only what the day used belongs to its inputs: a battle of a course not taken is left out.
    used = {event.contact for event in result.events if event.contact}
    steps = [
        _PendingRecord(
            DayRecord.Kind.DAY,
            {
                **papers_to_json(papers),
                "settlements": [settlement_to_json(settled[key]) for key in sorted(settled) if key in used],
                **({"apart": apart.to_json()} if apart is not None else {}),
                **by_hand,
            },
            result.events,
            result.world,
        )
    ]
    if result.world.week_is_over:
        choices = merge_choices(result.world, papers.choices)
        closed = close_week(result.world, choices, dice)
        steps.append(
            _PendingRecord(
                DayRecord.Kind.WEEK, {"choices": choices.to_json(), **by_hand}, closed.events, closed.world
            )
        )
    report(FOUGHT, f"Day {world.day + 1} is being saved.")
    return DayResult(records=_save_day(campaign, world, papers, ahead, steps, actor))


@dataclass
class BattleProgress:
    """Progress of a day's battles; each takes an equal share of what is left to the last one known."""

    day: int
    report: Report
    share: int = PLAYING

    def begin(self, battle: Battle, left: int) -> None:
        """A battle begins to be fought; so many are `left` with it."""
        title = battle.inputs["file"]["title"]
        self.report(self.share, f"Day {self.day + 1}: the {title} is being fought.")
        self.share += (FOUGHT - self.share) // (left + 1)


def papers_to_json(papers: DayPapers) -> dict[str, Any]:
    """A day's papers, in an order of their own: who put his in first leaves no trace."""
    orders = papers.orders
    organisation = [organisation_to_json(act) for act in papers.organisation]
    return {
        "orders": [order_to_json(orders[key]) for key in sorted(orders)],
        **({"organisation": organisation} if organisation else {}),
    }


def verify_running(campaign: Campaign) -> None:
    """Refuses to play on where nothing is played, for ever or for now."""
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", f"{campaign.title} has ended; start a new campaign to play on.")
    if campaign.paused:
        raise RuleViolation(
            "HR-UMP-10",
            f"{campaign.title} rests: {campaign.paused.rstrip('.')}. Let it go on first.",
        )


def verify_no_battle_waits(campaign: Campaign) -> None:
    """Refuse to play the coming day while a battle of it waits (HR-CAL-07). Raises BattleWaits."""
    waiting = battles_of_day(campaign).filter(state=Battle.State.WAITING).first()
    if waiting is not None:
        raise BattleWaits(
            "HR-CAL-07",
            f"The {waiting} is not settled yet; settle it by the engine, the tabletop result or the "
            "umpire's word, then advance the day.",
        )


def battles_of_day(campaign: Campaign, day: int | None = None) -> QuerySet[Battle]:
    """Battles of a campaign day, the coming one when left out."""
    day = campaign.day if day is None else day
    return Battle.objects.filter(campaign=campaign, revision=campaign.revision, day=day)


def settlements_of_day(campaign: Campaign, day: int) -> dict[str, Settlement]:
    """The outcomes there are of a day's battles, by contact."""
    return {
        battle.contact: settlement_from_json(battle.settlement or {})
        for battle in battles_of_day(campaign, day).filter(state=Battle.State.SETTLED)
    }


def lock_unchanged_campaign(
    campaign: Campaign, day: int, papers: DayPapers, ahead: Sequence[int]
) -> Campaign:
    """Lock the campaign and return it, if nothing has changed since `day` was computed.

    That is the head, the papers, and the keys of the provisional days that stand. Raises
    AlreadyAdvanced or OrdersChanged. Orders are written under the same lock.
    """
    current = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if current.head_id != campaign.head_id:
        if (current.revision, current.day) == (campaign.revision, campaign.day):
            raise OrdersChanged  # an act of the umpire's
        raise build_already_advanced(campaign, campaign.day)
    if papers_standing(current, day) != papers or [row.pk for row in days_ahead(current)] != list(ahead):
        raise OrdersChanged
    return current


def staff_work(campaign: Campaign, world: World) -> None:
    """Submit the staff's orders for sides that give none (HR-BOT-01, HR-DUE-02), once a day."""
    day = world.day
    if battles_of_day(campaign, day).exists() or any(row.day == day for row in days_ahead(campaign)):
        return  # the day has begun; its orders are fixed
    missed_note(campaign, world)
    for side, orders in orders_for_absent(campaign, world).items():
        try:
            staff_orders_submit(campaign=campaign, side=side, orders=orders, world=world)
        except RuleViolation as violation:
            if violation.rule_id == "HR-CAL-03":  # the day was advanced under the staff's pen
                raise build_already_advanced(campaign, campaign.day) from violation
            if violation.rule_id == "HR-CAL-05":  # another plays it, and a battle of it has been opened
                raise OrdersChanged from violation
            raise


def battles_open(
    campaign: Campaign,
    world: World,
    papers: DayPapers,
    ahead: Sequence[int],
    pending: Pending,
    fights: BattleProgress,
) -> list[Battle]:
    """Store the contacts as battles, settle those that need nobody, and return the others."""
    with transaction.atomic():
        lock_unchanged_campaign(campaign, world.day, papers, ahead)
        battles = [
            (contact, battle_open(campaign=campaign, world=world, contact=contact))
            for contact in pending.contacts
        ]
    waiting = []
    for number, (contact, battle) in enumerate(battles):
        if battle.state == Battle.State.WAITING:
            if settles_itself(campaign, world, contact):
                fights.begin(battle, len(battles) - number)
                battle_settle_by_engine(battle=battle, actor=None)
            else:
                waiting.append(battle)
    return waiting


def _save_day(
    campaign: Campaign,
    world: World,
    papers: DayPapers,
    ahead: Sequence[int],
    steps: Sequence[_PendingRecord],
    actor: User | None,
) -> tuple[DayRecord, ...]:
    """Save a day in one transaction, if its inputs are unchanged. Raises AlreadyAdvanced or OrdersChanged."""
    with transaction.atomic():
        current = lock_unchanged_campaign(campaign, campaign.day, papers, ahead)
        OrderPaper.objects.filter(pk__in=[paper.pk for paper in papers.papers]).update(
            state=OrderPaper.State.CARRIED_OUT
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
        void = ENDED if world.ended else VOID if "apart" not in steps[0].inputs else ""
        _confirm_provisional_day(ahead, records[0], void=bool(void))
        used = {row["contact"] for row in steps[0].inputs["settlements"]}
        battles_annul(current, world, used=used, void=void if ahead else "", actor=actor)
        queued_take_up(current, world)
        drafts_lapse(current, world)
        deadline_roll(current)
        current.save()
        letters_leave(current, campaign.day, steps[0].world)
    return tuple(records)


def _confirm_provisional_day(ahead: Sequence[int], record: DayRecord, *, void: bool) -> None:
    """Mark the first provisional day as definitively played; delete the others if they are void."""
    if ahead:
        ProvisionalDay.objects.filter(pk=ahead[0]).update(record=record)
    if ahead and void:
        ProvisionalDay.objects.filter(pk__in=ahead[1:]).delete()
