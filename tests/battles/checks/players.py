"""The players of the AWI-T worked checks, by the look of ids and what they give."""

from tests.battles.checks.charges import (
    check_charge_to_the_end,
    check_charged,
    check_charged_by_cavalry,
    check_charger,
    check_just_routed,
    check_no_counter_charge,
    check_routed_by_charge,
    check_second_charge,
    check_stream_as_obstacle,
    check_surrender,
    check_vacated_ground,
    check_zone,
)
from tests.battles.checks.common import BY_ID
from tests.battles.checks.engineering import check_building, check_explosion
from tests.battles.checks.fire import (
    check_base_in_arc,
    check_detection,
    check_fire,
    check_firer,
    check_fortification,
    check_guns_at_structure,
    check_hit,
    check_long_range,
    check_no_harm_to_structure,
    check_range,
    check_structure_cover,
    check_volleys,
)
from tests.battles.checks.generals import (
    check_general_in_melee,
    check_general_under_fire,
    check_rally_with_general,
    check_shaken_with_general,
    check_wounded_general_rides,
)
from tests.battles.checks.ground import (
    check_bridge,
    check_crossing,
    check_door,
    check_going,
    check_road_bonus,
)
from tests.battles.checks.melees import (
    check_behind_wall_beaten,
    check_depth,
    check_melee,
    check_melee_at_work,
    check_melee_columns,
    check_melee_result,
    check_overlap,
    check_own_factor,
    check_pikes,
    check_two_against_one,
    check_uphill,
)
from tests.battles.checks.morale import (
    check_balance,
    check_basic_morale,
    check_rally,
    check_repeated_shaken,
    check_scale,
    check_shaken,
    check_strength,
)
from tests.battles.checks.movement import (
    check_abandoned_gun,
    check_change_to_line,
    check_facing,
    check_falling_back,
    check_one_inch,
    check_pivot,
    check_rates,
    check_rout_move,
    check_wagon,
    check_wheel,
)
from tests.battles.checks.structures import check_structure, check_zone_in_building
from tests.battles.checks.variants import (
    check_charged_by_highlanders,
    check_dragoons,
    check_highland_charge,
    check_highland_charge_ends,
    check_highland_fire,
    check_highland_morale,
    check_highland_move,
)
from tests.worked_checks.registry import CheckFamily, Player

DOORS = {"crossing": ("leave_building", "enter_building")}


def ids(*subjects: str) -> str:
    """What ids of these subjects look like."""
    return f"CHK-({'|'.join(subjects)})-.*"


