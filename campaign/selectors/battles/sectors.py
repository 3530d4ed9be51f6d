"""A fight too big for the table: one sector is fought there, the rest by the engine (HR-TAB-14 to 16)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from battles.grammar import Subject
from battles.ground.names import join_names
from battles.strength_conversion import half_there
from battles.table_pieces import has_pooled_pieces, list_piece_groups, stand_count
from campaign.models import Battle
from campaign.rules.battles.battle_inputs import (
    StoredBattle,
    file_now,
    file_of_rest,
    pieces_on_table,
)
from campaign.rules.errors import RuleViolation

RULE = "HR-TAB-14"


def too_big(battle: Battle) -> bool:
    """True when a side has more units than fit the table under the battle's rules (HR-BAT-13)."""
    pieces, most = pieces_on_table(file_now(battle)), battle.campaign.table_units
    return any(stand_count(pieces, side) > most for side in (battle.attacker, battle.defender))


def sector_units(battle: StoredBattle) -> tuple[str, ...]:
    """Ids of the units fought with on the table, in the order of the file; all unless it is split."""
    units = (unit["id"] for unit in battle.inputs["file"]["units"])
    return tuple(key for key in units if not battle.sector or key in battle.sector)


def rest_file(battle: StoredBattle) -> dict[str, Any] | None:
    """The battle file of what the engine fights beside it; None when that is nothing."""
    return file_of_rest(file_now(battle), battle.sector)


def propose_sector(battle: Battle) -> tuple[str, ...]:
    """Propose units for the table: formation by formation, the first on the field first (HR-TAB-14).

    A formation that does not fit whole is cut, a brigade that stands as one is not; the late fight beside it.
    """
    contact = battle.inputs["contact"]
    came = {item["formation"]: item["minute"] for item in contact.get("participants", ())}
    chosen: list[str] = []
    for bodies in _by_side(file_now(battle)).values():
        formations: dict[str, list[_Together]] = {}
        for one in bodies:
            formations.setdefault(one.formation, []).append(one)
        order = sorted(
            formations,
            key=lambda key: (
                min(one.arrives for one in formations[key]),
                came.get(key, 0),
                -sum(one.sp for one in formations[key]),
                key,
            ),
        )
        room = battle.campaign.table_units
        for key in order:
            own = sorted(formations[key], key=lambda one: one.arrives)
            for one in (one for one in own if one.stands and room):
                chosen += one.units
                room -= 1
            if any(one.units[0] in chosen for one in own):  # what has no stand goes with its formation
                chosen += [unit for one in own if not one.stands for unit in one.units]
    return tuple(unit["id"] for unit in battle.inputs["file"]["units"] if unit["id"] in set(chosen))


@dataclass(frozen=True, slots=True)
class _Together:
    """Units that come to the table together or not at all; `stands` is 1 if they have a place there, or 0."""

    units: tuple[str, ...]
    stands: int
    formation: str
    arrives: int
    sp: int


def _by_side(file: Mapping[str, Any]) -> dict[str, list[_Together]]:
    """Group the bodies that fight together, by side in the file's order, as the battle's rules have it."""
    units = {unit["id"]: unit for unit in file["units"]}
    found: dict[str, list[_Together]] = {}
    for body in list_piece_groups(pieces_on_table(file)):
        own = [units[key] for key in body.units]
        found.setdefault(body.side, []).append(
            _Together(
                body.units,
                int(body.stands),
                own[0]["formation"],
                half_there((unit["arrives"], unit["sp"]) for unit in own),
                sum(unit["sp"] for unit in own),
            )
        )
    return found


def verify_sector(battle: Battle, units: Collection[str]) -> None:
    """Refuses a sector that cannot be, with the unit or side at fault. An empty one is the whole fight."""
    if not units:
        return
    known = {unit["id"] for unit in battle.inputs["file"]["units"]}
    for key in sorted(set(units) - known):
        raise RuleViolation(RULE, f"{key} is not in this battle; take it out.", "units")
    file, most = file_now(battle), battle.campaign.table_units
    bodies = _by_side(file)
    called = {unit["id"]: unit["name"] for unit in file["units"]}
    for one in (one for own in bodies.values() for one in own):
        if 0 < sum(key in units for key in one.units) < len(one.units):
            raise RuleViolation(
                RULE,
                f"{join_names(called[key] for key in one.units)} stand as one brigade under the rules "
                "of this "
                "battle; take all of them to the table, or none.",
                "units",
            )
    what = "brigades" if has_pooled_pieces(pieces_on_table(file)) else "units"
    sides = {
        side: file.get("side_names", {}).get(side) or side for side in (battle.attacker, battle.defender)
    }
    for side, name in sides.items():
        if not any(one.stands and set(one.units) <= set(units) for one in bodies.get(side, [])):
            raise RuleViolation(RULE, f"{Subject(name):needs} a unit on the table.", "units")
    standing = pieces_on_table(file, units)
    for side, name in sides.items():
        here = stand_count(standing, side)
        if here > most:
            raise RuleViolation(
                RULE,
                f"{name} would have {here} {what} on the table, and {most} fit it; take some out.",
                "units",
            )
    if set(units) == known:
        raise RuleViolation(RULE, "That is the whole fight; nothing is left for the engine.", "units")
