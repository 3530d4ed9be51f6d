"""How units stand under rules that count strength in points of their own, and the way back. Plain data."""

from collections.abc import Sequence
from dataclasses import dataclass

from battles.scenario import BattleFile, BattleLeader, BattleUnit


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


def came_back(back: Sequence[int], lost: int, captured: int) -> tuple[int, int]:
    """What points lost and captured are by such a table, both rounded together, so never more than all."""
    gone = back[lost + captured]
    killed = min(back[lost], gone)
    return killed, gone - killed


def _nearest(back: Sequence[int], sp: int) -> int:
    return min(range(len(back)), key=lambda points: abs(back[points] - sp))
