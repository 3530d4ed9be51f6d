"""The table of terrain in code is that of the catalogue, cell by cell."""

from typing import Any

import pytest

from battles.files.schema import Feature
from battles.rulesets.volley_bayonet.rtg import terrain as t
from battles.rulesets.volley_bayonet.rtg.tables import DISTANCES
from battles.rulesets.volley_bayonet.sight import can_see
from tests.battles.rulesets.volley_bayonet.rtg.books import RULES, table
from tests.battles.rulesets.volley_bayonet.rtg.forces import Stand, field, in_file, lay

#: The reading of the card's codes of saves.
SAVE_CODES: dict[str, int] = {
    "ST": t.SAVES_ALL,
    "STf": t.SAVES_FIRE,
    "STm": t.SAVES_MELEE,
    "STs": t.SAVES_SMALL_ARMS,
    "except_siege": t.NOT_SIEGE,
}
#: Rows of the table whose cells the catalogue prints by column.
ROWS = {
    "RTG-TER-02": "broken",
    "RTG-TER-04": "field_works",
    "RTG-TER-05": "forest",
    "RTG-TER-07": "fort",
    "RTG-TER-11": "marsh",
    "RTG-TER-12": "marshy_stream",
    "RTG-TER-13": "orchard",
    "RTG-TER-18": "swamp",
    "RTG-TER-19": "town",
}
#: Rows without an effect on movement.
FREE = {
    "RTG-TER-09": "hasty_works",
    "RTG-TER-21": "tree_line",
    "RTG-TER-22": "village",
}
SAVING = {
    "RTG-TER-02": "broken",
    "RTG-TER-04": "field_works",
    "RTG-TER-05": "forest",
    "RTG-TER-09": "hasty_works",
}


def bits(cell: Any, codes: dict[str, int]) -> int:
    """A cell of the catalogue as the code has it."""
    return sum(codes[code] for code in ([cell] if isinstance(cell, str) else cell))


@pytest.mark.parametrize("rule", ROWS)
def test_effects_on_movement_RTG_TER_00_02_04_05_11_12_13_18_19(rule: str) -> None:
    printed = table(rule)["movement"]
    assert tuple(printed) == t.COLUMNS
    assert tuple(bits(cell, t.CODES) for cell in printed.values()) == t.MOVES[ROWS[rule]]


@pytest.mark.parametrize("rule", FREE)
def test_ground_that_hinders_nobody_RTG_TER_09_21_22(rule: str) -> None:
    assert table(rule)["movement"] == "-"
    assert t.MOVES[FREE[rule]] == (0,) * 6


def test_rows_of_one_cell_for_all_RTG_TER_03_08_14() -> None:
    assert table("RTG-TER-03")["movement"]["all"] == "-" and t.MOVES["crops"] == (0,) * 6
    assert set(t.MOVES["fortress"]) == {bits(table("RTG-TER-08")["movement"]["all"], t.CODES)}
    assert set(t.MOVES["river"]) == {bits(table("RTG-TER-14")["movement"]["all"], t.CODES)}
    assert set(t.MOVES["stream"]) == {bits(table("RTG-TER-17")["movement"]["all"]["first"], t.CODES)}


def test_hills_RTG_TER_10() -> None:
    for column, cell in table("RTG-TER-10")["movement"].items():
        k = t.COLUMNS.index(column)
        one, two = ("-", "-") if cell == "-" else (cell["one_contour"], cell["two_contours"])
        assert (t.HILLS[0][k], t.HILLS[1][k]) == (bits(one, t.CODES), bits(two, t.CODES)), column


def test_marsh_RTG_TER_11() -> None:
    printed = table("RTG-TER-11")
    assert [bits(cell, t.CODES) for cell in printed["roll"].values()] == [row[1] for row in t.MARSH_ROWS]
    assert [row[0] for row in t.MARSH_ROWS[:2]] == [2, 4]
    assert printed["modifiers"] == {
        "artillery": t.MARSH_GUNS,
        "each_earlier_stand_same_spot": t.MARSH_TRODDEN,
    }


@pytest.mark.parametrize("rule", SAVING)
def test_saves_of_ground_RTG_SAV_06_RTG_TER_02_04_05_09(rule: str) -> None:
    printed, found = table(rule)["combat"], t.SAVES[SAVING[rule]]
    for k, column in enumerate(t.COLUMNS):
        cell = printed[column]
        # cavalry that finds skirmishers there melees them: what a charge comes to is no save
        if cell not in ("-", "skirmisher_stands_and_melees"):
            assert found[k] == sum(SAVE_CODES[code] for code in cell), column
        else:
            assert found[k] == 0, column


def test_forts_and_sunken_roads_RTG_TER_07_RTG_TER_16() -> None:
    combat = table("RTG-TER-07")["combat"]
    assert combat["save_vs_melee"] and combat["save_vs_artillery"] == "all_except_close_siege"
    assert set(t.SAVES["fort"]) == {t.SAVES_GUNS | t.SAVES_MELEE | t.NOT_CLOSE_SIEGE}
    sunken = table("RTG-TER-16")
    assert t.MOVES["sunken_road"] == t.MOVES[sunken["as"]]
    assert sunken["no_save"] == ["melee_by_infantry", "siege_artillery_fire"]
    for own, works in zip(t.SAVES["sunken_road"], t.SAVES[sunken["as"]], strict=True):
        assert own == (works | t.NOT_INFANTRY_MELEE if works else 0)


def test_sight_RTG_TER_05_13() -> None:
    """How far one sees in woods; what blocks sight is played by the core over a battle file's ground."""
    for rule, name in {"RTG-TER-05": "seen_in_forest", "RTG-TER-13": "seen_in_woods"}.items():
        printed = table(rule)["visibility"]
        assert printed["blocks"] and printed["edge_only"] and printed["within_in"] == DISTANCES[name]


@pytest.mark.parametrize(("deep", "seen"), [(0.2, True), (0.6, False)])
def test_who_is_in_forest_is_seen_at_its_edge_alone_RTG_TER_05_06(deep: float, seen: bool) -> None:
    g = field(Stand(x=16.0, y=5.0), Stand(1, x=16.0, y=10.0 + 0.75 + deep))
    lay(g, Feature("dense_woods", in_file((8.0, 10.0), (24.0, 10.0), (24.0, 18.0), (8.0, 18.0)), "it"))
    assert bool(can_see(g, 0, 1)) is seen is bool(can_see(g, 1, 0))


def test_shelter_RTG_MOR_05() -> None:
    assert set(table("RTG-MOR-05")["features"]) == t.SHELTERS


def test_every_code_of_the_card_is_known_RTG_TER_00() -> None:
    known = set(t.CODES) | set(SAVE_CODES) | {"BLOS", "m"}
    assert set(table("RTG-TER-00")["codes"]) <= known
    assert set(t.KINDS) == set(t.MOVES) == set(t.SAVES)
    assert len(RULES) == 113
