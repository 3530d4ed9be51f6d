"""An umpire's own order of battle as the armies of a scenario, and the scenario's own as a table to correct.

The table is that of `rosters.importing`. A unit the scenario knows by its id keeps its dates; another comes
with the formation it is put in. A formation the scenario does not know starts at its `place` in the table.
"""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from campaign.ops.csv_escape import plain_cell
from campaign.rules.returns.scenario_strength import schedule_of
from campaign.rules.world.world import Formation, Position, Unit, UnitStatus, World
from campaign.scenarios.forces import FORMATION_ID
from campaign.scenarios.head import HEAD
from campaign.scenarios.reading import SCENARIOS, Scenario, read_scenario
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from rosters.importing import OPTIONAL, REQUIRED, RosterErrors, RosterRow
from rosters.table_faults import RowError

COLUMNS = (*REQUIRED, *OPTIONAL)
#: Rows of a table that is laid on a scenario, as of a scenario's own.
MOST_ROWS = 3_000


def armies_table(world: World) -> str:
    """The units of a first morning as CSV, to be corrected and read again."""
    written = io.StringIO()
    written.write("\ufeff")  # or some programs take the letters for another alphabet's
    table = csv.writer(written)
    table.writerow(COLUMNS)
    for unit in world.units.values():
        cells = {
            "id": unit.id,
            "name": unit.name,
            "side": unit.side,
            "nation": unit.nation.value,
            "troop_type": unit.troop_type.value,
            "gun_class": "" if unit.gun_class == "none" else unit.gun_class.value,
            "points": str(unit.points),
            "formation": unit.formation,
            "regiment": unit.regiment,
            "poor_militia": "yes" if unit.poor_militia else "",
            "static": "yes" if unit.static else "",
            "place": _find_start_place(world, unit.formation),
        }
        table.writerow([plain_cell(cells[name]) for name in COLUMNS])
    return written.getvalue()


def _find_start_place(world: World, formation: str) -> str:
    position = world.formations[formation].position
    return position.place if position is not None else ""


def rows_to_json(rows: Sequence[RosterRow]) -> list[dict[str, Any]]:
    """The units of a table as plain data."""
    return [asdict(row) for row in rows]


def rows_from_json(data: Sequence[Mapping[str, Any]]) -> tuple[RosterRow, ...]:
    """The inverse of `rows_to_json`."""
    return tuple(
        RosterRow(
            **{
                **row,
                "nation": Nation(row["nation"]),
                "troop_type": TroopType(row["troop_type"]),
                "gun_class": GunClass(row["gun_class"]),
            }
        )
        for row in data
    )


def side_facts(world: World, side: str) -> dict[str, Any]:
    """A side on the first morning: points and units on the map, its formations, units still to come."""
    own = [unit for unit in world.units.values() if unit.side == side]
    here = [unit for unit in own if unit.status is UnitStatus.PRESENT]
    names = {(key, world.formations[key].name) for key in {unit.formation for unit in own}}
    return {
        "points": sum(unit.points for unit in here),
        "units": len(here),
        "formations": [list(one) for one in sorted(names, key=lambda one: one[1])],
        "later": sum(unit.status is UnitStatus.EXPECTED for unit in own),
    }


