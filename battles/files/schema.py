"""One fight as data: what a ruleset is asked to settle, and what it answers. No Django here.

A battle file names sides, units with their strength points, leaders, the ground, deployment, plans,
options and the length of the day. An outcome says, per unit and general, what was lost and how.
Lengths are inches at the 25 mm scale, x from the left edge, y from the near edge (the attacker's);
headings are degrees clockwise from the far edge (+y).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rosters.domain.vocabulary import GunClass, TroopType

Cover = Literal["none", "soft", "hard", "fortified"]
PlanKind = Literal["assault", "turn_flank", "hold", "delay", "withdraw", "advance"]
Fate = Literal["present", "eliminated", "surrendered", "left_table"]
GeneralRank = Literal["brigadier", "senior", "commander_in_chief"]
GeneralFate = Literal["present", "wounded", "disabled", "killed", "captured", "left_table"]
Posture = Literal["", "line", "column", "limbered", "deployed"]
Trait = Literal["pikes", "highlanders", "breaks_up", "mounted"]
Work = Literal["build", "dismantle", "demolish"]

Point = tuple[float, float]
#: Areas are polygons; lines are polylines; sites are one point with a heading.
AreaKind = Literal["rough", "crops", "swamp", "marsh", "water", "open_woods", "dense_woods", "hill"]
LineKind = Literal["stream", "river", "road", "fence", "wall", "fieldwork", "stockade", "redoubt"]
SiteKind = Literal["bridge", "ford", "building"]
FeatureKind = Literal[
    "rough", "crops", "swamp", "marsh", "water", "open_woods", "dense_woods", "hill",
    "stream", "river", "road", "fence", "wall", "fieldwork", "stockade", "redoubt",
    "bridge", "ford", "building",
]  # fmt: skip
AREAS: tuple[str, ...] = (
    "rough", "crops", "swamp", "marsh", "water", "open_woods", "dense_woods", "hill",
)  # fmt: skip
LINES: tuple[str, ...] = ("stream", "river", "road", "fence", "wall", "fieldwork", "stockade", "redoubt")
SITES: tuple[str, ...] = ("bridge", "ford", "building")
Grade = Literal["level", "gentle", "steep", "impassable"]
Material = Literal["wood", "stone"]


@dataclass(frozen=True, slots=True)
class Feature:
    """One piece of ground (AWI-T-TER-01 to 11, AWI-T-FOR-01).

    `points` are the corners of an area, the course of a line, or the one centre of a site. Crops are
    rough ground, marsh is swamp (AWI-T-TER-05). A hill has `height` (contours above the plain) and
    `grade`; of hills that cover the same spot the last named counts, so a level top follows its
    slopes. `road_grade` is the slope of a road where it climbs a hill (AWI-T-TER-09). A redoubt is one
    structure whose course closes on itself unless `open_gorge`. `heading` is the way over a bridge or
    ford, or the direction a building's long side faces. `sp` is the structure's strength at the start,
    the full value of its kind and material when None; works and bridges have it for every 100 mm.
    Ours: a ford is 4 inches wide, a road goes through a fence or wall by a gap, and of the areas that
    cover a spot the worse wood and the worse going count, all multiplied with the slope.
    """

    kind: FeatureKind
    points: tuple[Point, ...]
    id: str = ""
    name: str = ""
    height: int = 1
    grade: Grade = "gentle"
    road_grade: Grade = "level"
    material: Material = "wood"
    size: Literal["small", "large"] = "small"
    heading: int = 0
    open_gorge: bool = False
    sp: int | None = None


@dataclass(frozen=True, slots=True)
class BattleGround:
    """A table, `width` by `depth` inches, and what lies on it."""

    width: float = 96.0
    depth: float = 60.0
    features: tuple[Feature, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """Engineering a unit is told to do on a structure, by its feature's id (AWI-T-ENG-01, EXP-01).

    `charges` is how many explosive charges it lays before it demolishes.
    """

    work: Work
    at: str
    charges: int = 1


@dataclass(frozen=True, slots=True)
class BattleUnit:
    """A unit as it comes to the table: `sp` strength points, 1 to 6 (AWI-T-STR-02).

    `arrives` is the game turn (10 minutes each, AWI-T-SCA-02) in which it comes on, 0 for the start.
    `x`, `y` and `facing` say where its centre is drawn up (or comes on); without them the engine
    draws it up. `inside` is the building it holds, `formation` the brigade it belongs to.
    """

    id: str
    name: str
    side: str
    troop_type: TroopType
    sp: int
    gun_class: GunClass = GunClass.NONE
    poor_militia: bool = False
    formation: str = ""
    arrives: int = 0
    x: float | None = None
    y: float | None = None
    facing: int | None = None
    posture: Posture = ""
    inside: str = ""
    reserve: bool = False
    traits: tuple[Trait, ...] = ()
    task: Task | None = None


@dataclass(frozen=True, slots=True)
class BattleLeader:
    """A general on the table (AWI-T-GEN-01, 02).

    `commands` are ids of units for a brigadier and of brigadiers for a senior; a commander in chief
    commands everything on his side. `with_unit` is the unit he starts attached to, else he is free.
    """

    id: str
    name: str
    side: str
    rank: GeneralRank = "brigadier"
    commands: tuple[str, ...] = ()
    with_unit: str = ""
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True)
class BattlePlan:
    """A side's plan for the battle.

    `assault` closes everywhere, `turn_flank` throws its weight round the `flank` named (as its own
    troops see it) while the rest pin, `hold` stands its ground, `delay` fires and falls back,
    `withdraw` leaves by its own edge, `advance` walks at the nearest enemy and fires, without thought.
    `reserve_percent` of the foot is kept back until needed; `boldness`, -2 to 2, lowers or raises the
    chance at which it charges; after game turn `until` (0: never) the plan becomes `then`; `goal` is
    the spot an attacker makes for or a defender keeps to. With `lookahead` the commander first fights
    the battle in his head under each likely plan, with what he can see, and takes the best.
    """

    kind: PlanKind = "assault"
    flank: Literal["left", "right"] = "left"
    reserve_percent: int = 0
    boldness: int = 0
    until: int = 0
    then: PlanKind = "withdraw"
    goal: Point | None = None
    lookahead: bool = False


@dataclass(frozen=True, slots=True)
class BattleFile:
    """A whole fight. `attacker` and `defender` are side ids; `cover` protects the defender's start line.

    `turns` is the length of the day in game turns. A side whose lost SP reach `break_percent` of
    its start (or its own `break_points`) breaks off. `objective` is the spot fought for: who alone has
    unbroken troops within a foot of it when the day ends holds the field; without one a day that ends
    undecided is a draw. `side_names` are what accounts call the sides; the id where none is given.
    """

    title: str
    attacker: str
    defender: str
    units: tuple[BattleUnit, ...]
    cover: Cover = "none"
    plans: Mapping[str, BattlePlan] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    turns: int = 36
    break_percent: int = 50
    ruleset: str = "awi"
    side_names: Mapping[str, str] = field(default_factory=dict)
    leaders: tuple[BattleLeader, ...] = ()
    ground: BattleGround | None = None
    break_points: Mapping[str, int] = field(default_factory=dict)
    objective: Point | None = None
    notes: str = ""
    sources: tuple[str, ...] = ()

    def side_name(self, side: str) -> str:
        """The name of a side in an account."""
        return self.side_names.get(side) or side.capitalize()

    def plan_of(self, side: str) -> BattlePlan:
        """A side's plan; an attacker without one assaults and a defender holds."""
        return self.plans.get(side) or BattlePlan("assault" if side == self.attacker else "hold")


