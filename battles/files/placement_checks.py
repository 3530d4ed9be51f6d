"""Checks of the places of units, garrisons and goals: on the table, on ground, on nobody else."""

from collections.abc import Iterator

from shapely import STRtree, points
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from battles.errors import BattleFileError
from battles.files.ground_checks import meet_close
from battles.files.limits import MAXIMUM_FEATURES
from battles.files.schema import BattleFile, BattleGround, BattleUnit, Feature, Point
from battles.files.suggestions import suggest_names
from battles.ground.features import (
    CAPACITY,
    EDGE_X,
    EDGE_Y,
    RIVER_WIDTH,
    facing_of,
    find_building_base,
    find_footprint,
    table_size,
)
from battles.ground.names import describe_feature
from battles.ground.shapes import ON_EDGE, Rectangle, is_inside_rectangle
from battles.ground.waters import find_crossing_ground, waters_of
from rosters.domain.vocabulary import TYPES, Arm, TroopType

#: Share of a unit's footprint that must be clear: a base's edge may touch the bank.
CLEAR = 0.8


def posture_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Formations units cannot have, and garrisons that cannot be."""
    for i, unit in enumerate(battle.units):
        yield from _posture_faults(unit, f"units[{i}]")
    yield from _garrisons_faults(battle)


def placement_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Goals and places off the table, or on ground where nobody can be; the ground itself is sound."""
    yield from _spots_faults(battle)
    yield from _places_faults(battle)


def _build_refusal(rule: str, path: str, message: str) -> BattleFileError:
    return BattleFileError(f"AWI-T-{rule}", message, path)


def _spots_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """The objective and the plans' goals lie on the table."""
    width, depth = table_size(battle)
    spots = {"objective": battle.objective}
    spots |= {f"plans.{side}.goal": plan.goal for side, plan in battle.plans.items()}
    for path, spot in spots.items():
        if spot is not None and not (0.0 <= spot[0] <= width and 0.0 <= spot[1] <= depth):
            size = f"{width:g} by {depth:g} inches"
            message = f"{spot[0]}, {spot[1]} lies off the table of {size}; choose a spot on it."
            yield _build_refusal("SEQ-01", path, message)


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
                yield _build_refusal(
                    "TER-10", path, f"{message}inside, and place the unit behind them by x and y."
                )
                continue
            message = f"There is no building “{unit.inside}” for {unit.name} to hold; "
            yield _build_refusal("TER-10", path, f"{message}{suggest_names(unit.inside, houses)}.")
            continue
        if TYPES[unit.troop_type].arm is not Arm.FOOT or unit.troop_type is TroopType.WAGON:
            yield _build_refusal(
                "TER-10", path, f"{unit.name} cannot hold a building; only foot can; leave it out."
            )
            continue
        if house.sp == 0:
            yield _build_refusal(
                "TER-10",
                path,
                f"{describe_feature(house)} is in ruins; nobody can hold it; draw up the unit elsewhere.",
            )
        if unit.arrives or unit.x is not None or unit.y is not None:
            message = f"{unit.name} holds a building from the start; leave out x, y and its arrival."
            yield _build_refusal("TER-10", path, message)
        if owners.setdefault(unit.inside, unit.side) != unit.side:
            yield _build_refusal(
                "TER-10", path, f"{describe_feature(house)} is held by both sides; let one of them have it."
            )
        held[unit.inside] = held.get(unit.inside, 0) + 1
        if held[unit.inside] > CAPACITY.get(house.size, MAXIMUM_FEATURES):
            message = (
                f"{describe_feature(house)} holds {CAPACITY[house.size]}; draw up {unit.name} elsewhere."
            )
            yield _build_refusal("TER-10", path, message)


