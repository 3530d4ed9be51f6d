"""A battle drawn up once and fought many times: what is copied back, seeds in parts, a record a thread."""

import threading
from typing import Any, NamedTuple

import numpy as np

from battles.engine.dice import draw_words
from battles.engine.running import FIRST_WORDS, RUNS_AT_ONCE, DeployedBattle, runs_of, spans_of

RECORD = np.dtype(
    [
        ("n", "i8"),
        ("turn", "i8"),
        ("u", np.dtype([("x", "f8"), ("sp", "i8")]), (4,)),
        ("leaders", np.dtype([("x", "f8"), ("y", "f8"), ("state", "i8")]), (3,)),
        ("width", "f8"),
        ("ground", "i8", (2, 3)),
        ("dice", "i8", (5,)),
    ]
)


def blank(size: Any) -> Any:
    return np.zeros(1, dtype=RECORD).view(np.recarray)


def played(*args: Any) -> None:
    """An entry that plays nothing: it tells what it was given, the dice as what came of leaders."""
    state, _, _, _, _, dice, recording, results, units, leaders = args
    results[:, 0], results[:, 1] = recording, state["turn"][0]
    units[:, 1, 2] = len(dice)
    leaders[:, 0] = dice[:, 0]


def ready(turn: int, size: Any = "small") -> DeployedBattle:
    state = blank(size)
    state["turn"], state["width"], state["dice"] = turn, 96.0, 9
    return DeployedBattle(size, state, {"u": 2, "leaders": 1}, blank, played, (2, 3), (1,))


def test_the_words_a_battle_changes_are_the_head_and_the_rows_in_use() -> None:
    # two words of the head, eight of stands, nine of leaders
    assert spans_of(blank(""), {"u": 2, "leaders": 1}).tolist() == [[0, 2], [2, 6], [10, 13]]
    assert spans_of(blank(""), {"u": 4, "leaders": 3}).tolist() == [[0, 2], [2, 10], [10, 19]]
    assert spans_of(blank(""), {"u": 0}).tolist() == [[0, 2], [2, 2]]


def test_spans_put_back_all_that_was_changed_and_nothing_else() -> None:
    one = ready(7)
    state = one.workspace()
    raw = np.asarray(state).view(np.int64)
    state["turn"], state["n"], state["width"] = 99, 3, 12.0
    state["u"]["sp"][0][1] = 5
    state["leaders"]["y"][0][0] = 2.5
    for start, stop in one.spans:
        raw[start:stop] = one.words[start:stop]
    assert (state["turn"][0], state["n"][0], state["u"]["sp"][0][1]) == (7, 0, 0)
    assert state["leaders"]["y"][0][0] == 0.0
    assert state["width"][0] == 12.0


def test_a_record_holds_the_battle_that_asks_for_it() -> None:
    one, two = ready(7), ready(8)
    first = one.workspace()
    assert first["turn"][0] == 7 and first["width"][0] == 96.0
    assert (first["dice"] == 0).all(), "dice are written before they are read"
    first["turn"] = 50
    assert one.workspace()["turn"][0] == 50, "its own battle is not copied again"
    assert two.workspace() is first and first["turn"][0] == 8
    assert one.workspace()["turn"][0] == 7
    assert one.state["turn"][0] == 7, "what is drawn up is never changed"
    assert ready(7, "large").workspace() is not first


def test_rulesets_with_sizes_of_equal_numbers_have_records_of_their_own() -> None:
    class Size(NamedTuple):
        units: int

    class OtherSize(NamedTuple):
        stands: int

    other_record = np.dtype([*((name, RECORD[name]) for name in RECORD.names or ()), ("more", "i8")])

    def other_blank(size: Any) -> Any:
        return np.zeros(1, dtype=other_record).view(np.recarray)

    one = ready(7, Size(4))
    mine, state = one.workspace(), other_blank(OtherSize(4))
    state["turn"] = 8
    two = DeployedBattle(OtherSize(4), state, {"u": 2, "leaders": 1}, other_blank, played, (2, 3), (1,))
    assert two.workspace().dtype.names == other_record.names
    assert two.workspace()["turn"][0] == 8
    assert one.workspace() is mine and mine["turn"][0] == 7


def test_every_thread_has_a_record_of_its_own() -> None:
    one = ready(7)
    mine, others = one.workspace(), []
    thread = threading.Thread(target=lambda: others.append(one.workspace()))
    thread.start()
    thread.join()
    assert others[0] is not mine
    assert others[0]["turn"][0] == 7


def test_seeds_are_played_in_parts_in_their_order() -> None:
    seeds = list(range(2 * RUNS_AT_ONCE + 3))
    parts = list(runs_of(seeds))
    assert [(few.start, few.stop) for few, _ in parts] == [
        (0, RUNS_AT_ONCE),
        (RUNS_AT_ONCE, 2 * RUNS_AT_ONCE),
        (2 * RUNS_AT_ONCE, len(seeds)),
    ]
    assert [dice.shape for _, dice in parts] == [(few.stop - few.start, FIRST_WORDS) for few, _ in parts]
    few, dice = parts[1]
    assert (dice[2] == draw_words(seeds[few.start + 2], FIRST_WORDS)).all()
    assert list(runs_of([])) == []


def test_seeds_may_be_numbers_of_any_kind() -> None:
    ((_, dice),) = runs_of(np.array([3, 5]))
    assert (dice[1] == draw_words(5, FIRST_WORDS)).all()
