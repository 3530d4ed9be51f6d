"""What a charge strikes: zones, circumstances, chances."""

import pytest

from battles.engine.bases import HALF, half_depth, half_width
from battles.engine.dtypes import (
    ASSAULT,
    COLUMN,
    FENCE,
    OVER_BUILDING,
    OVER_NOTHING,
    OVER_OBSTACLE,
    OVER_WORKS,
    REDOUBT,
    STREAM,
)
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import charge_modifiers, melee, works
from battles.rulesets.awi.tables import QUIET_TURNS
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import AHEAD, Stand, pair, table
from tests.battles.grounds import house

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(
    ("face", "zone"),
    [(180, charge_modifiers.FRONT), (90, charge_modifiers.FLANK), (0, charge_modifiers.REAR)],
)
def test_zone_that_most_of_the_charger_strikes_AWI_T_CHG_04(face: int, zone: int) -> None:
    assert charge_modifiers.find_charge_zone(pair(LINE_FOOT, face=face), 0, 1) == zone


def test_every_charger_must_cross_the_obstacle_AWI_T_TER_11_FOR_04() -> None:
    g = table(Stand(0, LINE_FOOT, 46, 28), Stand(0, LINE_FOOT, 50, 28), Stand(1, LINE_FOOT, 48, AHEAD, 180))
    for i, over in ((0, OVER_WORKS), (1, OVER_WORKS)):
        g.u[i].charges, g.u[i].over = 2, over
    assert charge_modifiers.find_charge_circumstances(g, 2) & melee.FORTIFIED
    g.u[1].over = OVER_NOTHING
    assert not charge_modifiers.find_charge_circumstances(g, 2) & (melee.FORTIFIED | melee.OBSTACLE)


@pytest.mark.parametrize(
    ("front", "flank", "flag"),
    [
        ((OVER_OBSTACLE, OVER_OBSTACLE), OVER_NOTHING, melee.OBSTACLE),
        ((OVER_OBSTACLE, OVER_NOTHING), OVER_NOTHING, 0),
        ((OVER_NOTHING, OVER_NOTHING), OVER_OBSTACLE, melee.OBSTACLE),
        ((OVER_WORKS, OVER_OBSTACLE), OVER_NOTHING, melee.OBSTACLE),
    ],
)
def test_each_face_that_is_attacked_has_its_own_obstacle_AWI_T_TER_11(
    front: tuple[int, int], flank: int, flag: int
) -> None:
    chargers = [Stand(0, LINE_FOOT, 44 + 4 * k, 28) for k in range(3)]
    g = table(*chargers, Stand(1, LINE_FOOT, 48, AHEAD, 180))
    for i, over in enumerate((*front, flank)):
        g.u[i].charges, g.u[i].over, g.u[i].zone = (
            3,
            over,
            charge_modifiers.FRONT if i < 2 else charge_modifiers.FLANK,
        )
    flags = charge_modifiers.find_charge_circumstances(g, 3)
    assert flags & (melee.FORTIFIED | melee.OBSTACLE) == flag
    assert flags & melee.IN_FLANK


@pytest.mark.parametrize(("x", "flag"), [(54.0, melee.OBSTACLE), (42.0, 0)])
@pytest.mark.parametrize("face", [0, 180])
def test_either_flank_is_a_face_of_its_own_AWI_T_TER_11(x: float, flag: int, face: int) -> None:
    g = table(
        Stand(0, LINE_FOOT, 42, 30, 90), Stand(0, LINE_FOOT, x, 31, 270 if x > 48 else 90),
        Stand(1, LINE_FOOT, 48, 30, face),
    )  # fmt: skip
    for i, over in ((0, OVER_OBSTACLE), (1, OVER_NOTHING)):
        g.u[i].charges, g.u[i].over, g.u[i].zone = 2, over, charge_modifiers.FLANK
    assert charge_modifiers.find_charge_circumstances(g, 2) & (melee.FORTIFIED | melee.OBSTACLE) == flag


def test_value_of_a_charge_is_the_exact_chance_AWI_T_CHG_03_MEL_08() -> None:
    # British line, +1, on Continentals of basic morale 5: they run on 5 and 6, else the dice decide
    fought = 0.0
    for one in range(1, 7):
        for two in range(1, 7):
            lead = 1 + one - two
            fought += (0.0 if lead == 0 else 0.5 if abs(lead) == 1 else 1.0) * (1 if lead > 0 else -1) / 36
    value = charge_modifiers.charge_value(pair(T.BRITISH_LINE), 0, 1, charge_modifiers.FRONT, 0)
    assert value == pytest.approx(2 / 6 + 4 / 6 * fought)


def exact_value(runs: int, lead: int, repulsed: float = 1.0) -> float:
    """Value of a charge by counting dice: `runs` of 6 run, `lead` is the charger's in melee."""
    fought = 0.0
    for one in range(1, 7):
        for two in range(1, 7):
            margin = lead + one - two
            worth = 0.0 if margin == 0 else 0.5 if abs(margin) == 1 else 1.0
            fought += (worth if margin > 0 else -worth if margin == -1 else -worth * repulsed) / 36
    return runs / 6 + (6 - runs) / 6 * fought


