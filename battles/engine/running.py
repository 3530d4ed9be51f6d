"""A battle drawn up once and fought many times: what is copied back between runs, a record a thread."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine.dice import words_of_many

#: Dice words a run is given at first; the few that need more are played again with all there is room for.
FIRST_WORDS = 1024
#: Runs played in one call of the compiled engine.
RUNS_AT_ONCE = 256

_local = threading.local()


def spans_of(state: Any, used: Mapping[str, int]) -> NDArray[np.int64]:
    """The 64-bit words of a record that a battle changes: the head, and so many rows of these arrays.

    The first array named comes right after the head.
    """
    fields = state.dtype.fields
    spans = [(0, fields[next(iter(used))][1] // 8)]
    for name, count in used.items():
        kind, start = fields[name][:2]
        spans.append((start // 8, (start + count * kind.base.itemsize) // 8))
    return np.array(spans, dtype=np.int64)


class Ready:
    """One battle drawn up in one layout and never changed after; every thread plays its own copy."""

    def __init__(self, size: Any, state: Any, used: Mapping[str, int], blank: Callable[[Any], Any]) -> None:
        self.size, self.state, self.blank = size, state, blank
        self.words = np.asarray(state).view(np.int64)
        self.spans = spans_of(state, used)
        #: Dice and events come last in the record and are written before they are read.
        self.lasting = state.dtype.fields["dice"][1] // 8
        self.ground = np.asarray(state["ground"][0])

    def workspace(self) -> Any:
        """This thread's own record of this layout, with this battle in it."""
        made: dict[Any, Any] = _local.__dict__.setdefault("states", {})
        holds: dict[Any, Any] = _local.__dict__.setdefault("holds", {})
        if self.size not in made:
            made[self.size] = self.blank(self.size)
        if holds.get(self.size) is not self:
            np.asarray(made[self.size]).view(np.int64)[: self.lasting] = self.words[: self.lasting]
            holds[self.size] = self
        return made[self.size]


def runs_of(seeds: Sequence[int]) -> Iterator[tuple[slice, NDArray[np.int64]]]:
    """Seeds in parts as large as one call plays, each with a row of dice words for every seed."""
    for start in range(0, len(seeds), RUNS_AT_ONCE):
        few = slice(start, min(start + RUNS_AT_ONCE, len(seeds)))
        yield few, words_of_many([int(seed) for seed in seeds[few]], FIRST_WORDS)
