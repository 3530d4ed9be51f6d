"""What events tell beside each other: why order was lost, whose a card is, what its die means."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from battles.engine.compile import is_interpreted
from battles.engine.events import BattleEvent
from battles.files.reading import read_battle
from battles.files.schema import BattleFile
from battles.replay.account import compose_account
from battles.replay.frames import build_show
from battles.replay.replay import pack_replay, unpack_replay
from battles.replay.rolls import list_log_lines, list_roll_lines
from battles.rulesets import registry
from battles.rulesets.volley_bayonet import states
from battles.rulesets.volley_bayonet.deck import CARDS
from battles.rulesets.volley_bayonet.event_text import BROUGHT, EFFECTS, HELPS, RESULTS, SAYINGS
from battles.rulesets.volley_bayonet.explaining import BY_OTHERS, explain_events
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetEngine
from battles.rulesets.volley_bayonet.positions import stand_id
from rosters.domain.vocabulary import TroopType
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.test_event_text import (
    FILE,
    ONE,
    OTHER,
    TELLING,
    THEIRS,
    TWO,
    UNIT,
    WING,
    event,
    fought,
    told,
)
from tests.battles.rulesets.volley_bayonet.test_fights import turned

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

NINTH = replace(UNIT, id="c", name="9th Foot")
FRIEND = stand_id(NINTH, 1, 2)
WITH_NINTH = replace(FILE, units=(UNIT, OTHER, NINTH))


def causes(*events: BattleEvent, battle: BattleFile = WITH_NINTH) -> list[str]:
    """The causes told of the stands that fall into disorder."""
    return [one.result for one in explain_events(battle, events, WING) if one.kind == "shaken"]


# why order was lost


def test_a_die_a_fence_and_a_breakthrough_right_before_are_its_cause_vbw_ter_09_vbw_ter_20_vbw_brk_01() -> (
    None
):
    shaken = event("shaken", step="B")
    marsh = event("marsh_die", step="B", dice=(5,), total=5)
    assert causes(marsh, shaken) == ["marsh"]
    assert causes(replace(marsh, dice=(3,), total=3), shaken) == [""]
    assert causes(replace(marsh, actor=TWO), shaken) == [""]
    fence = event("fence_die", step="D", dice=(5,), total=5, result="fails")
    assert causes(fence, replace(shaken, step="D")) == ["fence"]
    assert causes(event("breakthrough", step="D", target=THEIRS), replace(shaken, step="D")) == [
        "breakthrough"
    ]


def test_who_goes_into_houses_or_onto_bad_ground_he_has_won_is_told_so_vbw_ter_41_vbw_ter_02() -> None:
    shaken = event("shaken", step="B")
    for kind in ("enters_building", "leaves_building"):
        assert causes(shaken, event(kind, step="B", target="house")) == ["building"]
    assert causes(event("shaken"), event("occupy")) == ["ground"]
    # whether works or woods have done it as he broke through is not recorded
    assert causes(replace(shaken, step="D"), event("occupy", step="D")) == [""]


def test_of_who_loses_his_order_as_he_marches_no_cause_is_told() -> None:
    """Out of command (VBW-CMD-11), woods (VBW-TER-02) and works (VBW-TER-47) look alike."""
    assert causes(event("shaken", step="B"), event("move", step="B", total=600)) == [""]
    assert causes(event("shaken", step="B"), event("rout_move", step="B", actor=FRIEND)) == [""]


def test_a_failed_check_is_the_cause_until_somebody_runs_vbw_mor_05() -> None:
    failed = event("morale_check", step="D", dice=(6,), total=4, result="fails")
    other = replace(failed, actor=TWO, result="passes")
    shaken = event("shaken", step="D")
    runs = event("rout_move", step="D", actor=FRIEND, total=1600)
    assert causes(failed, other, shaken) == ["check"]
    again = replace(failed, result="passes")
    assert causes(failed, again, shaken) == [""], "a card let it roll again (VBW-CRD-23)"
    assert causes(other, shaken) == [""]
    assert causes(failed, runs, shaken) == [""]


def test_a_charge_of_warriors_that_fails_costs_them_no_order_vbw_nat_01() -> None:
    warriors = replace(UNIT, troop_type=TroopType.INDIANS)
    file = replace(WITH_NINTH, units=(warriors, OTHER, NINTH))
    charge = event("charge", step="B", target=THEIRS)
    failed = event("morale_check", step="D", dice=(6,), total=4, result="fails")
    other = replace(failed, actor=TWO, result="passes")
    shaken, runs = event("shaken", step="D"), event("rout_move", step="D", actor=FRIEND)
    assert causes(charge, failed, other, shaken, runs, battle=file) == ["friends"]
    assert causes(failed, other, shaken, runs, battle=file) == ["check"]


def test_who_is_run_through_is_told_by_whom_vbw_mor_07_vbw_mel_04_vbw_mel_06() -> None:
    shaken, runs = event("shaken", step="D"), event("rout_move", step="D", actor=FRIEND, total=1600)
    between = event("routs", step="D", actor=TWO)
    found = explain_events(WITH_NINTH, [shaken, between, runs], WING)[0]
    assert (found.result, found.target) == ("friends", FRIEND)
    assert causes(shaken, replace(runs, actor=TWO)) == ["comrades"]
    retreat = event("retire", total=800)
    lost = event("melee_lost", target=THEIRS)
    assert causes(lost, event("shaken"), retreat) == ["melee"]
    assert causes(lost, event("shaken"), replace(retreat, actor=FRIEND)) == ["friends"]
    assert causes(event("shaken"), retreat) == [""]
    assert causes(shaken, replace(runs, actor=THEIRS)) == [""]
    assert causes(shaken, event("charge", step="D"), runs) == [""]


def test_a_brigade_that_collapses_takes_its_own_with_it_vbw_col_06() -> None:
    collapse = event("collapses", step="G")
    own, other = event("shaken", step="G", actor=TWO), event("shaken", step="G", actor=FRIEND)
    apart = replace(WITH_NINTH, units=(replace(UNIT, formation="x"), OTHER, replace(NINTH, formation="y")))
    assert causes(collapse, own, battle=apart) == ["collapse"]
    assert causes(collapse, own, other, battle=apart) == ["collapse", ""]
    assert causes(collapse, event("rout_move", step="G", actor=ONE), own, battle=apart) == [""]


def test_what_another_did_is_untold_to_whom_he_is_unknown_hr_bat_10() -> None:
    for cause in BY_OTHERS:
        known = event("shaken", result=cause, target=FRIEND)
        assert TELLING.came(known) == RESULTS["shaken"][cause]
        assert not TELLING.came(replace(known, target=""))


def test_an_account_of_what_a_side_saw_explains_nothing_anew_hr_bat_10() -> None:
    """What it did not see is left out by then, and what is left might seem to explain it."""
    runs = event("rout_move", step="D", actor=FRIEND, total=1600)
    seen = fought(event("shaken", step="D"), runs)
    assert "came back through them" in compose_account(WITH_NINTH, seen)[1]
    assert compose_account(WITH_NINTH, seen, reader="crown")[1].endswith("62nd Foot fell into disorder.")


def test_an_account_tells_why_order_was_lost() -> None:
    """VBW-TER-09, VBW-MOR-07"""
    marsh = event("marsh_die", step="B", dice=(5,), total=5)
    assert told(marsh, event("shaken", step="B")) == "62nd Foot fell into disorder in the marsh."
    runs = event("rout_move", step="D", actor=FRIEND, total=1600)
    paragraph = compose_account(WITH_NINTH, fought(event("shaken", step="D"), runs))[1]
    assert paragraph.endswith("62nd Foot fell into disorder as 9th Foot came back through them.")
    assert list_roll_lines(FILE, fought(marsh, event("shaken", step="B")))[-1].endswith(
        "fall into disorder: the marsh breaks their order (VBW-COM-01)."
    )


#: Kernels that let a stand lose its order, by the cause that may be told of it.
KERNELS = {
    "settle_checks": "check", "check_unit": "check", "collapse_brigade": "collapse", "enter_marsh": "marsh",
    "try_fence": "fence", "enter_block": "building", "charges_on": "breakthrough", "lose_melee": "melee",
}  # fmt: skip


@contextmanager
def watched(calls: dict[int, tuple[str, str]]) -> Iterator[None]:
    """Note by the number of its event which kernel let a stand lose its order, and who called that one."""
    real = states.change_order

    def change(g: Any, i: Any, what: Any) -> Any:
        frame = sys._getframe(1)
        assert frame.f_back is not None
        calls[int(g.events_n)] = frame.f_code.co_name, frame.f_back.f_code.co_name
        return real(g, i, what)

    modules = [one for name, one in sys.modules.items() if name.startswith("battles.rulesets.volley")]
    with pytest.MonkeyPatch.context() as patch:
        for module in modules:
            if getattr(module, real.__name__, None) is real:
                patch.setattr(module, real.__name__, change)
        yield


if is_interpreted():
    # Kernels are watched where they are plain Python: `test_both_ways.py` runs this module that way too.

    def test_no_cause_is_told_but_the_one_there_was() -> None:
        draw, found = Random(1777), Counter[str]()
        files = [turned(draw, SCALES[name], most=5, turns=12) for name in sorted(SCALES) for _ in range(8)]
        files += [
            replace(read_battle(name), ruleset="vb_wing", options={"cards": "on"}) for name in ("oriskany",)
        ]
        for seed, file in enumerate(files):
            scale = SCALES.get(file.ruleset, WING)
            calls: dict[int, tuple[str, str]] = {}
            with watched(calls):
                events = VolleyBayonetEngine(scale).fight(file, seed, record=True).events
            for number, one in enumerate(explain_events(file, events, scale)):
                if one.kind != "shaken":
                    continue
                kernel, by = calls[number]
                # out of command or not, it goes into a house
                there_was = KERNELS.get(kernel) or {
                    "advance_winner": "ground",
                    "enter_block": "building",
                }.get(by, "")
                if kernel == "strike_friend":
                    there_was = one.result if one.result in ("friends", "comrades") else "friends"
                assert one.result in ("", there_was), (file.title, number, kernel, by)
                found[there_was or "on the march"] += one.result == there_was != ""
                found[f"{there_was or 'on the march'} in all"] += 1
        for cause in ("check", "friends", "melee", "building"):
            assert found[cause] == found[f"{cause} in all"] > 0, found


# cards


def test_every_card_is_somebody_s_and_does_something_vbw_crd_09() -> None:
    known = {str(card.number) for card in CARDS}
    assert set(EFFECTS) < known == set(SAYINGS["card"])
    # of those without an effect their die tells it
    assert known - set(EFFECTS) == {"11", "16", "17", "18", "41"}
    assert {card.number for card in CARDS} > HELPS


def card(number: int, **more: Any) -> BattleEvent:
    return event("card", step="B", total=number, **more)


@pytest.mark.parametrize(
    ("number", "actor", "whose"),
    [(21, THEIRS, "Crown's"), (49, ONE, "Rebel's"), (17, ONE, "Rebel's"), (17, THEIRS, "Crown's"),
     (18, ONE, "Crown's"), (13, ONE, "Rebel's"), (46, "", "Rebel's"), (16, "", "the")],
)  # fmt: skip
def test_a_card_is_told_with_its_player_vbw_crd_09_vbw_crd_17(number: int, actor: str, whose: str) -> None:
    [line] = list_roll_lines(FILE, fought(card(number, actor=actor)))
    assert f"step B: {whose} card “" in line and f"(VBW-CRD-{number})" in line


def test_a_card_on_a_unit_is_told_of_the_whole_unit_with_what_came_of_it_vbw_crd_01_vbw_crd_17() -> None:
    die = event("card_die", step="B", dice=(4,), total=4)
    lines = list_log_lines(FILE, fought(card(17), die))
    assert "Rebel's card “Bad Going” is played on 62nd Foot (VBW-CRD-17)" in lines[0]
    assert "62nd Foot: 4: inches off their move this turn: 4 (VBW-CRD-17)" in lines[1]
    assert told(card(17), die) == (
        "62nd Foot had Rebel's card “Bad Going” played against them. 62nd Foot were held up by bad going."
    )
    assert (
        told(card(29)) == "62nd Foot had Crown's card “Regulars!!” played for them and recovered their order."
    )


@pytest.mark.parametrize(("die", "result"), [(4, "officers"), (3, "no_officer")])
def test_officers_fall_by_the_die_vbw_crd_11(die: int, result: str) -> None:
    thrown = event("card_die", dice=(die,), total=4, result="passes" if die >= 4 else "fails")
    assert explain_events(FILE, [card(11), thrown], WING)[1].result == result


def test_sharpshooters_miss_bring_down_a_horse_or_hit_vbw_crd_16() -> None:
    for die, result in ((2, "missed"), (3, "unhorsed"), (4, "unhorsed"), (5, "struck")):
        thrown = event("card_die", actor="", dice=(die,), total=3, result="passes")
        assert explain_events(FILE, [card(16, actor=""), thrown], WING)[1].result == result
    more = event("card_die", actor="", dice=(5,), total=1, result="passes")
    hit = event("card_die", actor="", dice=(6,), total=3, result="passes")
    lines = list_roll_lines(FILE, fought(card(16, actor=""), hit, more))
    assert lines[-1].endswith("a die for the card: 5: turns he is out of command: 3 (VBW-CRD-16).")
    assert "a commander was hit" in told(card(16, actor=""), hit, more).lower()


def test_cards_drawn_are_one_line_for_each_side_vbw_crd_07() -> None:
    drawn = [event("card_drawn", step="-", actor="", total=side) for side in (0, 1) * 3]
    drawn = [replace(one, x=0.0, y=0.0) for one in drawn]
    one = drawn[0]
    assert list_log_lines(FILE, fought(*drawn, one)) == [
        "0 h 15, Crown, step -: Crown draws four cards (VBW-COM-01).",
        "0 h 15, Crown, step -: Rebel draws three cards (VBW-COM-01).",
    ]


def test_a_card_is_shown_with_what_it_brings_about_and_no_more_vbw_crd_11() -> None:
    file = replace(read_battle("oriskany"), ruleset="vb_wing", options={"cards": "on"})
    replay = unpack_replay(pack_replay(file, registry.fight_battle(file, 2, record=True)))
    frames = [frame for frame in build_show(replay).frames if frame.lines[0].kind == "card"]
    kinds = [[line.kind for line in frame.lines] for frame in frames]
    assert kinds and all(set(one[1:]) <= BROUGHT for one in kinds)
    assert ["card", "card_die", "morale_check"] in kinds, "officers are hit, and their unit checks"


def test_order_that_a_card_restores_is_of_that_card_vbw_crd_29_vbw_crd_30() -> None:
    stands = [event("recovers", step="B", actor=actor) for actor in (ONE, TWO, FRIEND)]
    rules = [one.rule for one in explain_events(WITH_NINTH, [card(29, actor=ONE), *stands], WING)]
    assert rules[:3] == ["VBW-CRD-29"] * 3 and rules[3] == stands[2].rule
    assert "recovers" in BROUGHT, "it is shown with the card"


def test_a_fight_with_cards_has_no_gaps_where_they_are_told() -> None:
    file = replace(read_battle("hubbardton"), ruleset="vb_wing", options={"cards": "on"})
    result = registry.fight_battle(file, 4, record=True)
    # stands to which a card restores order are named each by itself
    lines = [
        line
        for line in list_log_lines(file, result)
        if "VBW-CRD" in line and "recover their order" not in line
    ]
    assert any("is played on" in line for line in lines)
    assert not any("(right stand)" in line or ("card “" in line and "'s card" not in line) for line in lines
                   if "Sharpshooters" not in line)  # fmt: skip
