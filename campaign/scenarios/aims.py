"""Reading what a scenario is played for, and what might have been: two tables it may do without."""

from collections.abc import Mapping

from campaign.rules.world.markers import Goal
from campaign.rules.world.scenario_variation import AlternativeChange
from campaign.rules.world.world import Unit
from campaign.scenarios.forces import ScenarioFrame
from campaign.scenarios.problems import ScenarioRow, ScenarioTables
from rosters.domain.strength import MAXIMUM_POINTS

GOAL_KINDS = frozenset({"hold", "strength", "reduce", "seize", "destroy"})
#: What each kind of goal needs besides its side: columns that must be filled.
NEEDED: dict[str, tuple[str, ...]] = {
    "hold": ("place", "date", "points"),
    "strength": ("amount", "date", "points"),
    "reduce": ("amount", "date", "points"),
    "seize": ("place", "amount"),
    "destroy": ("amount",),
}


def read_goals(tables: ScenarioTables, frame: ScenarioFrame) -> dict[str, Goal]:
    """Goals besides the posts, by id, from goals.csv (HR-VIC-03, HR-VIC-06)."""
    if not (tables.folder / "goals.csv").is_file():
        return {}
    rows = tables.rows("goals", ("id", "side", "kind", "place", "amount", "date", "points"))
    return {key: _parse_goal(row, frame) for key, row in tables.unique(rows).items()}


def _parse_goal(row: ScenarioRow, frame: ScenarioFrame) -> Goal:
    kind = row.one_of("kind", GOAL_KINDS)
    side = row.require_reference("side", frame.sides, "side")
    needed = NEEDED.get(kind, ())
    for column in ("place", "amount", "date", "points"):
        if bool(row.text(column)) != (column in needed):
            row.fault(f"{column} must be {'filled in' if column in needed else 'empty'} for {kind}.")
            return Goal("hold", side)
    return Goal(
        kind,  # type: ignore[arg-type]  # one of GOAL_KINDS
        side,
        row.require_reference("place", frame.places, "place") if "place" in needed else "",
        row.whole("amount", 1) if "amount" in needed else 0,
        (frame.day_of(row, "date") or 0) if "date" in needed else 0,
        row.whole("points", 1) if "points" in needed else 0,
    )


def read_alternatives(
    tables: ScenarioTables, frame: ScenarioFrame, units: Mapping[str, Unit]
) -> tuple[AlternativeChange, ...]:
    """What might have come otherwise, unit by unit, from alternatives.csv (HR-ARR-03)."""
    if not (tables.folder / "alternatives.csv").is_file():
        return ()
    columns = ("alternative", "chance", "unit", "points", "arrival_date", "start_place")
    found: list[AlternativeChange] = []
    known = frozenset(units)
    chances: dict[str, int] = {}
    for row in tables.rows("alternatives", columns):
        name, chance = row.require_text("alternative"), row.whole("chance", 1, 5)
        if chances.setdefault(name, chance) != chance:
            row.fault(f"chance is {chance}, and {chances[name]} in an earlier row of {name}.")
        unit = units.get(row.text("unit"))
        if unit is not None and not unit.arrives and (row.text("arrival_date") or row.text("start_place")):
            row.fault(f"{unit.id} is there on the first morning; only its points may change.")
        found.append(
            AlternativeChange(
                alternative=name,
                chance=chance,
                unit=row.require_reference("unit", known, "unit"),
                points=row.whole("points", 0, MAXIMUM_POINTS) if row.text("points") else None,
                arrives=frame.day_of(row, "arrival_date"),
                home=row.require_reference("start_place", frame.places, "place")
                if row.text("start_place")
                else "",
            )
        )
    return tuple(found)
