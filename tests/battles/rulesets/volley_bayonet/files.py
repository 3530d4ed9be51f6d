"""Battle files drawn up under a scale, for tests of what is written from them."""

from typing import Any

from battles.files.schema import BattleFile, BattleGround, BattleUnit, Feature
from battles.ground.shapes import Rectangle
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.fighting import prepare_state
from battles.rulesets.volley_bayonet.setup import size_for
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle
from tests.battles.rulesets.volley_bayonet.books import SCALES

#: Inches of these rules to an inch of a battle file.
THIRDS = 2.0 / 3.0
FOOT = TroopType.BRITISH_LINE


def file_of(*units: BattleUnit, **more: Any) -> BattleFile:
    """Crown attacks Congress with these units."""
    sides = [tuple(unit for unit in units if unit.side == side) for side in (CROWN, CONGRESS)]
    return battle(sides[0], sides[1], **more)


def drawn_up(
    *units: BattleUnit,
    features: tuple[Feature, ...] | None = None,
    table: BattleGround | None = None,
    scale: str = "vb_wing",
    **more: Any,
) -> Any:
    """The record of a battle as it is drawn up, on open ground without features."""
    if features is not None:
        table = BattleGround(96, 60, features)
    file = file_of(*units, ground=table, **more)
    rules = SCALES[scale]
    return prepare_state(file, rules, size_for(file, rules))[0]


def base(g: Any, i: int) -> Rectangle:
    """The base of stand i."""
    u = g.u[i]
    form = int(u.form == r.SKIRMISH)
    halves = float(g.t.half_width[u.class_, form]), float(g.t.half_depth[u.class_, form])
    return Rectangle(float(u.x), float(u.y), int(u.face), *halves)


def stands_of(g: Any, unit: int) -> list[int]:
    """The stands of the unit with that place among those that fight."""
    return [i for i in range(g.n) if g.u[i].battalion == unit]


def spot_of(g: Any, i: int) -> tuple[float, float]:
    return round(float(g.u[i].x), 3), round(float(g.u[i].y), 3)
