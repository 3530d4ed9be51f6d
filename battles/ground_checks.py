"""What the ground of a battle file must be, and where units may be drawn up on it (AWI-T-TER)."""

import math
from collections.abc import Iterator

from battles.errors import BattleFileError
from battles.features import (
    CAPACITY,
    EDGE_X,
    EDGE_Y,
    RIVER_WIDTH,
    STREAM_WIDTH,
    building,
    facing_of,
    footprint,
    stretches,
    table_size,
    way_over,
    wet,
)
from battles.ground_words import called
from battles.hints import offer
from battles.limits import (
    LARGEST_REDOUBT,
    LONGEST,
    MAXIMUM_FEATURES,
    MAXIMUM_HEIGHT,
    MAXIMUM_STRUCTURE_SP,
    SHORTEST,
    SMALLEST_REDOUBT,
)
from battles.scenario import AREAS, LINES, SITES, BattleFile, BattleUnit, Feature, Ground, Point
from battles.shapes import (
    Rectangle,
    across,
    clip,
    covers,
    crosses_itself,
    crossing_point,
    holds,
    meet,
    near,
    overlap,
)
from rosters.domain.vocabulary import TYPES, Arm, TroopType

CHOICES: dict[str, tuple[str, ...]] = {
    "grade": ("level", "gentle", "steep", "impassable"),
    "road_grade": ("level", "gentle", "steep", "impassable"),
    "material": ("wood", "stone"),
    "size": ("small", "large"),
}
#: Half the breadth of what a bridge or ford leads over, inches.
HALF_WIDTHS = {"stream": STREAM_WIDTH / 2.0, "river": RIVER_WIDTH / 2.0, "water": 0.0}
#: Inches by which the middle of a crossing may miss the spot where road and water meet.
MISSES = 2.0
#: Share of a unit's footprint that must be clear: a base's edge may touch the bank.
CLEAR = 0.8


