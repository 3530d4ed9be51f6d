"""Random small wars for property tests: worlds, orders of any kind, acts of organisation, results."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

from campaign.rules.army.organisation import (
    Detach,
    Escort,
    Garrison,
    Join,
    Organisation,
    Transfer,
    detachment_id,
)
from campaign.rules.contact.casualties import UnitLoss
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.day.weather import WEATHERS
from campaign.rules.map.atlas import Atlas, Place, RouteKind
from campaign.rules.map.bridges import ROADS
from campaign.rules.orders.orders import list_formation_units
from campaign.rules.world.markers import NOBODY, Boats, Bridge, Felled, Raft, Siege, Works
from campaign.rules.world.outcome import Completed
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Activity, Order, Stage, UnitStatus, World
from rosters.domain.vocabulary import GunClass, Nation, TroopType
from tests.factories.little_wars import battalion, day_dice, little_world, place, way

NAMES = ("albany", "bennington", "castleton", "dorset", "easton", "fairfield")
LAND: tuple[RouteKind, ...] = ("road", "track", "trail")
CROSSINGS: tuple[dict[str, Any], ...] = ({}, {"crossing": "bridge"}, {"crossing": "ferry"})
TYPES = (TroopType.CONTINENTAL_LINE, TroopType.MILITIA, TroopType.INDIANS, TroopType.WAGON)


def random_war(seed: int) -> World:
    """Six places, eight or nine routes (some side by side), up to eight columns."""
    draw = random.Random(seed)
    pairs = [(NAMES[n], NAMES[(n + 1) % 6]) for n in range(6)] + [(NAMES[0], NAMES[3])]
    routes = [
        way(
            a,
            b,
            draw.randint(2, 14),
            draw.choice(("road", "track", "trail")),
            **CROSSINGS[draw.randint(0, 2)],
        )
        for a, b in pairs
    ]
    routes += [way(NAMES[1], NAMES[2], 9, "river", flow="ab"), way(NAMES[0], NAMES[1], 5, "highway")]
    ports = {"bennington", "castleton"}
    places = [
        place(name, draw.choice(("none", "none", "fort")), "river" if name in ports else "none")
        for name in NAMES
    ]
    forces = {}
    for number in range(draw.randint(2, 8)):
        forces[f"column_{number}"] = (draw.choice(("crown", "rebel")), draw.choice(NAMES), draw.randint(1, 3))
    world = little_world(
        places,
        routes,
        forces,
        holders={name: draw.choice(("crown", "rebel")) for name in NAMES if draw.random() < 0.7},
        supply={"crown": (NAMES[0],), "rebel": (NAMES[3],)},
        settings=RuleSettings(
            tiny_fights=draw.choice(("settle", "evade")), boats=draw.choice(("unlimited", "counted"))
        ),
        weather=draw.choice(("fair", "rain", "fog")),
        days=6,
    )
    units = dict(world.units)
    for key in units:
        kind = draw.choice(TYPES)
        points = 0 if kind is TroopType.WAGON else draw.choice((5, 40, 100, 120))
        nation = Nation.AMERICAN_MILITIA if kind is TroopType.MILITIA else units[key].nation
        departs = 1 if draw.random() < 0.1 else None
        units[key] = replace(units[key], troop_type=kind, points=points, nation=nation, departs=departs)
    for side in ("crown", "rebel"):
        late = battalion(f"late_{side}", side, "column_0", home=draw.choice(NAMES), arrives=2)
        if world.formations["column_0"].side == side:
            units[late.id] = replace(late, status=UnitStatus.EXPECTED)
    if draw.random() < 0.5:
        lying = {
            name: Boats(draw.choice(("crown", "rebel")), draw.randint(1, 8) * 125) for name in sorted(ports)
        }
        world = replace(world, boats=lying, works={NAMES[4]: Works("rebel", 2, 30)})
    return replace(world, units=units)


def random_orders(world: World, draw: random.Random) -> dict[str, Order]:
    given = {}
    for key in sorted(world.formations):
        if draw.random() < 0.4:
            given[key] = random_activity(world, key, draw)
        elif draw.random() < 0.6:
            via = tuple(draw.sample(NAMES, draw.randint(0, 2)))
            pace: Any = draw.choice(("normal", "plus_half", "double"))
            stance: Any = draw.choice(("attack", "give_battle", "delay", "avoid"))
            given[key] = Order(key, via, pace, stance, draw.random() < 0.2)
    return given


def random_activity(world: World, key: str, draw: random.Random) -> Order:
    """An order of any kind, sensible or not: late marches, chases, work, boats, stages."""
    stance: Any = draw.choice(("attack", "give_battle", "delay", "avoid"))
    activity: Any = draw.choice(get_args(Activity))
    target = draw.choice((str(draw.randint(1, 6)), draw.choice(sorted(world.theatre.atlas.routes))))
    via = tuple(draw.sample(NAMES, draw.randint(0, 2))) if activity in ("march", "rest") else ()
    stages = tuple(
        Stage(
            (draw.choice(NAMES),),
            wait=draw.randint(0, 2),
            when=draw.choice(("always", "enemy", "no_enemy", "held")),
            miles=draw.randint(0, 20),
            subject=draw.choice(NAMES),
            by_water=draw.random() < 0.2,
        )
        for _ in range(draw.choice((0, 0, 1, 2)))
        if activity not in ("follow", "intercept")
    )
    return Order(
        key,
        via,
        draw.choice(("normal", "plus_half", "double")),
        stance,
        draw.random() < 0.1,
        activity,
        target,
        draw.choice((0, 0, 200, 900)) if activity in ("march", "follow", "intercept") else 0,
        draw.random() < 0.3,
        stages,
    )


def random_organisation(world: World, draw: random.Random) -> list[Organisation]:
    """Acts of any kind, possible or not."""
    formations, units = sorted(world.formations), sorted(world.units)
    acts: list[Organisation] = []
    for key in formations:
        other, some = draw.choice(formations), tuple(draw.sample(units, draw.randint(1, min(2, len(units)))))
        own = tuple(unit.id for unit in list_formation_units(world, key)[:1])
        kinds: list[Organisation] = [
            Join(key, other),
            Transfer(some, key),
            Detach(key, own, detachment_id(world, key), "A detachment", "", Order(detachment_id(world, key))),
            Garrison(key, draw.random() < 0.3),
            Escort(key, other),
        ]
        if draw.random() < 0.5:
            acts.append(draw.choice(kinds))
    return acts


def settle(contact: Contact) -> Settlement:
    """A result drawn from the contact alone."""
    draw = random.Random(contact.key)
    losses = []
    for fighter in contact.units:
        lost = draw.randint(0, fighter.sp)
        losses.append(UnitLoss(fighter.unit, fighter.sp, lost, draw.randint(0, fighter.sp - lost)))
    return Settlement(contact.key, draw.choice(("", contact.attacker, contact.defender)), tuple(losses))


def play_day(world: World, given: dict[str, Order], acts: Sequence[Organisation] = ()) -> Completed:
    settled: dict[str, Settlement] = {}
    for _ in range(60):
        result = advance_day(world, given, day_dice(world), settled, acts)
        if isinstance(result, Completed):
            return result
        for contact in result.contacts:
            assert contact.key not in settled
            assert contact.sp_of(contact.attacker) > 0
            assert contact.sp_of(contact.defender) > 0
            settled[contact.key] = settle(contact)
    raise AssertionError("the day does not end")


# --- rough country: forts, heights, boats, fords, rafts, felled roads, food, any weather ---

FORT, HEIGHT = "easton", "fairfield"
WATERS: tuple[RouteKind, ...] = ("lake", "river", "portage")
ROUGH_TYPES = (
    TroopType.CONTINENTAL_LINE,
    TroopType.CONTINENTAL_LINE,
    TroopType.MILITIA,
    TroopType.INDIANS,
    TroopType.RANGERS,
    TroopType.AMERICAN_LIGHT_CAVALRY,
    TroopType.EUROPEAN_ARTILLERY,
    TroopType.WAGON,
)


def rough_war(seed: int) -> World:
    """A small war of its own settings over a fort with a height beside it, lakes, fords and bad roads."""
    draw = random.Random(f"rough {seed}")
    world = random_war(draw.randint(0, 10**6))
    atlas = Atlas.of(
        [_rough_place(each, draw) for each in world.theatre.atlas.places.values()],
        [*_rough_routes(world, draw), *_waters(draw)],
    )
    weather = {world.theatre.start + timedelta(day): draw.choice(WEATHERS) for day in range(6)}
    theatre = replace(world.theatre, atlas=atlas, recorded_weather=weather)
    world = replace(
        world,
        theatre=theatre,
        settings=_rough_settings(draw),
        wet_days=draw.randint(0, 3),
        units={key: _rough_unit(world, key, draw) for key in sorted(world.units)},
    )
    food = world.settings.supply == "food"
    formations = {
        key: replace(body, rations=draw.randint(0, 4000) if food else None)
        for key, body in world.formations.items()
    }
    return replace(world, formations=formations, **_rough_counters(world, draw))


def _rough_place(spot: Place, draw: random.Random) -> Place:
    if spot.id == FORT:
        return replace(spot, fortification=draw.choice(("stockade", "fort", "fortress")), port="lake")
    terrain = "hill" if spot.id == HEIGHT else draw.choice(("farmland", "wooded", "marsh"))
    port: Any = draw.choice(("none", "lake", "river"))
    return replace(spot, terrain=terrain, port=port)


def _rough_routes(world: World, draw: random.Random) -> Sequence[Any]:
    found = []
    for route in world.theatre.atlas.routes.values():
        near = {route.a, route.b} == {FORT, HEIGHT}
        found.append(
            replace(
                route,
                yards=1760 if near else route.yards,
                terrain=draw.choice(("farmland", "wooded", "forest", "mountain")),
                crossing=draw.choice(("none", "ford", "ford", "bridge", "ferry")),
                wheeled=draw.random() < 0.7,
            )
        )
    return found


def _waters(draw: random.Random) -> Sequence[Any]:
    ends = [(NAMES[3], NAMES[4]), (NAMES[0], NAMES[5]), (NAMES[2], NAMES[3])]
    flow = draw.choice(("none", "ab", "ba", "tidal", "ab_rapids"))
    return [
        way(a, b, draw.randint(2, 8), kind, **({"flow": flow} if kind == "river" else {}))
        for (a, b), kind in zip(ends, WATERS, strict=True)
    ]


def _rough_settings(draw: random.Random) -> RuleSettings:
    return RuleSettings(
        boats=draw.choice(("unlimited", "counted")),
        sieges=draw.choice(("invest", "invest", "off")),
        put_off_in=draw.choice(("storm", "rain", "off")),
        supply=draw.choice(("off", "food")),
        tiny_fights=draw.choice(("settle", "evade")),
        couriers=draw.random() < 0.3,
        fog=draw.choice(("full", "off")),
        block_retreat_parts=draw.choice((0, 3)),
        surrender_odds=draw.choice((2, 4)),
        terms_days=draw.randint(0, 3),
        siege_height_days=draw.randint(1, 2),
        siege_trench_days=draw.randint(0, 2),
        summons_every_days=1,
        summons_on=draw.randint(4, 8),
        natives_siege_days=1,
        raft_breaks_on=draw.choice((0, 1, 4)),
        felling_men_days=draw.choice((50, 500)),
        pursuit_on=draw.choice((3, 6)),
        retreat_wheels=draw.choice(("lost", "kept")),
        arrivals_shut_out=draw.choice(("nearest_post", "wait")),
        works_command_water=draw.random() < 0.7,
    )


def _rough_unit(world: World, key: str, draw: random.Random) -> Any:
    kind = draw.choice(ROUGH_TYPES)
    nation = {TroopType.MILITIA: Nation.AMERICAN_MILITIA, TroopType.INDIANS: Nation.NATIVE}.get(kind)
    guns = draw.choice((GunClass.LIGHT, GunClass.MEDIUM, GunClass.HEAVY, GunClass.HOWITZER))
    return replace(
        world.units[key],
        troop_type=kind,
        nation=nation or world.units[key].nation,
        gun_class=guns if kind is TroopType.EUROPEAN_ARTILLERY else GunClass.NONE,
        points=0 if kind is TroopType.WAGON else draw.choice((5, 40, 100, 120)),
    )


def _rough_counters(world: World, draw: random.Random) -> dict[str, Any]:
    """Broken crossings, rafts, felled roads, boats, works and a siege that begin the war."""
    routes = [each for _, each in sorted(world.theatre.atlas.routes.items()) if each.kind in ROADS]
    knowing = ("", "crown", "rebel")
    bridges, rafts, felled = {}, {}, {}
    for route in routes:
        low = draw.randint(0, route.yards - 1)
        if draw.random() < 0.3:
            felled[route.id] = Felled(low, draw.randint(low + 1, route.yards), draw.choice(knowing))
        if route.crossing in ("bridge", "ferry") and draw.random() < 0.3:
            bridges[route.id] = Bridge(0, draw.choice((0, 100)), draw.choice((*knowing, NOBODY)))
        elif route.crossing == "ford" and draw.random() < 0.5:
            rafts[route.id] = Raft(0, draw.choice((0, 0, 100)), draw.choice(knowing))
    boats = {
        key: Boats(draw.choice(("crown", "rebel")), draw.randint(1, 8) * 125)
        for key, spot in sorted(world.theatre.atlas.places.items())
        if spot.port != "none" and draw.random() < 0.5
    }
    holder = world.holders.get(FORT)
    sieges = {FORT: Siege(world.theatre.enemy_of(holder), 0, works_lost=draw.randint(0, 6))} if holder else {}
    works = {NAMES[1]: Works("rebel", draw.randint(1, 6)), NAMES[2]: Works("crown", 2, 100)}
    return {
        "bridges": bridges,
        "rafts": rafts,
        "felled": felled,
        "boats": boats,
        "sieges": sieges,
        "works": works,
    }
