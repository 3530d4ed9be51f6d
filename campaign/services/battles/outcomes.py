"""Outcomes of battles as settlements; no models, so that an archive can be verified with it."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from battles.engine.fighting import EngineError, FightResult
from battles.errors import BattleFileError
from battles.files.reading import decode_battle
from battles.files.schema import BattleFile, BattleLeader, BattleOutcome
from battles.replay.account import compose_account
from battles.rulesets import registry
from campaign.rules.army.leaders import FATES, GeneralLoss
from campaign.rules.battles.battle_inputs import MUSTER, muster_units
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import to_json_value
from rosters.domain.dice import AddressedDice

#: A battle's dice come from this address (HR-CON-10); odds and dry runs never use it.
BATTLE_DICE = "HR-CON-10"
#: Those of what the engine fights beside a sector on the table come from another.
REST_DICE = "HR-TAB-15"


def settlement_from_json(data: Mapping[str, Any]) -> Settlement:
    """A settlement as it was stored; the muster kept with it stands beside it (HR-BAT-13)."""
    return Settlement(
        **{
            **{key: value for key, value in data.items() if key != MUSTER},
            "losses": tuple(UnitLoss(**loss) for loss in data["losses"]),
            "generals": tuple(GeneralLoss(**general) for general in data.get("generals", [])),
        }
    )


def settlement_to_json(settlement: Settlement) -> dict[str, Any]:
    """A settlement as a day records it: as it always was where nothing was said of a pursuit (HR-TAB-06)."""
    row = asdict(settlement)
    if not settlement.pursuit:
        del row["pursuit"]
    return row


def settlement_with_muster_to_json(
    settlement: Settlement, file: Mapping[str, Any], sector: Collection[str] = ()
) -> dict[str, Any]:
    """Serialize a settlement as stored with its battle, with its strength conversion if any."""
    muster = [to_json_value(one) for one in muster_units(file, sector).values()]
    return {**settlement_to_json(settlement), **({MUSTER: muster} if muster else {})}


@dataclass(frozen=True, slots=True)
class EngineFight:
    """A battle as the engine fought it, event by event."""

    battle: BattleFile
    result: FightResult


def engine_fight(
    file: Mapping[str, Any], contact: str, dice: AddressedDice, rule: str = BATTLE_DICE
) -> tuple[Settlement, list[str]]:
    """Fight a frozen battle file with the dice of its day; returns the settlement and the account.

    `rule` is the address of its dice. Raises RuleViolation when the engine cannot fight it; people can
    settle it then.
    """
    fought = run_engine_fight(file, contact, dice, rule)
    return settlement_of(fought.battle, fought.result.outcome, contact), compose_account(
        fought.battle, fought.result
    )


def run_engine_fight(
    file: Mapping[str, Any], contact: str, dice: AddressedDice, rule: str = BATTLE_DICE
) -> EngineFight:
    """Fight as `engine_fight` does and return every event. Raises RuleViolation."""
    battle = decode_battle(dict(file))
    try:
        return EngineFight(battle, registry.fight_battle(battle, dice.seed(rule, contact), record=True))
    except BattleFileError as error:
        raise RuleViolation(error.rule_id, error.message, error.field) from error
    except EngineError as error:
        raise RuleViolation(BATTLE_DICE, f"{error} Enter a result instead.") from error


def settlement_of(file: BattleFile, outcome: BattleOutcome, contact: str) -> Settlement:
    """Settlement from an outcome of the engine."""
    leaders: Mapping[str, BattleLeader] = {leader.id: leader for leader in file.leaders}
    return Settlement(
        contact=contact,
        field_held_by=outcome.field_held_by,
        losses=tuple(
            UnitLoss(
                unit=unit.id,
                sp_start=unit.sp_start,
                sp_lost=unit.sp_lost,
                sp_captured=unit.sp_captured,
                fate=unit.fate,
            )
            for unit in outcome.units
        ),
        source="engine",
        minutes=outcome.turns * 10,
        generals=tuple(
            GeneralLoss(general.id, leaders[general.id].name, leaders[general.id].side, general.fate)
            for general in outcome.generals
            if general.fate in FATES
        ),
    )