@pytest.mark.parametrize(
    ("over", "runs", "lead"),
    [(OVER_NOTHING, 2, 0), (OVER_OBSTACLE, 0, -2), (OVER_BUILDING, 0, -2), (OVER_WORKS, 0, -3)],
)
def test_value_of_a_charge_over_works_AWI_T_MEL_07_MEL_09(over: int, runs: int, lead: int) -> None:
    value = charge_modifiers.charge_value(pair(LINE_FOOT), 0, 1, charge_modifiers.FRONT, over)
    assert value == pytest.approx(exact_value(runs, lead, 0.75 if over else 1.0))


def test_value_of_a_charge_up_hill_AWI_T_MEL_07() -> None:
    g = pair(LINE_FOOT)
    g.hills = 1
    g.going[1].height = 1
    g.ground[31:40, 40:60] = 1
    assert charge_modifiers.is_uphill(g, 0, 1)
    assert charge_modifiers.charge_value(g, 0, 1, charge_modifiers.FRONT, 0) == pytest.approx(
        exact_value(2, -1)
    )
    g.ground[24:40, 40:60] = 1
    assert not charge_modifiers.is_uphill(g, 0, 1), "both on the hill"


def test_value_of_a_charge_in_column_on_a_line_AWI_T_MEL_05_MEL_06() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, 32, face=180))
    assert charge_modifiers.charge_value(g, 0, 1, charge_modifiers.FRONT, 0) == pytest.approx(
        exact_value(2, 0)
    ), "+1 each"


def test_a_unit_in_a_building_has_no_flank_or_rear_AWI_T_TER_10_CHG_04() -> None:
    g = pair(LINE_FOOT, face=0)
    assert charge_modifiers.find_charge_zone(g, 0, 1) == charge_modifiers.REAR
    g.u[1].inside = house(g, 48, AHEAD)
    assert charge_modifiers.find_charge_zone(g, 0, 1) == charge_modifiers.FRONT
    front = charge_modifiers.charge_value(g, 0, 1, charge_modifiers.FRONT, OVER_BUILDING)
    assert charge_modifiers.charge_value(g, 0, 1, charge_modifiers.REAR, OVER_BUILDING) == front


@pytest.mark.parametrize(
    ("gap", "half", "over"), [(0.5, 3, OVER_OBSTACLE), (0.99, 3, OVER_OBSTACLE), (1.1, 3, OVER_NOTHING)]
)
@pytest.mark.parametrize("face", [180, 90])
def test_an_obstacle_within_an_inch_of_the_face_attacked_AWI_T_TER_11(
    gap: float, half: float, over: int, face: int
) -> None:
    g = pair(LINE_FOOT, face=face)
    depth = half_depth(g.u[1]) if face == 180 else half_width(g.u[1])
    y = g.u[1].y - depth - gap
    g.u[0].y = y - 1 - half_depth(g.u[0])
    work_add(g, FENCE, 48 - half, y, 48 + half, y, structure_add(g, FENCE, 3, 3))
    assert works.find_barrier(g, 48.0, y - 1, 1) == over


def test_a_stream_is_an_obstacle_AWI_T_TER_08_TER_11() -> None:
    g = pair(LINE_FOOT)
    work_add(g, STREAM, 40, AHEAD - HALF - 0.5, 56, AHEAD - HALF - 0.5, -1)
    assert works.find_barrier(g, 48.0, 29.0, 1) == OVER_OBSTACLE


def test_works_that_are_shot_away_bar_nothing_AWI_T_FOR_03() -> None:
    g = pair(LINE_FOOT)
    s = structure_add(g, REDOUBT, 10, 10)
    work_add(g, REDOUBT, 40, AHEAD - HALF - 0.5, 56, AHEAD - HALF - 0.5, s)
    found = []
    for sp in (10, 9, 8, 0):
        g.structures[s].sp = sp
        found.append(int(works.find_barrier(g, 48.0, 29.0, 1)))
    assert found == [OVER_WORKS, OVER_WORKS, OVER_OBSTACLE, OVER_NOTHING]


@pytest.mark.parametrize("tired", [False, True])
def test_who_is_spent_does_not_charge_whatever_it_is_worth_when_an_assault_presses_HR_BAT_02(
    tired: bool,
) -> None:
    g = table(Stand(0, LINE_FOOT, 48, 20, sp=6), Stand(1, LINE_FOOT, 48, 30, 180))
    g.plan[0], g.idle, g.plans[0].boldness = ASSAULT, QUIET_TURNS, 0.0
    g.u[0].sp = 1 if tired else 6
    assert bool(charge_modifiers.find_charge_threshold(g, 0) == charge_modifiers.SENT_IN) is not tired
