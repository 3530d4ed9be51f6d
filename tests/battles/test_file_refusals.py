"""What a newcomer gets wrong in a battle file is refused, or warned of where it can be fought."""

import copy
import json
from typing import Any

import pytest

from battles.errors import MOST_FAULTS, BattleFileError
from battles.files.initial_positions import WITHIN
from battles.files.reading import battle_from_json, parse_document
from battles.files.schema import BattleGround, BattlePlan, Feature
from battles.files.warnings import battle_warnings
from rosters.domain.vocabulary import TroopType
from tests.battles.files.test_ground_checks import RIVER, box, checked, refused, unit
from tests.battles.files.test_reading import DOCUMENT, changed
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit

FEATURE: list[Any] = ["ground", "features", 0]
PLAN: list[Any] = ["sides", 1, "plan"]


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ([*FEATURE, "kind"], "forest", "did you mean “dense_woods”"),
        ([*FEATURE, "kind"], "house", "did you mean “building”"),
        ([*FEATURE, "kind"], "xyz", "; there are rough, crops"),
        ([*FEATURE, "height"], 1, "height belongs to hill only; leave it out"),
        ([*FEATURE, "sp"], 4, "sp belongs to fence, wall"),
        (["ground", "features", 1, "material"], "stone", "belongs to bridge, building only"),
        (["title"], "", "title is empty"),
        (["units", 0, "traits"], ["pikes"], "only the variant ireland_1798 knows"),
        (["units", 0, "traits"], ["pikes", "pikes"], "names something twice"),
        (["leaders", 0, "commands"], ["24th", "24th"], "keep each once"),
        (["leaders", 0, "x"], 5, "leave out x and y"),
        (["title"], "  ", "title is empty"),
        (["units", 0, "poor_militia"], True, "only militia can"),
        (["units", 1, "reserve"], True, "cannot be a reserve"),
        (["units", 0, "side"], "crwn", "did you mean “crown”"),
        (["units", 0, "facing"], "south", "facing is .*0 looks at the defender's edge"),
        (["units", 0, "inside"], "redoubt", "works are no building; .* behind them by x and y"),
        (["units", 0, "inside"], "wood", "no building “wood” for 24th to hold; there is none"),
        (
            ["leaders", 0, "commands", 0],
            "24",
            "no such unit; .*There are 24th, battery|there are 24th, battery",
        ),
        (["leaders", 0, "with_unit"], "24 th", "did you mean “24th”"),
        (["ruleset"], "vb-wing", "did you mean “vb_wing”"),
        (
            ["ruleset"],
            "kriegsspiel",
            "There is no ruleset “kriegsspiel”; there are awi, vb_wing, vb_division",
        ),
        (["options", "evad"], "none", "did you mean “evade”"),
        (["options", "galloper_long_max"], 24, "cannot be 24; there are 21, 27"),
        (["options", "short_range_ball_factor"], False, "cannot be false; there are 0, -1"),
        (["options", "evade"], "non", "did you mean “none”"),
    ],
)
def test_what_is_wrong_is_refused_with_what_to_do(path: list[Any], value: Any, says: str) -> None:
    with pytest.raises(BattleFileError, match=says) as error:
        battle_from_json(changed(path, value))
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    assert error.value.field == steps.lstrip(".")


@pytest.mark.parametrize(
    ("plan", "field", "says"),
    [
        ({"kind": "assault", "flank": "left"}, "flank", "belongs to turn_flank and not to assault"),
        ({"kind": "hold", "then": "delay"}, "then", "needs the turn"),
        ({"kind": "delay", "goal": [4, 4]}, "goal", "not to delay"),
        ({"kind": "withdraw", "lookahead": True}, "lookahead", "not to withdraw"),
        ({"kind": "advance", "boldness": 1}, "boldness", "not to advance"),
        ({"kind": "withdraw", "reserve_percent": 5}, "reserve_percent", "not to withdraw"),
    ],
)
def test_a_plan_has_the_fields_of_its_kind(plan: dict[str, Any], field: str, says: str) -> None:
    with pytest.raises(BattleFileError, match=says) as error:
        battle_from_json(changed(PLAN, plan))
    assert error.value.field == f"sides[1].plan.{field}"


