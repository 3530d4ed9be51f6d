"""The situation on a printed map, as SVG that can be read without colours. Pure.

One side's troops are solid blocks, the other's hollow ones; what is not in sight has a broken edge. The
country is read from the base map's file; what lies on it is given, already cut by the fog of war.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from html import escape
from math import cos, hypot, radians
from re import sub
from typing import Any

from campaign.rules.map.atlas import WATER_KINDS, Atlas
from campaign.scenarios.head import GEO
from campaign.text.place_names import TINTS

#: Breadth of a letter by its height, about.
_BREADTH = 0.47
_HALO = "#fbf6ea"

_Box = tuple[float, float, float, float]


class Lettering:
    """Occupied areas of a sheet of this width and height."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.taken: list[_Box] = []

    def block(
        self, x: float, y: float, half_width: float, half_height: float, *, side: int
    ) -> tuple[float, float]:
        """The middle of a block at or beside a spot: `side` 1 tries above first, -1 below."""
        tall, broad = 2 * half_height + 3, 2 * half_width + 3
        steps = [(0.0, 0.0)]
        for ring in (1, 2, 3, 4):
            up = -side * ring * tall
            steps += [(0.0, up), (0.0, -up), (broad, up), (-broad, up), (broad * ring, 0.0)]
            steps += [(-broad * ring, 0.0)]
        for right, down in steps:
            middle = self._inside(x + right, y + down, half_width, half_height)
            box = _build_lettering_box(*middle, half_width, half_height)
            if self._free(box):
                self.taken.append(box)
                return middle
        middle = self._inside(x, y, half_width, half_height)
        self.taken.append(_build_lettering_box(*middle, half_width, half_height))
        return middle

    def near(
        self,
        x: float,
        y: float,
        away: float,
        words: str,
        size: float,
        *,
        italic: bool = False,
        below: float = 0.0,
    ) -> str:
        """Words beside, below or above a spot, the first place that is free; "" when none is."""
        half, tall = len(words) * size * _BREADTH / 2, size * 0.5
        down = max(below, away) + tall
        spots = (
            (x + away + half, y),
            (x - away - half, y),
            (x, y + down),
            (x, y - down),
            (x + half, y + down),
            (x - half, y - down),
        )
        for left, top in spots:
            box = _build_lettering_box(left, top, half, tall)
            if self._within(box) and self._free(box):
                self.taken.append(box)
                style = ' font-style="italic"' if italic else ""
                return (
                    f'<text x="{left:.1f}" y="{top + size * 0.32:.1f}" text-anchor="middle" '
                    f'font-size="{size:g}"{style} stroke="{_HALO}" stroke-width="2.6" '
                    f'stroke-linejoin="round" paint-order="stroke">{escape(words)}</text>'
                )
        return ""

    def _inside(self, x: float, y: float, half_width: float, half_height: float) -> tuple[float, float]:
        return (
            min(max(x, half_width + 3), self.width - half_width - 3),
            min(max(y, half_height + 3), self.height - half_height - 3),
        )

    def _within(self, box: _Box) -> bool:
        return box[0] >= 2 and box[1] >= 2 and box[2] <= self.width - 2 and box[3] <= self.height - 2

    def _free(self, box: _Box) -> bool:
        return not any(
            box[0] < other[2] and box[2] > other[0] and box[1] < other[3] and box[3] > other[1]
            for other in self.taken
        )


def _build_lettering_box(x: float, y: float, half_width: float, half_height: float) -> _Box:
    return x - half_width, y - half_height, x + half_width, y + half_height


Coordinates = tuple[float, float]
#: West, south, east, north in degrees.
Bounds = tuple[float, float, float, float]

INK, PAPER, WATER, BANK = "#2a211c", "#fbf6ea", "#d3dfe0", "#5f8187"
FACE = "EB Garamond, Libertinus Serif, Georgia, serif"
#: Breadth of the drawing, and how much higher or flatter it may be.
WIDTH, HIGHEST, FLATTEST = 760.0, 0.95, 0.6
#: Degrees of country around what is shown, at the least; and degrees north to south at the least.
MARGIN, LEAST = 0.15, 0.8
#: A bend of a shore or river nearer than this to the last is not drawn.
_NEAR = 1.6
_PLACES = {"city": 4.2, "town": 3.4, "fort": 3.4}
_WAYS = {"highway": "", "road": "", "track": "6 3", "trail": "2 3", "portage": "2 3"}


