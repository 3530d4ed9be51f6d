"""Whose fire an account tells of, what commanders meant, names in short, and a field with nobody on it."""

from dataclasses import replace
from pathlib import Path

import pytest

from battles.engine.events import BattleEvent
from battles.engine.fighting import FightResult
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleOutcome,
    BattlePlan,
    Feature,
    PlanChoice,
    PlanTried,
    UnitOutcome,
)
from battles.ground.names import join_names
from battles.replay.account import compose_account
from battles.replay.replay import read_replay, write_replay
from battles.replay.rolls import list_log_lines, list_roll_lines
from battles.replay.words import describe_plan, format_possessive, short_names, shorten_names
from battles.rulesets.registry import fight_battle
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, force

LINE = TroopType.CONTINENTAL_LINE
FILE = battle(
    (battle_unit("62nd Foot", CROWN, LINE),),
    (battle_unit("Poor", CONGRESS, LINE),),
    side_names={CONGRESS: "The Americans"},
)
REDOUBT = Feature("redoubt", ((40, 40), (50, 40), (50, 45), (40, 45)))
SHOT = BattleEvent(1, CROWN, "E", "fire", "Poor", "62nd Foot", (), 0, 0, "hit", "AWI-T-FIR-08", 0.0, 0.0, 0)


def fought(file: BattleFile, *events: BattleEvent, choices: tuple[PlanChoice, ...] = ()) -> FightResult:
    units = tuple(UnitOutcome(unit.id, unit.sp, 0, 0) for unit in file.units)
    return FightResult(BattleOutcome("", 1, units), events, 1, choices)


def test_it_is_clear_whose_fire_told() -> None:
    missed = replace(SHOT, actor="62nd Foot", target="Poor", result="miss")
    told = compose_account(FILE, fought(FILE, SHOT, missed))[1]
    assert told == (
        "0 h 00, Crown moving: The Americans' fire told: that of Poor upon 62nd Foot. "
        "Crown's fire, one discharge, did no harm."
    )


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({}, "stood in the open."),
        ({"cover": "hard"}, "stood behind breastworks."),
        ({"ground": BattleGround(features=(REDOUBT,))}, "stood at their works."),
        ({"ground": BattleGround(features=(Feature("road", ((0, 0), (9, 9))),))}, "awaited them."),
        ({"plans": {CONGRESS: BattlePlan("assault")}}, "came to meet them."),
    ],
)
def test_the_defender_stands_as_the_file_has_him(more: dict[str, object], says: str) -> None:
    file = replace(FILE, **more)  # type: ignore[arg-type]
    assert says in compose_account(file, fought(file))[0]


def test_a_side_without_troops_is_told_of_as_absent() -> None:
    file = battle(force(CROWN, LINE), (), side_names={CONGRESS: "the militia"})
    result = fight_battle(file, 1, record=True)
    told = compose_account(file, result)
    assert told[0].startswith("Hubbardton. No troops of the militia stood on the field. Crown with one unit")
    assert told[-1] == "No troops of the militia stood on the field; Crown held it."
    nobody = battle((), ())
    assert (
        compose_account(nobody, fight_battle(nobody, 1))[-1]
        == "No troops of either side stood on the field; nobody held it."
    )


CHOICE = PlanChoice(
    CROWN,
    BattlePlan("turn_flank", flank="right"),
    (
        PlanTried(BattlePlan("assault", boldness=2), 0.25),
        PlanTried(BattlePlan("turn_flank", flank="right"), 0.75),
    ),
)


def test_what_commanders_meant_and_weighed_is_told() -> None:
    result = fought(FILE, SHOT, choices=(CHOICE,))
    says = (
        "Crown, having weighed two plans, meant to turn the flank on its right; The Americans meant to hold"
    )
    assert says in compose_account(FILE, result)[0]
    weighed = [
        "Before the battle, Crown weighs to assault boldly: worth 0.25.",
        "Before the battle, Crown weighs to turn the flank on its right: worth 0.75, and chooses it.",
    ]
    assert list_roll_lines(FILE, result) == weighed
    assert list_log_lines(FILE, result)[:2] == weighed


@pytest.mark.parametrize(("scale", "told"), [("25mm", ("12", "30, 13.5")), ("15mm", ("8", "20, 9"))])
def test_a_move_and_where_it_ends_are_told_in_inches_of_the_table_awi_t_sca_02(
    scale: str, told: tuple[str, str]
) -> None:
    move = BattleEvent(
        1, CROWN, "C", "move", "62nd Foot", "", (), 0, 1200, "", "AWI-T-MOV-01", 30.0, 13.5, 90
    )
    [line] = list_log_lines(replace(FILE, options={"scale": scale}), fought(FILE, move))
    assert f"move {told[0]} inches (AWI-T-MOV-01). At {told[1]}, facing 90." in line


def test_a_replay_keeps_what_was_weighed(tmp_path: Path) -> None:
    result = replace(fight_battle(FILE, 1, record=True), choices=(CHOICE,))
    write_replay(tmp_path / "a.json", FILE, result)
    assert read_replay(tmp_path / "a.json").result == result


