"""The tables in code are those of the catalogue."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from battles.rulesets.awi import tables
from rosters.domain.vocabulary import TYPES, Arm, FormationOrder, GunClass, TroopType

PROJECT = Path(__file__).parents[2]
CATALOGUE = yaml.safe_load((PROJECT / "battles/rulesets/awi/catalogue.yaml").read_text())
RULES: dict[str, Any] = {rule["id"]: rule for rule in CATALOGUE["rules"]}


@pytest.mark.parametrize("kind", list(TroopType))
def test_figures_of_troop_types_AWI_T_MOR_01_FIR_08_MEL_02_MEL_04_SUR_01(kind: TroopType) -> None:
    row = CATALOGUE["troop_types"][kind.value]
    assert (
        tables.MORALE.get(kind, row.get("morale_poor", 0) + 1 if "morale_poor" in row else 0) == row["morale"]
    )
    assert tables.FIRE.get(kind, 0) == (row["fire"] or 0)
    assert tables.own_melee(kind) == row["melee"]
    assert tables.SURRENDER_ON[TYPES[kind].arm] == row["surrender_on"]


def test_poor_militia_AWI_T_MOR_02() -> None:
    assert CATALOGUE["troop_types"]["militia"]["morale_poor"] == tables.POOR_MILITIA_MORALE


@pytest.mark.parametrize(
    ("row", "arm", "order"),
    [
        ("close_order_foot", Arm.FOOT, FormationOrder.CLOSE),
        ("open_order_foot", Arm.FOOT, FormationOrder.OPEN),
        ("light_cavalry", Arm.MOUNTED, FormationOrder.CLOSE),
    ],
)
def test_rates_of_troops_AWI_T_MOV_01(row: str, arm: Arm, order: FormationOrder) -> None:
    printed = RULES["AWI-T-MOV-01"]["table"][row]
    rates = tables.TROOP_RATES[arm, order]
    assert printed == {"line": rates.line, "column": rates.column, "rout": rates.rout}


@pytest.mark.parametrize("gun", [GunClass.LIGHT, GunClass.MEDIUM, GunClass.HEAVY, GunClass.GALLOPER])
def test_rates_of_guns_AWI_T_MOV_02(gun: GunClass) -> None:
    printed = RULES["AWI-T-MOV-02"]["table"][gun.value]
    rates = tables.GUN_RATES[gun]
    assert printed == {"limbered": rates.column, "deployed": rates.line, "rout": rates.rout}


def test_grasshoppers_move_as_ruled_AWI_T_MOV_03() -> None:
    ruled = RULES["AWI-T-MOV-03"]["table"]["default"]
    rates = tables.GUN_RATES[GunClass.GRASSHOPPER]
    assert ruled == {"limbered": rates.column, "deployed": rates.line, "rout": rates.rout}


@pytest.mark.parametrize("gun", [GunClass.LIGHT, GunClass.MEDIUM, GunClass.HEAVY, GunClass.GRASSHOPPER])
def test_ranges_of_guns_AWI_T_FIR_05(gun: GunClass) -> None:
    printed = RULES["AWI-T-FIR-05"]["table"][gun.value]
    ranges = tables.GUN_RANGES[gun]
    assert printed == {
        "short": [0, ranges.short],
        "medium": [ranges.medium_from, ranges.medium],
        "long": [ranges.medium, ranges.long],
    }


def test_ranges_of_gallopers_and_howitzers_AWI_T_FIR_06_AWI_T_FIR_07() -> None:
    galloper, howitzer = tables.GUN_RANGES[GunClass.GALLOPER], tables.GUN_RANGES[GunClass.HOWITZER]
    assert RULES["AWI-T-FIR-06"]["table"]["galloper"] == {
        "short": [0, galloper.short],
        "medium": [galloper.short, galloper.medium],
        "long": [galloper.medium, galloper.long],
    }
    assert RULES["AWI-T-FIR-07"]["table"]["howitzer"] == {
        "short": [0, howitzer.short],
        "dead_zone": [howitzer.short, howitzer.medium_from],
        "medium": [howitzer.medium_from, howitzer.medium],
        "long": [howitzer.medium, howitzer.long],
    }


def test_ranges_of_small_arms_AWI_T_FIR_04() -> None:
    printed = RULES["AWI-T-FIR-04"]["table"]
    assert printed["musket"] == {"short": [0, tables.MUSKET.short], "medium": None, "long": None}
    assert printed["rifle"]["short"] == [0, tables.RIFLE.short]
    assert printed["rifle"]["medium"] == [tables.RIFLE.medium_from, tables.RIFLE.medium]


def test_factors_of_weapons_AWI_T_FIR_08_AWI_T_FIR_09() -> None:
    printed = RULES["AWI-T-FIR-08"]["table"]["factors"]
    assert tables.RIFLE_FACTORS[:2] == (printed["rifle_short"], printed["rifle_medium"])
    assert (
        printed["gun_short_canister"],
        printed["gun_medium"],
        printed["gun_long"],
    ) == tables.GUN_FACTORS


def test_die_on_which_guns_turn_AWI_T_FAC_03() -> None:
    printed = RULES["AWI-T-FAC-03"]["table"]["dice_option"]
    for name, die in printed.items():
        assert tables.TURN_ON[GunClass(name)] == die


def test_men_of_a_strength_point_AWI_T_STR_01() -> None:
    assert RULES["AWI-T-STR-01"]["table"]["men_per_sp"] == tables.MEN_PER_SP
    examples = RULES["AWI-T-STR-01"]["table"]["line_examples"]
    assert {men: tables.sp_of_men(men, 50) for men in examples} == examples


@pytest.mark.parametrize(
    ("pounder", "gun"), [(3, "light"), (5, "light"), (6, "medium"), (11, "medium"), (12, "heavy")]
)
def test_class_of_guns_AWI_T_STR_04(pounder: int, gun: str) -> None:
    assert tables.gun_class_of(pounder) == gun


def test_every_distance_shrinks_alike_AWI_T_SCA_02() -> None:
    factor = Fraction(RULES["AWI-T-SCA-02"]["table"]["factor_15mm"])
    assert tables.scale_inches(6, "15mm") == 6 * factor == 4
    assert tables.scale_inches(6) == 6


def test_cover_on_a_start_line_has_the_strength_of_its_class_AWI_T_FOR_03() -> None:
    bands = RULES["AWI-T-FIR-11"]["table"]
    for name in ("soft", "hard", "fortified"):
        least, most = bands[name]["structure_sp"]
        assert least <= tables.COVER_SP[name] <= (most or 99)