@dataclass(frozen=True, slots=True)
class MapBody:
    """Troops at one spot of one side: `name` of the strongest, `more` so many others with it.

    `ordinal` is the side's in the theatre's list; `strength` is what stands in the block.
    """

    at: Coordinates
    name: str
    strength: str
    ordinal: int
    tint: str
    more: int = 0
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class MapBattlefield:
    """The field of a battle fought in the week, or of one that waits."""

    at: Coordinates
    name: str


@dataclass(frozen=True, slots=True)
class MapSituation:
    """Contents of a printed map; `bounds` are west, south, east, north. `held` are the tints of known places.

    `near` are the bounds of a larger drawing of where the main things happen, None when one map does.
    """

    base_map: str
    bounds: Bounds
    near: Bounds | None = None
    bodies: tuple[MapBody, ...] = ()
    fields: tuple[MapBattlefield, ...] = ()
    held: Mapping[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MapSituation":
        return cls(
            base_map=data["base_map"],
            bounds=_parse_bounds(data["bounds"]),
            near=_parse_bounds(data["near"]) if data.get("near") else None,
            bodies=tuple(MapBody(**{**row, "at": tuple(row["at"])}) for row in data["bodies"]),
            fields=tuple(MapBattlefield(tuple(row["at"]), row["name"]) for row in data["fields"]),
            held=data.get("held") or {},
        )


def _parse_bounds(values: Sequence[float]) -> Bounds:
    west, south, east, north = (float(value) for value in values)
    return west, south, east, north


def bounds_around(spots: Iterable[Coordinates], highest: float = HIGHEST) -> Bounds:
    """West, south, east and north of a map that shows these spots with some country around.

    It is at most `highest` times as high as broad.
    """
    listed = list(spots)
    west, east = min(x for x, _ in listed) - MARGIN, max(x for x, _ in listed) + MARGIN
    south, north = min(y for _, y in listed) - MARGIN, max(y for _, y in listed) + MARGIN
    short = max(0.0, LEAST - (north - south)) / 2
    south, north = south - short, north + short
    squeeze = cos(radians((south + north) / 2))
    broad, tall = (east - west) * squeeze, north - south
    if tall > broad * highest:
        more = (tall / highest - broad) / squeeze / 2
        west, east = west - more, east + more
    elif tall < broad * FLATTEST:
        more = (broad * FLATTEST - tall) / 2
        south, north = south - more, north + more
    return round(west, 3), round(south, 3), round(east, 3), round(north, 3)


class _Sheet:
    """From degrees to units of the drawing."""

    def __init__(self, bounds: Bounds) -> None:
        self.west, self.south, self.east, self.north = bounds
        squeeze = cos(radians((self.south + self.north) / 2))
        self.per_degree = WIDTH / ((self.east - self.west) * squeeze)
        self.squeeze = squeeze
        self.height = (self.north - self.south) * self.per_degree

    def at(self, spot: Sequence[float]) -> Coordinates:
        x = (spot[0] - self.west) * self.squeeze * self.per_degree
        return round(x, 1), round((self.north - spot[1]) * self.per_degree, 1)

    def shows(self, spot: Sequence[float]) -> bool:
        return self.west <= spot[0] <= self.east and self.south <= spot[1] <= self.north

    def meets(self, box: Sequence[float]) -> bool:
        return box[0] <= self.east and box[2] >= self.west and box[1] <= self.north and box[3] >= self.south


def situation_svg(
    situation: MapSituation, atlas: Atlas, title: str, words: str, bounds: Bounds | None = None
) -> str:
    """The drawing, of `bounds` or of all. `title` and `words` are for those who cannot see it."""
    sheet = _Sheet(bounds or situation.bounds)
    lettering = Lettering(WIDTH, sheet.height)
    blocks = list(_render_bodies(situation, sheet, lettering))
    fields = list(_render_battlefields(situation, sheet, lettering))
    places = list(_render_places(situation, atlas, sheet, lettering))
    frame = f'width="{WIDTH:g}" height="{sheet.height:.1f}"'
    mark = "near" if bounds else "whole"
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="situation" role="img" '
            f'viewBox="-3 -3 {WIDTH + 6:g} {sheet.height + 34:g}" font-family="{FACE}" font-size="12" '
            f'fill="{INK}">',
            f"<title>{escape(title)}</title><desc>{escape(words)}</desc>",
            f'<clipPath id="map-edge-{mark}"><rect {frame}/></clipPath>',
            f'<g clip-path="url(#map-edge-{mark})">',
            f'<rect {frame} fill="{WATER}"/>',
            *_render_country(situation.base_map, sheet),
            *_render_routes(atlas, sheet),
            *places,
            *fields,
            *blocks,
            "</g>",
            f'<rect x="-1.5" y="-1.5" width="{WIDTH + 3:g}" height="{sheet.height + 3:.1f}" fill="none" '
            f'stroke="{INK}" stroke-width="1.2"/>',
            *_render_map_scale(sheet),
            "</svg>",
        )
    )


