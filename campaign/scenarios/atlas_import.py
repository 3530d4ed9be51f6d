"""A map corrected in another program, written into the tables of a scenario of one's own (HR-MAP-01)."""

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from campaign.rules.map.atlas import Atlas, Place, Route
from campaign.rules.map.atlas_files import (
    AtlasError,
    atlas_from_geojson,
    atlas_from_graphml,
    geojson_features,
)
from campaign.rules.world.world import YARDS_PER_MILE
from campaign.scenarios.coordinates import coordinate_fault
from campaign.scenarios.ground import PLACE_COLUMNS, ROUTE_COLUMNS, read_atlas
from campaign.scenarios.head import HEAD, Head, read_head
from campaign.scenarios.problems import NOTE, ScenarioError, ScenarioProblem, ScenarioTables
from rosters.table_files import TableRefused, text_decode

FLOW_COLUMNS = ("a", "b", "kind", "flow")
GRAPHML, GEOJSON = (".graphml",), (".geojson", ".json")
#: Most bytes of a file: 15 times the largest map that is shipped.
LARGEST = 10_000_000

Cells = dict[str, str]
#: The columns by which the rows of each table are known.
KEYS = {"places": ("id",), "routes": ("a", "b", "kind"), "flows": ("a", "b", "kind")}


def atlas_import(folder: Path, files: Sequence[Path]) -> Atlas:
    """Write the map in `files` to places.csv, routes.csv and flows.csv in `folder`, and give it.

    One GraphML file, or GeoJSON files whose features are taken together: map tools save points and lines
    apart. Columns of one's own, notes and who controls a place are kept by id. Raises ScenarioError with
    every fault and writes nothing then.
    """
    tables = ScenarioTables(folder)
    head = read_head(tables)
    tables.refuse()

    def place_fault(place: Place) -> str:
        return coordinate_fault(place.lat, place.lon, head.base_map)

    try:
        atlas = _atlas_of(files, place_fault)
    except AtlasError as error:
        raise ScenarioError(
            [ScenarioProblem(_join_file_names(files), 0, reason) for reason in error.problems]
        ) from error
    texts = _build_table_texts(folder, head, atlas)
    _verify_table_texts(folder, head, texts, _join_file_names(files))
    _write_tables(folder, texts)
    return atlas


def _join_file_names(files: Sequence[Path]) -> str:
    return ", ".join(file.name for file in files)


def _atlas_of(files: Sequence[Path], place_fault: Callable[[Place], str]) -> Atlas:
    endings = [file.suffix.lower() for file in files]
    if len(files) == 1 and endings[0] in GRAPHML:
        return atlas_from_graphml(_read_text(files[0]), place_fault)
    if not all(ending in GEOJSON for ending in endings):
        raise AtlasError(["Give one .graphml file, or .geojson files; the ending says which it is."])
    features: list[Any] = []
    for file in files:
        features += geojson_features(_read_text(file))
    return atlas_from_geojson(features, place_fault)


def _read_text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST:
            raise AtlasError(
                [f"The file {file} is larger than {LARGEST // 1_000_000} MB; export the map alone."]
            )
        return text_decode(file.read_bytes())[0]
    except OSError as error:
        raise AtlasError([f"The file {file} cannot be read ({error.strerror}); check its name."]) from error
    except TableRefused as refused:
        raise AtlasError([f"The file {file} cannot be read: {refused.sentence}"]) from refused


# --- the tables as they will be ---


def _build_table_texts(folder: Path, head: Head, atlas: Atlas) -> dict[str, str]:
    nobody = next((word for word, side in head.holders.items() if not side), "")
    places = [_place_cells(atlas.places[key]) for key in _sort_place_ids(folder, atlas)]
    routes = [_route_cells(route) for route in atlas.routes.values()]
    flows = [
        {"a": route.a, "b": route.b, "kind": route.kind, "flow": route.flow}
        for route in atlas.routes.values()
        if route.flow != "none"
    ]
    way = ("a", "b", "kind")
    return {
        "places.csv": _format_table(
            folder, "places", (*PLACE_COLUMNS, "note"), ("id",), places, {"control": nobody}
        ),
        "routes.csv": _format_table(folder, "routes", (*ROUTE_COLUMNS, "note"), way, routes),
        "flows.csv": _format_table(folder, "flows", FLOW_COLUMNS, way, flows),
    }


def _sort_place_ids(folder: Path, atlas: Atlas) -> list[str]:
    """Places in the order of the table as it is, new ones behind."""
    before = [cells.get("id", "") for cells in _rows_before(folder, "places")[2]]
    return list(dict.fromkeys([*(key for key in before if key in atlas.places), *atlas.places]))


def _place_cells(place: Place) -> Cells:
    cells = {name: str(getattr(place, name)) for name in (*PLACE_COLUMNS, "note") if name != "control"}
    return {**cells, "lat": _format_degrees(place.lat), "lon": _format_degrees(place.lon)}


