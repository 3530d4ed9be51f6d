"""Cut a theatre's base map out of the continent's, and the coarse country around it.

    python tools/surroundings.py eastern-america.geojson static/geo NAME WEST SOUTH EAST NORTH

writes NAME.geojson, as detailed as its source, and NAME-surroundings.geojson, thinned and with a hole in
which the other lies, so that the sheet does not end at the last town. Hand-drawn features of an older
NAME.geojson (those with `source`) are kept. `--around` writes the second alone.
"""

import json
import sys
from pathlib import Path

from shapely import box, coverage_simplify, make_valid
from shapely.geometry import mapping, shape

#: Degrees of country around a theatre (west, south, east, north), and where the continent's map ends.
AROUND = (4.2, 1.8, 4.5, 1.6)
CONTINENT = box(-86.0, 30.0, -63.0, 47.6)
#: The coarse map goes on for a strip under the detailed one, so that the two do not part at its edge.
STRIP = 0.01
TOLERANCE_DEGREES = 0.012
LEAST_AREA = 0.004


def main(source: Path, folder: Path, name: str, *corners: str, around_only: bool = False) -> None:
    west, south, east, north = (float(corner) for corner in corners)
    features = json.loads(source.read_text())["features"]
    if not around_only:
        written(
            folder / f"{name}.geojson",
            detailed(features, box(west, south, east, north), folder / f"{name}.geojson"),
        )
    sheet = box(west - AROUND[0], south - AROUND[1], east + AROUND[2], north + AROUND[3])
    sheet = sheet.intersection(CONTINENT)
    hole = box(west + STRIP, south + STRIP, east - STRIP, north - STRIP)
    written(folder / f"{name}-surroundings.geojson", (sheet, coarse(features, sheet, hole)))


def detailed(features, sheet, old: Path):
    """The sheet and what lies on it; a line drawn by hand takes the place of one of the same name."""
    by_hand = []
    if old.is_file():
        by_hand = [f for f in json.loads(old.read_text())["features"] if f["properties"].get("source")]
    names = {feature["properties"]["name"] for feature in by_hand}
    rows = []
    for feature in features:
        if feature["properties"]["name"] in names and feature["properties"]["layer"] == "river":
            continue
        geometry = make_valid(shape(feature["geometry"])).intersection(sheet)
        if not geometry.is_empty:
            rows.append(
                {"type": "Feature", "properties": feature["properties"], "geometry": rounded(geometry, 4)}
            )
    return sheet, [*rows, *by_hand]


def coarse(features, sheet, hole):
    """Thinned out; rivers are left out but for the great ones."""
    areas, layers, lines = [], [], []
    for feature in features:
        layer = feature["properties"]["layer"]
        clipped = make_valid(shape(feature["geometry"])).intersection(sheet)
        if clipped.is_empty:
            continue
        if layer == "river":
            if (feature["properties"].get("rank") or 9) <= 6:
                lines.append((layer, clipped.simplify(TOLERANCE_DEGREES)))
        elif clipped.area >= LEAST_AREA:
            areas.append(clipped)
            layers.append(layer)
    thin = coverage_simplify(areas, TOLERANCE_DEGREES, simplify_boundary=True)
    rows = [
        (layer, make_valid(geometry).difference(hole))
        for layer, geometry in [*zip(layers, thin, strict=True), *lines]
    ]
    return [
        {
            "type": "Feature",
            "properties": {"layer": layer, "name": None, "rank": 0},
            "geometry": rounded(geometry, 3),
        }
        for layer, geometry in rows
        if not geometry.is_empty
    ]


def written(target: Path, content) -> None:
    sheet, features = content
    corners = [round(corner, 4) for corner in sheet.bounds]
    collection = {"type": "FeatureCollection", "bbox": corners, "features": features}
    target.write_text(json.dumps(collection, separators=(",", ":")) + "\n")


def rounded(geometry, places: int):
    """GeoJSON of a geometry with coordinates to so many decimals (three are about 100 m)."""

    def walk(value):
        return round(value, places) if isinstance(value, float | int) else [walk(item) for item in value]

    plain = mapping(geometry)
    return {"type": plain["type"], "coordinates": walk(plain["coordinates"])}


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--around"]
    main(Path(arguments[0]), Path(arguments[1]), *arguments[2:], around_only="--around" in sys.argv)
