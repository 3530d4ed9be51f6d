"""Figures of Road to Glory, each once. No numba here. Inches are of a hundred yards (RTG-GEN-01).

The core's words are used where they mean the same: its `Dice`, `SmallArm` and `Gun`, and its order of
the modifiers of morale, so that its kernels can read these tables when they are written into a record.
"""

from fractions import Fraction

from battles.rulesets.volley_bayonet.tables import Gun, ScaleTables, SmallArm, StandDice

#: RTG-GEN-01.
YARDS_PER_INCH, MINUTES_PER_TURN, MEN_PER_SP, GUNS_PER_SP = 100, 60, 500, 6
#: Inches at which a commander puts in command (RTG-CMD-01, RTG-CMD-03).
COMMAND_RADIUS = 6.0
#: How near one comes to an enemy one may not charge, and goes back from one (RTG-MOV-08, RTG-CHG-03, 09).
GAP_KEPT = 1.0
#: Cavalry skirmishers retreat so far ahead of a charging brigade (RTG-CHG-05).
SKIRMISHERS_RETREAT = 6.0
#: What cavalry gives up for each hit it would rather be saved from (RTG-SAV-05).
RETIRE_PER_HIT = 6.0
#: Part of the move: out of command, what a paid change of facing or half a move is (RTG-CMD-05, RTG-MOV-03).
HALF = 0.5
#: Multiples of march column, along a road and across country (RTG-MOV-06).
ROAD_MULTIPLE, COUNTRY_MULTIPLE = 3.0, 2.0
#: Unlimbered guns are pushed so far by hand (RTG-MOV-05).
MANHANDLED = 2
#: SP a stand loses when it routs (RTG-ROU-01).
ROUT_SP = 1
#: An Army Commander falls with losses of his stand on this die (RTG-MIS-01).
CHIEF_FALLS_ON = 6
#: Edges nearer than this cover each other's flank (RTG-MIS-02).
COVERED_WITHIN = 1.0

#: Inches of front and depth of a base (RTG-GEN-04), and of a marker of march column (RTG-MOV-07).
BASES: dict[str, tuple[float, float]] = {
    "massed": (3, 3),
    "linear": (3, 1.5),
    "skirmisher": (1.5, 1.5),
    "artillery": (1.5, 3),
    "commander": (1.5, 1.5),
}
MARKER: tuple[float, float] = (1.5, 3)
#: Markers behind a stand in march column (RTG-MOV-02, RTG-MOV-07); foot skirmishers have none.
MARKERS: dict[str, int] = {
    "massed": 3,
    "linear": 2,
    "foot_skirmisher": 0,
    "horse_skirmisher": 2,
    "battalion": 3,
    "battery": 1,
}
#: Inches a move (RTG-MOV-02).
RATES: dict[str, int] = {
    "slow_infantry": 12,
    "infantry": 16,
    "heavy_cavalry": 20,
    "any_cavalry_with_dedicated_gun": 20,
    "light_cavalry": 24,
    "medium_cavalry": 24,
    "horse_artillery": 24,
    "commander": 24,
    "limbered_artillery": 16,
    "unlimbered_artillery_manhandled": MANHANDLED,
}
#: Dice in fire and in melee, and when stationary (RTG-CBT-10). The rows of kinds of artillery differ in
#: what hits, which stands with the ranges.
DICE: dict[str, StandDice] = {
    "linear_infantry": StandDice(2, 3, (4, 5)),
    "linear_infantry_poor_musketry": StandDice(2, 3, (3, 4)),
    "infantry_brigade": StandDice(2, 4, (4, 6)),
    "infantry_brigade_poor_musketry": StandDice(2, 4, (3, 5)),
    "infantry_skirmisher": StandDice(1, 1),
    "cavalry_brigade": StandDice(0, 2),
    "linear_cavalry": StandDice(0, 2),
    "firearm_cavalry": StandDice(1, 2),
    "cavalry_skirmisher": StandDice(0, 2),
    "artillery_battalion": StandDice(1, 1, (2, 2)),
    "artillery_battery": StandDice(1, 1, (1, 1)),
}
#: Dice a dedicated gun adds (RTG-CBT-22).
DEDICATED_DICE = 1
#: What has no close range (RTG-RNG-01); rifles reach no further than muskets, nor do those of firearm
#: cavalry (RTG-CBT-14). A dedicated gun is artillery all the same.
SMALL_ARMS: dict[str, SmallArm] = {
    "smoothbore": SmallArm(2),
    "rifle": SmallArm(2),
    "dedicated_gun": SmallArm(4),
}
#: RTG-RNG-01 with what hits at close range (RTG-CBT-10, RTG-CBT-15).
GUNS: dict[str, Gun] = {
    "very_light_guns": Gun(3, 5, 6),
    "light_guns": Gun(4, 4, 8),
    "field_guns": Gun(4, 4, 10),
    "heavy_guns": Gun(4, 4, 12),
    "siege_guns": Gun(4, 4, 12),
}
#: RTG-MOR-03 to 13, in the core's order (VBW-MOR-10), those it has and the card has not being 0.
MORALE: dict[str, int] = {
    "defending_higher_ground": 1,
    "defending_building_or_works": 1,
    "army_commander_attached": 1,
    "close_order_meleeing_skirmishers_only": 1,
    "meleeing_enemy_in_flank": 1,
    "attacking_units_in_road_march": 0,
    "disordered": -1,
    "cavalry_meleeing_heavier_cavalry": -1,
    "meleeing_front_of_unlimbered_artillery": -1,
    "artillery_meleed_by_cavalry": -1,
    "insecure_infantry_meleed_by_cavalry": -1,
    "attacked_in_flank": -1,
    "meleed_while_in_road_march": 0,
    "meleed_while_already_routed": 0,
    "linear_or_march_column_meleed_in_flank": -2,
}
#: What is added to a drawn melee's total (RTG-MEL-03).
TIES: dict[str, int] = {
    "infantry_vs_infantry_with_no_elites": 2,
    "stationary_or_cavalry_secure_infantry_vs_non_lancer_cavalry": 2,
    "supported_artillery_vs_infantry": 1,
    "non_flank_secured_infantry_vs_cavalry": -2,
    "artillery_vs_cavalry": -2,
}
#: A tenth of its SP for each point of morale, of which none counts as less or more than these (RTG-EXH-01).
PER_MORALE = Fraction(1, 10)
LEAST_MORALE, MOST_MORALE = 4, 6

