"""Strength of units under rules that count points of their own, and back to the file's SP. Plain data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, TroopType

#: Men of a strength point of a battle file, and guns of one of artillery (AWI-T-STR-01).
FILE_MEN = {
    (Arm.FOOT, FormationOrder.CLOSE): 50,
    (Arm.FOOT, FormationOrder.OPEN): 24,
    (Arm.MOUNTED, FormationOrder.CLOSE): 16,
}
FILE_GUNS = Fraction(4, 5)
#: Yards of an inch of a battle file.
FILE_YARDS = 50.0 / 3.0


def men_per_sp(unit: BattleUnit) -> int:
    """Foot or horse that a strength point of a unit stands for; guns and wagons are counted otherwise."""
    facts = TYPES[unit.troop_type]
    return FILE_MEN.get((facts.arm, facts.order), 0)


def count_guns(unit: BattleUnit) -> int:
    """Guns of a battery, to the nearest, halves up; of all others none."""
    battery = TYPES[unit.troop_type].arm is Arm.WHEELED and unit.troop_type is not TroopType.WAGON
    return int(unit.sp * FILE_GUNS + Fraction(1, 2)) if battery else 0


@dataclass(frozen=True, slots=True)
class PooledUnit:
    """One of several units that stand as one, and its SP in the file."""

    unit: str
    sp: int


@dataclass(frozen=True, slots=True)
class ConvertedStrength:
    """A unit of a battle file under such rules.

    `sp` are its strength points in the file and `points` those under the rules, `stands` how many each of
    its stands has; `brigade` counts the brigades of the battle from 1, 0 is none. `back` are the SP of the
    file that 0, 1, 2 and so on to all points are when they are lost. Where rules pool units, `pooled` are
    all that stand as one with their SP, the first of which is `unit`.
    """

    unit: str
    sp: int
    points: int
    stands: tuple[int, ...]
    brigade: int
    back: tuple[int, ...]
    pooled: tuple[PooledUnit, ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """Ids of all units that stand as this one."""
        return tuple(one.unit for one in self.pooled) or (self.unit,)

    def in_file(self, lost: int, captured: int) -> tuple[int, int]:
        """SP of the file that points lost and captured are."""
        return convert_losses(self.back, lost, captured)

    def on_table(self, lost: int, captured: int) -> tuple[int, int]:
        """The points that SP of the file lost and captured were; the inverse of `in_file`.

        A unit of more points than SP has several that are the same SP: the fewest of them.
        """
        killed = _find_nearest_points(self.back, lost)
        return killed, max(0, _find_nearest_points(self.back, lost + captured) - killed)

    def by_unit(self, lost: int, captured: int) -> dict[str, tuple[int, int]]:
        """SP of the file that each unit has lost and had captured, by largest remainder of its SP."""
        killed, taken = self.in_file(lost, captured)
        if not self.pooled:
            return {self.unit: (killed, taken)}
        gone = divide_by_weight(killed + taken, [one.sp for one in self.pooled])
        dead = divide_by_weight(killed, gone)
        return {one.unit: (d, g - d) for one, d, g in zip(self.pooled, dead, gone, strict=True)}

    def sum_points(self, losses: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
        """The points that SP lost and captured of its units were; the inverse of `by_unit`."""
        lost = sum(losses[unit][0] for unit in self.units)
        captured = sum(losses[unit][1] for unit in self.units)
        return self.on_table(lost, captured)


def divide_by_weight(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """A number dealt out by weight, by largest remainder; of equal remainders the first is served first.

    Raises ValueError when there is something to deal and nobody to take it.
    """
    whole = sum(weights)
    if whole == 0:
        if total:
            raise ValueError(f"There is nobody to share {total} among.")
        return (0,) * len(weights)
    found = [total * weight // whole for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda k: -(total * weights[k] % whole))
    for k in by_remainder[: total - sum(found)]:
        found[k] += 1
    return tuple(found)


def pooled_name(name: str, count: int) -> str:
    """The name of several units that stand as one: the first, and how many more there are."""
    return name if count == 1 else f"{name} and {count - 1} more"


def pooled_file(battle: BattleFile, mustered: Sequence[ConvertedStrength]) -> BattleFile:
    """The battle with one unit for all that stand as one, in the place of the first; the same if none do."""
    heads = {unit: one for one in mustered if one.pooled for unit in one.units}
    if not heads:
        return battle

    def head(unit: str) -> str:
        return heads[unit].unit if unit in heads else unit

    units = {unit.id: unit for unit in battle.units}

    def as_one(unit: BattleUnit) -> BattleUnit:
        one = heads.get(unit.id)
        if one is None:
            return unit
        arrives = half_there((units[each].arrives, units[each].sp) for each in one.units)
        return replace(unit, name=pooled_name(unit.name, len(one.units)), sp=one.sp, arrives=arrives)

    return replace(
        battle,
        units=tuple(as_one(unit) for unit in battle.units if head(unit.id) == unit.id),
        leaders=tuple(
            replace(
                one, commands=tuple(dict.fromkeys(map(head, one.commands))), with_unit=head(one.with_unit)
            )
            for one in battle.leaders
        ),
    )


def half_there(rows: Iterable[tuple[int, int]]) -> int:
    """The game turn by which half the SP of several units are there, by the turn and SP of each."""
    coming = sorted(rows)
    whole, there = sum(sp for _, sp in coming), 0
    for turn, sp in coming:
        there += sp
        if 2 * there >= whole:
            return turn
    return 0


def map_brigade_names(battle: BattleFile, mustered: Sequence[ConvertedStrength]) -> dict[int, str]:
    """The names of brigades, by number: the general who leads one, or else its first unit."""
    units = {unit.id: unit for unit in battle.units}
    brigadiers = [leader for leader in battle.leaders if leader.rank == "brigadier"]
    called: dict[int, str] = {}
    for one in mustered:
        if one.brigade and one.brigade not in called:
            unit = units[one.unit]
            leader = next((each for each in brigadiers if is_leading(each, unit)), None)
            called[one.brigade] = leader.name if leader else unit.name
    return called


def is_leading(leader: BattleLeader, unit: BattleUnit) -> bool:
    """True when a unit is under a brigadier: on his list or, without a list, in his formation."""
    under = unit.id in leader.commands if leader.commands else unit.formation == leader.id
    return leader.side == unit.side and under


def fighting_units(battle: BattleFile) -> list[BattleUnit]:
    """The units that come to the table, in the file's order."""
    return [unit for unit in battle.units if unit.sp > 0]


