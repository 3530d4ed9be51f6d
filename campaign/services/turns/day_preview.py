"""Preview of the day: played in memory with other dice than the real day will have (HR-UMP-13)."""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError
from battles.files.reading import decode_battle
from battles.rulesets import registry
from campaign.ledger.dice import dice_for, load_entered_dice
from campaign.ledger.provisional_days import find_day_partition
from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, Job, User
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.battles.ruleset_options import list_chosen_options
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import FoughtBattle
from campaign.rules.day.provisional import days_of_parts, play_day
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import list_formation_units
from campaign.rules.returns.week import close_week, merge_choices
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Position
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.partition import Apart, FormationGroup
from campaign.rules.world.world import World
from campaign.selectors.battles.adjustments import contact_of_battle
from campaign.selectors.battles.battle_files import battle_file, ground_seed, officers_with
from campaign.services.battles.outcomes import BATTLE_DICE, settlement_of
from campaign.services.jobs.jobs import job_request
from campaign.services.orders.day_orders import DayPapers, papers_standing
from campaign.services.turns.days import battles_of_day, papers_to_json, settlements_of_day
from campaign.services.turns.deadlines import orders_for_absent
from campaign.services.turns.rewind import has_day_begun
from rosters.domain.dice import AddressedDice, DiceRoller, Roll, WrongDie

KIND = "dry_run"


def dry_run_ask(*, campaign: Campaign, actor: User | None) -> Job:
    """Ask for the coming day to be tried out, with dice of its own each time it is asked for.

    Raises RuleViolation when the campaign has ended.
    """
    dry_run_verify(campaign)
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        tries = Job.objects.filter(campaign=campaign, kind=KIND)
        going = tries.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).first()
        if going is not None:
            return going
        number = tries.count() + 1
        return job_request(
            kind=KIND,
            key=f"dry-run/{campaign.slug}/{number}",
            payload={"campaign": campaign.pk, "number": number},
            campaign=campaign,
            actor=actor,
        )


def dry_run_verify(campaign: Campaign) -> None:
    """Raises RuleViolation when the campaign has ended."""
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", f"{campaign.title} has ended; there is no day left to try out.")


def dry_run_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    report(10, "The day is being tried out.")
    try:
        return dry_run_play(campaign, job.payload["number"])
    except WrongDie as error:
        raise RuleViolation("HR-UMP-12", f"{error} Enter another, or go back to the morning.") from error
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error
    except EngineError as error:
        raise RuleViolation(BATTLE_DICE, str(error)) from error


def dry_run_play(campaign: Campaign, number: int = 1) -> dict[str, Any]:
    """Play a preview of the coming day with the current orders; returns JSON values and writes nothing.

    `number` chooses among as many sets of dice as one likes; none is the campaign's. Real dice that the
    umpire has entered count; every battle is fought by the engine, staffs order as they would. Of a day that
    has begun, what is known stays: the dice that have fallen, the battles settled, the parts that ran on.
    """
    world = world_load(campaign)
    papers = papers_standing(campaign, world.day)
    orders, dice = papers.orders, _build_dice(campaign, world.day, number)
    fallen: dict[str, int] = {}
    apart = None
    if has_day_begun(campaign):
        apart = find_day_partition(campaign, world, papers_to_json(papers))
        fallen = _collect_fallen_dice(campaign, world, papers, apart)
        dice = replace(dice, entered={**fallen, **dice.entered})
    else:
        absent = orders_for_absent(campaign, world)
        orders = orders | {order.formation: order for given in absent.values() for order in given}
    known = settlements_of_day(campaign, world.day)
    fought: dict[str, FoughtBattle] = {}
    while True:
        outcomes = {key: each.settlement for key, each in fought.items()}
        result = play_day(world, orders, dice, outcomes, papers.organisation, apart)
        if isinstance(result, Completed):
            break
        for contact in result.contacts:
            settlement = known.get(contact.key) or _fight_contact(
                campaign, world, contact, dice, fought.values()
            )
            fought[contact.key] = FoughtBattle(world.day, contact, settlement)
    events, after = list(result.events), result.world
    if after.week_is_over:
        closed = close_week(after, merge_choices(after, papers.choices), dice)
        events, after = [*events, *closed.events], closed.world
    return {
        "day": world.day,
        "head": campaign.head_id,
        "number": number,
        "moves": _list_moves(world, after),
        "points": _list_point_changes(world, after),
        "holders": _list_holder_changes(world.holders, after.holders),
        "battles": [
            _serialize_battle(each) | ({"settled": True} if key in known else {})
            for key, each in sorted(fought.items(), key=lambda row: row[1].contact.minute)
        ],
        "refused": _list_refusals(events),
        "weather": next((str(event.data["weather"]) for event in events if event.kind == "weather"), ""),
        "called": {key: each.name for key, each in after.formations.items() if key not in world.formations},
        "dice": _list_rolls(events, fallen),
    }


