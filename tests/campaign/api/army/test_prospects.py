"""What pages tell a side of pools, generals, arrivals, food and returns is told to its programs too."""

import json
import re
from datetime import date
from typing import Any

import pytest

from campaign.models import Campaign, Seat, User
from campaign.rules.world.world import UnitStatus
from campaign.selectors.army.prospects import build_prospects
from campaign.selectors.army.returns import load_returns
from campaign.selectors.army.supply import load_supply
from campaign.selectors.campaign_context import Reading
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from campaign.services.turns.days import day_advance
from rosters.models import Pool, Unit
from tests.campaign.api.program import Program, problem
from tests.factories.people import signed_in
from tests.factories.records import head_renew

pytestmark = pytest.mark.django_db
HERE = "campaigns/saratoga/"
PROSPECTS, SUPPLY, RETURNS = f"{HERE}army/prospects/", f"{HERE}supply/", f"{HERE}returns/"
SHEETS = (PROSPECTS, SUPPLY, RETURNS)


def reading(user: User) -> Reading:
    return Reading.of(user, "saratoga")


@pytest.fixture
def pools(saratoga, world) -> None:
    """A pool of each side with points for a unit and more, and a unit of the Crown's without men."""
    book = saratoga.order_of_battle
    Pool.objects.filter(order_of_battle=book).delete()
    for nation, arm in (("british", "line"), ("american", "rifles")):
        Pool.objects.create(order_of_battle=book, nation=nation, arm=arm, points=130)
    unit = next(each for each in world.units.values() if each.pool == "british/line" and each.points)
    rows = Unit.objects.filter(order_of_battle=book, slug=unit.id)
    assert rows.update(status=UnitStatus.ELIMINATED, points=0) == 1
    head_renew(saratoga)


def test_pools_are_told_by_the_keys_that_choices_name(pools, crown_program, rebel_program, umpire_program):
    [crown] = crown_program.get(PROSPECTS).json()["pools"]
    assert (crown["key"], crown["points"], crown["below"]) == ("british/line", 130, "british/militia")
    assert (crown["raises"], crown["missing"]) == (1, 70)
    [rebel] = rebel_program.get(PROSPECTS).json()["pools"]
    assert (rebel["key"], rebel["below"]) == ("american/rifles", "american/open_order")
    both = umpire_program.get(PROSPECTS).json()["pools"]
    assert {row["key"] for row in both} == {"british/line", "american/rifles"}
    down = {"source": crown["key"], "target": crown["below"], "points": 10}
    tried = crown_program.post(f"{HERE}orders/validate/", {"choices": {"downgrades": [down]}})
    assert tried.status_code == 200, tried.content


def test_prospects_are_those_of_the_army_s_page(
    pools, crown_program, rebel_program, umpire_program, burgoyne, gates, carleton
):
    for program, user in ((crown_program, burgoyne), (rebel_program, gates), (umpire_program, carleton)):
        told = program.get(PROSPECTS).json()
        page = signed_in(user).get("/campaigns/saratoga/army/").context["prospects"]
        assert (told["week"], told["running"]) == (1, 1)
        assert (told["weeks_end"], told["days_left"]) == (page.weeks_end.isoformat(), page.days_left)
        assert told["by_themselves"] == page.by_themselves
        for name in ("leaders", "pools"):
            assert [row["name"] for row in told[name]] == [row.name for row in getattr(page, name)]
        assert told["leaders"] and told["due"]
        assert [row["state"] for row in told["leaders"]] == [row.state for row in page.leaders]
        due = [(date.fromisoformat(row["date"]), row["where"], tuple(row["units"])) for row in told["due"]]
        assert due == [(row.date, row.where, row.units) for row in page.due]


def test_ids_are_of_things_there_are(pools, umpire_program, world):
    told = umpire_program.get(PROSPECTS).json()
    assert {row["id"] for row in told["leaders"]} == set(world.generals)
    assert {row["side"] for row in told["leaders"]} == {"crown", "rebel"}
    assert {row["formation"] for row in told["leaders"]} - {""} <= set(world.formations)
    assert {row["place"] for row in told["due"]} - {""} <= set(world.theatre.atlas.places)
    assert all(set(row["places"]) <= set(world.theatre.atlas.places) for row in told["pools"])
    [waiting] = [row["waiting"] for row in told["pools"] if row["key"] == "british/line"]
    assert len(waiting) == 1 and waiting[0] in world.units


def test_the_returns_are_those_of_the_sheet(crown_program, umpire_program, saratoga, burgoyne, carleton):
    day_advance(campaign=saratoga, actor=None)
    for program, user in ((crown_program, burgoyne), (umpire_program, carleton)):
        told, desk = program.get(RETURNS).json(), reading(user)
        page = load_returns(desk.viewer, desk.world, desk.names)
        assert (told["week"], told["running"], told["closed"]) == (1, 1, False)
        assert (told["start"], told["now"]) == (page.start, page.now)
        assert [row["id"] for row in told["formations"]] == [row.id for row in page.formations]
        lines = [(unit["id"], unit["start"], unit["now"], changed(unit)) for unit in units(told)]
        assert lines == [
            (unit.id, unit.start, unit.now, [(each.rule, each.points) for each in unit.changes])
            for body in page.formations
            for unit in body.units
        ]
        assert lines and sum(unit["now"] for unit in units(told)) == told["now"]
        assert changed({"changes": told["by_rule"]}) == [(each.rule, each.points) for each in page.by_rule]