@pytest.mark.parametrize(
    "plan",
    [
        {"kind": "hold", "until": 3, "then": "turn_flank", "flank": "right"},
        {"kind": "delay", "goal": [4, 4], "lookahead": True},
    ],
)
def test_a_plan_may_have_the_fields_of_the_plan_it_becomes(plan: dict[str, Any]) -> None:
    assert battle_from_json(changed(PLAN, plan)).plans[CROWN].kind == plan["kind"]


@pytest.mark.parametrize(
    ("feature", "says"),
    [
        (Feature("building", ((96, 30),)), "with all its ground"),
        (Feature("building", ((130, 30),)), "with all its ground"),
        (Feature("open_woods", box(100, 0, 120, 20)), "lies off the table"),
        (Feature("wall", ((0, 70), (90, 61))), "lies off the table"),
        (Feature("bridge", ((48, 20),)), "no water under it"),
        (Feature("ford", ((48, 41),)), "no water under it"),
        (Feature("redoubt", box(0, 0, 96, 60)), "96 inches across"),
        (Feature("redoubt", ((0, 5), (80, 5)), open_gorge=True), "draw a longer work as fieldworks"),
        (Feature("redoubt", box(0, 0, 1, 1)), "too small for anybody"),
        (Feature("building", ((48, 29),)), "in the water; move it to a bank"),
    ],
)
def test_ground_that_makes_no_sense_is_refused_AWI_T_TER_01(feature: Feature, says: str) -> None:
    refused("ground.features[1].points", says, features=(RIVER, feature))


def test_two_buildings_do_not_stand_on_one_spot_AWI_T_TER_10() -> None:
    house, other = (Feature("building", ((x, 20),)) for x in (20, 22))
    refused("ground.features[1].points", "same ground as the building", features=(house, other))


def test_a_commander_in_chief_is_not_told_whom_he_commands_AWI_T_GEN_02() -> None:
    chief = {"id": "Howe", "side": "crown", "rank": "commander_in_chief", "commands": ["24th"]}
    with pytest.raises(BattleFileError, match="commands everything on his side"):
        battle_from_json(changed(["leaders", 0], chief))


def test_an_area_may_reach_over_the_table_on_all_sides_AWI_T_TER_01() -> None:
    checked(features=(Feature("rough", box(-5, -5, 99, 70)), Feature("road", ((-3, 10), (99, 12)))))


def warned(*units: Any, features: tuple[Feature, ...] = (), **more: Any) -> str:
    from_both = units or (unit(), battle_unit("enemy", CONGRESS, TroopType.CONTINENTAL_LINE))
    ground = BattleGround(features=features)
    return " ".join(battle_warnings(battle(from_both, (), ground=ground, **more)))


def test_water_that_nothing_crosses_is_warned_of_AWI_T_TER_08() -> None:
    assert "nothing crosses it" in warned(features=(RIVER,))
    assert "crosses" not in warned(features=(RIVER, Feature("bridge", ((48, 30),))))
    assert "crosses" not in warned(features=(RIVER, Feature("ford", ((10, 31),))))
    assert "crosses" not in warned(features=(Feature("river", ((0, 30), (60, 30))),))
    assert "nothing crosses it" in warned(features=(Feature("water", box(0, 25, 96, 28)),))
    both = (unit(x=20, y=10), battle_unit("enemy", CONGRESS, TroopType.CONTINENTAL_LINE, x=60, y=15))
    assert "crosses" not in warned(*both, features=(RIVER,))