@dataclass(frozen=True, slots=True)
class PlanTried:
    """A plan a commander weighed, and its worth to him: 0 for certain ruin to 1 for certain success."""

    plan: BattlePlan
    worth: float


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """The plan a commander who looked ahead chose, and those he tried; none where his orders stood."""

    side: str
    plan: BattlePlan
    tried: tuple[PlanTried, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """The outcome of one unit: SP at start = lost + captured + left at the end.

    `sp_captured` counts the SP a unit had when it surrendered (AWI-C-BAT-03); they are not in
    `sp_lost`. `fate` is `left_table` for a unit that ran or marched off with its SP intact.
    """

    id: str
    sp_start: int
    sp_lost: int
    sp_captured: int
    fate: Fate = "present"


@dataclass(frozen=True, slots=True)
class GeneralOutcome:
    """The outcome of one general; `wounded` is one light wound, `disabled` a second (AWI-T-GEN-03)."""

    id: str
    fate: GeneralFate = "present"


@dataclass(frozen=True, slots=True)
class StructureOutcome:
    """The outcome of a structure: its SP at the start and at the end."""

    id: str
    sp_start: int
    sp: int


@dataclass(frozen=True, slots=True)
class BattleOutcome:
    """`field_held_by` is a side id, or "" when neither holds the field (a draw)."""

    field_held_by: str
    turns: int
    units: tuple[UnitOutcome, ...]
    ruleset: str = "awi"
    engine_version: str = ""
    seed: int | None = None
    generals: tuple[GeneralOutcome, ...] = ()
    structures: tuple[StructureOutcome, ...] = ()
