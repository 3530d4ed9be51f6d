"""What each side is shown of a fight that was kept (HR-BAT-10).

The replays of one fight are kept; write them again with

    AWI_GOLDEN=write python -m pytest tests/battles/replay/test_frames.py
"""

import gzip
import json
import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from battles.engine.events import BattleEvent
from battles.files.schema import BattleFile, BattleGround, BattlePlan, BattleUnit, Feature
from battles.replay.frames import FOLLOWS, MARCHES, Show, build_show, show_to_json
from battles.replay.replay import Replay, pack_replay, unpack_replay
from battles.replay.rolls import describe_event
from battles.replay.sight import (
    compose_redacted_account,
    known_to,
    list_sightings,
    redact_event,
    redact_replay,
)
from battles.replay.words import BattleNames
from battles.rulesets.registry import fight_battle
from rosters.domain.vocabulary import TroopType
from tests.battles.forces import random_battle

GOLDEN = Path(__file__).parents[2] / "golden" / "replays"
WOOD = Feature("dense_woods", ((60.0, 36.0), (95.0, 36.0), (95.0, 59.0), (60.0, 59.0)))


def little_fight() -> BattleFile:
    """Two battalions against one, and rangers in the thick wood far on the flank, who never stir."""
    units = (
        BattleUnit("x-1", "9th Foot", "crown", TroopType.BRITISH_LINE, 4, x=20, y=24, facing=0),
        BattleUnit("x-2", "24th Foot", "crown", TroopType.BRITISH_LINE, 4, x=26, y=24, facing=0),
        BattleUnit("x-3", "2nd New York", "rebel", TroopType.CONTINENTAL_LINE, 4, x=23, y=44, facing=180),
        BattleUnit(
            "x-4", "Whitcomb's Rangers", "rebel", TroopType.RANGERS, 3, x=90, y=54, facing=180, reserve=True
        ),
    )
    return BattleFile(
        title="A wood near Hubbardton",
        attacker="crown",
        defender="rebel",
        units=units,
        plans={"crown": BattlePlan("assault"), "rebel": BattlePlan("hold", reserve_percent=25)},
        turns=6,
        side_names={"crown": "the Crown", "rebel": "the Americans"},
        ground=BattleGround(features=(WOOD,)),
    )


@lru_cache
def kept(battle_name: str = "little", seed: int = 3) -> Replay:
    battle = little_fight() if battle_name == "little" else random_battle(int(battle_name))
    return unpack_replay(pack_replay(battle, fight_battle(battle, seed, record=True)))


def shown(replay: Replay, side: str) -> Show:
    return build_show(replay, side, list_sightings(replay).get(side))


def text(replay: Replay, side: str) -> str:
    return json.dumps(show_to_json(shown(replay, side)), ensure_ascii=False)


def test_a_reserve_never_in_sight_is_in_no_byte_hr_bat_10() -> None:
    replay = kept()
    seen = list_sightings(replay)
    assert set(seen["crown"]) == {"x-3"} and set(seen["rebel"]) == {"x-1", "x-2"}
    told = text(replay, "crown") + " ".join(compose_redacted_account(replay, "crown", seen["crown"]))
    assert "Whitcomb" not in told and "rangers" not in told and "reserve" not in told
    assert "Whitcomb" in text(replay, "rebel") and "Whitcomb" in text(replay, "")
    for key in ("x-1", "x-2", "x-3", "x-4"):
        assert f'"{key}"' not in text(replay, "crown") + text(replay, "rebel") + text(replay, "")


def test_the_hidden_weaker_and_under_another_name_look_the_same_hr_bat_10() -> None:
    battle = little_fight()
    hidden = replace(battle.units[3], name="Long's Regiment", formation="long", sp=2)
    other = replace(battle, units=(*battle.units[:3], hidden))
    elsewhere = unpack_replay(pack_replay(other, fight_battle(other, 3, record=True)))
    assert text(kept(), "crown") == text(elsewhere, "crown")
    assert text(kept(), "rebel") != text(elsewhere, "rebel")


def test_what_the_enemy_meant_is_not_told_hr_bat_10() -> None:
    replay = kept()
    cut = redact_replay(replay, "crown", list_sightings(replay)["crown"])
    assert set(cut.battle.plans) == {"crown"} and cut.outcome.seed is None
    told = compose_redacted_account(replay, "crown", list_sightings(replay)["crown"])[0]
    assert "the Crown meant to assault" in told.replace("The Crown", "the Crown")
    assert "hold" not in told


