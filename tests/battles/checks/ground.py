"""The worked checks of movement over ground, each on a table drawn for it."""

from fractions import Fraction
from typing import Any

import pytest

from battles.engine.bases import half_depth
from battles.engine.dtypes import COLUMN, LIMBERED, LINE
from battles.engine.raster import raster_write
from battles.files.schema import BattleGround, Feature
from battles.rulesets.awi import buildings, crossing, garrison, movement, path
from battles.rulesets.awi.options import options_resolve
from battles.rulesets.awi.terrain import terrain_for
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import Stand, table

Facts = dict[str, Any]
FORMS = {"line": LINE, "column": COLUMN, "limbered": LIMBERED}
TYPES = {
    "close_order_foot": TroopType.CONTINENTAL_LINE,
    "open_order_foot": TroopType.RANGERS,
    "light_cavalry": TroopType.AMERICAN_LIGHT_CAVALRY,
}
EVERYWHERE = ((0.0, 0.0), (96.0, 0.0), (96.0, 60.0), (0.0, 60.0))
KINDS: dict[str, Feature] = {
    "rough_ground": Feature("rough", EVERYWHERE),
    "gentle_slope": Feature("hill", EVERYWHERE, grade="gentle"),
    "steep_slope": Feature("hill", EVERYWHERE, grade="steep"),
    "open_woods": Feature("open_woods", EVERYWHERE),
    "dense_woods": Feature("dense_woods", EVERYWHERE),
    "swamp": Feature("swamp", EVERYWHERE),
}
#: Where a unit's front stands, a hair before what it is to cross.
FRONT = 19.9


def on_ground(given: Facts, *features: Feature) -> Any:
    """The check's unit with its front at `FRONT`, facing the far edge, on a table with these features."""
    kind = TYPES.get(given["unit"], TroopType.AMERICAN_ARTILLERY)
    gun = None if given["unit"] in TYPES else GunClass(given["unit"])
    form = FORMS[given.get("formation", "line" if gun is None else "limbered")]
    options = given.get("options", {})
    enemy = Stand(1, TroopType.CONTINENTAL_LINE, 48, 58, face=180)
    g = table(Stand(0, kind, 48, 0, form=form, gun_class=gun), enemy, options=options)
    raster_write(g, BattleGround(features=features), terrain_for(options_resolve(options)))
    g.u[0].y = FRONT - half_depth(g.u[0])
    return g


def full_move(g: Any) -> float:
    return float(movement.move_on(g, 0, 0, 99.0))


def check_going(given: Facts, expect: Facts) -> None:
    """A full move over ground."""
    g = on_ground(given, *(KINDS[name] for name in given["terrain"]))
    if "inches" in expect:
        assert full_move(g) == pytest.approx(float(Fraction(expect["inches"])))
    else:
        assert (full_move(g) > 0) == expect["passable"]


CROSSED = {
    "fence_or_wall": (Feature("wall", ((30.0, 20.0), (66.0, 20.0))),),
    "stream": (Feature("stream", ((30.0, 20.0), (66.0, 20.0))),),
    "ford": (Feature("river", ((0.0, 23.0), (96.0, 23.0))), Feature("ford", ((48.0, 23.0),))),
    "bridge": (Feature("river", ((0.0, 23.0), (96.0, 23.0))), Feature("bridge", ((48.0, 23.0),))),
}


def check_crossing(given: Facts, expect: Facts) -> None:
    """What an obstacle costs a unit that stands at it."""
    g = on_ground(given, *CROSSED[given["crossing"]])
    u = g.u[0]
    _, share, _ = crossing.next_obstacle(g, u, 48, 19, 48, 27, -1.0)
    assert share == Fraction(expect["share_of_move"])
    left = max(0.0, movement.move_rate(u) * (1 - share))
    assert left == Fraction(expect.get("inches_left", 0))
    if given["crossing"] != "ford":
        assert full_move(g) == pytest.approx(left)


def check_door(given: Facts, expect: Facts) -> None:
    """What going into a building or out of it leaves of a move."""
    g = on_ground(given, Feature("building", ((48.0, 22.0),)))
    u = g.u[0]
    whole = movement.move_rate(u)
    if given["crossing"] == "leave_building":
        buildings.put_inside(g, 0, 0, *buildings.find_free_slot(g, 0, 0))
        assert garrison.leave_towards(g, 0, 0)
    else:
        u.y = g.structures[0].y - g.structures[0].half_depth - half_depth(u) - 0.05
        assert garrison.enter_building(g, 0, 0)
    assert u.spent == Fraction(expect["share_of_move"]) * whole
    assert path.allowance_left(u) == Fraction(expect["inches_left"])


def check_bridge(given: Facts, expect: Facts) -> None:
    """Whether a formation comes over a bridge."""
    g = on_ground(given, *CROSSED[given["crossing"]])
    for _ in range(4):
        full_move(g)
        movement.new_phase(g)
    assert (g.u[0].y - half_depth(g.u[0]) > 26) == expect["passable"]


def check_road_bonus(given: Facts, expect: Facts) -> None:
    """A full move along a road with the nearest enemy so far off."""
    end = 60.0 if given["full_move_on_road"] else 22.0
    g = on_ground(given, Feature("road", ((48.0, 0.0), (48.0, end))))
    g.u[1].y, g.u[1].face = FRONT - 2 * half_depth(g.u[0]), 0
    g.u[1].x = 48 + half_depth(g.u[1]) + given["nearest_enemy"] + 2 * half_depth(g.u[1])
    assert full_move(g) == expect["inches"]
