"""Reading a scenario's forces: leaders, formations, and units with their types mapped to ours."""

from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from campaign.rules.army.leaders import RANKS
from campaign.rules.world.markers import General
from campaign.rules.world.world import Formation, Position, Unit, UnitStatus
from campaign.scenarios.problems import ScenarioRow, ScenarioTables, format_field
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import TYPES, Arm, GunClass, Nation, TroopType, Weapon

LEADER_COLUMNS = ("id", "name", "side", "rank", "historical_rank", "command", "start_place", "rating")
FORMATION_COLUMNS = ("id", "name", "side", "parent", "commander", "start", "kind", "garrison", "static")
UNIT_COLUMNS = (
    "id", "name", "nation", "side", "troop_type", "campaign_points", "start_place",
    "arrival_date", "departure_date", "quality", "parent_unit",
)  # fmt: skip
TYPE_COLUMNS = ("source_nation", "source_type", "unit", "nation", "troop_type", "gun_class")
#: Most letters in a field, as the columns of rosters.models hold them. A formation's are less: the id
#: and name of a detachment are made of the formation's and a place's (HR-FOR-01).
LEADER_ID, LEADER_NAME, LEADER_RANK, LEADER_COMMAND, LEADER_RATING = 60, 120, 40, 200, 20
FORMATION_ID, FORMATION_NAME = 50, 120
UNIT_ID, UNIT_NAME, UNIT_REGIMENT = 120, 200, 200
KINDS = frozenset(
    {"brigade", "detachment", "artillery", "cavalry", "militia", "warriors", "garrison", "train"}
)

#: Lines of types.csv by the nation and type they speak of.
TypeLines = dict[tuple[str, str], list[ScenarioRow]]


@dataclass(frozen=True, slots=True)
class ScenarioLeader:
    """A commander. `arrives` and `departs` are campaign days; `dated` is the date of his rank, if known."""

    id: str
    name: str
    side: str
    rank: str
    historical_rank: str
    command: str
    start_place: str
    rating: str
    arrives: int = 0
    departs: int | None = None
    note: str = ""
    dated: date | None = None


@dataclass(frozen=True, slots=True)
class ScenarioFrame:
    """Calendar, sides and places of the scenario, for checking its forces."""

    start: date
    end: date
    sides: frozenset[str]
    places: frozenset[str]

    def day_of(self, row: ScenarioRow, column: str) -> int | None:
        """Campaign day of a date, 0 for the first; None when empty. Outside the calendar is a fault."""
        found = row.day(column)
        if found is None:
            return None
        if not self.start <= found <= self.end:
            row.fault(f"{column} is {found}; the campaign runs from {self.start} to {self.end}.")
        return (found - self.start).days


@dataclass(frozen=True, slots=True)
class FormationPlan:
    """A line of formations.csv: where the formation starts, and if its units are a fixed garrison."""

    row: ScenarioRow
    side: str
    start: str
    static: bool


def read_leaders(tables: ScenarioTables, frame: ScenarioFrame) -> tuple[ScenarioLeader, ...]:
    """Leaders in the order of the file; faults go to `tables.problems`."""
    leaders: list[ScenarioLeader] = []
    named: dict[tuple[str, str], ScenarioRow] = {}
    for key, row in tables.unique(tables.rows("leaders", LEADER_COLUMNS), most=LEADER_ID).items():
        leaders.append(
            ScenarioLeader(
                id=key,
                name=row.require_text("name", LEADER_NAME),
                side=row.require_reference("side", frame.sides, "side"),
                rank=_parse_rank(row),
                historical_rank=row.text("historical_rank"),
                command=row.text("command", LEADER_COMMAND),
                start_place=row.require_reference("start_place", frame.places, "place"),
                rating=row.text("rating", LEADER_RATING),
                arrives=frame.day_of(row, "arrival_date") or 0,
                departs=frame.day_of(row, "departure_date"),
                note=row.text("note"),
                dated=row.day("date_of_rank"),
            )
        )
        person = (leaders[-1].side, leaders[-1].name.casefold())
        if (first := named.setdefault(person, row)) is not row and all(person):
            row.fault(
                f"“{leaders[-1].name}” is already in row {first.number}; list each leader once, or tell "
                "two of one name apart."
            )
    return tuple(leaders)


