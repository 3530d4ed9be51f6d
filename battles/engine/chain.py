"""Chains of command in a battle file, and the Crown's side. No numba here.

A brigade is what a brigadier of the file leads. Who has none is led by a nameless one with the others of his
formation, or where the file names none with a few others of his side. What ranks there are, and who is
left out, each ruleset says itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from battles.files.schema import BattleFile, BattleLeader, BattleUnit
from battles.strength_conversion import is_leading

#: Most units that one nameless brigadier leads.
UNITS_LED = 4
#: Ids of the Crown's side; else the attacker is taken for it.
CROWN = ("crown", "british")


@dataclass(slots=True)
class Brigade:
    """Units by their places among those that fight; `leader` is a place in the file's list, or -1."""

    side: int
    units: list[int] = field(default_factory=list)
    leader: int = -1


def crown_of(battle: BattleFile) -> str:
    """The side that is the Crown's."""
    sides = (battle.attacker, battle.defender)
    return next((side for side in sides if side in CROWN), battle.attacker)


def list_led_brigades(battle: BattleFile, units: Sequence[BattleUnit]) -> list[Brigade]:
    """The brigades of the file's brigadiers, in its order; a unit belongs to the first who leads it."""
    found: list[Brigade] = []
    taken: set[int] = set()
    for n, leader in enumerate(battle.leaders):
        if leader.rank == "brigadier":
            own = [k for k, unit in enumerate(units) if is_leading(leader, unit) and k not in taken]
            taken.update(own)
            found.append(Brigade(int(leader.side != battle.attacker), own, n))
    return found


def list_leaderless_brigades(side: int, places: Iterable[int], units: Sequence[BattleUnit]) -> list[Brigade]:
    """Nameless brigades of a side's units in these places: each formation one, the others by fours."""
    found: list[Brigade] = []
    rest = list(places)
    for formation in dict.fromkeys(units[k].formation for k in rest):
        own = [k for k in rest if units[k].formation == formation]
        most = len(own) if formation else UNITS_LED
        found += [Brigade(side, own[start : start + most]) for start in range(0, len(own), most)]
    return found


def juniors_of(battle: BattleFile, leader: BattleLeader) -> set[str]:
    """Ids of the brigadiers under a senior; one without a list leads all whom no other leads."""
    others = [other for other in battle.leaders if other.side == leader.side]
    claimed = {junior for other in others if other.rank == "senior" for junior in other.commands}
    brigadiers = {other.id for other in others if other.rank == "brigadier"}
    return brigadiers & set(leader.commands) if leader.commands else brigadiers - claimed
