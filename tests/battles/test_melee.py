"""Step J: hand to hand."""

import pytest

from battles.engine.bases import BASE, HALF, half_depth
from battles.engine.dtypes import (
    BY_BRIDGE,
    COLUMN,
    OVER_BUILDING,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
    ROUTING,
    SHAKEN,
    STEADY,
    SURRENDERED,
)
from battles.rulesets.awi import melee
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import Stand, events, kinds, table
from tests.battles.grounds import house

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
TOUCH = 28 + 2 * HALF + 0.01


@pytest.mark.parametrize(
    ("kind", "flags", "factor"),
    [
        (T.AMERICAN_LIGHT_CAVALRY, 0, 2),
        (T.EUROPEAN_LIGHT_CAVALRY, melee.IN_FLANK, 2),
        (T.INDIANS, 0, 0),
        (T.BRITISH_LIGHT_INFANTRY, melee.IN_REAR, -3),
        (T.EUROPEAN_ARTILLERY, 0, -1),
        (T.WAGON, 0, -2),
        (LINE_FOOT, melee.IN_FLANK | melee.IN_REAR, -3),
        (LINE_FOOT, melee.CHARGING | melee.OBSTACLE, -2),
        (LINE_FOOT, melee.CHARGING | melee.FORTIFIED, -3),
        (T.AMERICAN_LIGHT_CAVALRY, melee.CHARGING | melee.OBSTACLE, 2 - 4),
        (T.AMERICAN_LIGHT_CAVALRY, melee.CHARGING | melee.FORTIFIED, 2 - 6),
        (LINE_FOOT, melee.CHARGING | melee.UPHILL, -1),
        (LINE_FOOT, melee.UPHILL, 0),
        (LINE_FOOT, melee.OVERLAP, 1),
        (LINE_FOOT, melee.DEPTH, 1),
        (T.EUROPEAN_ARTILLERY, melee.DEPTH, -1),
    ],
)
def test_factors_AWI_T_MEL_02_MEL_04_MEL_07(kind: TroopType, flags: int, factor: int) -> None:
    g = table(Stand(0, kind, 48, 20))
    assert melee.melee_factor(g, g.u[0], flags) == factor


@pytest.mark.parametrize(
    ("setting", "over", "foot", "horse"),
    [
        ("as_printed", melee.OBSTACLE, -2, 2 - 4),
        ("as_printed", melee.FORTIFIED, -3, 2 - 6),
        ("cavalry_infantry_swapped", melee.OBSTACLE, -4, 2 - 2),
        ("cavalry_infantry_swapped", melee.FORTIFIED, -6, 2 - 3),
    ],
)
def test_columns_of_obstacles_and_fortifications_AWI_T_MEL_03(
    setting: str, over: int, foot: int, horse: int
) -> None:
    g = table(
        Stand(0, LINE_FOOT, 40, 20),
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 50, 20),
        options={"melee_obstacle_columns": setting},
    )
    found = [melee.melee_factor(g, g.u[i], melee.CHARGING | over) for i in range(2)]
    assert found == [foot, horse]


def test_a_line_overlaps_a_single_column_AWI_T_MEL_05() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, 31, face=180, form=COLUMN))
    assert melee.attacker_flags(g, 0, 1, 1) & melee.OVERLAP
    assert not melee.attacker_flags(g, 0, 1, 0) & melee.OVERLAP
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.OVERLAP


@pytest.mark.parametrize(("setting", "counts"), [("attacker_only", False), ("either", True)])
def test_depth_of_a_defending_column_AWI_T_MEL_06(setting: str, counts: bool) -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 48, 31, face=180, form=COLUMN),
        options={"column_bonus": setting},
    )
    assert bool(melee.defender_flags(g, 1, 0, 1, 0) & melee.DEPTH) == counts


def fought(dice: tuple[int, ...], kind: TroopType = LINE_FOOT, other: TroopType = LINE_FOOT, **more):
    """A melee of one against one in contact; dice for charger and charged."""
    g = table(Stand(0, kind, 48, 28), Stand(1, other, 48, TOUCH, face=180), dice=dice, **more)
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    return g


def test_a_level_melee_parts_both_by_three_inches_AWI_T_MEL_08() -> None:
    g = fought((3, 3))
    assert (g.u[0].y, g.u[1].y) == (25, pytest.approx(TOUCH + 3))
    assert (g.u[0].sp, g.u[1].sp, g.u[0].mood, g.u[1].mood) == (5, 5, STEADY, STEADY)
    assert (g.u[0].face, g.u[1].face) == (0, 180)


def test_beaten_by_one_AWI_T_MEL_08() -> None:
    g = fought((4, 3))
    assert (g.u[1].sp, g.u[1].mood, g.u[1].y) == (4, SHAKEN, pytest.approx(TOUCH + 3))
    assert (g.u[0].y, g.u[0].won) == (28, 1)


def test_beaten_by_two_AWI_T_MEL_08() -> None:
    g = fought((2, 4))
    assert (g.u[0].sp, g.u[0].mood, g.u[0].won) == (3, ROUTING, 0)


