"""A battle drawn up once and fought many times: what is copied back between runs, a record a thread."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine.compile import jit
from battles.engine.dice import draw_words_of_many

#: Dice words a run is given at first; the few that need more are played again with all there is room for.
FIRST_WORDS = 1024
#: Runs played in one call of the compiled engine.
RUNS_AT_ONCE = 256

Array = NDArray[np.int64]
_local = threading.local()


@jit
def run_begins(
    g: Any, words: Any, spans: Any, fresh: Any, ground: Any, dice: Any, run: Any, recording: Any
) -> None:
    """Make a record ready for another run, with the dice of that row of `dice`.

    `words` is the record seen as 64-bit words; the `spans` of it that a battle changes are copied back from
    `fresh`, and the cells from `ground` if the last run has changed them.
    """
    if g.ground_changed == 1:
        g.ground[:, :] = ground
    for k in range(spans.shape[0]):
        start, stop = spans[k, 0], spans[k, 1]
        words[start:stop] = fresh[start:stop]
    g.recording = recording
    g.dice_n = dice.shape[1]
    for k in range(dice.shape[1]):
        g.dice[k] = dice[run, k]


def spans_of(state: Any, used: Mapping[str, int]) -> Array:
    """The 64-bit words of a record that a battle changes: the head, and so many rows of these arrays.

    The first array named comes right after the head.
    """
    fields = state.dtype.fields
    spans = [(0, fields[next(iter(used))][1] // 8)]
    for name, count in used.items():
        kind, start = fields[name][:2]
        spans.append((start // 8, (start + count * kind.base.itemsize) // 8))
    return np.array(spans, dtype=np.int64)


class DeployedBattle:
    """One battle drawn up in one layout and never changed after; every thread plays its own copy.

    `play_many` is the ruleset's entry; of each run it tells `units` and `leaders`, arrays of these shapes.
    """

    def __init__(
        self,
        size: Any,
        state: Any,
        used: Mapping[str, int],
        blank: Callable[[Any], Any],
        play_many: Callable[..., None],
        units: tuple[int, ...],
        leaders: tuple[int, ...],
    ) -> None:
        self.size, self.state, self.blank = size, state, blank
        self.play_many, self.units, self.leaders = play_many, units, leaders
        self.words = np.asarray(state).view(np.int64)
        self.spans = spans_of(state, used)
        #: Dice and events come last in the record and are written before they are read.
        self.lasting = state.dtype.fields["dice"][1] // 8
        self.ground = np.asarray(state["ground"][0])

    def workspace(self) -> Any:
        """This thread's own record of this layout, with this battle in it.

        Sizes of two rulesets are equal where their numbers are, though their records differ.
        """
        made: dict[Any, Any] = _local.__dict__.setdefault("states", {})
        holds: dict[Any, Any] = _local.__dict__.setdefault("holds", {})
        layout = (self.blank, self.size)
        if layout not in made:
            made[layout] = self.blank(self.size)
        if holds.get(layout) is not self:
            np.asarray(made[layout]).view(np.int64)[: self.lasting] = self.words[: self.lasting]
            holds[layout] = self
        return made[layout]

    def room(self, runs: int) -> tuple[Array, Array, Array]:
        """Arrays of zeros for the results of so many runs: holder, turns and error; units; leaders."""
        shapes = ((3,), self.units, self.leaders)
        results, units, leaders = (np.zeros((runs, *shape), dtype=np.int64) for shape in shapes)
        return results, units, leaders

    def play(self, dice: Array, *, record: bool = False) -> tuple[Any, Any, Any, Any]:
        """Play once for each row of dice: the record as it ended, results, units and leaders."""
        state, told = self.workspace(), self.room(len(dice))
        raw = np.asarray(state).view(np.int64)
        self.play_many(state, raw, self.spans, self.words, self.ground, dice, int(record), *told)
        return state, *told


def runs_of(seeds: Sequence[int]) -> Iterator[tuple[slice, Array]]:
    """Seeds in parts as large as one call plays, each with a row of dice words for every seed."""
    for start in range(0, len(seeds), RUNS_AT_ONCE):
        few = slice(start, min(start + RUNS_AT_ONCE, len(seeds)))
        yield few, draw_words_of_many([int(seed) for seed in seeds[few]], FIRST_WORDS)
