"""Map, reach and order of battle: the same as the pages', for each role."""

import csv
import io
import json

import pytest
from django.urls import reverse

from campaign.services.turns.days import day_advance
from tests.campaign.api.program import problem

pytestmark = pytest.mark.django_db
MAP = "campaigns/saratoga/map/"
ARMY = "campaigns/saratoga/army/"
EXTRA = {"holder", "a", "b", "yards", "terrain", "crossing", "wheeled", "route", "origin", "destination"}


def features(answer):
    return json.loads(answer.content)["features"]


def plain(found):
    """Features as the page has them."""
    return [
        {**each, "properties": {k: v for k, v in each["properties"].items() if k not in EXTRA}}
        for each in found
    ]


def same_map(program, browser, query=""):
    answer = program.get(MAP + query)
    assert answer["Content-Type"] == "application/geo+json"
    page = browser.get(reverse("campaign-map", args=["saratoga"]) + query)
    assert plain(features(answer)) == plain(features(page))
    return features(answer)


def test_each_sees_the_map_of_his_page(
    crown_program, rebel_program, umpire_program, stranger_program, crown, rebel, desk
):
    seen = {}
    for name, program, browser in (
        ("crown", crown_program, crown), ("rebel", rebel_program, rebel), ("umpire", umpire_program, desk),
    ):  # fmt: skip
        found = same_map(program, browser)
        seen[name] = {f["properties"]["id"] for f in found if f["properties"]["feature"] == "formation"}
    assert seen["crown"] < seen["umpire"] and not seen["crown"] >= seen["rebel"]
    problem(stranger_program.get(MAP), 404, "not-found")


def test_routes_say_what_programs_reckon_with(crown_program, world):
    route = next(f for f in features(crown_program.get(MAP)) if f["properties"]["feature"] == "route")
    known = world.theatre.atlas.routes[route["properties"]["id"]]
    assert (route["properties"]["a"], route["properties"]["yards"]) == (known.a, known.yards)


def test_an_earlier_morning_is_that_of_the_page(crown_program, spectator_program, crown, saratoga, carleton):
    day_advance(campaign=saratoga, actor=carleton)
    same_map(crown_program, crown, "?day=1")
    same_map(crown_program, crown, "?day=2")
    problem(crown_program.get(f"{MAP}?day=3"), 404, "not-found")
    problem(crown_program.get(f"{MAP}?day=x"), 400, "invalid")
    assert features(spectator_program.get(MAP))


def test_a_map_one_has_is_304(crown_program):
    first = crown_program.get(MAP)
    assert crown_program.get(MAP, If_None_Match=first["ETag"]).status_code == 304


def test_reach_is_that_of_the_page_and_of_ones_own(crown_program, rebel_program, crown):
    query = "?formation=advanced_corps&pace=double"
    answer = crown_program.get(f"{MAP}reach/{query}")
    page = crown.get(reverse("reach", args=["saratoga"]) + query)
    assert json.loads(answer.content) == page.json() and page.json()["features"]
    foreign = rebel_program.get(f"{MAP}reach/{query}")
    problem(foreign, 404, "not-found")
    assert foreign.content == rebel_program.get(f"{MAP}reach/?formation=nobody").content
    problem(crown_program.get(f"{MAP}reach/"), 400, "invalid")
    problem(crown_program.get(f"{MAP}reach/?formation=advanced_corps&pace=gallop"), 400, "invalid")


def units(body):
    def of(row):
        yield from row["units"]
        for part in row["parts"]:
            yield from of(part)

    for side in body["sides"]:
        for row in (*side["columns"], *side["garrisons"], *side["elsewhere"]):
            yield from of(row)


def test_the_army_is_the_pages_tree_and_table(crown_program, crown, world):
    body = crown_program.get(ARMY).json()
    assert [side["id"] for side in body["sides"]] == ["crown"] and body["week"] == body["running"] == 1
    known = {unit.id for unit in world.units.values() if unit.side == "crown"}
    assert {unit["id"] for unit in units(body)} == known
    table = crown_program.get(f"{ARMY}table/")
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    assert table.content == crown.get(reverse("army-csv", args=["saratoga"])).content
    rows = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert sum(int(row["points"]) for row in rows) == sum(unit["points"] for unit in units(body))


def test_an_army_is_its_sides_and_the_umpires(
    crown_program, rebel_program, umpire_program, spectator_program, stranger_program
):
    assert [side["id"] for side in rebel_program.get(ARMY).json()["sides"]] == ["rebel"]
    assert len(umpire_program.get(ARMY).json()["sides"]) == 2
    for program in (spectator_program, stranger_program):
        for address in (ARMY, f"{ARMY}table/", MAP + "reach/?formation=advanced_corps"):
            problem(program.get(address), 404, "not-found")
    problem(crown_program.get(f"{ARMY}?week=2"), 404, "not-found")
    problem(crown_program.get(f"{ARMY}?week=0"), 400, "invalid")


def test_a_unit_tells_what_befell_it_to_its_own_side(crown_program, rebel_program, world):
    unit = next(unit for unit in world.units.values() if unit.formation == "advanced_corps")
    body = crown_program.get(f"{ARMY}units/{unit.id}/").json()
    assert (body["name"], body["formation"], body["week"]) == (unit.name, "advanced_corps", 1)
    foreign = rebel_program.get(f"{ARMY}units/{unit.id}/")
    problem(foreign, 404, "not-found")
    assert foreign.content == rebel_program.get(f"{ARMY}units/nobody/").content