def test_strength_does_not_count_AWI_T_MEL_02() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, sp=1), Stand(1, LINE_FOOT, 48, TOUCH, 180, sp=6), dice=(6, 1))
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    assert (g.u[0].sp, g.u[1].sp) == (1, 4)


@pytest.mark.parametrize(
    ("over", "mood"), [(OVER_NOTHING, ROUTING), (OVER_OBSTACLE, SHAKEN), (OVER_WORKS, SHAKEN)]
)
def test_chargers_of_works_are_thrown_back_instead_AWI_T_MEL_09(over: int, mood: int) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, TOUCH, face=180), dice=(1, 6))
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, over
    melee.step_j(g)
    assert (g.u[0].mood, g.u[0].sp) == (mood, 3)
    if over:
        assert g.u[0].y == 22


def test_one_of_several_attackers_is_affected_AWI_T_MEL_08() -> None:
    g = table(
        Stand(0, LINE_FOOT, 46, 28),
        Stand(0, LINE_FOOT, 50, 28),
        Stand(1, LINE_FOOT, 48, TOUCH, face=180),
        dice=(1, 2, 6),
    )
    for i in range(2):
        g.u[i].charges, g.u[i].contact = 2, 1
    melee.step_j(g)
    assert (g.u[0].mood, g.u[0].sp) == (ROUTING, 3), "the lowest score suffers"
    assert (g.u[1].mood, g.u[1].sp, g.u[1].y) == (STEADY, 5, 25), "the other only falls back"


def test_a_flank_attacker_is_spared_while_one_stands_in_front_AWI_T_MEL_08() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(0, LINE_FOOT, 48 + 3 * HALF, TOUCH, face=270),
        Stand(1, LINE_FOOT, 48, TOUCH, face=180),
        dice=(2, 1, 6),
    )
    g.u[0].charges, g.u[0].contact, g.u[0].zone = 2, 1, 0
    g.u[1].charges, g.u[1].contact, g.u[1].zone = 2, 1, 1
    melee.step_j(g)
    # the defender is struck in flank: 6 - 1 against 2
    assert (g.u[0].mood, g.u[1].mood) == (ROUTING, STEADY)


def test_a_lone_charger_fights_two_who_touch_its_front_AWI_T_MEL_01() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 48 - BASE - 0.01, TOUCH, face=180),
        Stand(1, LINE_FOOT, 48 + BASE + 0.01, TOUCH, face=180),
        dice=(3, 1, 6),
    )
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    assert kinds(g).count("melee_roll") == 3
    assert g.u[0].mood == ROUTING, "the better of the two defenders counts"


def test_routed_in_a_melee_from_behind_may_surrender_AWI_T_SUR_01_MEL_08() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, TOUCH, face=0), dice=(6, 1, 4))
    g.u[0].charges, g.u[0].contact, g.u[0].zone = 1, 1, 2
    melee.step_j(g)
    assert (g.u[1].place, g.u[1].lost, g.u[1].captured) == (SURRENDERED, 2, 3)


def test_routing_units_are_not_fought_AWI_T_MEL_10() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, TOUCH), dice=(6, 6))
    g.u[1].mood = ROUTING
    g.u[0].charges, g.u[0].contact = 1, 1
    melee.step_j(g)
    assert g.cursor == 0


def hill(g, x0: int, y0: int, x1: int, y1: int) -> None:
    """A rise over the cells named, both ends counted."""
    g.plain, g.hills = 0, 1
    g.cost[:2, :] = 1.0
    g.going[1].height, g.going[1].slope = 1, 1
    g.ground[y0 : y1 + 1, x0 : x1 + 1] = 1


def test_uphill_counts_against_who_charges_AWI_T_MEL_07() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, TOUCH, face=180))
    assert not melee.attacker_flags(g, 0, 1, 1) & melee.UPHILL
    hill(g, 40, 29, 60, 40)
    assert melee.attacker_flags(g, 0, 1, 1) & melee.UPHILL
    g.u[1].counter = 1
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.UPHILL, "down hill there is nothing"
    g.ground[:] = 0
    hill(g, 40, 20, 60, 28)
    assert not melee.attacker_flags(g, 0, 1, 1) & melee.UPHILL
    assert melee.defender_flags(g, 1, 0, 1, 0) & melee.UPHILL, "a counter-charger charges too"
    g.u[1].counter = 0
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.UPHILL


def test_uphill_adds_to_the_worst_of_the_obstacles_AWI_T_MEL_07() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28), Stand(1, LINE_FOOT, 48, TOUCH, face=180))
    hill(g, 40, 29, 60, 40)
    for over, factor in ((OVER_OBSTACLE, -3), (OVER_BUILDING, -3), (OVER_WORKS, -4)):
        g.u[0].over = over
        assert melee.melee_factor(g, g.u[0], melee.attacker_flags(g, 0, 1, 1)) == factor


