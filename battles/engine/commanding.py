"""Decisions that commanders of every ruleset make alike under their side's plan."""

from typing import Any

from battles.engine.compile import jit
from battles.engine.dtypes import ADVANCE, ASSAULT, TURN_FLANK


@jit
def goes_forward(plan: Any) -> Any:
    """True for plans under which troops go up to the enemy."""
    return plan in (ASSAULT, TURN_FLANK, ADVANCE)


@jit
def plan_changes(g: Any, side: Any) -> None:
    """A side goes over to its next plan once the turns of the first are past; who attacks now has time to."""
    p = g.plans[side]
    if p.until > 0 and g.turn > p.until:
        if goes_forward(p.then_) and not goes_forward(g.plan[side]):
            g.idle = 0
        g.plan[side] = p.then_


@jit
def flank_direction(g: Any, side: Any) -> Any:
    """1.0 or -1.0: the direction along x to the flank that a side means to turn."""
    left = -1.0 if side == 0 else 1.0
    return left if g.plans[side].flank < 0 else -left