def _format_degrees(value: float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".")


def _route_cells(route: Route) -> Cells:
    return {
        "a": route.a,
        "b": route.b,
        "kind": route.kind,
        "miles": _format_miles(route.yards),
        "terrain": route.terrain,
        "crossing": route.crossing,
        "wheeled": "yes" if route.wheeled else "no",
        "note": route.note,
    }


def _format_miles(yards: int) -> str:
    """The fewest decimals of a mile that give these yards again."""
    texts = (f"{yards / YARDS_PER_MILE:.{digits}f}" for digits in range(6))
    return next(text for text in texts if round(float(text) * YARDS_PER_MILE) == yards)


def _format_table(
    folder: Path,
    name: str,
    columns: tuple[str, ...],
    key: tuple[str, ...],
    rows: Iterable[Cells],
    new: Mapping[str, str] | None = None,
) -> str:
    """A table's text: its notes and its own columns as they were, its rows those of the map."""
    header, notes, before = _rows_before(folder, name)
    kept = {tuple(cells.get(column, "") for column in key): cells for cells in before}
    columns = tuple(dict.fromkeys([*header, *columns]))
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(notes)
    for cells in rows:
        old = kept.get(tuple(cells[column] for column in key))
        merged = {**((new or {}) if old is None else old), **cells}
        if old is not None:
            merged.update(_find_equal_fields(old, cells))
        writer.writerow([merged.get(column, "") for column in columns])
    return stream.getvalue()


def _find_equal_fields(old: Cells, cells: Cells) -> Cells:
    """Fields whose old text says the same as the map: `-76.290` degrees, or a `ford: at low water`."""
    same = {}
    for name, unit in (("lat", 1e9), ("lon", 1e9), ("miles", YARDS_PER_MILE)):
        if name in cells and _round_to_units(old.get(name, ""), unit) == _round_to_units(cells[name], unit):
            same[name] = old[name]
    if "crossing" in cells and (old.get("crossing", "").split(":")[0].split(" ")[0]) == cells["crossing"]:
        same["crossing"] = old["crossing"]
    return same


def _round_to_units(text: str, unit: float) -> int | None:
    try:
        return round(float(text.replace(",", ".")) * unit)
    except (ValueError, OverflowError):
        return None


def _rows_before(folder: Path, name: str) -> tuple[list[str], list[list[str]], list[Cells]]:
    """Header, notes and rows of a table as it is; nothing of one that is missing or cannot be read."""
    tables = ScenarioTables(folder)
    found = tables.optional(name, KEYS[name])
    tables.refuse()  # else who controls a place would be lost with a table nobody can read
    text = (tables.content(f"{name}.csv") or "") if found or (folder / f"{name}.csv").is_file() else ""
    lines = [line for line in csv.reader(io.StringIO(text)) if line]
    notes = [line for line in lines if line[0].lstrip().startswith(NOTE)]
    header = list(found[0].values) if found else [cell.strip() for cell in lines[0]] if lines else []
    return header, notes, [row.values for row in found]


# --- checked, then written ---


def _verify_table_texts(folder: Path, head: Head, texts: Mapping[str, str], file: str) -> None:
    """Read the tables as they will be; their faults are told of the place or route, not of a row."""
    with tempfile.TemporaryDirectory() as name:
        trial = Path(name)
        (trial / HEAD).write_bytes((folder / HEAD).read_bytes())
        for each, text in texts.items():
            (trial / each).write_text(text, encoding="utf-8")
        tables = ScenarioTables(trial)
        read_atlas(tables, frozenset(head.holders))
        rows = {
            f"{table}.csv": {row.number: row.values for row in ScenarioTables(trial).optional(table, ())}
            for table in ("places", "routes", "flows")
        }
    if tables.problems:
        raise ScenarioError(
            [
                ScenarioProblem(
                    file, 0, f"{_format_subject(rows[fault.file].get(fault.row, {}))}{fault.reason}"
                )
                for fault in tables.problems
            ]
        )


def _format_subject(cells: Cells) -> str:
    if "id" in cells:
        return f"place {cells['id']}: "
    return f"route {cells['a']} to {cells['b']} by {cells['kind']}: " if "a" in cells else ""


def _write_tables(folder: Path, texts: Mapping[str, str]) -> None:
    """Each table is written beside its own first, so that a full disk stops this before any is replaced."""
    beside = {folder / name: folder / f".{name}.new" for name in texts}
    try:
        for path, new in beside.items():
            new.write_text(texts[path.name], encoding="utf-8")
        for path, new in beside.items():
            new.replace(path)
    except OSError as error:
        reason = (
            f"the folder {folder} cannot be written to ({error.strerror}); make room or allow writing there."
        )
        raise ScenarioError([ScenarioProblem(folder.name, 0, reason)]) from error
    finally:
        for new in beside.values():
            new.unlink(missing_ok=True)
