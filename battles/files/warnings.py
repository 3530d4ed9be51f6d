"""Warnings to a designer: a battle that can be fought, but perhaps not as it was meant."""

from collections.abc import Iterator

from shapely import buffer
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from battles.files.leader_checks import leader_warnings
from battles.files.limits import CAVALRY_PERCENT, COMBINE_BELOW_SP
from battles.files.schema import AREAS, BattleFile, BattleGround, Feature
from battles.ground.features import (
    RIVER_WIDTH,
    facing_of,
    find_building_base,
    find_footprint,
    list_stretches,
    table_size,
)
from battles.ground.names import describe_feature, join_names
from battles.ground.shapes import Rectangle
from battles.ground.waters import find_crossing_ground
from battles.rulesets import registry
from rosters.domain.vocabulary import TYPES, Arm, TroopType

#: Inches of its edge on which a side that is not told where to stand is drawn up.
STRIP = 2.0


def battle_warnings(battle: BattleFile) -> list[str]:
    """Sentences on a battle's troops, generals and ground (AWI-T-STR-02, BAL-01, GEN-01, TER-08).

    How strong units should be, and how much horse, is advice of the rules that count as the file does.
    """
    as_filed = registry.get_rules(battle.ruleset).muster is None
    return [
        *(_iter_weak_warnings(battle) if as_filed else ()),
        *(_iter_cavalry_warnings(battle) if as_filed else ()),
        *_iter_late_warnings(battle),
        *_iter_constant_plan_warnings(battle),
        *leader_warnings(battle),
        *_cut_off(battle),
        *_iter_divided_ground_warnings(battle),
    ]


def _iter_weak_warnings(battle: BattleFile) -> Iterator[str]:
    for side in (battle.attacker, battle.defender):
        weak = [
            f"{unit.name} ({unit.sp})"
            for unit in battle.units
            if unit.side == side and unit.troop_type is not TroopType.WAGON and unit.sp < COMBINE_BELOW_SP
        ]
        if weak:
            yield (
                f"Of {battle.side_name(side)}, fewer than {COMBINE_BELOW_SP} SP: {join_names(weak)}; "
                f"merge {'it' if len(weak) == 1 else 'each'} with another unit (AWI-T-STR-02)."
            )


def _iter_cavalry_warnings(battle: BattleFile) -> Iterator[str]:
    for side in (battle.attacker, battle.defender):
        own = [unit for unit in battle.units if unit.side == side]
        horse = sum(TYPES[unit.troop_type].arm is Arm.MOUNTED for unit in own)
        if horse * 100 > CAVALRY_PERCENT * len(own):
            yield (
                f"{horse} of {len(own)} units of {battle.side_name(side)} are cavalry, which makes it "
                f"very strong; keep to {CAVALRY_PERCENT} % (AWI-T-BAL-01)."
            )


def _iter_late_warnings(battle: BattleFile) -> Iterator[str]:
    late = [unit.name for unit in battle.units if unit.arrives > battle.turns]
    if late:
        verb = "arrives" if len(late) == 1 else "arrive"
        yield f"{join_names(late)} {verb} when the day of {battle.turns} turns is over (AWI-T-SCA-02)."


def _iter_constant_plan_warnings(battle: BattleFile) -> Iterator[str]:
    for side, plan in battle.plans.items():
        if plan.until >= battle.turns:
            yield (
                f"The plan of {battle.side_name(side)} never changes: turn {plan.until} is not over "
                f"before the day of {battle.turns} turns is (AWI-T-SCA-02)."
            )


def _cut_off(battle: BattleFile) -> Iterator[str]:
    """Areas and lines that reach over the edge of the table."""
    ground = battle.ground
    for n, feature in enumerate(ground.features if ground else ()):
        beyond = max(max(-x, -y, x - ground.width, y - ground.depth) for x, y in feature.points)  # type: ignore[union-attr]
        if beyond > 0.0:
            yield (
                f"{describe_feature(feature)} (ground.features[{n}]) reaches {beyond:g} inches over "
                "the edge of the "
                "table; what lies there does not count."
            )


def _iter_divided_ground_warnings(battle: BattleFile) -> Iterator[str]:
    """Water without a bridge or ford between the sides (AWI-T-TER-08)."""
    ground = battle.ground
    if ground is None or not any(f.kind in ("river", "water") for f in ground.features):
        return
    lands = _list_dry_lands(ground)
    attacker, defender = (
        _find_lands_of_side(battle, side, lands) for side in (battle.attacker, battle.defender)
    )
    if attacker and defender and not attacker & defender:
        yield (
            "Water lies between the sides and nothing crosses it; add a bridge or a ford, "
            "or they can only fire at each other (AWI-T-TER-08)."
        )


def _list_dry_lands(ground: BattleGround) -> list[BaseGeometry]:
    """The pieces of dry ground, each whole, with the bridges and fords that join them."""
    wet = unary_union([_build_water_shape(f) for f in ground.features if f.kind in ("river", "water")])
    ways = [
        _build_polygon(find_crossing_ground(ground, f))
        for f in ground.features
        if f.kind in ("bridge", "ford")
    ]
    land = unary_union([box(0.0, 0.0, ground.width, ground.depth).difference(wet), *ways])
    return list(getattr(land, "geoms", [land]))


def _build_water_shape(feature: Feature) -> BaseGeometry:
    if feature.kind in AREAS:
        return Polygon(feature.points).buffer(0.0)
    # piece by piece: a course that turns back on itself a hundred times would take seconds as a whole
    return unary_union(buffer([LineString(piece) for piece in list_stretches(feature)], RIVER_WIDTH / 2.0))


def _build_polygon(where: Rectangle) -> Polygon:
    # a hair wider, so that what ends on the bank is joined to it
    return Polygon(where._replace(half_depth=where.half_depth + 0.3).corners())


def _find_lands_of_side(battle: BattleFile, side: str, lands: list[BaseGeometry]) -> set[int]:
    """The pieces of ground on which a side stands or may be drawn up."""
    width, depth = table_size(battle)
    edge = box(0.0, 0.0, width, STRIP) if side == battle.attacker else box(0.0, depth - STRIP, width, depth)
    houses = {f.id: f for f in battle.ground.features if f.kind == "building"} if battle.ground else {}
    spots: list[BaseGeometry] = []
    for unit in battle.units:
        if unit.side != side or unit.sp == 0:
            continue
        if unit.inside in houses:
            spots.append(_build_polygon(find_building_base(houses[unit.inside])))
        elif unit.x is not None and unit.y is not None:
            spots.append(_build_polygon(find_footprint(unit, unit.x, unit.y, facing_of(battle, unit))))
        else:
            spots.append(edge)
    return {k for k, land in enumerate(lands) if any(land.intersects(spot) for spot in spots)}
