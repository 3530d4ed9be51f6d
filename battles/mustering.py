"""How units stand under rules that count strength in points of their own, and the way back. Plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from battles.scenario import BattleFile, BattleLeader, BattleUnit
from rosters.domain.vocabulary import TYPES, Arm, Order, TroopType

#: Men of a strength point of a battle file, and guns of one of artillery (AWI-T-STR-01).
FILE_MEN = {(Arm.FOOT, Order.CLOSE): 50, (Arm.FOOT, Order.OPEN): 24, (Arm.MOUNTED, Order.CLOSE): 16}
FILE_GUNS = Fraction(4, 5)
#: Yards of an inch of a battle file.
FILE_YARDS = 50.0 / 3.0


def men_per_sp(unit: BattleUnit) -> int:
    """Foot or horse that a strength point of a unit stands for; guns and wagons are counted otherwise."""
    facts = TYPES[unit.troop_type]
    return FILE_MEN.get((facts.arm, facts.order), 0)


def guns_of(unit: BattleUnit) -> int:
    """Guns of a battery, to the nearest, halves up; of all others none."""
    battery = TYPES[unit.troop_type].arm is Arm.WHEELED and unit.troop_type is not TroopType.WAGON
    return int(unit.sp * FILE_GUNS + Fraction(1, 2)) if battery else 0


@dataclass(frozen=True, slots=True)
class Mustered:
    """A unit of a battle file under such rules.

    `sp` are its strength points in the file and `points` those under the rules, `stands` how many each of
    its stands has; `brigade` counts the brigades of the battle from 1, 0 is none. `back` are the SP of the
    file that 0, 1, 2 and so on to all points are when they are lost.
    """

    unit: str
    sp: int
    points: int
    stands: tuple[int, ...]
    brigade: int
    back: tuple[int, ...]

    def in_file(self, lost: int, captured: int) -> tuple[int, int]:
        """SP of the file that points lost and captured are."""
        return came_back(self.back, lost, captured)

    def on_table(self, lost: int, captured: int) -> tuple[int, int]:
        """The points that SP of the file lost and captured were; the inverse of `in_file`."""
        killed = _nearest(self.back, lost)
        return killed, max(0, _nearest(self.back, lost + captured) - killed)


def brigades_called(battle: BattleFile, mustered: Sequence[Mustered]) -> dict[int, str]:
    """What brigades are called, by number: by the general who leads one, or else by its first unit."""
    units = {unit.id: unit for unit in battle.units}
    brigadiers = [leader for leader in battle.leaders if leader.rank == "brigadier"]
    called: dict[int, str] = {}
    for one in mustered:
        if one.brigade and one.brigade not in called:
            unit = units[one.unit]
            leader = next((each for each in brigadiers if leads(each, unit)), None)
            called[one.brigade] = leader.name if leader else unit.name
    return called


def leads(leader: BattleLeader, unit: BattleUnit) -> bool:
    """Whether a brigadier has a unit under him: it is on his list, or, without one, in his formation."""
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
    """`lost_in_file` of every number of points that a unit may lose, 0 to all: `Mustered.back`."""
    return tuple(lost_in_file(unit, lost, points) for lost in range(points + 1))


def losses_in_file(unit: BattleUnit, lost: int, captured: int, points: int) -> tuple[int, int]:
    """SP of the file that points lost and captured are. Raises ValueError for more than there were."""
    lost_in_file(unit, lost + captured, points)  # refuses more than there were
    return came_back(back_of(unit, points), lost, captured)


def came_back(back: Sequence[int], lost: int, captured: int) -> tuple[int, int]:
    """What points lost and captured are by such a table, both rounded together, so never more than all."""
    gone = back[lost + captured]
    killed = min(back[lost], gone)
    return killed, gone - killed


def _nearest(back: Sequence[int], sp: int) -> int:
    return min(range(len(back)), key=lambda points: abs(back[points] - sp))
