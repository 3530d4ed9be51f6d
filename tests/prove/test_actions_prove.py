"""The six actions of 1777 a thousand times each, for `make prove`: who wins, and at what cost."""

import numpy as np
import pytest

from battles.files import battle_read
from battles.rulesets.registry import fight_batch
from tests.battles.test_actions import ACTIONS, CROWN, REBEL, gone, start_sp, won
from tests.prove.conftest import Figure

pytestmark = pytest.mark.prove

RUNS = 1_000


def test_winners_and_losses_of_the_six_actions(figure: Figure) -> None:
    """The historical winner in each; historical losses within the central 90 % in at least four."""
    faults, fair = [], 0
    for name, action in ACTIONS.items():
        battle = battle_read(name)
        batch = fight_batch(battle, range(RUNS))
        share = won(battle, batch, action.winner)
        figure(f"{name}: wins of the {action.winner}", f"{100 * share:.1f} %", "over 50 %")
        outside = set()
        for side in (CROWN, REBEL):
            low, middle, high = np.percentile(gone(battle, batch, side), [5, 50, 95])
            history = action.sp_lost(side, start_sp(battle, side))
            if not low <= history <= high:
                outside.add(side)
            known = " (known, docs/actions.md)" if side in action.beyond else ""
            figure(
                f"{name}: SP lost by the {side}", f"{low:.0f} to {high:.0f}, middle {middle:.0f}",
                f"{history:.1f} in history{known}",
            )  # fmt: skip
        faults += [f"{name}: the {side}'s losses" for side in outside - set(action.beyond)]
        faults += [f"{name}: the winner"] if share <= 0.5 else []
        fair += not outside
    figure("actions with losses of both sides as in history", str(fair), "4 of 6")
    assert not faults
    assert fair >= 4
