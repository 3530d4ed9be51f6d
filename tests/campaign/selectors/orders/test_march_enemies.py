"""Enemies known on the way of a march, and whether an order invests or assaults (HR-FOG-01, HR-SIE-01)."""

from dataclasses import replace

import pytest

from campaign.fog.visibility import map_view, viewer_of
from campaign.rules.map.atlas import Atlas
from campaign.rules.scouting.intelligence import first_look
from campaign.rules.world.markers import Report
from campaign.rules.world.world import Order, Position, World
from campaign.selectors.orders.march_enemies import enemy_lines, enemy_where, march_enemies, outcome_line
from campaign.selectors.orders.preview import order_preview
from campaign.text.place_names import names_of
from tests.campaign.api.program import Program

pytestmark = pytest.mark.django_db


def add_reports(world: World, *reports: Report) -> World:
    """The world with what the Crown knows: nothing but these reports."""
    world = first_look(world)
    theirs = {key: report for key, report in world.reports.items() if not key.startswith("crown/")}
    return replace(world, reports=theirs | {f"crown/{each.formation}": each for each in reports})


def report(position: Position, formation: str = "poors_brigade", **values) -> Report:
    given = {"name": "Poor", "side": "rebel", "sp": 40, "error": 20, "arm": "foot", "day": 0, "minute": 600}
    return Report(**{"formation": formation, "position": position, "source": "country", **given, **values})


@pytest.fixture
def crown_program(burgoyne, saratoga) -> Program:
    return Program(burgoyne)


@pytest.fixture
def known(saratoga, burgoyne):
    """What the preview of the advanced corps' march tells the Crown of its enemies."""

    def enemies(world: World, *via: str, **order):
        paper = Order("advanced_corps", via, **order)
        preview = order_preview(campaign=saratoga, side="crown", order=paper, world=world)
        return march_enemies(map_view(viewer_of(burgoyne, saratoga), world), world, preview)

    return enemies


@pytest.mark.parametrize(
    ("stance", "outcome", "begins", "rules"),
    [
        ("attack", "assault", "This order assaults the fortress, because", "HR-SIE-01"),
        ("give_battle", "invest", "This order invests the fortress; only", "HR-SIE-01"),
        ("delay", "invest", "This order invests the fortress; only", "HR-SIE-01"),
        ("avoid", "fall_back", "This order tries to fall back before the fortress", "HR-CON-02, HR-SIE-01"),
    ],
)
def test_hr_sie_01_the_stance_decides_between_assault_and_investment(
    world, known, stance, outcome, begins, rules
):
    (fortress,) = known(add_reports(world), "ticonderoga", stance=stance)
    assert (fortress.position.place, fortress.works, fortress.outcome) == ("ticonderoga", "fortress", outcome)
    sentence, cited = outcome_line(fortress)
    assert (
        sentence.startswith(begins) and "\N{LEFT DOUBLE QUOTATION MARK}Attack whatever it meets" in sentence
    )
    assert cited == rules
    names = names_of(world)
    assert enemy_where(fortress, names) == "Ticonderoga (fortress)"
    unseen = "You have no report of troops there; if it is empty, it falls to you."
    assert enemy_lines(fortress, world, names) == [unseen]


def test_hr_con_08_without_sieges_and_before_field_works_a_battle_is_fought(world, known):
    off = replace(world, settings=replace(world.settings, sieges="off"))
    assert [each.outcome for each in known(add_reports(off), "ticonderoga")] == ["battle"]
    atlas = world.theatre.atlas
    places = [
        replace(each, fortification="fieldworks") if each.id == "ticonderoga" else each
        for each in atlas.places.values()
    ]
    theatre = replace(world.theatre, atlas=Atlas.of(places, atlas.routes.values()))
    (works,) = known(add_reports(replace(world, theatre=theatre)), "ticonderoga", stance="attack")
    assert (works.works, works.outcome) == ("fieldworks", "battle")
    assert outcome_line(works)[0].startswith("Nothing is invested at the field works: a battle")