def armies_digest(rows: Sequence[RosterRow]) -> str:
    """SHA-256 of a table's units, as the record of the first morning keeps it."""
    text = json.dumps(rows_to_json(rows), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def replace_armies(scenario: Scenario, rows: Sequence[RosterRow]) -> Scenario:
    """The scenario with the units of a table for its own. Raises RosterErrors with every fault.

    Map, calendar, posts, goals and generals stay; the table is the order of battle both sides have read, from
    which staffs and forecasts reckon. Alternatives of units that are no longer there fall away.
    """
    errors = list(_iter_roster_errors(scenario, rows))
    if errors:
        if other := _other_scenario(scenario, rows):
            text = f"This looks like the armies of {other}; choose that scenario, or a table of this one."
            raise RosterErrors([RowError(1, "", text)])
        raise RosterErrors(sorted(errors))
    world = scenario.world
    formations = dict(world.formations)
    for row in rows:
        if row.formation not in formations:
            name = row.formation.replace("_", " ").replace("-", " ").capitalize()
            formations[row.formation] = Formation(row.formation, name, row.side, Position(place=row.place))
    units = {row.id: _build_scenario_unit(world, formations, row) for row in rows}
    on_map = {unit.formation for unit in units.values() if unit.status is UnitStatus.PRESENT}
    formations = {
        key: one if key in on_map else replace(one, position=None) for key, one in formations.items()
    }
    alternatives = tuple(change for change in scenario.alternatives if change.unit in units)
    theatre = scenario.theatre
    sides, days = sorted(side.id for side in theatre.sides), (theatre.end - theatre.start).days + 1
    theatre = replace(theatre, order_of_battle=units, schedule=schedule_of(units.values(), sides, days))
    world = replace(world, theatre=theatre, units=units, formations=formations)
    return replace(scenario, theatre=theatre, world=world, alternatives=alternatives)


def _other_scenario(scenario: Scenario, rows: Sequence[RosterRow]) -> str:
    """The title of the shipped scenario that has most of these units, "" if none or this one has."""
    ids = {row.id for row in rows}
    if 2 * len(ids & scenario.world.units.keys()) > len(ids):
        return ""
    for folder in sorted(head.parent for head in SCENARIOS.glob(f"[!_]*/{HEAD}")):
        other = read_scenario(folder)
        if 2 * len(ids & other.world.units.keys()) > len(ids):
            return other.theatre.title
    return ""


def _build_scenario_unit(world: World, formations: dict[str, Formation], row: RosterRow) -> Unit:
    """The unit of a row, with its own dates where the scenario has it in that formation, else those of it."""
    old = world.units.get(row.id)
    unit = old or Unit(row.id, "", row.side, row.nation, row.troop_type, 0, row.formation)
    unit = replace(
        unit,
        name=row.name,
        nation=row.nation,
        troop_type=row.troop_type,
        gun_class=row.gun_class,
        points=row.points,
        formation=row.formation,
        regiment=row.regiment or unit.regiment,
        poor_militia=row.poor_militia,
        static=row.static,
    )
    if old is not None and old.formation == row.formation:
        return unit
    position = formations[row.formation].position
    if position is not None:
        return replace(unit, status=UnitStatus.PRESENT, arrives=0, departs=None, home=position.place)
    first = min(
        (one for one in world.units.values() if one.formation == row.formation),
        key=lambda one: (one.arrives, one.id),
    )
    return replace(unit, status=first.status, arrives=first.arrives, departs=first.departs, home=first.home)


def _iter_roster_errors(scenario: Scenario, rows: Sequence[RosterRow]) -> Iterator[RowError]:
    world, places = scenario.world, scenario.theatre.atlas.places
    sides = {side.id: side.name for side in scenario.theatre.sides}
    if len(rows) > MOST_ROWS:
        yield RowError(1, "", f"The table has {len(rows)} units; give {MOST_ROWS} at most.")
    started: dict[str, RosterRow] = {}
    for row in rows:
        known, old = world.formations.get(row.formation), world.units.get(row.id)
        if row.side not in sides:
            yield RowError(row.row, "side", f"There is no side {row.side}; the sides are {', '.join(sides)}.")
        elif known is not None and known.side != row.side:
            yield RowError(row.row, "formation", f"{row.formation} is a formation of side {known.side}.")
        elif old is not None and old.side != row.side:
            yield RowError(row.row, "side", f"{row.id} is a unit of side {old.side}; give another id.")
        if row.place and row.place not in places:
            yield RowError(row.row, "place", f"There is no place {row.place} on the map; name another.")
        elif known is not None:
            if row.place not in ("", _find_start_place(world, row.formation)):
                yield RowError(
                    row.row,
                    "place",
                    f"{row.formation} starts as the scenario has it; leave its place as it was, or name "
                    "another formation.",
                )
        elif len(row.formation) > FORMATION_ID:
            yield RowError(
                row.row, "formation", f"The id has {len(row.formation)} letters; give {FORMATION_ID} at most."
            )
        else:
            first = started.setdefault(row.formation, row)
            if not first.place:
                yield RowError(
                    row.row,
                    "formation",
                    f"The scenario has no formation {row.formation}; name one of its own, or in the column "
                    "“place” where it starts.",
                )
            elif row.place not in ("", first.place):
                yield RowError(
                    row.row,
                    "place",
                    f"{row.formation} starts at {first.place} in row {first.row}; it has one place.",
                )
    there = Counter(row.side for row in rows)
    for side, name in sides.items():
        if not there[side]:
            yield RowError(1, "side", f"{name} has no unit; give each side one or more.")
