"""What a side is told for its program: enough for its staff to order the same, and nothing hidden."""

import json
from dataclasses import replace

import pytest

from campaign.ai.commander import staff_orders
from campaign.fog.known_world import (
    build_known_theatre,
    known_from_json,
    known_of,
    known_to_json,
    theatre_from,
)
from campaign.rules.army.quality import general_quality
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import play_campaign
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.world.world import World
from rosters.domain.dice import AddressedDice, DiceRoller
from rosters.domain.vocabulary import TroopType
from tests.factories.fog import Hidden, played, road
from tests.factories.headless import BOTH_STAFFS, saratoga
from tests.factories.little_wars import held_by

#: Percent, over the 122 units of the Crown's order of battle that fight, trains left out.
QUALITY_OF_THE_CROWN = 124
SETTINGS = {
    "as shipped": {},
    "boats counted": {"boats": "counted"},
    "with couriers": {"couriers": True},
    "no fog": {"fog": "off"},
}


def attacker_wins(world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    """Each unit of either side loses a point of strength; who attacked holds the field."""
    return held_by(contact, contact.attacker, {fighter.unit: 1 for fighter in contact.units})


def mornings(settings: dict, weeks: int) -> tuple[World, ...]:
    world = saratoga()
    world = replace(world, settings=replace(world.settings, **settings))
    secret = b"what a program is told, 32 bytes"

    def dice_of(day: int) -> AddressedDice:
        return AddressedDice(secret, "known", 1, day)

    return tuple(play_campaign(world, dice_of, BOTH_STAFFS, attacker_wins, weeks).mornings)


def told(world: World, side: str) -> tuple[str, str]:
    """All that goes over the wire."""
    known = json.dumps(known_to_json(known_of(world, side)), sort_keys=True)
    return known, json.dumps(build_known_theatre(world.theatre, side), sort_keys=True)


def orders_from(known: str, theatre: str) -> list:
    read = known_from_json(json.loads(known), theatre_from(json.loads(theatre)))
    return staff_orders(read.world, read.side, read.enemy_quality)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_hr_bot_01_a_staff_orders_from_what_its_side_is_told_as_from_the_world(settings: dict) -> None:
    ordered = fights = 0
    for world in mornings(settings, 4):
        for side in ("crown", "rebel"):
            inside = staff_orders(world, side)
            assert orders_from(*told(world, side)) == inside, (world.day, side)
            ordered += len(inside)
            fights += bool(side_view(world, side).enemies)
    # where boats are counted they are gathered for weeks before anybody meets (HR-BOT-08)
    assert ordered > 20 and (fights > 10 or "boats" in settings)


def test_hr_fog_01_nothing_is_told_of_what_is_hidden() -> None:
    far, near = Hidden("hubbardton", 2, 100, "Stark"), Hidden("granville", 5, 60, "Warner", ("hubbardton",))
    worlds = [played(road([hidden]), {}, 9)[0] for hidden in (far, near)]
    assert worlds[0].formations != worlds[1].formations
    assert told(worlds[0], "crown") == told(worlds[1], "crown")


def test_hr_bot_07_the_enemys_quality_is_by_the_published_order_of_battle() -> None:
    """Whatever the enemy's units have become, raised or lost since, the figure tells nothing of it."""
    world = saratoga()
    theirs = {key: unit for key, unit in world.units.items() if unit.side == "crown"}
    changed = {key: replace(unit, troop_type=TroopType.INDIANS) for key, unit in theirs.items()}
    gone = {key: unit for key, unit in world.units.items() if unit.side != "crown"}
    assert known_of(world, "rebel").enemy_quality == QUALITY_OF_THE_CROWN
    for units in ({**world.units, **changed}, gone):
        known = known_of(replace(world, units=units), "rebel")
        assert known.enemy_quality == QUALITY_OF_THE_CROWN


def test_hr_fog_01_only_what_is_known_is_in_it() -> None:
    for world in mornings({}, 2)[::5]:
        for side in ("crown", "rebel"):
            known = known_of(world, side)
            enemy = world.theatre.enemy_of(side)
            view = side_view(world, side)
            assert {unit.side for unit in known.world.units.values()} == {side}
            assert {key for key, one in known.world.formations.items() if one.side == enemy} == {
                f"seen-{each.number}" for each in view.enemies if each.in_sight
            }
            assert side_view(known.world, side) == view
            assert known.world.watches.keys() == {side}
            assert known.enemy_quality == general_quality(world.theatre, enemy)
            text = json.dumps(known_to_json(known)["world"])
            hidden = {one.name for one in world.formations.values() if one.side == enemy}
            hidden -= {each.name for each in view.enemies}
            assert not [name for name in hidden if json.dumps(name) in text]


def test_the_theatre_tells_no_weather_to_come_and_no_aims_of_the_enemy() -> None:
    theatre = saratoga().theatre
    read = theatre_from(json.loads(json.dumps(build_known_theatre(theatre, "crown"))))
    assert read.atlas == theatre.atlas and read.supply == theatre.supply and read.sides == theatre.sides
    assert (read.start, read.end, read.holders) == (theatre.start, theatre.end, theatre.holders)
    assert {each.side for each in read.objectives} == {"crown"}
    assert not read.recorded_weather and not read.weather and not read.musters and not read.schedule
