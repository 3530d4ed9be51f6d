"""The tables in code are those of the catalogue."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battles.rulesets.regimental import charging, fire, leaders, tables
from battles.rulesets.regimental import records as r
from battles.rulesets.regimental.figures import RATE_ROWS, effect_of, options_write, tables_write
from battles.rulesets.regimental.options import options_resolve
from battles.rulesets.regimental.ratings import MILITIA, RATED, RATED_IN
from rosters.domain.vocabulary import TroopType
from tests.battles.rulesets.regimental.books import CATALOGUE, RULES
from tests.battles.rulesets.regimental.forces import Unit, field


def table(rule: str) -> Any:
    return RULES[rule]["table"]


def written() -> Any:
    """The tables as kernels have them, with the default options."""
    g = r.make_blank_state(r.SMALL._replace(units=2, rows=2, columns=2, dice=2, events=2))[0]
    chosen = options_resolve({})
    options_write(g.o, chosen)
    tables_write(g.t, chosen)
    return g.t


def test_scales_REG_GEN_01() -> None:
    printed = {
        "men_per_troop_stand": tables.MEN_PER_STAND,
        "guns_per_gun_stand": tables.GUNS_PER_STAND,
        "yards_per_inch": tables.YARDS_PER_INCH,
        "minutes_per_turn": list(tables.MINUTES_PER_TURN),
    }
    assert table("REG-GEN-01") == CATALOGUE["scales"] == printed


def test_ratings_REG_UNI_01() -> None:
    printed = table("REG-UNI-01")
    assert printed["maneuver"] == printed["charge"] == tables.RATING
    assert list(tables.RATING) == list(tables.RATINGS)
    assert printed["raw_firing"] == tables.FIRE["raw_troops_or_guns_firing"]


def test_what_is_left_of_a_unit_counts_REG_UNI_03() -> None:
    assert {name: table("REG-UNI-03")[name] for name in tables.CONDITION} == tables.CONDITION


def test_command_REG_CMD_01_REG_CMD_02() -> None:
    assert table("REG-CMD-01")["clear_in"] == tables.COMMAND_RADIUS
    assert table("REG-CMD-01")["reduced_in"] == tables.SHORT_RADIUS
    printed = table("REG-CMD-02")
    assert printed["in_command"] == tables.MANEUVER["in_command"]
    assert (printed["out_of_command"], printed["provisional"]) == (tables.MANEUVER["out_of_command"], 0)


def test_maneuver_modifiers_REG_MAN_03() -> None:
    assert table("REG-MAN-03") == tables.MANEUVER
    assert list(table("REG-MAN-03")) == list(tables.MANEUVER)


def test_least_totals_of_maneuvers_REG_MAN_05_REG_MAN_07() -> None:
    for rule in ("REG-MAN-05", "REG-MAN-07"):
        rows = table(rule)
        assert [row.get("min") for row in rows] == [
            tables.WELL_FROM,
            tables.TARDY_FROM,
            tables.PANIC_BELOW,
            None,
        ]


@pytest.mark.parametrize("arm", tables.RATES)
def test_rates_of_movement_REG_MOV_01(arm: str) -> None:
    for name, printed in table("REG-MOV-01")[arm].items():
        row = tables.RATES[arm][name]
        for ground, figures in printed.items():
            found = getattr(row, ground)
            if figures is None:
                assert found is None
            else:
                # a single figure is both
                assert found == (figures[0], figures[-1]), (name, ground)
    assert list(table("REG-MOV-01")[arm]) == list(tables.RATES[arm])


def test_rows_of_rates_have_their_codes_REG_MOV_01() -> None:
    rates = tables.RATES
    assert RATE_ROWS[r.R_BROKEN] == rates["infantry"]["broken_troops"]
    assert RATE_ROWS[r.H_DISMOUNTED] == rates["cavalry"]["dismounted_extended_line"]
    assert RATE_ROWS[r.G_GALLOPER] == rates["guns"]["galloper_guns_and_pack_animals"]
    assert RATE_ROWS[r.L_DISMOUNTED] == rates["leader"]["dismounted"]
    t = written()
    assert (t.rate[r.R_LINE, r.ON_ROUGH, 1], t.rate[r.R_LINE, r.ON_ROAD, 0]) == (10, 0)


def test_fire_points_of_small_arms_REG_FIR_02() -> None:
    for weapon, rows in table("REG-FIR-02").items():
        if weapon != "columns_in":
            found = [(row["max_in"], Fraction(row["points"])) for row in rows]
            assert found == list(tables.SMALL_ARMS[weapon])


def test_fire_points_of_guns_REG_FIR_03() -> None:
    printed = dict(table("REG-FIR-03"))
    assert tuple(printed.pop("columns_in")) == tables.CANNON_COLUMNS
    assert {gun: tuple(points or 0 for points in row) for gun, row in printed.items()} == tables.CANNON
    assert list(printed) == list(tables.CANNON)


def test_halvings_and_steps_of_fire_points_REG_FIR_04_REG_FIR_05() -> None:
    found = Fraction(float(fire.halving_factor(field(Unit()), 1)))
    assert {Fraction(value) for value in table("REG-FIR-04").values()} == {found}
    first, *rest = table("REG-FIR-05")
    assert first == {"points": "<1", "modifier": tables.LESS_THAN_ONE}
    assert [(row["points"], row["modifier"]) for row in rest] == list(tables.POINTS)


def test_modifiers_of_fire_REG_FIR_06() -> None:
    assert table("REG-FIR-06") == tables.FIRE
    assert list(table("REG-FIR-06")) == list(tables.FIRE)


def test_effects_of_fire_cover_every_total_once_REG_FIR_07() -> None:
    printed = table("REG-FIR-07")
    rows = [*tables.EFFECTS, "desultory"]
    for rating, name in enumerate(tables.RATINGS):
        for total in range(-10, 25):
            found = [row for row in rows if holds(printed[row][name], total)]
            assert found == [rows[effect_of(rating, total)]], (name, total)
    assert printed["withering"]["extra_on"] == tables.EXTRA_FROM
    # all rows of telling fire are one
    order = table("REG-FIR-09")["order"]
    for effect, name in enumerate(order_of(rows)):
        lower = order[min(order.index(name) + 1, len(order) - 1)]
        assert order_of(rows)[fire.next_lower_effect(effect)] == lower


def order_of(rows: list[str]) -> list[str]:
    """Effects of fire by their codes, as the order in which they grow less names them."""
    return ["telling" if row.startswith("telling") else row for row in rows]


def holds(printed: list[int | None], total: int) -> bool:
    """True when a printed list of totals holds one; [null, n] and [n, null] are open."""
    if None in printed:
        low, high = printed
        return (low is None or total >= low) and (high is None or total <= high)
    return total in printed


def test_effects_are_written_by_rating_and_total_REG_FIR_07() -> None:
    t = written()
    for rating in range(4):
        for total in range(16):
            assert t.effect[rating, total] == effect_of(rating, total)


def test_charge_modifiers_and_results_REG_CHG_02_REG_CHG_04_to_10() -> None:
    assert table("REG-CHG-02") == tables.CHARGE
    assert list(table("REG-CHG-02")) == list(tables.CHARGE)
    least = {
        "swept": table("REG-CHG-04")["min"],
        "driven_back": table("REG-CHG-05")["min"],
        "hard_pressed": table("REG-CHG-06")["min"],
        "desperate_struggle": table("REG-CHG-07")["value"],
        "falter": table("REG-CHG-08")["min"],
        "recoil": table("REG-CHG-09")["min"],
    }
    names = [*least, "repulsed"]
    for difference in range(-12, 13):
        name = next((name for name in least if difference >= least[name]), "repulsed")
        assert names[charging.charge_result(difference)] == name, difference
    assert table("REG-CHG-10")["max"] == least["recoil"] - 1
    assert table("REG-CHG-06")["defender"]["retreat_in"] == tables.SHORT_RETREAT


def test_the_fallen_leader_table_REG_LDR_01_REG_LDR_02_REG_LDR_05() -> None:
    for total, row in table("REG-LDR-01").items():
        if total != "2-6":
            assert row["effect"] == tables.FALLEN[int(total)]
    taken = {
        sum(dice) for dice in product(range(1, 7), repeat=2) if leaders.find_leader_fate(*dice, 1) == r.TAKEN
    }
    assert taken == set(table("REG-LDR-02")["flagged"])
    assert table("REG-LDR-02")["needs_die"] == tables.TAKEN_DIE
    assert table("REG-LDR-05") == {"radius_in": tables.BATTALION_GUN, "modifier": 1}


def test_near_distances_REG_FIR_08_REG_FIR_09_REG_FIR_11() -> None:
    assert table("REG-FIR-08")["checked_retreat_in"] == tables.SHORT_RETREAT
    assert table("REG-FIR-09")["distance_in"] == tables.MASSED_BEHIND
    assert table("REG-FIR-11")["radius_in"] == tables.LEADER_UNDER_FIRE


def test_ground_REG_TER_01_REG_DEF_09() -> None:
    for name, printed in table("REG-TER-01").items():
        if name in ("road", "trail"):
            continue
        row = tables.GROUND[name]
        assert (row.cover, row.heart, row.movement) == (
            printed["cover"],
            printed["heart"],
            printed["movement"],
        )
        assert row.visibility == printed.get("visibility_in")
    assert table("REG-DEF-09") == tables.FILE_GROUND
    assert set(tables.FILE_GROUND.values()) - {"road"} <= set(tables.GROUND)


def test_victory_points_REG_VP_01() -> None:
    assert table("REG-VP-01") == {
        "british_army_scores": tables.BRITISH_SCORES,
        "american_army_scores": tables.AMERICAN_SCORES,
    }


def test_hand_hauls_REG_GUN_01() -> None:
    (row,) = [row for row in table("REG-GUN-01")["light_carriage"] if isinstance(row, dict)]
    assert row["hand_haul_in"] == tables.HAND_HAUL


def test_stands_and_ends_REG_DEF_01_REG_DEF_08() -> None:
    assert {name: tuple(base) for name, base in table("REG-DEF-01").items()} == tables.BASES
    assert table("REG-DEF-08") == {
        "quiet_turns": tables.QUIET_TURNS,
        "at_objective_in": tables.AT_OBJECTIVE,
    }


def test_troops_of_a_battle_file_REG_DEF_02() -> None:
    printed = table("REG-DEF-02")
    assert {TroopType(name): row for name, row in printed.items() if isinstance(row, str)} == RATED
    for kind, (before, year, after) in RATED_IN.items():
        assert printed[kind.value] == {f"until_{year - 1}": before, f"from_{year}": after}
    assert printed["militia"] == {"poor": MILITIA[True], "other": MILITIA[False]}
    assert {*RATED, *RATED_IN, TroopType.MILITIA} == set(TroopType)
