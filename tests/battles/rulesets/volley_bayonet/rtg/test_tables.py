"""The tables in code are those of the catalogue."""

from fractions import Fraction

import pytest

from battles.rulesets.volley_bayonet.rtg import tables
from battles.rulesets.volley_bayonet.tables import StandDice
from tests.battles.rulesets.volley_bayonet.rtg.books import CATALOGUE, RULES, table


def test_scales_RTG_GEN_01() -> None:
    assert (
        table("RTG-GEN-01")
        == CATALOGUE["scales"]
        == {
            "minutes_per_turn": tables.MINUTES_PER_TURN,
            "yards_per_inch": tables.YARDS_PER_INCH,
            "men_per_sp": tables.MEN_PER_SP,
            "guns_per_sp": tables.GUNS_PER_SP,
        }
    )


def test_bases_RTG_GEN_04_RTG_MOV_07() -> None:
    ruling = RULES["RTG-GEN-04"]["ruling"]
    names = {"massed": "massed brigade", "linear": "linear", "skirmisher": "skirmisher"}
    for name, (front, depth) in tables.BASES.items():
        assert f"{names.get(name, name)} {front}x{depth}" in " ".join(ruling.split())
    front, depth = tables.MARKER
    assert f"{front} x {depth}" in " ".join(RULES["RTG-MOV-07"]["ruling"].split())


def test_moves_and_markers_RTG_MOV_02_RTG_MOV_05() -> None:
    printed = table("RTG-MOV-02")
    assert {name: row["move"] for name, row in printed.items() if name != "infantry"} == {
        name: rate for name, rate in tables.RATES.items() if name != "infantry"
    }
    assert printed["infantry"]["move"] == tables.RATES["infantry"]
    foot, horse = printed["infantry"]["markers"], printed["light_cavalry"]["markers"]
    guns = printed["limbered_artillery"]["markers"]
    assert {
        "massed": foot["massed"],
        "linear": foot["linear"],
        "foot_skirmisher": foot["skirmisher"],
        "horse_skirmisher": horse["skirmisher"],
        "battalion": guns["battalion"],
        "battery": guns["battery"],
    } == tables.MARKERS
    assert table("RTG-MOV-05")["move"] == tables.MANHANDLED
    assert table("RTG-MOV-05")["facing_cost"] == tables.MANHANDLED * tables.HALF


def test_march_column_and_half_moves_RTG_MOV_06_RTG_CMD_05() -> None:
    printed = table("RTG-MOV-06")
    assert (printed["road"], printed["cross_country"]) == (tables.ROAD_MULTIPLE, tables.COUNTRY_MULTIPLE)
    assert Fraction(table("RTG-CMD-05")["move_factor"]) == tables.HALF


@pytest.mark.parametrize("kind", tables.DICE)
def test_dice_RTG_CBT_10_11_12_13(kind: str) -> None:
    printed = table("RTG-CBT-10")
    row = printed[kind if kind in printed else f"{kind}_close"]
    still = None if row["st_melee"] is None else (row["st_fire"], row["st_melee"])
    assert tables.DICE[kind] == StandDice(row["fire"] or 0, row["melee"], still)
    if "poor_musketry" in kind:
        better = tables.DICE[kind.removesuffix("_poor_musketry")]
        less = table("RTG-CBT-11")
        assert better.stationary is not None and still is not None
        assert still[0] - better.stationary[0] == less["stationary_fire_delta"]
        assert still[1] - better.stationary[1] == less["stationary_melee_delta"]
        assert (tables.DICE[kind].fire, tables.DICE[kind].melee) == (better.fire, better.melee)


