"""Results entered by people, from the table or by the umpire, converted into settlements.

Nothing is written here: `settlement.py` settles the battle by it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from battles.files.schema import Fate
from battles.strength_conversion import ConvertedStrength
from campaign.models import Battle
from campaign.rules.army.leaders import FATES, GeneralLoss
from campaign.rules.battles.battle_inputs import by_unit, file_now, muster_units
from campaign.rules.battles.table_results import UnitResult
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Pursuit, Settlement, Source
from campaign.rules.errors import RuleViolation


def table_settlement(
    *,
    battle: Battle,
    results: Mapping[str, UnitResult],
    field_held_by: str,
    generals: Mapping[str, str] | None = None,
    pursuit: str = "",
) -> Settlement:
    """Settlement from a table result. Units left out lost nothing, generals are unhurt.

    Of a split fight it is that of its sector; the rest is the engine's (HR-TAB-16). `pursuit` says whether
    the victor followed (HR-TAB-06). Raises RuleViolation when a figure cannot be.
    """
    units = {unit["id"]: unit for unit in battle.inputs["file"]["units"]}
    muster = muster_units(file_now(battle), battle.sector)
    stood = by_unit(muster.values())
    for key in results:
        if key not in units or (battle.sector and key not in battle.sector):
            raise RuleViolation("HR-CON-11", f"{key} was not in this battle; take it out.", key)
        if key in stood and key not in muster:
            raise RuleViolation(
                "HR-BAT-13",
                f"{units[key]['name']} stood as one with {units[stood[key].unit]['name']}; enter what they "
                "lost together there.",
                key,
            )
    found = (
        loss
        for key in units
        if key in muster or key not in stood
        for loss in _table_losses(units, key, results.get(key, UnitResult()), muster.get(key))
    )
    losses = tuple(sorted(found, key=lambda loss: loss.unit))
    settlement = _build_settlement(battle, losses, field_held_by, "table")
    return replace(
        settlement, generals=_build_general_losses(battle, generals or {}), pursuit=_parse_pursuit(pursuit)
    )


def word_settlement(battle: Battle, field_held_by: str, percent_lost: Mapping[str, int]) -> Settlement:
    """Settlement by the umpire's decision: each side loses a percentage of its SP over its units.

    The largest remainders lose first, so that the side's total is exact to half a point. Raises
    RuleViolation when a figure cannot be.
    """
    units = battle.inputs["file"]["units"]
    sides = {battle.attacker, battle.defender}
    for side, percent in percent_lost.items():
        if side not in sides:
            first, second = (_describe_side(battle, each) for each in (battle.attacker, battle.defender))
            raise RuleViolation(
                "HR-CON-11",
                f"{side} was not in this battle; {first} and {second} were.",
                f"percent_{side}",
            )
        if not 0 <= percent <= 100:
            raise RuleViolation(
                "HR-CON-11",
                f"{_side_name(battle, side)} cannot lose {percent} %; enter 0 to 100.",
                f"percent_{side}",
            )
    losses: list[UnitLoss] = []
    for side in sorted(sides):
        losses += _spread_losses([unit for unit in units if unit["side"] == side], percent_lost.get(side, 0))
    losses.sort(key=lambda loss: loss.unit)
    return _build_settlement(battle, tuple(losses), field_held_by, "umpire")


def _build_settlement(
    battle: Battle, losses: tuple[UnitLoss, ...], field_held_by: str, source: Source
) -> Settlement:
    if field_held_by not in ("", battle.attacker, battle.defender):
        raise RuleViolation(
            "HR-CON-11",
            f"{field_held_by} was not in this battle; the field is held by "
            f"{_describe_side(battle, battle.attacker)}, {_describe_side(battle, battle.defender)} or "
            "neither.",
            "field_held_by",
        )
    minutes = battle.inputs["file"]["turns"] * 10
    return Settlement(
        contact=battle.contact, field_held_by=field_held_by, losses=losses, source=source, minutes=minutes
    )


def _table_losses(
    units: Mapping[str, Mapping[str, Any]], key: str, result: UnitResult, stood: ConvertedStrength | None
) -> Iterator[UnitLoss]:
    """Iterate over the losses of a unit, or of each unit that fought as one with it. Raises RuleViolation."""
    name, sp = units[key]["name"], stood.points if stood else units[key]["sp"]
    lost, captured = result.lost, result.captured
    if lost < 0 or captured < 0:
        raise RuleViolation("HR-CON-11", f"{name} cannot lose fewer than 0 SP.", key)
    if result.destroyed:
        lost = max(0, sp - captured)  # what is not captured is gone, whatever was counted
    if lost + captured > sp:
        raise RuleViolation(
            "HR-CON-11",
            f"{name} came with {sp} SP and cannot lose {lost + captured}; enter {sp} at most.",
            key,
        )
    gone = 0 < sp == lost + captured
    fate: Fate = "present" if not gone else "surrendered" if captured else "eliminated"
    for unit, (killed, taken) in (
        stood.by_unit(lost, captured) if stood else {key: (lost, captured)}
    ).items():
        yield UnitLoss(unit=unit, sp_start=units[unit]["sp"], sp_lost=killed, sp_captured=taken, fate=fate)


def _spread_losses(units: list[Mapping[str, Any]], percent: int) -> list[UnitLoss]:
    total = (sum(unit["sp"] for unit in units) * percent + 50) // 100
    shares = {unit["id"]: unit["sp"] * percent // 100 for unit in units}
    by_remainder = sorted(units, key=lambda unit: (-(unit["sp"] * percent % 100), unit["id"]))
    for unit in by_remainder[: total - sum(shares.values())]:
        shares[unit["id"]] += 1
    there = {unit["id"]: unit for unit in units}
    return [loss for key in there for loss in _table_losses(there, key, UnitResult(shares[key]), None)]


def _build_general_losses(battle: Battle, fates: Mapping[str, str]) -> tuple[GeneralLoss, ...]:
    there = {leader["id"]: leader for leader in battle.inputs["file"].get("leaders", ())}
    found = []
    for key, told in sorted(fates.items()):
        fate = next((one for one in FATES if one == told), None)
        if key not in there or fate is None:
            raise RuleViolation(
                "HR-CON-11",
                f"{key} was not in this battle, or cannot be {told!r}; name a general who was there.",
                key,
            )
        found.append(GeneralLoss(key, there[key]["name"], there[key]["side"], fate))
    return tuple(found)


def _parse_pursuit(said: str) -> Pursuit:
    found: Pursuit | None = next((one for one in get_args(Pursuit) if one == said), None)
    if found is None:
        raise RuleViolation("HR-TAB-06", f"The victor cannot follow in the way {said!r}.", "pursuit")
    return found


def _side_name(battle: Battle, side: str) -> str:
    """The name of a side; its id when the campaign has no such side."""
    known = battle.campaign.order_of_battle.sides.filter(slug=side).first()
    return known.name if known else side


def _describe_side(battle: Battle, side: str) -> str:
    """Describe a side by its name and id."""
    return f"{_side_name(battle, side)} ({side})"
