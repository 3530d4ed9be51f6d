"""Putting a formation down on the page: at a place, or at a spot of a route (HR-UMP-02)."""

import html

import pytest

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, DayRecord
from campaign.rules.world.world import YARDS_PER_MILE, Position

pytestmark = pytest.mark.django_db

PAGE = "/campaigns/saratoga/desk/"


def place(desk, campaign: Campaign, **fields: str):
    data = {f"place-{name}": value for name, value in fields.items()}
    told = {"kind": "place", "head": campaign.head_id, "place-formation": "army_train"}
    return desk.post(PAGE, {**told, "place-reason": "A slip at the table.", **data})


def test_hr_ump_02_a_formation_is_put_at_a_spot_of_a_route_from_either_end(desk, saratoga):
    atlas = world_load(saratoga).theatre.atlas
    route = next(each for each in atlas.routes.values() if each.yards > 4 * YARDS_PER_MILE)
    for origin in (route.a, route.b):
        saratoga.refresh_from_db()
        answer = place(desk, saratoga, position="", route=f"{route.id}/{origin}", miles="2.5")
        assert answer.status_code == 302
        spot = Position(route=route.id, origin=origin, destination=route.other(origin), yards=4400)
        world = world_load(Campaign.objects.get(pk=saratoga.pk))
        assert world.formations["army_train"].position == spot


@pytest.mark.parametrize(
    ("position", "way", "miles", "field", "sentence"),
    [
        ("", False, "", "position", "Choose a place, or a route"),
        ("isle_aux_noix", False, "2", "route", "Choose the route the miles are along"),
        ("isle_aux_noix", True, "2", "route", "choose one of the two"),
        ("", True, "", "miles", "miles long; give more than 0"),
        ("", True, "0", "miles", "miles long; give more than 0"),
        ("", True, "-1", "miles", "miles long; give more than 0"),
        ("", True, "999", "miles", "miles long; give more than 0"),
        ("", True, "far", "miles", "Give the miles as a number"),
        ("", True, "NaN", "miles", "Give the miles as a number"),
        ("", True, "1e99", "miles", "Give the miles as a number"),
    ],
)
def test_hr_ump_02_a_spot_that_is_none_is_refused_beside_its_field(
    desk, saratoga, position, way, miles, field, sentence
):
    route = next(iter(world_load(saratoga).theatre.atlas.routes.values()))
    way = f"{route.id}/{route.a}" if way else ""
    answer = place(desk, saratoga, position=position, route=way, miles=miles)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert list(form.errors) == [field] and sentence in form.errors[field][0]
    assert form.errors[field][0] in html.unescape(answer.content.decode())
    assert not DayRecord.objects.filter(kind="act").exists()
