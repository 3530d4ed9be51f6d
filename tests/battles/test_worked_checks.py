"""The AWI-T worked checks of checks-awi.yaml, by what they give; the players are in `checks/`."""

from collections.abc import Callable

import pytest

from battles.engine.dtypes import LIMBERED
from battles.rulesets.awi import morale
from rosters.domain.vocabulary import GunClass, TroopType
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
from tests.battles.checks.common import BY_ID, Facts, one
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
from tests.battles.read_whole import play

#: Words of checks that only tell a reader what the others say.
WORDS: dict[str, str] = {}


def ids(prefix: str, *numbers: str) -> list[str]:
    return [f"CHK-{prefix}-{number}" for number in numbers]


def all_of(prefix: str) -> list[str]:
    return [key for key in BY_ID if key.startswith(f"CHK-{prefix}-")]


def but(keys: list[str], *without: str) -> list[str]:
    return [key for key in keys if key not in without]


BUILT: list[tuple[Callable[[Facts, Facts], None], list[str]]] = [
    (check_strength, all_of("STR") + all_of("GUN")),
    (check_basic_morale, all_of("BM")),
    (check_shaken, ids("SHK", "05", "06", "08")),
    (check_rally, ids("RTT", "05")),
    (check_hit, all_of("HIT")),
    (check_fire, ids("FIRE", "02", "04", "05", "14", "16", "17", "18")),
    (check_volleys, ids("FIRE", "19", "20")),
    (check_firer, ids("FIRE", "21", "22", "24")),
    (check_range, all_of("RNG")),
    (check_long_range, ids("FIRE", "26")),
    (
        check_charged,
        ids("CHG", "01", "03", "05", "06", "07", "09", "10", "11", "13", "14", "15", "16", "17", "19", "21"),
    ),
    (check_no_counter_charge, ids("CHG", "23", "34")),
    (check_charger, ids("CHG", "24", "26", "27", "28")),
    (check_vacated_ground, ids("CHG", "29")),
    (check_routed_by_charge, ids("CHG", "32")),
    (check_surrender, all_of("SUR")),
    (check_melee, ids("MEL", "05", "07", "08", "10", "11", "12", "14", "15")),
    (check_melee_at_work, ids("MEL", "16")),
    (check_two_against_one, ids("MEL", "17")),
    (check_melee_columns, ids("MEL", "19")),
    (check_melee_result, ids("MEL", "21", "22")),
    (check_own_factor, ids("MEL", "23")),
    (check_overlap, ids("MEL", "24")),
    (check_depth, ids("MEL", "27")),
    (check_uphill, ids("MEL", "30")),
    (check_behind_wall_beaten, ids("MEL", "31", "32")),
    (check_abandoned_gun, ids("MEL", "33")),
    (check_charge_to_the_end, all_of("END")),
    (check_second_charge, all_of("CAV")),
    (check_rates, but(all_of("RATE"), "CHK-RATE-12")),
    (check_going, ids("MOV", "01", "02", "04", "05", "07", "09", "10", "12", "14", "38", "39")),
    (check_crossing, ids("MOV", "17", "20", "41")),
    (check_door, ids("MOV", "21", "22", "23")),
    (check_bridge, ids("MOV", "42")),
    (check_road_bonus, ids("MOV", "34", "35")),
    (check_falling_back, ids("MOV", "25")),
    (check_wheel, ids("MOV", "29", "30")),
    (check_pivot, ids("MOV", "31", "32")),
    (check_scale, ids("MOV", "36")),
    (check_wagon, ids("MOV", "37")),
    (check_change_to_line, ids("MOV", "43")),
    (check_stream_as_obstacle, ids("MOV", "45")),
    (check_facing, all_of("FAC")),
    (check_one_inch, ids("SEQ", "04")),
    (check_just_routed, ids("SEQ", "01")),
    (check_structure_cover, ids("STRC", "10", "11", "21", "22", "23")),
    (check_fortification, ids("STRC", "27", "28", "30")),
    (check_guns_at_structure, ids("STRC", "13", "15", "16")),
    (check_no_harm_to_structure, ids("STRC", "17")),
    (check_structure, ids("STRC", "01", "02", "04", "06", "08", "09")),
    (check_zone_in_building, ["CHK-GEO-12"]),
    (check_detection, all_of("WOOD")),
    (check_rout_move, all_of("ROU")),
    (check_base_in_arc, ids("GEO", "01", "04", "05")),
    (check_zone, ids("GEO", "06", "07", "08", "11")),
    (check_repeated_shaken, ids("SHK", "09")),
    (check_balance, all_of("BAL")),
    (check_shaken_with_general, ids("SHK", "03")),
    (check_rally_with_general, ids("RTT", "03")),
    (check_general_in_melee, ids("GEN", "05")),
    (check_general_under_fire, ids("GEN", "06")),
    (check_wounded_general_rides, ids("RATE", "12")),
    (check_pikes, ids("V98", "01", "02")),
    (check_charged_by_cavalry, ids("V98", "04")),
    (check_highland_morale, ids("V45", "01")),
    (check_highland_charge, ids("V45", "03")),
    (check_highland_move, ids("V45", "04")),
    (check_charged_by_highlanders, ids("V45", "06")),
    (check_dragoons, ids("V45", "09")),
    (check_highland_fire, ids("V45", "10", "11")),
    (check_highland_charge_ends, ids("V45", "12")),
    (check_building, all_of("ENG")),
    (check_explosion, all_of("EXP")),
]
CASES = [(key, function) for function, keys in BUILT for key in keys]


@pytest.mark.parametrize(("key", "function"), CASES, ids=[key for key, _ in CASES])
def test_worked_check(key: str, function: Callable[[Facts, Facts], None]) -> None:
    play(function, BY_ID[key], words=WORDS)


def test_every_tactical_check_is_played() -> None:
    assert set(BY_ID) == {key for key, _ in CASES}


def test_limbered_guns_march_at_their_column_rate_AWI_T_MOV_02() -> None:
    g = one(TroopType.EUROPEAN_ARTILLERY, gun_class=GunClass.MEDIUM)
    assert morale.move_rate(g.u[0]) == 2
    g.u[0].form = LIMBERED
    assert morale.move_rate(g.u[0]) == 6
