"""Battle files of any kind for tests: terrain, works, forces, generals, tasks, plans and options.

Everything is drawn from a `random.Random`, so that hypothesis can supply one that it can shrink, and
a loop of thousands can do without it.
"""

import math
from random import Random
from typing import Any, get_args

from battles.errors import BattleFileError
from battles.files.checks import COVERS
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleLeader,
    BattlePlan,
    BattleUnit,
    Feature,
    PlanKind,
    Point,
    Task,
)
from battles.rulesets.awi.deployment import size_for
from battles.rulesets.awi.fighting import prepare_state
from battles.rulesets.awi.options import OPTIONS
from rosters.domain.vocabulary import TYPES, Arm, GunClass, TroopType, Weapon

CROWN, CONGRESS = "crown", "congress"
FOOT = [kind for kind in TroopType if TYPES[kind].arm is Arm.FOOT]
AREA_KINDS = ("rough", "crops", "swamp", "marsh", "water", "open_woods", "dense_woods", "hill", "hill")


def random_file(draw: Random, *, most: int = 7, turns: int = 40) -> BattleFile:
    """A battle of up to `most` units a side; what the engine refuses to draw up is drawn again."""
    for _ in range(50):
        battle = _drawn(draw, most, turns)
        try:
            prepare_state(battle, size_for(battle))
        except BattleFileError:
            continue
        return battle
    raise AssertionError("fifty battles in a row were refused")


