"""Proof of battles: what was fought is what was frozen and recorded in the journal, and ends the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from battles.errors import BattleFileError
from battles.rulesets.registry import get_ruleset
from campaign.ledger.hash_chain import compute_digest
from campaign.rules.battles.battle_inputs import (
    file_of_rest,
    file_of_sector,
    muster_units,
    read_settlement_muster,
)
from campaign.rules.contact.contact import Settlement
from campaign.services.battles.outcomes import REST_DICE, engine_fight, settlement_from_json
from rosters.domain.dice import AddressedDice


@dataclass(frozen=True, slots=True)
class StoredFight:
    """A stored battle; `file` is its battle file as it was fought.

    That is what was frozen when it opened, with plans and what was `adjusted`, under its own `ruleset` if
    it has one. With a `sector` only that was fought on the table.
    """

    title: str
    revision: int
    dice_revision: int
    day: int
    contact: str
    source: str
    settlement: Mapping[str, Any] | None
    file: Mapping[str, Any]
    ruleset: str = ""
    adjusted: Sequence[Mapping[str, Any]] = ()
    sector: Sequence[str] = ()


@dataclass
class Decided:
    """The umpire's decisions about battles, by contact, from the journal and including abandoned courses.

    A battle that comes about again alike keeps what was decided of it (HR-UMP-14).
    """

    adjusted: set[tuple[str, int, str]] = field(default_factory=set)
    rulesets: dict[tuple[str, str], str] = field(default_factory=dict)
    sectors: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)

    def note(self, act: Mapping[str, Any]) -> None:
        """Take in an act of the chain."""
        if act["kind"] == "battle_adjust":
            self.adjusted.add((act["field"]["contact"], act["number"], act["digest"]))
        elif act["kind"] == "battle_way":
            self.rulesets[act["field"]["contact"], act["ruleset"]] = act["ruleset_version"]
        elif act["kind"] == "battle_split":
            self.sectors.add((act["field"]["contact"], tuple(act["units"])))


def fight_fault(
    fight: StoredFight | None, recorded: Mapping[str, Any], decided: Decided, dice: AddressedDice | None
) -> str:
    """Describe the fault of a battle that a day was played with, in a sentence; "" when there is none.

    With `dice` it is fought again, unless its rules have changed since.
    """
    if fight is None or fight.settlement is None or not same_settlement(fight.settlement, recorded):
        return "The result stored for a battle of the day is not the one it was played with."
    if fault := _find_undecided_fault(fight, decided):
        return fault
    if dice is None or not _rules_there(fight, decided):
        return ""
    settlement = settlement_from_json(recorded)
    if not _muster_holds(fight):
        return f"What the units of the {fight.title} stood as is kept otherwise than its rules have it."
    if fight.source == "engine":
        fought, _ = engine_fight(fight.file, fight.contact, dice)
        if fought != settlement:
            return f"The {fight.title} fought again from its seed ends otherwise."
    elif fight.source == "table" and fight.sector and not _rest_holds(fight, settlement, dice):
        return (
            f"What the engine fought of the {fight.title} beside the table ends otherwise when fought again."
        )
    return ""


def _find_undecided_fault(fight: StoredFight, decided: Decided) -> str:
    """Describe an adjustment, ruleset or sector without a correction in the journal; "" for none."""
    for one in fight.adjusted:
        if "back" in one:
            continue
        if (fight.contact, one["number"], compute_digest(one["changes"])) not in decided.adjusted:
            return f"The {fight.title} was adjusted otherwise than the journal says."
    if fight.ruleset and (fight.contact, fight.ruleset) not in decided.rulesets:
        return f"The {fight.title} was fought under other rules than the journal says."
    if fight.sector and (fight.contact, tuple(fight.sector)) not in decided.sectors:
        return f"The {fight.title} was split otherwise than the journal says."
    return ""


def _rules_there(fight: StoredFight, decided: Decided) -> bool:
    """True when the rules chosen for a battle are installed in the same version."""
    if not fight.ruleset:
        return True
    try:
        return get_ruleset(fight.ruleset).version == decided.rulesets[fight.contact, fight.ruleset]
    except BattleFileError:
        return False


def _muster_holds(fight: StoredFight) -> bool:
    """True when a settlement's stored strength conversion, if any, is what its rules give."""
    try:
        kept = read_settlement_muster(fight.settlement or {})
    except (TypeError, KeyError):
        return False
    # of a fight that was split earlier versions kept that of its sector by itself, or of the whole
    earlier = (file_of_sector(fight.file, fight.sector), fight.file)
    return (
        not kept
        or kept == muster_units(fight.file, fight.sector)
        or any(kept == muster_units(file) for file in earlier)
    )


def _rest_holds(fight: StoredFight, settlement: Settlement, dice: AddressedDice) -> bool:
    """True when the units beside the table lost exactly what the engine gives for their part."""
    file = file_of_rest(fight.file, fight.sector)
    beside = {loss.unit: loss for loss in settlement.losses if loss.unit not in fight.sector}
    if file is None:
        return not any(loss.sp_lost or loss.sp_captured for loss in beside.values())
    fought, _ = engine_fight(file, fight.contact, dice, REST_DICE)
    here = {loss.unit: loss for loss in fought.losses}
    return all(here.get(key, loss) == loss for key, loss in beside.items()) and set(here) <= set(beside)


def same_settlement(stored: Mapping[str, Any], recorded: Mapping[str, Any]) -> bool:
    """True when two settlements are equal; one stored by an older version may lack empty fields."""
    return stored == recorded or settlement_from_json(stored) == settlement_from_json(recorded)
