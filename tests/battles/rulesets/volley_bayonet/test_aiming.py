"""Who shoots at whom."""

from typing import Any

import pytest

from battles.rulesets.volley_bayonet import aiming
from battles.rulesets.volley_bayonet import records as r
from tests.battles.rulesets.volley_bayonet.forces import Stand, entrench, field, paint


@pytest.mark.parametrize(
    ("facts", "foe", "aims"),
    [
        ({}, {}, True),
        ({}, {"y": 30.0}, False),
        ({}, {"x": 45.0, "y": 20.0}, False),
        ({"kind": "LC"}, {}, False),
        ({"form": r.ROAD_MARCH}, {}, False),
        ({"state": r.ROUTED}, {}, False),
    ],
)
def test_only_who_can_fire_aims_VBW_DEF_04_VBW_DEF_06(facts: Any, foe: Any, aims: bool) -> None:
    g = field(Stand(y=20.0, **facts), Stand(1, **({"y": 26.0} | foe)))
    assert bool(aiming.choose_aim(g, 0) == 1) is aims


def test_chargers_do_not_aim_nor_does_the_other_side_VBW_DEF_06() -> None:
    g = field(Stand(y=20.0), Stand(1, y=26.0))
    g.u[0].aims = g.u[1].aims = -1
    aiming.aim_stands(g)
    assert [int(u.aims) for u in g.u[:2]] == [1, -1]
    g.u[0].charges = 1
    assert aiming.choose_aim(g, 0) == -1


def test_friends_in_the_lane_keep_the_musket_from_its_target_VBW_LAN_01() -> None:
    g = field(Stand(y=20.0), Stand(1, x=30.0, y=27.0), Stand(x=30.0, y=23.0), Stand(1, x=35.0, y=26.0))
    assert aiming.choose_aim(g, 0) == 3


@pytest.mark.parametrize(
    "better",
    [{"state": r.DISORDERED}, {"sp": 1}],
)
def test_who_is_shaken_or_nearly_gone_is_shot_at_first(better: Any) -> None:
    g = field(Stand(y=20.0), Stand(1, x=28.0, y=26.0), Stand(1, x=32.0, y=26.0, **better))
    assert aiming.choose_aim(g, 0) == 2


@pytest.mark.parametrize("cover", ["skirmish", "woods", "works"])
def test_who_may_save_is_shot_at_last(cover: str) -> None:
    loose: Any = {"abilities": ("detachments",), "form": r.SKIRMISH} if cover == "skirmish" else {}
    g = field(Stand(x=30.0, y=20.0), Stand(1, x=32.0, y=26.0), Stand(1, x=28.0, y=26.0, **loose))
    open_worth = aiming.shot_worth(g, 0, 2, 4.5) if not loose else aiming.shot_worth(g, 0, 1, 4.5)
    if cover == "woods":
        paint(g, "woods", y=(25, 28))
    if cover == "works":
        entrench(g, 25.0)
    g.wooded[:] = 0  # as at the beginning of a step
    assert aiming.shot_worth(g, 0, 2, 4.5) < open_worth
