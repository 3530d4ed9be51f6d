"""Steps F to I: who may charge whom, contact and counter-charges."""

import pytest

from battles.engine import bases
from battles.engine.bases import BASE, HALF
from battles.engine.dtypes import COLUMN, ON_TABLE, ROUTING, SHAKEN, STEADY, SURRENDERED
from battles.files.schema import BattlePlan
from battles.rulesets.awi import charge_declaration, charge_modifiers, charge_resolution, melee
from battles.rulesets.awi.retreat import TOUCH
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import AHEAD, CONGRESS, Stand, events, kinds, pair, table
from tests.battles.grounds import ROUGH, lay

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(("kind", "reach"), [(LINE_FOOT, 3), (T.RANGERS, 3), (T.AMERICAN_LIGHT_CAVALRY, 6)])
def test_reach_of_a_charge_AWI_T_CHG_01(kind: TroopType, reach: int) -> None:
    g = pair(kind)
    g.u[1].y = 28 + 2 * HALF + reach
    assert charge_declaration.charge_distance(g, 0, 1) == pytest.approx(reach)
    g.u[1].y += 0.01
    assert charge_declaration.charge_distance(g, 0, 1) == -1


def test_a_target_must_lie_straight_ahead_AWI_T_CHG_01() -> None:
    g = pair(LINE_FOOT)
    g.u[1].x += 2 * BASE - 0.1
    assert charge_declaration.charge_distance(g, 0, 1) == pytest.approx(2)
    g.u[1].x += 0.2
    assert charge_declaration.charge_distance(g, 0, 1) == -1


def test_no_charge_through_another_unit_AWI_T_CHG_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 34.5, face=180),
        Stand(0, LINE_FOOT, 48, 31),
    )
    assert charge_declaration.charge_distance(g, 0, 1) == -1


@pytest.mark.parametrize("side", [0, 1])
def test_no_charge_past_a_unit_that_bars_part_of_the_way_AWI_T_CHG_01(side: int) -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        Stand(side, LINE_FOOT, 46.2, 32.2, face=180 * side),
    )
    assert charge_declaration.charge_distance(g, 0, 1) == -1
    g.u[2].x = 48 - 2 * BASE
    assert charge_declaration.charge_distance(g, 0, 1) == pytest.approx(7 - 2 * HALF), (
        "beside the way it bars nothing"
    )


@pytest.mark.parametrize(
    ("kind", "mood", "busy", "may"),
    [
        (LINE_FOOT, STEADY, 0, True),
        (LINE_FOOT, SHAKEN, 0, False),
        (LINE_FOOT, ROUTING, 0, False),
        (LINE_FOOT, STEADY, 1, False),
        (T.EUROPEAN_ARTILLERY, STEADY, 0, False),
        (T.WAGON, STEADY, 0, False),
    ],
)
def test_who_charges_AWI_T_CHG_01_CHG_08(kind: TroopType, mood: int, busy: int, may: bool) -> None:
    g = pair(kind)
    g.u[0].mood, g.u[0].busy = mood, busy
    assert charge_declaration.may_charge(g.u[0]) == may


def test_each_charged_unit_tests_once_AWI_T_CHG_02() -> None:
    g = table(
        Stand(0, LINE_FOOT, 46, 28),
        Stand(0, LINE_FOOT, 50, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        dice=(1, 1, 6, 6),
    )
    charge_resolution.run_charge_steps(g)
    assert kinds(g).count("charge") == 2
    assert kinds(g).count("charge_test") == 1


def test_a_charged_unit_that_fails_loses_a_point_and_runs_AWI_T_CHG_03_CHG_06() -> None:
    g = pair(LINE_FOOT, dice=(5,))
    charge_resolution.run_charge_steps(g)
    assert (g.u[1].mood, g.u[1].lost) == (ROUTING, 1)
    assert (g.u[0].x, g.u[0].y) == (48, AHEAD), "the charger stands on the ground it left"


def test_the_charger_may_stay_put_by_option_AWI_T_CHG_10() -> None:
    g = pair(LINE_FOOT, dice=(5,), options={"charger_when_target_goes": "stay_put"})
    charge_resolution.run_charge_steps(g)
    assert g.u[0].y == 28


def test_a_charger_whose_target_is_gone_keeps_to_the_table_AWI_T_CHG_10() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 56), Stand(0, LINE_FOOT, 54, 56), Stand(1, LINE_FOOT, 48, 59, face=180))
    g.u[0].charges, g.u[0].reach = 2, 6.0
    g.u[0].old_x, g.u[0].old_y = 54, 56  # a friend stands where the target stood
    g.u[2].place = 1
    charge_resolution.occupy_ground(g, 0)
    assert 58.5 < g.u[0].y <= 59.1, "as far ahead as there is table"


