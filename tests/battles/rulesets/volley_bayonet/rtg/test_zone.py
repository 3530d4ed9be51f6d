"""Who must check morale for guns in whose close zone he is; contact is in test_morale_step.py."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg.labels import GunKind
from battles.rulesets.volley_bayonet.rtg.morale_step import NO_ENEMY, prepare_check
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field

#: y of a line whose near edge is so far from guns at 20.
EDGE = 20.0 + 1.5 + 0.75


def checks(g: Any, i: int) -> bool:
    """True for a stand that checks in the Morale phase."""
    return bool(prepare_check(g, i) != NO_ENEMY)


@pytest.mark.parametrize(
    ("gun", "inches", "due"),
    [
        ("field_guns", 4.0, True),
        ("field_guns", 4.1, False),
        ("very_light_guns", 3.0, True),
        ("very_light_guns", 3.1, False),
        ("siege_guns", 4.0, True),
    ],
)
def test_in_close_range_of_guns_RTG_MOR_01(gun: GunKind, inches: float, due: bool) -> None:
    g = field(Stand(kind="artillery_battalion", gun=gun), Stand(1, y=EDGE + inches))
    assert checks(g, 1) is due
    assert not checks(g, 0), "muskets have no close range"


@pytest.mark.parametrize(("aside", "due"), [(0.0, True), (4.25, True), (-4.25, True), (4.26, False)])
def test_two_inches_wider_than_the_guns_on_each_side_RTG_MOR_01_VBW_DEF_03(aside: float, due: bool) -> None:
    g = field(Stand(kind="artillery_battery"), Stand(1, x=30.0 + aside, y=EDGE + 2.0))
    assert checks(g, 1) is due


@pytest.mark.parametrize(
    "stand",
    [
        Stand(kind="artillery_battery", limbered=True),
        Stand(kind="artillery_battery", state=r.ROUTED),
        Stand(kind="artillery_battery", face=180),
        Stand(kind="infantry_brigade", traits=("dedicated_gun",)),
    ],
)
def test_guns_that_threaten_nobody_RTG_MOR_01(stand: Stand) -> None:
    g = field(stand, Stand(1, y=EDGE + 2.0))
    assert not checks(g, 1)
