"""What each kind of ground costs each class, from the tables of the rules."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from battles.engine.survey import GroundSpot
from battles.files.schema import Feature
from battles.rulesets.awi import terrain
from battles.rulesets.awi.options import options_resolve

CATALOGUE = yaml.safe_load((Path(__file__).parents[2] / "battles/rulesets/awi/catalogue.yaml").read_text())[
    "rules"
]
RULES = {rule["id"]: rule for rule in CATALOGUE}
OPTIONS = options_resolve({})
CLASSES = ("close_order_foot", "open_order_foot", "mounted", "wheeled")
SPOTS = {
    "rough_ground": GroundSpot(rough=1),
    "gentle_slope": GroundSpot(grade=1),
    "steep_slope": GroundSpot(grade=2),
    "open_woods": GroundSpot(wood=1),
    "dense_woods": GroundSpot(wood=2),
}


def shares(row: dict[str, Any]) -> tuple[Fraction | None, ...]:
    return tuple(None if row[name] is None else Fraction(row[name]) for name in CLASSES)


@pytest.mark.parametrize("kind", list(SPOTS))
def test_the_printed_factors_AWI_T_TER_01(kind: str) -> None:
    printed = RULES["AWI-T-TER-01"]["table"]["factor"][kind]
    assert terrain.find_spread_shares(SPOTS[kind], OPTIONS) == shares(printed)


def test_swamp_bars_horse_and_wheels_AWI_T_TER_05() -> None:
    assert terrain.find_spread_shares(GroundSpot(rough=2), OPTIONS) == shares(
        RULES["AWI-T-TER-05"]["table"]["swamp"]
    )


def test_wheels_in_open_woods_option_AWI_T_TER_01() -> None:
    slow = options_resolve({"wheeled_open_woods": "1/3"})
    assert terrain.find_spread_shares(GroundSpot(wood=1), slow)[3] == Fraction(1, 3)


def test_factors_multiply_and_what_bars_goes_on_barring_AWI_T_TER_03() -> None:
    third = Fraction(2, 3)
    assert terrain.find_spread_shares(GroundSpot(wood=1, grade=1), OPTIONS)[0] == third * third
    assert terrain.find_spread_shares(GroundSpot(rough=2, wood=1), OPTIONS)[2:] == (None, None)
    costs = terrain.terrain_for(OPTIONS).costs(GroundSpot(wood=1, grade=1))
    assert costs == (2.25, 1.0, 2.25, 4.5) * 2


def test_dense_woods_on_a_steep_slope_are_for_open_order_foot_AWI_T_TER_04() -> None:
    assert terrain.find_spread_shares(GroundSpot(wood=2, grade=2), OPTIONS) == (
        None,
        Fraction(4, 9),
        None,
        None,
    )
    assert terrain.find_spread_shares(GroundSpot(wood=0, grade=3), OPTIONS) == (None,) * 4


def test_a_road_cancels_what_it_runs_through_but_not_its_own_slope_AWI_T_TER_09() -> None:
    worst = GroundSpot(grade=3, rough=2, wood=2, road=1)
    assert terrain.find_column_shares(worst, OPTIONS) == (1, 1, 1, 1)
    climbing = terrain.find_column_shares(worst._replace(road=2), OPTIONS)
    assert climbing == terrain.find_spread_shares(GroundSpot(grade=1), OPTIONS)
    assert terrain.find_spread_shares(worst, OPTIONS) == (None,) * 4


def test_water_bars_bridges_carry_columns_and_fords_all_AWI_T_TER_08_TER_09() -> None:
    costs = terrain.terrain_for(OPTIONS).costs
    assert costs(GroundSpot(water=1)) == (0.0,) * 8
    assert costs(GroundSpot(water=2, road=1)) == (0.0,) * 4 + (1.0,) * 4
    assert costs(GroundSpot(water=3)) == (1.0,) * 8


def test_rubble_is_rough_ground_AWI_T_FOR_02() -> None:
    assert terrain.find_spread_shares(GroundSpot(rough=1, rubble=1), OPTIONS) == terrain.ROUGH_GROUND


def test_structure_sp_are_those_of_the_list_AWI_T_FOR_01() -> None:
    printed = RULES["AWI-T-FOR-01"]["table"]
    for material in ("wood", "stone"):
        name = "wooden" if material == "wood" else "stone"
        bridge = Feature("bridge", ((0, 0),), material=material)  # type: ignore[arg-type]
        assert terrain.find_full_strength(bridge) == printed[f"{name}_bridge_per_100mm"]
        for size, mm in (("small", "50x100"), ("large", "100x100")):
            house = Feature("building", ((0, 0),), material=material, size=size)  # type: ignore[arg-type]
            assert terrain.find_full_strength(house) == printed[f"{name}_building_{mm}"]
    lines = {"fieldwork": "timber_fieldwork_per_100mm", "stockade": "timber_stockade_per_100mm"}
    for kind, name in {**lines, "redoubt": "earth_and_timber_redoubt"}.items():
        assert terrain.find_full_strength(Feature(kind, ((0, 0), (9, 0)))) == printed[name]  # type: ignore[arg-type]
