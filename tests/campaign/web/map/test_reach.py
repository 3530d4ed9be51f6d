"""The reach of a column as shaded roads: what it may do, for its own side only."""

import json
import re
from dataclasses import replace

import pytest

from campaign.rules.map.reach import find_reach
from campaign.rules.march.marching import formation_mobility
from campaign.rules.orders.orders import list_formation_units
from campaign.rules.world.world import Order, World
from campaign.selectors.map.reach import list_daily_reach
from campaign.selectors.orders.preview import order_preview

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"


def features(client, **asked: str) -> list[dict]:
    answer = client.get(f"{PAGE}reach.geojson", asked)
    assert answer.status_code == 200
    return json.loads(answer.content)["features"]


def test_reach_grows_by_the_day_and_the_pace_hr_mar_08(crown):
    normal = features(crown, formation="advanced_corps")
    forced = features(crown, formation="advanced_corps", pace="double")
    days = [each["properties"]["day"] for each in normal]
    assert set(days) == {1, 2, 3} and days == sorted(days)
    assert len(forced) > len(normal)
    assert features(crown, formation="advanced_corps", pace="nonsense") == normal


def test_a_garrison_reaches_nothing_and_without_a_formation_there_is_nothing(crown, world: World):
    garrison = next(one.id for one in world.formations.values() if one.garrison and one.side == "crown")
    assert features(crown) == features(crown, formation=garrison) == []


@pytest.mark.parametrize("formation", ["poors_brigade", "no_such_formation"])
def test_hr_fog_01_an_enemys_reach_is_as_unknown_as_nobodys(crown, formation):
    answer = crown.get(f"{PAGE}reach.geojson", {"formation": formation})
    assert answer.status_code == 404 and not re.search(rb"(?i)\bpoor", answer.content)


def test_what_a_march_reaches_in_its_days_is_in_reach_hr_mar_09(saratoga, world: World):
    order = Order("advanced_corps", ("ticonderoga",), pace="plus_half")
    days = order_preview(campaign=saratoga, side="crown", order=order, world=world).days
    found = list_daily_reach(
        world, world.formations["advanced_corps"], tuple(list_formation_units(world, "advanced_corps")), 150
    )
    assert "ticonderoga" in found[len(days) - 1].places
    assert len(days) == 1 or "ticonderoga" not in found[len(days) - 2].places


def test_light_order_goes_further_only_while_it_may_last_hr_mar_03(world: World):
    formation, units = world.formations["poors_brigade"], tuple(list_formation_units(world, "poors_brigade"))
    spent = replace(formation, light_days=world.settings.light_order_days)
    usual = list_daily_reach(world, formation, units, 100)
    assert list_daily_reach(world, spent, units, 100, light_order=True) == usual
    foot = tuple(unit for unit in units if unit.mobility == "foot")
    last = replace(formation, light_days=world.settings.light_order_days - 1)
    one, *later = list_daily_reach(world, last, foot, 100, light_order=True)
    assert (one, later) != (usual[0], list(usual[1:]))
    assert later == list(list_daily_reach(world, last, foot, 100)[1:])


def test_two_days_reach_what_one_of_double_length_would_hr_mar_08(world: World):
    formation, units = world.formations["advanced_corps"], list_formation_units(world, "advanced_corps")
    assert formation.position is not None
    terms = (world.theatre.atlas, formation.position)
    march = formation_mobility(units)
    one, two = (find_reach(*terms, 100, march, world.settings, days=days) for days in (1, 2))
    assert set(one.places) < set(two.places)
    assert all(two.places[place] == minutes for place, minutes in one.places.items())
