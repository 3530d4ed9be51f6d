"""A campaign played by both staffs, and what is true of the enemy that a side has not learned."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from campaign.bots import staff_orders
from campaign.chain import event_to_json
from campaign.journal import event_from_entry
from campaign.models import Battle, Campaign, JournalEntry, Seat, User
from campaign.rules.knowledge import enemies_known, side_view
from campaign.rules.world import Position, World
from campaign.services.battles import battle_settle_by_word
from campaign.services.campaigns import SeatPlan, campaign_create
from campaign.services.letters import letter_send, letters_read
from campaign.services.orders import order_submit
from campaign.services.seating import seat_open, spectators_set
from campaign.services.turns import day_advance
from campaign.state import snapshot_pack, world_load, world_save
from tests.campaign.conftest import SECRET
from tests.campaign.web.crawl import Crawl

SIDES = ("crown", "rebel")
SPECTATORS_DAYS = 1


def played(people: dict[str, User], days: int) -> Campaign:
    """So many days with both staffs giving orders; who holds the field of a battle is drawn by a seed."""
    campaign = campaign_create(
        scenario="saratoga-1777",
        slug="fog",
        secret=SECRET,
        seats=(
            SeatPlan(Seat.Role.UMPIRE, "", "The umpire", people["umpire"]),
            *(SeatPlan(Seat.Role.COMMANDER, side, f"The {side}", people[side]) for side in SIDES),
        ),
        actor=people["umpire"],
    )
    seat_open(campaign=campaign, role="spectator", user=people["spectator"], actor=people["umpire"])
    spectators_set(campaign=campaign, days=SPECTATORS_DAYS, side="", actor=people["umpire"])
    chance = random.Random(1777)
    while campaign.day < days and campaign.state == Campaign.State.RUNNING:
        world = world_load(campaign)
        for side in SIDES:
            for order in staff_orders(world, side):
                order_submit(campaign=campaign, side=side, order=order, actor=people[side])
        while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
            for battle in waiting:
                held = chance.choice((battle.attacker, battle.defender))
                lost = {side: chance.randrange(0, 20, 5) for side in (battle.attacker, battle.defender)}
                battle_settle_by_word(
                    battle=battle, field_held_by=held, percent_lost=lost, actor=None, amend=False
                )
        campaign.refresh_from_db()
    letters(campaign, people)
    return campaign


def letters(campaign: Campaign, people: dict[str, User]) -> None:
    """Each commander tells the umpire of his columns, and his enemy nothing; both stay so (HR-LET-02)."""
    world = world_load(campaign)
    seats = {seat.user: seat.pk for seat in campaign.seats.all()}
    for side, enemy in (SIDES, SIDES[::-1]):
        own = ", ".join(one.name for one in world.formations.values() if one.side == side)[:4000]
        for to, text in (("umpire", own), (enemy, "Sir, an exchange of prisoners?")):
            letter = letter_send(campaign=campaign, author=people[side], to=[seats[people[to]]], text=text)
            letters_read(letters=[letter], reader=people[to])


def learned(campaign: Campaign, world: World, side: str) -> str:
    """All a side has been told, as one text: reports of today, its journal, battles it was in, its own."""
    told: list[Any] = [enemies_known(world, side)]
    for entry in JournalEntry.objects.filter(campaign=campaign, sides__contains=f"|{side}|"):
        told.append(event_to_json(event_from_entry(entry)))
    for battle in Battle.objects.filter(campaign=campaign):
        if side in (battle.attacker, battle.defender):
            told.append(battle.inputs)
    told += [unit for unit in world.units.values() if unit.side == side]
    told += [one for one in world.formations.values() if one.side == side]
    told.append(world.theatre)
    return repr(told)


def unknown(campaign: Campaign, world: World, side: str) -> set[str]:
    """Ids and names of the enemy's columns, units and their commanders that nothing has told the side."""
    known = learned(campaign, world, side)
    enemies = [one for one in (*world.formations.values(), *world.units.values()) if one.side != side]
    named = {one.id for one in enemies} | {one.name for one in enemies}
    named |= {one.commander for one in world.formations.values() if one.side != side}
    return {each for each in named if len(each) > 4 and each not in known}


def betrayed(answers: dict[str, str], facts: set[str]) -> Iterator[str]:
    """Answers in which one of the facts stands as a word of its own."""
    if not facts:
        return
    sought = re.compile(r"(?<![\w-])(" + "|".join(re.escape(each) for each in sorted(facts)) + r")(?![\w-])")
    for address, text in answers.items():
        for found in sorted(set(sought.findall(text))):
            yield f"{address}: {found}"


def otherwise(world: World, side: str) -> World:
    """The enemies the side has no report of this day: elsewhere, half as strong, by other names."""
    view = side_view(world, side)
    seen = {report.formation for key, report in world.reports.items() if key.startswith(f"{side}/")}
    unseen = [place for place in sorted(world.theatre.atlas.places) if place not in view.visible]
    hidden = [
        key
        for key, one in sorted(world.formations.items())
        if one.side != side and key not in seen and one.position is not None
    ]
    assert hidden
    moved = {
        key: replace(
            world.formations[key],
            name=f"{world.formations[key].name} under another name",
            position=Position(place=unseen[number % len(unseen)]),
        )
        for number, key in enumerate(hidden)
    }
    units = {
        key: replace(unit, points=unit.points // 2 // 5 * 5, name=f"{unit.name} II")
        if unit.formation in moved
        else unit
        for key, unit in world.units.items()
    }
    return replace(world, formations={**world.formations, **moved}, units=units)


def put(campaign: Campaign, before: World, after: World) -> None:
    """Write another world in the place of the head's, as nothing in play can."""
    world_save(campaign, before, after)
    head = campaign.head
    assert head is not None
    head.snapshot = snapshot_pack(after)
    head.record_hash = f"{hash(repr(after.formations)) & (2**64 - 1):064x}"
    head.save()
    campaign.save()


def begin(campaign: Campaign) -> list[str]:
    """Where every reader begins: home, the campaign, and files no page has a link to."""
    page = campaign.get_absolute_url()
    days = range(1, campaign.day + 2)
    return [
        "/", page, *(f"{page}proof/{side}.json" for side in SIDES),
        *(f"{page}{name}?day={day}" for name in ("map.geojson", "map/list/") for day in days),
    ]  # fmt: skip


def crawled(campaign: Campaign, client: Any, most: int) -> Crawl:
    client.get(campaign.get_absolute_url())  # so that home's "since you looked in" says the same both times
    return Crawl(client, most).follow(*begin(campaign))