def sketch_svg(base_map: str, atlas: Atlas, tints: Mapping[str, str]) -> str:
    """The country alone, small, with a dot for each place in the `tints` of who holds it; no names."""
    spots = {place.id: (place.lon, place.lat) for place in atlas.places.values()}
    sheet = _Sheet(bounds_around(spots.values()))
    dots = (
        f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="{_format_ink(tints[key]) if tints.get(key) else PAPER}" '
        f'stroke="{INK}" stroke-width="1.5"/>'
        for key, (x, y) in ((key, sheet.at(spot)) for key, spot in spots.items())
    )
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {sheet.height:.1f}">',
            f'<rect width="{WIDTH:g}" height="{sheet.height:.1f}" fill="{WATER}"/>',
            # without their strokes the two base maps do not show where they meet
            *(
                sub(f' stroke="{BANK}" stroke-width=".[78]"', "", piece)
                for piece in _render_country(base_map, sheet)
            ),
            *_render_routes(atlas, sheet),
            *dots,
            "</svg>",
        )
    )


# --- the country ---


@lru_cache(maxsize=4)
def _load_base_map(name: str) -> tuple[tuple[str, tuple[float, ...], tuple[Any, ...]], ...]:
    """Layer, box and rings of each piece of the base map, those around it first."""
    found = []
    for file in (f"{name}-surroundings", name):
        path = GEO / f"{file}.geojson"
        if not path.exists():
            continue
        for feature in json.loads(path.read_text(encoding="utf-8"))["features"]:
            layer, geometry = feature["properties"]["layer"], feature["geometry"]
            for rings in _iter_rings(geometry["type"], geometry["coordinates"]):
                xs, ys = [p[0] for p in rings[0]], [p[1] for p in rings[0]]
                found.append((layer, (min(xs), min(ys), max(xs), max(ys)), tuple(rings)))
    order = ("land", "lake", "river")
    return tuple(sorted(found, key=lambda piece: order.index(piece[0]) if piece[0] in order else 3))


def _iter_rings(kind: str, coordinates: Any) -> Iterator[list[Any]]:
    if kind in ("Polygon", "MultiLineString"):
        yield from [coordinates] if kind == "Polygon" else ([line] for line in coordinates)
    elif kind == "MultiPolygon":
        yield from coordinates
    elif kind == "LineString":
        yield [coordinates]


def _render_country(name: str, sheet: _Sheet) -> Iterator[str]:
    for layer, box, rings in _load_base_map(name):
        if not sheet.meets(box):
            continue
        closed = layer != "river"
        path = "".join(_render_line_path(ring, sheet, closed=closed) for ring in rings)
        if layer == "land":
            yield f'<path d="{path}" fill="{PAPER}" fill-rule="evenodd" stroke="{BANK}" stroke-width=".8"/>'
        elif layer == "lake":
            yield f'<path d="{path}" fill="{WATER}" fill-rule="evenodd" stroke="{BANK}" stroke-width=".7"/>'
        else:
            yield f'<path d="{path}" fill="none" stroke="{BANK}" stroke-width="1.6" stroke-linejoin="round"/>'


def _render_line_path(ring: Sequence[Sequence[float]], sheet: _Sheet, *, closed: bool) -> str:
    """A line without the bends that are too small to be seen, and without what lies far off the sheet."""
    points: list[Coordinates] = []
    for spot in ring:
        x, y = sheet.at(spot)
        point = min(max(x, -40.0), WIDTH + 40.0), min(max(y, -40.0), sheet.height + 40.0)
        if not closed:
            point = x, y
        if not points or hypot(point[0] - points[-1][0], point[1] - points[-1][1]) >= _NEAR:
            points.append(point)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + ("Z" if closed else "")


def _render_routes(atlas: Atlas, sheet: _Sheet) -> Iterator[str]:
    for route in atlas.routes.values():
        ends = [atlas.places[route.a], atlas.places[route.b]]
        if route.kind in WATER_KINDS or not any(sheet.shows((end.lon, end.lat)) for end in ends):
            continue
        (x1, y1), (x2, y2) = (sheet.at((end.lon, end.lat)) for end in ends)
        dashes = f' stroke-dasharray="{_WAYS[route.kind]}"' if _WAYS.get(route.kind) else ""
        width = 1.3 if route.kind == "highway" else 0.9
        yield (
            f'<path d="M{x1} {y1}L{x2} {y2}" stroke="{INK}" stroke-opacity=".55" '
            f'stroke-width="{width}"{dashes}/>'
        )