def ground_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Ground or places that cannot be, with their JSON path."""
    shapes = list(_features_faults(battle.ground)) if battle.ground is not None else []
    yield from shapes
    for i, unit in enumerate(battle.units):
        yield from _posture_faults(unit, f"units[{i}]")
    yield from _garrisons_faults(battle)
    if shapes:  # of ground that is none nothing can be said to stand upon it
        return
    if battle.ground is not None:
        yield from _buildings_faults(battle.ground)
        yield from _ways_faults(battle.ground)
        yield from _roads_faults(battle.ground)
    yield from _spots_faults(battle)
    yield from _places_faults(battle)


def _refuse(rule: str, path: str, message: str) -> BattleFileError:
    return BattleFileError(f"AWI-T-{rule}", message, path)


def _features_faults(ground: Ground) -> Iterator[BattleFileError]:
    for name, inches in (("width", ground.width), ("depth", ground.depth)):
        if not SHORTEST <= inches <= LONGEST:
            message = f"The table's {name} is {inches} inches; it must be {SHORTEST} to {LONGEST}."
            yield _refuse("SCA-02", f"ground.{name}", message)
    if len(ground.features) > MAXIMUM_FEATURES:
        message = f"{len(ground.features)} features are too many; the most is {MAXIMUM_FEATURES}."
        yield _refuse("TER-01", "ground.features", message)
    seen: set[str] = set()
    for n, feature in enumerate(ground.features):
        path = f"ground.features[{n}]"
        shape = list(_shape_faults(feature, path))
        yield from shape
        yield from _values_faults(feature, path)
        if not shape:
            yield from _on_table(ground, feature, f"{path}.points")
        if feature.id and feature.id in seen:
            yield _refuse("REC-01", f"{path}.id", f"{called(feature)} is there twice; give each its own id.")
        seen.add(feature.id)


def _shape_faults(feature: Feature, path: str) -> Iterator[BattleFileError]:
    points, kind = feature.points, feature.kind
    if kind not in (*AREAS, *LINES, *SITES):
        known = offer(kind, (*AREAS, *LINES, *SITES))
        yield _refuse("TER-01", f"{path}.kind", f"There is no ground called “{kind}”; {known}.")
        return
    path = f"{path}.points"
    if not all(math.isfinite(value) and abs(value) <= 2 * LONGEST for point in points for value in point):
        yield _refuse(
            "TER-01", path, f"{called(feature)} has a point that is nowhere near the table; move it."
        )
        return
    if kind in SITES:
        if len(points) != 1:
            message = f"{called(feature)} has {len(points)} points; give the one where its centre is."
            yield _refuse("TER-10", path, message)
    elif kind in AREAS or (kind == "redoubt" and not feature.open_gorge):
        if len(points) < 3:
            yield _refuse("TER-01", path, f"{called(feature)} needs 3 or more corners, not {len(points)}.")
            return
        if crosses_itself(points):
            message = f"{called(feature)} crosses itself; name its corners in order round it, each once."
            yield _refuse("TER-01", path, message)
    elif not stretches(feature):
        yield _refuse("TER-01", path, f"{called(feature)} needs 2 or more different points.")
        return
    if kind == "redoubt" and across(points) < SMALLEST_REDOUBT:
        message = f"{called(feature)} is less than {SMALLEST_REDOUBT} inches across, too small for anybody; "
        yield _refuse("FOR-01", path, f"{message}draw it larger.")
    if kind == "redoubt" and across(points) > LARGEST_REDOUBT:
        message = (
            f"{called(feature)} is {across(points):.0f} inches across; a redoubt is one structure of "
            f"{LARGEST_REDOUBT} at most: draw a longer work as fieldworks."
        )
        yield _refuse("FOR-01", path, message)


def _on_table(ground: Ground, feature: Feature, path: str) -> Iterator[BattleFileError]:
    """Sites lie on the table with all their ground, areas and lines with some of it."""
    size = f"the table of {ground.width:g} by {ground.depth:g} inches"
    if feature.kind in SITES:
        spots = building(feature).corners() if feature.kind == "building" else feature.points
        if not all(_is_on(ground, spot) for spot in spots):
            message = f"{called(feature)} does not lie on {size} with all its ground; move it."
            yield _refuse("TER-10" if feature.kind == "building" else "TER-09", path, message)
        return
    whole = Rectangle(ground.width / 2.0, ground.depth / 2.0, 0.0, ground.width / 2.0, ground.depth / 2.0)
    if any(_is_on(ground, spot) for spot in feature.points):
        return
    courses = [*stretches(feature), (feature.points[-1], feature.points[0])]
    around = feature.kind in AREAS and covers(feature.points, (whole.x, whole.y))
    if not around and all(clip(p, q, whole) is None for p, q in courses):
        yield _refuse("TER-01", path, f"{called(feature)} lies off {size}; move it or leave it out.")


def _is_on(ground: Ground, spot: Point) -> bool:
    return 0.0 <= spot[0] <= ground.width and 0.0 <= spot[1] <= ground.depth


def _values_faults(feature: Feature, path: str) -> Iterator[BattleFileError]:
    for name, choices in CHOICES.items():
        if getattr(feature, name) not in choices:
            message = f"“{getattr(feature, name)}” is no {name} of the ground; take {', '.join(choices)}."
            yield _refuse("TER-04", f"{path}.{name}", message)
    if not 0 <= feature.height <= MAXIMUM_HEIGHT:
        message = f"{called(feature)} is {feature.height} contours high; it must be 0 to {MAXIMUM_HEIGHT}."
        yield _refuse("TER-04", f"{path}.height", message)
    if feature.sp is not None and not 0 <= feature.sp <= MAXIMUM_STRUCTURE_SP:
        message = f"{called(feature)} has {feature.sp} SP; a structure has 0 to {MAXIMUM_STRUCTURE_SP}."
        yield _refuse("FOR-01", f"{path}.sp", message)


def _buildings_faults(ground: Ground) -> Iterator[BattleFileError]:
    """No building stands on another or in the water (AWI-T-TER-10)."""
    built: list[tuple[Rectangle, Feature]] = []
    for n, feature in enumerate(ground.features):
        if feature.kind != "building":
            continue
        where, path = building(feature), f"ground.features[{n}].points"
        other = next((one for stands, one in built if overlap(where, stands)), None)
        if other is not None:
            message = (
                f"{called(feature)} stands on the same ground as {called(other, 'the')}; move one of them."
            )
            yield _refuse("TER-10", path, message)
        if wet(ground, (where.x, where.y)):
            yield _refuse("TER-10", path, f"{called(feature)} stands in the water; move it to a bank.")
        built.append((where, feature))


def _ways_faults(ground: Ground) -> Iterator[BattleFileError]:
    """A bridge or ford has water under it (AWI-T-TER-09)."""
    for n, way in enumerate(ground.features):
        if way.kind in ("bridge", "ford") and not any(
            near(course.points, way.points[0], half + MISSES)
            if course.kind != "water"
            else covers(course.points, way.points[0])
            for course in ground.features
            if (half := HALF_WIDTHS.get(course.kind)) is not None
        ):
            message = (
                f"{called(way)} has no water under it; put its centre on a stream, a river or other water."
            )
            yield _refuse("TER-09", f"ground.features[{n}].points", message)


def _roads_faults(ground: Ground) -> Iterator[BattleFileError]:
    """Wherever a road meets a stream or river there is a bridge or a ford (AWI-T-TER-09)."""
    ways = [way_over(ground, f) for f in ground.features if f.kind in ("bridge", "ford")]
    ways = [w._replace(half_width=w.half_width + MISSES, half_depth=w.half_depth + MISSES) for w in ways]
    for n, road in enumerate(ground.features):
        if road.kind != "road":
            continue
        for x, y, course in _meetings(ground, road):
            if not any(holds(way, (x, y)) for way in ways):
                message = (
                    f"{called(road)} meets {called(course, 'the')} at {x:.1f}, {y:.1f}; "
                    "put a bridge or a ford there."
                )
                yield _refuse("TER-09", f"ground.features[{n}].points", message)


def _meetings(ground: Ground, road: Feature) -> Iterator[tuple[float, float, Feature]]:
    """Where on the table a road meets streams and rivers."""
    for course in ground.features:
        if course.kind not in ("stream", "river"):
            continue
        for p, q in stretches(road):
            for a, b in stretches(course):
                if meet(p, q, a, b):
                    x, y = crossing_point(p, q, a, b)
                    if 0.0 <= x <= ground.width and 0.0 <= y <= ground.depth:
                        yield x, y, course


def _spots_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """The objective and the plans' goals lie on the table."""
    width, depth = table_size(battle)
    spots = {"objective": battle.objective}
    spots |= {f"plans.{side}.goal": plan.goal for side, plan in battle.plans.items()}
    for path, spot in spots.items():
        if spot is not None and not (0.0 <= spot[0] <= width and 0.0 <= spot[1] <= depth):
            size = f"{width:g} by {depth:g} inches"
            message = f"{spot[0]}, {spot[1]} lies off the table of {size}; choose a spot on it."
            yield _refuse("SEQ-01", path, message)


