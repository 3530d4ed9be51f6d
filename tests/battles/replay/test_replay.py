"""Replays hold every move and die, and are read without the engine."""

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from battles.engine.dtypes import ON_TABLE
from battles.errors import BattleFileError
from battles.files.reading import read_battle
from battles.files.schema import BattleFile
from battles.replay.replay import read_replay, write_replay
from battles.rulesets.awi.fighting import AwiBattleRunner
from battles.rulesets.registry import fight_battle, get_initial_positions
from tests.battles.forces import random_battle

ROOT = Path(__file__).resolve().parents[3]


def written(path: Path, seed: int = 3) -> BattleFile:
    battle = random_battle(seed)
    write_replay(path, battle, fight_battle(battle, seed, record=True))
    return battle


@pytest.mark.parametrize("name", ["fight.json", "fight.json.gz"])
@pytest.mark.parametrize("seed", range(4))
def test_what_was_written_is_read(tmp_path: Path, seed: int, name: str) -> None:
    path = tmp_path / name
    battle = written(path, seed)
    result = fight_battle(battle, seed, record=True)
    replay = read_replay(path)
    assert replay.battle == battle
    assert replay.result == result
    assert replay.standing == get_initial_positions(battle)
    assert replay.versions["engine"] == result.outcome.engine_version
    first = path.read_bytes()
    write_replay(path, battle, result)
    assert path.read_bytes() == first


def test_the_standing_is_where_the_first_moves_begin(tmp_path: Path) -> None:
    battle = written(tmp_path / "a.json")
    replay = read_replay(tmp_path / "a.json")
    assert [unit.id for unit in replay.standing.units] == [unit.id for unit in battle.units]
    assert replay.standing.width >= 96 and replay.standing.depth == 60
    for unit in replay.standing.units:
        assert 0 < unit.x < replay.standing.width
        assert 0 < unit.y < replay.standing.depth
        assert unit.due == next(each.arrives for each in battle.units if each.id == unit.id)


@pytest.mark.parametrize("seed", [*range(6), 49])
def test_no_move_is_missing_from_a_replay(tmp_path: Path, seed: int) -> None:
    battle = written(tmp_path / "a.json", seed)
    replay = read_replay(tmp_path / "a.json")
    places = {unit.id: (unit.x, unit.y, unit.face) for unit in replay.standing.units}
    for event in replay.events:
        if event.actor:
            places[event.actor] = (event.x, event.y, event.face)
    state = AwiBattleRunner(battle).run(seed, record=True)[0][0]
    for i, unit in enumerate(battle.units):
        u = state.u[i]
        if u.place == ON_TABLE:
            assert places[unit.id] == pytest.approx((u.x, u.y, u.face), abs=0.01), unit.id


def test_the_standing_holds_generals_and_works(tmp_path: Path) -> None:
    battle = read_battle("standard-fight")
    found = get_initial_positions(battle)
    ids = {unit.id for unit in battle.units}
    assert (found.width, found.depth) == (96.0, 60.0)
    assert [one.id for one in found.generals] == [leader.id for leader in battle.leaders]
    assert all(one.with_unit in ids or not one.with_unit for one in found.generals)
    assert {"building", "fence", "bridge"} <= {one.kind for one in found.structures}
    assert all(one.sp > 0 for one in found.structures)


def test_a_fight_without_events_makes_no_replay(tmp_path: Path) -> None:
    battle = random_battle(3)
    with pytest.raises(ValueError, match="not recorded"):
        write_replay(tmp_path / "a.json", battle, fight_battle(battle, 3))