def _drawn(draw: Random, most: int, turns: int) -> BattleFile:
    ground = random_ground(draw) if draw.random() < 0.8 else None
    options = {
        name: draw.choice(option.choices)
        for name, option in OPTIONS.items()
        if draw.random() < 0.2 and name != "scale"
    }
    units = tuple(
        unit
        for side in (CROWN, CONGRESS)
        for unit in _units(draw, side, draw.choice((0, *range(1, most + 1), most, most)), ground, options)
    )
    return BattleFile(
        title="Any battle",
        attacker=CROWN,
        defender=CONGRESS,
        units=units,
        cover=draw.choice(COVERS) if draw.random() < 0.3 else "none",
        plans={side: _plan(draw, ground) for side in (CROWN, CONGRESS)},
        options=options,
        turns=draw.choice((1, 3, turns // 2, turns, turns)),
        break_percent=draw.randint(20, 100),
        leaders=_leaders(draw, units),
        ground=ground,
        objective=_spot(draw, ground) if ground and draw.random() < 0.3 else None,
    )


def _plan(draw: Random, ground: BattleGround | None) -> BattlePlan:
    return BattlePlan(
        kind=draw.choice((*get_args(PlanKind), "assault", "assault", "turn_flank")),
        flank=draw.choice(("left", "right")),
        reserve_percent=draw.choice((0, 0, 20, 40)),
        boldness=draw.randint(-2, 2),
        until=draw.choice((0, 0, 3, 9)),
        then=draw.choice(get_args(PlanKind)),
        goal=_spot(draw, ground) if ground and draw.random() < 0.3 else None,
    )


def _spot(draw: Random, ground: BattleGround) -> Point:
    return round(draw.uniform(4, ground.width - 4), 1), round(draw.uniform(4, ground.depth - 4), 1)


def _units(
    draw: Random, side: str, count: int, ground: BattleGround | None, options: dict[str, Any]
) -> list[BattleUnit]:
    houses = [f for f in ground.features if f.kind == "building"] if ground else []
    works = (
        [f for f in ground.features if f.kind in ("fieldwork", "stockade", "redoubt", "building")]
        if ground
        else []
    )
    # each side holds its own houses, so that nobody is drawn up in one the other is in
    houses = [f for f in houses if (f.points[0][1] < ground.depth / 2) == (side == CROWN)] if ground else []
    units = []
    for i in range(count):
        kind = draw.choice(list(TroopType))
        battery = TYPES[kind].weapon is Weapon.GUN
        traits: tuple[Any, ...] = ()
        if kind in FOOT and options.get("variant") == "ireland_1798" and draw.random() < 0.4:
            traits = ("pikes",)
        elif kind in FOOT and options.get("variant") == "jacobite_1745" and draw.random() < 0.4:
            traits = ("highlanders",)
        inside = houses.pop().id if houses and kind in FOOT and draw.random() < 0.5 else ""
        task = None
        if works and kind in FOOT and draw.random() < 0.1:
            task = Task(
                draw.choice(("build", "dismantle", "demolish")), draw.choice(works).id, draw.randint(1, 3)
            )
        units.append(
            BattleUnit(
                id=f"{side} {i}",
                name=f"{side} {i}",
                side=side,
                troop_type=kind,
                sp=draw.randint(0 if kind is TroopType.WAGON else 1, 6),
                gun_class=draw.choice([c for c in GunClass if (c is not GunClass.NONE) == battery]),
                poor_militia=kind is TroopType.MILITIA and draw.random() < 0.3,
                formation=draw.choice(("", "Fraser", "Riedesel")),
                arrives=0 if inside else draw.choice((0, 0, 0, 1, 4, 50)),
                inside=inside,
                reserve=draw.random() < 0.1 and TYPES[kind].arm is not Arm.WHEELED,
                traits=traits,
                task=task,
            )
        )
    return units


def _leaders(draw: Random, units: tuple[BattleUnit, ...]) -> tuple[BattleLeader, ...]:
    leaders: list[BattleLeader] = []
    for side in (CROWN, CONGRESS):
        own = [unit.id for unit in units if unit.side == side]
        if not own or draw.random() < 0.4:
            continue
        brigadiers = []
        for n, start in enumerate(range(0, len(own), 4)):
            few = tuple(own[start : start + 4])
            with_unit = draw.choice((*few, "", ""))
            unit = next((unit for unit in units if unit.id == with_unit), None)
            if unit is not None and (unit.sp == 0 or unit.arrives):
                with_unit = ""
            brigadiers.append(BattleLeader(f"{side} b{n}", f"{side} b{n}", side, "brigadier", few, with_unit))
        leaders += brigadiers
        if len(brigadiers) > 1:
            names = tuple(leader.id for leader in brigadiers)
            leaders.append(BattleLeader(f"{side} s", f"{side} s", side, "senior", names))
        if draw.random() < 0.2:
            leaders.append(BattleLeader(f"{side} c", f"{side} c", side, "commander_in_chief"))
    return tuple(leaders)


def random_ground(draw: Random) -> BattleGround:
    """A table of any size with areas, at most one stream or river with its ways over, and works."""
    width, depth = draw.choice(((96.0, 60.0), (72.0, 48.0), (120.0, 72.0)))
    features = [_area(draw, f"area-{n}", width, depth) for n in range(draw.randint(0, 6))]
    water = draw.choice(("", "stream", "river"))
    road_x = round(draw.uniform(20, width - 20), 1)
    middle = round(depth / 2 + draw.uniform(-4, 4), 1)
    road = draw.random() < 0.5
    if water:
        features.append(Feature(water, ((0.0, middle), (width, middle)), "water"))  # type: ignore[arg-type]
        if water == "river" or road or draw.random() < 0.5:
            way = draw.choice(("bridge", "ford"))
            material = draw.choice(("wood", "stone")) if way == "bridge" else "wood"
            features.append(Feature(way, ((road_x, middle),), "way", material=material))  # type: ignore[arg-type]
    if road:
        features.append(Feature("road", ((road_x, 0.0), (road_x, depth)), "road"))
    for n in range(draw.randint(0, 4)):
        features.append(_line(draw, f"line-{n}", width, depth))
    for n in range(draw.randint(0, 2)):
        near = n % 2 == 0
        y = round(depth * (0.15 if near else 0.85) + draw.uniform(-3, 3), 1)
        x = round(draw.uniform(8, 16) if n % 2 else draw.uniform(width - 16, width - 8), 1)
        if abs(x - road_x) > 6:
            features.append(
                Feature(
                    "building", ((x, y),), f"house-{n}", heading=draw.choice((0, 90, 30)),
                    size=draw.choice(("small", "large")), material=draw.choice(("wood", "stone")),
                )
            )  # fmt: skip
    return BattleGround(width, depth, tuple(features))


def _area(draw: Random, name: str, width: float, depth: float) -> Feature:
    """A polygon of three to seven corners round a centre in the middle of the table."""
    x, y = draw.uniform(10, width - 10), draw.uniform(0.3, 0.7) * depth
    corners = draw.randint(3, 7)
    points = tuple(
        (
            round(x + draw.uniform(3, 12) * math.sin(math.tau * k / corners), 1),
            round(y + draw.uniform(2, 8) * math.cos(math.tau * k / corners), 1),
        )
        for k in range(corners)
    )
    kind: Any = draw.choice(AREA_KINDS)
    grade: Any = draw.choice(("level", "gentle", "steep", "impassable"))
    height = draw.randint(1, 3)
    return (
        Feature(kind, points, name, height=height, grade=grade)
        if kind == "hill"
        else Feature(kind, points, name)
    )


def _line(draw: Random, name: str, width: float, depth: float) -> Feature:
    """A fence, wall or work somewhere between the two lines."""
    kind: Any = draw.choice(("fence", "wall", "fieldwork", "stockade", "redoubt"))
    x, y = draw.uniform(15, width - 35), draw.uniform(0.35, 0.65) * depth
    length, slant = draw.uniform(4, 18), draw.uniform(-3, 3)
    points: tuple[Point, ...] = ((round(x, 1), round(y, 1)), (round(x + length, 1), round(y + slant, 1)))
    if kind == "redoubt":
        points = (*points, (round(x + length, 1), round(y + slant + 5, 1)), (round(x, 1), round(y + 5, 1)))
    return Feature(kind, points, name, open_gorge=draw.random() < 0.3 and kind == "redoubt")
