"""Stands of Road to Glory placed where a case needs them, on open ground, with dice that fall as told."""

from dataclasses import dataclass
from typing import Any

from battles.engine.deployment import sides_write
from battles.engine.dtypes import BUILDING
from battles.files.schema import BattleGround, Feature
from battles.rulesets.volley_bayonet import records as r
from battles.rulesets.volley_bayonet.rtg.bases import COMMAND_HALF, half_depth
from battles.rulesets.volley_bayonet.rtg.figures import options_write, tables_write
from battles.rulesets.volley_bayonet.rtg.grounds import INCH, ground_write
from battles.rulesets.volley_bayonet.rtg.labels import BrigadeLabel, GunKind, Kind, Trait, Weight, stand_write
from battles.rulesets.volley_bayonet.rtg.tables import RTG_TABLES
from tests.battles.forces import battle
from tests.battles.rulesets.volley_bayonet.rtg.books import ROAD_TO_GLORY

#: Room for a few stands: a test makes many records.
TINY = r.SMALL._replace(stands=16, battalions=16, brigades=4, leaders=8, dice=128, events=128)
#: Codes of ground where cavalry may go and where it may not.
OPEN_CODE, BARRED_CODE = 0, 1


@dataclass(frozen=True)
class Stand:
    """A stand by its label, side and centre; side 0 faces up the table, side 1 down."""

    side: int = 0
    kind: Kind = "linear_infantry"
    x: float = 30.0
    y: float = 20.0
    face: int | None = None
    morale: int = 5
    sp: int = 3
    traits: tuple[Trait, ...] = ()
    gun: GunKind = ""
    weight: Weight = ""
    division: int = -1
    corps: int = -1
    state: int = r.GOOD
    form: int | None = None
    stationary: bool = False
    limbered: bool = False


@dataclass(frozen=True)
class Leader:
    """A commander where he is."""

    side: int
    rank: int
    x: float
    y: float
    division: int = -1


def field(
    *stands: Stand,
    options: dict[str, Any] | None = None,
    leaders: tuple[Leader, ...] = (),
    dice: tuple[int, ...] = (),
) -> Any:
    """A record with these stands on open ground."""
    chosen = ROAD_TO_GLORY.options_resolve(options or {})
    g = r.make_blank_state(TINY)[0]
    options_write(g.o, chosen)
    tables_write(g.t, RTG_TABLES)
    g.width, g.depth, g.cell, g.cells_per_inch = 112.0, 64.0, 1.0, 1.0
    g.rows, g.columns = g.ground.shape
    g.turn, g.recording, g.holder = 1, 1, -1
    g.going[OPEN_CODE].costs[:] = 1.0
    g.going[BARRED_CODE].costs[:] = 0.0
    g.goings_n = 2
    for i, s in enumerate(stands):
        u = g.u[i]
        stand_write(u, BrigadeLabel(s.kind, s.morale, frozenset(s.traits), s.gun, s.weight), s.sp, chosen)
        u.side, u.x, u.y = s.side, s.x, s.y
        u.face = (0 if s.side == 0 else 180) if s.face is None else s.face
        u.brigade, u.wing, u.battalion = s.division, s.corps, i
        u.form = u.form if s.form is None else s.form
        u.stationary, u.limbered = int(s.stationary), int(s.limbered)
        u.state = s.state if s.state != r.GOOD else u.state
        u.from_x, u.from_y = u.x, u.y
        if s.division >= 0:
            g.brigades[s.division].side = s.side
            g.brigades_n = max(g.brigades_n, s.division + 1)
        g.battalions[i].side, g.battalions[i].brigade = s.side, s.division
    g.n = g.battalions_n = len(stands)
    sides_write(g)
    for k, one in enumerate(leaders):
        e = g.leaders[k]
        e.side, e.rank, e.x, e.y = one.side, one.rank, one.x, one.y
        e.brigade, e.battalion, e.superior, e.named = one.division, -1, -1, -1
    g.leaders_n = len(leaders)
    throw(g, *dice)
    return g


def throw(g: Any, *dice: int) -> None:
    """The next dice to fall; after them every word shows a 1."""
    g.cursor, g.dice_n = 0, g.dice.shape[0]
    g.error = 0
    g.dice[:] = 0
    for k, die in enumerate(dice):
        g.dice[k] = die - 1


def in_file(*points: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Spots of the table, in the inches of a battle file."""
    return tuple((x / INCH, y / INCH) for x, y in points)


def lay(g: Any, *features: Feature) -> None:
    """Give the table the ground of a battle file, 32 inches by 20."""
    ground_write(g, battle((), (), ground=BattleGround(192, 120, features)), TINY)


def build(g: Any, x: float, y: float) -> int:
    """A town block about a spot; its place among the structures."""
    k = int(g.structures_n)
    e = g.structures[k]
    e.kind_, e.x, e.y, e.half_width, e.half_depth, e.capacity = BUILDING, x, y, 1.5, 1.5, 4
    g.structures_n = g.buildings_n = k + 1
    return k


def ahead_of(g: Any, i: int, inches: float) -> tuple[float, float]:
    """Centre of a commander's base so many inches before the front of a stand that faces up the table."""
    u = g.u[i]
    return float(u.x), float(u.y + half_depth(g, u) + COMMAND_HALF + inches)