def units(told: dict[str, Any]) -> list[dict[str, Any]]:
    return [unit for body in told["formations"] for unit in body["units"]]


def changed(row: dict[str, Any]) -> list[tuple[str, int]]:
    return [(each["rule"], each["points"]) for each in row["changes"]]


@pytest.fixture
def fed(db, carleton, burgoyne, gates) -> Campaign:
    """Saratoga with supply, and nothing to live on but a day's food."""
    return campaign_create(
        scenario="saratoga-1777",
        slug="saratoga",
        secret=b"s" * 32,
        settings={"supply": "food", "start_days": 1, "supply_reach_days": 0},
        seats=(
            SeatPlan(Seat.Role.UMPIRE, user=carleton),
            SeatPlan(Seat.Role.COMMANDER, "crown", user=burgoyne),
            SeatPlan(Seat.Role.COMMANDER, "rebel", user=gates),
        ),
    )


def test_food_is_told_as_on_its_sheet_hr_sup_03(fed, burgoyne, gates, carleton):
    for _ in range(2):
        day_advance(campaign=Campaign.objects.get(pk=fed.pk), actor=carleton)
    seen = {}
    for user in (burgoyne, gates, carleton):
        told, desk = Program(user).get(SUPPLY).json(), reading(user)
        page = load_supply(desk.viewer, desk.world, desk.names)
        assert told["played"]
        assert [(row["formation"], row["days"], row["hungry_days"]) for row in told["formations"]] == [
            (row.id, row.days, row.hungry_days) for row in page.formations
        ]
        assert [row["source"] for row in told["formations"]] == [row.source for row in page.formations]
        assert [(row["name"], row["rations"]) for row in told["stores"]] == [
            (row.name, row.rations) for row in page.stores
        ]
        assert [row["text"] for row in told["losses"]] == [row.line.text for row in page.losses]
        assert told["formations"] and told["stores"]
        assert user is gates or (any(row["hungry_days"] for row in told["formations"]) and told["losses"])
        assert {row["place"] for row in told["stores"]} <= set(desk.world.theatre.atlas.places)
        seen[user] = {row["formation"] for row in told["formations"]}
        sides = {burgoyne: {"crown"}, gates: {"rebel"}}.get(user, {"crown", "rebel"})
        assert {row["side"] for row in (*told["formations"], *told["stores"])} == sides
    assert not seen[burgoyne] & seen[gates] and seen[burgoyne] | seen[gates] == seen[carleton]


def test_where_supply_is_not_played_there_is_no_food_to_tell(crown_program):
    told = crown_program.get(SUPPLY).json()
    assert told == {"played": False, "formations": [], "stores": [], "losses": []}


def test_each_side_is_told_of_its_own_hr_fog_01(
    pools, crown_program, rebel_program, spectator_program, stranger_program, world
):
    rebels = [unit for unit in world.units.values() if unit.side == "rebel"]
    own = {unit.name for unit in world.units.values() if unit.side == "crown"}
    bodies = {key for key, body in world.formations.items() if body.side == "rebel"}
    foreign = {unit.id for unit in rebels} | {unit.name for unit in rebels} - own | bodies
    foreign |= {general.name for general in world.generals.values() if general.side == "rebel"}
    told = json.dumps([crown_program.get(address).json() for address in SHEETS])
    assert len(foreign) > 40 and not {each for each in foreign if re.search(rf"\b{re.escape(each)}\b", told)}
    for address in (PROSPECTS, RETURNS):
        assert crown_program.get(address).json() != rebel_program.get(address).json()
    for address in SHEETS:
        for program in (spectator_program, stranger_program):
            problem(program.get(address), 404, "not-found")


@pytest.mark.parametrize("address", [PROSPECTS, RETURNS])
def test_a_week_there_is_not_is_not_found(crown_program, address):
    assert crown_program.get(f"{address}?week=1").status_code == 200
    problem(crown_program.get(f"{address}?week=2"), 404, "not-found")
    problem(crown_program.get(f"{address}?week=0"), 400, "invalid")


@pytest.mark.parametrize("address", SHEETS)
def test_what_one_has_is_304(crown_program, address):
    etag = crown_program.get(address)["ETag"]
    assert crown_program.get(address, If_None_Match=etag).status_code == 304


def test_prospects_of_a_viewer_are_read_of_his_world_alone(pools, burgoyne):
    desk = reading(burgoyne)
    found = build_prospects(desk.viewer, desk.world, desk.names)
    assert {row.side_id for row in (*found.leaders, *found.due)} == {"crown"}
