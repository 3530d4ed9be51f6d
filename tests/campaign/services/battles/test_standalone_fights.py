"""The check of a battle file refuses what the fight itself refuses (HR-BAT-12)."""

import subprocess
import sys
from typing import Any

import pytest

from battles.errors import BattleFileError
from battles.files.reading import battle_from_json
from battles.rulesets import registry
from campaign.services.battles.standalone_fights import NOT_DRAWN_UP, FightRefused, check_fight_document
from tests.prove.hostile_battle_files import area, fight, ground

WOOD = area("dense_woods", [[20.0, 2.0], [76.0, 2.0], [76.0, 40.0], [20.0, 40.0]])


def horse_in_the_wood(**more: Any) -> dict[str, Any]:
    """A battle in which cavalry is told to stand in the middle of a dense wood."""
    whole = fight(ground=ground(WOOD, **more))
    whole["units"][0] |= {"troop_type": "american_light_cavalry", "x": 48.0, "y": 20.0}
    return whole


def crowded(ruleset: str) -> dict[str, Any]:
    """A battle in which one side has far more troops than its half of a small table holds."""
    whole = fight(ruleset=ruleset, ground={"width": 24.0, "depth": 24.0, "features": []})
    first = next(unit for unit in whole["units"] if unit["side"] == "crown")
    others = [unit for unit in whole["units"] if unit["side"] != "crown"]
    whole["units"] = [first | {"id": f"crown{k}", "name": f"crown{k}", "sp": 6} for k in range(45)] + others
    return whole


def test_cavalry_in_dense_woods_is_refused_as_the_fight_refuses_it_AWI_T_TER_01() -> None:
    document = horse_in_the_wood()
    with pytest.raises(BattleFileError) as fought:
        registry.get_initial_positions(battle_from_json(document))
    with pytest.raises(FightRefused) as checked:
        check_fight_document(document)
    sentence = "crown0 cannot stand at 48, 20: that ground is closed to its kind of troops."
    assert checked.value.message == fought.value.message == sentence
    assert checked.value.faults == [("units[0].x", sentence)]
    assert checked.value.rule_id == fought.value.rule_id == "AWI-T-TER-01"


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_a_table_without_room_for_all_is_refused_by_the_check_as_by_the_fight_HR_BAT_12(ruleset: str) -> None:
    document = crowded(ruleset)
    with pytest.raises(BattleFileError) as fought:
        registry.get_initial_positions(battle_from_json(document))
    with pytest.raises(FightRefused) as checked:
        check_fight_document(document)
    assert checked.value.message == fought.value.message
    assert checked.value.message.startswith("There is no room to draw up crown")
    assert checked.value.rule_id == fought.value.rule_id
    assert checked.value.faults == [(fought.value.field, fought.value.message)]


@pytest.mark.parametrize("ruleset", [one.id for one in registry.RULESETS])
def test_a_battle_with_room_for_all_passes_the_check_of_every_ruleset_HR_BAT_12(ruleset: str) -> None:
    battle, warnings = check_fight_document(fight(ruleset=ruleset))
    assert battle.ruleset == ruleset
    assert NOT_DRAWN_UP not in warnings


def test_the_check_loads_no_compiler() -> None:
    code = (
        "import sys; from pkgutil import resolve_name; from battles.rulesets.registry import RULESETS;"
        "[resolve_name(one.posts) for one in RULESETS]; sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_side_without_units_is_refused_by_the_check_AWI_T_STR_01() -> None:
    document = fight()
    document["units"] = document["units"][:2]
    with pytest.raises(FightRefused, match=r"Rebel has no units\. Add at least one unit that fights\."):
        check_fight_document(document)


def test_a_table_too_large_to_be_drawn_up_at_once_is_said_to_be_HR_BAT_12() -> None:
    _, warnings = check_fight_document(horse_in_the_wood(width=200.0))
    assert warnings[-1] == NOT_DRAWN_UP
    _, warnings = check_fight_document(fight(ground=ground(WOOD)))
    assert NOT_DRAWN_UP not in warnings
