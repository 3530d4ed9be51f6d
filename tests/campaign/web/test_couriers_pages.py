"""With couriers a side's pages show its columns apart as they last reported (HR-COU-04)."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import transaction
from django.test import Client

from campaign.ledger.world_rows import world_load, world_save
from campaign.models import Campaign, JournalEntry, OrderPaper, Seat
from campaign.rules.dispatches.couriers import days_behind, find_headquarters, list_headquarters
from campaign.rules.orders.orders import verify_order
from campaign.rules.scouting.knowledge import build_reported_world, own_report
from campaign.rules.world.world import Order, World, present_units
from campaign.services.orders.day_orders import acts_of
from campaign.services.orders.march_orders import order_submit
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from tests.campaign.conftest import SECRET
from tests.campaign.rules.allowed import is_allowed
from tests.campaign.web.test_fog_of_pages import read
from tests.factories.people import signed_in
from tests.factories.records import head_renew

PAGE = "/campaigns/couriers/"
SHEETS = ("orders", "returns", "supply", "standing", "journal")


@pytest.fixture
def couriers(burgoyne, gates, carleton) -> Campaign:
    return campaign_create(
        scenario="saratoga-1777",
        slug="couriers",
        secret=SECRET,
        settings={"couriers": True, "supply": "food"},
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", "Burgoyne", burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", "Gates", gates),
        ),
    )


def far_column(world: World) -> str:
    """A column of the Crown's that headquarters only hears of, with units that have points."""
    present = present_units(world)
    return next(
        key
        for key, formation in sorted(world.formations.items())
        if formation.side == "crown"
        and own_report(world, formation) is not None
        and any(unit.points for unit in present.get(key, ()))
    )