#: Works that troops stand behind and do not enter.
ENTRENCHED = ("fence", "wall", "fieldwork", "stockade", "redoubt")


def _by_id(battle: BattleFile) -> dict[str, Feature]:
    features = battle.ground.features if battle.ground is not None else ()
    return {feature.id: feature for feature in features if feature.id}


def _garrisons_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Only foot holds buildings, and no more of it than they hold (AWI-T-TER-10)."""
    known, held = _by_id(battle), dict[str, int]()
    owners: dict[str, str] = {}
    for i, unit in enumerate(battle.units):
        if not unit.inside:
            continue
        path = f"units[{i}].inside"
        house = known.get(unit.inside)
        if house is None or house.kind != "building":
            houses = [one.id for one in known.values() if one.kind == "building"]
            if unit.inside in ENTRENCHED or (house and house.kind in ENTRENCHED):
                message = f"{unit.name} cannot be inside “{unit.inside}”: works are no building; leave out "
                yield _refuse("TER-10", path, f"{message}inside, and place the unit behind them by x and y.")
                continue
            message = f"There is no building “{unit.inside}” for {unit.name} to hold; "
            yield _refuse("TER-10", path, f"{message}{offer(unit.inside, houses)}.")
            continue
        if TYPES[unit.troop_type].arm is not Arm.FOOT or unit.troop_type is TroopType.WAGON:
            yield _refuse("TER-10", path, f"{unit.name} cannot hold a building; only foot can; leave it out.")
            continue
        if house.sp == 0:
            yield _refuse(
                "TER-10",
                path,
                f"{called(house)} is in ruins; nobody can hold it; draw up the unit elsewhere.",
            )
        if unit.arrives or unit.x is not None or unit.y is not None:
            message = f"{unit.name} holds a building from the start; leave out x, y and its arrival."
            yield _refuse("TER-10", path, message)
        if owners.setdefault(unit.inside, unit.side) != unit.side:
            yield _refuse("TER-10", path, f"{called(house)} is held by both sides; let one of them have it.")
        held[unit.inside] = held.get(unit.inside, 0) + 1
        if held[unit.inside] > CAPACITY.get(house.size, MAXIMUM_FEATURES):
            message = f"{called(house)} holds {CAPACITY[house.size]}; draw up {unit.name} elsewhere."
            yield _refuse("TER-10", path, message)


def _places_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Units that are told where to stand stand on the table, on ground, and on nobody else."""
    placed: list[tuple[Rectangle, BattleUnit]] = []
    for i, unit in enumerate(battle.units):
        path = f"units[{i}]"
        if unit.x is None and unit.y is None:
            continue
        off = list(_spot_faults(battle, unit, path))
        yield from off
        if off or unit.x is None or unit.y is None:
            continue
        where = footprint(unit, unit.x, unit.y, facing_of(battle, unit))
        if unit.arrives == 0:
            yield from _under_foot(battle, unit, where, path)
            placed.append((where, unit))
    placed.sort(key=lambda entry: entry[0].x)
    for n, (where, unit) in enumerate(placed):
        for other, name in placed[n + 1 :]:
            if other.x - where.x > 4.0:
                break
            if overlap(where, other):
                i = max(battle.units.index(unit), battle.units.index(name))
                message = f"{unit.name} and {name.name} stand on the same ground; move one of them."
                yield _refuse("UNI-01", f"units[{i}].x", message)


