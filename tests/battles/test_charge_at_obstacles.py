"""Charges on ground that bars, at buildings and over walls."""

from typing import Any

import pytest

from battles.engine.bases import HALF
from battles.engine.dtypes import HORSE, OVER_BUILDING, OVER_OBSTACLE, ROUTING, STEADY, WALL
from battles.engine.raster import structure_add, work_add
from battles.files.schema import BattlePlan
from battles.rulesets.awi import charge_declaration, charge_modifiers, charge_resolution
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import AHEAD, Stand, events, kinds, pair, table
from tests.battles.grounds import LEVEL, house, lay

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


def test_no_counter_charge_from_behind_a_fence_AWI_T_CHG_05() -> None:
    g = pair(LINE_FOOT, dice=(1,))
    g.u[0].charges, g.u[0].over = 1, OVER_OBSTACLE
    charge_declaration.test_charged_unit(g, 1, charge_modifiers.find_charge_circumstances(g, 1))
    assert (g.u[1].counter, g.u[1].mood) == (0, STEADY)


def test_nobody_counter_charges_up_a_slope_AWI_T_CHG_05_MEL_07() -> None:
    for rise, counter in ((0, 1), (1, 0)):
        g = pair(T.RANGERS, dice=(1,))
        lay(g, LEVEL, 20, 29, height=rise)
        g.u[0].charges, g.u[0].zone = 1, charge_modifiers.FRONT
        charge_declaration.test_charged_unit(g, 1, 0)
        assert g.u[1].counter == counter


def barred(g: Any, x0: int, y0: int, x1: int, y1: int, *classes: int) -> None:
    """Bar cells, both ends counted, to the classes named."""
    g.plain = 0
    g.cost[:2, :] = 1.0
    for k in classes:
        g.bars[k] = 1
        g.cost[1, [k, k + 4]] = 0.0
    g.ground[y0 : y1 + 1, x0 : x1 + 1] = 1


def test_no_charge_over_ground_that_bars_the_charger_AWI_T_CHG_01() -> None:
    g = pair(T.AMERICAN_LIGHT_CAVALRY)
    barred(g, 46, 29, 47, 29, HORSE)
    assert charge_declaration.charge_distance(g, 0, 1) == -1
    on_foot = pair(LINE_FOOT)
    barred(on_foot, 46, 29, 47, 29, HORSE)
    assert charge_declaration.charge_distance(on_foot, 0, 1) == pytest.approx(2)
    beyond = pair(T.AMERICAN_LIGHT_CAVALRY)
    barred(beyond, 40, 33, 60, 40, HORSE)
    assert charge_declaration.charge_distance(beyond, 0, 1) == pytest.approx(2), (
        "what is beyond the way bars nothing"
    )


def test_no_charge_through_a_building_AWI_T_CHG_01() -> None:
    g = table(Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28), Stand(1, LINE_FOOT, 48, 34.5, face=180))
    house(g, 48, 31.5)
    assert charge_declaration.charge_distance(g, 0, 1) == -1
    g.structures[0].sp = 0
    assert charge_declaration.charge_distance(g, 0, 1) > 0, "rubble is no building"


def garrison(*dice: int, kind: TroopType = LINE_FOOT, sp: int = 4, gap: float = 2.0, **more: Any) -> Any:
    """A battalion and, before its front, another in a house."""
    y = 28 + HALF + gap + 25 / 25.4
    g = table(Stand(0, kind, 48, 28), Stand(1, LINE_FOOT, 48, y, face=0), dice=dice, **more)
    g.u[1].inside = house(g, 48, y, sp=sp)
    return g


def test_a_unit_in_a_building_is_met_at_its_wall_AWI_T_TER_10_CHG_10() -> None:
    g = garrison(1)
    assert charge_declaration.charge_distance(g, 0, 1) == pytest.approx(2)
    g.u[0].charges, g.u[0].reach, g.u[0].over = 1, 2, OVER_BUILDING
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    assert g.u[0].contact == 1
    assert g.u[0].y == pytest.approx(30 - charge_declaration.CLEARANCE)


def test_no_counter_charge_out_of_a_building_AWI_T_CHG_05() -> None:
    g = garrison(1, kind=T.RANGERS)
    g.u[0].charges, g.u[0].over = 1, OVER_BUILDING
    charge_declaration.test_charged_units(g)
    assert "charge_test" in kinds(g)
    assert (g.u[1].counter, g.u[1].inside) == (0, 0)


def test_who_is_in_a_building_does_not_charge_AWI_T_TER_10() -> None:
    g = garrison()
    assert charge_declaration.may_charge(g.u[0])
    assert not charge_declaration.may_charge(g.u[1])


def test_the_victor_stands_before_a_building_whose_garrison_ran_AWI_T_CHG_10() -> None:
    g = garrison()
    g.u[0].charges, g.u[0].reach, g.u[0].over = 1, 2, OVER_BUILDING
    g.u[0].old_x, g.u[0].old_y = g.u[1].x, g.u[1].y
    g.u[1].inside, g.u[1].mood, g.u[1].y = -1, ROUTING, 50
    charge_resolution.move_chargers(g)
    assert g.u[0].y == pytest.approx(30 - charge_declaration.CLEARANCE)
    assert (g.u[0].inside, g.u[0].won) == (-1, 1)


def test_a_charge_goes_over_a_wall_and_is_met_behind_it_AWI_T_TER_11() -> None:
    g = pair(LINE_FOOT, dice=(4, 3, 3), plans={"crown": BattlePlan("assault", boldness=20)})
    wall = structure_add(g, WALL, 6, 6)
    work_add(g, WALL, 44, AHEAD - HALF - 0.5, 52, AHEAD - HALF - 0.5, wall)
    charge_resolution.run_charge_steps(g)
    rows = {e.kind: e for e in events(g)}
    assert g.u[0].over == OVER_OBSTACLE
    assert rows["charge_test"].modifier == -2, "the wall is before its face"
    assert [e.modifier for e in events(g) if e.kind == "melee_roll"] == [-2, 0]


def test_who_charges_is_seen_until_it_moves_AWI_T_TER_07() -> None:
    g = pair(T.BRITISH_GRENADIERS, T.MILITIA)
    assert charge_declaration.declare_charges(g, 0) == 1
    assert (g.u[0].shown, g.u[1].shown) == (1, 0)
