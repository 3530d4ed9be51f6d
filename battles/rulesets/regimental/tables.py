"""Figures of the Regimental rules. No numba here.

Distances are inches on the table, of 25 yards (REG-GEN-01). Each table stands once; a test holds it
against the catalogue.
"""

from dataclasses import dataclass
from fractions import Fraction

#: REG-GEN-01.
MEN_PER_STAND, GUNS_PER_STAND, YARDS_PER_INCH, MINUTES_PER_TURN = 40, 2, 25, (10, 15)

#: Inches within which an enemy is in close range (REG-GEN-03).
CLOSE_RANGE = 4.0
#: Inches of a leader's command, and of one that is made shorter (REG-CMD-01).
COMMAND_RADIUS, SHORT_RADIUS = 8.0, 4.0
#: Inches of what counts as near: battalion guns, outflanking enemies, friends who support guns.
BATTALION_GUN, OUTFLANKED, SUPPORT = 2.0, 8.0, 2.0
#: Inches of the short retreats (REG-FIR-08, REG-CHG-06, REG-CHG-08) and of those massed behind (REG-FIR-09).
SHORT_RETREAT, MASSED_BEHIND = 2.0, 2.0
#: Inches from a target within which the closest leader checks (REG-FIR-11).
LEADER_UNDER_FIRE = 4.0
#: Inches of a hand haul: light guns, gallopers (REG-GUN-01).
HAND_HAUL = {"normal": 2, "galloper": 4}
#: Game turns after which both sides rest in which nobody fires, charges or gains ground (REG-DEF-08).
QUIET_TURNS = 8
#: Inches from the spot fought for at which troops hold it (REG-DEF-08).
AT_OBJECTIVE = 8.0
#: Inches from an enemy at which who does not charge stops (REG-DEF-05).
STOP_SHORT = 0.25
#: The steepest wheel of a move, in degrees (REG-TRP-01).
WHEEL = 45

#: Ratings, best first (REG-UNI-01).
RATINGS: tuple[str, ...] = ("elite", "veteran", "trained", "raw")
#: Modifier to maneuver and charge by rating.
RATING: dict[str, int] = {"elite": 2, "veteran": 1, "trained": 0, "raw": -1}
#: And by what is left of a unit (REG-UNI-03).
CONDITION: dict[str, int] = {"fresh": 2, "worn": 0, "spent": -2}

#: Inches of front and depth of a stand (REG-DEF-01).
BASES: dict[str, tuple[float, float]] = {
    "foot": (0.5, 0.5),
    "cavalry": (0.75, 0.5),
    "guns": (1, 1),
    "wagon": (0.5, 1),
}

#: REG-MAN-03, in the order of the sheet.
MANEUVER: dict[str, int] = {
    "attached_leader_or_brave_colonel": 1,
    "out_of_command": -1,
    "in_provisional_command": 0,
    "in_command": 1,
    "fresh_troops_or_artillery_battery": 2,
    "worn": 0,
    "spent": -2,
    "troops_with_battalion_gun_within_2in": 1,
    "heavy_casualties": -1,
    "elite": 2,
    "veteran": 1,
    "trained": 0,
    "raw": -1,
    "field_or_march_column_garrison_limbered_gun_or_linear_cover": 1,
    "outflanked_within_8in_or_broken": -2,
    "indians_in_woods_or_forest": 1,
    "indians_in_open": -1,
}
#: Least totals of the upper results (REG-MAN-05, REG-MAN-07); below PANIC_BELOW is a panic.
WELL_FROM, TARDY_FROM, PANIC_BELOW = 6, 0, -5


@dataclass(frozen=True, slots=True)
class Rate:
    """Inches of a full move and at the double quick on open, broken and rough ground and by road.

    None where there is no such rate (REG-MOV-01).
    """

    open: tuple[int, int]
    broken: tuple[int, int]
    rough: tuple[int, int]
    road: tuple[int, int] | None


def _make_rate(*figures: int) -> Rate:
    """A row of the sheet: pairs for open, broken, rough, and perhaps road."""
    pairs = [(figures[k], figures[k + 1]) for k in range(0, len(figures), 2)]
    return Rate(pairs[0], pairs[1], pairs[2], pairs[3] if len(pairs) > 3 else None)


