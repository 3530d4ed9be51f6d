"""Works, boats, sieges, broken crossings and felled roads on the map, as far as a side knows (HR-BRG-03)."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from campaign.fog.visibility import map_view, viewer_of
from campaign.ledger.world_rows import world_load
from campaign.rules.march.boats import WITH
from campaign.rules.world.markers import Boats, Bridge, Felled, Raft, Siege, Terms, Works
from campaign.rules.world.world import World
from campaign.selectors.map.geojson import map_features
from campaign.web.campaign_page import CampaignPage

ROAD, BRIDGE = "fort_edward--saratoga--track", "ticonderoga--mount_independence--road"


@pytest.fixture
def ground(saratoga) -> World:
    """Signs about Ticonderoga, which the rebels hold and the Crown does not see, and some of the Crown's."""
    return replace(
        world_load(saratoga),
        works={"ticonderoga": Works("rebel", 4), "st_johns": Works("crown", 2)},
        boats={"ticonderoga": Boats("rebel", 500), WITH + "gates": Boats("rebel", 125)},
        sieges={"ticonderoga": Siege("crown", 0, works_lost=3)},
        terms={"fort_stanwix": Terms("rebel", 0)},
        bridges={BRIDGE: Bridge(0, known_by="rebel")},
        rafts={ROAD: Raft(0, known_by="rebel")},
        felled={ROAD: Felled(0, 1760 * 3, "rebel")},
    )


def facts(person, campaign, world: World) -> dict[str, str]:
    """The words of the map by name of place or route."""
    desk = CampaignPage(viewer_of(person, campaign))
    desk.world = world
    found = map_features(desk)
    return {
        row["properties"]["id" if row["properties"]["feature"] == "place" else "name"]: row["properties"][
            "facts"
        ]
        for row in found["features"]
        if row["properties"]["feature"] in ("place", "route")
    }


def test_who_is_there_sees_the_signs(saratoga, gates, ground):
    told = facts(gates, saratoga, ground)
    assert "field works of 4 SP" in told["ticonderoga"]
    assert "boats for 500 men" in told["ticonderoga"]
    assert "invested by" in told["ticonderoga"] and "3 SP of its works down" in told["ticonderoga"]
    assert told["Ticonderoga to Mount Independence"].endswith("bridge broken")
    assert told["Fort Edward to Saratoga"].endswith("a bridge of rafts, 3.0 miles felled and broken")


def test_hr_brg_03_who_is_not_sees_none_of_the_enemys(saratoga, burgoyne, ground):
    told = facts(burgoyne, saratoga, ground)
    assert "field works" not in told["ticonderoga"] and "boats" not in told["ticonderoga"]
    assert "field works of 2 SP" in told["st_johns"]
    assert "broken" not in told["Ticonderoga to Mount Independence"]
    assert "felled" not in told["Fort Edward to Saratoga"]


def test_the_umpire_sees_them_all_and_boats_afloat_are_no_sign(saratoga, carleton, ground):
    counters = map_view(viewer_of(carleton, saratoga), ground).counters
    assert set(counters["works"]) == {"ticonderoga", "st_johns"}
    assert set(counters["boats"]) == {"ticonderoga"}
    assert set(counters["terms"]) == {"fort_stanwix"}
    assert "treats for surrender" in facts(carleton, saratoga, ground)["fort_stanwix"]


def test_the_maps_signs_leave_those_of_a_drawn_table_alone():
    css = (Path(__file__).parents[3] / "static/css/map.css").read_text(encoding="utf-8")
    assert not re.findall(r"(?m)^\.sign\b", css), "a drawing's legend has signs too"