def test_chargers_go_into_contact_with_a_target_that_stands_AWI_T_CHG_10() -> None:
    g = pair(LINE_FOOT, dice=(4,))
    g.u[0].charges, g.u[0].reach = 1, 2
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    assert g.u[0].contact == 1
    assert bases.measure_gap(g, 0, 1) < 0.02


def test_a_charger_whose_way_is_barred_stops_and_does_not_fight_AWI_T_CHG_10_MEL_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(0, LINE_FOOT, 46.2, 32.2),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        dice=(1, 6, 1),
    )
    g.u[0].charges, g.u[0].reach = 2, 7 - 2 * HALF
    charge_declaration.test_charged_units(g)
    charge_resolution.move_chargers(g)
    melee.step_j(g)
    assert (g.u[0].contact, g.u[0].won) == (0, 0)
    assert 0 < bases.measure_gap(g, 0, 1) < 0.02, "it comes up against the friend before it"
    assert "contact" not in kinds(g)
    assert "melee_roll" not in kinds(g)


def test_a_counter_charge_without_room_is_none_AWI_T_CHG_05() -> None:
    g = table(
        Stand(0, T.RANGERS, 48, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        Stand(1, LINE_FOOT, 48 + 1.5 * BASE, AHEAD - 2 * HALF, face=180),
        dice=(1, 6, 1),
    )
    g.u[0].charges, g.u[0].zone = 1, charge_modifiers.FRONT
    charge_declaration.test_charged_unit(g, 1, 0)
    assert (g.u[1].counter, g.u[1].y) == (0, AHEAD)
    assert "counter_charge" not in kinds(g)


def test_a_counter_charge_goes_as_far_as_there_is_room_AWI_T_CHG_05() -> None:
    g = table(
        Stand(0, T.RANGERS, 48, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        Stand(1, LINE_FOOT, 48 + 1.5 * BASE, AHEAD - 2 * HALF - 0.6, face=180),
        dice=(1,),
    )
    g.u[0].charges, g.u[0].zone = 1, charge_modifiers.FRONT
    charge_declaration.test_charged_unit(g, 1, 0)
    assert g.u[1].counter == 1
    assert AHEAD - 0.6 <= g.u[1].y <= AHEAD - 0.4


@pytest.mark.parametrize("face", [135, 160, 200, 225])
def test_an_oblique_counter_charge_meets_its_charger_AWI_T_CHG_05_MEL_01(face: int) -> None:
    g = pair(T.RANGERS, face=face, dice=(1,))
    g.u[1].y += 1
    inches = charge_declaration.charge_distance(g, 0, 1)
    g.u[0].charges, g.u[0].reach, g.u[0].zone = 1, inches, charge_modifiers.FRONT
    charge_declaration.test_charged_unit(g, 1, 0)
    assert g.u[1].counter == 1
    assert bases.measure_unit_ahead(g, 0, 1)[0] == pytest.approx(inches / 2), "half way between the fronts"
    charge_resolution.move_chargers(g)
    assert g.u[0].contact == 1
    assert bases.measure_gap(g, 0, 1) <= TOUCH


def test_counter_charge_meets_half_way_AWI_T_CHG_05() -> None:
    g = pair(T.RANGERS, dice=(1,))  # charged by open order only: -2
    g.u[0].charges, g.u[0].zone = 1, charge_modifiers.FRONT
    charge_declaration.test_charged_unit(g, 1, 0)
    assert g.u[1].counter == 1
    assert g.u[1].y == pytest.approx(AHEAD - 1)


@pytest.mark.parametrize(
    ("plan", "counter"), [("assault", 1), ("turn_flank", 1), ("hold", 1), ("delay", 0), ("advance", 0)]
)
def test_a_commander_who_means_to_fight_counter_charges_AWI_T_CHG_05(plan: str, counter: int) -> None:
    g = pair(T.RANGERS, dice=(1,), plans={CONGRESS: BattlePlan(plan)})  # type: ignore[arg-type]
    g.u[0].charges, g.u[0].zone = 1, charge_modifiers.FRONT
    charge_declaration.test_charged_unit(g, 1, 0)
    assert g.u[1].counter == counter


@pytest.mark.parametrize(("dice", "place", "lost"), [((5,), SURRENDERED, 0), ((2,), 0, 1)])
def test_routing_units_that_are_charged_AWI_T_CHG_07(dice: tuple[int, ...], place: int, lost: int) -> None:
    g = pair(LINE_FOOT, face=0, dice=dice)
    g.u[1].mood = ROUTING
    g.u[0].charges = 1
    charge_declaration.test_charged_unit(g, 1, melee.BY_CLOSE | melee.IN_REAR)
    assert (g.u[1].place, g.u[1].lost) == (place, lost)
    assert g.u[1].captured == (5 if place else 0)


@pytest.mark.parametrize(
    ("kind", "charger", "evades"),
    [
        (T.RANGERS, LINE_FOOT, True),
        (T.AMERICAN_LIGHT_CAVALRY, LINE_FOOT, True),
        (LINE_FOOT, LINE_FOOT, False),
        (T.RANGERS, T.AMERICAN_LIGHT_CAVALRY, False),
    ],
)
def test_light_troops_may_evade_by_option_AWI_T_CHG_09(
    kind: TroopType, charger: TroopType, evades: bool
) -> None:
    g = pair(charger, kind, options={"evade": "open_order_foot_and_cavalry"})
    g.u[0].charges = 1
    assert charge_declaration.may_evade(g, 1, charge_modifiers.find_charge_circumstances(g, 1)) == evades
    assert not charge_declaration.may_evade(pair(charger, kind), 1, 0), "off by default"


def test_an_evader_goes_one_line_move_back_and_pays_for_its_ground_AWI_T_CHG_09() -> None:
    for rough, moved in ((False, 15), (True, 10)):
        g = pair(
            LINE_FOOT, T.AMERICAN_LIGHT_CAVALRY, options={"evade": "open_order_foot_and_cavalry"}, dice=(4,)
        )
        if rough:
            lay(g, ROUGH)
        g.u[0].charges, g.u[0].old_x, g.u[0].old_y = 1, 48, AHEAD
        charge_declaration.test_charged_units(g)
        assert "evade" in kinds(g)
        assert (g.u[1].y - AHEAD, g.u[1].face, g.u[1].lost) == (pytest.approx(moved), 180, 0)
        charge_resolution.move_chargers(g)
        assert (g.u[0].y, g.u[0].contact) == (AHEAD, 0), "the charger takes the ground it left"


def test_horse_that_won_charges_once_more_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 32, face=180),
        Stand(1, LINE_FOOT, 48, 37, face=180),
        Stand(1, LINE_FOOT, 48, 42, face=180),
        dice=(6, 6, 6, 6, 6),
    )
    g.u[1].had_target = g.u[2].had_target = g.u[3].had_target = 1
    charge_resolution.run_charge_steps(g)
    assert kinds(g).count("charge") == 2, "twice, and not a third time"
    assert g.u[1].mood == g.u[2].mood == ROUTING
    assert g.u[3].mood == STEADY


