"""A fight too big for the table: a sector of it is fought there, the rest by the engine (HR-TAB-14 to 16)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from campaign.battle_inputs import BattleRow, file_now, file_of_rest, file_of_sector, leaders_with
from campaign.models import Battle
from campaign.rules.casualties import UnitLoss
from campaign.rules.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.generals import GeneralLoss
from campaign.services.dice import dice_for
from campaign.services.outcomes import REST_DICE, engine_fight

RULE = "HR-TAB-14"


@dataclass(frozen=True, slots=True)
class Rest:
    """What came of the part the engine fought beside the table; nothing where it had nothing to fight."""

    losses: tuple[UnitLoss, ...] = ()
    generals: tuple[GeneralLoss, ...] = ()
    held_by: str = ""
    account: tuple[str, ...] = ()


def too_big(battle: Battle) -> bool:
    """Whether a side has more units than fit the table."""
    return any(len(units) > battle.campaign.table_units for units in _by_side(battle).values())


def sector_units(battle: BattleRow) -> tuple[str, ...]:
    """Ids of the units fought with on the table, in the order of the file; all unless it is split."""
    units = (unit["id"] for unit in battle.inputs["file"]["units"])
    return tuple(key for key in units if not battle.sector or key in battle.sector)


def sector_file(battle: BattleRow) -> dict[str, Any]:
    """The battle file of what is fought on the table, as JSON values; the whole one unless it is split."""
    return file_of_sector(file_now(battle), battle.sector)


def rest_file(battle: BattleRow) -> dict[str, Any] | None:
    """The battle file of what the engine fights beside it; None when that is nothing."""
    return file_of_rest(file_now(battle), battle.sector)


def sector_rest(battle: Battle) -> Rest:
    """What the engine makes of the rest, with dice of its own; the same whenever it is asked.

    Nobody is shown it before the table's result is confirmed. A rest in which a side has nobody loses
    nothing. Raises RuleViolation when the engine cannot fight it.
    """
    here = set(sector_units(battle))
    away = [unit for unit in battle.inputs["file"]["units"] if unit["id"] not in here]
    whole = tuple(UnitLoss(unit["id"], unit["sp"], 0) for unit in sorted(away, key=lambda one: one["id"]))
    file = rest_file(battle)
    if file is None:
        return Rest(whole)
    dice = dice_for(battle.campaign, battle.day, battle.dice_revision)
    settlement, account = engine_fight(file, battle.contact, dice, REST_DICE)
    losses = tuple(sorted(settlement.losses, key=lambda loss: loss.unit))
    return Rest(losses, settlement.generals, settlement.field_held_by, tuple(account))


def sector_complete(battle: Battle, settlement: Settlement) -> Settlement:
    """The table's settlement with what the engine made of the rest (HR-TAB-16).

    Who holds the table's sector holds the field; where neither does, who holds the rest.
    """
    if not battle.sector:
        return settlement
    here, rest = set(battle.sector), sector_rest(battle)
    losses = [loss for loss in settlement.losses if loss.unit in here]
    led = leaders_with(battle.inputs["file"], here)
    generals = [one for one in settlement.generals if one.general in led]
    return replace(
        settlement,
        field_held_by=settlement.field_held_by or rest.held_by,
        losses=tuple(sorted([*losses, *rest.losses], key=lambda loss: loss.unit)),
        generals=(*generals, *rest.generals),
    )


def sector_proposed(battle: Battle) -> tuple[str, ...]:
    """Units for the table: formation by formation, those first who were on the field first (HR-TAB-14).

    A formation that does not fit whole is cut; the late fight beside it.
    """
    contact = battle.inputs["contact"]
    came = {item["formation"]: item["minute"] for item in contact.get("participants", ())}
    chosen: list[str] = []
    for units in _by_side(battle).values():
        formations: dict[str, list[Mapping[str, Any]]] = {}
        for unit in units:
            formations.setdefault(unit["formation"], []).append(unit)
        order = sorted(
            formations,
            key=lambda key: (
                min(unit["arrives"] for unit in formations[key]),
                came.get(key, 0),
                -sum(unit["sp"] for unit in formations[key]),
                key,
            ),
        )
        ranked = [unit for key in order for unit in sorted(formations[key], key=lambda one: one["arrives"])]
        chosen += [unit["id"] for unit in ranked[: battle.campaign.table_units]]
    return tuple(unit["id"] for unit in battle.inputs["file"]["units"] if unit["id"] in set(chosen))


def _by_side(battle: Battle) -> dict[str, list[dict[str, Any]]]:
    """Units by side, the attacker's first, as they stand."""
    found: dict[str, list[dict[str, Any]]] = {battle.attacker: [], battle.defender: []}
    for unit in file_now(battle)["units"]:
        found[unit["side"]].append(unit)
    return found


def verify_sector(battle: Battle, units: Collection[str]) -> None:
    """Refuses a sector that cannot be, with the unit or side at fault. An empty one is the whole fight."""
    if not units:
        return
    known = {unit["id"] for unit in battle.inputs["file"]["units"]}
    for key in sorted(set(units) - known):
        raise RuleViolation(RULE, f"{key} is not in this battle; take it out.", "units")
    names, most = battle.inputs["file"].get("side_names", {}), battle.campaign.table_units
    for side, own in _by_side(battle).items():
        here, name = sum(unit["id"] in units for unit in own), names.get(side) or side
        if not here:
            raise RuleViolation(RULE, f"{name} needs a unit on the table.", "units")
        if here > most:
            raise RuleViolation(
                RULE,
                f"{name} would have {here} units on the table, and {most} fit it; take some out.",
                "units",
            )
    if set(units) == known:
        raise RuleViolation(RULE, "That is the whole fight; nothing is left for the engine.", "units")
