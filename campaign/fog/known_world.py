"""A side's knowledge of the world as plain data and back, for programs that command it from outside. Pure.

`known_world` has nothing in it that `side_view` would not tell: the side's own columns and units as last
reported, enemies as reports by numbers of its own, what it believes of places, counters it knows of. The
staff (`campaign.ai.commander`) orders from it what it orders from the whole world; a test holds that.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from campaign.rules.army.quality import general_quality
from campaign.rules.map.atlas import Atlas, Place, Route
from campaign.rules.map.bridges import is_known_to
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.scouting.knowledge import SideView, build_reported_world, reports_of, side_view
from campaign.rules.world.markers import Report
from campaign.rules.world.world import Formation, Objective, Side, Theatre, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_to_json

#: Counters of whose side one knows in sight, and those of routes that are known or not.
AT_PLACES = ("works", "boats", "sieges", "terms", "magazines")
ON_ROUTES = ("bridges", "rafts", "felled")


@dataclass(frozen=True, slots=True)
class Known:
    """A morning as a side knows it. `enemy_quality` is how its staff weighs enemies, percent (HR-BOT-07)."""

    side: str
    world: World
    enemy_quality: int


def known_of(world: World, side: str) -> Known:
    """Return the knowledge of `side` on the morning of `world.day`."""
    return Known(side, known_world(world, side), general_quality(world.theatre, world.theatre.enemy_of(side)))


def known_world(world: World, side: str) -> World:
    """A world with nothing in it but what `side` knows (HR-FOG-01)."""
    if side not in world.watches:
        world = first_look(world)
    world = build_reported_world(world, side)
    view = side_view(world, side)
    counters: dict[str, Any] = {name: _at_places(getattr(world, name), view) for name in AT_PLACES}
    counters |= {name: _on_routes(getattr(world, name), side) for name in ON_ROUTES}
    return World(
        theatre=world.theatre,
        settings=world.settings,
        day=world.day,
        units={
            key: unit
            for key, unit in world.units.items()
            if unit.side == side and unit.status is UnitStatus.PRESENT
        },
        formations={one.id: one for one in view.own} | _in_sight(view),
        holders=dict(view.holders),
        pools={},
        ended=world.ended,
        reports={f"{side}/{one.formation}": one for one in _list_side_reports(world, side)},
        watches={side: world.watches[side]},
        **counters,
    )


def _in_sight(view: SideView) -> dict[str, Formation]:
    """Enemies in sight, who stand where they were seen."""
    seen = (each for each in view.enemies if each.in_sight)
    return {
        seen_id(each.number): Formation(seen_id(each.number), each.name, each.side, each.position)
        for each in seen
    }


def _list_side_reports(world: World, side: str) -> list[Report]:
    """The side's reports; an enemy goes by the number it has for him."""
    return [
        report if report.side == side else replace(report, formation=seen_id(report.number), state={})
        for report in reports_of(world, side).values()
    ]


def _at_places(counters: Mapping[str, Any], view: SideView) -> dict[str, Any]:
    return {key: one for key, one in counters.items() if one.side == view.side or key in view.visible}


def _on_routes(counters: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Those the side knows of; whether the enemy knows too is not told."""
    return {key: replace(one, known_by=side) for key, one in counters.items() if is_known_to(one, side)}


def seen_id(number: int) -> str:
    """By what an enemy goes on the maps of the side that calls him by a number."""
    return f"seen-{number}"


# --- as JSON ---


def known_to_json(known: Known) -> dict[str, Any]:
    """Return a side's knowledge as JSON values: a world's (`world_to_json`), without its theatre."""
    return {
        "side": known.side,
        "enemy_quality": known.enemy_quality,
        "world": world_to_json(known.world),
    }


def known_from_json(data: Mapping[str, Any], theatre: Theatre) -> Known:
    """The inverse of `known_to_json`."""
    return Known(data["side"], world_from_json(data["world"], theatre), data["enemy_quality"])


def build_known_theatre(theatre: Theatre, side: str) -> dict[str, Any]:
    """Return the part of a scenario that both sides know, as JSON values; of the objectives those of `side`.

    Weather, musters and reinforcements to come are not in it: some of that nobody can know.
    """
    return {
        "id": theatre.id,
        "title": theatre.title,
        "start": theatre.start.isoformat(),
        "end": theatre.end.isoformat(),
        "sides": [asdict(each) for each in theatre.sides],
        "places": [asdict(place) for _, place in sorted(theatre.atlas.places.items())],
        "routes": [_build_route_json(route) for _, route in sorted(theatre.atlas.routes.items())],
        "supply": {each: list(places) for each, places in sorted(theatre.supply.items())},
        "objectives": [asdict(each) for each in theatre.objectives if each.side == side],
        "holders": dict(sorted(theatre.holders.items())),
    }


def _build_route_json(route: Route) -> dict[str, Any]:
    told = asdict(route)
    del told["broken"], told["felled"]  # never the map's own
    return told


def theatre_from(told: Mapping[str, Any]) -> Theatre:
    """The inverse of `build_known_theatre`, with nothing where it does not tell."""
    return Theatre(
        id=told["id"],
        title=told["title"],
        start=date.fromisoformat(told["start"]),
        end=date.fromisoformat(told["end"]),
        atlas=Atlas.of(
            (Place(**place) for place in told["places"]), (Route(**route) for route in told["routes"])
        ),
        sides=tuple(Side(**each) for each in told["sides"]),
        musters={},
        supply={side: tuple(places) for side, places in told["supply"].items()},
        objectives=tuple(Objective(**each) for each in told["objectives"]),
        holders=dict(told["holders"]),
    )
