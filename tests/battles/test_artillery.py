"""Guns: canister and ball, structures shot down with those inside, and what a gun aims at."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.engine.bases import BASE, HALF
from battles.engine.dtypes import FENCE, FIELDWORK, REDOUBT, SHAKEN, STEADY
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import fire
from rosters.domain.vocabulary import GunClass, TroopType
from tests.battles.forces import Stand, events, kinds, table, throw
from tests.battles.grounds import field_work, house, inside

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE
#: Die rolls of two dice.
ROLLS = tuple(product(range(1, 7), repeat=2))


def battery(y: float, gun_class: GunClass = GunClass.LIGHT, sp: int = 5) -> Stand:
    """A Congress gun facing down the table, which fires when Crown moves."""
    return Stand(1, T.EUROPEAN_ARTILLERY, 48, y, face=180, sp=sp, gun_class=gun_class)


def besieged(
    gun: Stand, *, sp: int = 4, kind: TroopType = T.BRITISH_LINE, dice: tuple[int, ...] = (), **more: Any
) -> Any:
    """Crown foot in a building at (48, 20) under the gun."""
    g = table(gun, Stand(0, kind, 48, 20), dice=dice, **more)
    inside(g, 1, house(g, 48, 20, sp=sp))
    return g


@pytest.mark.parametrize(("y", "factor"), [(30, 1), (40, -1), (50, -2)])
def test_guns_fire_canister_then_ball_AWI_T_FIR_08_FIR_09(y: float, factor: int) -> None:
    g = table(battery(y), Stand(0, LINE_FOOT, 48, 20), dice=(1, 2))
    fire.step_e(g)
    shot = next(event for event in events(g) if event.kind == "fire")
    assert (shot.modifier, shot.total) == (factor, 3 + factor)


def test_canister_is_barred_by_a_friend_in_the_fan_AWI_T_FIR_09() -> None:
    stands = (Stand(0, T.EUROPEAN_ARTILLERY, 48, 20), Stand(1, LINE_FOOT, 48, 30, face=180))
    friend = Stand(0, LINE_FOOT, 53, 26)
    for setting, factor in ((0, 0), (-1, -1)):
        g = table(*stands, friend, options={"short_range_ball_factor": setting})
        assert fire.fire_modifier(g, 0, 1, 8.0) == factor
        assert fire.fires_ball(g, 0, 1) == 1
    assert fire.fire_modifier(table(*stands), 0, 1, 8.0) == 1
    assert fire.fire_modifier(table(*stands, Stand(0, LINE_FOOT, 60, 22)), 0, 1, 8.0) == 1


@pytest.mark.parametrize(
    ("x", "y", "face", "barred"),
    [
        (51.0, 21.9, 45, True),  # a corner alone, in the side of the fan
        (52.2, 21.0, 45, False),
        (48.0, 20 + BASE + 12 + 0.88, 0, True),  # a strip of its rear within 12 inches
        (48.0, 20 + BASE + 12 + 0.89, 0, False),
        (46.0, 20.0, 0, False),  # beside the gun
    ],
)
def test_any_part_of_a_friend_in_the_fan_bars_canister_AWI_T_FIR_09(
    x: float, y: float, face: int, barred: bool
) -> None:
    g = table(Stand(0, T.EUROPEAN_ARTILLERY, 48, 20), Stand(0, LINE_FOOT, x, y, face))
    assert bool(fire.is_canister_barred(g, 0)) == barred


def test_a_howitzer_denied_canister_does_not_fire_short_AWI_T_FIR_07_FIR_09() -> None:
    stands = (battery(28, GunClass.HOWITZER), Stand(0, LINE_FOOT, 48, 20), Stand(1, LINE_FOOT, 51.5, 24))
    g = table(*stands[:2], dice=(1, 1))
    fire.step_e(g)
    assert kinds(g) == ["fire"]
    g = table(*stands, dice=(1, 1))
    g.u[2].shoots = 0
    fire.step_e(g)
    assert kinds(g) == []
    assert g.u[0].had_target == 0


def test_one_roll_serves_building_and_troops_AWI_T_FOR_02() -> None:
    hits = [0, 0]
    for dice in ROLLS:
        g = besieged(battery(40), sp=8, dice=dice)
        fire.step_e(g)
        assert g.cursor == 2, "one roll"
        hits[0] += int(g.structures[0].sp == 7)
        hits[1] += int(g.u[1].sp == 4)
    assert [Fraction(count, 36) for count in hits] == [Fraction(5, 12), Fraction(1, 6)]


def test_the_roll_can_be_read_for_both_AWI_T_FOR_02() -> None:
    g = besieged(battery(40), sp=8, dice=(5, 4))
    fire.step_e(g)
    told = [(e.kind, e.target, e.dice, e.modifier, e.total, e.result) for e in events(g)]
    assert told[0] == ("fire", "unit 1", (5, 4), -3, 6, "miss")
    assert told[1:] == [
        ("fire_at_structure", "structure 0", (), -1, 8, "hit"),
        ("structure_hit", "structure 0", (), 0, 7, ""),
    ]


@pytest.mark.parametrize("firer", [battery(30), Stand(1, LINE_FOOT, 48, 26, face=180)])
def test_canister_and_small_arms_do_not_harm_structures_AWI_T_FIR_09_FOR_02(firer: Stand) -> None:
    g = besieged(firer, dice=(6, 6))
    fire.step_e(g)
    assert g.u[1].sp == 4, "those inside are hit with cover"
    assert g.structures[0].sp == 4


def test_cover_is_taken_as_it_stands_before_each_shot_AWI_T_FOR_02() -> None:
    g = table(battery(40), Stand(1, T.EUROPEAN_ARTILLERY, 52, 40, face=180), Stand(0, LINE_FOOT, 49, 20))
    inside(g, 2, house(g, 49, 20, sp=5))
    throw(g, 5, 5, 5, 2)
    fire.step_e(g)
    modifiers = [event.modifier for event in events(g) if event.kind == "fire"]
    assert modifiers == [-3, -2], "hard cover for the first, soft for the second"
    assert (g.structures[0].sp, g.u[2].sp) == (4, 4)


@pytest.mark.parametrize(("kind", "sp", "left"), [(REDOUBT, 10, 9), (FIELDWORK, 6, 5), (FENCE, 3, 3)])
def test_ball_at_troops_behind_works_strikes_the_works_AWI_T_FOR_02(kind: int, sp: int, left: int) -> None:
    g = table(battery(40), Stand(0, LINE_FOOT, 48, 20), dice=(6, 6))
    field_work(g, kind, sp, y=20 + HALF + 0.5)
    fire.step_e(g)
    assert (g.structures[0].sp, g.u[1].sp) == (left, 4)


def test_a_building_shot_down_leaves_its_men_in_the_open_AWI_T_FOR_02() -> None:
    g = besieged(battery(40), sp=1, dice=(6, 6))
    fire.step_e(g)
    assert (g.structures[0].sp, g.u[1].inside, g.u[1].sp) == (0, -1, 4)
    assert kinds(g)[-1] == "structure_falls"


def test_a_gun_without_a_better_shot_batters_what_shelters_the_enemy_AWI_T_FOR_02() -> None:
    g = besieged(battery(50, sp=2), sp=12, dice=(6, 5))
    fire.step_e(g)
    told = [(e.kind, e.target, e.dice, e.total) for e in events(g)]
    assert told == [("fire_at_structure", "structure 0", (6, 5), 7), ("structure_hit", "structure 0", (), 11)]
    assert (g.u[0].fired, g.u[0].shown, g.u[0].had_target) == (1, 1, 1)
    g = besieged(battery(50, sp=2), sp=12)
    g.u[1].inside = -1
    g.u[1].x = 80
    fire.step_e(g)
    assert kinds(g) == [], "an empty building is let alone"


@pytest.mark.parametrize(
    ("y", "p_damage"), [(30, Fraction(7, 12)), (40, Fraction(5, 12)), (50, Fraction(5, 18))]
)
def test_chance_to_harm_a_structure_AWI_T_FOR_02(y: float, p_damage: Fraction) -> None:
    hits = 0
    for dice in ROLLS:
        g = besieged(battery(y), sp=12, dice=dice)
        g.u[0].had_target = 0
        fire.choose_structure(g, 0)
        fire.settle_structure(g, 0)
        hits += int(g.structures[0].sp == 11)
    assert Fraction(hits, 36) == Fraction(p_damage), "ball at short range too"


def test_works_are_battered_where_the_line_crosses_them_AWI_T_FOR_02() -> None:
    g = table(battery(50, sp=2), Stand(0, LINE_FOOT, 48, 20), dice=(6, 6))
    left = field_work(g, REDOUBT, 10, y=20 + HALF + 0.5, right=46.0)
    ahead = field_work(g, REDOUBT, 10, y=20 + HALF + 0.5, left=46.0)
    fire.step_e(g)
    assert (g.structures[left].sp, g.structures[ahead].sp) == (10, 9)


def redoubt(g: Any, x: float, y: float, half: float = 4.0) -> int:
    """A closed redoubt around a spot; its structure."""
    s = structure_add(g, REDOUBT, 10, 10)
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
        work_add(g, REDOUBT, *p, *q, s)
    return s


@pytest.mark.parametrize("sp", [5, 1])
def test_guns_spare_the_redoubt_they_stand_in_AWI_T_FOR_02(sp: int) -> None:
    """Though enemies are within an inch of its outside, and so have its cover."""
    outside = Stand(0, T.BRITISH_LIGHT_INFANTRY, 48, 15 - HALF - 0.5)
    g = table(battery(33, sp=sp), outside, dice=(6, 6))
    s = redoubt(g, 48, 25, half=10.0)
    fire.step_e(g)
    assert "fire_at_structure" not in kinds(g)
    assert g.structures[s].sp == 10


def test_guns_do_not_batter_what_their_friends_hold_AWI_T_FOR_02() -> None:
    for friend, at in ((20.0, -1), (70.0, 0)):
        g = table(
            battery(50, sp=2), Stand(0, LINE_FOOT, 48, 15 - HALF - 0.5), Stand(1, LINE_FOOT, 52, friend)
        )
        redoubt(g, 48, 19)
        g.u[0].at_structure = -1
        fire.choose_structure(g, 0)
        assert g.u[0].at_structure == at


def test_two_guns_at_a_structure_that_falls_to_the_first_AWI_T_FIR_03_FOR_02() -> None:
    g = besieged(battery(50, sp=2), sp=12)
    for k in (0, 1):
        g.u[0].at_structure, g.u[0].aim = 0, 0
        throw(g, 6, 6)
        g.structures[0].sp = 1 - k
        fire.settle_structure(g, 0)
    assert kinds(g)[-1] == "shot_wasted"


def split(x: float, y: float, *, dice: tuple[int, ...] = (), sp: int = 5) -> Any:
    """Congress foot in a building at (48, 30), one enemy north of it and one at (x, y)."""
    g = table(
        Stand(1, LINE_FOOT, 48, 30, sp=sp),
        Stand(0, T.BRITISH_LINE, 48, 34.5, face=180),
        Stand(0, T.BRITISH_LINE, x, y),
        dice=dice,
    )
    inside(g, 0, house(g, 48, 30))
    return g


def test_a_unit_in_a_building_may_fire_out_of_two_sides_AWI_T_TER_10() -> None:
    g = split(48, 25.5, dice=(6, 6, 6, 6), sp=4)
    fire.step_e(g)
    shots = [(e.actor, e.target, e.modifier) for e in events(g) if e.kind == "fire"]
    assert shots == [("unit 0", "unit 1", -3), ("unit 0", "unit 2", -3)]
    assert (g.u[1].sp, g.u[2].sp, g.u[1].under_fire, g.u[2].under_fire) == (4, 4, 1, 1)
    assert g.u[0].mood == STEADY


def test_two_enemies_before_one_side_get_one_roll_AWI_T_TER_10() -> None:
    g = split(52, 34.5, dice=(6, 6))
    fire.step_e(g)
    assert [e.modifier for e in events(g) if e.kind == "fire"] == [0]


def test_fire_is_not_split_when_one_shot_promises_more_AWI_T_TER_10() -> None:
    g = split(48, 25.5, dice=(6, 6), sp=1)
    g.u[0].mood = SHAKEN
    g.u[2].mood = SHAKEN
    g.u[2].wagon = 1
    fire.step_e(g)
    assert kinds(g).count("fire") == 1
