"""Moves of commanders (VBW-MOV-01, VBW-TER): always in command, halted by little."""

from typing import Any

from battles.engine.compile import jit
from battles.rulesets.volley_bayonet.allowance import HALF, LITTLE


@jit
def begin_ride(g: Any, k: Any) -> None:
    """A commander has his whole turn."""
    e = g.leaders[k]
    e.left, e.rate = 1.0, g.t.commanders


@jit
def pay_for_ride(g: Any, k: Any, inches: Any, factor: Any) -> Any:
    """Pay for a leg; False when it is too long. Hills, woods and broken ground cost him nothing more."""
    e = g.leaders[k]
    share = inches * factor / e.rate
    if share > e.left + LITTLE:
        return False
    e.left -= share
    return True


@jit
def ride_for_half(g: Any, k: Any) -> Any:
    """Pay half his turn for a stream or works (VBW-TER-31, VBW-TER-46)."""
    e = g.leaders[k]
    if e.left + LITTLE < HALF:
        return False
    e.left -= HALF
    return True


@jit
def wade_marshy_stream(g: Any, k: Any) -> Any:
    """Cross a marshy-banked stream: at the rate of fast foot in that phase, half of it (VBW-TER-34)."""
    g.leaders[k].rate = g.t.marsh_rate
    return ride_for_half(g, k)
