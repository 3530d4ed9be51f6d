"""Counters on the map as headquarters knows them, where couriers are played (HR-COU-04).

Its own counters within half a day's ride it sees as they are. All others are as it last heard, and
`Watch.counters` holds that. In the evening columns and posts near by tell at once what lies on the ground
they see; those apart write it in their reports.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from campaign.rules.dispatches.couriers import days_behind, find_headquarters
from campaign.rules.map.atlas import Atlas
from campaign.rules.map.bridges import is_known_to
from campaign.rules.march.boats import WITH
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Bridge, Felled, Raft
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Position, World
from campaign.rules.world.world_json import marker_to_json, markers_from_json

#: Counters at places, and those on routes; terms may be asked at either.
AT_PLACES = ("works", "boats", "sieges", "terms", "magazines")
ON_ROUTES = ("bridges", "rafts", "felled")
KINDS = (*AT_PLACES, *ON_ROUTES)

#: Counters by kind and in JSON values, by the place, route or formation afloat they are about.
Ground = dict[str, dict[str, Any]]


def list_ground_counters(world: World, side: str, subjects: Iterable[str]) -> Ground:
    """The counters on these places and routes, by subject; an empty entry where there are none."""
    found: Ground = {subject: {} for subject in subjects}
    for kind in KINDS:
        rows: Mapping[str, Any] = getattr(world, kind)
        for subject in found.keys() & rows.keys():
            row = rows[subject]
            if isinstance(row, Bridge | Raft | Felled):
                if not is_known_to(row, side):
                    continue
                row = replace(row, known_by=side)  # whether the enemy knows too is not told
            found[subject][kind] = marker_to_json(row)
    return found


def own_ground(world: World, side: str) -> Ground:
    """A side's own counters, and the changed crossings and roads it knows of, by what they are about."""
    own = {
        subject
        for kind in KINDS
        for subject, row in getattr(world, kind).items()
        if (is_known_to(row, side) if isinstance(row, Bridge | Raft | Felled) else row.side == side)
    }
    return list_ground_counters(world, side, own)


def list_surroundings(atlas: Atlas, position: Position, formation: str = "") -> set[str]:
    """Subjects a column or post sees besides the places in sight: its routes and its own boats."""
    routes = [route.id for route in atlas.routes_at(position.place)] if position.place else [position.route]
    return {*routes, *({WITH + formation} if formation else ())}


def near_to(
    atlas: Atlas, settings: RuleSettings, seat: Position | None, afar: Callable[[str], bool]
) -> Callable[[str], bool]:
    """A test for counters within half a day's ride of headquarters; all pass if it has no position.

    A route is near with either end; `afar` says which formations are apart.
    """

    def near(subject: str) -> bool:
        if seat is None:
            return True
        if subject.startswith(WITH):
            return not afar(subject.removeprefix(WITH))
        route = atlas.routes.get(subject)
        ends = (subject,) if route is None else (route.a, route.b)
        return any(not days_behind(atlas, settings, Position(place=end), seat) for end in ends)

    return near


def list_reported_counters(world: World, side: str) -> dict[str, Any]:
    """The counters of a world by field, as headquarters knows them.

    Its own near by as they are, and on an open map the enemy's; all others as last reported.
    """
    seat = world.formations.get(find_headquarters(world, side))
    near = near_to(
        world.theatre.atlas,
        world.settings,
        seat.position if seat is not None else None,
        lambda formation: f"{side}/{formation}" in world.reports,
    )
    watch, everything = world.watches.get(side), world.settings.fog == "off"
    told = watch.counters if watch is not None else None
    if told is None:  # nobody has written yet
        told = own_ground(world, side)

    def at_once(kind: str, subject: str, owner: str) -> bool:
        if kind in ON_ROUTES:
            return everything
        return near(subject) if owner == side else everything

    found: dict[str, Any] = {}
    for kind in KINDS:
        reported = {
            subject: rows[kind]
            for subject, rows in told.items()
            if kind in rows and not at_once(kind, subject, rows[kind].get("side", ""))
        }
        now = {
            subject: row
            for subject, row in getattr(world, kind).items()
            if at_once(kind, subject, getattr(row, "side", ""))
        }
        found[kind] = dict(sorted({**markers_from_json(kind, reported), **now}.items()))
    return found


def heard_at_once(world: World, events: Iterable[Event]) -> World:
    """The world after the sides have heard of the umpire's changes on the map (HR-COU-04)."""
    watches = dict(world.watches)
    for event in events:
        subject = event.place or event.route
        for side in event.sides if subject else ():
            watch = watches.get(side)
            if watch is None or watch.counters is None:
                continue
            before = watch.counters.get(subject, {})
            others = {
                kind: row for kind, row in before.items() if kind != "day" and row.get("side", side) != side
            }
            rows = {**others, **own_ground(world, side).get(subject, {})}
            watches[side] = replace(watch, counters={**watch.counters, subject: {"day": world.day, **rows}})
    return replace(world, watches=watches)