def test_reading_needs_neither_numba_nor_django(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    written(path)
    code = (
        "import sys; from pathlib import Path; from battles.replay.replay import read_replay; "
        "from battles.replay.rolls import list_log_lines as log; "
        "from battles.replay.account import compose_account as account; "
        f"replay = read_replay(Path({str(path)!r})); "
        "assert log(replay.battle, replay.result) and account(replay.battle, replay.result); "
        "print('numba' in sys.modules, 'django' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


def damaged(data: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    return {**data, key: value} if value is not ... else {k: v for k, v in data.items() if k != key}


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("format", "awi-battle", "no replay"),
        ("version", 9, "reads 1"),
        ("events", ..., "no “events”"),
        ("events", [{"kind": "move", "colour": "red"}], "damaged"),
        ("events", [{"kind": ["move"]}], "damaged"),
        ("events", [{"kind": "fire", "dice": ["six"]}], "damaged"),
        ("events", 5, "no list"),
        ("outcome", {}, "damaged"),
        ("battle", {}, "There is no"),
    ],
)
def test_a_damaged_replay_is_refused(tmp_path: Path, key: str, value: Any, says: str) -> None:
    path = tmp_path / "a.json"
    written(path)
    path.write_text(json.dumps(damaged(json.loads(path.read_text()), key, value)))
    with pytest.raises(BattleFileError, match=says):
        read_replay(path)


def test_a_fault_of_the_battle_in_a_replay_has_its_whole_path(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    written(path)
    data = json.loads(path.read_text())
    data["battle"]["units"][0]["troop_type"] = "hussars"
    path.write_text(json.dumps(data))
    with pytest.raises(BattleFileError, match="no choice") as refused:
        read_replay(path)
    assert refused.value.field == "battle.units[0].troop_type"


def test_a_replay_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    written(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(BattleFileError, match="cannot be read"):
        read_replay(path)
    path.write_bytes(gzip.compress(b"[]")[:10] + b"\xff" * 20)
    with pytest.raises(BattleFileError, match="cannot be read"):
        read_replay(path)
    path.write_bytes(gzip.compress(b"[]"))
    with pytest.raises(BattleFileError, match="no replay"):
        read_replay(path)
    with pytest.raises(BattleFileError, match="cannot be read"):
        read_replay(tmp_path / "none.json")


def test_the_command_prints_moves_dice_or_the_account(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    written(path)
    replay = read_replay(path)
    lengths = []
    for options in ([], ["--dice"], ["--account"]):
        out = StringIO()
        call_command("replay", str(path), *options, stdout=out)
        lengths.append(len(out.getvalue().splitlines()))
    assert lengths[0] == len(replay.events)
    # who is shaken by the dice above stands under them (AWI-T-MOR-01)
    told = sum(bool(event.dice) or event.kind in ("shaken", "routed_by_fire") for event in replay.events)
    assert lengths[1] == told
    assert lengths[2] > 2
    with pytest.raises(CommandError) as refused:
        call_command("replay", str(tmp_path / "none.json"))
    assert refused.value.returncode == 2


def test_renamed_sides_are_kept(tmp_path: Path) -> None:
    battle = replace(random_battle(1), side_names={"crown": "Great Britain"})
    write_replay(tmp_path / "a.json", battle, fight_battle(battle, 1, record=True))
    assert read_replay(tmp_path / "a.json").battle.side_names == {"crown": "Great Britain"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\x89PNG\xff", "no replay"),
        (b"", "no replay"),
        (b'{"format": "awi-rep', "cut short"),
        (b"[]", "no replay"),
    ],
)
def test_a_foreign_file_is_refused_in_plain_words(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(BattleFileError, match=says) as refused:
        read_replay(path)
    assert "Errno" not in refused.value.message and "Error" not in refused.value.message
    with pytest.raises(BattleFileError, match="cannot be read: there is no such file"):
        read_replay(tmp_path / "none.json")
    with pytest.raises(BattleFileError, match="it is a folder"):
        read_replay(tmp_path)


def test_a_damaged_event_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    written(path)
    data = json.loads(path.read_text())
    data["events"][3] = {"kind": "first_move", "total": 7}
    path.write_text(json.dumps(data))
    with pytest.raises(BattleFileError, match="damaged here") as refused:
        read_replay(path)
    assert refused.value.field == "events[3]"
