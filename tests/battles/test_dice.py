"""Battle dice: raw words of a seed, read without favour."""

from collections import Counter

import numpy as np
import pytest

from battles.engine.dice import FAIR, LARGEST, draw_below, draw_words, draw_words_of_many, roll_d6
from battles.engine.dtypes import DICE_OVERRUN, NO_ERROR, SMALL, make_blank_state


def test_the_words_of_a_seed_never_change() -> None:
    """PCG64 is promised to give these for ever; the journal's battles depend on it."""
    assert draw_words(1777, 3).tolist() == [int(w) >> 1 for w in np.random.PCG64(1777).random_raw(3)]
    assert draw_words(1, 2).tolist() == [4720721261117928063, 8766480278738261043]


def test_a_longer_draw_begins_with_the_shorter() -> None:
    assert draw_words(1777, 500)[:100].tolist() == draw_words(1777, 100).tolist()


def test_words_of_many_seeds_are_the_words_of_each() -> None:
    seeds = [0, 1, 1777, 2**32 - 1, 2**32, 2**63, 2**64 - 1, 2**64, -1]
    seeds += [int(seed) for seed in np.random.default_rng(1777).integers(2**63, size=50)]
    many = draw_words_of_many(seeds, 20)
    assert many.dtype == np.int64
    assert many.tolist() == [draw_words(seed, 20).tolist() for seed in seeds]
    assert draw_words_of_many([], 20).shape == (0, 20)


@pytest.mark.parametrize("seed", [0, 1777, 2**64 - 1])
def test_dice_are_fair(seed: int) -> None:
    state = make_blank_state(SMALL)
    state["dice"][0, :], state["dice_n"] = draw_words(seed, SMALL.dice), SMALL.dice
    g = state[0]
    faces = Counter(int(roll_d6(g)) for _ in range(6000))
    assert set(faces) == set(range(1, 7))
    assert max(abs(count - 1000) for count in faces.values()) < 150


def test_words_beyond_the_last_multiple_of_six_are_thrown_again() -> None:
    g = make_blank_state(SMALL)[0]
    g.dice[0], g.dice[1], g.dice_n = FAIR, 3, 2
    assert roll_d6(g) == 4
    assert g.cursor == 2


def test_running_out_of_dice_voids_the_run() -> None:
    g = make_blank_state(SMALL)[0]
    g.dice_n = SMALL.dice
    g.cursor = SMALL.dice - 1
    assert (roll_d6(g), g.error) == (1, NO_ERROR)
    assert (roll_d6(g), g.error) == (1, DICE_OVERRUN)


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_draws_below_a_number_are_fair(count: int) -> None:
    g = make_blank_state(SMALL)[0]
    g.dice[:], g.dice_n = draw_words(1777, SMALL.dice), SMALL.dice
    drawn = Counter(int(draw_below(g, count)) for _ in range(200 * count))
    assert set(drawn) == set(range(count))
    assert all(abs(times - 200) < 65 for times in drawn.values())


def test_words_that_would_favour_low_numbers_are_thrown_again() -> None:
    g = make_blank_state(SMALL)[0]
    g.dice[0], g.dice[1], g.dice_n = LARGEST, 13, 2
    assert (draw_below(g, 5), g.cursor) == (3, 2)
    assert (draw_below(g, 5), g.error) == (0, DICE_OVERRUN)
