"""Choosing among enemies: what each is worth is written down, then the best are looked at first."""

from typing import Any

from battles.engine.compile import jit

#: What an enemy out of question is worth.
NOTHING = -1.0e9


@jit
def best_of_value(g: Any, side: Any) -> Any:
    """The stand of a side that is of most value, or -1 when all are NOTHING."""
    best = -1
    for j in range(g.first[side], g.past[side]):
        if g.value[j] > NOTHING and (best < 0 or g.value[j] > g.value[best]):
            best = j
    return best