def _spot_faults(battle: BattleFile, unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    width, depth = table_size(battle)
    if unit.x is None or unit.y is None:
        missing = "x" if unit.x is None else "y"
        message = f"{unit.name} is told only half of where to stand; give x and y, or neither."
        yield _refuse("UNI-01", f"{path}.{missing}", message)
        return
    near_x, near_y = (EDGE_X, EDGE_Y) if unit.arrives == 0 else (0.0, 0.0)
    for name, value, least, most in (("x", unit.x, near_x, width), ("y", unit.y, near_y, depth)):
        if not least <= value <= most - least:
            message = f"{unit.name} stands off the table: {name} is {value:g}; it must be {least:g} to "
            yield _refuse("UNI-01", f"{path}.{name}", f"{message}{most - least:g}.")


def _posture_faults(unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    wagon = unit.troop_type is TroopType.WAGON
    guns = TYPES[unit.troop_type].arm is Arm.WHEELED
    choices = ("", "limbered") if wagon else ("", "limbered", "deployed") if guns else ("", "line", "column")
    if unit.posture not in choices:
        known = " or ".join(choices[1:])
        yield _refuse("UNI-02", f"{path}.posture", f"{unit.name} cannot be “{unit.posture}”; take {known}.")


def _under_foot(
    battle: BattleFile, unit: BattleUnit, where: Rectangle, path: str
) -> Iterator[BattleFileError]:
    if battle.ground is None:
        return
    spots = where.spots(CLEAR)
    for feature in battle.ground.features:
        if feature.kind == "building" and feature.sp != 0 and overlap(where, building(feature)):
            message = f"{unit.name} stands on {called(feature, 'the')}; name it as inside or move the unit."
            yield _refuse("TER-10", f"{path}.x", message)
    watery = any(feature.kind in ("river", "water") for feature in battle.ground.features)
    if watery and any(wet(battle.ground, spot) for spot in spots) and not _on_way(battle.ground, where):
        message = f"{unit.name} stands in the water; draw it up on a bank, at a ford or on a bridge."
        yield _refuse("TER-08", f"{path}.x", message)
    if any(_too_steep(battle.ground, spot) for spot in spots):
        yield _refuse(
            "TER-04",
            f"{path}.x",
            f"{unit.name} stands where nobody can: the slope is impassable; move the unit.",
        )


def _on_way(ground: Ground, where: Rectangle) -> bool:
    """True when a unit stands on a bridge or at a ford."""
    return any(
        holds(way_over(ground, feature)._replace(half_width=RIVER_WIDTH / 2.0), (where.x, where.y))
        for feature in ground.features
        if feature.kind in ("bridge", "ford")
    )


def _too_steep(ground: Ground, spot: Point) -> bool:
    """True on a slope nobody can climb, roads left out; of several hills the last counts."""
    grade = "level"
    for feature in ground.features:
        if feature.kind == "hill" and covers(feature.points, spot):
            grade = feature.grade
    if grade != "impassable":
        return False
    return not any(f.kind == "road" and near(f.points, spot, 1.0) for f in ground.features)
