"""The printed map: read without colours, nothing covered, nothing unescaped."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.drawing.map_svg import (
    HIGHEST,
    WIDTH,
    Lettering,
    MapBattlefield,
    MapBody,
    MapSituation,
    bounds_around,
    situation_svg,
)
from campaign.rules.map.atlas import Atlas
from campaign.scenarios.reading import read_scenario, scenario_path

ALBANY, BENNINGTON = (-73.75, 42.65), (-73.2, 42.88)


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return read_scenario(scenario_path("saratoga-1777")).world.theatre.atlas


def situation(*bodies: MapBody, **more) -> MapSituation:
    bounds = bounds_around([ALBANY, BENNINGTON])
    return MapSituation("upper-hudson", bounds, bodies=bodies, **more)


def drawn(what: MapSituation, atlas: Atlas) -> str:
    svg = situation_svg(what, atlas, "Week 1", "Troops & places")
    ElementTree.fromstring(svg)
    return svg


def test_sides_differ_without_colour_and_who_is_not_in_sight_has_a_broken_edge(atlas) -> None:
    near = MapBody(ALBANY, "Gates", "40", 1, "blue")
    far = MapBody(BENNINGTON, "Baum", "12", 0, "madder", more=2)
    svg = drawn(situation(near, far), atlas)
    solid, hollow = re.findall(r'<rect x="[^"]*"[^>]*height="16" fill="(#\w+)" stroke="(#\w+)"', svg)
    assert solid[0] == solid[1] and hollow[0] != hollow[1]
    assert "Baum and 2 more" in svg and ">Gates<" in svg
    ghost = drawn(situation(MapBody(ALBANY, "Gates", "30", 1, "blue", ghost=True)), atlas)
    assert re.search(r'height="16"[^>]*stroke-dasharray', ghost)


def test_names_from_people_are_escaped_and_nothing_is_styled(atlas) -> None:
    nasty = "<script>alert('x')</script>"
    svg = drawn(
        situation(MapBody(ALBANY, nasty, nasty, 0, "none"), fields=(MapBattlefield(BENNINGTON, nasty),)),
        atlas,
    )
    assert "<script" not in svg and " style=" not in svg and "<style" not in svg
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_what_is_kept_is_drawn_the_same_again(atlas) -> None:
    what = situation(
        MapBody(ALBANY, "Gates", "40", 1, "blue"), held={"albany": "blue"}, near=(-74, 42, -73, 43)
    )
    again = MapSituation.from_json(what.to_json())
    assert again == what and drawn(again, atlas) == drawn(what, atlas)


def test_all_battles_of_a_spot_have_one_pair_of_swords(atlas) -> None:
    one = drawn(situation(fields=(MapBattlefield(ALBANY, "First"),)), atlas)
    two = drawn(situation(fields=(MapBattlefield(ALBANY, "First"), MapBattlefield(ALBANY, "Second"))), atlas)
    assert one == two


spots = st.lists(st.tuples(st.floats(-80, -70), st.floats(38, 46)), min_size=1, max_size=8)


@given(spots)
def test_bounds_hold_every_spot_and_are_never_too_high(listed) -> None:
    west, south, east, north = bounds_around(listed)
    assert all(west < x < east and south < y < north for x, y in listed)
    assert (north - south) / (east - west) <= HIGHEST


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0, WIDTH), st.floats(0, 500), st.integers(2, 7)), max_size=12))
def test_blocks_stay_on_the_sheet(listed) -> None:
    lettering = Lettering(WIDTH, 500.0)
    for x, y, letters in listed:
        half = 3.4 * letters + 4
        left, top = lettering.block(x, y, half, 8.0, side=1)
        assert half <= left <= WIDTH - half and 8 <= top <= 492


@given(st.lists(st.tuples(st.floats(20, 700), st.floats(20, 480)), min_size=2, max_size=30))
def test_no_name_covers_another(listed) -> None:
    lettering = Lettering(WIDTH, 500.0)
    for x, y in listed:
        lettering.near(x, y, 4.0, "Ticonderoga", 11.0)
    boxes = lettering.taken
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            apart = one[0] >= other[2] or other[0] >= one[2] or one[1] >= other[3] or other[1] >= one[3]
            assert apart