def _parse_rank(row: ScenarioRow) -> str:
    rank = row.text("rank", LEADER_RANK)
    if rank not in RANKS and len(rank) <= LEADER_RANK:
        row.fault(f"rank is {format_field(rank)}; choose one of {', '.join(RANKS)}.")
    return rank


def generals_of(leaders: tuple[ScenarioLeader, ...]) -> dict[str, General]:
    """Leaders as generals of the first world: senior by date of rank, else by the order of the file."""
    undated = date.max
    ranked = sorted(range(len(leaders)), key=lambda row: (leaders[row].dated or undated, row))
    return {
        leaders[row].id: General(
            name=leaders[row].name,
            side=leaders[row].side,
            rank=leaders[row].rank,
            state="expected" if leaders[row].arrives else "well",
            until=leaders[row].arrives or None,
            home=leaders[row].start_place,
            seniority=number,
            departs=leaders[row].departs,
        )
        for number, row in enumerate(ranked)
    }


def read_forces(
    tables: ScenarioTables, frame: ScenarioFrame, leaders: tuple[ScenarioLeader, ...]
) -> tuple[dict[str, Formation], dict[str, Unit]]:
    """Formations and units of the first morning; faults go to `tables.problems`.

    Units due later are EXPECTED (HR-DAT-08). A formation without a unit on the map has no position.
    """
    rows = tables.unique(tables.rows("formations", FORMATION_COLUMNS), most=FORMATION_ID)
    names = {leader.id: leader for leader in leaders}
    plans = {key: _parse_formation_plan(row, frame, rows, names) for key, row in rows.items()}
    _check_commanders(rows)
    units = _read_units(tables, frame, plans)
    on_map = {unit.formation for unit in units.values() if unit.status is UnitStatus.PRESENT}
    filled = {unit.formation for unit in units.values()}
    formations = {}
    for key, plan in plans.items():
        if key not in filled:
            plan.row.fault(f"formation “{key}” has no unit; give it one in units_formations.csv or drop it.")
        leader = names.get(plan.row.text("commander"))
        formations[key] = Formation(
            id=key,
            name=plan.row.require_text("name", FORMATION_NAME),
            side=plan.side,
            position=Position(place=plan.start) if key in on_map else None,
            commander=leader.name if leader else "",
            parent=plan.row.text("parent"),
            garrison=plan.row.yes("garrison"),
        )
    return formations, units


def _parse_formation_plan(
    row: ScenarioRow, frame: ScenarioFrame, rows: dict[str, ScenarioRow], leaders: dict[str, ScenarioLeader]
) -> FormationPlan:
    side = row.require_reference("side", frame.sides, "side")
    row.one_of("kind", KINDS)
    parent, commander = row.text("parent"), row.text("commander")
    if parent and (parent not in rows or rows[parent].text("side") != side or parent == row.text("id")):
        row.fault(f"parent is “{parent}”: there is no other formation of that side with this id.")
    if commander and (commander not in leaders or leaders[commander].side != side):
        row.fault(f"commander is “{commander}”: there is no leader of that side with this id.")
    return FormationPlan(row, side, row.require_reference("start", frame.places, "place"), row.yes("static"))


def _check_commanders(rows: dict[str, ScenarioRow]) -> None:
    """Refuses a leader who commands two formations: nobody is in two places."""
    first: dict[str, str] = {}
    for key, row in rows.items():
        commander = row.text("commander")
        if commander and first.setdefault(commander, key) != key:
            row.fault(
                f"formation “{first[commander]}” is commanded by “{commander}” already. Name another leader "
                "here, or none."
            )


