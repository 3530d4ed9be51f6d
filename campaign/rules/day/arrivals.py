"""Morning arrivals and departures: reinforcements, detachments, levies (HR-ARR, HR-FOR, HR-LEV)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import networkx as nx

from campaign.rules.contact.retreat import shortest_yards
from campaign.rules.day.field import count_strength
from campaign.rules.map.atlas import Atlas
from campaign.rules.scouting.knowledge import list_known_enemies
from campaign.rules.scouting.sighting import find_keenness
from campaign.rules.world.events import Event
from campaign.rules.world.place_control import hand_over
from campaign.rules.world.world import (
    YARDS_PER_MILE,
    Formation,
    Position,
    Unit,
    UnitStatus,
    World,
    present_units,
)
from rosters.domain.dice import DiceRoller


def play_morning(world: World, dice: DiceRoller, weather: str = "fair") -> tuple[World, list[Event]]:
    """The world after the morning's comings and goings: rejoining, arrivals, levies past their time."""
    world, events = rejoin_detachments(world, 0)
    world, happened = place_arrivals(world, 0, weather)
    events += happened
    world, happened = levies_leave(world, dice)
    return empty_formations(world), events + happened


# --- detachments (HR-FOR-01) ---


def rejoin_detachments(world: World, minute: int) -> tuple[World, list[Event]]:
    """Detachments that stand where their parent formation stands become part of it again (HR-FOR-01)."""
    events: list[Event] = []
    units, formations = dict(world.units), dict(world.formations)
    joined: dict[str, str] = {}
    for key in sorted(formations):
        part = formations[key]
        parent = formations.get(part.parent)
        if parent is None or part.position is None or part.position != parent.position:
            continue
        if not part.position.place or parent.side != part.side:
            continue
        joined[key] = parent.id
        formations[key] = replace(part, position=None, order=None, marched=0, light_days=0)
        events.append(
            Event(
                "rejoined",
                minute,
                "HR-FOR-01",
                (part.side,),
                formation=key,
                place=part.position.place,
                data={"parent": parent.id},
            )
        )
    if not joined:
        return world, []
    for key, unit in world.units.items():
        if unit.formation in joined:
            units[key] = replace(unit, formation=_find_final_formation(unit.formation, joined))
    return replace(world, units=units, formations=formations), events


def _find_final_formation(formation: str, joined: Mapping[str, str]) -> str:
    while formation in joined:
        formation = joined[formation]
    return formation


def empty_formations(world: World) -> World:
    """Formations without a unit on the map stand nowhere and have no order (HR-FOR-01)."""
    present = present_units(world)
    gone = {
        key: replace(formation, position=None, order=None, marched=0, light_days=0)
        for key, formation in world.formations.items()
        if formation.position is not None and key not in present
    }
    return replace(world, formations={**world.formations, **gone}) if gone else world


# --- reinforcements (HR-ARR-01) ---


def place_arrivals(world: World, minute: int, weather: str = "fair") -> tuple[World, list[Event]]:
    """Expected units whose day has come appear (HR-ARR-01).

    At `home`, or at the nearest post of their own if the enemy is there; if there is none they
    wait. They join their formation if it is at that place or nowhere, else form a detachment. They
    land one by one, in order of id: a place nobody held is closed to the enemy by the first.
    """
    due = [
        world.units[key]
        for key in sorted(world.units)
        if world.units[key].status is UnitStatus.EXPECTED and world.units[key].arrives <= world.day
    ]
    if not due:
        return world, []
    present = present_units(world)
    occupied = _list_sides_by_place(world, present)
    units, formations, holders = dict(world.units), dict(world.formations), dict(world.holders)
    for key, formation in formations.items():
        if formation.position is not None and key not in present:
            formations[key] = replace(formation, position=None, order=None)
    events: list[Event] = []
    for unit in due:
        place = _find_arrival_place(world, unit, holders, occupied)
        if place is None:
            events.append(
                Event("arrival_waits", minute, "HR-ARR-01", (unit.side,), unit=unit.id, place=unit.home)
            )
            continue
        formation = _formation_at(world, formations, unit, place)
        formations[formation.id] = formation
        units[unit.id] = replace(unit, status=UnitStatus.PRESENT, since=world.day, formation=formation.id)
        events.append(
            Event(
                "arrived",
                minute,
                "HR-ARR-01",
                (unit.side,),
                unit=unit.id,
                formation=formation.id,
                place=place,
                data={"points": unit.points, "expected_at": unit.home},
            )
        )
        occupied.setdefault(place, set()).add(unit.side)
        if not holders.get(place) and count_strength([unit]):
            stands = [
                (each.side, each.position, find_keenness(present.get(key, ()), world.settings))
                for key, each in formations.items()
                if each.position is not None
            ]
            taker = (unit.side, formation.id)
            events.append(
                hand_over(world.theatre, holders, place, taker, minute, stands, world.settings, weather)
            )
    return replace(world, units=units, formations=formations, holders=holders), events


