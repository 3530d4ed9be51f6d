"""Points under rules of their own and SP of the file: there and back (HR-BAT-13)."""

import pytest

from battles.files.schema import BattleFile
from battles.rulesets import registry
from battles.strength_conversion import (
    ConvertedStrength,
    back_of,
    convert_losses,
    fighting_units,
    losses_in_file,
    map_brigade_names,
    points_by_men,
)
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, leader

BACK = (0, 2, 3, 5)
UNIT = ConvertedStrength("rangers", sp=5, points=3, stands=(1, 1, 1), brigade=1, back=BACK)


@pytest.mark.parametrize(
    ("lost", "captured", "sp"),
    [(0, 0, (0, 0)), (1, 0, (2, 0)), (0, 1, (0, 2)), (1, 1, (2, 1)), (1, 2, (2, 3)), (0, 3, (0, 5))],
)
def test_lost_and_captured_are_rounded_together_hr_bat_13(
    lost: int, captured: int, sp: tuple[int, int]
) -> None:
    assert UNIT.in_file(lost, captured) == sp == convert_losses(BACK, lost, captured)
    assert UNIT.on_table(*sp) == (lost, captured)


def test_sp_that_no_points_make_are_the_nearest_points_hr_bat_13() -> None:
    assert UNIT.on_table(1, 0) in {(0, 0), (1, 0)}
    assert UNIT.on_table(4, 1) == (2, 1)


@pytest.mark.parametrize("ruleset", ["vb_wing", "vb_division"])
def test_a_brigade_is_called_by_its_general_or_its_first_unit_vbw_org_03(ruleset: str) -> None:
    line = TroopType.BRITISH_LINE
    file = BattleFile(
        "Names",
        CROWN,
        CONGRESS,
        units=(
            battle_unit("9th", CROWN, line, formation="second"),
            battle_unit("20th", CROWN, line, formation="second"),
            battle_unit("24th", CROWN, line, formation="fraser"),
            battle_unit("battery", CROWN, TroopType.EUROPEAN_ARTILLERY),
            battle_unit("Poor", CONGRESS, TroopType.MILITIA, formation="poor"),
            battle_unit("Learned", CONGRESS, TroopType.MILITIA, formation="poor"),
        ),
        leaders=(
            leader("fraser"),
            leader("Hamilton", commands=("20th",)),
            leader("Burgoyne", rank="commander_in_chief"),
        ),
        ruleset=ruleset,
    )
    mustered = (registry.get_rules(ruleset).muster or pytest.fail)(file)
    called = map_brigade_names(file, mustered)
    assert {one.unit: called.get(one.brigade, "") for one in mustered} == {
        "9th": "9th",
        "20th": "Hamilton",
        "24th": "fraser",
        "battery": "",
        "Poor": "Poor",
        "Learned": "Poor",
    }


@pytest.mark.parametrize(
    ("kind", "sp", "points"),
    [
        (TroopType.BRITISH_LINE, 6, 8),
        (TroopType.BRITISH_LINE, 1, 1),
        (TroopType.RANGERS, 5, 3),
        (TroopType.AMERICAN_LIGHT_CAVALRY, 1, 1),
        (TroopType.EUROPEAN_ARTILLERY, 5, 2),
        (TroopType.BRITISH_LINE, 0, 0),
    ],
)
def test_points_are_men_or_guns_halves_up(kind: TroopType, sp: int, points: int) -> None:
    """Of forty men, or two guns."""
    assert points_by_men(battle_unit("a", CROWN, kind, sp), 40, 2) == points


def test_none_for_none_and_all_for_all() -> None:
    for sp in range(1, 7):
        unit = battle_unit("a", CROWN, TroopType.BRITISH_LINE, sp)
        for points in range(1, 12):
            back = back_of(unit, points)
            assert (len(back), back[0], back[-1]) == (points + 1, 0, sp)
            assert list(back) == sorted(back)
            assert losses_in_file(unit, points, 0, points) == (sp, 0)
            assert losses_in_file(unit, 0, points, points) == (0, sp)
    assert back_of(unit, 0) == (0,)


def test_more_cannot_be_lost_than_there_was() -> None:
    unit = battle_unit("Fraser", CROWN, TroopType.BRITISH_LINE, 6)
    with pytest.raises(ValueError, match="Fraser cannot lose 9 of 8 points"):
        losses_in_file(unit, 8, 1, 8)


def test_who_has_no_strength_does_not_come_to_the_table() -> None:
    line = TroopType.BRITISH_LINE
    units = (
        battle_unit("a", CROWN, line, 3),
        battle_unit("b", CROWN, line, 0),
        battle_unit("c", CROWN, line),
    )
    assert [unit.id for unit in fighting_units(BattleFile("Few", CROWN, CONGRESS, units))] == ["a", "c"]
