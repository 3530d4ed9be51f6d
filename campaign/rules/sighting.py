"""The first fog rule: a side sees its own places and columns, and what is next to them (HR-FOG-01)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from campaign.rules.atlas import Atlas
from campaign.rules.field import strength_of
from campaign.rules.world import Formation, Position, Unit, World, present_units

#: Estimates of an enemy's strength are given in steps of so many SP (HR-FOG-02).
ESTIMATE_STEP = 5


@dataclass(frozen=True, slots=True)
class Sighting:
    """An enemy formation as it is seen: `sp` is an estimate, to the nearest 5 and at least 5."""

    name: str
    side: str
    position: Position
    sp: int


@dataclass(frozen=True, slots=True)
class SideView:
    """What a side knows: its own formations in full, enemies in sight, and who holds which place.

    `visible` and `routes` are the places and routes it sees. Of a place out of sight `holders` has
    what `known_holders` gives; where an army marches beyond is hidden too (HR-FOG-01).
    """

    side: str
    own: tuple[Formation, ...]
    enemies: tuple[Sighting, ...]
    holders: Mapping[str, str]
    visible: frozenset[str]
    routes: frozenset[str]


def side_view(world: World, side: str) -> SideView:
    """The world as `side` may know it (HR-FOG-01)."""
    present = present_units(world)
    own = tuple(
        world.formations[key] for key in sorted(world.formations) if world.formations[key].side == side
    )
    places, routes = side_sees(world, side, present)
    enemies = []
    for key in sorted(world.formations):
        other = world.formations[key]
        if other.side == side or other.position is None or key not in present:
            continue
        if other.position.place in places or other.position.route in routes:
            enemies.append(
                Sighting(other.name, other.side, other.position, estimate(strength_of(present[key])))
            )
    return SideView(side, own, tuple(enemies), known_holders(world, side, places), places, routes)


def known_holders(world: World, side: str, visible: frozenset[str]) -> dict[str, str]:
    """Who holds each place as `side` believes it, by place in order of id (HR-FOG-01).

    Out of sight a place counts as on the first morning, but for one that the side held then and
    has lost: that it knows to be the enemy's.
    """
    theatre = world.theatre
    known = {}
    for place in sorted({*theatre.holders, *world.holders}):
        first, now = theatre.holders.get(place, ""), world.holders.get(place, "")
        if place in visible:
            holder = now
        elif first == side:  # its own places are in sight, so this one is lost
            holder = theatre.enemy_of(side)
        else:
            holder = first
        if holder:
            known[place] = holder
    return known


def side_sees(
    world: World, side: str, present: Mapping[str, Sequence[Unit]]
) -> tuple[frozenset[str], frozenset[str]]:
    """Places and routes a side sees; `present` holds the units on the map by formation (HR-FOG-01)."""
    own = (formation for key, formation in world.formations.items() if key in present)
    positions = [each.position for each in own if each.side == side and each.position is not None]
    held = [place for place, holder in world.holders.items() if holder == side]
    return in_sight(world.theatre.atlas, positions, held)


def in_sight(
    atlas: Atlas, positions: Iterable[Position], held: Iterable[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Places and routes in sight of columns at `positions` and of the places a side holds (HR-FOG-01).

    From a place one sees the routes that leave it and the places at their ends; from a route, that
    route and its two ends.
    """
    posts, near, routes = set(held), set[str](), set[str]()
    for position in positions:
        if position.place:
            posts.add(position.place)
        else:
            routes.add(position.route)
            near |= {position.origin, position.destination}
    for place in posts:
        for route in atlas.routes_at(place):
            routes.add(route.id)
            near.add(route.other(place))
    return frozenset(posts | near), frozenset(routes)


def estimate(sp: int) -> int:
    """A rough strength: to the nearest 5 SP, halves up, never less than 5 (HR-FOG-02)."""
    return max(ESTIMATE_STEP, (2 * sp + ESTIMATE_STEP) // (2 * ESTIMATE_STEP) * ESTIMATE_STEP)
