"""Worked checks of structures as the ground is written: their SP, the cover they give, who is in them."""

from typing import Any

from battles.engine.dtypes import COLUMN
from battles.engine.raster import raster_write
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import charge_modifiers, works
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import set_up
from tests.battles.checks.fire import COVER
from tests.battles.forces import Stand, table
from tests.battles.grounds import house, inside

Facts = dict[str, Any]
LINE_FOOT = TroopType.CONTINENTAL_LINE
CENTRE = ((48.0, 30.0),)
COURSE = ((40.0, 28.5), (56.0, 28.5))
RIVER = Feature("river", ((0.0, 30.0), (96.0, 30.0)))
FEATURES: dict[str, tuple[Feature, ...]] = {
    "wooden_bridge_per_100mm": (RIVER, Feature("bridge", CENTRE)),
    "stone_bridge_per_100mm": (RIVER, Feature("bridge", CENTRE, material="stone")),
    "wooden_building_50x100": (Feature("building", CENTRE),),
    "wooden_building_100x100": (Feature("building", CENTRE, size="large"),),
    "timber_fieldwork_per_100mm": (Feature("fieldwork", COURSE),),
    "stone_building_50x100": (Feature("building", CENTRE, material="stone"),),
    "stone_building_100x100": (Feature("building", CENTRE, material="stone", size="large"),),
    "earth_and_timber_redoubt": (Feature("redoubt", COURSE, open_gorge=True),),
    "timber_stockade_per_100mm": (Feature("stockade", COURSE),),
}


def check_structure(given: Facts, expect: Facts) -> None:
    """A structure's SP, and its cover for who is in it, on it or behind it."""
    g = table(Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 48, 30, face=180))
    features = FEATURES[given["structure"]]
    raster_write(g, BattleGround(96.0, 60.0, features), terrain_for(options_resolve({})))
    assert g.structures_n > 0
    assert {int(s.sp) for s in g.structures[: g.structures_n]} == {expect["sp"]}
    if features[0].kind == "building":
        inside(g, 1, 0)
    elif features[0] is RIVER:
        g.u[1].form = COLUMN
    factor = works.shelter_factor(g, 48.0, 20.0, 1)
    assert (factor, COVER[int(factor)]) == (expect["factor"], expect["cover"])


def check_zone_in_building(given: Facts, expect: Facts) -> None:
    """Who is in a building has a front on every side."""
    set_up(given, target="unit in a building", charger_from="any side")
    for x, y, face in ((48, 35, 180), (48, 25, 0), (53, 30, 270), (43, 30, 90)):
        g = table(Stand(0, LINE_FOOT, x, y, face=face), Stand(1, LINE_FOOT, 48, 30))
        inside(g, 1, house(g, 48, 30))
        assert (charge_modifiers.find_charge_zone(g, 0, 1) == charge_modifiers.FRONT) == (
            expect["zone"] == "front"
        )