def test_a_plan_is_told_with_all_it_says() -> None:
    plan = BattlePlan("hold", reserve_percent=20, boldness=-1, until=6, then="delay")
    assert describe_plan(plan) == (
        "to hold its ground warily with 20 % of the foot in reserve and after turn 6 to fire and fall back"
    )
    assert (format_possessive("Crown"), format_possessive("The Americans")) == ("Crown's", "The Americans'")


def test_long_names_are_told_in_full_once() -> None:
    rowe = "Captain Rowe's company of the 3rd New Hampshire"
    left, right = "Dearborn's light infantry, 1st division", "Dearborn's light infantry, 2nd division"
    assert short_names([rowe, left, right, "62nd Foot"]) == {rowe: "Captain Rowe's company"}
    told = shorten_names([f"{rowe} fired.", f"{rowe} and {left} ran; {rowe} rallied."], [rowe, left, right])
    assert told == [
        f"{rowe} fired.",
        f"Captain Rowe's company and {left} ran; Captain Rowe's company rallied.",
    ]


@pytest.mark.parametrize(
    "name",
    ["Col. Morgan, the “Old Waggoner”, & his rifle corps", "Smith, Jones & Co.'s company, 2nd battalion"],
)
def test_a_name_with_a_comma_stays_whole(name: str) -> None:
    assert short_names([name]) == {}
    said = [f"{name} fired.", f"{name} ran."]
    assert shorten_names(said, [name]) == said


def test_a_name_is_not_cut_within() -> None:
    prince, queen = "Prince of Wales's American Volunteers", "Captain Ferguson's corps of the Queen's Rangers"
    assert short_names([prince, queen]) == {queen: "Captain Ferguson's corps"}


def test_several_are_spoken_of_as_several() -> None:
    assert describe_plan(BattlePlan("hold"), "The Continentals") == "to hold their ground"
    assert (
        describe_plan(BattlePlan("turn_flank", flank="left"), "Congress") == "to turn the flank on its left"
    )
    choice = replace(CHOICE, side=CONGRESS)
    told = list_roll_lines(FILE, fought(FILE, choices=(choice,)))
    assert told[1].startswith("Before the battle, The Americans weigh to turn the flank on their right: ")
    assert told[1].endswith("and choose it.")


def test_names_like_lists_are_parted_by_semicolons() -> None:
    assert join_names(["Dearborn's, 1st division", "Poor"]) == "Dearborn's, 1st division; and Poor"
    assert join_names(["Poor", "Cilley and Hale", "Scammell"]) == "Poor; Cilley and Hale; and Scammell"
    assert join_names(["Poor", "Hale"]) == "Poor and Hale"


def test_guns_that_are_called_so_are_taken_themselves() -> None:
    file = replace(FILE, units=(FILE.units[0], replace(FILE.units[1], name="The redoubt's guns")))
    taken = replace(SHOT, kind="gun_captured", result="")
    assert "62nd Foot took The redoubt's guns." in compose_account(file, fought(file, taken))[1]
    assert "62nd Foot took the guns of Poor." in compose_account(FILE, fought(FILE, taken))[1]
    assert "The redoubt's guns are taken by 62nd Foot" in list_log_lines(file, fought(file, taken))[0]


CHARGE = replace(SHOT, kind="charge", actor="62nd Foot", target="Poor", result="")


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (
            replace(CHARGE, kind="shaken", target="Poor", total=8),
            "62nd Foot were stopped by the fire of Poor.",
        ),
        (replace(CHARGE, kind="occupy", target=""), "62nd Foot did not come up with Poor."),
        (replace(CHARGE, kind="routs_again", actor="Poor"), "Poor were cut up as they ran, and ran on."),
    ],
)
def test_a_charge_has_an_outcome_in_the_account(event: BattleEvent, says: str) -> None:
    assert says in compose_account(FILE, fought(FILE, CHARGE, event))[1]


def test_a_charge_that_is_fought_out_is_not_told_of_as_stopped() -> None:
    met, lost = replace(CHARGE, kind="contact"), replace(CHARGE, kind="melee_lost", total=1)
    told = compose_account(FILE, fought(FILE, CHARGE, met, lost))[1]
    assert told.endswith("62nd Foot charged Poor. 62nd Foot were worsted by Poor and fell back shaken.")


def test_who_was_not_engaged_is_told_at_the_end() -> None:
    file = replace(FILE, units=(*FILE.units, battle_unit("20th Foot", CROWN, LINE)))
    assert compose_account(file, fought(file, SHOT))[-1].endswith(" Of Crown, 20th Foot was not engaged.")


def test_the_dice_say_who_is_shaken_and_why() -> None:
    shaken = replace(SHOT, kind="shaken", actor="62nd Foot", target="Poor", total=6, modifier=5, result="")
    told = list_roll_lines(FILE, fought(FILE, shaken))
    assert "62nd Foot are shaken by Poor: 6 is more than their morale of 5 (" in told[0]
    caught = replace(SHOT, kind="surrender_test", dice=(2,), total=2, result="stand")
    assert (
        list_roll_lines(FILE, fought(FILE, caught))[0]
        .partition(" (")[0]
        .endswith(": 2: they do not surrender")
    )
