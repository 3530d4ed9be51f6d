"""Steps F to I and K: charges, the test of the charged, contact, second charges of cavalry."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine import bases
from battles.engine.bases import BASE, HALF, half_depth, half_width
from battles.engine.compile import interpreted
from battles.engine.dtypes import (
    CLOSE_FOOT,
    COLUMN,
    HORSE,
    LEFT_TABLE,
    LINE,
    ON_TABLE,
    OPEN_FOOT,
    OVER_BUILDING,
    OVER_OBSTACLE,
    ROUTING,
    SHAKEN,
    STEADY,
    STREAM,
    SURRENDERED,
    WALL,
)
from battles.engine.geometry import overlap
from battles.engine.ground import can_stand
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import charge, charged, melee
from battles.rulesets.awi.retreat import TOUCH
from battles.scenario import Plan
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import AHEAD, CONGRESS, Stand, events, kinds, pair, table
from tests.battles.grounds import LEVEL, ROUGH, house, lay

T = TroopType
LINE_FOOT = T.CONTINENTAL_LINE


@pytest.mark.parametrize(("kind", "reach"), [(LINE_FOOT, 3), (T.RANGERS, 3), (T.AMERICAN_LIGHT_CAVALRY, 6)])
def test_reach_of_a_charge_AWI_T_CHG_01(kind: TroopType, reach: int) -> None:
    g = pair(kind)
    g.u[1].y = 28 + 2 * HALF + reach
    assert charge.charge_distance(g, 0, 1) == pytest.approx(reach)
    g.u[1].y += 0.01
    assert charge.charge_distance(g, 0, 1) == -1


def test_a_target_must_lie_straight_ahead_AWI_T_CHG_01() -> None:
    g = pair(LINE_FOOT)
    g.u[1].x += 2 * BASE - 0.1
    assert charge.charge_distance(g, 0, 1) == pytest.approx(2)
    g.u[1].x += 0.2
    assert charge.charge_distance(g, 0, 1) == -1


def test_no_charge_through_another_unit_AWI_T_CHG_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 34.5, face=180),
        Stand(0, LINE_FOOT, 48, 31),
    )
    assert charge.charge_distance(g, 0, 1) == -1


@pytest.mark.parametrize("side", [0, 1])
def test_no_charge_past_a_unit_that_bars_part_of_the_way_AWI_T_CHG_01(side: int) -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        Stand(side, LINE_FOOT, 46.2, 32.2, face=180 * side),
    )
    assert charge.charge_distance(g, 0, 1) == -1
    g.u[2].x = 48 - 2 * BASE
    assert charge.charge_distance(g, 0, 1) == pytest.approx(7 - 2 * HALF), "beside the way it bars nothing"


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
    assert charge.may_charge(g.u[0]) == may


def test_each_charged_unit_tests_once_AWI_T_CHG_02() -> None:
    g = table(
        Stand(0, LINE_FOOT, 46, 28),
        Stand(0, LINE_FOOT, 50, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        dice=(1, 1, 6, 6),
    )
    charge.charges(g)
    assert kinds(g).count("charge") == 2
    assert kinds(g).count("charge_test") == 1


def test_a_charged_unit_that_fails_loses_a_point_and_runs_AWI_T_CHG_03_CHG_06() -> None:
    g = pair(LINE_FOOT, dice=(5,))
    charge.charges(g)
    assert (g.u[1].mood, g.u[1].lost) == (ROUTING, 1)
    assert (g.u[0].x, g.u[0].y) == (48, AHEAD), "the charger stands on the ground it left"


def test_the_charger_may_stay_put_by_option_AWI_T_CHG_10() -> None:
    g = pair(LINE_FOOT, dice=(5,), options={"charger_when_target_goes": "stay_put"})
    charge.charges(g)
    assert g.u[0].y == 28


def test_chargers_go_into_contact_with_a_target_that_stands_AWI_T_CHG_10() -> None:
    g = pair(LINE_FOOT, dice=(4,))
    g.u[0].charges, g.u[0].reach = 1, 2
    charge.test_all_charged(g)
    charge.move_chargers(g)
    assert g.u[0].contact == 1
    assert bases.gap(g, 0, 1) < 0.02


def test_a_charger_whose_way_is_barred_stops_and_does_not_fight_AWI_T_CHG_10_MEL_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(0, LINE_FOOT, 46.2, 32.2),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        dice=(1, 6, 1),
    )
    g.u[0].charges, g.u[0].reach = 2, 7 - 2 * HALF
    charge.test_all_charged(g)
    charge.move_chargers(g)
    charge.step_j(g)
    assert (g.u[0].contact, g.u[0].won) == (0, 0)
    assert 0 < bases.gap(g, 0, 1) < 0.02, "it comes up against the friend before it"
    assert "contact" not in kinds(g)
    assert "melee_roll" not in kinds(g)


def test_a_counter_charge_without_room_is_none_AWI_T_CHG_05() -> None:
    g = table(
        Stand(0, T.RANGERS, 48, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        Stand(1, LINE_FOOT, 48 + 1.5 * BASE, AHEAD - 2 * HALF, face=180),
        dice=(1, 6, 1),
    )
    g.u[0].charges, g.u[0].zone = 1, charged.FRONT
    charge.test_charged(g, 1, 0)
    assert (g.u[1].counter, g.u[1].y) == (0, AHEAD)
    assert "counter_charge" not in kinds(g)


def test_a_counter_charge_goes_as_far_as_there_is_room_AWI_T_CHG_05() -> None:
    g = table(
        Stand(0, T.RANGERS, 48, 28),
        Stand(1, LINE_FOOT, 48, AHEAD, face=180),
        Stand(1, LINE_FOOT, 48 + 1.5 * BASE, AHEAD - 2 * HALF - 0.6, face=180),
        dice=(1,),
    )
    g.u[0].charges, g.u[0].zone = 1, charged.FRONT
    charge.test_charged(g, 1, 0)
    assert g.u[1].counter == 1
    assert AHEAD - 0.6 <= g.u[1].y <= AHEAD - 0.4


@pytest.mark.parametrize("face", [135, 160, 200, 225])
def test_an_oblique_counter_charge_meets_its_charger_AWI_T_CHG_05_MEL_01(face: int) -> None:
    g = pair(T.RANGERS, face=face, dice=(1,))
    g.u[1].y += 1
    inches = charge.charge_distance(g, 0, 1)
    g.u[0].charges, g.u[0].reach, g.u[0].zone = 1, inches, charged.FRONT
    charge.test_charged(g, 1, 0)
    assert g.u[1].counter == 1
    assert bases.ahead(g, 0, 1)[0] == pytest.approx(inches / 2), "half way between the fronts"
    charge.move_chargers(g)
    assert g.u[0].contact == 1
    assert bases.gap(g, 0, 1) <= TOUCH


KINDS_THAT_CHARGE = (LINE_FOOT, T.RANGERS, T.MILITIA, T.AMERICAN_LIGHT_CAVALRY, T.BRITISH_GRENADIERS)


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Stand, ...]:
    """Two crowds within charging distance of each other, every unit on its own ground."""
    stands: list[Stand] = []
    for side in (0, 0, 0, 0, 1, 1, 1, 1):
        wanted = Stand(
            side,
            draw(st.sampled_from(KINDS_THAT_CHARGE)),
            draw(st.integers(430, 530)) / 10,
            30 + (draw(st.integers(10, 60)) / 10) * (1 if side else -1),
            face=(180 * side + draw(st.integers(-45, 45))) % 360,
            sp=draw(st.integers(1, 6)),
            form=draw(st.sampled_from((LINE, COLUMN))),
        )
        if not any(share_ground(wanted, other) for other in stands):
            stands.append(wanted)
    return tuple(stands)


def share_ground(one: Stand, other: Stand) -> bool:
    a, b = ((s.x, s.y, s.face, *((BASE, HALF) if s.form == LINE else (HALF, BASE))) for s in (one, other))
    return bool(overlap(*a, *b))


@given(crowds(), st.lists(st.integers(1, 6), min_size=60, max_size=60), st.sampled_from((0, 1)))
@settings(max_examples=60 if interpreted() else 600, deadline=None)
def test_every_melee_is_between_units_that_touch_AWI_T_CHG_10_MEL_01(
    stands: tuple[Stand, ...], dice: list[int], mover: int
) -> None:
    g = table(*stands, dice=tuple(dice), plans={"crown": Plan("assault"), "congress": Plan("assault")})
    g.mover = mover
    charge.declare(g, 0)
    charge.test_all_charged(g)
    charge.move_chargers(g)
    fighting = [u for u in g.u[: g.n] if u.contact]
    for i in range(g.n):
        if g.u[i].contact:
            assert bases.gap(g, i, g.u[i].charges) <= TOUCH
            assert g.u[g.u[i].charges].mood != ROUTING
        if g.u[i].place == ON_TABLE:
            u = g.u[i]
            assert bases.fits(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1), "on its own ground"
    charge.step_j(g)
    assert all(u.fought for u in fighting), "and those who touch do fight"


@given(
    crowds(),
    st.lists(st.integers(1, 6), min_size=60, max_size=60),
    st.tuples(st.integers(440, 520), st.integers(270, 330), st.integers(0, 359)),
    st.tuples(st.integers(42, 53), st.integers(26, 33)),
)
@settings(max_examples=40 if interpreted() else 400, deadline=None)
def test_charges_on_ground_end_where_a_unit_may_stand_AWI_T_CHG_01_CHG_10(
    stands: tuple[Stand, ...], dice: list[int], walls: tuple[int, int, int], pond: tuple[int, int]
) -> None:
    g = table(*stands, dice=tuple(dice), plans={"crown": Plan("assault"), "congress": Plan("assault")})
    house(g, walls[0] / 10, walls[1] / 10, walls[2])
    barred(g, *pond, pond[0] + 1, pond[1] + 1, CLOSE_FOOT, OPEN_FOOT, HORSE)
    work_add(g, STREAM, 40, 30.2, 56, 30.2, -1)

    def may_stand(i: int) -> bool:
        u = g.u[i]
        return bool(can_stand(g, i, u.x, u.y, u.face, half_width(u), half_depth(u)))

    for i in range(g.n):
        if not may_stand(i):
            g.u[i].place = LEFT_TABLE
    charge.declare(g, 0)
    charge.test_all_charged(g)
    charge.move_chargers(g)
    for i in range(g.n):
        u = g.u[i]
        if u.place == ON_TABLE and u.charges >= 0:
            assert may_stand(i)
            assert bases.fits(g, i, u.x, u.y, u.face, half_width(u), half_depth(u), -1)
            assert not u.contact or bases.gap(g, i, u.charges) <= TOUCH


def test_counter_charge_meets_half_way_AWI_T_CHG_05() -> None:
    g = pair(T.RANGERS, dice=(1,))  # charged by open order only: -2
    g.u[0].charges, g.u[0].zone = 1, charged.FRONT
    charge.test_charged(g, 1, 0)
    assert g.u[1].counter == 1
    assert g.u[1].y == pytest.approx(AHEAD - 1)


@pytest.mark.parametrize(
    ("plan", "counter"), [("assault", 1), ("turn_flank", 1), ("hold", 1), ("delay", 0), ("advance", 0)]
)
def test_a_commander_who_means_to_fight_counter_charges_AWI_T_CHG_05(plan: str, counter: int) -> None:
    g = pair(T.RANGERS, dice=(1,), plans={CONGRESS: Plan(plan)})  # type: ignore[arg-type]
    g.u[0].charges, g.u[0].zone = 1, charged.FRONT
    charge.test_charged(g, 1, 0)
    assert g.u[1].counter == counter


def test_no_counter_charge_from_behind_a_fence_AWI_T_CHG_05() -> None:
    g = pair(LINE_FOOT, dice=(1,))
    g.u[0].charges, g.u[0].over = 1, OVER_OBSTACLE
    charge.test_charged(g, 1, charged.circumstances(g, 1))
    assert (g.u[1].counter, g.u[1].mood) == (0, STEADY)


@pytest.mark.parametrize(("dice", "place", "lost"), [((5,), SURRENDERED, 0), ((2,), 0, 1)])
def test_routing_units_that_are_charged_AWI_T_CHG_07(dice: tuple[int, ...], place: int, lost: int) -> None:
    g = pair(LINE_FOOT, face=0, dice=dice)
    g.u[1].mood = ROUTING
    g.u[0].charges = 1
    charge.test_charged(g, 1, melee.BY_CLOSE | melee.IN_REAR)
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
    assert charge.may_evade(g, 1, charged.circumstances(g, 1)) == evades
    assert not charge.may_evade(pair(charger, kind), 1, 0), "off by default"


def test_an_evader_goes_one_line_move_back_and_pays_for_its_ground_AWI_T_CHG_09() -> None:
    for rough, moved in ((False, 15), (True, 10)):
        g = pair(
            LINE_FOOT, T.AMERICAN_LIGHT_CAVALRY, options={"evade": "open_order_foot_and_cavalry"}, dice=(4,)
        )
        if rough:
            lay(g, ROUGH)
        g.u[0].charges, g.u[0].old_x, g.u[0].old_y = 1, 48, AHEAD
        charge.test_all_charged(g)
        assert "evade" in kinds(g)
        assert (g.u[1].y - AHEAD, g.u[1].face, g.u[1].lost) == (pytest.approx(moved), 180, 0)
        charge.move_chargers(g)
        assert (g.u[0].y, g.u[0].contact) == (AHEAD, 0), "the charger takes the ground it left"


def test_nobody_counter_charges_up_a_slope_AWI_T_CHG_05_MEL_07() -> None:
    for rise, counter in ((0, 1), (1, 0)):
        g = pair(T.RANGERS, dice=(1,))
        lay(g, LEVEL, 20, 29, height=rise)
        g.u[0].charges, g.u[0].zone = 1, charged.FRONT
        charge.test_charged(g, 1, 0)
        assert g.u[1].counter == counter


def test_horse_that_won_charges_once_more_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28),
        Stand(1, LINE_FOOT, 48, 32, face=180),
        Stand(1, LINE_FOOT, 48, 37, face=180),
        Stand(1, LINE_FOOT, 48, 42, face=180),
        dice=(6, 6, 6, 6, 6),
    )
    g.u[1].had_target = g.u[2].had_target = g.u[3].had_target = 1
    charge.charges(g)
    assert kinds(g).count("charge") == 2, "twice, and not a third time"
    assert g.u[1].mood == g.u[2].mood == ROUTING
    assert g.u[3].mood == STEADY


def test_foot_does_not_charge_again_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, LINE_FOOT, 48, 28),
        Stand(1, T.MILITIA, 48, 31, face=180),
        Stand(1, T.MILITIA, 48, 34, face=180),
        dice=(6, 6, 6),
    )
    charge.charges(g)
    assert kinds(g).count("charge") == 1


def test_the_second_target_fires_if_it_had_not_and_may_stop_the_horse_AWI_T_CAV_01() -> None:
    g = table(
        Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 30),
        Stand(1, LINE_FOOT, 48, 35, face=180),
        dice=(6, 6),
    )
    g.u[0].charges = 1
    charge.fire_at_second_charge(g)
    assert kinds(g)[0] == "fire_at_second_charge"
    assert (g.u[0].mood, g.u[0].charges) == (SHAKEN, -1)


def test_immobile_wagons_are_taken_without_dice_AWI_T_MEL_10() -> None:
    g = pair(LINE_FOOT, T.WAGON)
    g.u[0].charges, g.u[1].immobile, g.u[1].mood = 1, 1, ROUTING
    charge.test_charged(g, 1, melee.BY_CLOSE)
    assert g.u[1].place == ON_TABLE, "not before it is touched"
    charge.move_chargers(g)
    assert (g.u[1].place, g.u[1].captured, g.cursor) == (SURRENDERED, 5, 0)


def test_an_abandoned_gun_is_taken_by_the_charger_that_reaches_it_AWI_T_MEL_10() -> None:
    g = pair(LINE_FOOT, T.AMERICAN_ARTILLERY, dice=(6,))
    charge.charges(g)
    # the crew fails its test and runs, the charger comes to its ground and takes the piece
    assert kinds(g)[-1] == "gun_captured"
    assert (g.u[1].place, g.u[1].lost, g.u[1].captured) == (SURRENDERED, 1, 4)


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
    assert charge.charge_distance(g, 0, 1) == -1
    on_foot = pair(LINE_FOOT)
    barred(on_foot, 46, 29, 47, 29, HORSE)
    assert charge.charge_distance(on_foot, 0, 1) == pytest.approx(2)
    beyond = pair(T.AMERICAN_LIGHT_CAVALRY)
    barred(beyond, 40, 33, 60, 40, HORSE)
    assert charge.charge_distance(beyond, 0, 1) == pytest.approx(2), "what is beyond the way bars nothing"


def test_no_charge_through_a_building_AWI_T_CHG_01() -> None:
    g = table(Stand(0, T.AMERICAN_LIGHT_CAVALRY, 48, 28), Stand(1, LINE_FOOT, 48, 34.5, face=180))
    house(g, 48, 31.5)
    assert charge.charge_distance(g, 0, 1) == -1
    g.structures[0].sp = 0
    assert charge.charge_distance(g, 0, 1) > 0, "rubble is no building"


def garrison(*dice: int, kind: TroopType = LINE_FOOT, sp: int = 4, gap: float = 2.0, **more: Any) -> Any:
    """A battalion and, before its front, another in a house."""
    y = 28 + HALF + gap + 25 / 25.4
    g = table(Stand(0, kind, 48, 28), Stand(1, LINE_FOOT, 48, y, face=0), dice=dice, **more)
    g.u[1].inside = house(g, 48, y, sp=sp)
    return g


def test_a_unit_in_a_building_is_met_at_its_wall_AWI_T_TER_10_CHG_10() -> None:
    g = garrison(1)
    assert charge.charge_distance(g, 0, 1) == pytest.approx(2)
    g.u[0].charges, g.u[0].reach, g.u[0].over = 1, 2, OVER_BUILDING
    charge.test_all_charged(g)
    charge.move_chargers(g)
    assert g.u[0].contact == 1
    assert g.u[0].y == pytest.approx(30 - charge.CLEARANCE)


def test_no_counter_charge_out_of_a_building_AWI_T_CHG_05() -> None:
    g = garrison(1, kind=T.RANGERS)
    g.u[0].charges, g.u[0].over = 1, OVER_BUILDING
    charge.test_all_charged(g)
    assert "charge_test" in kinds(g)
    assert (g.u[1].counter, g.u[1].inside) == (0, 0)


def test_who_is_in_a_building_does_not_charge_AWI_T_TER_10() -> None:
    g = garrison()
    assert charge.may_charge(g.u[0])
    assert not charge.may_charge(g.u[1])


def test_the_victor_stands_before_a_building_whose_garrison_ran_AWI_T_CHG_10() -> None:
    g = garrison()
    g.u[0].charges, g.u[0].reach, g.u[0].over = 1, 2, OVER_BUILDING
    g.u[0].old_x, g.u[0].old_y = g.u[1].x, g.u[1].y
    g.u[1].inside, g.u[1].mood, g.u[1].y = -1, ROUTING, 50
    charge.move_chargers(g)
    assert g.u[0].y == pytest.approx(30 - charge.CLEARANCE)
    assert (g.u[0].inside, g.u[0].won) == (-1, 1)


def test_a_charge_goes_over_a_wall_and_is_met_behind_it_AWI_T_TER_11() -> None:
    g = pair(LINE_FOOT, dice=(4, 3, 3), plans={"crown": Plan("assault", boldness=20)})
    wall = structure_add(g, WALL, 6, 6)
    work_add(g, WALL, 44, AHEAD - HALF - 0.5, 52, AHEAD - HALF - 0.5, wall)
    charge.charges(g)
    rows = {e.kind: e for e in events(g)}
    assert g.u[0].over == OVER_OBSTACLE
    assert rows["charge_test"].modifier == -2, "the wall is before its face"
    assert [e.modifier for e in events(g) if e.kind == "melee_roll"] == [-2, 0]


def test_who_charges_is_seen_until_it_moves_AWI_T_TER_07() -> None:
    g = pair(T.BRITISH_GRENADIERS, T.MILITIA)
    assert charge.declare(g, 0) == 1
    assert (g.u[0].shown, g.u[1].shown) == (1, 0)


def test_a_column_strikes_with_its_depth_AWI_T_MEL_06() -> None:
    g = table(Stand(0, LINE_FOOT, 48, 28, form=COLUMN), Stand(1, LINE_FOOT, 48, 33, face=180))
    assert melee.attacker_flags(g, 0, 1, 1) & melee.DEPTH
    assert not melee.defender_flags(g, 1, 0, 1, 0) & melee.DEPTH
