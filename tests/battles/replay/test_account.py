"""Accounts of battles."""

import re
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.events import KINDS, RESULTS, BattleEvent
from battles.engine.fighting import FightResult
from battles.files.schema import (
    BattleFile,
    BattleGround,
    BattleLeader,
    BattleOutcome,
    BattleUnit,
    Feature,
    GeneralOutcome,
    StructureOutcome,
    UnitOutcome,
)
from battles.replay.account import TOLD, UNTOLD, compose_account, compose_summary
from battles.replay.rolls import LINES, list_log_lines, list_roll_lines
from battles.rulesets.registry import fight_battle
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import CONGRESS, CROWN, random_battle


@pytest.mark.parametrize("seed", range(8))
def test_an_account_opens_tells_turns_in_order_and_ends_with_the_cost(seed: int) -> None:
    file = random_battle(seed)
    result = fight_battle(file, seed, record=True)
    paragraphs = compose_account(file, result)
    assert paragraphs[0].startswith("Hubbardton. Crown with three units")
    assert paragraphs[-1] == compose_summary(file, result)
    clocks = [text.split(",")[0] for text in paragraphs[1:-1]]
    assert clocks == sorted(clocks)
    for text in paragraphs:
        assert text.endswith(".")
        assert "  " not in text


def test_summary_counts_what_was_lost() -> None:
    file = random_battle(3)
    result = fight_battle(file, 3, record=True)
    lost = sum(unit.sp_lost for unit in result.outcome.units if unit.id.startswith("crown"))
    start = sum(unit.sp_start for unit in result.outcome.units if unit.id.startswith("crown"))
    assert f"Crown lost {lost} of {start} strength points" in compose_summary(file, result)


def test_sides_are_called_by_their_names() -> None:
    names = {"crown": "Great Britain", "congress": "United States"}
    for seed in range(8):
        file = replace(random_battle(seed), side_names=names)
        text = " ".join(compose_account(file, fight_battle(file, seed, record=True)))
        assert "Great Britain with" in text and "United States lost" in text
        # Units of these forces are called after their sides' ids too.
        assert not re.search(r"(Crown|Congress) (with|lost|held|moving|had|meant)", text)


def test_a_battle_without_events_still_has_an_account() -> None:
    file = random_battle(3)
    outcome = fight_battle(file, 3).outcome
    assert len(compose_account(file, FightResult(outcome, (), outcome.turns))) == 2


def test_every_kind_of_event_is_told_or_left_out_on_purpose() -> None:
    kinds = {kind for kind, _ in KINDS}
    assert not TOLD & UNTOLD
    assert kinds <= TOLD | UNTOLD, "say in battles/replay/account.py whether an account tells it"


UNIT = BattleUnit("a", "62nd Foot", CROWN, TroopType.BRITISH_LINE, 5)
OTHER = BattleUnit("b", "Cilley's", CONGRESS, TroopType.CONTINENTAL_LINE, 5)
FILE = BattleFile(
    "Freeman's Farm",
    CROWN,
    CONGRESS,
    (UNIT, OTHER),
    leaders=(
        BattleLeader("f", "General Fraser", CROWN),
        BattleLeader("p", "General Phillips", CROWN, rank="senior"),
    ),
    ground=BattleGround(
        features=(
            Feature("open_woods", ((0, 0), (5, 0), (5, 5))),
            Feature("open_woods", ((20, 0), (25, 0), (25, 5))),
            Feature("building", ((40, 40),), id="house", name="Freeman's house"),
            Feature("bridge", ((60, 40),), id="bridge"),
        )
    ),
)


def said(kind: str, **more: Any) -> str:
    """The paragraph an account makes of one event."""
    empty = BattleEvent(1, CROWN, "E", kind, "a", "", (), 0, 0, "", "AWI-T-SEQ-01", 0.0, 0.0, 0)
    outcome = BattleOutcome("", 1, (UnitOutcome("a", 5, 0, 0), UnitOutcome("b", 5, 0, 0)))
    told = compose_account(FILE, FightResult(outcome, (replace(empty, **more),), 1))
    return told[1].partition(": ")[2] if len(told) == 3 else ""


def test_every_kind_told_makes_a_sentence_for_some_result() -> None:
    for kind in TOLD - {"fire", "fire_at_second_charge"}:
        told = {said(kind, target="f", result=result) for result in RESULTS}
        assert any(told), kind
        assert all(not text or text.endswith(".") for text in told), kind
    assert said("fire", target="b", result="hit") == "Crown's fire told: that of 62nd Foot upon Cilley's."
    assert said("fire", target="b", result="miss") == "Crown's fire, one discharge, did no harm."
    for kind in UNTOLD:
        assert said(kind, target="f") == ""


@pytest.mark.parametrize(
    ("kind", "target", "result", "text"),
    [
        ("general_under_fire", "f", "killed", "General Fraser fell at the head of 62nd Foot."),
        ("general_under_fire", "f", "wounded", "General Fraser was wounded at the head of 62nd Foot."),
        ("general_in_melee", "f", "captured", "General Fraser was taken in the press with 62nd Foot."),
        ("general_captured", "f", "", "General Fraser was taken with 62nd Foot."),
        ("chain_shaken", "f", "", "62nd Foot were shaken by the loss of General Fraser."),
        ("enters_building", "house", "", "62nd Foot threw themselves into Freeman's house."),
        ("lays_charge", "bridge", "", "62nd Foot laid powder under the bridge."),
        ("explosion", "bridge", "hit", "The bridge was blown up."),
        ("explosion", "bridge", "miss", "The bridge withstood the charges."),
    ],
)
def test_generals_and_works_are_told_by_name(kind: str, target: str, result: str, text: str) -> None:
    assert said(kind, target=target, result=result) == text


