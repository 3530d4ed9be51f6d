"""Pages of a fight that is split: a sector's figures are those of the whole fight (HR-TAB-14)."""

from campaign.rules.battles.table_results import UnitResult
from campaign.selectors.battles.table_results import build_table_roster
from campaign.services.battles.entered_results import table_settlement
from campaign.services.battles.methods import battle_split
from tests.campaign.web.test_brigade_pages import (
    PAGE,
    brigades,
    gun,
    order_of,
    row_of,
    text,
)


def test_a_sector_counts_as_the_whole_fight_does_on_every_page_hr_tab_14(
    grand,
    crown,
    rebel,
    desk,
    carleton,
):
    """1,200 men and 1,050 are five points, three of them the first brigade's; alone it would have two."""
    grand.campaign.table_units = 1
    grand.campaign.save()
    before = build_table_roster(grand, {}).units
    named = {unit["id"]: unit["name"] for unit in grand.inputs["file"]["units"]}
    firsts = {side: brigades(grand, side)[0][0] for side in ("crown", "rebel")}
    sector = {one for side in firsts for one in (*brigades(grand, side)[0], gun(grand, side))}
    split = battle_split(battle=grand, units=sector, actor=carleton)
    assert build_table_roster(split, {}).units == {key: one for key, one in before.items() if key in sector}
    api = desk.get(f"/api/v1{PAGE}{grand.pk}/way/").json()["muster"]
    assert {one["unit"]: one["points"] for one in api} == {
        **dict.fromkeys(firsts.values(), 3),
        **{gun(grand, side): 1 for side in firsts},
    }
    assert {one["unit"] for one in api if one["goes_with"]} == {gun(grand, side) for side in firsts}
    for client in (crown, rebel, desk):
        pack = text(client.get(f"{PAGE}{grand.pk}/pack/"))
        for side, first in firsts.items():
            rows = [(name, int(sp)) for name, _, sp in order_of(pack, side)]
            assert rows == [(f"{named[first]} and 2 more", 3), (named[gun(grand, side)], 1)]
        assert pack.count("3 SP of 500 men in all, dedicated guns not counted, breaks off") == 2
        form = text(client.get(f"{PAGE}{grand.pk}/result/"))
        assert row_of(form, f"{named[firsts['crown']]} and 2 more").count('max="3"') == 2
    result = {firsts["crown"]: UnitResult(1), firsts["rebel"]: UnitResult(3)}
    settled = table_settlement(battle=split, results=result, field_held_by="crown")
    lost = {loss.unit: loss.sp_lost for loss in settled.losses if loss.sp_lost}
    assert sum(lost[unit] for unit in brigades(grand, "crown")[0]) == 8, "24 SP of 3 points"
    assert sum(lost[unit] for unit in brigades(grand, "rebel")[0]) == 24, "every man there was"
