"""13 September to 17 October: thirty days' food, the Hudson barred, the Convention of Saratoga."""

from dataclasses import replace

import pytest

from campaign.rules.contact.retreat import way_back
from campaign.rules.day.day import _place_formations
from campaign.rules.day.field import DayState
from campaign.rules.day.weather import FAIR
from campaign.rules.orders.labour import men_of
from campaign.rules.world.markers import Provision, Terms
from campaign.rules.world.world import Position, UnitStatus, World
from campaign.rules.world.world_json import world_from_json, world_hash, world_to_json
from campaign.scenarios.reading import read_scenario, scenario_path
from tests.factories.little_wars import completed, day_dice, told

#: Burgoyne's field army in October, 5,800 men.
ARMY = (
    "advanced_corps",
    "british_1st_brigade",
    "british_2nd_brigade",
    "german_1st_brigade",
    "artillery_park",
)
POINTS = 2320
SEPTEMBER_13, OCTOBER_3 = 90, 110


@pytest.fixture(scope="module")
def shipped() -> World:
    return read_scenario(scenario_path("saratoga-1777")).world


def saratoga(shipped: World, day: int, rebels: dict[str, tuple[str, tuple[str, ...]]]) -> World:
    """The army at Saratoga with `POINTS` in all; rebels by formation: where they stand, and which units."""
    units = [unit for unit in shipped.units.values() if unit.formation in ARMY and not unit.is_train]
    most = sum(unit.points for unit in units)
    army = {unit.id: replace(unit, points=unit.points * POINTS // most, departs=None) for unit in units}
    here = Position(place="saratoga")
    formations = {key: replace(shipped.formations[key], position=here, order=None) for key in ARMY}
    for name, (place, chosen) in rebels.items():
        body = replace(
            shipped.formations["fellows_brigade"], id=name, name=name.title(), parent="", order=None
        )
        formations[name] = replace(body, position=Position(place=place))
        for key in chosen:
            army[key] = replace(shipped.units[key], formation=name, departs=None)
    army = {key: replace(unit, status=UnitStatus.PRESENT) for key, unit in army.items()}
    holders = {place: "rebel" for place, side in shipped.holders.items() if side == "rebel"} | {
        "saratoga": "crown"
    }
    return replace(shipped, day=day, units=army, formations=formations, holders=holders)


def brigade(shipped: World, *formations: str) -> tuple[str, ...]:
    return tuple(
        key for key, unit in shipped.units.items() if unit.formation in formations and not unit.is_train
    )


FELLOWS = ("ma_fellows_1", "ma_fellows_2", "ma_fellows_3", "ma_fellows_4", "ma_fellows_5")
STOCKBRIDGES = ("on_stock",)


def cordon(shipped: World, hudson: tuple[str, ...]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Gates before the army, Stark's and Bailey's men upstream, and `hudson` across the river."""
    return {
        "gates": ("dovegat", brigade(shipped, "poors_brigade", "learneds_brigade", "nixons_brigade")),
        "stark": ("fort_edward", brigade(shipped, "starks_second_levy")),
        "bailey": ("fort_miller", brigade(shipped, "baileys_brigade", "whipples_brigade")),
        "brickett": ("stillwater", brigade(shipped, "glovers_brigade")),
        "across": ("batten_kill", hudson),
    }


def blocked(world: World) -> bool:
    field = DayState(world, day_dice(world), FAIR)
    _place_formations(field, {})
    army = sum(field.columns[key].sp for key in ARMY)
    return way_back(field, field.columns["advanced_corps"], 1440, army) is None


def test_fellows_blocks_the_retreat_and_the_stockbridges_do_not(shipped: World) -> None:
    """HR-RET-03: 520 points behind the Hudson against 5,800 men, and 33."""
    assert sum(shipped.units[key].points for key in FELLOWS) == 520
    assert shipped.units["on_stock"].points == 33
    assert blocked(saratoga(shipped, 120, cordon(shipped, FELLOWS)))
    assert not blocked(saratoga(shipped, 120, cordon(shipped, STOCKBRIDGES)))


def test_thirty_days_food_is_gone_after_the_17th_of_october(shipped: World) -> None:
    """HR-SUP-04: thirty days' food on 13 September, two-thirds ration from 3 October."""
    world = fed(saratoga(shipped, SEPTEMBER_13, cordon(shipped, FELLOWS)), 30)
    world = replace(world, settings=replace(world.settings, surrender_terms=False))
    hungry: list[int] = []
    while world.day < world.theatre.days:
        world = short_from_october(world)
        done = completed(world, {}, day_dice(world))
        hungry += [world.day for event in told(done.events, "hungry") if event.formation in ARMY]
        world = done.world
    assert min(hungry) == 125  # the evening of 18 October
    assert {world.formations[key].rations for key in ARMY} == {0}


def test_after_the_convention_the_field_army_holds_no_points(shipped: World) -> None:
    """HR-SUR-02: down to three days' food on the 14th, terms until the 17th; nobody comes back."""
    world = fed(saratoga(shipped, SEPTEMBER_13, cordon(shipped, FELLOWS)), 30)
    while world.day < world.theatre.days and not world.ended:
        world = short_from_october(world)
        done = completed(world, {}, day_dice(world))
        if told(done.events, "terms_begun"):
            assert f"{world.date}" == "1777-10-14"
            assert done.world.terms == {"saratoga": Terms("crown", world.day)}
        if told(done.events, "force_surrendered"):
            assert f"{world.date}" == "1777-10-17"
            assert sorted(event.formation for event in told(done.events, "force_surrendered")) == sorted(ARMY)
            break
        world = done.world
    army = [unit for unit in done.world.units.values() if unit.formation in ARMY]
    assert {(unit.points, unit.status) for unit in army} == {(0, UnitStatus.SURRENDERED)}
    assert done.world.holders["saratoga"] == "rebel" or not told(done.events, "place_taken")
    assert world_hash(world_from_json(world_to_json(done.world), world.theatre)) == world_hash(done.world)


def fed(world: World, days: int) -> World:
    """Food for so many days with every formation of the army, none coming in."""
    formations = dict(world.formations)
    for key in ARMY:
        men = men_of(unit for unit in world.units.values() if unit.formation == key)
        formations[key] = replace(formations[key], rations=men * days)
    supply = {**world.theatre.supply, "crown": ()}
    settings = replace(world.settings, supply="food")
    return replace(
        world, formations=formations, settings=settings, theatre=replace(world.theatre, supply=supply)
    )


def short_from_october(world: World) -> World:
    """Two-thirds ration from 3 October on."""
    if world.day != OCTOBER_3:
        return world
    provisions = {
        key: replace(world.provisions.get(key, Provision(world.day)), short=True) for key in world.formations
    }
    return replace(world, provisions=provisions)
