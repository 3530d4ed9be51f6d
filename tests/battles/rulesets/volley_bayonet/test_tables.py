"""The tables in code are those of both catalogues."""

from fractions import Fraction
from typing import Any

import pytest

from battles.rulesets.volley_bayonet import tables
from battles.rulesets.volley_bayonet.tables import StandDice
from tests.battles.rulesets.volley_bayonet.books import CATALOGUES, RULES, SCALES


def table(rule: str) -> Any:
    return RULES[rule]["table"]


def test_scales_VBW_GEN_03_VBD_GEN_02() -> None:
    assert table("VBW-GEN-03") == {
        "yards_per_inch": tables.YARDS_PER_INCH,
        "minutes_per_turn": tables.MINUTES_PER_TURN,
        "men_per_sp": tables.MEN_PER_SP,
        "guns_per_sp": tables.GUNS_PER_SP,
    }
    assert table("VBD-GEN-02") == {"minutes_per_turn": tables.MINUTES_PER_TURN}
    for catalogue in CATALOGUES.values():
        assert catalogue["scales"]["men_per_sp"] == tables.MEN_PER_SP


def test_bases_VBW_STD_12_VBD_STD_09() -> None:
    assert {name: tuple(size) for name, size in table("VBW-STD-12").items()} == tables.BASES


def test_moves_VBW_MOV_01_VBD_MOV_01() -> None:
    assert table("VBW-MOV-01") == tables.RATES
    printed = dict(table("VBD-MOV-01"))
    printed["slow_infantry"] = printed.pop("poorly_drilled_or_slow_infantry")
    printed["fast_infantry"] = printed.pop("regular_infantry")
    assert printed == SCALES["vb_division"].tables.rates


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        ("VBW-COM-02", "regular"),
        ("VBW-COM-03", "poorly_trained"),
        ("VBW-COM-04", "detachment"),
        ("VBW-COM-05", "artillery"),
        ("VBW-COM-06", "mounted"),
        ("VBW-COM-07", "mounted"),
        ("VBD-COM-02", "regular"),
        ("VBD-COM-03", "poorly_trained"),
        ("VBD-COM-04", "detachment"),
        ("VBD-COM-05", "artillery"),
        ("VBD-COM-06", "mounted"),
        ("VBD-COM-08", "mounted"),
    ],
)
def test_dice_of_stands_VBW_COM_02_to_07_VBD_COM_02_to_08(rule: str, kind: str) -> None:
    printed = table(rule)
    still = printed["stationary"]
    assert tables.DICE[kind] == StandDice(
        printed["normal"]["fire"] or 0,
        printed["normal"]["melee"],
        None if still is None else (still["fire"], still["melee"]),
    )


@pytest.mark.parametrize("rule", ["VBW-HIT-01", "VBD-HIT-01"])
def test_ranges_of_small_arms_VBW_HIT_01_VBD_HIT_01(rule: str) -> None:
    for name, row in table(rule).items():
        arm = tables.SMALL_ARMS[name]
        assert (row["melee_short_in"], row["melee_short_hit"]) == (0, arm.melee_hit)
        assert (row["long_in"], row["long_hit"]) == (arm.long, arm.long_hit)


@pytest.mark.parametrize("rule", ["VBW-HIT-02", "VBD-HIT-02"])
def test_ranges_of_guns_VBW_HIT_02_VBD_HIT_02(rule: str) -> None:
    for name, row in table(rule).items():
        gun = tables.GUNS[name]
        assert row == {
            "short_in": gun.short,
            "short_hit": gun.short_hit,
            "long_in": gun.long,
            "long_hit": gun.long_hit,
        }


def test_morale_modifiers_VBW_MOR_10_VBD_MOR_05() -> None:
    assert table("VBW-MOR-10") == tables.MORALE
    without = {key: value for key, value in tables.MORALE.items() if "heavier" not in key}
    assert table("VBD-MOR-05") == without


def test_shares_of_exhaustion_VBW_EXH_01() -> None:
    for morale, share in table("VBW-EXH-01").items():
        assert Fraction(str(share)) == morale * tables.WING_TABLES.exhaustion_per_morale


def costs(name: str) -> dict[str, float | None]:
    return dict(zip(tables.KINDS, tables.GOING[name].costs, strict=True))


def test_forest_thicket_and_swamp_VBW_TER_01_VBW_TER_03_VBD_TER_06_VBD_TER_08() -> None:
    for name in ("forest", "swamp"):
        found = costs(name)
        for rule in ("VBW-TER-01", "VBD-TER-06"):
            assert found["slow_foot"] == found["fast_foot"] == table(rule)["foot"]
            assert found["commanders"] == table(rule)["commander"]
        barred = {kind for kind, cost in found.items() if cost is None}
        assert barred == {"horse", "horse_skirmishers", "guns", "pack_transport", "wheeled_transport"}


