"""Battles of these rules as they are told: words for every kind, accounts without gaps."""

import re
from dataclasses import replace
from typing import Any

import pytest

from battles.engine.events import STRUCTURE_KINDS, BattleEvent
from battles.engine.fighting import FightResult
from battles.files.initial_positions import GeneralStanding, InitialPositions, UnitStanding
from battles.files.reading import read_battle
from battles.files.schema import BattleFile, BattleLeader, BattleOutcome, BattleUnit, UnitOutcome
from battles.replay.account import TOLD, UNTOLD, compose_account
from battles.replay.rolls import LINES, describe_event, list_log_lines, list_roll_lines
from battles.replay.sight import redact_event
from battles.replay.state import BattleBoard
from battles.replay.words import BattleNames
from battles.rulesets import registry
from battles.rulesets.volley_bayonet.event_text import telling_of
from battles.rulesets.volley_bayonet.events import KINDS, RESULTS
from battles.rulesets.volley_bayonet.positions import stand_id
from rosters.domain.vocabulary import TroopType
from tests.battles.rulesets.volley_bayonet.books import SCALES

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

WING = SCALES["vb_wing"]
TELLING = telling_of(WING)

UNIT = BattleUnit("a", "62nd Foot", "crown", TroopType.BRITISH_LINE, 6)
OTHER = BattleUnit("b", "Cilley's", "rebel", TroopType.CONTINENTAL_LINE, 6)
FILE = BattleFile(
    "Freeman's Farm",
    "crown",
    "rebel",
    (UNIT, OTHER),
    ruleset="vb_wing",
    leaders=(BattleLeader("f", "General Fraser", "crown"),),
)
ONE, TWO = stand_id(UNIT, 1, 2), stand_id(UNIT, 2, 2)
THEIRS = stand_id(OTHER, 1, 2)


def event(kind: str, **more: Any) -> BattleEvent:
    empty = BattleEvent(2, "crown", "F", kind, ONE, "", (), 0, 0, "", "VBW-COM-01", 10.0, 20.0, 0)
    return replace(empty, **more)


def fought(*events: BattleEvent) -> FightResult:
    return FightResult(
        BattleOutcome("", 2, (UnitOutcome("a", 6, 0, 0), UnitOutcome("b", 6, 0, 0))), events, 2
    )


def told(*events: BattleEvent) -> str:
    """The paragraph an account makes of events of one turn."""
    paragraphs = compose_account(FILE, fought(*events))
    return paragraphs[1].partition(": ")[2] if len(paragraphs) == 3 else ""


# words


def test_words_are_there_for_every_kind_and_for_no_other() -> None:
    kinds = {kind for kind, _ in KINDS}
    assert kinds <= set(LINES) | set(TELLING.lines)
    assert kinds <= TOLD | UNTOLD | set(TELLING.sayings) | TELLING.untold
    assert not set(TELLING.sayings) & TELLING.untold
    own = {*TELLING.lines, *TELLING.untold, *TELLING.follows, *TELLING.joint, *TELLING.each, *TELLING.implied}
    own |= {*TELLING.implied.values(), *TELLING.by_rolls, *TELLING.wavers, *TELLING.compared, *TELLING.brief}
    own |= {
        *TELLING.times,
        *TELLING.whole,
        *TELLING.brings,
        *(kind for each in TELLING.brings.values() for kind in each),
    }
    assert own | (set(TELLING.results) - {""}) <= kinds
    # a stand that is destroyed while others of its unit stand is told of by that name
    assert set(TELLING.sayings) - kinds == {"piece_lost"}


