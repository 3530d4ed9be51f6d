"""Scenarios as folders of CSV and TOML: read whole and checked whole, or refused with every fault."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from campaign.rules.army.leaders import appoint_generals
from campaign.rules.day.weather import WEATHERS
from campaign.rules.map.atlas import Atlas, route_id
from campaign.rules.returns.places_of_arrival import EUROPEAN_PORTS
from campaign.rules.returns.scenario_strength import schedule_of
from campaign.rules.victory.victory import goals_of, with_goals
from campaign.rules.world.markers import Boats, Bridge, Goal
from campaign.rules.world.scenario_variation import AlternativeChange
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Objective, Theatre, Unit, WeatherPeriod, World
from campaign.scenarios.coordinates import misplaced_places
from campaign.scenarios.digest import theatre_digest
from campaign.scenarios.forces import ScenarioFrame, ScenarioLeader, generals_of, read_forces, read_leaders
from campaign.scenarios.ground import read_atlas
from campaign.scenarios.head import HEAD, DemoSeat, read_head
from campaign.scenarios.problems import ScenarioError, ScenarioProblem, ScenarioRow, ScenarioTables
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import PoolNation

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
    """Read the alternatives to history, unit by unit, from alternatives.csv (HR-ARR-03)."""
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


__all__ = [
    "DemoSeat",
    "Scenario",
    "ScenarioError",
    "ScenarioLeader",
    "ScenarioProblem",
    "read_scenario",
    "scenario_digest",
    "scenario_list",
    "scenario_path",
]  # fmt: skip

SCENARIOS = Path(__file__).parent
#: The name of a folder in which the scenario of an archive is kept (`theatres.scenario_kept`).
KEPT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A sound scenario: what no day alters, the world of the first morning, and its people."""

    theatre: Theatre
    world: World
    leaders: tuple[ScenarioLeader, ...]
    demo_seats: tuple[DemoSeat, ...]
    alternatives: tuple[AlternativeChange, ...] = ()


def own_scenarios() -> Path:
    """The folder of scenarios made here, which no new version overwrites."""
    return Path(settings.VAR_DIR) / "scenarios"


def scenario_list() -> tuple[str, ...]:
    """Slugs of the scenarios shipped and of those made here, in alphabetical order.

    Those that came with archives lie beside them by their digest and are for their campaigns alone.
    """
    heads = [head for folder in (SCENARIOS, own_scenarios()) for head in folder.glob(f"[!_]*/{HEAD}")]
    names = {head.parent.name for head in heads}
    return tuple(sorted(name.replace("_", "-") for name in names if not KEPT.fullmatch(name)))


def scenario_path(slug: str) -> Path:
    """Folder of a scenario. Raises ScenarioError for a slug that is not on the list."""
    listed = scenario_list()
    folder = slug.replace("-", "_")
    if slug not in listed:
        sound = re.fullmatch(r"[a-z0-9][a-z0-9-]*", slug)
        if sound and any((each / folder).is_dir() for each in (SCENARIOS, own_scenarios())):
            reason = f"the folder {folder} has no {HEAD}; every scenario needs it."
        elif listed:
            reason = f"there is no scenario of this name; choose one of {', '.join(listed)}."
        else:
            reason = "there is no scenario of this name, nor any other; put its folder back."
        raise ScenarioError([ScenarioProblem(slug, 0, reason)])
    shipped = SCENARIOS / folder
    return shipped if (shipped / HEAD).is_file() else own_scenarios() / folder


def scenario_digest(folder: Path) -> str:
    """Digest of what a replay depends on in the scenario in `folder` (see `theatre_digest`).

    Raises ScenarioError when the scenario is not sound.
    """
    return theatre_digest(read_scenario(folder).theatre)


def places_verify(folder: Path, theatre: Theatre) -> None:
    """Raise ScenarioError for places beside the base map, and for ids that capitals alone tell apart.

    Of new scenarios, not of those played.
    """
    tables = ScenarioTables(folder)
    for name in ("places", "formations", "units"):
        tables.unique(tables.optional(name, ("id",)))
    tables.problems += tables.alike
    faults = misplaced_places(theatre.atlas, theatre.base_map)
    for row in tables.rows("places", ("id",)) if faults else ():
        if fault := faults.get(row.text("id")):
            row.fault(fault)
    tables.refuse()