@pytest.mark.parametrize("rule", ["VBW-TER-06", "VBD-TER-01"])
def test_woods_VBW_TER_06_VBD_TER_01(rule: str) -> None:
    printed, found = table(rule), costs("woods")
    assert found["fast_foot"] == found["slow_foot"] == printed["infantry"]
    assert found["commanders"] == printed["command"]
    assert (found["horse"], found["guns"]) == (printed["mounted"], printed["artillery"])
    assert found["pack_transport"] == printed["pack_transport"]
    assert found["wheeled_transport"] == printed["wheeled_transport"]
    assert tables.GOING["woods"].disorders == ()


def test_broken_ground_VBW_TER_14_VBW_TER_15_VBW_TER_16() -> None:
    printed, found = table("VBW-TER-14"), costs("broken")
    assert (found["guns"], found["horse"], found["slow_foot"]) == (
        printed["artillery"],
        printed["cavalry"],
        printed["slow_infantry"],
    )
    assert found["fast_foot"] == found["foot_skirmishers"] == found["commanders"] == 1
    assert found["horse_skirmishers"] == 2
    assert tables.GOING["broken"].disorders == ("horse",)


def test_camps_and_farmyards_VBW_TER_38_VBD_TER_12() -> None:
    assert set(costs("camp").values()) == {table("VBW-TER-38")["all"]} == {table("VBD-TER-12")["all"]}


@pytest.mark.parametrize("rule", ["VBW-TER-17", "VBW-TER-19", "VBD-TER-13"])
def test_fences_and_tree_lines_VBW_TER_17_VBW_TER_19_VBD_TER_13(rule: str) -> None:
    found = dict(zip(tables.KINDS, tables.FENCE, strict=True))
    printed = table(rule)
    assert {found["fast_foot"], found["slow_foot"], found["foot_skirmishers"]} == {printed["infantry"]}
    assert found["commanders"] == printed["commander"]
    assert {found["guns"], found["pack_transport"], found["wheeled_transport"]} == {printed["artillery"]}
    assert {found["horse"], found["horse_skirmishers"]} == {printed["mounted"]}


def test_marsh_VBW_TER_09() -> None:
    rows = list(table("VBW-TER-09").values())
    assert [(row["cost"], row["disorder"]) for row in rows] == [row[1:] for row in tables.MARSH]
    assert [row[0] for row in tables.MARSH[:2]] == [2, 4]


def test_blocks_VBW_TER_39_VBW_TER_40_VBC_MOV_34() -> None:
    stands = table("VBW-TER-39")["town_block"]["capacity_infantry_stands"]
    assert tables.BLOCKS["large"] == stands * tables.ROOM_OF_STAND
    assert tables.BLOCKS["small"] == table("VBW-TER-40")["village_block"]["capacity_detachments"]


@pytest.mark.parametrize(
    ("rule", "key", "figure"),
    [
        ("VBW-CMD-01", "superior_radius_in", tables.SUPERIOR_RADIUS),
        ("VBD-CMD-01", "superior_radius_in", tables.SUPERIOR_RADIUS),
        ("VBW-MOV-11", "road_multiplier", tables.ROAD_MULTIPLE),
        ("VBW-MOV-11", "cross_country_multiplier", tables.COUNTRY_MULTIPLE),
        ("VBD-MOV-08", "road_multiplier", tables.ROAD_MULTIPLE),
        ("VBD-MOV-08", "cross_country_multiplier", tables.COUNTRY_MULTIPLE),
        ("VBW-MOR-02", "half_width_in", tables.DANGER_HALF_WIDTH),
        ("VBD-MOR-02", "half_width_in", tables.DANGER_HALF_WIDTH),
        ("VBW-MOR-07", "sp_lost", tables.ROUT_SP),
        ("VBD-MOR-08", "sp_lost", tables.ROUT_SP),
        ("VBW-TER-05", "visibility_inside_in", tables.SEEN_IN_FOREST),
        ("VBW-TER-07", "visibility_inside_in", tables.SEEN_IN_WOODS),
        ("VBW-VIS-04", "min_distance_to_lower_stand_in", tables.OBSTACLE_FROM_LOWER),
        ("VBW-NAT-05", "distance_in", tables.NATIVE_BREAKTHROUGH),
        ("VBD-NAT-03", "distance_in", tables.NATIVE_BREAKTHROUGH),
        ("VBW-SAV-08", "retire_in_per_hit", tables.RETIRE_PER_HIT),
        ("VBD-SAV-07", "retire_in_per_hit", tables.RETIRE_PER_HIT),
        ("VBW-MEL-06", "disorder_zone_in", tables.DISORDER_ZONE),
        ("VBD-MEL-06", "disorder_zone_in", tables.DISORDER_ZONE),
        ("VBW-MEL-14", "stop_short_in", tables.STOP_SHORT),
    ],
)
def test_single_figures(rule: str, key: str, figure: float) -> None:
    assert table(rule)[key] == figure


def test_a_native_bands_dice_and_range_VBW_NAT_06() -> None:
    printed, arm = table("VBW-NAT-06"), tables.SMALL_ARMS["native_american"]
    assert (printed["range_in"], printed["hits_on"]) == (arm.long, arm.long_hit)
    assert (printed["fire_dice"], printed["melee_dice"]) == (
        tables.DICE["detachment"].fire,
        tables.DICE["detachment"].melee,
    )