def _render_places(
    situation: MapSituation, atlas: Atlas, sheet: _Sheet, lettering: Lettering
) -> Iterator[str]:
    shown = [place for place in atlas.places.values() if sheet.shows((place.lon, place.lat))]
    shown.sort(key=lambda place: -_PLACES.get(place.kind, 0.0))
    for place in shown:
        x, y = sheet.at((place.lon, place.lat))
        half = _PLACES.get(place.kind, 2.2)
        if place.fortification in ("fort", "fortress", "stockade"):
            shape = f'<path d="M{x - half:g} {y + half:g}v{-2 * half:g}h{2 * half:g}v{2 * half:g}z"'
        else:
            shape = f'<circle cx="{x}" cy="{y}" r="{half:g}"'
        tint = (situation.held or {}).get(place.id, "")
        yield f'{shape} fill="{_format_ink(tint) if tint else PAPER}" stroke="{INK}" stroke-width="1"/>'
        size = 12.5 if place.kind in ("city", "fort") else 11.0
        yield lettering.near(x, y, half + 2, place.name, size)


# --- what lies on it ---


def _format_ink(tint: str) -> str:
    red, green, blue = TINTS.get(tint, (42, 33, 28))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _render_bodies(situation: MapSituation, sheet: _Sheet, lettering: Lettering) -> Iterator[str]:
    """A block for each body, pushed to where it covers no other, with its name where there is room."""
    for body in sorted(situation.bodies, key=lambda each: (each.ghost, each.ordinal, each.name)):
        if not sheet.shows(body.at):
            continue
        x, y = sheet.at(body.at)
        half = 3.4 * max(len(body.strength), 2) + 4
        left, top = lettering.block(x, y, half, 8.0, side=-1 if body.ordinal % 2 else 1)
        ink, solid = _format_ink(body.tint), body.ordinal % 2 == 0
        if hypot(left - x, top - y) > 4:
            yield f'<path d="M{x} {y}L{left:.1f} {top:.1f}" stroke="{ink}" stroke-width=".8"/>'
        edge = ' stroke-dasharray="3 2"' if body.ghost else ""
        fill = PAPER if not solid or body.ghost else ink
        yield (
            f'<rect x="{left - half:.1f}" y="{top - 8:.1f}" width="{2 * half:.1f}" height="16" fill="{fill}" '
            f'stroke="{ink}" stroke-width="{1.4 if solid else 2.4}"{edge}/>'
            f'<text x="{left:.1f}" y="{top + 4.2:.1f}" text-anchor="middle" font-size="12" font-weight="600" '
            f'fill="{PAPER if fill == ink else ink}">{escape(body.strength)}</text>'
        )
        name = f"{body.name} and {body.more} more" if body.more else body.name
        yield lettering.near(left, top, half + 3, name, 11.5, italic=True, below=11.0)


def _render_battlefields(situation: MapSituation, sheet: _Sheet, lettering: Lettering) -> Iterator[str]:
    """Crossed swords, once for all the battles of one spot."""
    for spot in dict.fromkeys(field.at for field in situation.fields if sheet.shows(field.at)):
        x, y = sheet.at(spot)
        left, top = lettering.block(x, y, 8.0, 8.0, side=1)
        swords = (
            f"M{left - 6:.1f} {top + 6:.1f}l12 -12M{left + 6:.1f} {top + 6:.1f}l-12 -12"
            f"M{left - 6:.1f} {top + 1:.1f}l5 5M{left + 6:.1f} {top + 1:.1f}l-5 5"
        )
        yield (
            f'<path d="{swords}" stroke="{PAPER}" stroke-width="5"/>'
            f'<path d="{swords}" stroke="{INK}" stroke-width="2"/>'
        )


def _render_map_scale(sheet: _Sheet) -> Iterator[str]:
    """A bar of miles by the foot, and how the signs are to be read."""
    per_mile = sheet.per_degree / 69.0
    miles = max(each for each in (2, 5, 10, 20, 50) if each == 2 or each * per_mile <= WIDTH / 4)
    long, y = miles * per_mile, sheet.height + 14
    yield (
        f'<path d="M0 {y - 3:.1f}v6M0 {y:.1f}h{long:.1f}m0 -3v6" fill="none" stroke="{INK}" '
        f'stroke-width="1.2"/><text x="{long + 6:.1f}" y="{y + 4:.1f}">{miles} miles</text>'
        f'<text x="{WIDTH:g}" y="{y + 4:.1f}" text-anchor="end" font-style="italic">Figures are strength '
        f"points; a broken edge is where somebody was last seen</text>"
    )
