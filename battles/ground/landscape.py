"""A battlefield made from a place or route of the map, the same for the same seed (HR-BAT-06).

The attacker comes in at the near edge and the defender stands at the far one; the road of the route
runs from the one to the other. Lengths are inches. Every piece of country is put in the near and the
far half of the table by turns, and what bars troops lies between the two lines, so that no side's
ground is worse. Every piece has numbers of its own (`GroundSketch.begin`), so that rain or works move
nothing but what they meet; the battle's own dice are elsewhere.
"""

import math

from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from battles.files.schema import AreaKind, BattleGround, Feature, Grade, LineKind, Point
from battles.ground.countries import BUILDINGS, COUNTRIES, SHORES, CountryKind, Crossing, Season
from battles.ground.map_symbols import LAYERS
from battles.ground.sketch import (
    PIECE,
    RIVER_HALF,
    ROAD_HALF,
    STREAM_HALF,
    ZONE,
    GroundSketch,
    corners_of,
    find_largest_polygon,
)

#: Inches from an edge to a side's first line.
FIRST_LINE = 15.0
#: Inches of front that a unit takes up in line, and of the table's breadth that stay free.
FRONTAGE, MARGIN = 4.25, 8.0
#: Inches from a defender's first line to the works before it: half a base and half an inch.
WORK_AHEAD = 1.4
#: Inches of front that works cover: never a mere gate, and no more than the small state record holds.
LEAST_FRONT, MOST_FRONT = 24.0, 120.0


def ground_generate(
    *,
    terrain: str,
    kind: str,
    crossing: Crossing = "none",
    fortification: str = "none",
    season: Season = "summer",
    wet: bool = False,
    shore: bool = False,
    seed: int,
    width: float = 96.0,
    depth: float = 60.0,
    front: float = 36.0,
) -> BattleGround:
    """The battlefield of a place or route of the map.

    `terrain`, `kind`, `crossing` and `fortification` are the map's words; `wet` is after days of
    rain: fords are drowned and low ground is marsh. `shore` puts water beside the field. `front` is
    the breadth in inches of the defender's first line, before which the works run.
    """
    country = COUNTRIES.get(terrain, COUNTRIES["farmland"])
    sketch = GroundSketch(seed, width, depth)
    front = min(max(front, LEAST_FRONT), width - 12.0, MOST_FRONT)
    sketch.begin("middle")
    middle = depth / 2.0 + sketch.between(-2.0, 1.0)
    if shore or kind in SHORES or crossing == "ferry":
        _add_shore(sketch)
    _choose_road_course(sketch, middle)
    _add_stream(sketch, country, crossing, middle, wet)
    _add_works(sketch, fortification, front)
    _add_buildings(sketch, country, kind, fortification)
    _add_hills(sketch, country)
    _woods_and_bogs(sketch, country)
    _add_fields(sketch, country, season)
    if wet:
        _add_patches(sketch, "rain", 0, 1, "marsh", 5.5, barring=True)
    return BattleGround(width, depth, tuple(_sort_for_drawing(sketch.features)))


