"""Figures of the Volley & Bayonet rules. No numba here.

Each table stands once, at wing scale; a scale that has other figures replaces them (`RulesetScale.tables`).
Distances are inches on the table, of 25 yards (VBW-GEN-03).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

#: VBW-GEN-03.
YARDS_PER_INCH, MINUTES_PER_TURN, MEN_PER_SP, GUNS_PER_SP = 25, 15, 50, 1
#: Inches at which a superior puts in command (VBW-CMD-01); a unit commander's are an option.
SUPERIOR_RADIUS = 6.0
#: The danger zone reaches so far to either side of the barrel's line (VBW-MOR-02).
DANGER_HALF_WIDTH = 2.0
#: What it is drawn wider by, so that who only touches its edge is in it: limits are included (VBW-DEF-03).
EDGE = 1.0e-5
#: Inches of a retreat in which friends are disordered (VBW-MEL-06).
DISORDER_ZONE = 4.0
#: A winner who advances stops so far from enemies (VBW-MEL-14).
STOP_SHORT = 0.25
#: What mounted troops give up for each hit they would rather be saved from (VBW-SAV-08).
RETIRE_PER_HIT = 6.0
#: The move of a cavalry breakthrough over Native Americans (VBW-NAT-05).
NATIVE_BREAKTHROUGH = 12.0
#: A commander cut off from his command further than this is lost (VBW-DEF-13).
COMMANDER_RESCUE = 24.0
#: Sight inside woods, and inside forest or thicket (VBW-TER-07, VBW-TER-05).
SEEN_IN_WOODS, SEEN_IN_FOREST = 12.0, 4.0
#: From how far off the lower stand an obstacle two contours down hides nothing (VBW-VIS-04).
OBSTACLE_FROM_LOWER = 8.0
#: Multiples of road march, along a road and across country (VBW-MOV-11).
ROAD_MULTIPLE, COUNTRY_MULTIPLE = 3.0, 2.0
#: SP a stand loses when it routs (VBW-MOR-07).
ROUT_SP = 1
#: Native Americans are shock at this morale of the band (VBW-NAT-03).
NATIVE_SHOCK_AT = 6

#: Game turns after which both sides rest in which nobody fires, meets or gains ground (VBW-DEF-23).
QUIET_TURNS = 8
#: Inches from the spot fought for at which troops hold it.
AT_OBJECTIVE = 8.0

#: Room of a block that an infantry stand takes, in detachments (VBW-TER-39).
ROOM_OF_STAND = 2

#: Inches that may be others at another scale: of rules, of looks over the ground, of what commanders do.
DISTANCES: dict[str, float] = {
    # a stop before enemies, sight inside woods and forest, between spots looked at, the edge of growth
    "stop_short": STOP_SHORT,
    "seen_in_woods": SEEN_IN_WOODS,
    "seen_in_forest": SEEN_IN_FOREST,
    "stride": 0.5,
    "edge_of_growth": 1.0,
    # where commanders stop short of their range and of guns' short range; horse waits for its chance there
    "in_range": 0.6,
    "guns_short": 1.0,
    "horse_waits": 14.0,
    # at which those who delay fall back and how far, those who pin keep off, and contact is broken at most
    "delay_at": 11.0,
    "delay_by": 8.0,
    "pin": 9.0,
    "gives_way": 4.0,
    # beyond the end of the enemy's line where a flanking move turns in, and from there where it has
    "beyond_line": 4.0,
    "turned_in": 3.0,
    # from its spot at which a stand is there, and to the enemy beyond which an attacker makes for a goal
    "at_spot": 1.2,
    "goal_free": 14.0,
    # from a block within which a holder goes in, and to the enemy beyond which he has the time
    "garrison": 4.0,
    "in_time": 16.0,
    # to the enemy: the reserve is called in, columns of march are formed, and left
    "near_reserve": 9.0,
    "march_from": 34.0,
    "march_to": 26.0,
    # from the spot fought for at which troops hold it
    "at_objective": AT_OBJECTIVE,
}

#: Inches of front and depth of a base (VBW-STD-12).
BASES: dict[str, tuple[float, float]] = {
    "command": (1.5, 1.5),
    "infantry": (3, 1.5),
    "detachment": (1.5, 1.5),
    "artillery": (1.5, 3),
    "mounted": (3, 1.5),
    "infantry_skirmisher": (3, 1.5),
    "mounted_skirmisher": (3, 3),
    "road_march_spacer": (1.5, 3),
}


@dataclass(frozen=True, slots=True)
class StandDice:
    """Dice of a stand in fire and in melee, and when it is stationary; None when it never can be."""

    fire: int
    melee: int
    stationary: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SmallArm:
    """Range in inches of a hand weapon, all of it long, and the least score that hits (VBW-HIT-01)."""

    long: float
    long_hit: int = 6
    melee_hit: int = 6


@dataclass(frozen=True, slots=True)
class Gun:
    """Ranges in inches of a piece with the least scores that hit; short is melee's too (VBW-HIT-02)."""

    short: float
    short_hit: int
    long: float
    long_hit: int = 6