def test_those_of_whom_the_same_is_said_are_told_together() -> None:
    empty = BattleEvent(1, CROWN, "F", "charge", "a", "b", (), 0, 0, "", "AWI-T-CHG-01", 0.0, 0.0, 0)
    third = replace(UNIT, id="c", name="20th Foot")
    file = replace(FILE, units=(*FILE.units, third))
    outcome = BattleOutcome("", 1, tuple(UnitOutcome(unit.id, 5, 0, 0) for unit in file.units))
    events = (empty, replace(empty, actor="c"), replace(empty, actor="c", modifier=1))
    told = compose_account(file, FightResult(outcome, events, 1))[1]
    assert told.endswith(
        "62nd Foot and 20th Foot charged Cilley's. 20th Foot charged Cilley's in flank. "
        "62nd Foot and 20th Foot did not come up with Cilley's."
    )


def test_the_opening_names_commanders_and_ground() -> None:
    outcome = BattleOutcome("", 1, (UnitOutcome("a", 5, 0, 0), UnitOutcome("b", 5, 0, 0)))
    opening = compose_account(FILE, FightResult(outcome, (), 1))[0]
    assert "of five strength points in all, under General Phillips, came on" in opening
    assert opening.endswith("On the ground lay Freeman's house, two open woods and a bridge.")


def test_the_end_tells_of_generals_and_ruins() -> None:
    outcome = BattleOutcome(
        CROWN, 3, (UnitOutcome("a", 5, 1, 0), UnitOutcome("b", 5, 5, 0, "eliminated")),
        generals=(GeneralOutcome("f", "killed"), GeneralOutcome("p")),
        structures=(StructureOutcome("house", 6, 0), StructureOutcome("bridge", 6, 2)),
    )  # fmt: skip
    text = compose_summary(FILE, FightResult(outcome, (), 3))
    assert text.endswith("General Fraser was killed. Freeman's house was destroyed.")


@pytest.mark.parametrize("seed", range(6))
def test_rolls_show_every_die_with_modifier_total_and_rule(seed: int) -> None:
    file = random_battle(seed)
    result = fight_battle(file, seed, record=True)
    rolled = [event for event in result.events if event.dice or event.kind in ("shaken", "routed_by_fire")]
    lines = list_roll_lines(file, result)
    assert len(lines) == len(rolled) > 0
    for event, line in zip(rolled, lines, strict=True):
        assert f": {' and '.join(map(str, event.dice))}" in line
        assert line.endswith(f"({event.rule}).")
        if event.modifier and event.dice:
            assert f", {event.modifier:+d}, makes {event.total}" in line
    assert len(list_log_lines(file, result)) == len(result.events)


def test_a_roll_is_a_sentence() -> None:
    event = BattleEvent(2, CROWN, "E", "fire", "a", "b", (3, 4), 1, 8, "hit", "AWI-T-FIR-08", 10.0, 20.5, 90)
    outcome = BattleOutcome("", 1, (UnitOutcome("a", 5, 0, 0), UnitOutcome("b", 5, 0, 0)))
    result = FightResult(outcome, (event,), 1)
    line = "0 h 10, Crown, step E: 62nd Foot fire at Cilley's: 3 and 4, +1, makes 8: a hit (AWI-T-FIR-08)."
    assert list_roll_lines(FILE, result) == [line]
    assert list_log_lines(FILE, result) == [f"{line} At 10, 20.5, facing 90."]


@pytest.mark.parametrize(
    ("kind", "values", "text"),
    [
        ("move", {"total": 850}, "62nd Foot move 8.5 inches (AWI-T-FIR-08). At 10, 20, facing 0."),
        ("general_moves", {"actor": "", "target": "f"}, "General Fraser rides (AWI-T-FIR-08). At 10, 20."),
        ("breaks_off", {}, "62nd Foot break off, to come on again (AWI-T-FIR-08). At 10, 20, facing 0."),
        ("sp_lost", {"total": 2}, "62nd Foot lose 2 SP (AWI-T-FIR-08). At 10, 20, facing 0."),
        (
            "blast_dice",
            {"dice": (4,), "total": 12, "target": "bridge"},
            "the charges of 62nd Foot at the bridge: 4, 12 so far (AWI-T-FIR-08). At 10, 20, facing 0.",
        ),
    ],
)
def test_every_move_has_its_place(kind: str, values: dict[str, Any], text: str) -> None:
    empty = BattleEvent(1, CROWN, "C", kind, "a", "", (), 0, 0, "", "AWI-T-FIR-08", 10.0, 20.0, 0)
    outcome = BattleOutcome("", 1, (UnitOutcome("a", 5, 0, 0), UnitOutcome("b", 5, 0, 0)))
    assert list_log_lines(FILE, FightResult(outcome, (replace(empty, **values),), 1)) == [
        f"0 h 00, Crown, step C: {text}"
    ]


def test_every_kind_has_a_line_of_its_own() -> None:
    assert {kind for kind, _ in KINDS} <= set(LINES), "say in battles/replay/rolls.py what it is called"


def test_the_first_move_is_told_by_the_side_that_has_it() -> None:
    file = random_battle(2)
    result = fight_battle(file, 2, record=True)
    k = [event.kind for event in result.events].index("first_move")
    mover = result.events[k]
    assert {event.kind for event in result.events[:k]} <= {"first_move_level"}
    assert list_roll_lines(file, result)[k].split(": ")[-1].startswith(("Crown (", "Congress (")[mover.total])
