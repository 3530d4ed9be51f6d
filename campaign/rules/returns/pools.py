"""Replacement pools: overflow, downgrades, rebuilt and new units (AWI-C-OVR-01, AWI-C-POL-01..03)."""

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.places_of_arrival import RAISED, choose_place, place_unit, tell_waiting
from campaign.rules.returns.returns import WeeklyReturns, counts_in_returns
from campaign.rules.world.world import Unit, UnitStatus
from rosters.domain.strength import BASIC_POINTS
from rosters.domain.vocabulary import GunClass, Nation, PoolArm, PoolNation, TroopType

#: One way only, one for one (AWI-C-POL-02).
DOWNGRADES: dict[PoolArm, PoolArm] = {PoolArm.LINE: PoolArm.MILITIA, PoolArm.RIFLES: PoolArm.OPEN_ORDER}

_EUROPEAN_TYPES: dict[PoolArm, TroopType] = {
    PoolArm.ARTILLERY: TroopType.EUROPEAN_ARTILLERY,
    PoolArm.CAVALRY: TroopType.EUROPEAN_LIGHT_CAVALRY,
    PoolArm.LINE: TroopType.EUROPEAN_LINE,
    PoolArm.MILITIA: TroopType.MILITIA,
    PoolArm.OPEN_ORDER: TroopType.BRITISH_LIGHT_INFANTRY,  # the only regulars in open order with muskets
    PoolArm.RIFLES: TroopType.JAEGERS,
}
_AMERICAN_TYPES: dict[PoolArm, TroopType] = {
    PoolArm.ARTILLERY: TroopType.AMERICAN_ARTILLERY,
    PoolArm.CAVALRY: TroopType.AMERICAN_LIGHT_CAVALRY,
    PoolArm.LINE: TroopType.CONTINENTAL_LINE,
    PoolArm.MILITIA: TroopType.MILITIA,
    PoolArm.OPEN_ORDER: TroopType.CONTINENTAL_LIGHT,
    PoolArm.RIFLES: TroopType.AMERICAN_REGULAR_RIFLES,
}

#: The standard unit of each pool. Natives and Canadians raise none (HR-REC-03).
NEW_UNIT_TYPES: dict[PoolNation, dict[PoolArm, TroopType]] = {
    PoolNation.BRITISH: _EUROPEAN_TYPES | {PoolArm.LINE: TroopType.BRITISH_LINE},
    PoolNation.GERMAN: _EUROPEAN_TYPES,
    PoolNation.FRENCH: _EUROPEAN_TYPES,
    PoolNation.SPANISH: _EUROPEAN_TYPES,
    PoolNation.AMERICAN: _AMERICAN_TYPES,
    PoolNation.LOYALIST: _AMERICAN_TYPES
    | {PoolArm.LINE: TroopType.LOYALIST_LINE, PoolArm.OPEN_ORDER: TroopType.RANGERS},
}

_TITLES: dict[PoolArm, str] = {
    PoolArm.ARTILLERY: "battery",
    PoolArm.CAVALRY: "horse",
    PoolArm.LINE: "line battalion",
    PoolArm.MILITIA: "militia battalion",
    PoolArm.OPEN_ORDER: "light battalion",
    PoolArm.RIFLES: "rifle battalion",
}


@dataclass(frozen=True, slots=True)
class Downgrade:
    """Move `points` from one pool ("american/line") down to another ("american/militia")."""

    source: str
    target: str
    points: int


def parse_pool(pool: str, field: str) -> tuple[PoolNation, PoolArm]:
    """Nation and arm of a pool key. Raises RuleViolation for a pool that does not exist (AWI-C-POL-01)."""
    nation, _, arm = pool.partition("/")
    try:
        return PoolNation(nation), PoolArm(arm)
    except ValueError:
        raise RuleViolation(
            "AWI-C-POL-01", f"There is no pool called {pool}; name one as british/line.", field
        ) from None


def verify_downgrade(move: Downgrade, pools: Mapping[str, int]) -> None:
    """Raise RuleViolation unless the points may be moved (AWI-C-POL-02)."""
    nation, arm = parse_pool(move.source, "downgrades")
    to_nation, to_arm = parse_pool(move.target, "downgrades")
    if nation is not to_nation or DOWNGRADES.get(arm) is not to_arm:
        raise RuleViolation(
            "AWI-C-POL-02",
            f"Points cannot go from {move.source} to {move.target}; only line to militia and rifles to "
            "open order of one nation.",
            "downgrades",
        )
    have = pools.get(move.source, 0)
    if not 0 < move.points <= have:
        raise RuleViolation(
            "AWI-C-POL-02",
            f"{move.points} points cannot leave {move.source}, which holds {have}; ask for 1 to {have}."
            if have > 0
            else f"{move.source} holds no points to move down; leave it out.",
            "downgrades",
        )