def _build_dice(campaign: Campaign, day: int, number: int) -> AddressedDice:
    """Build the preview's dice from a secret derived from the campaign's, so that they fall differently."""
    true = dice_for(campaign, day, entered=load_entered_dice(campaign))
    secret = hmac.digest(true.secret, f"dry run/{number}".encode(), hashlib.sha256)
    return AddressedDice(secret, true.campaign, true.revision, day, true.entered)


def _fight_contact(
    campaign: Campaign, world: World, contact: Contact, dice: AddressedDice, fought: Iterable[FoughtBattle]
) -> Settlement:
    """Fight a contact with the engine, led by those present and not lost earlier that day.

    One that waits already is fought with the plans chosen and as the umpire has adjusted it, under the rules
    and options it was opened with.
    """
    waits = battles_of_day(campaign, world.day).filter(contact=contact.key).first()
    if waits is not None and contact_of_battle(waits) != contact:
        waits = None
    if waits is not None and (waits.plans or waits.adjusted or waits.ruleset):
        file = decode_battle(file_now(waits))
        outcome = registry.fight_battle(file, dice.seed(BATTLE_DICE, contact.key)).outcome
        return settlement_of(file, outcome, contact.key)
    ruleset, options = campaign.ruleset, list_chosen_options(campaign.ruleset_options, campaign.ruleset)
    if waits is not None:
        opened = waits.inputs["file"]
        ruleset, options = opened["ruleset"], opened.get("options", {})
    lost = {general.general for each in fought for general in each.settlement.generals}
    file = battle_file(
        world,
        contact,
        ruleset=ruleset,
        options=options,
        seed=ground_seed(dice_for(campaign, 0, 1), contact),
        officers=[each for each in officers_with(campaign, world, contact) if each.id not in lost],
    )
    outcome = registry.fight_battle(file, dice.seed(BATTLE_DICE, contact.key)).outcome
    return settlement_of(file, outcome, contact.key)


# --- a day that has begun ---


class _Heard:
    """True dice that remember what has fallen."""

    def __init__(self, dice: AddressedDice) -> None:
        self.dice = dice
        self.fallen: dict[str, int] = {}

    def roll(self, rule: str, subject: str, index: int = 0, sides: int = 6) -> Roll:
        roll = self.dice.roll(rule, subject, index, sides)
        self.fallen[roll.address] = roll.value
        return roll

    def take_fallen(self) -> dict[str, int]:
        """Return the dice fallen since the last call."""
        fallen, self.fallen = self.fallen, {}
        return fallen


def _iter_parts(
    world: World, papers: DayPapers, dice: DiceRoller, outcomes: Mapping[str, Settlement], apart: Apart | None
) -> Iterator[tuple[FormationGroup | None, Completed | Pending]]:
    """Iterate over the parts of a day with their results; a day played whole is one part."""
    if apart is None:
        yield None, play_day(world, papers.orders, dice, outcomes, papers.organisation)
        return
    for group, _, result in days_of_parts(world, papers.orders, dice, outcomes, papers.organisation, apart):
        yield group, result