def test_a_line_has_no_room_to_overlap_a_column_on_a_bridge_AWI_T_MEL_06() -> None:
    y = 28 + HALF + BASE + 0.01
    g = table(Stand(0, LINE_FOOT, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, y, face=180))
    assert melee.defender_flags(g, 1, 0, 1, 0) & melee.OVERLAP
    g.gates_n = 1
    bridge = g.gates[0]
    bridge.kind_, bridge.x, bridge.y, bridge.heading = BY_BRIDGE, 48, 26, 0
    bridge.half_width, bridge.half_length = 1, 3
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.OVERLAP
    assert melee.attacker_flags(g, 0, 1, 1) & melee.DEPTH, "and the column still has its depth"
    bridge.y = 15
    assert melee.defender_flags(g, 1, 0, 1, 0) & melee.OVERLAP, "a bridge behind it is none it stands on"


def stormed(*dice: int, kind: TroopType = LINE_FOOT):
    """A battalion in contact with another that holds a house before it."""
    y = 28 + HALF + 25 / 25.4 + 0.01
    g = table(Stand(0, kind, 48, 28), Stand(1, LINE_FOOT, 48, y, face=90), dice=dice)
    g.u[1].inside = house(g, 48, y)
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, OVER_BUILDING
    melee.step_j(g)
    return g


def test_a_garrison_beaten_by_one_is_driven_out_at_the_back_AWI_T_MEL_08() -> None:
    g = stormed(5, 2)  # 5 - 2 against 2
    u = g.u[1]
    assert (u.mood, u.sp, u.inside) == (SHAKEN, 4, -1)
    back = float(g.structures[0].y) + 25 / 25.4
    assert u.y - half_depth(u) - back == pytest.approx(3, abs=0.6)
    assert u.face == 180, "it still faces the enemy"
    assert (g.u[0].y, g.u[0].won) == (28, 1), "and the victor stands where it is"


def test_a_garrison_keeps_its_building_after_a_level_melee_AWI_T_MEL_08() -> None:
    g = stormed(5, 3)
    assert (g.u[1].inside, g.u[1].mood, g.u[1].sp) == (0, STEADY, 5)
    assert g.u[0].y == 25


def test_who_fails_before_a_building_is_thrown_back_AWI_T_MEL_09() -> None:
    g = stormed(1, 4)
    assert (g.u[0].mood, g.u[0].sp, g.u[0].y) == (SHAKEN, 3, 22)
    assert (g.u[1].inside, g.u[1].sp) == (0, 5)


@pytest.mark.parametrize(
    ("kind", "factor"), [(LINE_FOOT, -2), (T.AMERICAN_LIGHT_CAVALRY, -2), (T.RANGERS, -4)]
)
def test_charging_a_building_AWI_T_MEL_02_MEL_03(kind: TroopType, factor: int) -> None:
    rolls = [e for e in events(stormed(3, 3, kind=kind)) if e.kind == "melee_roll"]
    assert [e.modifier for e in rolls] == [factor, 0]


def test_a_garrison_with_no_way_out_stays_AWI_T_MEL_08() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 48, 29.88, face=0),
        Stand(1, LINE_FOOT, 48, 31.9, face=180),
        Stand(1, LINE_FOOT, 48, 33.8, face=180),
        Stand(1, LINE_FOOT, 48, 35.7, face=180),
    )
    g.u[1].inside = house(g, 48, 29.88)
    melee.melee_retire(g, 1, 0, 3.0)
    assert (g.u[1].inside, g.u[1].x, g.u[1].y) == (0, 48, 29.88)


def test_two_in_one_great_house_fight_a_lone_charger_AWI_T_MEL_01() -> None:
    y = 28 + HALF + 50 / 25.4 + 0.01
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 48 - 25 / 25.4, y, face=90),
        Stand(1, LINE_FOOT, 48 + 25 / 25.4, y, face=90),
        dice=(1, 2, 3),
    )
    g.u[1].inside = g.u[2].inside = house(g, 48, y, 90, large=True)
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, OVER_BUILDING
    melee.step_j(g)
    assert kinds(g).count("melee_roll") == 3


def test_wagons_and_guns_fight_in_the_artillery_column_AWI_T_MEL_02() -> None:
    for kind, factor in ((T.WAGON, -2), (T.AMERICAN_ARTILLERY, -2), (T.EUROPEAN_ARTILLERY, -1)):
        rolls = [e for e in events(fought((3, 3), other=kind)) if e.kind == "melee_roll"]
        assert rolls[1].modifier == factor


@pytest.mark.parametrize(
    ("setting", "over", "mood"),
    [
        ("charging_side_only", OVER_OBSTACLE, ROUTING),
        ("either_side_at_obstacle", OVER_OBSTACLE, SHAKEN),
        ("either_side_at_obstacle", OVER_NOTHING, ROUTING),
    ],
)
def test_a_defender_at_an_obstacle_is_saved_by_option_only_AWI_T_MEL_09(
    setting: str, over: int, mood: int
) -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, LINE_FOOT, 48, TOUCH, face=180),
        dice=(6, 1),
        options={"repulse_instead_of_rout": setting},
    )
    g.u[0].charges, g.u[0].contact, g.u[0].over = 1, 1, over
    melee.step_j(g)
    assert (g.u[1].mood, g.u[1].lost) == (mood, 2)
