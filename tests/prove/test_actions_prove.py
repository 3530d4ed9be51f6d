"""The six actions of 1777 a thousand times each, for `make prove`: who wins, and at what cost."""

import numpy as np
import pytest

from battles.files import battle_read
from battles.rulesets.registry import fight_batch
from tests.battles.test_actions import ACTIONS, CROWN, REBEL, gone, start_sp, won

pytestmark = pytest.mark.prove

RUNS = 1_000


def test_winners_and_losses_of_the_six_actions() -> None:
    """The historical winner in each; historical losses within the central 90 % in at least four."""
    print(f"\n{'action':30} {'wins':>5}  side   SP  {'p5':>4} {'p50':>4} {'p95':>4}  history")
    fair = 0
    for name, action in ACTIONS.items():
        battle = battle_read(name)
        batch = fight_batch(battle, range(RUNS))
        share = won(battle, batch, action.winner)
        outside = set()
        for side in (CROWN, REBEL):
            start = start_sp(battle, side)
            low, middle, high = np.percentile(gone(battle, batch, side), [5, 50, 95])
            history = action.sp_lost(side, start)
            if not low <= history <= high:
                outside.add(side)
            print(
                f"{name:30} {100 * share:4.0f}%  {side:5} {start:3}  {low:4.0f} {middle:4.0f} {high:4.0f}"
                f"  {history:5.1f}{'  outside' if side in outside else ''}"
            )
        assert share > 0.5, name
        assert outside <= set(action.beyond), name
        fair += not outside
    assert fair >= 4
