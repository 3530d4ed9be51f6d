"""What the enemy does out of sight changes nothing on a commander's pages (HR-FOG-01)."""

from dataclasses import replace

import pytest

from campaign.fog.visibility import viewer_of
from campaign.rules.scouting.knowledge import side_view
from campaign.rules.world.world import Position, World, present_units
from campaign.selectors.army.returns import load_returns
from campaign.selectors.map.geojson import map_features
from campaign.selectors.press.journal import journal_page
from campaign.selectors.turns.calendar import load_calendar
from campaign.web.campaign_page import CampaignPage


def changed_out_of_sight(world: World, side: str) -> World:
    """The enemies of `side` out of its sight: half as strong, one elsewhere, holding all posts."""
    view = side_view(world, side)
    seen = {(enemy.name, enemy.position) for enemy in view.enemies}
    present = present_units(world)
    hidden = [
        one
        for key, one in sorted(world.formations.items())
        if one.side != side and one.position and (one.name, one.position) not in seen and key in present
    ]
    mover = next(one for one in hidden if not one.garrison)
    unseen = [place for place in sorted(world.theatre.atlas.places) if place not in view.visible]
    target = next(place for place in unseen if Position(place=place) != mover.position)
    theirs = [place for place in unseen if world.holders.get(place) != side]
    keys = {one.id for one in hidden}
    return replace(
        world,
        formations={**world.formations, mover.id: replace(mover, position=Position(place=target))},
        units={
            key: replace(unit, points=unit.points // 2) if unit.formation in keys else unit
            for key, unit in world.units.items()
        },
        holders={**world.holders, **dict.fromkeys(theirs, mover.side)},
        pools={**world.pools, "american/line" if mover.side == "rebel" else "british/line": 77},
    )


@pytest.mark.parametrize("name", ["burgoyne", "gates"])
def test_hr_fog_01_pages_do_not_tell_what_happens_out_of_sight(
    saratoga, world, name, request: pytest.FixtureRequest
):
    user = request.getfixturevalue(name)
    viewer = viewer_of(user, saratoga)
    quiet, busy = CampaignPage(viewer), CampaignPage(viewer)
    quiet.world, busy.world = world, changed_out_of_sight(world, viewer.side)
    assert busy.world != quiet.world

    def told(desk: CampaignPage) -> list[object]:
        features = map_features(desk)
        pages = [load_returns(viewer, desk.world, desk.names), journal_page(viewer, desk.world, desk.names)]
        return [features, desk.view, desk.orders, desk.battles, load_calendar(viewer, desk.world), *pages]

    assert told(busy) == told(quiet)


def test_hr_fog_01_the_umpire_sees_all_of_it(saratoga, world, carleton):
    viewer = viewer_of(carleton, saratoga)
    quiet, busy = CampaignPage(viewer), CampaignPage(viewer)
    quiet.world, busy.world = world, changed_out_of_sight(world, "crown")
    assert busy.view != quiet.view