def read_scenario(folder: Path, settings: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario in `folder`, its settings overlaid with `settings`.

    Raises ScenarioError with every fault found, each with file and row, and RuleViolation for a setting
    that is none. Files that have not changed by a byte are read once.
    """
    return _read_files(folder, _files_digest(folder), json.dumps(dict(settings or {})))


def _files_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the files of a scenario."""
    total = hashlib.sha256()
    for file in sorted(path for path in (*folder.glob("*.csv"), folder / HEAD) if path.is_file()):
        content = file.read_bytes()
        total.update(f"{file.name}\0{len(content)}\0".encode(errors="surrogateescape") + content)
    return total.hexdigest()


@lru_cache(maxsize=8)
def _read_files(folder: Path, digest: str, settings: str) -> Scenario:
    """The scenario of files with this digest, its settings overlaid with `settings` (JSON)."""
    tables = ScenarioTables(folder)
    head = read_head(tables)
    chosen = RuleSettings.from_json({**head.settings.to_json(), **json.loads(settings)})
    atlas, control = read_atlas(tables, frozenset(head.holders), head.base_map)
    sides = frozenset(side.id for side in head.sides)
    frame = ScenarioFrame(head.start, head.end, sides, frozenset(atlas.places))
    holders = {place: side for place, word in control.items() if (side := head.holders.get(word))}
    leaders = read_leaders(tables, frame)
    formations, units = read_forces(tables, frame, leaders)
    weather, recorded = _read_weather(tables, frame)
    theatre = Theatre(
        id=head.id,
        title=head.title,
        start=head.start,
        end=head.end,
        atlas=atlas,
        sides=head.sides,
        musters=_places_by(tables, "musters", "nation", frozenset({*PoolNation, EUROPEAN_PORTS}), frame),
        supply=_places_by(tables, "supply", "side", sides, frame),
        objectives=_read_objectives(tables, frame),
        weather=weather,
        recorded_weather=recorded,
        holders=holders,
        base_map=head.base_map,
        schedule=schedule_of(units.values(), sorted(sides), (head.end - head.start).days + 1),
        order_of_battle=units,
    )
    goals = goals_of(theatre.objectives, read_goals(tables, frame))
    alternatives = read_alternatives(tables, frame, units)
    bridges = _read_broken_crossings(tables, atlas, sides)
    boats = _read_boats(tables, frame, atlas)
    _check_history(tables, frame)
    tables.refuse()
    if chosen.boats == "unlimited":
        boats = {}  # nobody counts them (HR-BOA-01)
    world = World(theatre, chosen, 0, units, formations, dict(holders), {}, bridges=bridges, boats=boats)
    world = with_goals(appoint_generals(world, generals_of(leaders)), goals)
    return Scenario(theatre, world, leaders, head.seats, alternatives)


def _places_by(
    tables: ScenarioTables, name: str, column: str, keys: frozenset[str], frame: ScenarioFrame
) -> dict[str, tuple[str, ...]]:
    """A table of places by nation or side, in the order of the file."""
    found: dict[str, dict[str, None]] = {}
    for row in tables.rows(name, (column, "place")):
        key = row.one_of(column, keys)
        place = row.require_reference("place", frame.places, "place")
        if place in found.setdefault(key, {}):
            row.fault(f"{place} is listed twice for {key}.")
        found[key][place] = None
    return {key: tuple(places) for key, places in found.items()}


def _read_objectives(tables: ScenarioTables, frame: ScenarioFrame) -> tuple[Objective, ...]:
    found: dict[tuple[str, str], Objective] = {}
    for row in tables.rows("objectives", ("place", "side", "points", "weight", "from_day")):
        place = row.require_reference("place", frame.places, "place")
        side = row.require_reference("side", frame.sides, "side")
        if (place, side) in found:
            row.fault(f"{place} is listed twice for {side}.")
        days = (frame.end - frame.start).days
        points, weight = row.whole("points"), row.whole("weight")
        found[place, side] = Objective(place, side, points, weight, row.whole("from_day", 0, days))
    return tuple(found.values())


def _read_weather(
    tables: ScenarioTables, frame: ScenarioFrame
) -> tuple[tuple[WeatherPeriod, ...], dict[date, str]]:
    periods: list[WeatherPeriod] = []
    recorded: dict[date, str] = {}
    for row in tables.unique(
        tables.rows("weather", ("row_type", "id", "start_date", "end_date", *WEATHERS))
    ).values():
        kind = row.one_of("row_type", frozenset({"probability", "recorded_day"}))
        start, end = row.day("start_date"), row.day("end_date")
        if start is None or end is None or end < start:
            row.fault("start_date and end_date must be given, in that order.")
        elif kind == "probability":
            periods.append(_parse_weather_period(row, start, end))
        else:
            if start in recorded:
                row.fault(f"the weather of {start} is recorded twice.")
            if not frame.start <= start <= frame.end:
                row.fault(f"start_date is {start}; the campaign runs from {frame.start} to {frame.end}.")
            row.require_reference("place", frame.places, "place")
            recorded[start] = row.one_of("weather", frozenset(WEATHERS))
    _check_calendar(tables, frame, periods)
    return tuple(periods), recorded


def _parse_weather_period(row: ScenarioRow, start: date, end: date) -> WeatherPeriod:
    chances = [round(row.decimal(weather) * 1000) for weather in WEATHERS]
    if sum(chances) != 1000 or min(chances) < 0:
        row.fault(f"the chances add up to {sum(chances) / 1000}; they must make 1.")
    return WeatherPeriod(start, end, *chances)


def _check_calendar(tables: ScenarioTables, frame: ScenarioFrame, periods: list[WeatherPeriod]) -> None:
    """Each day of the campaign falls in exactly one period."""
    changes = Counter[date]()
    for period in periods:
        changes[max(period.start, frame.start)] += 1
        if period.end < frame.end:
            changes[max(period.end + timedelta(days=1), frame.start)] -= 1
    count = 0
    for number in range((frame.end - frame.start).days + 1):
        day = frame.start + timedelta(days=number)
        count += changes[day]
        if count != 1:
            reason = f"{day} falls in {count} periods; each day of the campaign needs one."
            tables.problems.append(ScenarioProblem("weather.csv", 0, reason))
            return


def _read_broken_crossings(tables: ScenarioTables, atlas: Atlas, sides: frozenset[str]) -> dict[str, Bridge]:
    """Bridges that are down and ferries that are gone on the first morning (HR-BRG-01), by route."""
    found: dict[str, Bridge] = {}
    for row in tables.optional("broken", ("a", "b", "kind", "known_by")):
        key = route_id(row.text("a"), row.text("b"), row.text("kind"))
        route = atlas.routes.get(key)
        if route is None or route.crossing not in ("bridge", "ferry"):
            row.fault("there is no route of this kind with a bridge or ferry; name a and b as in routes.csv.")
        if key in found:
            row.fault("this crossing is listed twice.")
        known = row.text("known_by")
        if known:
            row.require_reference("known_by", sides, "side")
        found[key] = Bridge(day=0, known_by=known)
    return found


def _read_boats(tables: ScenarioTables, frame: ScenarioFrame, atlas: Atlas) -> dict[str, Boats]:
    """Boats on the first morning where they are counted (HR-BOA-01), by port."""
    found: dict[str, Boats] = {}
    for row in tables.optional("boats", ("place", "side", "men")):
        place = row.require_reference("place", frame.places, "place")
        if place in found:
            row.fault(f"{place} is listed twice.")
        if place in atlas.places and atlas.places[place].port == "none":
            row.fault(f"there is no port at {place}; boats lie at ports.")
        found[place] = Boats(row.require_reference("side", frame.sides, "side"), row.whole("men", 1))
    return found


def _check_history(tables: ScenarioTables, frame: ScenarioFrame) -> None:
    """Check the table of historical events, kept for comparison; a scenario may do without it."""
    for row in tables.optional("history", ("date", "end_date", "place", "event")):
        row.require_reference("place", frame.places, "place")
        frame.day_of(row, "date")