def _read_units(
    tables: ScenarioTables, frame: ScenarioFrame, plans: dict[str, FormationPlan]
) -> dict[str, Unit]:
    types = _read_types(tables)
    rows = tables.unique(tables.rows("units", UNIT_COLUMNS), most=UNIT_ID)
    assigned = tables.unique(tables.rows("units_formations", ("unit", "formation")), "unit")
    known = frozenset(plans)
    for key, row in assigned.items():
        row.require_reference("formation", known, "formation")
        if key not in rows:
            row.fault(f"unit is “{key}”: there is no such unit.")
    units = {}
    for key, row in rows.items():
        if key not in assigned:
            row.fault(f"unit “{key}” has no formation; name one in units_formations.csv.")
            continue
        formation = assigned[key].text("formation")
        unit = _parse_unit(key, row, frame, plans.get(formation), types)
        if unit is not None:
            units[key] = unit
    return units


def _parse_unit(
    key: str, row: ScenarioRow, frame: ScenarioFrame, plan: FormationPlan | None, types: TypeLines
) -> Unit | None:
    home = row.require_reference("start_place", frame.places, "place")
    side = row.require_reference("side", frame.sides, "side")
    faults = len(row.problems)
    points = row.whole("campaign_points", 0, MAXIMUM_POINTS)
    counted = len(row.problems) == faults
    arrival, departs = frame.day_of(row, "arrival_date"), frame.day_of(row, "departure_date")
    static = plan is not None and plan.static
    # A fixed garrison stands from the first day, whenever its source begins to count it (HR-DAT-03).
    arrives = 0 if static else arrival or 0
    if departs is not None and departs <= arrives:
        row.fault(f"departure_date {row.text('departure_date')} is not after the arrival.")
    kind = _type_of(key, row, types)
    if kind is None or plan is None:
        return None
    nation, troop_type, gun_class = kind
    if counted and (points == 0) != (troop_type is TroopType.WAGON):
        row.fault("wagons have 0 points and everything else has some (HR-DAT-04).")
    if side != plan.side:
        row.fault(f"the unit is of side {side}, its formation of side {plan.side}.")
    if arrives == 0 and home in frame.places and home != plan.start:
        row.fault(f"the unit starts at {home}, its formation at {plan.start}; a formation starts together.")
    return Unit(
        id=key,
        name=row.require_text("name", UNIT_NAME),
        side=side,
        nation=nation,
        troop_type=troop_type,
        points=points,
        formation=plan.row.text("id"),
        regiment=row.text("parent_unit", UNIT_REGIMENT),
        gun_class=gun_class,
        status=UnitStatus.EXPECTED if arrives else UnitStatus.PRESENT,
        arrives=arrives,
        departs=departs,
        home=home,
        poor_militia=troop_type is TroopType.MILITIA and row.text("quality") == "poor",
        static=static,
    )


def _read_types(tables: ScenarioTables) -> TypeLines:
    """The table of types, checked, by a unit's nation and type; the first line that fits a unit counts."""
    found: TypeLines = {}
    for row in tables.rows("types", TYPE_COLUMNS):
        found.setdefault((row.text("source_nation"), row.text("source_type")), []).append(row)
        row.text("unit", UNIT_ID)
        row.one_of("nation", frozenset(Nation))
        troop_type = row.one_of("troop_type", frozenset(TroopType))
        gun_class = row.one_of("gun_class", frozenset(GunClass))
        if troop_type in frozenset(TroopType):
            facts = TYPES[TroopType(troop_type)]
            is_gun = facts.arm is Arm.WHEELED and facts.weapon is Weapon.GUN
            if is_gun == (gun_class == GunClass.NONE):
                row.fault(
                    f"{troop_type} with gun class {gun_class}: batteries have a class, nothing else has."
                )
    return found


def _type_of(key: str, row: ScenarioRow, types: TypeLines) -> tuple[Nation, TroopType, GunClass] | None:
    nation, troop_type = row.text("nation"), row.text("troop_type")
    for line in types.get((nation, troop_type), ()):
        if fnmatchcase(key, line.text("unit") or "*"):
            try:
                return (
                    Nation(line.text("nation")),
                    TroopType(line.text("troop_type")),
                    GunClass(line.text("gun_class")),
                )
            except ValueError:
                return None  # told already as a fault of types.csv
    row.fault(f"{nation} {troop_type} is no type that types.csv knows; add a line there.")
    return None