@pytest.mark.parametrize("kind", [kind for kind, _ in KINDS])
def test_every_kind_makes_a_line_without_gaps(kind: str) -> None:
    names = BattleNames(TELLING.pieces(FILE), FILE)
    for actor in (ONE, ""):
        number = 1 if kind == "card_drawn" else 21
        target = "f" if kind.startswith("general") else "" if kind in STRUCTURE_KINDS else THEIRS
        line = describe_event(FILE, names, event(kind, actor=actor, target=target, total=number))
        assert line and "{" not in line and "_" not in line and "\x1f" not in line
        if kind.startswith("general") or kind in ("battle_ends", "card_drawn", "card", "roll_off"):
            assert "nobody" not in line and "the enemy" not in line


@pytest.mark.parametrize("result", [result for result in RESULTS if result in ("passes", "fails", "rallied")])
def test_every_result_has_words(result: str) -> None:
    for kind in ("morale_check", "fence_die", "collapse_die", "general_die", "card_die", "rout_test"):
        said = TELLING.came(event(kind, result=result, dice=(4,), total=4))
        assert said is None or "_" not in said
    assert TELLING.came(event("collapse_die", result="passes")) == "they collapse"
    assert TELLING.came(event("morale_check", result="fails")) == "they fail"


def test_dice_of_one_volley_are_one_line_with_their_hits() -> None:
    """VBW-HIT-01, VBW-SAV-01"""
    fire = event("fire", target=THEIRS, total=2, result="hit")
    dice = [event("hit_die", target=THEIRS, total=5, dice=(die,)) for die in (6, 2, 5)]
    saves = [event("save_die", actor=THEIRS, total=4, dice=(die,)) for die in (1, 3)]
    lines = list_roll_lines(FILE, fought(fire, *dice, *saves))
    assert lines == [
        "0 h 15, Crown, step F: 62nd Foot (right stand) against Cilley's (right stand), 5 or more hits: "
        "6, 2, 5: two hits (VBW-COM-01).",
        "0 h 15, Crown, step F: Cilley's (right stand) save on 4 or more: 1, 3: no save (VBW-COM-01).",
    ]
    assert len(list_log_lines(FILE, fought(fire, *dice, *saves))) == 3


def test_a_turn_is_a_quarter_of_an_hour_vbw_gen_03() -> None:
    assert [TELLING.clock(turn) for turn in (1, 2, 5)] == ["0 h 00", "0 h 15", "1 h 00"]
    ended = event("battle_ends", actor="", turn=7, result="day_over")
    assert "after 1 h 45 of fighting" in compose_account(FILE, fought(ended))[-1]


# accounts


def test_fire_whose_hits_were_all_saved_did_no_harm_vbw_sav_01() -> None:
    fire = event("fire", target=THEIRS, total=1, result="hit")
    saved = event("save_die", actor=THEIRS, total=4, dice=(5,), result="passes")
    failed = replace(saved, dice=(2,), result="fails")
    assert told(fire, saved) == "Crown's fire, one discharge, did no harm."
    assert told(fire, failed) == "Crown's fire told: that of 62nd Foot upon Cilley's."
    other = replace(fire, actor=TWO, total=2)
    assert told(fire, other, saved, saved, failed).startswith("Crown's fire told")
    answered = event("fire", actor=THEIRS, target=ONE)
    assert told(fire, answered, saved) == "The fire of both sides, two discharges, did no harm."
    # saves of a melee are not those of the fire before it (VBW-SAV-05)
    melee = event("melee_roll", actor=TWO, target=THEIRS)
    assert told(fire, failed, melee, saved).startswith("Crown's fire told")


def test_a_unit_is_destroyed_with_its_last_stand_and_not_before() -> None:
    gone = event("eliminated")
    assert told(gone) == "62nd Foot had part of their line destroyed."
    both = told(gone, replace(gone, actor=TWO))
    assert both == "62nd Foot had part of their line destroyed. 62nd Foot were destroyed."