#: REG-MOV-01, by arm and formation; a single figure stands for both rates.
RATES: dict[str, dict[str, Rate]] = {
    "infantry": {
        "line": _make_rate(10, 14, 8, 12, 6, 10),
        "field_column": _make_rate(12, 16, 10, 14, 8, 12),
        "extended_line": _make_rate(12, 16, 10, 14, 8, 12),
        "mass": _make_rate(12, 16, 10, 14, 8, 12),
        "march_column": _make_rate(12, 16, 10, 14, 8, 12, 18, 24),
        "broken_troops": _make_rate(16, 16, 14, 14, 12, 12, 24, 24),
    },
    "cavalry": {
        "line": _make_rate(18, 24, 12, 16, 4, 6),
        "field_column": _make_rate(18, 24, 14, 20, 6, 8),
        "extended_line": _make_rate(18, 24, 14, 20, 6, 8),
        "march_column": _make_rate(18, 24, 14, 20, 6, 8, 24, 36),
        "dismounted_extended_line": _make_rate(12, 16, 10, 14, 8, 12),
        "broken_troops": _make_rate(24, 24, 20, 20, 8, 8, 36, 36),
    },
    "guns": {
        "siege_guns_and_wagons": _make_rate(6, 8, 4, 6, 2, 4, 12, 18),
        "foot_guns": _make_rate(8, 12, 6, 10, 4, 6, 18, 24),
        "galloper_guns_and_pack_animals": _make_rate(12, 16, 8, 12, 4, 6, 18, 24),
    },
    "leader": {
        "mounted": _make_rate(24, 24, 20, 20, 12, 12, 36, 36),
        "dismounted": _make_rate(16, 16, 14, 14, 12, 12, 24, 24),
    },
}

#: Fire points of a troop stand up to so many inches (REG-FIR-02); the ranges are options.
SMALL_ARMS: dict[str, tuple[tuple[int, Fraction], ...]] = {
    "musket": ((4, Fraction(1)),),
    "rifle": ((8, Fraction(1)), (12, Fraction(1, 2))),
}
#: Upper ends of the range columns of guns and the points of a stand in each; 0 beyond range (REG-FIR-03).
CANNON_COLUMNS: tuple[int, ...] = (4, 12, 24, 36, 48, 60)
CANNON: dict[str, tuple[int, ...]] = {
    "siege_gun": (6, 5, 4, 3, 2, 1),
    "heavy_gun": (5, 4, 3, 2, 1, 0),
    "medium_gun": (5, 3, 2, 1, 0, 0),
    "light_gun": (4, 3, 2, 1, 0, 0),
    "galloper_gun": (3, 2, 1, 0, 0, 0),
    "siege_howitzer": (5, 3, 3, 4, 0, 0),
    "howitzer": (4, 2, 2, 3, 0, 0),
}
#: Modifier from so many fire points up; below the first it is LESS_THAN_ONE (REG-FIR-05).
POINTS: tuple[tuple[int, int], ...] = (
    (1, -4), (2, -3), (3, -2), (4, -1), (6, 0), (9, 1), (12, 2), (15, 3), (20, 4), (25, 5),
)  # fmt: skip
LESS_THAN_ONE = -5
#: REG-FIR-06.
FIRE: dict[str, int] = {
    "raw_troops_or_guns_firing": -1,
    "gun_target_limbered_enfiladed_or_in_close_range": 1,
    "troop_target_field_column_mass_cavalry_marched_by_flank_about_faced_passage_of_lines_or_broken": 1,
    "troop_target_march_column_or_enfiladed": 2,
    "target_in_partial_cover_or_extended_line": -1,
    "target_in_full_cover_or_extended_line_in_partial_cover": -2,
    "target_fortified": -3,
    "firing_buck_and_ball_in_a_charge_or_marksmen": 1,
}
#: Rows of the fire table, worst for the target first: the least total of each by rating, None where it
#: has none (REG-FIR-07). What is below all is desultory.
EFFECTS: dict[str, tuple[int | None, int | None, int | None, int | None]] = {
    "withering": (13, 13, 13, 13),
    "telling_charge_checked": (None, 12, 11, 10),
    "telling_cold_steel": (11, 10, 9, 9),
    "telling_charge_home": (8, 8, 8, 8),
    "galling": (7, 7, 6, 6),
    "lively": (None, 6, 5, 4),
}
#: From this total a withering fire takes one stand more.
EXTRA_FROM = 15

