"""Points under rules of their own and SP of the file: there and back (HR-BAT-13)."""

import pytest

from battles.mustering import Mustered, brigades_called, came_back
from battles.rulesets import registry
from battles.scenario import BattleFile
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle_unit, leader

BACK = (0, 2, 3, 5)
UNIT = Mustered("rangers", sp=5, points=3, stands=(1, 1, 1), brigade=1, back=BACK)


@pytest.mark.parametrize(
    ("lost", "captured", "sp"),
    [(0, 0, (0, 0)), (1, 0, (2, 0)), (0, 1, (0, 2)), (1, 1, (2, 1)), (1, 2, (2, 3)), (0, 3, (0, 5))],
)
def test_lost_and_captured_are_rounded_together_hr_bat_13(
    lost: int, captured: int, sp: tuple[int, int]
) -> None:
    assert UNIT.in_file(lost, captured) == sp == came_back(BACK, lost, captured)
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
    mustered = (registry.rules(ruleset).muster or pytest.fail)(file)
    called = brigades_called(file, mustered)
    assert {one.unit: called.get(one.brigade, "") for one in mustered} == {
        "9th": "9th",
        "20th": "Hamilton",
        "24th": "fraser",
        "battery": "",
        "Poor": "Poor",
        "Learned": "Poor",
    }
