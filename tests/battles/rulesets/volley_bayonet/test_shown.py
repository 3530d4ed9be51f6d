"""What each side is shown of a fight of these rules, stand by stand, and the table at its end (HR-BAT-10).

The replays of one fight are kept; write them again with

    AWI_GOLDEN=write python -m pytest tests/battles/rulesets/volley_bayonet/test_shown.py
"""

import json
import os
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.engine.compile import is_interpreted
from battles.engine.dtypes import ON_TABLE
from battles.files.initial_positions import GeneralStanding
from battles.files.reading import read_battle
from battles.files.schema import BattleFile, BattleLeader
from battles.replay.account import compose_account
from battles.replay.frames import MARCHES, Show, build_show, show_to_json
from battles.replay.replay import Replay, pack_replay, read_replay, unpack_replay, write_replay
from battles.replay.rolls import list_log_lines, list_roll_lines
from battles.replay.sight import (
    compose_redacted_account,
    known_to,
    list_sightings,
    redact_event,
    redact_replay,
)
from battles.rulesets import registry
from battles.rulesets.volley_bayonet.event_text import telling_of
from battles.rulesets.volley_bayonet.fighting import VolleyBayonetBattleRunner, VolleyBayonetEngine
from battles.rulesets.volley_bayonet.positions import stand_id, unit_id
from battles.rulesets.volley_bayonet.records import DISORDERED, GOOD, PERMANENT, ROUTED
from tests.battles.replay.test_frames import GOLDEN, little_fight
from tests.battles.rulesets.volley_bayonet.books import SCALES
from tests.battles.rulesets.volley_bayonet.test_fights import turned
from tests.battles.tables import board_at_end

#: Whole fights are compiled in one process: it takes over a minute.
pytestmark = pytest.mark.xdist_group("volley bayonet fights")

EXAMPLES = 4 if is_interpreted() else 40
MOODS = {GOOD: "steady", DISORDERED: "shaken", PERMANENT: "shaken", ROUTED: "routing"}
TELLING = telling_of(SCALES["vb_wing"])


# the table