def test_what_reaches_over_the_edge_and_who_comes_too_late_are_warned_of() -> None:
    assert "reaches 4 inches over the edge" in warned(features=(Feature("rough", box(90, 0, 100, 9)),))
    late = unit("47th Foot", arrives=40)
    assert "47th Foot arrives when the day of 36 turns is over" in warned(late)
    plan = {CROWN: BattlePlan("hold", until=40)}
    assert "The plan of Crown never changes: turn 40" in warned(plans=plan)
    assert not battle_warnings(battle_from_json(DOCUMENT))


def faults_of(document: dict[str, Any]) -> dict[str, str]:
    """The sentences on a document's faults by their place."""
    with pytest.raises(BattleFileError) as error:
        battle_from_json(document)
    return {fault.field: fault.message for fault in error.value.every}


def test_all_that_breaks_the_layout_is_told_at_once() -> None:
    document = changed(["units", 0, "sp"], "many")
    document["units"][1] |= {"posure": "line", "arives": 2}
    del document["sides"][0]["role"]
    found = faults_of(document)
    assert set(found) == {"units[0].sp", "units[1].posure", "units[1].arives", "sides[0].role"}
    assert all(text.endswith((".", "”")) for text in found.values())


def test_what_is_missing_is_told_each_by_itself() -> None:
    document = changed(["title"], "Hubbardton")
    del document["units"], document["sides"]
    assert set(faults_of(document)) == {"units", "sides"}


def test_all_that_cannot_be_fought_is_told_at_once() -> None:
    document = changed(["units", 0, "poor_militia"], True)
    document["units"][1] |= {"reserve": True, "side": "crwn"}
    document["leaders"][0] |= {"with_unit": "24 th"}
    document["options"] = {"evad": "none"}
    document["sides"][1]["plan"] = {"kind": "assault", "flank": "left"}
    assert set(faults_of(document)) >= {
        "units[0].poor_militia",
        "units[1].reserve",
        "units[1].side",
        "leaders[0].with_unit",
        "options.evad",
        "sides[1].plan.flank",
    }


def test_twenty_faults_are_told_at_the_most() -> None:
    document = changed(["title"], "Hubbardton")
    document["units"] = [{**document["units"][0], "id": f"u{n}", "facing": "south"} for n in range(30)]
    assert len(faults_of(document)) == MOST_FAULTS


def test_a_file_without_an_enemy_is_refused_but_for_what_one_side_saw_AWI_T_STR_01() -> None:
    document = changed(["title"], "Hubbardton")
    side, other = (one["id"] for one in document["sides"])
    document["units"] = [unit for unit in document["units"] if unit["side"] == side]
    document["leaders"] = [one for one in document.get("leaders", ()) if one["side"] == side]
    name = battle_from_json(document, part=True).side_name(other)
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(document)
    assert caught.value.message == f"{name} has no units. Add at least one unit that fights."
    assert (caught.value.rule_id, caught.value.field) == ("AWI-T-STR-01", "units")


def test_two_attackers_hide_no_other_fault() -> None:
    data = copy.deepcopy(DOCUMENT)
    for side in data["sides"]:
        side["role"] = "attacker"
    data["units"][0]["side"] = "nobody"
    data["units"][1]["id"] = data["units"][0]["id"]
    data["options"] = {"no_such": "on"}
    with pytest.raises(BattleFileError) as caught:
        battle_from_json(data)
    said = [fault.field for fault in caught.value.every]
    assert said[0] == "sides[1].role"
    assert {"units[0].side", "units[1].id"} <= set(said)
    assert any(field.startswith("options") for field in said)


def test_ids_that_programs_make_may_have_a_separator_and_texts_of_people_none() -> None:
    text = json.dumps({"stand": f"62nd Foot{WITHIN}1"})
    assert parse_document(text, separator=WITHIN) == json.loads(text)
    with pytest.raises(BattleFileError, match=r"invisible control character \(U\+001F\)"):
        parse_document(text)
