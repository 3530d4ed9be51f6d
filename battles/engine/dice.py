"""Battle dice: raw 64-bit words of a bit generator, read as six-sided dice by rejection.

The raw words of a numpy bit generator are the same in every version of numpy; what its Generator
makes of them is not promised to be. A word is kept to 63 bits so that it fits a signed field.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battles.engine.compile import jit
from battles.engine.dtypes import DICE_OVERRUN

#: The largest multiple of six within 63 bits; words from here on are thrown again.
FAIR = (2**63 // 6) * 6
#: The largest word there is.
LARGEST = 2**63 - 1
#: What numpy's SeedSequence mixes a seed with (numpy NEP 19 keeps it as it is).
_POOL, _INIT_A, _MULT_A, _INIT_B, _MULT_B = 4, 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_L, _MIX_R = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_HALF = np.uint32(16)


def draw_words(seed: int, count: int) -> NDArray[Any]:
    """The first `count` words of the battle with this 64-bit seed; a longer draw only adds to them."""
    raw = np.random.PCG64(seed & (2**64 - 1)).random_raw(count)
    return (raw >> np.uint64(1)).astype(np.int64)


def draw_words_of_many(seeds: Sequence[int], count: int) -> NDArray[Any]:
    """The words of each seed, a row for each (`draw_words`). Much faster, since seeding costs most."""
    raw = np.empty((len(seeds), count), dtype=np.uint64)
    for row, state in zip(raw, _seed_states(seeds), strict=True):
        # its stubs know no seed sequence but numpy's own
        row[:] = np.random.PCG64(_PresetSeedSequence(state)).random_raw(count)  # type: ignore[arg-type]
    raw >>= np.uint64(1)
    return raw.view(np.int64)


class _PresetSeedSequence(np.random.bit_generator.ISeedSequence):
    """A seed sequence whose state was calculated before, as SeedSequence would give it."""

    def __init__(self, state: NDArray[np.uint64]) -> None:
        self.state = state

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        return self.state


def _seed_states(seeds: Sequence[int]) -> NDArray[np.uint64]:
    """`SeedSequence(seed).generate_state(4, uint64)` of each 64-bit seed, all at once."""
    full = np.array([seed & (2**64 - 1) for seed in seeds], dtype=np.uint64)
    parts = [full.astype(np.uint32), (full >> np.uint64(32)).astype(np.uint32)]
    parts += [np.zeros(len(full), dtype=np.uint32)] * (_POOL - len(parts))
    const = _INIT_A

    def hash_part(value: NDArray[np.uint32], factor: int) -> NDArray[np.uint32]:
        nonlocal const
        value = value ^ np.uint32(const)
        const = const * factor & 0xFFFFFFFF
        value = value * np.uint32(const)
        return value ^ (value >> _HALF)

    pool = [hash_part(part, _MULT_A) for part in parts]
    for source in range(_POOL):
        for place in range(_POOL):
            if place != source:
                mixed = pool[place] * _MIX_L - hash_part(pool[source], _MULT_A) * _MIX_R
                pool[place] = mixed ^ (mixed >> _HALF)
    const = _INIT_B
    state = np.stack([hash_part(pool[k % _POOL], _MULT_B) for k in range(2 * _POOL)], axis=1)
    return state.astype("<u4").view("<u8").astype(np.uint64)


@jit
def roll_d6(g: Any) -> Any:
    """The next die, 1 to 6. Past the last word the run is marked void and every die shows 1."""
    while g.cursor < g.dice_n:
        word = g.dice[g.cursor]
        g.cursor += 1
        if word < FAIR:
            return word % 6 + 1
    g.error = DICE_OVERRUN
    return 1


@jit
def draw_below(g: Any, count: Any) -> Any:
    """A fair number from 0 to `count` - 1, for draws that are no six-sided die; 0 past the last word."""
    fair = (LARGEST // count) * count
    while g.cursor < g.dice_n:
        word = g.dice[g.cursor]
        g.cursor += 1
        if word < fair:
            return word % count
    g.error = DICE_OVERRUN
    return 0