@given(st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_table_after_the_last_event_is_the_engines(draw: Random, seed: int) -> None:
    scale = SCALES[draw.choice(sorted(SCALES))]
    file = turned(draw, scale, most=4, turns=20)
    ready, system = VolleyBayonetBattleRunner(file, scale), VolleyBayonetEngine(scale)
    state, _, _ = ready.run(seed, record=True)
    result = system.fight(file, seed, record=True)
    table = telling_of(scale).pieces(file)
    board = board_at_end(table, system.standing(file), result.events)
    g = state[0]
    for i, unit in enumerate(table.units):
        u, piece = g.u[i], board.units[unit.id]
        if u.place == ON_TABLE:
            assert (piece.mood, piece.sp) == (MOODS[int(u.state)], u.sp), (unit.id, i)
            assert (piece.x, piece.y) == pytest.approx((u.x * 1.5, u.y * 1.5), abs=0.01), (unit.id, i)
        else:
            # the beaten who march off after the last event still stand
            assert not piece.stands or result.events[-1].kind == "battle_ends", unit.id
    for one in result.outcome.units:
        pieces = [piece for key, piece in board.units.items() if unit_id(key) == one.id]
        if one.fate == "eliminated" and pieces:
            assert not any(piece.stands for piece in pieces), one.id


# replays


def without_traits(file: BattleFile) -> BattleFile:
    """The battle without traits of other rules, so that its replay may be read again."""
    return replace(file, units=tuple(replace(unit, traits=()) for unit in file.units))


def little() -> BattleFile:
    """The little fight of all rulesets: two battalions against one, and rangers who never stir."""
    return replace(little_fight(), ruleset="vb_wing")


@lru_cache
def kept(seed: int = 3, cards: bool = False) -> Replay:
    battle = replace(little(), options={"cards": "on"} if cards else {})
    return unpack_replay(pack_replay(battle, registry.fight_battle(battle, seed, record=True)))


def shown(replay: Replay, side: str) -> Show:
    return build_show(replay, side, list_sightings(replay).get(side))


def text(replay: Replay, side: str) -> str:
    return json.dumps(show_to_json(shown(replay, side)), ensure_ascii=False)


@pytest.mark.parametrize("side", ["crown", "rebel", "all"])
def test_the_replay_of_a_little_fight_is_as_it_was(side: str) -> None:
    path = GOLDEN / f"vb-little-{side}.json"
    made = json.dumps(show_to_json(shown(kept(), side.replace("all", ""))), indent=1, ensure_ascii=False)
    if os.environ.get("AWI_GOLDEN") == "write":
        path.write_text(made + "\n")
    assert json.loads(path.read_text()) == json.loads(made)


def test_a_replay_is_read_as_it_was_written(tmp_path: Path) -> None:
    battle = little()
    result = registry.fight_battle(battle, 5, record=True)
    for name in ("kept.json", "kept.gz"):
        write_replay(tmp_path / name, battle, result)
        replay = read_replay(tmp_path / name)
        assert replay.events == result.events and replay.outcome == result.outcome
        assert replay.standing == registry.get_initial_positions(battle)
        assert [unit.id for unit in replay.table.units] == [one.id for one in replay.standing.units]
        assert compose_account(replay.battle, replay.result) == compose_account(battle, result)


@pytest.mark.parametrize("seed", range(3))
def test_every_die_is_shown_once_and_in_its_order(seed: int) -> None:
    replay = kept(seed, cards=True)
    lines = [line for frame in shown(replay, "").frames for line in frame.lines]
    assert [die for line in lines for die in line.dice] == [die for one in replay.events for die in one.dice]
    assert not any(line.sums for line in lines if line.kind in TELLING.each)
    rolled = " ".join(list_roll_lines(replay.battle, replay.result))
    assert rolled.count("(VBW-SAV-01)") == sum(line.kind == "save_die" for line in lines)


def test_a_reserve_never_in_sight_is_in_no_byte_hr_bat_10() -> None:
    replay = kept()
    seen = list_sightings(replay)
    assert all(unit_id(one) == "x-3" for one in seen["crown"]) and "x-3" in seen["crown"]
    told = text(replay, "crown") + " ".join(compose_redacted_account(replay, "crown", seen["crown"]))
    assert "Whitcomb" not in told and "rangers" not in told and "reserve" not in told
    assert "Whitcomb" in text(replay, "rebel") and "Whitcomb" in text(replay, "")
    assert "x-1" not in text(replay, "") and "\\u001f" not in text(replay, "")


def test_the_hidden_weaker_and_under_another_name_look_the_same_hr_bat_10() -> None:
    battle = little()
    hidden = replace(battle.units[3], name="Long's Regiment", formation="long")
    other = replace(battle, units=(*battle.units[:3], hidden))
    elsewhere = unpack_replay(pack_replay(other, registry.fight_battle(other, 3, record=True)))
    assert text(kept(), "crown") == text(elsewhere, "crown")
    assert text(kept(), "rebel") != text(elsewhere, "rebel")


def test_of_a_unit_only_the_stands_in_sight_are_shown_hr_bat_10() -> None:
    replay = kept()
    seen = dict.fromkeys(("x-3", stand_id(replay.battle.units[2], 1, 2)), 0)
    part = build_show(replay, "crown", seen)
    assert [unit["name"] for unit in part.units if unit["side"] == 1] == ["2nd New York (right stand)"]
    assert "left stand" not in "".join(
        line.words for frame in part.frames for line in frame.lines if "New York, left" in line.words
    )
    cut = redact_replay(replay, "crown", seen)
    hidden = stand_id(replay.battle.units[2], 2, 2)
    assert hidden not in {one.id for one in cut.standing.units}
    assert not any(hidden in (one.actor, one.target) for one in cut.events)


@given(st.randoms(use_true_random=False), st.integers(0, 2**64 - 1))
@settings(max_examples=EXAMPLES, deadline=None)
def test_nobody_is_shown_before_he_is_seen_hr_bat_10(draw: Random, seed: int) -> None:
    scale = SCALES[draw.choice(sorted(SCALES))]
    battle = without_traits(turned(draw, scale, most=4, turns=12))
    replay = unpack_replay(pack_replay(battle, registry.fight_battle(battle, seed, record=True)))
    seen = list_sightings(replay)
    for side in (battle.attacker, battle.defender):
        known = known_to(replay.table, side, seen[side])
        for number, one in enumerate(replay.events):
            cut = redact_event(one, known, seen[side], number)
            if cut is not None:
                assert all(seen[side].get(key, 0) <= number for key in (cut.actor, cut.target))
                assert {cut.actor} <= known | {""}
        part = build_show(replay, side, seen[side])
        hidden = {unit.name for unit in replay.table.units} - {unit["name"] for unit in part.units}
        hidden |= {one.name for one in battle.leaders} - {one["name"] for one in part.generals}
        rest = json.dumps(show_to_json(part), ensure_ascii=False)
        assert not any(f'"{name}"' in rest or f"{name} " in rest for name in hidden)
        for cut_unit in redact_replay(replay, side, seen[side]).battle.units:
            assert cut_unit.side == side or cut_unit.id in seen[side]


def test_a_general_by_himself_is_seen_where_he_stands_hr_bat_10() -> None:
    """One who rides alone before the enemy is shown, one behind the thick wood is not."""
    battle = replace(
        little(),
        leaders=(
            BattleLeader("r-1", "Seth Warner", "rebel"),
            BattleLeader("c-1", "Simon Fraser", "crown", rank="commander_in_chief"),
        ),
    )
    replay = unpack_replay(pack_replay(battle, registry.fight_battle(battle, 3, record=True)))
    seen = list_sightings(replay)
    assert "c-1" in seen["rebel"] and "r-1" in seen["crown"]
    assert [one["name"] for one in build_show(replay, "crown", seen["crown"]).generals] == [
        "Seth Warner",
        "Simon Fraser",
    ]
    away = replace(
        replay,
        standing=replace(replay.standing, generals=(GeneralStanding("r-1", 90, 50),)),
        events=tuple(one for one in replay.events if one.kind != "general_moves"),
    )
    assert "r-1" not in list_sightings(away)["crown"]
    assert "Warner" not in text(away, "crown")


def test_who_takes_a_general_has_seen_him_hr_bat_10() -> None:
    replay = kept()
    battle = replace(replay.battle, leaders=(BattleLeader("r-1", "Seth Warner", "rebel"),))
    taken = replace(replay.events[0], kind="general_captured", actor="", target="r-1", dice=(), x=0.0, y=0.0)
    standing = replace(replay.standing, generals=(GeneralStanding("r-1", 90, 50),))
    captured = replace(replay, battle=battle, standing=standing, events=(*replay.events[:-1], taken))
    found = list_sightings(captured)["crown"]
    assert found["r-1"] == len(captured.events) - 1
    assert any(
        "Seth Warner was made prisoner" in one for one in compose_redacted_account(captured, "crown", found)
    )


# frames


def test_disorder_on_the_march_is_shown_with_the_march_vbw_cmd_11_vbw_ter_02() -> None:
    battle = replace(read_battle("oriskany"), ruleset="vb_wing", turns=9)
    replay = unpack_replay(pack_replay(battle, registry.fight_battle(battle, 2, record=True)))
    frames = [frame for frame in shown(replay, "").frames if frame.step == "B"]
    kinds = [{line.kind for line in frame.lines} for frame in frames]
    assert any("shaken" in one and one & MARCHES for one in kinds)
    for before, after in pairwise(frames):
        same = (before.turn, before.side) == (after.turn, after.side)
        assert not (same and before.lines[-1].kind == "shaken" and after.lines[0].kind in MARCHES)


def test_a_move_and_where_it_ends_are_told_in_the_same_inches_vbw_gen_03() -> None:
    replay = kept()
    move = next(one for one in replay.events if one.kind == "move")
    [line] = list_log_lines(replay.battle, replace(replay.result, events=(move,)))
    assert f"move {move.total / 100:g} inches" in line
    assert f" At {round(move.x / 1.5, 2):g}, {round(move.y / 1.5, 2):g}, facing" in line


def test_a_volley_its_answer_and_what_they_cost_are_one_frame() -> None:
    for seed in range(3):
        frames = shown(kept(seed), "").frames
        for frame in frames:
            first = frame.lines[0]
            assert first.kind not in ("hit_die", "save_die", "sp_lost", "roll_off", "fence_die"), frame.words
            assert frame.words[:1] == frame.words[:1].upper()
            if first.kind == "fire":
                active = {
                    line.target for line in frame.lines if line.kind == "fire" and line.actor == first.actor
                }
                assert active == {first.target}
        checks = [frame for frame in frames if frame.words == "Tests of morale"]
        assert all(sum(line.kind == "morale_check" for line in frame.lines) > 1 for frame in checks)
