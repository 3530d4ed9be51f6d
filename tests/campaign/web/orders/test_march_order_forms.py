"""What the order form offers: by kind, for scripts with what it is good for, and nothing in vain."""

import pytest

from campaign.fog.visibility import viewer_of
from campaign.rules.world.world import UnitStatus
from campaign.web.campaign_page import CampaignPage
from campaign.web.orders.march_order_forms import FOR_WORK, find_tasks_by_target, list_crossings

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/"


def desk_of(campaign, user) -> CampaignPage:
    return CampaignPage(viewer_of(user, campaign))


def test_routes_are_offered_by_kind_where_formations_stand(saratoga, burgoyne):
    desk = desk_of(saratoga, burgoyne)
    kinds = dict(list_crossings(desk.world, desk.view, desk.names))
    assert set(kinds) <= {"Bridges and ferries", "Fords", "Roads"} and kinds["Roads"]
    assert all(name.startswith(("bridge", "ferry")) for _, name in kinds.get("Bridges and ferries", []))
    good = find_tasks_by_target(desk.world, desk.view)
    assert good["chambly--st_johns--road"]["data-fits"].split() == [
        "obstruct@chambly", "obstruct@st_johns",
    ]  # fmt: skip


def test_nobody_is_followed_while_no_enemy_is_known(saratoga, burgoyne):
    desk = desk_of(saratoga, burgoyne)
    enemies = [seen for seen in desk.view.formations if not seen.own]
    offered = {key for key, _ in desk.order_form().fields["activity"].choices}
    assert ({"follow", "intercept"} <= offered) == bool(enemies)
    stood = desk.order_form(initial={"activity": "follow"})
    assert "follow" in {key for key, _ in stood.fields["activity"].choices}


def test_who_holds_his_place_stands_among_the_garrisons_hr_for_03(saratoga, burgoyne):
    desk = desk_of(saratoga, burgoyne)
    choices = desk.order_form().fields["formation"].choices
    for_work = dict(next(rows for name, rows in choices if name == FOR_WORK))
    for key, formation in desk.world.formations.items():
        units = [
            unit
            for unit in desk.world.units.values()
            if unit.formation == key and unit.status is UnitStatus.PRESENT
        ]
        if formation.side == "crown" and units:
            assert (key in for_work) == (formation.garrison or all(unit.static for unit in units)), key
    page = str(desk.order_form()["formation"])
    assert 'data-place="' in page and f'<optgroup label="{FOR_WORK}">' in page
