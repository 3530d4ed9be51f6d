"""Stands placed where a case needs them, on open ground or another, with dice that fall as told."""

from dataclasses import dataclass
from typing import Any

from battles.engine.dtypes import BUILDING, FIELDWORK
from battles.engine.raster import work_add
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.allowance import begin_turn
from battles.rulesets.volley_bayonet.approach import turn_towards
from battles.rulesets.volley_bayonet.figures import options_write, tables_write
from battles.rulesets.volley_bayonet.labels import Ability, Kind, StandLabel, half_write, stand_write
from battles.rulesets.volley_bayonet.marching import depth_towards, walk_straight
from battles.rulesets.volley_bayonet.setup import sides_write
from battles.rulesets.volley_bayonet.sight import lane_along, line_between
from battles.rulesets.volley_bayonet.tables import GOING, KINDS
from tests.battles.rulesets.volley_bayonet.books import SCALES

#: Room for a few stands: a test makes many records.
TINY = r.SMALL._replace(stands=16, battalions=16, brigades=4, leaders=8, dice=128, events=128)
GROUNDS = {
    "open": r.OPEN, "forest": r.FOREST, "swamp": r.SWAMP, "woods": r.WOODS, "marsh": r.MARSH,
    "broken": r.BROKEN, "crops": r.CROPS, "camp": r.CAMP, "water": r.WATER,
    "trodden marsh": 9, "bridge": 10, "ford": 11,
}  # fmt: skip
#: Kinds of the codes that are none themselves, water of cells, what crops and marsh are when trodden.
KIND_OF = {"trodden marsh": r.MARSH, "bridge": r.OPEN, "ford": r.OPEN}
WATERS = {"water": 1, "bridge": 2, "ford": 3}
#: A code for ground that is raised, and inches that cost as good as nothing.
UP, A_HAIR = 20, 2.0e-9
TRODDEN = {"crops": "open", "marsh": "trodden marsh"}


@dataclass(frozen=True)
class Stand:
    """A stand by its label, side and centre; those of one `unit` are one battalion."""

    side: int = 0
    kind: Kind = "FI"
    x: float = 30.0
    y: float = 20.0
    face: int | None = None
    morale: int = 5
    sp: int = 3
    abilities: tuple[Ability, ...] = ()
    unit: str = ""
    brigade: int = -1
    wing: int = -1
    state: int | None = None
    form: int = r.FORMED
    stationary: bool = False
    nation: int = r.BRITISH


@dataclass(frozen=True)
class Leader:
    """A commander where he is."""

    side: int
    rank: int
    x: float
    y: float
    brigade: int = -1
    unit: int = -1


def field(
    *stands: Stand,
    scale: str = "vb_wing",
    options: dict[str, Any] | None = None,
    leaders: tuple[Leader, ...] = (),
    dice: tuple[int, ...] = (),
) -> Any:
    """A state record with these stands; side 0 faces up the table, side 1 down.

    After them come the rows of the halves of those that may break up.
    """
    rules = SCALES[scale]
    chosen = rules.options_resolve(options or {})
    g = r.make_blank_state(TINY)[0]
    options_write(g.o, chosen)
    tables_write(g.t, rules.tables, chosen)
    g.width, g.depth, g.cell, g.cells_per_inch = 112.0, 64.0, 1.0, 1.0
    g.rows, g.columns = g.ground.shape
    g.turn, g.recording, g.crown, g.holder = 1, 1, 0, -1
    grounds_write(g)
    units: dict[str, int] = {}
    for i, s in enumerate(stands):
        u = g.u[i]
        stand_write(u, StandLabel(s.kind, s.morale, frozenset(s.abilities)), s.sp, rules.tables, chosen)
        u.side, u.x, u.y = s.side, s.x, s.y
        u.face = (0 if s.side == 0 else 180) if s.face is None else s.face
        u.from_x, u.from_y, u.home = s.x, s.y, 180 if s.side == 0 else 0
        u.brigade, u.wing, u.form, u.stationary = s.brigade, s.wing, s.form, int(s.stationary)
        if s.state is not None:
            u.state = s.state
        u.battalion = units.setdefault(s.unit or f"of its own {i}", len(units))
        b = g.battalions[u.battalion]
        b.side, b.brigade, b.nation = s.side, s.brigade, s.nation
        if s.brigade >= 0:
            g.brigades[s.brigade].side = s.side
            g.brigades[s.brigade].sp_start += s.sp
            g.brigades_n = max(g.brigades_n, s.brigade + 1)
    g.n, g.battalions_n = len(stands), len(units)
    for i, s in enumerate(stands):
        if s.sp > 1 and {"SK", "formed"} & set(s.abilities) and g.u[i].class_ == r.INFANTRY:
            half_write(g, i, int(g.n))
            g.n += 1
    g.o.changes_form = int(any(s.kind == "MI" or "SK" in s.abilities for s in stands))
    sides_write(g)
    for k, one in enumerate(leaders):
        e = g.leaders[k]
        e.side, e.rank, e.x, e.y = one.side, one.rank, one.x, one.y
        e.brigade, e.battalion, e.superior, e.named = one.brigade, one.unit, -1, -1
        e.left, e.rate = 1.0, g.t.commanders
    g.leaders_n = len(leaders)
    throw(g, *dice)
    return g


