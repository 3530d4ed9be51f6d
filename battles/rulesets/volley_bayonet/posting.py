"""Starting places of commanders, and each stand's task under its side's plan. No numba here."""

from typing import Any

from battles.engine import posting
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.volley_bayonet.grounds import INCH
from battles.rulesets.volley_bayonet.records import (
    ARMY_COMMANDER,
    GUNS,
    HORSE,
    OUT_OF_PLAY,
    TRANSPORT,
    UNIT_COMMANDER,
    WING_COMMANDER,
)

#: Inches behind the middle of his troops where a commander starts, by rank up to the army's.
BEHIND = (1.7, 2.5, 4.0, 5.0)


def leaders_post(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Set every commander where he is told to be, else behind the middle of those he commands."""
    battalion_of = {unit.id: k for k, unit in enumerate(units)}
    for k in range(g.leaders_n):
        e = g.leaders[k]
        own = _command_of(g, k)
        told = battle.leaders[int(e.named)] if e.named >= 0 else None
        if told is not None and told.with_unit in battalion_of:
            unit = battalion_of[told.with_unit]
            own = [i for i in range(g.n) if g.u[i].battalion == unit]
        elif told is not None and told.x is not None and told.y is not None:
            e.x, e.y = told.x * INCH, told.y * INCH
            continue
        rank = 0 if told is not None and told.with_unit else int(e.rank)
        posting.post_behind(g, e, own, BEHIND[rank], OUT_OF_PLAY)


def _command_of(g: Any, k: int) -> list[int]:
    """Stands a commander commands (VBW-CMD-03 to 06)."""
    e = g.leaders[k]
    if e.rank == UNIT_COMMANDER:
        return [i for i in range(g.n) if g.u[i].battalion == e.battalion]
    own = [i for i in range(g.n) if g.u[i].side == e.side]
    if e.rank == ARMY_COMMANDER:
        return own
    if e.rank == WING_COMMANDER:
        return [i for i in own if g.u[i].wing == k] or own
    return [i for i in own if g.u[i].brigade == e.brigade]


def roles_write(g: Any) -> None:
    """Write reserves, the weight of a flank attack and spots of both sides by their plans."""
    posting.roles_write(
        g,
        posting.Arms(
            is_foot=lambda u: u.class_ not in (HORSE, GUNS),
            is_horse=lambda u: bool(u.class_ == HORSE),
            is_gun=lambda u: bool(u.class_ == GUNS),
            # a half that is not there is told where to stand when it appears
            is_train=lambda u: bool(u.class_ == TRANSPORT or u.spare == 1),
            half_depth=lambda u: float(g.t.half_depth[u.class_, 0]),
        ),
    )
