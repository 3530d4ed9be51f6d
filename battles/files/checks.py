"""Checks of a battle file before any ruleset is asked to fight it."""

from collections.abc import Callable, Iterator
from pkgutil import resolve_name
from typing import Any

from battles.errors import BattleFileError, refuse_all
from battles.files.leader_checks import leader_faults
from battles.files.limits import MAXIMUM_SP, MAXIMUM_TURNS, MAXIMUM_UNITS
from battles.files.schema import BattleFile, BattleUnit
from battles.files.suggestions import guess_name, suggest_names
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType

COVERS = ("none", "soft", "hard", "fortified")
PLANS = ("assault", "turn_flank", "hold", "delay", "withdraw", "advance")


def battle_verify(battle: BattleFile) -> None:
    """Raise BattleFileError, with field and reason of each fault, when the battle cannot be fought."""
    refuse_all(battle_faults(battle))


def battle_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """All for which a battle cannot be fought, with field and reason."""
    if battle.attacker == battle.defender or not battle.attacker or not battle.defender:
        yield BattleFileError("AWI-T-SEQ-01", "A battle needs two different sides; name both.", "attacker")
        return
    yield from _iter_choice_faults(battle.cover, COVERS, "cover", "AWI-T-FOR-03")
    for side, plan in battle.plans.items():
        if side not in (battle.attacker, battle.defender):
            known = suggest_names(side, (battle.attacker, battle.defender))
            message = f"There is no side “{side}” to plan for; {known}."
            yield BattleFileError("AWI-T-SEQ-01", message, f"plans.{side}")
        yield from _iter_choice_faults(plan.kind, PLANS, f"plans.{side}.kind", "AWI-T-SEQ-01")
    yield from _iter_range_faults(battle.turns, 1, MAXIMUM_TURNS, "turns", "AWI-T-SCA-02")
    yield from _iter_range_faults(battle.break_percent, 1, 100, "break_percent", "AWI-T-SEQ-01")
    if len(battle.units) > MAXIMUM_UNITS:
        yield BattleFileError(
            "AWI-T-STR-01",
            f"{len(battle.units)} units are too many for one table; the most is {MAXIMUM_UNITS}.",
            "units",
        )
    seen: set[str] = set()
    for i, unit in enumerate(battle.units):
        path = f"units[{i}]"
        if unit.id in seen:
            yield BattleFileError(
                "AWI-T-REC-01", f"The unit {unit.id} is there twice; keep one.", f"{path}.id"
            )
        seen.add(unit.id)
        yield from _unit_faults(battle, unit, path)
    yield from leader_faults(battle)
    yield from _load_check("files.placement_checks:posture_faults")(battle)
    if battle.ground is not None:
        yield from (grounds := list(_load_check("files.ground_checks:ground_faults")(battle.ground)))
        if grounds:  # of ground that is none nothing can be said to stand upon it
            return
    yield from _load_check("files.placement_checks:placement_faults")(battle)


def missing_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Sides without troops, of a battle that is to be fought; a wagon fights nobody."""
    for side in (battle.attacker, battle.defender):
        own = [unit for unit in battle.units if unit.side == side]
        if all(unit.troop_type is TroopType.WAGON for unit in own):
            what = "only wagons" if own else "no units"
            message = f"{battle.side_name(side)} has {what}. Add at least one unit that fights."
            yield BattleFileError("AWI-T-STR-01", message, "units")


def _load_check(name: str) -> Callable[[Any], Iterator[BattleFileError]]:
    """A check of shapes, loaded on first use: who only asks what rules there are waits for no geometry."""
    found: Callable[[Any], Iterator[BattleFileError]] = resolve_name(f"battles.{name}")
    return found


def _unit_faults(battle: BattleFile, unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    if unit.side not in (battle.attacker, battle.defender):
        yield BattleFileError(
            "AWI-T-SEQ-01",
            f"{unit.name} fights for “{unit.side}”; "
            f"{suggest_names(unit.side, (battle.attacker, battle.defender))}.",
            f"{path}.side",
        )
    least = 0 if unit.troop_type is TroopType.WAGON else 1
    if not least <= unit.sp <= MAXIMUM_SP:
        reason = "split it in two" if unit.sp > MAXIMUM_SP else "leave it out"
        yield BattleFileError(
            "AWI-T-STR-02",
            f"{unit.name} has {unit.sp} SP; a unit has {least} to {MAXIMUM_SP}: {reason}.",
            f"{path}.sp",
        )
    if unit.arrives < 0:
        yield BattleFileError(
            "AWI-T-SCA-02",
            f"{unit.name} cannot arrive in turn {unit.arrives}; take 0 for the start or a later turn.",
            f"{path}.arrives",
        )
    battery = TYPES[unit.troop_type].arm is Arm.WHEELED and unit.troop_type is not TroopType.WAGON
    if battery and unit.gun_class is GunClass.NONE:
        yield BattleFileError(
            "AWI-T-STR-04", f"{unit.name} is a battery; say of which class its guns are.", f"{path}.gun_class"
        )
    if not battery and unit.gun_class is not GunClass.NONE:
        yield BattleFileError(
            "AWI-T-STR-04", f"{unit.name} is no battery; leave out its class of guns.", f"{path}.gun_class"
        )
    if unit.poor_militia and unit.troop_type is not TroopType.MILITIA:
        yield BattleFileError(
            "AWI-T-MOR-02",
            f"{unit.name} cannot be poor militia: only militia can; leave it out.",
            f"{path}.poor_militia",
        )
    if unit.reserve and TYPES[unit.troop_type].arm is Arm.WHEELED:
        yield BattleFileError(
            "AWI-T-SEQ-01",
            f"{unit.name} cannot be a reserve: guns and wagons go where they are needed; leave it out.",
            f"{path}.reserve",
        )


def _iter_choice_faults(
    value: str, choices: tuple[str, ...], field: str, rule: str
) -> Iterator[BattleFileError]:
    if value not in choices:
        guess = guess_name(value, choices)
        asked = f"did you mean “{guess}”? Take" if guess else "take"
        yield BattleFileError(
            rule, f"“{value}” is no choice for {field}; {asked} {', '.join(choices)}.", field
        )


def _iter_range_faults(value: int, least: int, most: int, field: str, rule: str) -> Iterator[BattleFileError]:
    if not least <= value <= most:
        yield BattleFileError(rule, f"{field} is {value}; it must be {least} to {most}.", field)