def changed(world: World, key: str) -> World:
    """What nobody has reported yet: half the points are gone, it is hungry and ordered on."""
    formation = world.formations[key]
    units = {unit.id: replace(unit, points=unit.points // 2 // 5 * 5) for unit in present_units(world)[key]}
    ordered = replace(formation, hungry_days=2, marched=3, order=Order(key, stance="avoid"))
    return replace(world, units={**world.units, **units}, formations={**world.formations, key: ordered})


def pages(client: Client) -> dict[str, str]:
    addresses = [f"{PAGE}?sheet={sheet}" for sheet in SHEETS]
    more = (f"{PAGE}map.geojson", f"{PAGE}army/", f"{PAGE}army.csv")
    return {address: read(client, address) for address in (*addresses, *more)}


def test_hr_cou_04_pages_tell_nothing_of_a_column_before_its_report(couriers, burgoyne, carleton) -> None:
    world = world_load(couriers)
    key = far_column(world)
    player, umpire = signed_in(burgoyne), signed_in(carleton)
    before, full = pages(player), pages(umpire)
    after = changed(world, key)
    with transaction.atomic():
        world_save(couriers, world, after)
        head_renew(couriers)
    assert pages(umpire) != full
    assert pages(player) == before


def test_hr_cou_04_the_returns_say_of_when_they_are(couriers, burgoyne, carleton) -> None:
    world = world_load(couriers)
    key = far_column(world)
    with transaction.atomic():
        world_save(couriers, world, changed(world, key))
        head_renew(couriers)
    name = world.formations[key].name
    sheet = signed_in(burgoyne).get(f"{PAGE}?sheet=returns").context["returns"]
    line = next(each for each in sheet.formations if each.name == name)
    assert line.reported == date(1777, 6, 14)
    assert line.now == sum(unit.points for unit in present_units(world)[key])
    truth = signed_in(carleton).get(f"{PAGE}?sheet=returns").context["returns"]
    line = next(each for each in truth.formations if each.name == name)
    assert (line.reported, line.now < sum(unit.points for unit in present_units(world)[key])) == (None, True)


def test_hr_cou_04_returns_add_up_when_word_has_come(couriers, burgoyne, carleton) -> None:
    world = world_load(couriers)
    key = far_column(world)
    position = world.formations[key].position
    assert position is not None
    goal = sorted(route.other(position.place) for route in world.theatre.atlas.routes_at(position.place))
    for place in goal:
        order = Order(key, (place,), pace="double")
        if is_allowed(verify_order, world, order):
            order_submit(campaign=couriers, side="crown", order=order, actor=burgoyne)
            break
    for _ in range(5):
        day_advance(campaign=Campaign.objects.get(pk=couriers.pk), actor=None)
    world = world_load(Campaign.objects.get(pk=couriers.pk))
    assert JournalEntry.objects.filter(campaign=couriers, kind="told_by_courier").exists()
    player, umpire = signed_in(burgoyne), signed_in(carleton)
    sheet = player.get(f"{PAGE}?sheet=returns").context["returns"]
    truth = umpire.get(f"{PAGE}?sheet=returns").context["returns"]
    for body in (*sheet.formations, *truth.formations):
        for unit in body.units:
            assert unit.start + sum(change.points for change in unit.changes) == unit.now
    for client in (player, umpire):
        army = client.get(f"{PAGE}army/").context
        for row in (unit for side in army["sides"] for body in side.formations for unit in body.units):
            assert row.start + sum(change.points for change in row.changes) == row.now
            assert "" not in {change.rule for change in row.changes}
    known = build_reported_world(world, "crown")
    own = [unit.points for unit in known.units.values() if unit.side == "crown"]
    assert 0 < sheet.now <= sum(own)


def test_hr_cou_02_a_detachment_on_its_way_keeps_its_number(couriers, burgoyne) -> None:
    """Orders to detach ride; who detaches again meanwhile gets the next number, whatever became of them."""
    world = world_load(couriers)
    reported = build_reported_world(world, "crown")
    key = next(
        key
        for key, units in present_units(reported).items()
        if reported.formations[key].side == "crown"
        and own_report(world, reported.formations[key]) is not None
        and len(units) > 2
        and not any(unit.static for unit in units)
    )
    player = signed_in(burgoyne)
    for number, unit in enumerate(present_units(reported)[key][:2], 1):
        data = {"kind": "detach", "detach-units": [unit.id], "detach-name": f"Part {number}"}
        assert player.post(f"{PAGE}organisation/", data).status_code == 302
        paper = OrderPaper.objects.get(kind="organise", state="standing")
        assert [act.id for act in acts_of(paper)] == [f"{key}-d{number}"]
        day_advance(campaign=couriers, actor=None)
        assert f"{key}-d{number}" not in world_load(couriers).formations


def test_hr_cou_02_an_order_to_a_far_column_says_from_when_it_counts(couriers, burgoyne) -> None:
    """Receipt and preview reckon with the ride to where the column was last reported."""
    world = world_load(couriers)
    seat = list_headquarters(world)["crown"]
    ways = {
        key: days_behind(world.theatre.atlas, world.settings, seat, one.position)
        for key, one in world.formations.items()
        if one.side == "crown" and one.position is not None and not one.garrison
    }
    far = max(ways, key=lambda key: ways[key])
    days, near = ways[far], find_headquarters(world, "crown")
    assert days > 0 and ways[near] == 0
    start = world.theatre.start
    first = start + timedelta(days=days)
    when = f"{first.day} {first:%B}"
    player = signed_in(burgoyne)
    said = {}
    for key in (far, near):
        data = {"formation": key, "activity": "rest", "stance": "give_battle"}
        shown = player.post(f"{PAGE}orders/preview/", data).content.decode()
        answer = player.post(f"{PAGE}orders/", {**data, "submit": "1"}, follow=True)
        said[key] = shown, answer.content.decode()
    a_ride = f"A courier needs {days} day{'s' if days > 1 else ''} to where it was last reported"
    assert all(f"{a_ride}, so it counts from {when}." in text for text in said[far])
    assert all("A courier needs" not in text for text in said[near])
