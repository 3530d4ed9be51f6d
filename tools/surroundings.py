"""Cut the country around a theatre's detailed base map out of the continent's, and thin it out.

    python tools/surroundings.py eastern-america.geojson static/geo/surroundings.geojson

The detailed map lies in the hole of the result, whose coarse outline only has to keep the sheet from
ending at the last town.
"""

import json
import sys
from pathlib import Path

from shapely import box, coverage_simplify, make_valid
from shapely.geometry import mapping, shape

SHEET = box(-81.0, 38.6, -66.5, 47.6)
#: Where the detailed map lies, less a strip that keeps the two from parting at its edge.
DETAILED = box(-76.79, 40.41, -71.01, 45.99)
TOLERANCE_DEGREES = 0.012
LEAST_AREA = 0.004


def main(source: Path, target: Path) -> None:
    """Clip, thin and write; rivers are left out but for the great ones."""
    features = json.loads(source.read_text())["features"]
    areas, layers, lines = [], [], []
    for feature in features:
        layer = feature["properties"]["layer"]
        clipped = make_valid(shape(feature["geometry"])).intersection(SHEET)
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
        (layer, make_valid(geometry).difference(DETAILED))
        for layer, geometry in [*zip(layers, thin, strict=True), *lines]
    ]
    collection = {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"layer": layer, "name": None, "rank": 0},
                "geometry": rounded(geometry),
            }
            for layer, geometry in rows
            if not geometry.is_empty
        ],
    }
    target.write_text(json.dumps(collection, separators=(",", ":")) + "\n")


def rounded(geometry):
    """GeoJSON of a geometry with coordinates to three decimals (about 100 m)."""

    def walk(value):
        return round(value, 3) if isinstance(value, float | int) else [walk(item) for item in value]

    plain = mapping(geometry)
    return {"type": plain["type"], "coordinates": walk(plain["coordinates"])}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
