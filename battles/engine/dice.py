"""Battle dice: raw 64-bit words of a bit generator, read as six-sided dice by rejection.

The raw words of a numpy bit generator are the same in every version of numpy; what its Generator
makes of them is not promised to be. A word is kept to 63 bits so that it fits a signed field.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine.compile import jit
from battles.engine.dtypes import DICE_OVERRUN

#: The largest multiple of six within 63 bits; words from here on are thrown again.
FAIR = (2**63 // 6) * 6


def words(seed: int, count: int) -> NDArray[Any]:
    """The first `count` words of the battle with this 64-bit seed; a longer draw only adds to them."""
    raw = np.random.PCG64(seed & (2**64 - 1)).random_raw(count)
    return (raw >> np.uint64(1)).astype(np.int64)


@jit
def d6(g: Any) -> Any:
    """The next die, 1 to 6. Past the last word the run is marked void and every die shows 1."""
    while g.cursor < g.dice_n:
        word = g.dice[g.cursor]
        g.cursor += 1
        if word < FAIR:
            return word % 6 + 1
    g.error = DICE_OVERRUN
    return 1
