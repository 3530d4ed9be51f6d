"""A small world for the tests of the weekly returns."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from campaign.rules.map.atlas import Atlas, Place
from campaign.rules.returns.returns import WeeklyReturns
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Formation, Position, Side, Theatre, Unit, UnitStatus, World
from rosters.domain.vocabulary import Nation, TroopType
from tests.factories.scripted_dice import ScriptedDice

PLACES = ("albany", "bennington", "saratoga", "stillwater", "quebec", "montreal")
MUSTERS = {"american": ("bennington", "albany"), "loyalist": ("montreal",), "european ports": ("quebec",)}

_KINDS: dict[str, tuple[str, Nation, TroopType, str]] = {
    "continental": ("rebel", Nation.CONTINENTAL, TroopType.CONTINENTAL_LINE, "gates"),
    "militia": ("rebel", Nation.AMERICAN_MILITIA, TroopType.MILITIA, "stark"),
    "british": ("crown", Nation.BRITISH, TroopType.BRITISH_LINE, "burgoyne"),
    "german": ("crown", Nation.GERMAN, TroopType.EUROPEAN_LINE, "burgoyne"),
    "loyalist": ("crown", Nation.LOYALIST, TroopType.LOYALIST_LINE, "burgoyne"),
    "loyalist militia": ("crown", Nation.LOYALIST, TroopType.MILITIA, "burgoyne"),
    "native": ("crown", Nation.NATIVE, TroopType.INDIANS, "burgoyne"),
    "canadian": ("crown", Nation.CANADIAN, TroopType.RANGERS, "burgoyne"),
    "train": ("crown", Nation.BRITISH, TroopType.WAGON, "burgoyne"),
}


def unit(kind: str, name: str, points: int = 100, **more: Any) -> Unit:
    """A unit of one of the kinds above; of 0 points, eliminated (trains apart)."""
    side, nation, troop_type, formation = _KINDS[kind]
    if points == 0 and kind != "train":
        more.setdefault("status", UnitStatus.ELIMINATED)
    facts = {"formation": formation} | more
    return Unit(name, name.title(), side, nation, troop_type, points, **facts)


def week_world(
    units: Iterable[Unit],
    *,
    pools: Mapping[str, int] | None = None,
    holders: Mapping[str, str] | None = None,
    musters: Mapping[str, tuple[str, ...]] = MUSTERS,
    week: int = 1,
    **settings: Any,
) -> World:
    """The world on the morning after a seventh day."""
    theatre = Theatre(
        "toy",
        "Toy",
        date(1777, 6, 15),
        date(1777, 10, 19),
        Atlas.of([Place(name, name.title(), 43, -73, "town", "open") for name in PLACES], []),
        (Side("crown", "Crown", "#a00"), Side("rebel", "Rebels", "#00a")),
        musters,
        {},
    )
    formations = [
        Formation("gates", "Gates", "rebel", Position("stillwater")),
        Formation("stark", "Stark", "rebel", Position("stillwater")),
        Formation("burgoyne", "Burgoyne", "crown", Position("saratoga")),
        Formation("riedesel", "Riedesel", "crown", Position("montreal")),
    ]
    return World(
        theatre=theatre,
        settings=RuleSettings(**settings),
        day=7 * week,
        units={one.id: one for one in units},
        formations={one.id: one for one in formations},
        holders=dict(holders or {}),
        pools=dict(pools or {}),
    )


def book(world: World, dice: Any = ()) -> WeeklyReturns:
    return WeeklyReturns(world, ScriptedDice(dice))


def total(world: World) -> int:
    return sum(one.points for one in world.units.values()) + sum(world.pools.values())