def test_of_an_enemy_nobody_saw_nothing_is_told_hr_bat_10() -> None:
    replay = kept()
    cut = compose_redacted_account(replay, "crown", {})
    assert cut[0] == "A wood near Hubbardton. Nothing was seen of the Americans."


@pytest.mark.parametrize("seed", range(8))
def test_nobody_is_shown_before_he_is_seen_hr_bat_10(seed: int) -> None:
    replay = kept(str(seed), seed)
    battle, seen = replay.battle, list_sightings(replay)
    for side in (battle.attacker, battle.defender):
        known = known_to(battle, side, seen[side])
        for number, event in enumerate(replay.events):
            cut = redact_event(event, known, seen[side], number)
            if cut is not None:
                for one in (cut.actor, cut.target):
                    assert seen[side].get(one, 0) <= number
        whole, part = shown(replay, ""), shown(replay, side)
        assert len(part.units) <= len(whole.units)
        hidden = {unit.name for unit in battle.units} - {unit["name"] for unit in part.units}
        rest = text(replay, side)
        assert not any(f'"{name}"' in rest for name in hidden)
        assert sum(len(frame.lines) for frame in part.frames) <= len(replay.events)


@pytest.mark.parametrize("seed", range(4))
def test_every_die_is_shown_once_and_nothing_is_lost(seed: int) -> None:
    replay = kept(str(seed), seed)
    lines = [line for frame in shown(replay, "").frames for line in frame.lines]
    assert [line.dice for line in lines] == [event.dice for event in replay.events]
    assert [line.rule for line in lines] == [event.rule for event in replay.events]


def test_marches_of_one_step_are_one_frame() -> None:
    frames = shown(kept(), "").frames
    for frame in frames:
        kinds = {line.kind for line in frame.lines[1:]}
        assert kinds <= MARCHES | FOLLOWS
    march = next(frame for frame in frames if len(frame.lines) > 1 and frame.lines[0].kind == "move")
    assert march.words == "The Crown: two units on the move" and march.step_name == "movement"


def test_who_comes_into_sight_late_has_no_place_before() -> None:
    replay = kept()
    show_late = build_show(replay, "crown", {"x-3": 4})
    (late,) = (unit for unit in show_late.units if unit["side"] == 1)
    assert "at" not in late
    first = next(line for frame in show_late.frames for line in frame.lines if line.changes)
    assert all(change[0] != late for change in first.changes)
    numbers = [change[0] for frame in show_late.frames for line in frame.lines for change in line.changes]
    assert 2 in numbers


def test_a_battle_of_forty_units_is_small() -> None:
    """Under 300 KB packed; a fight of a dozen is a few thousand bytes."""
    battle = little_fight()
    many = tuple(
        replace(unit, id=f"{unit.id}{n}", name=f"{unit.name} {n}", x=8.0 + 4.5 * (n + 10 * (k % 2)), y=unit.y)
        for n in range(10)
        for k, unit in enumerate(battle.units[:3])
    )
    battle = replace(battle, units=many, ground=None, turns=2, plans={})
    replay = unpack_replay(pack_replay(battle, fight_battle(battle, 1, record=True)))
    packed = gzip.compress(json.dumps(show_to_json(build_show(replay))).encode())
    assert len(packed) < 150 * len(replay.events) and len(packed) < 300_000


@pytest.mark.parametrize("side", ["crown", "rebel", "all"])
def test_the_replay_of_a_little_fight_is_as_it_was(side: str) -> None:
    path = GOLDEN / f"little-{side}.json"
    made = json.dumps(show_to_json(shown(kept(), side.replace("all", ""))), indent=1, ensure_ascii=False)
    if os.environ.get("AWI_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(made + "\n")
    assert json.loads(path.read_text()) == json.loads(made)


def test_a_rout_is_told_alike_of_one_wing_and_of_many_men_and_no_move_is_no_run() -> None:
    battle = little_fight()
    names = BattleNames(battle)
    run = BattleEvent(1, "crown", "E", "rout_move", "x-1", "", (), 0, 1250, "", "AWI-T-ROU-01", 0.0, 0.0, 0)
    assert describe_event(battle, names, run) == "9th Foot: rout of 12.5 inches"
    assert describe_event(battle, names, replace(run, total=0)) == "9th Foot: routing, without moving"
    assert (
        describe_event(battle, names, replace(run, kind="rout_test", total=7))
        == "9th Foot: test while routing"
    )