def test_enemies_on_the_way_are_told_as_last_reported_in_order(world, known):
    """One on the leg marched, one at a place passed, one beyond the end and one beside the way."""
    assert known(add_reports(world), "crown_point") == []
    route = next(
        one
        for one in world.theatre.atlas.routes.values()
        if {one.a, one.b} == {"crown_point", "bouquet_river"} and one.kind == "lake"
    )
    ahead = report(Position("", route.id, route.a, route.b, route.yards // 2), "learneds_brigade", number=3)
    passed = report(Position("bouquet_river"), day=2, minute=930, number=4)
    beyond = report(Position("ticonderoga"), "nixons_brigade", number=5)
    beside = report(Position("castleton"), "glovers_brigade", number=6)
    later = replace(add_reports(world, ahead, passed, beyond, beside), day=4)
    found = known(later, "crown_point")
    assert [each.seen[0].id for each in found] == ["seen-4", "seen-3"]
    at, between = found
    assert at.leg is not None and at.leg.destination == "bouquet_river" and at.position.place
    assert between.leg is not None and between.leg.destination == "crown_point"
    assert [each.outcome for each in found] == ["", ""] and outcome_line(at) == ("", "")
    names = names_of(later)
    assert enemy_lines(at, later, names) == [
        "Poor, about 40 SP, give or take 20 %. Last seen on 17 June at 15:30, country people say."
    ]
    assert "miles out of" in enemy_where(between, names)


def test_an_enemy_left_behind_on_the_route_of_the_start_is_not_on_the_way(world, known):
    route = next(
        one
        for one in world.theatre.atlas.routes.values()
        if {one.a, one.b} == {"crown_point", "bouquet_river"} and one.kind == "lake"
    )
    half = Position("", route.id, "bouquet_river", "crown_point", route.yards // 2)
    corps = replace(world.formations["advanced_corps"], position=half)
    world = replace(world, formations={**world.formations, corps.id: corps})
    behind = report(replace(half, yards=half.yards - 1800), number=3)
    before = report(
        Position("", route.id, "crown_point", "bouquet_river", route.yards // 2 - 1800),
        "learneds_brigade",
        number=4,
    )
    found = known(add_reports(world, behind, before), "crown_point")
    assert [each.seen[0].id for each in found] == ["seen-4"]


def test_hr_fog_01_what_the_side_does_not_know_changes_nothing(world, known):
    """A brigade on the way that nobody has seen, and a garrison that came or went unseen."""
    told = known(add_reports(world), "ticonderoga")
    hidden = {
        key: replace(one, position=Position(place="crown_point"))
        for key, one in world.formations.items()
        if one.side == "rebel" and one.position is not None
    }
    moved = replace(world, formations={**world.formations, **hidden})
    reported = add_reports(world)
    assert known(replace(moved, reports=reported.reports, watches=reported.watches), "ticonderoga") == told


def test_page_and_api_tell_the_same(crown, crown_program, saratoga):
    data = {
        "formation": "advanced_corps",
        "destination": "ticonderoga",
        "pace": "normal",
        "stance": "give_battle",
    }
    page = crown.post("/campaigns/saratoga/orders/preview/", data).content.decode()
    assert "Enemies you know of on the way" in page and "Ticonderoga (fortress)" in page
    assert "Invested, not assaulted." in page and page.count("This order invests the fortress") == 1
    assert "Others may be there" in page
    order = {"formation": "advanced_corps", "via": ["ticonderoga"], "stance": "attack"}
    tried = crown_program.post("campaigns/saratoga/orders/validate/", {"order": order}).json()
    (enemy,) = tried["preview"]["enemies"]
    assert (enemy["position"]["place"], enemy["works"], enemy["seen"]) == ("ticonderoga", "fortress", [])
    assert enemy["outcome"] == "assault" and enemy["reason"].startswith("This order assaults")
    last = tried["preview"]["legs"][-1]
    assert (enemy["day"], enemy["minute"]) == (last["day"], last["minute"])
    halt = {"order": {"formation": "advanced_corps", "via": []}}
    assert crown_program.post("campaigns/saratoga/orders/validate/", halt).json()["preview"]["enemies"] == []