def test_every_event_of_a_charge_tells_its_step_AWI_T_SEQ_02() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 32, face=180),
        Stand(1, LINE_FOOT, 48, 37, face=180),
        dice=(6, 1, 6, 1),
    )
    g.step = 5
    g.u[1].had_target = g.u[2].had_target = 1
    charge_resolution.run_charge_steps(g)
    told = [(event.kind, event.step) for event in events(g)]
    assert told[:2] == [("charge", "F"), ("charge_test", "G")]
    assert told[2:told.index(("occupy", "I"))] == [
        (kind, "H") for kind in ("routs", "sp_lost", "rout_move")
    ]  # fmt: skip
    second = [step for kind, step in told[told.index(("occupy", "I")) + 1 :]]
    assert set(second) == {"K"}
    assert ("melee_roll", "K") in told


def test_foot_does_not_charge_again_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, T.MILITIA, 48, 31, face=180),
        Stand(1, T.MILITIA, 48, 34, face=180),
        dice=(6, 6, 6),
    )
    charge_resolution.run_charge_steps(g)
    assert kinds(g).count("charge") == 1


def test_the_second_target_fires_if_it_had_not_and_may_stop_the_horse_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 30),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        dice=(6, 6),
    )
    g.u[0].charges = 1
    charge_resolution.fire_at_second_charge(g)
    assert kinds(g)[0] == "fire_at_second_charge"
    assert (g.u[0].mood, g.u[0].charges) == (SHAKEN, -1)


def test_immobile_wagons_are_taken_without_dice_AWI_T_MEL_10() -> None:
    g = pair(LINE_FOOT, T.WAGON)
    g.u[0].charges, g.u[1].immobile, g.u[1].mood = 1, 1, ROUTING
    charge_declaration.test_charged_unit(g, 1, melee.BY_CLOSE)
    assert g.u[1].place == ON_TABLE, "not before it is touched"
    charge_resolution.move_chargers(g)
    assert (g.u[1].place, g.u[1].captured, g.cursor) == (SURRENDERED, 5, 0)


def test_an_abandoned_gun_is_taken_by_the_charger_that_reaches_it_AWI_T_MEL_10() -> None:
    g = pair(LINE_FOOT, T.AMERICAN_ARTILLERY, dice=(6,))
    charge_resolution.run_charge_steps(g)
    # the crew fails its test and runs, the charger comes to its ground and takes the piece
    assert kinds(g)[-1] == "gun_captured"
    assert (g.u[1].place, g.u[1].lost, g.u[1].captured) == (SURRENDERED, 1, 4)


def test_a_column_strikes_with_its_depth_AWI_T_MEL_06() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, 33, face=180))
    assert melee.attacker_flags(g, 0, 1, 1) & melee.DEPTH
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.DEPTH
