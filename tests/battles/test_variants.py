"""The variants: Ireland in 1798 and the Forty-Five."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from battles.engine.bases import BASE, HALF, half_depth, half_width, measure_gap
from battles.engine.dtypes import COLUMN, LARGE, LINE, ROUTING, SHAKEN, STEADY
from battles.errors import BattleFileError
from battles.files.schema import BattlePlan, BattleUnit
from battles.rulesets.awi import (
    charge_declaration,
    charge_modifiers,
    highland,
    melee,
    morale,
    movement,
    path,
    sequence,
    sighting,
)
from battles.rulesets.awi.fighting import prepare_state
from battles.rulesets.registry import fight_battle
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import (
    CONGRESS,
    CROWN,
    Stand,
    battle,
    battle_unit,
    events,
    force,
    kinds,
    table,
    throw,
)

T = TroopType
LINE_FOOT, HORSE, GUNS = T.CONTINENTAL_LINE, T.AMERICAN_LIGHT_CAVALRY, T.AMERICAN_ARTILLERY
IRELAND, FORTY_FIVE = {"variant": "ireland_1798"}, {"variant": "jacobite_1745"}


def pikes(side: int, x: float, y: float, **more: Any) -> Stand:
    return Stand(side, T.MILITIA, x, y, traits=("pikes",), **more)


def clan(x: float, y: float, **more: Any) -> Stand:
    return Stand(0, LINE_FOOT, x, y, traits=("highlanders",), **more)


# --- Ireland, 1798 ---


def test_pikes_do_not_fear_cavalry_and_cavalry_fears_them_AWI_T_V98_01() -> None:
    g = table(pikes(0, 40, 20), Stand(0, LINE_FOOT, 50, 20), Stand(1, HORSE, 48, 40), options=IRELAND)
    by_horse = charge_modifiers.charger_flag(g.u[2])
    assert charge_modifiers.charged_modifier(g.u[0], by_horse) == 0
    assert charge_modifiers.charged_modifier(g.u[1], by_horse) == 2
    assert charge_modifiers.charged_modifier(g.u[2], charge_modifiers.charger_flag(g.u[0])) == 0
    assert charge_modifiers.charged_modifier(g.u[2], charge_modifiers.charger_flag(g.u[1])) == -2
    both = charge_modifiers.charger_flag(g.u[0]) | charge_modifiers.charger_flag(g.u[1])
    assert charge_modifiers.charged_modifier(g.u[2], both) == 0, "the -2 needs foot without pikes alone"


def test_guns_fear_cavalry_as_ever_AWI_T_V98_01() -> None:
    g = table(Stand(0, GUNS, 48, 20), Stand(1, HORSE, 48, 40), options=IRELAND)
    assert charge_modifiers.charged_modifier(g.u[0], charge_modifiers.charger_flag(g.u[1])) == 2 + 2


def test_pikes_do_not_fire_AWI_T_V98_01() -> None:
    g = table(pikes(1, 48, 24, face=180), Stand(0, LINE_FOOT, 48, 20), options=IRELAND)
    assert not sighting.can_fire(g.u[0])
    assert morale.basic_morale(g.u[0]) == 5 - 1, "militia morale"


@pytest.mark.parametrize(
    ("enemy", "factor"),
    [
        (pikes(1, 48, 40), 0),
        (Stand(1, HORSE, 48, 40), 0),
        (Stand(1, LINE_FOOT, 48, 40), 2),
        (Stand(1, GUNS, 48, 40), 2),
    ],
)
def test_cavalry_has_its_melee_bonus_against_firearms_only_AWI_T_V98_02(enemy: Stand, factor: int) -> None:
    g = table(Stand(0, HORSE, 48, 20), enemy, options=IRELAND)
    assert melee.melee_factor(g, g.u[0], melee.variant_flags(g, g.u[0], g.u[1])) == factor
    if enemy.troop_type is not T.MILITIA:
        g = table(Stand(0, HORSE, 48, 20), enemy)
        assert melee.variant_flags(g, g.u[0], g.u[1]) == 0, "only in the variant"


def test_a_charge_on_pikes_is_worth_less_to_cavalry_AWI_T_V98_01_V98_02() -> None:
    target = Stand(1, T.MILITIA, 48, 24, face=180)
    muskets = table(Stand(0, HORSE, 48, 20), target, options=IRELAND)
    spears = table(Stand(0, HORSE, 48, 20), pikes(1, 48, 24, face=180), options=IRELAND)
    assert (
        charge_modifiers.charge_value(muskets, 0, 1, 0, 0)
        > charge_modifiers.charge_value(spears, 0, 1, 0, 0) + 0.3
    )


def test_foot_without_firearms_charges_at_worse_odds_AWI_T_V98_01() -> None:
    target = Stand(1, T.BRITISH_LINE, 48, 22 + 2 * HALF, face=180)
    for stand, count in ((Stand(0, T.MILITIA, 48, 20), 0), (pikes(0, 48, 20), 1)):
        g = table(stand, target, options=IRELAND, plans={CROWN: BattlePlan("assault")})
        assert charge_declaration.declare_charges(g, 0) == count


# --- the Forty-Five ---


def test_a_horde_is_close_order_foot_on_two_bases_AWI_T_V45_01() -> None:
    g = table(Stand(1, T.BRITISH_LINE, 48, 40), clan(48, 20), options=FORTY_FIVE)
    u = g.u[1]
    assert (half_width(u), half_depth(u)) == (BASE, HALF)
    assert charge_modifiers.charger_flag(u) & melee.BY_CLOSE
    assert charge_modifiers.charged_modifier(u, melee.BY_CLOSE) == 0
    assert u.european == u.grenadier == u.militia == 0


@pytest.mark.parametrize("kind", [LINE_FOOT, T.BRITISH_GRENADIERS, T.MILITIA])
def test_morale_of_highlanders_whatever_their_type_AWI_T_V45_02(kind: TroopType) -> None:
    g = table(Stand(0, kind, 48, 20, traits=("highlanders",)), options=FORTY_FIVE)
    assert morale.basic_morale(g.u[0]) == 5 + 2


def at_inches(inches: float, **more: Any) -> Any:
    """Highlanders fired at, with the enemy so many inches before them."""
    y = 20 + 2 * HALF + inches
    g = table(clan(48, 20), Stand(1, T.BRITISH_LINE, 48, y, face=180), options=FORTY_FIVE, **more)
    g.u[0].under_fire = 1
    return g


@pytest.mark.parametrize(
    ("inches", "chance"), [(5, Fraction(1, 3)), (6, Fraction(1, 3)), (6.1, Fraction(1, 6))]
)
def test_who_is_fired_at_may_begin_a_highland_charge_AWI_T_V45_03(inches: float, chance: Fraction) -> None:
    begun = 0
    for die in range(1, 7):
        g = at_inches(inches, dice=(die,))
        highland.test_highlanders(g)
        begun += int(g.u[0].highland_charge)
        (rolled,) = events(g)
        assert (rolled.kind, rolled.dice) == ("highland_test", (die,))
        assert rolled.result == ("highland_charge" if g.u[0].highland_charge else "")
    assert Fraction(begun, 6) == chance


@pytest.mark.parametrize(("under_fire", "mood", "mover"), [(0, STEADY, 0), (1, SHAKEN, 0), (1, STEADY, 1)])
def test_no_highland_charge_unless_fired_at_and_steady_AWI_T_V45_03(
    under_fire: int, mood: int, mover: int
) -> None:
    g = at_inches(5, dice=(6,))
    g.u[0].under_fire, g.u[0].mood, g.mover = under_fire, mood, mover
    highland.test_highlanders(g)
    assert (g.u[0].highland_charge, g.cursor) == (0, 0)


@pytest.mark.parametrize(("form", "least"), [(LINE, 7), (COLUMN, 10)])
def test_a_highland_charge_moves_by_its_rate_and_a_die_AWI_T_V45_04(form: int, least: int) -> None:
    moved = []
    for die in range(1, 7):
        g = table(
            clan(48, 10, form=form), Stand(1, T.BRITISH_LINE, 48, 50, 180), options=FORTY_FIVE, dice=(die,)
        )
        g.u[0].highland_charge = 1
        highland.move_highlanders(g)
        moved.append(round(float(g.u[0].y) - 10, 6))
        assert g.u[0].busy == 1
        highland.release_highlanders(g)
        assert g.u[0].busy == 0
    assert moved == list(range(least, least + 6))


def test_at_fifteen_millimetres_the_die_is_in_centimetres_AWI_T_V45_04() -> None:
    g = table(clan(48, 10), options={**FORTY_FIVE, "scale": "15mm"})
    # 4 inches and 6 cm on the table, a third less than the engine's inches
    assert (6 + highland.highland_bonus(g, 6)) * 2 / 3 == pytest.approx(4 + 6 / 2.54)


def test_it_stops_an_inch_before_the_enemy_and_charges_AWI_T_V45_04() -> None:
    g = table(
        clan(48, 20), Stand(1, T.BRITISH_GRENADIERS, 48, 28, face=180, sp=6), options=FORTY_FIVE, dice=(6,)
    )
    g.u[0].highland_charge = 1
    g.plan[0] = 5  # a commander who never charges
    highland.move_highlanders(g)
    assert measure_gap(g, 0, 1) == pytest.approx(1, abs=0.05)
    highland.release_highlanders(g)
    assert charge_declaration.declare_charges(g, 0) == 1


def test_a_rush_knows_nothing_of_ways_asked_for_in_an_earlier_turn_AWI_T_V45_04() -> None:
    g = table(
        clan(48, 20), clan(51.56, 20), Stand(1, T.BRITISH_LINE, 63, 46, 210), options=FORTY_FIVE, dice=(6,)
    )
    g.u[0].highland_charge = 1
    g.u[1].x = 60
    assert movement.turn_to(g, 0, 30)
    path.find_straight_move(g, 0, 30, 0.5)
    g.u[0].face, g.u[1].x = 0, 51.56  # then a friend comes up beside it
    highland.move_highlanders(g)
    assert (g.u[0].x, g.u[0].y, g.u[0].face) == (48, 20, 0), "there is no room to turn"


@pytest.mark.parametrize(
    ("enemy", "state", "factor"),
    [(T.BRITISH_LINE, 1, 2), (T.BRITISH_LINE, 0, 1), (T.RANGERS, 1, 2), (HORSE, 1, 0), (GUNS, 1, 0)],
)
def test_highlanders_in_melee_against_foot_AWI_T_V45_05(enemy: TroopType, state: int, factor: int) -> None:
    g = table(clan(48, 20), Stand(1, enemy, 48, 40), options=FORTY_FIVE)
    g.u[0].highland_charge = state
    assert melee.melee_factor(g, g.u[0], melee.variant_flags(g, g.u[0], g.u[1])) == factor


@pytest.mark.parametrize(
    ("choice", "may", "factor"),
    [("musket_minus_2", 1, -2), ("none", 0, 0), ("attached_light_infantry", 0, 0)],
)
def test_how_highlanders_fire_AWI_T_V45_06(choice: str, may: int, factor: int) -> None:
    g = table(clan(48, 20), Stand(1, LINE_FOOT, 48, 24), options={**FORTY_FIVE, "highland_fire": choice})
    assert (g.u[0].shoots, g.u[0].short_factor) == (may, factor)
    assert sighting.can_fire(g.u[0]) == bool(may)


@pytest.mark.parametrize(
    ("state", "kind", "modifier"), [(0, T.BRITISH_LINE, 1), (1, T.BRITISH_LINE, 2), (1, HORSE, -2)]
)
def test_foot_charged_by_highlanders_AWI_T_V45_07(state: int, kind: TroopType, modifier: int) -> None:
    g = table(clan(48, 20), Stand(1, kind, 48, 24), options=FORTY_FIVE)
    g.u[0].highland_charge = state
    assert charge_modifiers.charged_modifier(g.u[1], charge_modifiers.charger_flag(g.u[0])) == modifier


def test_a_highland_charge_ends_with_a_loss_AWI_T_V45_08() -> None:
    g = at_inches(5)
    g.u[0].highland_charge = 1
    morale.deduct_strength(g, 0, 1)
    assert g.u[0].highland_charge == 0


@pytest.mark.parametrize("mood", [SHAKEN, ROUTING])
def test_a_highland_charge_ends_when_morale_fails_AWI_T_V45_08(mood: int) -> None:
    g = at_inches(5)
    g.u[0].highland_charge, g.u[0].mood = 1, mood
    highland.end_highland_charges(g)
    assert g.u[0].highland_charge == 0


@pytest.mark.parametrize(("dice", "goes_on"), [((6, 1), 1), ((1, 3), 0), ((1, 6), 0)])
def test_a_highland_charge_outlasts_a_melee_only_if_won_AWI_T_V45_08(
    dice: tuple[int, int], goes_on: int
) -> None:
    # Highlanders +2, Continentals 0: won, level and lost
    g = table(clan(48, 20), Stand(1, LINE_FOOT, 48, 20 + 2 * HALF, face=180), options=FORTY_FIVE, dice=dice)
    g.u[0].highland_charge, g.u[0].charges, g.u[0].contact = 1, 1, 1
    melee.step_j(g)
    assert g.u[0].highland_charge == goes_on


def test_a_highland_charge_spreads_twelve_inches_AWI_T_V45_09() -> None:
    near, far = 40 + 2 * BASE + 12, 40 - 2 * BASE - 12.1
    g = table(
        clan(40, 20), clan(near, 20), clan(far, 20), Stand(1, T.BRITISH_LINE, 40, 50, 180),
        options=FORTY_FIVE, dice=(6,),
    )  # fmt: skip
    g.u[0].highland_charge = 1
    highland.test_highlanders(g)
    assert [int(u.highland_charge) for u in g.u[:3]] == [1, 1, 0]
    assert kinds(g) == ["highland_joins"]


def test_it_spreads_one_link_a_turn_and_nobody_rolls_twice_AWI_T_V45_09() -> None:
    step = 2 * BASE + 10
    g = table(
        clan(20, 20), clan(20 + step, 20), clan(20 + 2 * step, 20), Stand(1, T.BRITISH_LINE, 48, 50, 180),
        options=FORTY_FIVE, dice=(6, 6, 6),
    )  # fmt: skip
    g.u[0].under_fire = 1
    highland.test_highlanders(g)
    assert [int(u.highland_charge) for u in g.u[:3]] == [1, 1, 0]
    g.u[0].under_fire = 0
    highland.test_highlanders(g)
    assert [int(u.highland_charge) for u in g.u[:3]] == [1, 1, 1]
    g = at_inches(5, dice=(1, 6))
    highland.test_highlanders(g)
    assert g.cursor == 1


def test_british_foot_is_a_mixture_AWI_T_V45_10() -> None:
    g = table(
        Stand(0, T.BRITISH_LINE, 48, 20),
        Stand(0, T.BRITISH_LIGHT_INFANTRY, 60, 20),
        Stand(0, T.BRITISH_GRENADIERS, 72, 20),
        Stand(1, LINE_FOOT, 48, 50),
        options=FORTY_FIVE,
    )
    found: Counter[tuple[int, int]] = Counter()
    for one in range(1, 7):
        for two in range(1, 7):
            throw(g, one, two)
            g.u[0].morale, g.u[0].fire = 1, 1
            highland.british_quality(g)
            assert g.cursor == 2, "only British line units roll, no grenadiers"
            found[int(g.u[0].morale), int(g.u[0].fire)] += 1
    assert found == {(1, 1): 9, (1, 2): 9, (2, 1): 9, (2, 2): 9}
    throw(g, 6, 1, 4, 3)
    sequence.start_battle(g)
    rolled = [(e.kind, e.modifier) for e in events(g)[-2:]]
    assert rolled == [("morale_quality", 1), ("fire_quality", 0)], "before the battle"


@pytest.mark.parametrize("rout", [18, 21])
def test_british_dragoons_are_slower_AWI_T_V45_11(rout: int) -> None:
    g = table(
        Stand(0, T.EUROPEAN_LIGHT_CAVALRY, 48, 20), Stand(1, HORSE, 48, 50),
        options={**FORTY_FIVE, "dragoon_rout_45": rout},
    )  # fmt: skip
    assert (g.u[0].rate_line, g.u[0].rate_column, g.u[0].rate_rout) == (12, 15, rout)
    assert (g.u[1].rate_line, g.u[1].rate_column, g.u[1].rate_rout) == (15, 18, 21)


# --- both ---


@pytest.mark.parametrize(
    ("unit", "options", "says"),
    [
        (battle_unit("a", CROWN, LINE_FOOT, traits=("pikes",)), {}, "set the option variant to ireland_1798"),
        (battle_unit("a", CROWN, LINE_FOOT, traits=("highlanders",)), IRELAND, "jacobite_1745"),
        (battle_unit("a", CROWN, T.RANGERS, traits=("pikes",)), IRELAND, "no close order foot"),
        (battle_unit("a", CROWN, LINE_FOOT, traits=("kilts",)), IRELAND, "There is no trait"),  # type: ignore[arg-type]
    ],
)
def test_traits_out_of_place_are_refused_AWI_T_V98_01_V45_01(
    unit: BattleUnit, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(BattleFileError, match=says) as refused:
        prepare_state(battle((unit,), force(CONGRESS, LINE_FOOT), options=options), LARGE)
    assert refused.value.field == "units[0].traits"


@pytest.mark.parametrize("seed", range(4))
def test_a_highland_army_charges_and_its_dice_are_told_AWI_T_V45_03_V45_04(seed: int) -> None:
    clans = tuple(battle_unit(f"clan {k}", CROWN, LINE_FOOT, traits=("highlanders",)) for k in range(5))
    foot = force(CONGRESS, *[T.BRITISH_LINE] * 5)
    plans = {CROWN: BattlePlan("assault"), CONGRESS: BattlePlan("hold")}
    result = fight_battle(battle(clans, foot, options=FORTY_FIVE, plans=plans, turns=12), seed, record=True)
    told = Counter(event.kind for event in result.events)
    assert told["morale_quality"] == told["fire_quality"] == 5
    assert told["highland_test"] > 0
    for event in result.events:
        if event.kind.startswith("highland"):
            assert event.side == CROWN and len(event.dice) == 1
