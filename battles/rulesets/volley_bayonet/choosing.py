"""Choosing among enemies: what each is worth is written down, then the best are looked at first."""

from typing import Any

from battles.engine.compile import jit

#: What an enemy out of question is worth.
NOTHING = -1.0e9


@jit
def best_of_queue(g: Any, count: Any) -> Any:
    """The first stand of most value among so many of the queue, or -1 when all are worth NOTHING."""
    best, most = -1, NOTHING
    for k in range(count):
        j = g.queue[k]
        if g.value[j] > most:
            best, most = j, g.value[j]
    return best
