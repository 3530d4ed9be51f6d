"""Units placed where a case needs them, on open ground or another, with dice that fall as told."""

from dataclasses import dataclass
from typing import Any

from battles.engine.dtypes import BUILDING, FIELDWORK
from battles.engine.raster import structure_add, work_add
from battles.engine.survey import GroundSpot
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.events import KINDS
from battles.rulesets.regimental.figures import options_write, tables_write
from battles.rulesets.regimental.footprints import halves_write
from battles.rulesets.regimental.grounds import going_write
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.ratings import Troops
from battles.rulesets.regimental.setup import sides_write, unit_write

#: Room for a few units: a test makes many records.
TINY = r.SMALL._replace(units=16, brigades=4, leaders=8, dice=128, events=256)
#: Kinds of ground by the code they have in these records.
GROUNDS = {
    "open": GroundSpot(),
    "rocky fields": GroundSpot(rough=2),
    "marsh": GroundSpot(rough=3),
    "woods": GroundSpot(wood=2),
    "orchard": GroundSpot(wood=1),
    "road": GroundSpot(road=1),
    "road in woods": GroundSpot(road=1, wood=2),
    "water": GroundSpot(water=1),
    "ford": GroundSpot(water=3),
    "hill": GroundSpot(height=1),
    "high hill": GroundSpot(height=2),
    "cliff": GroundSpot(height=1, grade=3),
}
CODES = {name: code for code, name in enumerate(GROUNDS)}
#: Arms that need a weapon and carriage of their own.
GUNS = {
    "siege gun": (r.SIEGE_GUN, r.HEAVY),
    "heavy gun": (r.HEAVY_GUN, r.HEAVY),
    "medium gun": (r.MEDIUM_GUN, r.ORDINARY),
    "light gun": (r.LIGHT_GUN, r.LIGHT),
    "galloper": (r.GALLOPER, r.LIGHT),
    "siege howitzer": (r.SIEGE_HOWITZER, r.HEAVY),
    "howitzer": (r.HOWITZER, r.ORDINARY),
    "emplaced gun": (r.HEAVY_GUN, r.FIXED),
}


@dataclass(frozen=True)
class Unit:
    """A unit by what it is, its side and its centre; `gun` names a piece of `GUNS`."""

    side: int = 0
    x: float = 30.0
    y: float = 20.0
    face: int | None = None
    stands: int = 8
    start: int | None = None
    rating: int = r.TRAINED
    class_: int = r.FOOT
    nation: int = r.BRITISH
    weapon: int = r.MUSKET
    gun: str = ""
    marksmen: bool = False
    bayonets: bool = True
    militia: bool = False
    continental: bool = False
    buck_and_ball: bool = False
    form: int | None = None
    order: int = r.GOOD
    brigade: int = -1
    colonel: bool = False
    worth: int = 1


@dataclass(frozen=True)
class Leader:
    """A leader where he is, or with a unit."""

    side: int = 0
    rank: int = r.BRIGADIER
    x: float = 30.0
    y: float = 17.0
    brigade: int = -1
    unit: int = -1


def troops(one: Unit) -> Troops:
    """What a unit of a test is, in the words of the ratings."""
    weapon, carriage = GUNS[one.gun] if one.gun else (one.weapon, r.ORDINARY)
    class_ = r.GUNS if one.gun else one.class_
    return Troops(
        one.rating,
        class_,
        one.nation,
        r.NO_WEAPON if class_ in (r.HORSE, r.WAGONS) else weapon,
        carriage,
        int(one.marksmen),
        int(one.bayonets),
        int(one.militia),
        int(one.continental),
        int(one.buck_and_ball),
        one.worth,
    )


def form_of(one: Unit) -> int:
    """The formation asked for, else that in which its arm fights."""
    if one.form is not None:
        return one.form
    if one.class_ == r.WAGONS:
        return r.LIMBERED
    return r.UNLIMBERED if one.gun else r.LINE


