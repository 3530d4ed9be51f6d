"""Accounts and replays call a division alike; who never saw its commander is not told his name."""

from dataclasses import replace
from functools import lru_cache

from battles.engine.events import BattleEvent
from battles.files.reading import read_battle
from battles.files.schema import BattlePlan
from battles.replay.account import compose_account
from battles.replay.frames import build_show
from battles.replay.replay import Replay, pack_replay, unpack_replay
from battles.replay.rolls import describe_event, list_log_lines
from battles.replay.sight import compose_redacted_account, redact_event
from battles.replay.words import BattleNames
from battles.rulesets import registry
from battles.rulesets.volley_bayonet.rtg.scale import ROAD_TO_GLORY

TELLING = registry.get_rules(ROAD_TO_GLORY.id).telling


@lru_cache
def kept() -> Replay:
    """Freeman's Farm fought out by both sides, in which a division of each is exhausted."""
    file = read_battle("freemans-farm")
    file = replace(
        file, ruleset=ROAD_TO_GLORY.id, options={}, plans=dict.fromkeys(file.plans, BattlePlan("assault"))
    )
    return unpack_replay(pack_replay(file, registry.fight_battle(file, 16, record=True)))


def words(replay: Replay, side: str = "", seen: dict[str, int] | None = None) -> list[str]:
    """What a replay says of exhausted divisions."""
    lines = (line for frame in build_show(replay, side, seen).frames for line in frame.lines)
    return [line.words for line in lines if line.kind == "exhausted"]


def told(events: list[BattleEvent]) -> list[BattleEvent]:
    return [event for event in events if event.kind == "exhausted"]


def test_replay_rolls_and_account_call_a_division_by_the_same_commander_RTG_EXH_01_RTG_EXH_04() -> None:
    replay = kept()
    rolled, said = (
        " ".join(list_log_lines(replay.battle, replay.result)),
        " ".join(compose_account(replay.battle, replay.result)),
    )
    assert words(replay) == [
        "Simon Fraser's division is exhausted",
        "Benedict Arnold's division is exhausted",
    ]
    for line in words(replay):
        assert line in rolled
    assert "Simon Fraser's division had little more to give" in said
    assert "Benedict Arnold's division gave way altogether" in said


def test_who_never_saw_the_general_is_not_told_his_name() -> None:
    replay = kept()
    stands = {unit.id: 0 for unit in replay.table.units if unit.side == "rebel"}
    units = {unit.id: 0 for unit in replay.battle.units if unit.side == "rebel"}
    for seen in (stands, stands | units):
        one = words(replay, "crown", seen)
        assert one[0] == "Simon Fraser's division is exhausted"
        assert one[1].startswith("The division of 9th Massachusetts")
        assert "Arnold" not in " ".join(compose_redacted_account(replay, "crown", seen))
    assert words(replay, "crown", stands | {"arnold": 0})[1] == "Benedict Arnold's division is exhausted"
    event = told(list(TELLING.explained(replay.battle, replay.events)))[1]
    assert event.target == "arnold"
    cut = redact_event(event, set(stands), {}, 5)
    assert cut is not None and cut.target == ""


def test_a_division_without_a_commander_is_called_by_its_brigade() -> None:
    replay = kept()
    event = replace(told(list(replay.events))[0], target="", actor="light-1")
    nobody = replace(replay.battle, leaders=())
    (found,) = TELLING.explained(nobody, [event])
    assert found.target == ""
    assert TELLING.figure(nobody, found).startswith("the division of ")
    assert TELLING.figure(nobody, replace(found, actor="")) == "a division"


def test_an_army_commander_under_fire_is_told_by_name_or_by_his_side_RTG_MIS_01() -> None:
    battle = kept().battle
    die = replace(kept().events[0], kind="general_die", actor="", target="burgoyne", dice=(3,), total=6)
    names = BattleNames(battle)
    assert describe_event(battle, names, die) == "John Burgoyne is under fire, 6 or more fells him"
    nameless = describe_event(battle, names, replace(die, target=""))
    assert nameless.startswith("the Army Commander of Gates's left wing is under fire")
    nobody = replace(battle, leaders=())
    assert describe_event(nobody, BattleNames(nobody), die).startswith("an Army Commander is under fire")


def test_accounts_call_a_brigade_as_replays_do_and_none_of_its_units_stood_idle_RTG_GEN_01() -> None:
    replay = kept()
    battle = replay.battle
    pooled = [one for one in registry.get_rules(battle.ruleset).muster(battle) if len(one.units) > 1]
    names = {unit.id: unit.name for unit in battle.units}
    called = {one: f"{names[one.unit]} and {len(one.units) - 1} more" for one in pooled}
    lost = {unit.id for unit in replay.outcome.units if unit.sp_lost or unit.sp_captured}
    seen = dict.fromkeys([*names, *(unit.id for unit in replay.table.units)], 0)
    for paragraphs in (
        compose_account(battle, replay.result),
        compose_redacted_account(replay, "crown", seen),
    ):
        assert "strength points in all by the battle file" in paragraphs[0], (
            "which are others than on the table"
        )
        fought, idle = " ".join(paragraphs[:-1]), paragraphs[-1].partition(" Of ")[2]
        for one, name in called.items():
            if lost & {*one.units}:
                assert name not in idle, "who lost SP was engaged"
        assert any(name in fought for name in called.values())
        assert " were not engaged." in idle
        for one in pooled:
            for unit in one.units[1:]:
                assert names[unit] not in " ".join(paragraphs), "told with the first of its brigade"