def points_by_men(unit: BattleUnit, men: int, guns: int) -> int:
    """Points of so many men, or guns, that a unit is: halves up, and at least one for who is there at all."""
    facts = TYPES[unit.troop_type]
    if unit.sp == 0:
        return 0
    if facts.arm is Arm.WHEELED:
        exact = unit.sp * FILE_GUNS / guns
    else:
        exact = Fraction(unit.sp * FILE_MEN[facts.arm, facts.order], men)
    return max(1, int(exact + Fraction(1, 2)))


def lost_in_file(unit: BattleUnit, lost: int, points: int) -> int:
    """SP of the file that so many of `points` are: none for none, all for all.

    Raises ValueError for more than there were.
    """
    if not 0 <= lost <= points:
        raise ValueError(f"{unit.name} cannot lose {lost} of {points} points.")
    if points == 0:
        return 0
    return (2 * lost * unit.sp + points) // (2 * points)


def back_of(unit: BattleUnit, points: int) -> tuple[int, ...]:
    """`lost_in_file` of every number of points that a unit may lose, 0 to all: `ConvertedStrength.back`."""
    return tuple(lost_in_file(unit, lost, points) for lost in range(points + 1))


def losses_in_file(unit: BattleUnit, lost: int, captured: int, points: int) -> tuple[int, int]:
    """SP of the file that points lost and captured are. Raises ValueError for more than there were."""
    lost_in_file(unit, lost + captured, points)  # refuses more than there were
    return convert_losses(back_of(unit, points), lost, captured)


def convert_losses(back: Sequence[int], lost: int, captured: int) -> tuple[int, int]:
    """The file's SP for points lost and captured, by such a table, rounded together: never more than all."""
    gone = back[lost + captured]
    killed = min(back[lost], gone)
    return killed, gone - killed


def _find_nearest_points(back: Sequence[int], sp: int) -> int:
    return min(range(len(back)), key=lambda points: abs(back[points] - sp))