def field(
    *units: Unit,
    options: dict[str, Any] | None = None,
    leaders: tuple[Leader, ...] = (),
    dice: tuple[int, ...] = (),
) -> Any:
    """A state record with these units; side 0 faces up the table, side 1 down."""
    chosen = options_resolve(options or {})
    g = r.make_blank_state(TINY)[0]
    options_write(g.o, chosen)
    tables_write(g.t, chosen)
    g.width, g.depth, g.cell, g.cells_per_inch = 112.0, 64.0, 1.0, 1.0
    g.rows, g.columns = g.ground.shape
    g.turn, g.turns, g.recording, g.holder = 1, 20, 1, -1
    for code, spot in enumerate(GROUNDS.values()):
        going_write(g, code, spot)
    g.goings_n = 1
    for i, one in enumerate(units):
        u = g.u[i]
        unit_write(u, troops(one), one.stands)
        u.stands_start = one.start or one.stands
        u.lost = u.stands_start - one.stands
        u.side, u.x, u.y, u.order_, u.brigade = one.side, one.x, one.y, one.order, one.brigade
        u.face = (0 if one.side == 0 else 180) if one.face is None else one.face
        u.from_x, u.from_y, u.home = one.x, one.y, 180 if one.side == 0 else 0
        u.spot_x, u.spot_y = one.x, one.y
        u.form, u.colonel = form_of(one), int(one.colonel)
        halves_write(u)
        g.stands_start[one.side] += u.stands_start
        if one.brigade >= 0:
            b = g.brigades[one.brigade]
            b.side, b.leader = one.side, -1
            if u.class_ in (r.FOOT, r.HORSE):
                b.stands_start += u.stands_start
            g.brigades_n = max(g.brigades_n, one.brigade + 1)
    g.n = len(units)
    sides_write(g)
    for k, who in enumerate(leaders):
        e = g.leaders[k]
        e.side, e.rank, e.x, e.y, e.brigade, e.unit = (
            who.side,
            who.rank,
            who.x,
            who.y,
            who.brigade,
            who.unit,
        )
        e.superior = e.named = e.walks_until = -1
        if who.rank == r.BRIGADIER and who.brigade >= 0:
            g.brigades[who.brigade].leader = k
    g.leaders_n = len(leaders)
    throw(g, *dice)
    return g


def paint(g: Any, ground: str, *, x: tuple[int, int] = (0, 112), y: tuple[int, int] = (0, 64)) -> None:
    """Make the cells between those inches of a kind of ground."""
    g.goings_n = len(GROUNDS)
    g.growth = max(int(g.growth), int(GROUNDS[ground].wood > 0))
    g.hills = max(int(g.hills), int(GROUNDS[ground].height > 0))
    g.ground[y[0] : y[1], x[0] : x[1]] = CODES[ground]


def draw_line(g: Any, kind: int, y: float, *, left: float = 0.0, right: float = 112.0) -> int:
    """A work, fence, wall or stream across the table."""
    return work_add(g, kind, left, y, right, y, -1)


def entrench(g: Any, y: float) -> None:
    """Works right across the table."""
    draw_line(g, FIELDWORK, y)


def build(g: Any, x: float, y: float) -> int:
    """A building about a spot, four inches by three; its place among the structures."""
    k = structure_add(g, BUILDING, 1, 1)
    e = g.structures[k]
    e.x, e.y, e.half_width, e.half_depth, e.capacity = x, y, 2.0, 1.5, 1
    return k


def garrison(g: Any, i: int, k: int) -> None:
    """Put a unit into a building."""
    e, u = g.structures[k], g.u[i]
    u.inside, u.form, u.x, u.y, u.face = k, r.GARRISON, e.x, e.y, e.face
    u.half_width, u.half_depth = e.half_width, e.half_depth
    u.reach = float(u.half_width**2 + u.half_depth**2) ** 0.5


def throw(g: Any, *dice: int) -> None:
    """The next dice to fall; after them every word shows a 1."""
    g.cursor, g.dice_n = 0, g.dice.shape[0]
    g.error = 0
    g.dice[:] = 0
    for k, die in enumerate(dice):
        g.dice[k] = die - 1


def told(g: Any) -> list[str]:
    """Kinds of the events recorded so far."""
    return [KINDS[int(row.what)][0] for row in g.events[: g.events_n]]
