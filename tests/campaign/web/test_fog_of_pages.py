"""Two campaigns that differ only in an enemy out of sight, played on: every page is the same (HR-FOG-01)."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from campaign.ai.commander import staff_orders
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Bulletin, Campaign, Seat
from campaign.rules.world.world import Position, UnitStatus, World
from campaign.scenarios.reading import Scenario, read_scenario, scenario_path
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.orders.march_orders import order_submit
from campaign.services.press.bulletins import bulletins_publish
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from campaign.web.campaign_page import SHEETS
from tests.campaign.conftest import SECRET

pytestmark = pytest.mark.django_db
DAYS = 8
#: Days on which the pages are read: the first, and the morning after the week's end.
READ = (0, 7)
OUT = datetime(2026, 7, 4, 12, tzinfo=UTC)
#: Pages of a campaign that need a number or a search.
NUMBERED = (
    *(f"journal/{day}/" for day in range(1, DAYS)),
    "journal/?kind=scouting",
    "journal/?q=fort",
    "gazette/1/",
    "bulletins/1/",
    "bulletins/1/?copy=crown",
    "bulletins/1/?copy=rebel",
    "bulletins/1/?copy=",
)


def otherwise(world: World, side: str) -> World:
    """The enemies of `side` that march nowhere near it: elsewhere, stronger and by another name.

    All of one nation that the side cannot see on its map: the rear of the enemy's country.
    """
    far = {
        "crown": ("peekskill", "fishkill", "fort_montgomery", "fort_constitution", "kingston"),
        "rebel": ("quebec", "montreal", "sorel", "three_rivers"),
    }[side]
    there = [place for place in far if place in world.theatre.atlas.places]
    hidden = {
        key: one
        for key, one in world.formations.items()
        if one.side != side and one.position is not None and one.position.place in there
    }
    assert hidden and len(there) > 1
    moved = {
        key: replace(
            one,
            name=f"{one.name} under another name",
            position=Position(place=there[(there.index(one.position.place) + 1) % len(there)]),
        )
        for key, one in hidden.items()
        if one.position is not None
    }
    units = {
        key: replace(unit, points=unit.points // 2 // 5 * 5 or 5, name=f"{unit.name} II")
        if unit.formation in hidden and unit.status is UnitStatus.PRESENT and unit.points
        else unit
        for key, unit in world.units.items()
    }
    return replace(world, formations={**world.formations, **moved}, units=units)


#: A column of each side whose reach is asked for, and where its march is tried to: the enemy's rear too.
COLUMNS = {"crown": "advanced_corps", "rebel": "poors_brigade"}
MARCHES = {"crown": ("ticonderoga", "albany", "peekskill"), "rebel": ("crown_point", "montreal", "sorel")}


def addresses(side: str) -> list[str]:
    """Every address of a campaign that needs nothing but its name, the sheets of its page, a reach."""

    def walk(patterns: list[Any], prefix: str = "") -> list[str]:
        found: list[str] = []
        for each in patterns:
            if isinstance(each, URLResolver):
                found += walk(each.url_patterns, prefix + str(each.pattern))
            elif isinstance(each, URLPattern):
                found.append(prefix + str(each.pattern))
        return found

    plain = [
        "/" + address.replace("<slug:slug>", "fog")
        for address in walk(get_resolver().url_patterns)
        if address.removeprefix("api/v1/").startswith("campaigns/<slug:slug>/")
        and "<" not in address.replace("<slug:slug>", "")
    ]
    page = reverse("campaign", args=["fog"])
    reach = f"{reverse('reach', args=['fog'])}?formation={COLUMNS[side]}&pace=double"
    numbered = [f"{page}{address}" for address in NUMBERED]
    return [*plain, *numbered, *(f"{page}?sheet={sheet}" for sheet in SHEETS), reach, "/"]


def mornings(latest: int) -> list[str]:
    """The map of mornings gone by, and its list."""
    days = sorted({1, (latest + 1) // 2, latest})
    return [
        f"{reverse(name, args=['fog'])}?day={day}" for name in ("campaign-map", "map-list") for day in days
    ]


def read(client: Client, address: str) -> str:
    """A page as it reads, without what every request draws anew."""
    answer = client.get(address)
    text = answer.content.decode(errors="replace") if not answer.streaming else ""
    text = re.sub(r'name="(csrfmiddlewaretoken|opened)" value="[^"]*"|"X-CSRFToken": "[^"]*"', "", text)
    # When a paper came in, by the clock of this machine, and its seal, which covers that moment.
    text = re.sub(r'\d\d:\d\d:\d\d(\.\d+)?|"seal": ?"[0-9a-f]{12}"', "", text)
    text = re.sub(
        r"\b[0-9a-f]{64}\b", "", text
    )  # hashes of the chain, which covers all that is hidden, salted
    text = re.sub(r'(hx-headers|nonce)=([\'"]).*?\2', "", text)
    return f"{answer.status_code} {text}"


def tried(client: Client, formation: str, place: str) -> str:
    """What a march would mean, as the page under the form says it."""
    order = {"formation": formation, "destination": place, "pace": "double", "stance": "attack"}
    text = client.post(reverse("order-preview", args=["fog"]), order).content.decode()
    assert "data-path" in text or "cannot be ordered" in text
    return text


def numbers_begin_again() -> None:
    """Rows are numbered from where the tables end: PostgreSQL goes on counting after what was undone."""
    with connection.cursor() as cursor:
        for line in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
            cursor.execute(line)


def keys_named(pages: dict[str, str]) -> dict[str, str]:
    """The pages with their keys called by the order in which they come: they are drawn anew for each row."""
    names: dict[str, str] = {}

    def name(text: str) -> str:
        return re.sub(r"\b\d{13,16}\b", lambda key: names.setdefault(key[0], f"<key {len(names)}>"), text)

    return {name(address): name(text) for address, text in pages.items()}


def pages_after(
    change: Callable[[World], World], side: str, people: Any, client: Client, monkeypatch: Any
) -> dict[str, str]:
    """All a commander is shown of a campaign whose first world is changed; his staff marches for him."""
    found: dict[str, str] = {}

    def changed(path: Any, chosen: Any = None) -> Scenario:
        scenario = read_scenario(path, chosen)
        return replace(scenario, world=change(scenario.world))

    class Undone(Exception):
        pass

    monkeypatch.setattr("campaign.services.setup.campaigns.read_scenario", changed)
    other = "rebel" if side == "crown" else "crown"
    numbers_begin_again()
    cache.clear()  # that a page has been looked at is kept by keys that come again in the next campaign
    try:
        with transaction.atomic():
            campaign = campaign_create(
                scenario="saratoga-1777",
                slug="fog",
                secret=SECRET,
                seats=(
                    SeatPlan(Seat.Role.COMMANDER, side, "The watched", people[side]),
                    SeatPlan(Seat.Role.COMMANDER, other, "The hidden", people[other]),
                ),
            )
            for day in range(DAYS):
                campaign.refresh_from_db()
                world = world_load(campaign)
                for order in staff_orders(world, side):
                    order_submit(campaign=campaign, side=side, order=order, actor=people[side])
                if campaign.day == 7:
                    assert bulletins_publish(campaign=campaign, week=1, actor=None) == 3
                    Bulletin.objects.update(published_at=OUT)
                if day in READ:
                    for address in (*addresses(side), *mornings(day + 1)):
                        found[f"day {day}: {address}"] = read(client, address)
                    for place in MARCHES[side]:
                        found[f"day {day}: to {place}"] = tried(client, COLUMNS[side], place)
                _advance(campaign)
            for battle in Battle.objects.filter(campaign=campaign):
                for name in ("battle", "battle-replay", "replay-data"):
                    address = reverse(name, args=["fog", battle.pk])
                    found[address] = read(client, address)
            raise Undone
    except Undone:
        return keys_named(found)


def _advance(campaign: Campaign) -> None:
    while waiting := day_advance(campaign=campaign, actor=None).battles_waiting:
        for battle in waiting:
            battle_settle_by_word(battle=battle, field_held_by=battle.attacker, percent_lost={}, actor=None)


@pytest.mark.parametrize("side", ["crown", "rebel"])
def test_hr_fog_01_no_page_changes_with_an_enemy_out_of_sight(
    side: str, burgoyne, gates, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = {"crown": burgoyne, "rebel": gates}
    client = Client()
    client.force_login(people[side])
    quiet = pages_after(lambda world: world, side, people, client, monkeypatch)
    busy = pages_after(lambda world: otherwise(world, side), side, people, client, monkeypatch)
    assert len(quiet) > 5 * len(READ)
    assert any(text.startswith("200") for text in quiet.values())
    assert read_scenario(scenario_path("saratoga-1777")).world != otherwise(
        read_scenario(scenario_path("saratoga-1777")).world, side
    )
    for address, text in quiet.items():
        assert busy[address] == text, address
