"""Whole campaigns of Saratoga in memory, settled by the tactical engine as playcampaign settles them."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from battles.rulesets import registry
from campaign.ai.commander import staff_orders
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.play import OrderGiver, Played, play_campaign
from campaign.rules.world.world import Order, World
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.battles.battle_files import FieldOfficer, battle_file, ground_seed
from campaign.services.battles.outcomes import BATTLE_DICE, settlement_of
from rosters.domain.dice import AddressedDice, DiceRoller
from tests.factories.random_orders import random_orders


def saratoga() -> World:
    return read_scenario(scenario_path("saratoga-1777")).world


def staff(world: World, side: str, dice: DiceRoller) -> list[Order]:
    """An order giver: the staff, who throw no dice."""
    return staff_orders(world, side)


OFFICERS = [
    FieldOfficer(leader.id, leader.name, leader.side, leader.rank)
    for leader in read_scenario(scenario_path("saratoga-1777")).leaders
]


def fight_out(world: World, contact: Contact, dice: DiceRoller) -> Settlement:
    """The engine's settlement of a contact, from its own address, on its ground, with its generals."""
    assert isinstance(dice, AddressedDice)
    ground = ground_seed(replace(dice, day=0), contact)
    file = battle_file(world, contact, ruleset="awi", seed=ground, officers=OFFICERS)
    outcome = registry.fight_battle(file, dice.seed(BATTLE_DICE, contact.key)).outcome
    return settlement_of(file, outcome, contact.key)


BOTH_STAFFS: Mapping[str, OrderGiver] = {"crown": staff, "rebel": staff}


def campaign_played(seed: int, weeks: int, givers: Mapping[str, OrderGiver] = BOTH_STAFFS) -> Played:
    """Saratoga played from its first day with the dice of `seed`."""
    secret = hashlib.sha256(f"headless {seed}".encode()).digest()

    def dice_of(day: int) -> AddressedDice:
        return AddressedDice(secret=secret, campaign="headless", revision=1, day=day)

    return play_campaign(saratoga(), dice_of, givers, fight_out, weeks)


def contested_on(played: Played, places: frozenset[str]) -> int | None:
    """The first day on which there is a battle at one of the places, or one changes hands."""
    days = [fought.day for fought in played.battles if fought.contact.place in places]
    for before, after in zip(played.mornings, played.mornings[1:], strict=False):
        if any(before.holders.get(place) != after.holders.get(place) for place in places):
            days.append(before.day)
    return min(days, default=None)


def against_random(side: str) -> dict[str, OrderGiver]:
    """A staff on one side, random orders on the other."""
    return {"crown": random_orders, "rebel": random_orders, side: staff}
