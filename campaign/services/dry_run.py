"""A day tried out in memory, with other dice than the real day will have (HR-UMP-13)."""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction

from battles.engine.fighting import EngineError
from battles.errors import BattleFileError
from battles.rulesets import registry
from campaign.models import Campaign, Job, User
from campaign.rules.contact import Contact, Settlement
from campaign.rules.day import advance_day
from campaign.rules.errors import RuleViolation
from campaign.rules.events import Event
from campaign.rules.markers import Position
from campaign.rules.outcome import Completed
from campaign.rules.play import Fought
from campaign.rules.week import close_week, merge_choices
from campaign.rules.world import World
from campaign.services.battle_files import battle_file, campaign_officers, ground_seed
from campaign.services.deadlines import orders_for_absent
from campaign.services.dice import dice_entered, dice_for
from campaign.services.jobs import job_request
from campaign.services.outcomes import BATTLE_DICE, settlement_of
from campaign.services.papers import papers_standing
from campaign.state import world_load
from rosters.domain.dice import AddressedDice, WrongDie

KIND = "dry_run"
RULE = "HR-UMP-13"


def dry_run_ask(*, campaign: Campaign, actor: User | None) -> Job:
    """Ask for the coming day to be tried out, with dice of its own each time it is asked for.

    Raises RuleViolation when the campaign has ended.
    """
    if campaign.state == Campaign.State.ENDED:
        raise RuleViolation("HR-CAL-02", f"{campaign.title} has ended; there is no day left to try out.")
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


def dry_run_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    campaign = Campaign.objects.get(pk=job.payload["campaign"])
    report(10, "The day is being tried out.")
    try:
        return dry_run(campaign, job.payload["number"])
    except WrongDie as error:
        raise RuleViolation("HR-UMP-12", f"{error} Enter another, or go back to the morning.") from error
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error
    except EngineError as error:
        raise RuleViolation(BATTLE_DICE, str(error)) from error


def dry_run(campaign: Campaign, number: int = 1) -> dict[str, Any]:
    """What the coming day would bring with the papers that stand now, as JSON values. Writes nothing.

    `number` chooses among as many sets of dice as one likes; none is the campaign's. Real dice that the
    umpire has entered count; every battle is fought by the engine, staffs order as they would.
    """
    world = world_load(campaign)
    papers = papers_standing(campaign, world.day)
    absent = orders_for_absent(campaign, world)
    orders = papers.orders | {order.formation: order for given in absent.values() for order in given}
    dice = _dice(campaign, world.day, number)
    officers = campaign_officers(campaign)
    fought: list[Fought] = []

    def settle(contact: Contact) -> Settlement:
        file = battle_file(
            world,
            contact,
            ruleset=campaign.ruleset,
            seed=ground_seed(dice_for(campaign, 0, 1), contact),
            officers=officers,
        )
        outcome = registry.fight(file, dice.seed(BATTLE_DICE, contact.key)).outcome
        fought.append(Fought(world.day, contact, settlement_of(file, outcome, contact.key)))
        return fought[-1].settlement

    result = advance_day(world, orders, dice, {}, papers.organisation, settle=settle)
    assert isinstance(result, Completed)  # every contact is settled as it comes
    events, after = list(result.events), result.world
    if after.week_is_over:
        closed = close_week(after, merge_choices(after, papers.choices), dice)
        events, after = [*events, *closed.events], closed.world
    return {
        "day": world.day,
        "head": campaign.head_id,
        "number": number,
        "moves": _moves(world, after),
        "points": _points(world, after),
        "holders": _changed(world.holders, after.holders),
        "battles": [_battle(each) for each in sorted(fought, key=lambda each: each.contact.minute)],
        "refused": _refused(events),
        "weather": next((str(event.data["weather"]) for event in events if event.kind == "weather"), ""),
        "called": {key: each.name for key, each in after.formations.items() if key not in world.formations},
        "dice": _rolled(events),
    }


def _dice(campaign: Campaign, day: int, number: int) -> AddressedDice:
    """Dice of a secret derived from the campaign's: the same addresses fall otherwise."""
    true = dice_for(campaign, day, entered=dice_entered(campaign))
    secret = hmac.digest(true.secret, f"dry run/{number}".encode(), hashlib.sha256)
    return AddressedDice(secret, true.campaign, true.revision, day, true.entered)


def _moves(before: World, after: World) -> list[dict[str, Any]]:
    return [
        {"formation": key, "from": _spot(was), "to": _spot(now)}
        for key in sorted(after.formations)
        if (was := _position(before, key)) != (now := _position(after, key))
    ]


def _position(world: World, key: str) -> Position | None:
    formation = world.formations.get(key)
    return formation.position if formation is not None else None


def _spot(position: Position | None) -> dict[str, Any] | None:
    if position is None:
        return None
    return {name: getattr(position, name) for name in ("place", "route", "origin", "destination", "yards")}


def _points(before: World, after: World) -> list[dict[str, Any]]:
    """Points by side and formation, where they change."""
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


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[dict[str, str]]:
    places = sorted({*before, *after})
    return [
        {"place": place, "before": before.get(place, ""), "after": after.get(place, "")}
        for place in places
        if before.get(place, "") != after.get(place, "")
    ]


def _battle(fought: Fought) -> dict[str, Any]:
    contact = fought.contact
    lost = dict.fromkeys((contact.attacker, contact.defender), 0)
    sides = {fighter.unit: fighter.side for fighter in contact.units}
    for loss in fought.settlement.losses:
        lost[sides[loss.unit]] += loss.sp_lost + loss.sp_captured
    return {
        "place": contact.place,
        "route": contact.route,
        "minute": contact.minute,
        "attacker": contact.attacker,
        "sp": {side: contact.sp_of(side) for side in (contact.attacker, contact.defender)},
        "held_by": fought.settlement.field_held_by,
        "lost": lost,
    }


def _refused(events: Iterable[Event]) -> list[dict[str, str]]:
    kinds = ("order_refused", "organisation_refused", "choice_refused")
    return [
        {"kind": event.kind, "rule": event.rule, "formation": event.formation}
        for event in events
        if event.kind in kinds
    ]


def _rolled(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Every die in the order of the day, by what a real one is entered for; each address once."""
    found: dict[str, dict[str, Any]] = {}
    for event in events:
        for roll in event.rolls:
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
