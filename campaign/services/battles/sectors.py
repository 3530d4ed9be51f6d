"""A fight too big for the table: a sector of it is fought there, the rest by the engine (HR-TAB-14 to 16)."""

from dataclasses import dataclass, replace

from campaign.ledger.dice import dice_for
from campaign.models import Battle
from campaign.rules.army.leaders import GeneralLoss
from campaign.rules.battles.battle_inputs import (
    leaders_with,
)
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Settlement
from campaign.selectors.battles.sectors import rest_file, sector_units
from campaign.services.battles.outcomes import REST_DICE, engine_fight


@dataclass(frozen=True, slots=True)
class Rest:
    """The result of the part the engine fought beside the table; empty where it had nothing to fight."""

    losses: tuple[UnitLoss, ...] = ()
    generals: tuple[GeneralLoss, ...] = ()
    held_by: str = ""
    account: tuple[str, ...] = ()


def sector_rest(battle: Battle) -> Rest:
    """Fight the rest by the engine, with dice of its own; the same whenever it is asked.

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