def _list_sides_by_place(world: World, present: Mapping[str, list[Unit]]) -> dict[str, set[str]]:
    """Sides with units at each place."""
    found: dict[str, set[str]] = {}
    for key, formation in world.formations.items():
        if formation.position is not None and formation.position.place and key in present:
            found.setdefault(formation.position.place, set()).add(formation.side)
    return found


def _find_arrival_place(
    world: World, unit: Unit, holders: Mapping[str, str], occupied: Mapping[str, set[str]]
) -> str | None:
    atlas = world.theatre.atlas

    def friendly(place: str, wanted: tuple[str, ...]) -> bool:
        return holders.get(place, "") in wanted and not occupied.get(place, set()) - {unit.side}

    if unit.home not in atlas.places:
        return None
    if friendly(unit.home, ("", unit.side)):
        return unit.home
    if world.settings.arrivals_shut_out == "wait":
        return None
    yards = nx.single_source_dijkstra_path_length(atlas.graph, unit.home, weight=shortest_yards)
    posts = [place for place in yards if friendly(place, (unit.side,))]
    return min(posts, key=lambda place: (yards[place], place), default=None)


def _formation_at(world: World, formations: Mapping[str, Formation], unit: Unit, place: str) -> Formation:
    """The unit's own formation if it is there or nowhere, else a detachment of it at that place."""
    here = Position(place=place)
    own = formations.get(unit.formation) or Formation(unit.formation, unit.formation, unit.side)
    if own.position is None or own.position == here:
        return replace(own, position=here)
    number = 1
    while True:
        key = f"{own.id}-at-{place}" + ("" if number == 1 else f"-{number}")
        known = formations.get(key)
        if known is None:
            name = f"{own.name}, detachment at {world.theatre.atlas.places[place].name}"
            return Formation(key, name, unit.side, here, parent=own.id)
        if known.position is None or known.position == here:
            return replace(known, position=here)
        number += 1


# --- levies past their time (HR-LEV-01) ---


def levies_leave(world: World, dice: DiceRoller) -> tuple[World, list[Event]]:
    """Each unit whose term ran out before today rolls to stay, easier with an enemy seen near (HR-LEV-01)."""
    due = [
        world.units[key]
        for key in sorted(world.units)
        if world.units[key].status is UnitStatus.PRESENT and _term_is_over(world.units[key], world.day)
    ]
    if not due:
        return world, []
    settings = world.settings
    units, events = dict(world.units), []
    near: dict[tuple[Position, str], bool] = {}
    for unit in due:
        position = world.formations[unit.formation].position
        if position is None:
            continue
        key = (position, unit.side)
        if key not in near:
            near[key] = is_enemy_within(world, position, unit.side, settings.levies_enemy_miles)
        needed = settings.levies_stay_near_enemy_on if near[key] else settings.levies_stay_on
        roll = dice.roll("HR-LEV-01", unit.id)
        stays = roll.value >= needed
        if not stays:
            units[unit.id] = replace(unit, status=UnitStatus.DEPARTED, since=world.day)
        events.append(
            Event(
                "levy_stays" if stays else "levy_departed",
                0,
                "HR-LEV-01",
                (unit.side,),
                unit=unit.id,
                formation=unit.formation,
                rolls=(roll,),
                data={"needed": needed, "points": unit.points},
            )
        )
    return replace(world, units=units), events


def _term_is_over(unit: Unit, day: int) -> bool:
    return unit.departs is not None and unit.departs < day


def is_enemy_within(world: World, position: Position, side: str, miles: int, *, days: int = 0) -> bool:
    """True if `side` has an enemy formation in sight within `miles` of a position, by route.

    With `days` one counts too that was reported so many days ago, where it was. Only of what the side
    knows, or the levies' die would give hidden enemies away (HR-FOG-01).
    """
    limit = miles * YARDS_PER_MILE
    atlas = world.theatre.atlas
    reach = _yards_from(atlas, position, limit)
    for enemy in list_known_enemies(world, side):
        if not enemy.in_sight and (not days or world.day - enemy.day > days):
            continue
        if enemy.position.route and enemy.position.route == position.route:
            apart = abs(_from_a(atlas, enemy.position) - _from_a(atlas, position))
            if apart <= limit:
                return True
        for place, yards in _list_end_yards(atlas, enemy.position):
            if reach.get(place, limit + 1) + yards <= limit:
                return True
    return False


def _yards_from(atlas: Atlas, position: Position, limit: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for start, spent in _list_end_yards(atlas, position):
        if spent <= limit:
            lengths: Mapping[str, float] = nx.single_source_dijkstra_path_length(
                atlas.graph, start, cutoff=limit - spent, weight=shortest_yards
            )
            for place, yards in lengths.items():
                found[place] = min(found.get(place, limit + 1), spent + int(yards))
    return found


def _list_end_yards(atlas: Atlas, position: Position) -> Iterable[tuple[str, int]]:
    """A position's own place, or both ends of its route with the yards to them."""
    if position.place:
        return ((position.place, 0),)
    length = atlas.routes[position.route].yards
    return ((position.origin, position.yards), (position.destination, length - position.yards))


def _from_a(atlas: Atlas, position: Position) -> int:
    route = atlas.routes[position.route]
    return position.yards if position.origin == route.a else route.yards - position.yards