def apply_downgrade(book: WeeklyReturns, move: Downgrade) -> None:
    """Step 8: reduce points by what the week's dice have left, one for one (AWI-C-POL-02)."""
    points = min(move.points, max(0, book.pools.get(move.source, 0)))
    if points:
        book.change_pool(move.source, -points, "downgraded", "AWI-C-POL-02")
        book.change_pool(move.target, points, "downgraded", "AWI-C-POL-02")


def cap_unit_points(book: WeeklyReturns) -> None:
    """Step 6: no unit keeps more than 120 points (AWI-C-OVR-01)."""
    for unit in list(book.in_order()):
        book.cap(unit)


def raise_units(
    book: WeeklyReturns, asked: tuple[str, ...], placements: Mapping[str, str], first: tuple[str, ...] = ()
) -> None:
    """Step 9: each 100 points of a pool make a unit, eliminated ones first (AWI-C-POL-03).

    Of those the ones named in `first`, in turn, then the longest eliminated (HR-REC-07). With
    `auto_raise_units` off only the pools in `asked` do, one unit for each time they are named.
    """
    waiting = _list_units_to_rebuild(book, first)
    pools = sorted(book.pools) if book.settings.auto_raise_units else list(asked)
    for pool in pools:
        again = True
        while again and book.pools.get(pool, 0) >= BASIC_POINTS:
            raised = _raise_one(book, pool, waiting.get(pool, []), placements)
            again = raised and book.settings.auto_raise_units


def new_unit(book: WeeklyReturns, pool: str) -> Unit:
    """A standard unit of a pool, not yet on the map, with an id no unit has had.

    The American militia pool gives militia, the other American pools Continentals; batteries
    come as light field guns (HR-REC-05).
    """
    nation, arm = parse_pool(pool, "pool")
    ordinal = 1
    while f"new-{nation}-{arm}-{ordinal}" in book.units:
        ordinal += 1
    of_nation = "" if nation is PoolNation.AMERICAN else f" {nation.value.capitalize()}"
    return Unit(
        id=f"new-{nation}-{arm}-{ordinal}",
        name=f"New{of_nation} {_TITLES[arm]}, {_format_ordinal(ordinal)} (week {book.day // 7})",
        side="".join(book.owner(pool)),
        nation=_choose_nation(nation, arm),
        troop_type=NEW_UNIT_TYPES[nation][arm],
        points=0,
        formation="",
        gun_class=GunClass.LIGHT if arm is PoolArm.ARTILLERY else GunClass.NONE,
        arrives=book.day,
    )


def _raise_one(book: WeeklyReturns, pool: str, waiting: list[Unit], placements: Mapping[str, str]) -> bool:
    """Raise or rebuild one unit; False when it has no place or its nation raises none."""
    nation, arm = parse_pool(pool, "pool")
    if arm not in NEW_UNIT_TYPES.get(nation, {}) or not book.owner(pool):
        return False
    unit = waiting[0] if waiting else new_unit(book, pool)
    place, rolls = choose_place(book, unit, placements, RAISED)
    if not place:
        tell_waiting(book, unit)
        return False
    book.change_pool(pool, -BASIC_POINTS, "pool_spent", "AWI-C-POL-03", for_unit=unit.id)
    if waiting:
        waiting.pop(0)
        kind, rule = "unit_rebuilt", "AWI-C-ELI-01"
    else:
        kind, rule = "unit_raised", "AWI-C-POL-03"
    placed = place_unit(book, unit, place, BASIC_POINTS)
    book.tell(kind, rule, placed, before=0, after=BASIC_POINTS, rolls=rolls, place=place)
    return True


def _list_units_to_rebuild(book: WeeklyReturns, first: tuple[str, ...]) -> dict[str, list[Unit]]:
    """Units to be rebuilt by pool: those named first, then the longest eliminated."""
    ranks = {key: number for number, key in enumerate(first)}
    found: dict[str, list[Unit]] = {}
    for unit in book.in_order():
        if unit.status is UnitStatus.ELIMINATED and counts_in_returns(unit, book.day):
            found.setdefault(unit.pool, []).append(unit)
    for units in found.values():
        units.sort(key=lambda unit: (ranks.get(unit.id, len(ranks)), unit.since, unit.id))
    return found


def _choose_nation(nation: PoolNation, arm: PoolArm) -> Nation:
    if nation is PoolNation.AMERICAN:
        return Nation.AMERICAN_MILITIA if arm is PoolArm.MILITIA else Nation.CONTINENTAL
    return Nation(nation.value)


def _format_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
