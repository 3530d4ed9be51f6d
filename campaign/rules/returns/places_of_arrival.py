"""Places where returning and new units appear (AWI-C-POL-05, HR-FOR-02)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from campaign.rules.errors import RuleViolation
from campaign.rules.returns.returns import WEEKS_END, WeeklyReturns
from campaign.rules.world.events import Event
from campaign.rules.world.world import Formation, Position, Theatre, Unit, UnitStatus, World
from rosters.domain.dice import Roll
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION, PoolNation

#: Key of the ports where overseas nations land that have none of their own listed.
EUROPEAN_PORTS = "european ports"

#: Index of the location die by occasion, so that one unit can throw both in one week.
RETURNING, RAISED = 0, 1


@dataclass(frozen=True, slots=True)
class Placement:
    """The umpire's place for `subject`: a unit id, or a pool ("nation/arm") for all its units."""

    subject: str
    place: str


def muster_places(theatre_musters: Mapping[str, tuple[str, ...]], nation: PoolNation) -> tuple[str, ...]:
    """Places listed for a pool nation; overseas nations fall back on the common ports."""
    listed = theatre_musters.get(nation.value, ())
    if not listed and nation in EUROPEAN:
        return theatre_musters.get(EUROPEAN_PORTS, ())
    return listed


def nations_gathering(theatre: Theatre, side: str) -> set[PoolNation]:
    """Nations that may gather where a side is on the first morning: its own, as far as anybody knows."""
    return {
        nation
        for nation in PoolNation
        if any(theatre.holders.get(place) == side for place in muster_places(theatre.musters, nation))
    }


def free_places(book: WeeklyReturns, nation: PoolNation, side: str) -> tuple[str, ...]:
    """Muster places of a nation that the enemy of `side` does not hold."""
    listed = muster_places(book.theatre.musters, nation)
    return tuple(place for place in listed if book.holders.get(place, "") in ("", side))


def choose_place(
    book: WeeklyReturns, unit: Unit, placements: Mapping[str, str], occasion: int
) -> tuple[str, tuple[Roll, ...]]:
    """The place where `unit` appears, with its die; "" if it must wait a week (AWI-C-POL-05).

    One die with as many sides as there are free places; no die for a single place. With
    `umpire_places` the umpire's word is taken, for the unit or else for its pool.
    """
    if book.settings.location_choice == "umpire_places":
        return placements.get(unit.id) or placements.get(unit.pool, ""), ()
    free = free_places(book, POOL_NATION[unit.nation], unit.side)
    if len(free) < 2:
        return "".join(free), ()
    roll = book.dice.roll("AWI-C-POL-05", unit.id, occasion, sides=len(free))
    return free[roll.value - 1], (roll,)


def place_unit(book: WeeklyReturns, unit: Unit, place: str, points: int) -> Unit:
    """Put `unit` on the map at `place` with `points`, and give it as it now stands (HR-FOR-02)."""
    formation = formation_at(book, unit, place)
    placed = replace(unit, points=points, status=UnitStatus.PRESENT, since=book.day, formation=formation)
    book.units[unit.id] = placed
    return placed


def formation_at(book: WeeklyReturns, unit: Unit, place: str) -> str:
    """The side's formation at `place`, garrisons apart, first by id; else a new one (HR-FOR-02)."""
    key = book.gathering.get((unit.side, place))
    if key is None:
        key = _new_formation(book, unit, place)
        book.gathering[unit.side, place] = key
    return key


def tell_waiting(book: WeeklyReturns, unit: Unit) -> None:
    """No place is free: the unit waits a week (AWI-C-POL-05)."""
    book.events.append(
        Event("muster_waits", WEEKS_END, "AWI-C-POL-05", (unit.side,), unit=unit.id, pool=unit.pool)
    )


def verify_placement(world: World, placement: Placement, side: str) -> None:
    """Raise RuleViolation unless the umpire may put units of `side` at the place (AWI-C-POL-05)."""
    if world.settings.location_choice != "umpire_places":
        raise RuleViolation(
            "AWI-C-POL-05",
            "Places are diced for in this campaign; leave them out, or set location_choice to umpire_places.",
            "placements",
        )
    if placement.place not in world.theatre.atlas.places:
        raise RuleViolation(
            "AWI-C-POL-05",
            f"There is no place called {placement.place}; choose one on the map.",
            "placements",
        )
    if world.holders.get(placement.place, "") not in ("", side):
        raise RuleViolation(
            "AWI-C-POL-05",
            f"The enemy holds {placement.place}; choose another place for {placement.subject}.",
            "placements",
        )


def _new_formation(book: WeeklyReturns, unit: Unit, place: str) -> str:
    """A formation raised where recruits gather. Its id is free, or that of one now off the map."""
    base = f"muster-{unit.side}-{place}"
    key, count = base, 1
    while key in book.formations and book.formations[key].position is not None:
        count += 1
        key = f"{base}-{count}"
    known = book.theatre.atlas.places.get(place)
    who = "Militia" if unit.is_militia else "Reinforcements"
    book.formations[key] = Formation(
        key, f"{who} mustering at {known.name if known else place}", unit.side, Position(place=place)
    )
    return key
