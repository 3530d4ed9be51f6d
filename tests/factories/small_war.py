"""A small war for tests of the staff: one road from Montreal to Albany, posts a short day apart.

Montreal -- St Johns -- Crown Point -- Ticonderoga (a fort) -- Fort Edward -- Saratoga -- Albany,
with a side road from Fort Edward to Bennington. Not the real map: eight miles from post to post.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from itertools import pairwise

from campaign.rules.map.atlas import Atlas, Fortification, Place, Route, route_id
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Objective, Position, Side, Theatre, Unit, World
from rosters.domain.vocabulary import Nation, TroopType

ROAD = ("montreal", "st_johns", "crown_point", "ticonderoga", "fort_edward", "saratoga", "albany")
WORKS: dict[str, Fortification] = {"ticonderoga": "fort"}
MILES = 8


def small_atlas() -> Atlas:
    names = (*ROAD, "bennington")
    places = [
        Place(
            id=name,
            name=name.replace("_", " ").title(),
            lat=45.5 - 0.1 * index,
            lon=-73.5,
            kind="town",
            terrain="farmland",
            fortification=WORKS.get(name, "none"),
        )
        for index, name in enumerate(names)
    ]
    pairs = [*pairwise(ROAD), ("fort_edward", "bennington")]
    return Atlas.of(places, [_road(a, b) for a, b in pairs])


def _road(a: str, b: str) -> Route:
    return Route(route_id(a, b, "road"), a, b, "road", MILES * 1760, "farmland")


OBJECTIVES = (
    Objective("ticonderoga", "crown", 10, 5),
    Objective("albany", "crown", 20, 1),
    Objective("bennington", "crown", 2, 1),
    Objective("ticonderoga", "rebel", 10, 1),
    Objective("saratoga", "rebel", 4, 2),
    Objective("albany", "rebel", 20, 4),
)


def small_world(
    forces: Mapping[str, tuple[str, str, int]],
    *,
    crown_holds: Iterable[str] = ROAD[:3],
    objectives: Iterable[Objective] = OBJECTIVES,
    garrisons: Iterable[str] = (),
    day: int = 0,
) -> World:
    """A world of `forces`: formation id -> (side, place, number of full battalions of 5 SP)."""
    held = set(crown_holds)
    atlas = small_atlas()
    holders = {name: "crown" if name in held else "rebel" for name in atlas.places}
    theatre = Theatre(
        id="small-war",
        title="A small war",
        start=date(1777, 6, 15),
        end=date(1777, 10, 18),
        atlas=atlas,
        sides=(Side("crown", "Crown", "#a02020"), Side("rebel", "United States", "#204080")),
        musters={},
        supply={"crown": ("montreal",), "rebel": ("albany",)},
        objectives=tuple(objectives),
        holders=holders,
    )
    formations, units = {}, {}
    for name, (side, place, battalions) in forces.items():
        formations[name] = Formation(
            name, name.title(), side, Position(place=place), garrison=name in set(garrisons)
        )
        crown = side == "crown"
        for number in range(battalions):
            key = f"{name}_{number}"
            units[key] = Unit(
                id=key,
                name=f"{name.title()} battalion {number + 1}",
                side=side,
                nation=Nation.LOYALIST if crown else Nation.CONTINENTAL,
                troop_type=TroopType.LOYALIST_LINE if crown else TroopType.CONTINENTAL_LINE,
                points=100,
                formation=name,
            )
    return World(
        theatre=replace(theatre, order_of_battle=units),
        settings=RuleSettings(),
        day=day,
        units=units,
        formations=formations,
        holders=holders,
        pools={},
    )


def moved(world: World, formation: str, place: str) -> World:
    """The same world with one formation at another place."""
    there = replace(world.formations[formation], position=Position(place=place))
    return replace(world, formations={**world.formations, formation: there})
