"""Fight battle files under the AWI rules. Importing this module loads numba; the registry does not."""

import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from battles.engine.dice import words
from battles.engine.dtypes import LARGE, NO_ERROR, SMALL, Size, blank
from battles.engine.events import decode
from battles.engine.fighting import ENGINE_VERSION, EngineError, FightResult
from battles.rulesets.awi.sequence import play
from battles.rulesets.awi.setup import outcome_read, rows_of, size_for, state_write
from battles.scenario import BattleFile, BattleOutcome, BattleUnit
from rosters.domain.vocabulary import TroopType

_local = threading.local()


def _workspace(size: Size) -> Any:
    """A state record of this thread, made once: zeroing the event room would cost more than a fight."""
    made: dict[Size, Any] = _local.__dict__.setdefault("states", {})
    if size not in made:
        made[size] = blank(size)
    return made[size]


def _clean(state: Any) -> None:
    """Zero everything but dice and events, which are written before they are read."""
    for name in state.dtype.names:
        if name not in ("dice", "events"):
            state[name] = np.zeros((), dtype=state.dtype[name])


def prepare(battle: BattleFile, size: Size) -> Any:
    """A fresh state record with the battle drawn up, without dice."""
    state = blank(size)
    state_write(state, battle)
    return state


class Fought:
    """One battle file made ready once, to be fought with many seeds."""

    def __init__(self, battle: BattleFile) -> None:
        self.battle = battle
        self._ready: dict[Size, Any] = {}

    def _load(self, size: Size) -> Any:
        state = _workspace(size)
        if size not in self._ready:
            _clean(state)
            state_write(state, self.battle)
            kept = [name for name in state.dtype.names if name not in ("dice", "events")]
            self._ready[size] = {name: state[name].copy() for name in kept}
        for name, value in self._ready[size].items():
            state[name] = value
        return state

    def run(self, seed: int, *, record: bool) -> Any:
        """Play once; a battle that outgrows the small layout is played again in the large one.

        The words of a seed are one stream, so the battle is the same in both.
        """
        for size in (SMALL, LARGE):
            if size is SMALL and size_for(self.battle) is LARGE:
                continue
            state = self._load(size)
            state["dice"][0, :] = words(seed, size.dice)
            state["recording"] = int(record)
            if play(state) == NO_ERROR:
                return state
        raise EngineError(
            f"The battle “{self.battle.title}” needs more dice or events than the engine holds; "
            "give it fewer turns or fewer units."
        )


def fight(battle: BattleFile, seed: int, *, record: bool = False) -> FightResult:
    """Fight one battle. The same battle and seed always end the same way.

    Raises BattleFileError when the battle cannot be fought.
    """
    state = Fought(battle).run(seed, record=record)
    ids = tuple(unit.id for unit in battle.units if unit.sp > 0)
    events = decode(rows_of(state), (battle.attacker, battle.defender), ids) if record else []
    outcome = outcome_read(state, battle, seed, ENGINE_VERSION)
    return FightResult(outcome=outcome, events=tuple(events), turns=outcome.turns)


def fight_many(battle: BattleFile, seeds: Iterable[int]) -> list[BattleOutcome]:
    """Outcomes for many seeds; the GIL is free while a battle is played, so threads help."""
    fought = Fought(battle)
    return [outcome_read(fought.run(seed, record=False), battle, seed, ENGINE_VERSION) for seed in seeds]


def _smallest() -> BattleFile:
    return BattleFile(
        title="A skirmish",
        attacker="crown",
        defender="congress",
        units=(
            BattleUnit("a", "47th Foot", "crown", TroopType.BRITISH_LINE, 5),
            BattleUnit("b", "2nd New Hampshire", "congress", TroopType.CONTINENTAL_LINE, 5),
        ),
        turns=1,
    )


def entry_points() -> tuple[tuple[str, Callable[[], None]], ...]:
    """What is compiled ahead, by name. The layout for more than 96 units is compiled when first needed."""

    def battles_of_96_units() -> None:
        state = prepare(_smallest(), SMALL)
        state["dice"][0, :] = words(1, SMALL.dice)
        play(state)

    return (("AWI battles of up to 96 units", battles_of_96_units),)