#: The year from which Continentals may use field column (REG-SPC-04).
CONTINENTAL_COLUMN = 1777

#: REG-CHG-02.
CHARGE: dict[str, int] = {
    "elite": 2,
    "veteran": 1,
    "trained": 0,
    "raw": -1,
    "fresh": 2,
    "worn": 0,
    "spent": -2,
    "outnumbered_2_to_1": -1,
    "outnumbered_3_to_1": -2,
    "supported_guns": 1,
    "unsupported_guns": -1,
    "extended_line_or_militia": -1,
    "outflanked_broken_march_column_or_limbered_guns": -2,
    "defending_favorable_ground": 1,
    "strong_position_or_fortified": 2,
    "cold_steel_or_breakthrough_charge": 1,
    "brave_colonel_or_leader_attached": 1,
    "cavalry_charge_over_open_ground_not_mounted_infantry": 1,
    "disordered_troops_or_silenced_guns": -1,
}
#: Stands lost when swept or repulsed, and the difference beyond which each point takes one more.
ROUTED_STANDS, MORE_BEYOND = 2, 7

#: What becomes of a leader by the sum of two dice, 2 to 6 being nothing (REG-LDR-01).
FALLEN: dict[int, str] = {
    12: "removed_from_game",
    11: "removed_from_game",
    10: "removed_from_battle",
    9: "maneuver_minus_1_rest_of_battle",
    8: "removed_one_turn",
    7: "dismounted_one_turn",
}
#: The die that must be among the two for him to be taken (REG-LDR-02).
TAKEN_DIE = 6


@dataclass(frozen=True, slots=True)
class TerrainEffects:
    """A row of the terrain table (REG-TER-01): cover, favourable to who is charged, sight, how one moves."""

    cover: str
    heart: bool
    visibility: int | None
    movement: str


GROUND: dict[str, TerrainEffects] = {
    "fields": TerrainEffects("open", False, None, "none"),
    "rocky_fields": TerrainEffects("open", True, None, "rough"),
    "grassy_marsh": TerrainEffects("partial", True, None, "rough"),
    "woods_forest": TerrainEffects("partial", True, 4, "rough"),
    "orchards": TerrainEffects("partial", True, 10, "broken"),
    "town": TerrainEffects("full", True, 4, "broken"),
    "wood_fences": TerrainEffects("none", True, None, "linear"),
    "stone_fences": TerrainEffects("full", True, None, "linear"),
    "creek": TerrainEffects("partial", True, None, "rough"),
}
#: What the ground of a battle file is here (REG-DEF-09).
FILE_GROUND: dict[str, str] = {
    "crops": "fields",
    "rough": "rocky_fields",
    "marsh": "grassy_marsh",
    "swamp": "grassy_marsh",
    "dense_woods": "woods_forest",
    "open_woods": "orchards",
    "building": "town",
    "fence": "wood_fences",
    "wall": "stone_fences",
    "stream": "creek",
    "road": "road",
}

#: Points for each enemy stand removed, by the side that scores (REG-VP-01).
BRITISH_SCORES: dict[str, int] = {
    "militia": 1,
    "artillery": 1,
    "continentals": 2,
    "captured_leader": 2,
    "french_infantry": 3,
    "killed_leader": 3,
}
AMERICAN_SCORES: dict[str, int] = {
    "militia": 1,
    "line_infantry": 2,
    "artillery": 2,
    "light_infantry": 3,
    "grenadiers": 3,
    "cavalry": 3,
}
#: Points of troops the sheet does not list (REG-VP-01).
UNLISTED_SCORES: dict[str, int] = {
    "american_cavalry": 2,
    "riflemen": 2,
    "french_guns": 1,
    "french_cavalry": 3,
    "indians": 1,
    "hessian_line": 2,
    "hessian_grenadiers_and_jagers": 3,
    "loyalist_militia": 1,
    "loyalist_line": 2,
}