#: The first that is for a check plays it.
PLAYERS: tuple[Player, ...] = (
    Player(check_strength, ids("STR", "GUN")),
    Player(check_basic_morale, ids("BM")),
    Player(check_repeated_shaken, ids("SHK"), "shaken_results_this_step"),
    Player(check_shaken, ids("SHK"), "die"),
    Player(check_shaken, ids("SHK"), "type"),
    Player(check_shaken_with_general, ids("SHK"), "state general"),
    Player(check_rally, ids("RTT"), "turns"),
    Player(check_rally_with_general, ids("RTT"), "state general"),
    Player(check_hit, ids("HIT")),
    Player(check_volleys, ids("FIRE"), "shooters"),
    Player(check_fire, ids("FIRE"), "shot"),
    Player(check_firer, ids("FIRE"), "firer"),
    Player(check_long_range, ids("FIRE"), "gun"),
    Player(check_range, ids("RNG")),
    Player(check_charged, ids("CHG"), "charged modifier"),
    Player(check_no_counter_charge, ids("CHG"), "charged total"),
    Player(check_charger, ids("CHG"), "charger target_inches"),
    Player(check_routed_by_charge, ids("CHG"), "target_sp"),
    Player(check_vacated_ground, ids("CHG"), "target", "charger_moves_to"),
    Player(check_surrender, ids("SUR")),
    Player(check_two_against_one, ids("MEL"), "attackers"),
    Player(check_melee, ids("MEL"), "A A_factor B B_factor"),
    Player(check_melee_at_work, ids("MEL"), "A A_factor B_factor"),
    Player(check_behind_wall_beaten, ids("MEL"), "A options"),
    Player(check_melee_columns, ids("MEL"), "charger over"),
    Player(check_melee_result, ids("MEL"), "diff"),
    Player(check_overlap, ids("MEL"), "opponents"),
    Player(check_depth, ids("MEL"), "role"),
    Player(check_uphill, ids("MEL"), "defending_uphill_of_enemy"),
    Player(check_abandoned_gun, ids("MEL"), "abandoned_gun"),
    Player(check_own_factor, ids("MEL"), "unit", "own_type_factor open_order_penalty"),
    Player(check_charge_to_the_end, ids("END")),
    Player(check_second_charge, ids("CAV")),
    Player(check_wounded_general_rides, ids("RATE"), "unit", "inches"),
    Player(check_rates, ids("RATE")),
    Player(check_going, ids("MOV"), "terrain"),
    Player(check_door, ids("MOV"), "crossing", values=DOORS),
    Player(check_bridge, ids("MOV"), "crossing", "passable"),
    Player(check_crossing, ids("MOV"), "crossing"),
    Player(check_road_bonus, ids("MOV"), "full_move_on_road"),
    Player(check_falling_back, ids("MOV"), "action"),
    Player(check_wheel, ids("MOV"), "wheel_degrees"),
    Player(check_pivot, ids("MOV"), "turn_degrees"),
    Player(check_scale, ids("MOV"), "unit scale"),
    Player(check_wagon, ids("MOV"), "unit event"),
    Player(check_change_to_line, ids("MOV"), "change"),
    Player(check_stream_as_obstacle, ids("MOV"), "target charge_test"),
    Player(check_facing, ids("FAC")),
    Player(check_one_inch, ids("SEQ"), "gap_to_enemy_inches"),
    Player(check_just_routed, ids("SEQ"), "routed"),
    Player(check_structure_cover, ids("STRC"), "structure_sp"),
    Player(check_structure_cover, ids("STRC"), "structure sp", "cover factor"),
    Player(check_fortification, ids("STRC"), "structure sp", "fortification"),
    Player(check_guns_at_structure, ids("STRC"), "gun_sp"),
    Player(check_no_harm_to_structure, ids("STRC"), "weapon"),
    Player(check_structure, ids("STRC"), "structure"),
    Player(check_zone_in_building, ids("GEO"), "charger_from"),
    Player(check_base_in_arc, ids("GEO"), "firing_base"),
    Player(check_zone, ids("GEO"), "charger_front_edge_centre"),
    Player(check_detection, ids("WOOD")),
    Player(check_rout_move, ids("ROU")),
    Player(check_balance, ids("BAL")),
    Player(check_general_in_melee, ids("GEN"), "case", values={"case": ("other melee loss",)}),
    Player(
        check_general_under_fire, ids("GEN"), "case", values={"case": ("two fire losses, one roll each",)}
    ),
    Player(check_charged_by_cavalry, ids("V98"), "charged basic_morale"),
    Player(check_pikes, ids("V98"), "charged"),
    Player(check_highland_morale, ids("V45"), "highlanders_sp"),
    Player(check_highland_charge, ids("V45"), "enemy_inches"),
    Player(check_highland_move, ids("V45"), "formation scale"),
    Player(check_charged_by_highlanders, ids("V45"), "charged by"),
    Player(check_dragoons, ids("V45"), "dragoons"),
    Player(check_highland_fire, ids("V45"), expect="may_fire factor_total"),
    Player(check_highland_charge_ends, ids("V45"), "in_highland_charge"),
    Player(check_building, ids("ENG")),
    Player(check_explosion, ids("EXP")),
)
FAMILY = CheckFamily("AWI battles", ("AWI-T-",), PLAYERS, tuple(BY_ID.values()))