@dataclass(frozen=True, slots=True)
class ScaleTables:
    """The figures that may be others at another scale."""

    #: Inches a move (VBW-MOV-01).
    rates: Mapping[str, int]
    #: VBW-COM-02 to 07.
    dice: Mapping[str, StandDice]
    small_arms: Mapping[str, SmallArm]
    guns: Mapping[str, Gun]
    #: Share of its SP at which troops of a morale are exhausted, by morale point (VBW-EXH-01).
    exhaustion_per_morale: Fraction
    #: Morale added up (VBW-MOR-10).
    morale: Mapping[str, int]
    #: Inches of what rules and commanders go by, as in `DISTANCES`.
    distances: Mapping[str, float] = field(default_factory=lambda: DISTANCES)
    #: Room an infantry stand takes in a block; most room of a block that is in nobody's way.
    room: int = ROOM_OF_STAND
    crossed_block: int = 0
    #: Game turns after which both sides rest in which nobody fires, meets or gains ground (VBW-DEF-23).
    quiet_turns: int = QUIET_TURNS


#: VBW-MOV-01.
RATES: dict[str, int] = {
    "slow_infantry": 12,
    "fast_infantry": 16,
    "light_dragoons": 24,
    "mounted_infantry": 24,
    "light_artillery": 12,
    "field_artillery": 8,
    "pack_transport": 8,
    "heavy_artillery": 4,
    "wheeled_transport": 4,
    "commanders": 24,
}
#: VBW-COM-02 to 07; the stationary dice of the poorly trained are an option as well.
DICE: dict[str, StandDice] = {
    "regular": StandDice(3, 3, (5, 5)),
    "poorly_trained": StandDice(2, 2, (4, 4)),
    "detachment": StandDice(1, 1),
    "artillery": StandDice(1, 1, (2, 2)),
    "mounted": StandDice(0, 2),
}
#: VBW-HIT-01.
SMALL_ARMS: dict[str, SmallArm] = {
    "musket": SmallArm(8),
    "rifle": SmallArm(12),
    "native_american": SmallArm(6),
}
#: VBW-HIT-02.
GUNS: dict[str, Gun] = {
    "light_3_4lb": Gun(12, 5, 48),
    "field_6_9lb": Gun(16, 4, 64),
    "field_howitzer_5_5_6in": Gun(12, 5, 64),
    "heavy_12lb": Gun(20, 4, 80),
}
#: VBW-MOR-10.
MORALE: dict[str, int] = {
    "stationary_infantry_or_artillery_defending_higher_ground": 1,
    "infantry_or_artillery_defending_works": 1,
    "superior_commander_not_uc_attached_to_unit": 1,
    "meleeing_skirmishers": 1,
    "meleeing_enemy_in_flank_or_rear": 1,
    "attacking_units_in_road_march": 1,
    "stand_is_disordered": -1,
    "cavalry_meleeing_heavier_cavalry": -1,
    "meleeing_artillery_from_front": -1,
    "unsupported_artillery_being_meleed": -1,
    "infantry_meleed_by_mounted": -1,
    "meleed_from_flank": -2,
    "meleed_while_in_road_march": -2,
    "meleed_while_already_routed": -3,
}
WING_TABLES = ScaleTables(RATES, DICE, SMALL_ARMS, GUNS, Fraction(1, 10), MORALE)


@dataclass(frozen=True, slots=True)
class Going:
    """Effects of a kind of ground on each kind of troops (VBW-TER).

    `costs` are inches of allowance for an inch, None where they cannot go, in the order of KINDS;
    `disorders` those who lose their order in it and may not recover there.
    """

    costs: tuple[float | None, ...]
    disorders: tuple[str, ...] = ()


#: Kinds of troops on the ground: the columns of the terrain tables.
KINDS: tuple[str, ...] = (
    "fast_foot", "slow_foot", "foot_skirmishers", "horse", "horse_skirmishers",
    "guns", "pack_transport", "wheeled_transport", "commanders",
)  # fmt: skip
_FOOT = ("fast_foot", "slow_foot")
_NO = None
#: Open ground, and what areas cost; marsh is diced for (VBW-TER-09) and crops only hide (VBW-TER-12).
GOING: dict[str, Going] = {
    "open": Going((1, 1, 1, 1, 1, 1, 1, 1, 1)),
    "forest": Going((2, 2, 2, _NO, _NO, _NO, _NO, _NO, 2), _FOOT),  # VBW-TER-01 to 03
    "swamp": Going((2, 2, 2, _NO, _NO, _NO, _NO, _NO, 2), _FOOT),
    "woods": Going((1, 1, 1, 2, 2, 2, 2, 4, 1)),  # VBW-TER-06
    "broken": Going((1, 2, 1, 2, 2, 2, 2, 2, 1), ("horse",)),  # VBW-TER-14 to 16
    "crops": Going((1, 1, 1, 1, 1, 1, 1, 1, 1)),
    "camp": Going((2, 2, 2, 2, 2, 2, 2, 2, 2)),  # VBW-TER-38
    "water": Going((_NO,) * 9),  # VBW-TER-30
}
#: Inches a fence, hedge or tree line takes to cross (VBW-TER-17, VBW-TER-19).
FENCE: tuple[float, ...] = (2, 2, 2, 4, 4, 4, 4, 4, 2)
#: Marsh by the die with its modifiers: cost of an inch, and whether it disorders (VBW-TER-09, VBW-TER-10).
MARSH: tuple[tuple[int, int, bool], ...] = ((2, 1, False), (4, 2, False), (99, 4, True))
MARSH_GUNS, MARSH_TRODDEN = 1, 1
#: Capacity in detachments of a village block and a town block; an infantry stand takes two (VBW-TER-39, 40).
BLOCKS: dict[str, int] = {"small": 1, "large": 4}
#: Half the front and depth of a block in inches.
BLOCK_HALVES: dict[str, tuple[float, float]] = {"small": (1.5, 1.0), "large": (3.0, 2.0)}
