"""The standard fight made the same for both sides: Crown's half of it, turned about the table's middle."""

import json
from dataclasses import replace
from pathlib import Path

import battles
from battles.files.reading import battle_from_json
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleLeader,
    BattlePlan,
    BattleUnit,
    Feature,
    Point,
)

FILE = Path(battles.__file__).parent / "fixtures" / "standard-fight.json"
#: Lines across the whole table and the ford are left out, but for the brook, of which half is turned about.
ACROSS = ("road", "stream", "ford")


def standard_fight() -> BattleFile:
    """The fight as shipped."""
    return battle_from_json(json.loads(FILE.read_text()))


def mirrored_fight(attacker: BattlePlan, defender: BattlePlan) -> BattleFile:
    """Crown's troops and Crown's half of the ground on both sides."""
    file = standard_fight()
    ground = file.ground or BattleGround()
    about = Turned(ground.width, ground.depth)
    crown = [unit for unit in file.units if unit.side == file.attacker]
    generals = [leader for leader in file.leaders if leader.side == file.attacker]
    near = [f for f in ground.features if f.kind not in ACROSS and _middle(f)[1] < ground.depth / 2.0]
    brook = next(f for f in ground.features if f.kind == "stream")
    half = [point for point in brook.points if point[0] < ground.width / 2.0]
    middle = (ground.width / 2.0, ground.depth / 2.0)
    course = (*half, middle, *(about.point(point) for point in reversed(half)))
    return replace(
        file,
        units=(*crown, *(about.unit(unit, file.defender) for unit in crown)),
        leaders=(*generals, *(about.leader(leader, file.defender) for leader in generals)),
        ground=replace(
            ground, features=(replace(brook, points=course), *near, *(about.feature(f) for f in near))
        ),
        plans={file.attacker: attacker, file.defender: defender},
    )


class Turned:
    """Things turned half about the middle of a table, and given to the other side."""

    def __init__(self, width: float, depth: float) -> None:
        self.width, self.depth = width, depth

    def point(self, point: Point) -> Point:
        return self.width - point[0], self.depth - point[1]

    def feature(self, feature: Feature) -> Feature:
        points = tuple(self.point(point) for point in feature.points)
        return replace(feature, id=f"{feature.id}-far", points=points, heading=(feature.heading + 180) % 360)

    def unit(self, unit: BattleUnit, side: str) -> BattleUnit:
        assert unit.x is not None and unit.y is not None and unit.facing is not None
        x, y = self.point((unit.x, unit.y))
        facing = (unit.facing + 180) % 360
        return replace(unit, id=f"far-{unit.id}", side=side, x=x, y=y, facing=facing)

    def leader(self, leader: BattleLeader, side: str) -> BattleLeader:
        commands = tuple(f"far-{one}" for one in leader.commands)
        return replace(leader, id=f"far-{leader.id}", side=side, commands=commands)


def _middle(feature: Feature) -> Point:
    xs, ys = zip(*feature.points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)
