"""An order of battle as the armies of a battle file: one side's units, or both, from a table. No Django.

A unit the file knows by its id keeps its place, its turn of arrival and all else the table does not say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from battles.errors import BattleFileError
from battles.files.reading import battle_from_json
from battles.files.schema import BattleUnit
from battles.files.suggestions import format_name_list
from battles.ground.names import join_names
from rosters.domain.strength import strength_points
from rosters.domain.vocabulary import GunClass, TroopType
from rosters.importing import RosterErrors, RosterRow
from rosters.table_faults import RowError

#: SP of a wagon, which has no campaign points.
WAGON_SP = 1
#: What a table says of a unit, and what the battle file alone does.
OF_THE_TABLE = ("id", "name", "side", "troop_type", "sp", "formation", "gun_class", "poor_militia")
OF_THE_FILE = {field.name for field in fields(BattleUnit)} - {*OF_THE_TABLE}
#: How notes call a field of the file.
KEPT = {"x": "place", "y": "place", "inside": "building", "reserve": "place in the reserve"}


def apply_roster(document: Mapping[str, Any], rows: Sequence[RosterRow]) -> tuple[dict[str, Any], list[str]]:
    """A sound battle file's document with the units of a table, and sentences on what fell away by that.

    The sides the table names have its units alone, the others keep their own. Generals stay with the units
    they command; who has none left falls away. Raises RosterErrors with every row that does not fit.
    """
    before = {str(unit["id"]): unit for unit in document["units"]}
    errors = list(_list_row_errors(document, before, rows))
    if errors:
        raise RosterErrors(errors)
    sides = {row.side for row in rows}
    weak = [row for row in rows if not _find_sp(row)]
    units = [unit for unit in document["units"] if unit["side"] not in sides]
    units += [_build_unit_document(before.get(row.id, {}), row) for row in rows if _find_sp(row)]
    notes = [
        f"{row.name} has {row.points} point{'s' * (row.points > 1)}, which is no strength point; "
        "it is left out."
        for row in weak
    ]
    leaders, gone = _keep_leaders(document.get("leaders", ()), {str(unit["id"]) for unit in units})
    if gone:
        notes.append(f"No units are left under {join_names(gone)}; left out of the battle.")
    changed = {**document, "units": units}
    if "leaders" in document:
        changed["leaders"] = leaders
    retyped = {
        row.id: row for row in rows if row.id in before and before[row.id]["troop_type"] != row.troop_type
    }
    notes += _drop_unfit_fields(changed, retyped)
    return changed, notes


def _drop_unfit_fields(document: Mapping[str, Any], retyped: Mapping[str, RosterRow]) -> Iterator[str]:
    """Take from units of another troop type what the file's check refuses of them; a sentence on each."""
    # Of two units on the same ground the check names the later one: that is to be the one that changed.
    units = sorted(document["units"], key=lambda unit: unit["id"] in retyped)
    while retyped and (unfit := _list_unfit_fields({**document, "units": units}, retyped)):
        for unit, name in unfit:
            row = retyped[unit["id"]]
            for gone in ("x", "y") if name in ("x", "y") else (name,):
                unit.pop(gone, None)
            then = "it is put where there is room" if name in ("x", "y") else "left out"
            yield (
                f"{row.name} (row {row.row}) is {row.troop_type.value} now and cannot keep its "
                f"{KEPT.get(name, name)}; {then}."
            )


def _list_unfit_fields(
    document: Mapping[str, Any], retyped: Mapping[str, RosterRow]
) -> list[tuple[dict[str, Any], str]]:
    """Units of another troop type with a field each that the check refuses and no table says."""
    try:
        battle_from_json(document)
    except BattleFileError as error:
        found: dict[tuple[str, str], tuple[dict[str, Any], str]] = {}
        for fault in error.every:
            if place := re.match(r"units\[(\d+)\]\.(\w+)", fault.field):
                unit, name = document["units"][int(place[1])], place[2]
                if unit["id"] in retyped and name in OF_THE_FILE and name in unit:
                    found[unit["id"], "x" if name == "y" else name] = unit, name
        return list(found.values())
    return []


def _find_sp(row: RosterRow) -> int:
    return WAGON_SP if row.troop_type is TroopType.WAGON else strength_points(row.points)


def _build_unit_document(old: Mapping[str, Any], row: RosterRow) -> dict[str, Any]:
    """The unit of a row, on what the file says of it; what has its usual value is left out."""
    told = {
        "id": row.id,
        "name": row.name,
        "side": row.side,
        "troop_type": row.troop_type.value,
        "sp": _find_sp(row),
        "formation": row.formation,
        "gun_class": row.gun_class.value,
        "poor_militia": row.poor_militia,
    }
    usual = {"gun_class": GunClass.NONE.value, "poor_militia": False}
    kept = old if old.get("side") == row.side else {}
    return {name: value for name, value in {**kept, **told}.items() if usual.get(name) != value}


def _keep_leaders(
    leaders: Sequence[Mapping[str, Any]], units: set[str]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Generals with those of their commands who are still there, and the names of those with none left."""
    kept: list[dict[str, Any]] = []
    gone: list[str] = []
    there = units
    for ranked in ("brigadier", "senior", "commander_in_chief"):
        for leader in leaders:
            if leader.get("rank", "brigadier") != ranked:
                continue
            own = dict(leader)
            if commands := leader.get("commands"):
                own["commands"] = [one for one in commands if one in there]
            if leader.get("commands") and not own["commands"]:
                gone.append(str(leader.get("name", leader["id"])))
                continue
            if leader.get("with_unit") and leader["with_unit"] not in units:
                del own["with_unit"]
            kept.append(own)
        there = {str(one["id"]) for one in kept}
    order = [one["id"] for one in leaders]
    return sorted(kept, key=lambda one: order.index(one["id"])), gone


def _list_row_errors(
    document: Mapping[str, Any], before: Mapping[str, Mapping[str, Any]], rows: Sequence[RosterRow]
) -> list[RowError]:
    sides = [str(side["id"]) for side in document["sides"]]
    replaced = {row.side for row in rows}
    errors = []
    for row in rows:
        if row.side not in sides:
            errors.append(
                RowError(
                    row.row,
                    "side",
                    f"The battle has no side {row.side}; its sides are {format_name_list(sides)}.",
                )
            )
        elif row.id in before and before[row.id]["side"] != row.side:
            side = before[row.id]["side"]
            if side not in replaced:
                errors.append(RowError(row.row, "id", f"{row.id} is a unit of side {side}; give another id."))
    return errors
