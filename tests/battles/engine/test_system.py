"""A ruleset as what fights: layouts, voided runs, arrays in the SP of the file."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from battles.engine import running, system
from battles.engine.dtypes import CAPTURED, DICE_OVERRUN, ELIMINATED, IN_FIELD, LEFT_TABLE, ON_TABLE
from battles.engine.fighting import EngineError
from battles.engine.running import Array
from battles.engine.system import codes_of, in_columns, in_file
from battles.files.initial_positions import InitialPositions
from battles.files.schema import BattleFile, BattleOutcome
from battles.strength_conversion import back_of
from rosters.domain.vocabulary import TroopType
from tests.battles.engine.small import Piece, Room, blank, state
from tests.battles.forces import CONGRESS, CROWN, battle, battle_unit, leader

SMALL, LARGE = Room(dice=1100), Room(dice=2200)
#: A unit of five SP that never comes between two of two points each, and a general whom no brigade has.
FILE = battle(
    (
        battle_unit("a", CROWN, TroopType.BRITISH_LINE, 5),
        battle_unit("none", CROWN, TroopType.BRITISH_LINE, 0),
    ),
    (battle_unit("b", CONGRESS, TroopType.MILITIA, 3),),
    leaders=(leader("Howe"), leader("Gates", CONGRESS)),
)
#: Runs that need more dice than the small layout has, by their first word, are void in it.
needy: set[int] = set()


def played(made: Any, words: Any, spans: Any, fresh: Any, ground: Any, *more: Any) -> None:
    """Play nothing: a run's first word of dice says what came of it."""
    dice, _, results, units, leaders = more
    for run, word in enumerate(dice[:, 0].tolist()):
        void = word in needy and made["dice"].shape[1] == SMALL.dice
        results[run] = word % 3 - 1, 7, DICE_OVERRUN if void else 0
        units[run] = ((word % 2, 1, 2), (0, 0, 3))
        leaders[run] = 4, 9
    made["holder"], made["turn"] = results[-1, 0], 7


class Fought(system.BattleRunner):
    """The file under rules that count two points a unit."""

    def __init__(self, file: BattleFile, sizes: tuple[Room, ...] = (SMALL, LARGE)) -> None:
        super().__init__(file, (), sizes)
        self.drawn: list[Room] = []

    def draw_up(self, size: Room) -> running.DeployedBattle:
        self.drawn.append(size)
        made = blank(size)
        made["leaders"]["named"][0][:2] = (1, -1)
        return running.DeployedBattle(size, made, {"u": 2}, blank, played, (2, 3), (2,))

    def of_units(self, units: Array) -> tuple[Array, Array, Array]:
        back = [back_of(unit, 2) for unit in self.battle.units if unit.sp]
        places = codes_of(units[:, :, 2], {2: LEFT_TABLE, 3: ELIMINATED}, ON_TABLE)
        return *in_file(back, units[:, :, 0], units[:, :, 1]), places

    def of_leaders(self, leaders: Array) -> tuple[Array, Array]:
        return codes_of(leaders, {4: CAPTURED}, IN_FIELD), np.zeros_like(leaders)

    def turns(self, turns: Array) -> Array:
        return turns * 2


class System(system.RulesetEngine):
    """What the registry would ask."""

    def ready(self, battle: BattleFile) -> Fought:
        return Fought(battle)

    def outcome(self, battle: BattleFile, seed: int, state: Any, units: Any, leaders: Any) -> BattleOutcome:
        return BattleOutcome("", int(units[0, 1]), (), "none", "0", seed)

    def standing(self, battle: BattleFile) -> InitialPositions:
        raise NotImplementedError

    def entry_points(self, *, large: bool = False) -> tuple[tuple[str, Callable[[], None]], ...]:
        return ()


def first_word(seed: int) -> int:
    return int(running.draw_words_of_many([seed], 1)[0, 0])


def test_a_batch_is_in_the_order_of_the_file_and_in_its_points() -> None:
    seeds = list(range(40))
    batch = Fought(FILE).batch(seeds)
    words = [first_word(seed) for seed in seeds]
    assert batch.holder.tolist() == [word % 3 - 1 for word in words]
    assert set(batch.turns.tolist()) == {14}
    # a point of two is 3 SP of five, and both are all
    assert batch.lost.tolist() == [[3 * (word % 2), 0, 0] for word in words]
    assert batch.captured.tolist() == [[2 if word % 2 else 3, 0, 0] for word in words]
    assert batch.place.tolist() == [[LEFT_TABLE, ON_TABLE, ELIMINATED]] * 40
    assert batch.fates.tolist() == [[IN_FIELD, CAPTURED]] * 40
    assert len(Fought(FILE).batch([])) == 0


def test_a_run_that_outgrows_its_layout_is_played_in_the_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = Fought(FILE)
    monkeypatch.setattr("tests.battles.engine.test_system.needy", {first_word(3)})
    assert fought.batch([1, 2]).turns.tolist() == [14, 14]
    assert fought.drawn == [SMALL]
    batch = fought.batch([1, 3, 2])
    assert batch.holder.tolist() == [first_word(seed) % 3 - 1 for seed in (1, 3, 2)]
    assert fought.drawn == [SMALL, LARGE], "drawn up once in each"


def test_a_run_that_outgrows_the_largest_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.battles.engine.test_system.needy", {first_word(3)})
    with pytest.raises(EngineError, match="fewer turns or fewer units"):
        Fought(FILE, (SMALL,)).run(3, record=False)


def test_what_the_registry_asks_for() -> None:
    system = System()
    result = system.fight(FILE, 5)
    assert (result.turns, result.outcome.seed, result.events, result.choices) == (1, 5, (), ())
    assert [one.seed for one in system.fight_many(FILE, [1, 2])] == [1, 2]
    assert len(system.fight_batch(FILE, [1, 2, 3])) == 3
    assert system.pieces(FILE) == ("a", "b")
    assert system.fight(FILE, 5, record=True).events == ()


def test_columns_go_to_their_places() -> None:
    values = np.array([[1, 2, 3], [4, 5, 6]])
    assert in_columns(values, [2, -1, 0], 4).tolist() == [[3, 0, 1, 0], [6, 0, 4, 0]]


def test_lost_and_captured_are_rounded_together() -> None:
    lost, captured = in_file([(0, 2, 3, 5)], np.array([[1], [0], [1]]), np.array([[1], [3], [0]]))
    assert (lost.tolist(), captured.tolist()) == ([[2], [0], [2]], [[1], [5], [0]])


def test_a_record_is_made_ready_for_another_run() -> None:
    made = state(Piece(), Piece(1))
    g, raw = made[0], np.asarray(made).view(np.int64)
    fresh, ground = raw.copy(), np.asarray(made["ground"][0]).copy()
    g.u[0].x, g.turn, g.ground_changed = 5.0, 9, 1
    g.ground[3, 3] = 1
    dice = np.arange(8).reshape(2, 4)
    spans = running.spans_of(made, {"u": 2})
    running.run_begins(g, raw, spans, fresh, ground, dice, 1, 1)
    assert (g.u[0].x, g.turn, g.ground_changed, g.ground[3, 3]) == (30.0, 0, 0, 0)
    assert (g.recording, g.dice_n, g.dice[:4].tolist()) == (1, 4, [4, 5, 6, 7])
