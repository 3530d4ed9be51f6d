"""One possible course of a campaign after another, in memory: what a forecast is made of (HR-FRC-01).

A start is all that a run needs, and goes to other processes as JSON; a run comes back as JSON values.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from battles.files.reading import decode_battle
from battles.rulesets import registry
from campaign.ai.commander import staff_orders
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import FoughtBattle, play_campaign
from campaign.rules.victory.scoring import scenario_points
from campaign.rules.world.world import Order, Theatre, UnitStatus, World
from campaign.rules.world.world_json import to_canonical_json, world_from_json, world_to_json
from campaign.selectors.battles.battle_files import FieldOfficer, battle_file, ground_seed
from campaign.services.battles.outcomes import BATTLE_DICE, settlement_of
from rosters.domain.dice import AddressedDice, DiceRoller


@dataclass(frozen=True, slots=True)
class Start:
    """Where every run begins. `dice` are the forecast's own; `ground` those of the battlefields.

    `waiting` are battles that wait, by contact: that and the file as it stands. One that comes about alike
    is fought so (HR-TAB-12). `options` are those chosen of the ruleset (HR-BAT-13).

    Each run throws its dice at addresses of its own; none is the campaign's (HR-CON-10).
    """

    world: World
    ruleset: str
    officers: tuple[FieldOfficer, ...]
    dice: AddressedDice
    ground: AddressedDice
    weeks: int
    waiting: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


def start_to_json(start: Start) -> dict[str, Any]:
    """A start as JSON values, the theatre left out."""
    return {
        "world": world_to_json(start.world),
        "ruleset": start.ruleset,
        "officers": [asdict(officer) for officer in start.officers],
        "dice": _dice_to_json(start.dice),
        "ground": _dice_to_json(start.ground),
        "weeks": start.weeks,
        "waiting": dict(start.waiting),
        "options": dict(start.options),
    }


def start_from_json(data: Mapping[str, Any], theatre: Theatre) -> Start:
    """The inverse of `start_to_json`."""
    return Start(
        world=world_from_json(data["world"], theatre),
        ruleset=data["ruleset"],
        officers=tuple(FieldOfficer(**row) for row in data["officers"]),
        dice=_dice_from_json(data["dice"]),
        ground=_dice_from_json(data["ground"]),
        weeks=data["weeks"],
        waiting=data["waiting"],
        options=data["options"],
    )


def _dice_to_json(dice: AddressedDice) -> dict[str, Any]:
    return {"secret": dice.secret.hex(), "campaign": dice.campaign, "revision": dice.revision}


def _dice_from_json(row: Mapping[str, Any]) -> AddressedDice:
    return AddressedDice(bytes.fromhex(row["secret"]), row["campaign"], row["revision"], 0)


def play_run(start: Start, number: int) -> dict[str, Any]:
    """The campaign played on once, as JSON values: weeks from the present on, and the battles."""
    dice = replace(start.dice, revision=number + 1)
    givers = {side.id: _list_staff_orders for side in start.world.theatre.sides}

    def settle(world: World, contact: Contact, day: DiceRoller) -> Settlement:
        return _fight_contact(start, world, contact, day)

    played = play_campaign(start.world, lambda day: replace(dice, day=day), givers, settle, start.weeks)
    last = len(played.mornings) - 1
    return {
        "run": number,
        "weeks": [_serialize_week(played.mornings[min(7 * week, last)]) for week in range(start.weeks + 1)],
        "battles": [_serialize_battle(fought) for fought in played.battles],
    }


def _list_staff_orders(world: World, side: str, dice: DiceRoller) -> list[Order]:
    """Orders of the staff, who throws no dice and does not look ahead in battle."""
    return staff_orders(world, side)


def _fight_contact(start: Start, world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    assert isinstance(dice, AddressedDice)
    waits = start.waiting.get(contact.key)
    if waits is not None and to_canonical_json(waits["contact"]) == to_canonical_json(asdict(contact)):
        file = decode_battle(waits["file"])
    else:
        file = battle_file(
            world,
            contact,
            ruleset=start.ruleset,
            options=start.options,
            seed=ground_seed(start.ground, contact),
            officers=start.officers,
        )
    outcome = registry.fight_battle(file, dice.seed(BATTLE_DICE, contact.key)).outcome
    return settlement_of(file, outcome, contact.key)


def _serialize_week(world: World) -> dict[str, Any]:
    """How the sides stand on a morning: points in the field, who holds what, objective points."""
    points = {side.id: 0 for side in world.theatre.sides}
    for unit in world.units.values():
        if unit.status is UnitStatus.PRESENT and not unit.is_train:
            points[unit.side] += unit.points
    return {
        "points": points,
        "holders": dict(sorted(world.holders.items())),
        "objectives": scenario_points(world),
    }


def _serialize_battle(fought: FoughtBattle) -> dict[str, Any]:
    contact = fought.contact
    return {
        "day": fought.day,
        "where": contact.place or contact.route,
        "attacker": contact.attacker,
        "tiny": contact.tiny,
        "held_by": fought.settlement.field_held_by,
    }