def _places_faults(battle: BattleFile) -> Iterator[BattleFileError]:
    """Units that are told where to stand stand on the table, on ground, and on nobody else."""
    placed: list[tuple[Rectangle, int]] = []
    footing = _Footing(battle.ground or BattleGround())
    for i, unit in enumerate(battle.units):
        path = f"units[{i}]"
        if unit.x is None and unit.y is None:
            continue
        off = list(_spot_faults(battle, unit, path))
        yield from off
        if off or unit.x is None or unit.y is None:
            continue
        where = find_footprint(unit, unit.x, unit.y, facing_of(battle, unit))
        if unit.arrives == 0:
            yield from footing.faults(unit, where, path)
            placed.append((where, i))
    placed.sort(key=lambda entry: entry[0].x)
    for n, (where, i) in enumerate(placed):
        for other, k in placed[n + 1 :]:
            if other.x - where.x > 4.0:
                break
            if meet_close(where, other):
                names = f"{battle.units[i].name} and {battle.units[k].name}"
                message = f"{names} stand on the same ground; move one of them."
                yield _build_refusal("UNI-01", f"units[{max(i, k)}].x", message)


def _spot_faults(battle: BattleFile, unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    width, depth = table_size(battle)
    if unit.x is None or unit.y is None:
        missing = "x" if unit.x is None else "y"
        message = f"{unit.name} is told only half of where to stand; give x and y, or neither."
        yield _build_refusal("UNI-01", f"{path}.{missing}", message)
        return
    near_x, near_y = (EDGE_X, EDGE_Y) if unit.arrives == 0 else (0.0, 0.0)
    for name, value, least, most in (("x", unit.x, near_x, width), ("y", unit.y, near_y, depth)):
        if not least <= value <= most - least:
            message = f"{unit.name} stands off the table: {name} is {value:g}; it must be {least:g} to "
            yield _build_refusal("UNI-01", f"{path}.{name}", f"{message}{most - least:g}.")


def _posture_faults(unit: BattleUnit, path: str) -> Iterator[BattleFileError]:
    wagon = unit.troop_type is TroopType.WAGON
    guns = TYPES[unit.troop_type].arm is Arm.WHEELED
    choices = ("", "limbered") if wagon else ("", "limbered", "deployed") if guns else ("", "line", "column")
    if unit.posture not in choices:
        known = " or ".join(choices[1:])
        yield _build_refusal(
            "UNI-02", f"{path}.posture", f"{unit.name} cannot be “{unit.posture}”; take {known}."
        )


class _Footing:
    """The ground under units that are told where to stand."""

    def __init__(self, ground: BattleGround) -> None:
        self.waters = waters_of(ground)
        self.houses = [
            (f, find_building_base(f)) for f in ground.features if f.kind == "building" and f.sp != 0
        ]
        ways = [find_crossing_ground(ground, f) for f in ground.features if f.kind in ("bridge", "ford")]
        self.ways = [way._replace(half_width=RIVER_WIDTH / 2.0) for way in ways]
        self.hills = [f for f in ground.features if f.kind == "hill"]
        self._slopes = STRtree([Polygon(hill.points) for hill in self.hills])
        roads: list[BaseGeometry] = [LineString(f.points) for f in ground.features if f.kind == "road"]
        self._roads = STRtree(roads)

    def is_too_steep(self, spots: list[Point]) -> bool:
        """True when one is on a slope nobody can climb, roads left out; of several hills the last counts."""
        last: dict[int, int] = {}
        for spot, hill in self._slopes.query(points(spots), "dwithin", ON_EDGE).T.tolist():
            last[spot] = max(hill, last.get(spot, -1))
        steep = [spots[n] for n, hill in last.items() if self.hills[hill].grade == "impassable"]
        return any(self._roads.query(points(spot), "dwithin", 1.0 + ON_EDGE).size == 0 for spot in steep)

    def faults(self, unit: BattleUnit, where: Rectangle, path: str) -> Iterator[BattleFileError]:
        """Ground on which the unit cannot be."""
        for feature, house in self.houses:
            if meet_close(where, house):
                message = (
                    f"{unit.name} stands on {describe_feature(feature, 'the')}; name it as inside or "
                    "move the unit."
                )
                yield _build_refusal("TER-10", f"{path}.x", message)
        spots = where.spots(CLEAR)
        on_way = any(is_inside_rectangle(way, (where.x, where.y)) for way in self.ways)
        if not on_way and any(self.waters.hold(spot) for spot in spots):
            message = f"{unit.name} stands in the water; draw it up on a bank, at a ford or on a bridge."
            yield _build_refusal("TER-08", f"{path}.x", message)
        if self.is_too_steep(spots):
            message = f"{unit.name} stands where nobody can: the slope is impassable; move the unit."
            yield _build_refusal("TER-04", f"{path}.x", message)