def table_width(units: int) -> float:
    """Inches of breadth on which `units` of a side stand in three lines at most (HR-BAT-04)."""
    return max(96.0, MARGIN + FRONTAGE * -(-units // 3))


def _sort_for_drawing(features: list[Feature]) -> list[Feature]:
    """Features as they are drawn, the lowest first; of one kind in the order they were laid."""
    return sorted(features, key=lambda feature: LAYERS.index(feature.kind))


# --- water and ways ---


def _add_shore(sketch: GroundSketch) -> None:
    """Water along the left or the right edge, the same for both sides."""
    sketch.begin("shore")
    left = sketch.chance(50)
    line = [(sketch.between(5.0, 9.0), y) for y in _list_even_steps(0.0, sketch.depth, 6)]
    points = [(0.0, 0.0), *line, (0.0, sketch.depth)]
    if not left:
        points = [(sketch.width - x, y) for x, y in points]
    sketch.lay("water", points)
    sketch.water.append(Polygon(points).buffer(0.5))


def _list_even_steps(start: float, end: float, parts: int) -> list[float]:
    return [start + (end - start) * k / parts for k in range(parts + 1)]


def _choose_road_course(sketch: GroundSketch, middle: float) -> None:
    """The road, from the near edge to the far one, straight where it may meet water."""
    sketch.begin("road")
    centre = sketch.width / 2.0
    x = centre + sketch.between(-10.0, 10.0)
    near, far = x + sketch.between(-6.0, 6.0), x + sketch.between(-6.0, 6.0)
    sketch.road = LineString(
        [
            (near, 0.0),
            ((near + x) / 2.0 + sketch.between(-1.5, 1.5), middle / 2.0 - 2.0),
            (x, middle - 8.0),
            (x, middle + 8.0),
            ((far + x) / 2.0 + sketch.between(-1.5, 1.5), (sketch.depth + middle) / 2.0 + 2.0),
            (far, sketch.depth),
        ]
    )


def _add_stream(
    sketch: GroundSketch, country: CountryKind, crossing: Crossing, middle: float, wet: bool
) -> None:
    """A stream or river across the field where the road has a crossing, else perhaps a stream."""
    x = sketch.road.coords[2][0]
    sketch.begin("stream")
    runs = crossing in ("ford", "bridge") or (crossing == "none" and sketch.chance(country.stream))
    gap = 0.0
    if runs:
        river = crossing == "bridge" and sketch.chance(30)
        _water_course(sketch, "river" if river else "stream", x, middle, country)
        bridged = crossing == "bridge" or (crossing == "none" and sketch.chance(50))
        if bridged:
            stone = "stone" if sketch.chance(25) else "wood"
            sketch.lay("bridge", [(x, middle)], material=stone)
        elif not wet:
            sketch.lay("ford", [(x, middle)])
        else:
            gap = 2.5  # the ford is drowned: the road ends at the bank
        if river:
            _other_ways_over(sketch, x, middle, wet)
    _add_road(sketch, middle, gap)


def _water_course(
    sketch: GroundSketch, kind: LineKind, x: float, middle: float, country: CountryKind
) -> None:
    """From the left edge to the right; level beside the crossing at (x, middle)."""
    swing = 2.0 if kind == "river" else 3.5
    flat = 8.0 if kind == "river" else 5.0
    left = [(at, middle + sketch.between(-swing, swing)) for at in _list_even_steps(0.0, x - flat - 8.0, 2)]
    right = [
        (at, middle + sketch.between(-swing, swing))
        for at in _list_even_steps(x + flat + 8.0, sketch.width, 2)
    ]
    course = LineString([*left, (x - flat, middle), (x + flat, middle), *right])
    shore = unary_union([Polygon(one.points) for one in sketch.features if one.kind == "water"])
    course = course.difference(shore)  # it ends where it flows into the lake
    course = max(getattr(course, "geoms", [course]), key=lambda piece: piece.length)
    sketch.lay(kind, list(course.coords))
    sketch.water.append(course.buffer((RIVER_HALF if kind == "river" else STREAM_HALF) + 0.5))
    if country.gully and kind == "stream":
        banks = course.buffer(3.0, cap_style="square", join_style="mitre").simplify(0.3)
        sketch.lay("rough", corners_of(banks.intersection(sketch.table).difference(shore)))


def _other_ways_over(sketch: GroundSketch, x: float, middle: float, wet: bool) -> None:
    """A river has more ways over: fords left and right, or after rain one more bridge."""
    sketch.begin("other ways over")
    river = next(one for one in sketch.features if one.kind == "river")
    course = LineString(river.points)
    spots = [
        max(14.0, x - sketch.between(20.0, 26.0)),
        min(sketch.width - 14.0, x + sketch.between(20.0, 26.0)),
    ]
    if wet:
        spots = spots[:1] if sketch.chance(50) else spots[1:]
    for at in spots:
        here = course.intersection(LineString([(at, 0.0), (at, sketch.depth)]))
        sketch.lay("bridge" if wet else "ford", [(at, here.y)])
        sketch.solid.append(box(at - 3.0, here.y - 6.0, at + 3.0, here.y + 6.0))


def _add_road(sketch: GroundSketch, middle: float, gap: float) -> None:
    near = [(x, y) for x, y in sketch.road.coords if y < middle]
    far = [(x, y) for x, y in sketch.road.coords if y > middle]
    if gap:
        x = near[-1][0]
        sketch.lay("road", [*near, (x, middle - gap)])
        sketch.lay("road", [(x, middle + gap), *far])
    else:
        sketch.lay("road", [*near, *far])


# --- works and buildings ---


def _add_works(sketch: GroundSketch, fortification: str, front: float) -> None:
    """Works before the defender's first line, open where the road goes through (AWI-T-FOR-01).

    Field works are timber and earth; a stockade has returns; a fort is a redoubt on one side of the
    road and a stockade on the other; a fortress has redoubts on both.
    """
    if fortification == "none":
        return
    y = sketch.depth - FIRST_LINE - WORK_AHEAD
    gate = sketch.road.intersection(LineString([(0.0, y), (sketch.width, y)])).x
    left, right = sketch.width / 2.0 - front / 2.0, sketch.width / 2.0 + front / 2.0
    back = 2.0 if fortification == "fieldworks" else 4.0
    slant = 2.0 if fortification == "fieldworks" else 0.0
    wings: list[list[Point]] = []
    if gate - 2.0 - left >= PIECE:
        wings.append([(left - slant, y + back), (left, y), (gate - 2.0, y)])
    if right - gate - 2.0 >= PIECE:
        wings.append([(right + slant, y + back), (right, y), (gate + 2.0, y)])
    wings.sort(key=lambda wing: -abs(wing[1][0] - wing[2][0]))
    kinds: dict[str, tuple[LineKind, LineKind]] = {
        "fieldworks": ("fieldwork", "fieldwork"),
        "stockade": ("stockade", "stockade"),
        "fort": ("redoubt", "stockade"),
        "fortress": ("redoubt", "redoubt"),
    }
    for number, wing in enumerate(wings):
        sketch.lay(kinds[fortification][number], wing, open_gorge=True)
        sketch.solid.append(LineString(wing).buffer(1.5))


def _add_buildings(sketch: GroundSketch, country: CountryKind, kind: str, fortification: str) -> None:
    """Houses along the road between the lines, on both of its sides."""
    garrison = 2 if fortification in ("stockade", "fort", "fortress") else 0
    keep_off = unary_union([sketch.road.buffer(ROAD_HALF + 0.3), *sketch.water, *sketch.solid])
    for number in sketch.each("house", country.farms, max(BUILDINGS.get(kind, 0), garrison)):
        large = number == 0 and (kind in ("city", "town") or fortification == "fortress")
        stone = sketch.chance(40 if kind == "city" or fortification == "fortress" else 10)
        for _ in range(20):
            half_y = 2.0 if large else 1.0
            side = 1.0 if (number + sketch.chance(20)) % 2 else -1.0
            spread = 4.0 + 3.5 * (number // 2)
            y = sketch.between(ZONE + 3.0, sketch.depth - ZONE - 4.0)
            road_x = sketch.road.intersection(LineString([(0.0, y), (sketch.width, y)])).x
            x = road_x + side * sketch.between(4.5, 5.0 + spread)
            heading = 90 if sketch.chance(50) or large else 0
            # the long side faces the heading
            wide, deep = (2.0, half_y) if heading == 0 else (half_y, 2.0)
            plot = box(x - wide, y - deep, x + wide, y + deep)
            if plot.buffer(0.8).intersects(keep_off) or not _is_inside_table(sketch, plot):
                continue
            sketch.lay(
                "building",
                [(x, y)],
                heading=heading,
                size="large" if large else "small",
                material="stone" if stone else "wood",
            )
            keep_off = keep_off.union(plot.buffer(2.2))
            sketch.solid.append(plot.buffer(0.7))
            sketch.used.append(plot.buffer(0.7))
            break


def _is_inside_table(sketch: GroundSketch, shape: BaseGeometry) -> bool:
    return bool(box(3.0, 3.0, sketch.width - 3.0, sketch.depth - 3.0).covers(shape))


# --- heights ---


def _add_hills(sketch: GroundSketch, country: CountryKind) -> None:
    """Gentle hills with a level top, ridges with a steep brow, crags at the flanks between the lines."""
    low = [*sketch.high, *sketch.water]  # water runs between hills
    for number in sketch.each("ridge", country.ridges):
        size = sketch.between(9.0, 12.0)
        if spot := sketch.spot(size * 0.9, low, number, barring=False):
            _add_hill(sketch, spot, size, ("gentle", "steep", "level"))
            low.append(sketch.high[-1])
    for number in sketch.each("height", country.heights):
        size = sketch.between(8.0, 12.0)
        if spot := sketch.spot(size * 0.9, low, number, barring=False):
            _add_hill(sketch, spot, size, ("gentle", "level"))
            low.append(sketch.high[-1])
    for number in sketch.each("crag", country.crags):
        x = 5.0 if number % 2 else sketch.width - 5.0
        crag = sketch.blob((x, sketch.between(ZONE + 5.0, sketch.depth - ZONE - 5.0)), 5.0)
        if not any(crag.intersects(other) for other in (*sketch.water, *sketch.high, *sketch.solid)):
            sketch.lay("hill", corners_of(crag), height=3, grade="impassable")
            sketch.high.append(crag)
            sketch.used.append(crag)


def _add_hill(sketch: GroundSketch, spot: Point, size: float, grades: tuple[Grade, ...]) -> None:
    """Contours one within the other; the last named counts where they overlap (AWI-T-TER-04)."""
    slope = sketch.blob(spot, size)
    sketch.high.append(slope.buffer(0.5))
    for height, grade in enumerate(grades, start=1):
        sketch.lay("hill", corners_of(slope), height=min(height, 2), grade=grade)
        middle = slope.centroid
        inner = sketch.blob((middle.x, middle.y), size * (0.75 - 0.3 * height / len(grades)))
        slope = find_largest_polygon(inner.intersection(slope.buffer(-1.2)))
        if slope.is_empty or slope.area < 12.0:
            return


# --- woods, bogs, fields ---


def _woods_and_bogs(sketch: GroundSketch, country: CountryKind) -> None:
    size = country.size
    _add_patches(sketch, "swamp", country.swamps, 0, "swamp", 5.5, barring=True)
    _add_patches(sketch, "marsh", country.marshes, 0, "marsh", 5.5, barring=True)
    _add_patches(sketch, "dense wood", country.dense_woods, 0, "dense_woods", size * 0.9, barring=True)
    _add_patches(sketch, "open wood", country.open_woods, 0, "open_woods", size, barring=False)
    _add_patches(sketch, "rough", country.rough, 0, "rough", 4.5, barring=False)


def _add_patches(
    sketch: GroundSketch, name: str, pieces: int, more: int, kind: AreaKind, size: float, *, barring: bool
) -> None:
    """Round patches of a kind, each where there is room for it."""
    for number in sketch.each(name, pieces, more):
        radius = size * sketch.between(0.75, 1.15)
        if spot := sketch.spot(radius, sketch.used, number, barring=barring):
            blob = sketch.blob(spot, radius)
            sketch.lay(kind, corners_of(blob))
            sketch.used.append(blob)


def _add_fields(sketch: GroundSketch, country: CountryKind, season: Season) -> None:
    """Fields with a rail fence on two sides, standing crops by the season, and stone walls."""
    standing = {"spring": 0, "summer": 80, "autumn": 40, "winter": 0}[season]
    for number in sketch.each("field", country.fields):
        half = sketch.between(4.5, 6.5)
        spot = sketch.spot(half + 1.5, sketch.used, number, barring=False)
        if spot is None:
            continue
        x, y = spot
        tilt, deep = math.radians(sketch.between(-14.0, 14.0)), half * sketch.between(0.55, 0.8)
        corners = [
            (x + u * math.cos(tilt) - v * math.sin(tilt), y + u * math.sin(tilt) + v * math.cos(tilt))
            for u, v in ((-half, -deep), (half, -deep), (half, deep), (-half, deep))
        ]
        if sketch.chance(standing):
            sketch.lay("crops", corners_of(find_largest_polygon(Polygon(corners).intersection(sketch.table))))
        sketch.used.append(Polygon(corners))
        start = 0 if sketch.chance(50) else 2
        sketch.barrier("fence", [corners[(start + k) % 4] for k in range(3)])
    for number in sketch.each("wall", country.walls):
        if number == 0:
            beside = sketch.road.parallel_offset(2.4, "left" if sketch.chance(50) else "right")
            y = sketch.between(ZONE, sketch.depth / 2.0)
            stretch = beside.intersection(box(0.0, y, sketch.width, y + sketch.between(7.0, 12.0)))
            if stretch.geom_type == "LineString":
                sketch.barrier("wall", list(stretch.coords))
        elif spot := sketch.spot(4.0, sketch.solid, number, barring=False):
            long = sketch.between(4.0, 7.0)
            lean = sketch.between(-2.0, 2.0)
            ends = [(spot[0] - long, spot[1] - lean), (spot[0] + long, spot[1] + lean)]
            sketch.barrier("wall", ends)