def lane_open(g: Any, i: int, j: int) -> bool:
    """Whether stand i may fire along the lane to stand j."""
    return bool(lane_along(g, i, j, *line_between(g, g.u[i], g.u[j])))


def facings_for(degrees: int) -> int:
    """Facing changes a formed stand makes to go at that slant to its facing."""
    g = field(Stand(x=56.0, y=32.0))
    begin_turn(g, g.u[0])
    assert turn_towards(g, 0, degrees % 360)
    return int(g.u[0].facings)


def cross(g: Any, kind: int, *, gate: int = -1) -> bool:
    """Let stand 0 go over a line drawn right before it; whether it did."""
    edge = float(g.u[0].y + depth_towards(g, g.u[0], 0))
    draw_line(g, kind, edge + A_HAIR / 2.0, gate=gate)
    return bool(walk_straight(g, 0, 0, A_HAIR) > 0.0)


def climb(g: Any, contours: int, *, road: int = 0) -> bool:
    """Let stand 0 go on to ground so many contours up or down, right before it; whether it did."""
    u = g.u[0]
    u.y = round(float(u.y)) - depth_towards(g, u, 0) - A_HAIR / 2.0
    edge = round(float(u.y + depth_towards(g, u, 0)))
    raise_ground(g, UP, contours, y=(edge, edge + 1))
    g.going[UP].road = road
    return bool(walk_straight(g, 0, 0, A_HAIR) > 0.0)


def grounds_write(g: Any) -> None:
    """A code for each kind of ground, 0 for open; all cells are open."""
    for name, code in GROUNDS.items():
        e = g.going[code]
        e.kind_, e.water = KIND_OF.get(name, code), WATERS.get(name, 0)
        e.fallen = GROUNDS[TRODDEN.get(name, name)]
        going = GOING.get(name, GOING["open"])
        e.costs[:] = [0.0 if cost is None else cost for cost in going.costs]
        e.disorders[:] = [int(kind in going.disorders) for kind in KINDS]
    g.goings_n, g.growth = len(GROUNDS), 1


def paint(g: Any, ground: str, *, x: tuple[int, int] = (0, 112), y: tuple[int, int] = (0, 64)) -> None:
    """Make the cells between those inches of a kind of ground."""
    g.ground[y[0] : y[1], x[0] : x[1]] = GROUNDS[ground]


def raise_ground(g: Any, code: int, height: int, *, y: tuple[int, int]) -> None:
    """A band of open ground as many contours up, under a code of its own."""
    e = g.going[code]
    e.kind_, e.height = r.OPEN, height
    e.costs[:] = 1.0
    g.ground[y[0] : y[1], :] = code
    g.goings_n = max(g.goings_n, code + 1)


def entrench(g: Any, y: float) -> None:
    """Works right across the table."""
    work_add(g, FIELDWORK, 0.0, y, 112.0, y, 0)


def draw_line(g: Any, kind: int, y: float, *, gate: int = -1) -> None:
    """A stream, fence or wall right across the table; `gate` is the bridge that is all along it."""
    g.works[work_add(g, kind, 0.0, y, 112.0, y, -1)].gate = gate


def make_way(g: Any, kind: int, x: float, y: float) -> None:
    """A bridge or ford two inches wide and four long about a spot, up the table."""
    e = g.gates[int(g.gates_n)]
    e.kind_, e.x, e.y, e.heading, e.half_width, e.half_length = kind, x, y, 0, 1.0, 2.0
    g.gates_n += 1


def build(g: Any, x: float, y: float) -> int:
    """A block of buildings about a spot; its place among the structures."""
    k = int(g.structures_n)
    e = g.structures[k]
    e.kind_, e.x, e.y, e.half_width, e.half_depth, e.capacity = BUILDING, x, y, 3.0, 2.0, 4
    g.structures_n = g.buildings_n = k + 1
    return k


def throw(g: Any, *dice: int) -> None:
    """The next dice to fall; after them every word shows a 1."""
    g.cursor, g.dice_n = 0, g.dice.shape[0]
    g.error = 0
    g.dice[:] = 0
    for k, die in enumerate(dice):
        g.dice[k] = die - 1