#: Inches here of what the core goes by; those of commanders are ours, by what troops reach and cover.
DISTANCES: dict[str, float] = {
    "stop_short": GAP_KEPT,  # RTG-MOV-08
    "seen_in_woods": 3.0,  # orchards (RTG-TER-13)
    "seen_in_forest": 1.0,  # RTG-TER-05
    "stride": 0.125,
    "edge_of_growth": 0.3,
    "in_range": 0.3,
    "guns_short": 0.5,
    "horse_waits": 5.0,
    "delay_at": 3.5,
    "delay_by": 8.0,
    "pin": 3.0,
    "gives_way": 4.0,
    "beyond_line": 3.5,
    "turned_in": 1.5,
    "at_spot": 0.6,
    "goal_free": 4.0,
    "garrison": 3.0,
    "in_time": 5.0,
    "near_reserve": 4.0,
    "march_from": 40.0,
    "march_to": 20.0,
    "at_objective": 3.0,
}
#: Game turns after which both sides rest in which nobody fires, meets or gains ground, as VBW-DEF-23 has it.
QUIET_TURNS = 6
#: Half the front and depth of a village and of a town block, each as large as the base of whom it holds.
BLOCK_HALVES: dict[str, tuple[float, float]] = {"small": (0.75, 0.75), "large": (1.5, 1.5)}


def find_level_morale(morale: int) -> int:
    """A stand's morale as its division's level counts it (RTG-EXH-01)."""
    return min(max(morale, LEAST_MORALE), MOST_MORALE)


#: A town holds four foot skirmishers or an infantry brigade, a village one skirmisher (RTG-TER-20, 22).
TOWN_ROOM, VILLAGE_ROOM, ROOM_OF_BRIGADE = 4, 1, 4
#: A town is defended on so many sides (RTG-TER-20).
SIDES = 4
#: Wooden buildings catch fire on this die, and are out from this one, village and town (RTG-TER-24).
CATCHES_ON, VILLAGE_OUT_FROM, TOWN_OUT_FROM = 6, 5, 6
#: Game turns from the fire to the first roll for its end (RTG-TER-24).
BURNS_FOR = 2

RTG_TABLES = ScaleTables(
    RATES,
    DICE,
    SMALL_ARMS,
    GUNS,
    PER_MORALE,
    MORALE,
    distances=DISTANCES,
    room=ROOM_OF_BRIGADE,
    crossed_block=VILLAGE_ROOM,
    quiet_turns=QUIET_TURNS,
)