def test_a_charge_of_one_stand_has_its_own_outcome() -> None:
    """VBW-MOV-07"""
    charge, other = event("charge", target=THEIRS), event("charge", actor=TWO, target=THEIRS)
    met = event("melee_roll", target=THEIRS)
    fled = event("routs", actor=TWO)
    assert told(charge, other, met, fled) == (
        "62nd Foot charged Cilley's. 62nd Foot broke and ran. 62nd Foot lost heart before they closed with "
        "Cilley's."
    )
    assert "did not come up" in told(charge)


def test_what_says_it_all_is_not_said_twice() -> None:
    """VBW-MEL-04, VBW-MEL-09, VBW-COL-06, VBW-BRK-01"""
    lost, routed = event("melee_lost", target=THEIRS), event("melee_routed", target=THEIRS)
    assert told(lost, event("shaken")) == (
        "62nd Foot were worsted by Cilley's hand to hand and fell back in disorder."
    )
    assert told(routed, event("routs")) == "62nd Foot were broken by Cilley's hand to hand and ran."
    assert told(event("exhausted"), event("collapses")) == "The brigade of 62nd Foot gave way altogether."
    onward = event("charge", target=THEIRS), event("breakthrough", target=THEIRS), event("melee_roll")
    assert told(*onward) == "62nd Foot broke through to Cilley's."


def test_a_brigade_is_called_by_its_brigadier_where_he_is_known_vbw_exh_02_vbw_col_05() -> None:
    led = replace(FILE, leaders=(BattleLeader("f", "General Fraser", "crown", "brigadier", ("a",)),))
    events = (event("exhausted"), event("collapse_die", total=3, dice=(2,)), event("collapses", actor=TWO))
    lines = [line.partition(": ")[2] for line in list_log_lines(led, fought(*events))]
    assert [line.partition(" (")[0].partition(":")[0] for line in lines] == [
        "General Fraser's brigade is exhausted",
        "General Fraser's brigade rolls against collapse, 3 or less collapses",
        "General Fraser's brigade collapses",
    ]
    assert "General Fraser's brigade gave way altogether." in " ".join(compose_account(led, fought(*events)))
    for known in (FILE, TELLING.pieces(FILE)):
        assert TELLING.figure(known, event("exhausted")) == "the brigade of 62nd Foot"
    # to a side that never saw him the event comes without him
    (told_of, *_) = TELLING.explained(led, events)
    assert told_of.target == "f"
    cut = redact_event(told_of, {ONE, TWO}, {}, 5)
    assert cut is not None and TELLING.figure(led, cut) == "the brigade of 62nd Foot"


def test_an_officer_without_a_name_is_not_called_the_enemy_vbw_def_13() -> None:
    taken = event("general_captured", actor="")
    assert told(taken) == ""
    assert describe_event(FILE, BattleNames(FILE), taken) == "a commander is taken"
    assert told(replace(taken, target="f")) == "General Fraser was made prisoner."


def test_no_account_has_gaps_codes_or_doubled_sentences() -> None:
    for name, seed in (("oriskany", 2), ("hubbardton", 1)):
        for scale in SCALES:
            file = replace(read_battle(name), ruleset=scale, options={"cards": "on"})
            result = registry.fight_battle(file, seed, record=True)
            for paragraph in (*compose_account(file, result), *list_log_lines(file, result)):
                assert not re.search(r"nobody|\{|\x1f|upon \.|\.\.|\s\.", paragraph), paragraph
            for paragraph in compose_account(file, result)[1:-1]:
                said = paragraph.split(". ")
                assert len(set(said)) == len(said), paragraph


# the table


def test_a_general_who_falls_is_on_the_table_no_more_vbw_def_13() -> None:
    stood = (UnitStanding("a", 6, 10, 10, 0, "line"),)
    board = BattleBoard(FILE, InitialPositions(96, 60, stood, (GeneralStanding("f", 10, 8),)))
    board.apply(event("general_die", actor="", target="f", result="passes", dice=(2,)))
    assert board.generals["f"].there
    board.apply(event("general_die", actor="", target="f", result="fails", dice=(6,)))
    assert not board.generals["f"].there