def test_ranges_and_hits_RTG_RNG_01_RTG_CBT_15_RTG_CBT_22() -> None:
    printed, dice = table("RTG-RNG-01"), table("RTG-CBT-10")
    assert printed["smoothbore"] == {"close": None, "long": tables.SMALL_ARMS["smoothbore"].long}
    assert tables.SMALL_ARMS["rifle"].long == tables.SMALL_ARMS["smoothbore"].long
    gun = table("RTG-CBT-22")
    piece = tables.SMALL_ARMS["dedicated_gun"]
    assert (gun["range_in"], gun["extra_dice"]) == (piece.long, tables.DEDICATED_DICE)
    assert printed["dedicated_gun"] == {"close": None, "long": piece.long}
    assert min(gun["hit"]) == piece.long_hit
    for name, gun_of in tables.GUNS.items():
        row = printed["heavy_and_siege_guns" if name in ("heavy_guns", "siege_guns") else name]
        assert (row["close"], row["long"]) == (gun_of.short, gun_of.long)
        light = name == "very_light_guns"
        close = dice["artillery_battalion_very_light_close" if light else "artillery_battalion_close"]
        assert gun_of.short_hit == min(close["hit"])
        assert gun_of.long_hit == min(dice["artillery_battalion_long"]["hit"])


def test_modifiers_of_morale_RTG_MOR_03_to_13() -> None:
    found = tables.MORALE
    assert found["disordered"] == table("RTG-MOR-03")["disordered"]
    assert found["army_commander_attached"] == table("RTG-MOR-03")["army_commander_attached"]
    for rule, name in {
        "RTG-MOR-04": "defending_higher_ground",
        "RTG-MOR-05": "defending_building_or_works",
        "RTG-MOR-06": "artillery_meleed_by_cavalry",
        "RTG-MOR-07": "insecure_infantry_meleed_by_cavalry",
        "RTG-MOR-08": "attacked_in_flank",
        "RTG-MOR-09": "linear_or_march_column_meleed_in_flank",
        "RTG-MOR-10": "meleeing_enemy_in_flank",
        "RTG-MOR-11": "close_order_meleeing_skirmishers_only",
        "RTG-MOR-12": "meleeing_front_of_unlimbered_artillery",
        "RTG-MOR-13": "cavalry_meleeing_heavier_cavalry",
    }.items():
        assert found[name] == table(rule)["modifier"], name
    named = {name for name, value in found.items() if value}
    assert len(named) == 12, "all others the card does not have"


def test_modifiers_of_a_draw_RTG_MEL_03() -> None:
    assert table("RTG-MEL-03") == tables.TIES


@pytest.mark.parametrize(
    ("rule", "key", "figure"),
    [
        ("RTG-CMD-01", "radius_in", tables.COMMAND_RADIUS),
        ("RTG-CMD-03", "radius_in", tables.COMMAND_RADIUS),
        ("RTG-MOV-08", "min_gap_in", tables.GAP_KEPT),
        ("RTG-CHG-03", "min_gap_in", tables.GAP_KEPT),
        ("RTG-CHG-09", "move_back_in", tables.GAP_KEPT),
        ("RTG-CHG-05", "cavalry_skirmisher_retreat_in", tables.SKIRMISHERS_RETREAT),
        ("RTG-SAV-05", "retreat_in_per_save", tables.RETIRE_PER_HIT),
        ("RTG-ROU-01", "casualties", tables.ROUT_SP),
        ("RTG-MIS-01", "killed_on", tables.CHIEF_FALLS_ON),
    ],
)
def test_single_figures_of_the_catalogue(rule: str, key: str, figure: float) -> None:
    assert table(rule)[key] == figure


def test_half_a_move_to_cover_RTG_CHG_06() -> None:
    printed = table("RTG-CHG-06")
    assert printed["slow_infantry_in"] == tables.RATES["slow_infantry"] * tables.HALF
    assert printed["infantry_in"] == tables.RATES["infantry"] * tables.HALF


def test_towns_villages_and_fire_RTG_TER_20_RTG_TER_22_RTG_TER_24() -> None:
    town = table("RTG-TER-20")["capacity"]
    assert town["inf_skirm"] == tables.TOWN_ROOM
    assert town["inf_bde"] * tables.ROOM_OF_BRIGADE == tables.TOWN_ROOM
    assert table("RTG-TER-22")["capacity"] == {"inf_skirm": tables.VILLAGE_ROOM}
    fire = table("RTG-TER-24")
    assert min(fire["catch_fire_on"]) == tables.CATCHES_ON
    assert {name: min(dice) for name, dice in fire["out_on"].items()} == {
        "village": tables.VILLAGE_OUT_FROM,
        "town": tables.TOWN_OUT_FROM,
    }
    assert fire["first_out_roll"] == "second_turn_after" and tables.BURNS_FOR == 2