def _collect_fallen_dice(
    campaign: Campaign, world: World, papers: DayPapers, apart: Apart | None
) -> dict[str, int]:
    """Collect a begun day's dice already thrown: all of groups that moved on, else those before a battle.

    No die beyond is told.
    """
    true = dice_for(campaign, world.day, entered=load_entered_dice(campaign))
    known = settlements_of_day(campaign, world.day)
    opened = set(battles_of_day(campaign).values_list("contact", flat=True))

    def until(outcomes: Mapping[str, Settlement]) -> tuple[dict[str, int], frozenset[str]]:
        """Dice and contacts up to the battles without an outcome among these."""
        dice, met = _Heard(true), set()
        fallen: dict[str, int] = {}
        for group, result in _iter_parts(world, papers, dice, outcomes, apart):
            thrown = dice.take_fallen()
            ran_on = apart is not None and group is None
            if isinstance(result, Pending):
                met |= {contact.key for contact in result.contacts}
            if ran_on or isinstance(result, Pending):
                fallen |= thrown
        return fallen, frozenset(met)

    outcomes: dict[str, Settlement] = {}
    fallen, met = until(outcomes)
    tried: set[str] = set()
    while left := sorted((met & set(known)) - tried):
        tried.add(left[0])
        further = {**outcomes, left[0]: known[left[0]]}
        dice, then = until(further)
        if then & (opened - met):  # another battle came about after this one, so its dice are known too
            outcomes, fallen, met, tried = further, dice, then, set()
    return fallen


def _list_moves(before: World, after: World) -> list[dict[str, Any]]:
    return [
        {
            "formation": key,
            "from": _serialize_position(was),
            "to": _serialize_position(now),
            "with": _find_absorbing_formation(before, after, key),
        }
        for key in sorted(after.formations)
        if (was := _find_position(before, key)) != (now := _find_position(after, key))
    ]


def _find_absorbing_formation(before: World, after: World, key: str) -> str:
    """Find the formation that took over the units of one that has left the map; "" when they are gone."""
    if _find_position(after, key) is not None:
        return ""
    units = (after.units.get(each.id) for each in list_formation_units(before, key))
    there = sorted(
        {unit.formation for unit in units if unit is not None and unit.status == "present"} - {key}
    )
    return there[0] if there else ""


def _find_position(world: World, key: str) -> Position | None:
    formation = world.formations.get(key)
    return formation.position if formation is not None else None


def _serialize_position(position: Position | None) -> dict[str, Any] | None:
    if position is None:
        return None
    return {name: getattr(position, name) for name in ("place", "route", "origin", "destination", "yards")}


def _list_point_changes(before: World, after: World) -> list[dict[str, Any]]:
    """List the formations whose points change, with points before and after."""
    rows: dict[str, list[int]] = {}
    for column, world in enumerate((before, after)):
        for unit in world.units.values():
            if unit.status == "present":
                rows.setdefault(unit.formation, [0, 0])[column] += unit.points
    return [
        {"formation": key, "before": was, "after": now}
        for key, (was, now) in sorted(rows.items())
        if was != now
    ]


def _list_holder_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[dict[str, str]]:
    places = sorted({*before, *after})
    return [
        {"place": place, "before": before.get(place, ""), "after": after.get(place, "")}
        for place in places
        if before.get(place, "") != after.get(place, "")
    ]


def _serialize_battle(fought: FoughtBattle) -> dict[str, Any]:
    contact = fought.contact
    lost = dict.fromkeys((contact.attacker, contact.defender), 0)
    sides = {fighter.unit: fighter.side for fighter in contact.units}
    for loss in fought.settlement.losses:
        lost[sides[loss.unit]] += loss.sp_lost + loss.sp_captured
    return {
        "place": contact.place,
        "route": contact.route,
        "yards": contact.yards,
        "minute": contact.minute,
        "attacker": contact.attacker,
        "sp": {side: contact.sp_of(side) for side in (contact.attacker, contact.defender)},
        "held_by": fought.settlement.field_held_by,
        "lost": lost,
    }


def _list_refusals(events: Iterable[Event]) -> list[dict[str, str]]:
    """List the orders and choices refused in the morning, with their reasons."""
    kinds = ("order_refused", "organisation_refused", "choice_refused")
    return [
        {
            "kind": event.kind,
            "rule": event.rule,
            "formation": event.formation or str(event.data.get("formation", "")),
            "reason": str(event.data.get("reason") or event.data.get("message", "")),
        }
        for event in events
        if event.kind in kinds
    ]


def _list_rolls(events: Iterable[Event], fallen: Mapping[str, int]) -> list[dict[str, Any]]:
    """List every die still to be thrown, in the order of the day; each once."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        for roll in event.rolls:
            if roll.address in fallen:
                continue
            rule, _, rest = roll.address.split("/", 3)[3].partition("/")
            subject, _, index = rest.rpartition("/")
            found[roll.address] = {
                "rule": rule,
                "subject": subject,
                "index": int(index),
                "sides": roll.sides,
                "value": roll.value,
                "entered": roll.entered,
            }
    return list(found.values())
