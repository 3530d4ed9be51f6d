"""Provisional play: days played for the rest of the theatre while a battle waits."""

from django.db import transaction

from campaign.ledger.dice import dice_for, load_entered_dice
from campaign.ledger.journal import event_to_json
from campaign.ledger.provisional_days import days_ahead, parts_of
from campaign.ledger.world_rows import snapshot_pack, snapshot_unpack
from campaign.models import Battle, Campaign, ProvisionalDay, User
from campaign.rules.day.locks import part_to_json
from campaign.rules.day.provisional import RunOn, run_on
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import World, present_units
from campaign.scenarios.theatres import theatre_load
from campaign.services.battles.settlement import battle_open, battle_settle_by_engine, settles_itself
from campaign.services.orders.day_orders import papers_standing
from campaign.services.orders.organisation import queued_take_up
from campaign.services.turns.days import (
    BattleProgress,
    OrdersChanged,
    Report,
    battles_of_day,
    build_already_advanced,
    ignore_report,
    lock_unchanged_campaign,
    papers_to_json,
    settlements_of_day,
    staff_work,
    verify_no_battle_waits,
    verify_running,
    world_at_head,
)
from campaign.services.turns.deadlines import deadline_roll

RULE = "HR-CAL-11"


def day_run_on(
    *, campaign: Campaign, actor: User | None, day: int | None = None, report: Report = ignore_report
) -> ProvisionalDay:
    """Play one more day for all whom the battle that waits does not lock, provisionally (HR-CAL-11).

    `day` is the number of days, definitive and provisional, that the caller has seen. Raises
    RuleViolation when nothing waits, the days that may run on have been played, the week is over, or
    nobody is free; AlreadyAdvanced when that day has been played.
    """
    while True:
        campaign = Campaign.objects.select_related("head").get(pk=campaign.pk)
        rows = days_ahead(campaign)
        coming = campaign.day + len(rows)
        day = coming if day is None else day
        if day != coming:
            raise build_already_advanced(campaign, day, coming)
        world = _load_morning(campaign, rows)
        _may_run_on(campaign, world, len(rows))
        try:
            staff_work(campaign, world)
            return _play_provisional_day(campaign, world, rows, actor, report)
        except OrdersChanged:
            continue


def verify_run_on(campaign: Campaign) -> None:
    """Refuses another day beside a battle that waits, as `day_run_on` would."""
    rows = days_ahead(campaign)
    _may_run_on(campaign, _load_morning(campaign, rows), len(rows))


def run_on_refusal(campaign: Campaign) -> str:
    """Why no further day runs on; "" when one may."""
    try:
        verify_run_on(campaign)
    except RuleViolation as refusal:
        return refusal.message
    return ""


def _load_morning(campaign: Campaign, rows: list[ProvisionalDay]) -> World:
    if not rows:
        return world_at_head(campaign)
    return snapshot_unpack(bytes(rows[-1].snapshot), theatre_load(campaign))


def _may_run_on(campaign: Campaign, world: World, played: int) -> None:
    verify_running(campaign)
    if not campaign.run_on_days:
        verify_no_battle_waits(campaign)
    waiting = battles_of_day(campaign).filter(state=Battle.State.WAITING).first()
    if waiting is None:
        raise RuleViolation(RULE, "No battle waits; advance the day.")
    if played >= campaign.run_on_days:
        raise RuleViolation(
            RULE,
            f"The {waiting} is not settled yet, and the {played} days that may run on beside it have been "
            "played; settle it to go on.",
        )
    if played and (world.week_is_over or world.day >= world.theatre.days):
        raise RuleViolation(
            RULE, f"The week is over, and its returns need the outcome of the {waiting}; settle it to go on."
        )


def _play_provisional_day(
    campaign: Campaign, world: World, rows: list[ProvisionalDay], actor: User | None, report: Report
) -> ProvisionalDay:
    """Play the day provisionally; open battles that need people with it, settle the others at once."""
    papers = papers_standing(campaign, world.day)
    waiting = parts_of(rows[-1]) if rows else ()
    entered = {} if rows else load_entered_dice(campaign)
    dice = dice_for(campaign, world.day, entered=entered)
    ahead = [row.pk for row in rows]
    fights = BattleProgress(world.day, report)
    while True:
        report(fights.share, f"Day {world.day + 1} is being played provisionally.")
        settled = settlements_of_day(campaign, world.day)
        result = run_on(world, papers.orders, dice, settled, waiting, papers.organisation)
        with transaction.atomic():
            current = lock_unchanged_campaign(campaign, world.day, papers, ahead)
            battles = [
                (contact, battle_open(campaign=current, world=world, contact=contact))
                for contact in result.contacts
            ]
            small = [
                battle
                for contact, battle in battles
                if battle.state == Battle.State.WAITING and settles_itself(campaign, world, contact)
            ]
            if not small:
                _somebody_is_free(campaign, result, len(result.contacts))
                played = ProvisionalDay.objects.create(
                    campaign=current,
                    revision=current.revision,
                    day=world.day,
                    follows=rows[-1] if rows else None,
                    inputs=papers_to_json(papers),
                    parts=[part_to_json(part) for part in result.parts],
                    halted=list(result.halted),
                    events=[event_to_json(event) for event in result.events],
                    snapshot=snapshot_pack(result.world),
                    actor=actor,
                )
                queued_take_up(current, result.world)
                deadline_roll(current)
                current.save(update_fields=["deadline", "deadline_meant"])
                return played
        for number, battle in enumerate(small):
            fights.begin(battle, len(small) - number)
            battle_settle_by_engine(battle=battle, actor=None)


def _somebody_is_free(campaign: Campaign, result: RunOn, contacts: int) -> None:
    if contacts < 2 and not set(present_units(result.world)) - result.locked_formations:
        raise RuleViolation(RULE, f"Nobody in {campaign.title} is free to run on; settle the battle first.")
