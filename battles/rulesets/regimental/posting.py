"""Starts of leaders, and tasks of units under their side's plan. No numba here."""

from typing import Any

from battles.engine import posting
from battles.files.schema import BattleFile, BattleUnit
from battles.rulesets.regimental.grounds import INCH
from battles.rulesets.regimental.records import AWAY, BRIGADIER, GUNS, HORSE, ON_TABLE, WAGONS

#: Inches behind the middle of his troops where a leader starts, by rank.
BEHIND = (1.5, 2.5, 3.5)
ARMS = posting.Arms(
    is_foot=lambda u: u.class_ not in (HORSE, GUNS),
    is_horse=lambda u: bool(u.class_ == HORSE),
    is_gun=lambda u: bool(u.class_ == GUNS),
    is_train=lambda u: bool(u.class_ == WAGONS),
    half_depth=lambda u: float(u.half_depth),
)


def leaders_post(g: Any, battle: BattleFile, units: list[BattleUnit]) -> None:
    """Set every leader where he is told to be, with the unit he is told to be with, or behind his men."""
    row_of = {unit.id: k for k, unit in enumerate(units)}
    for k in range(g.leaders_n):
        e = g.leaders[k]
        own = [i for i in range(g.n) if g.u[i].side == e.side]
        if e.rank == BRIGADIER:
            own = [i for i in own if g.u[i].brigade == e.brigade]
        told = battle.leaders[int(e.named)] if e.named >= 0 else None
        if told is not None and told.with_unit in row_of:
            i = row_of[told.with_unit]
            if g.u[i].place == ON_TABLE:
                e.unit = i
            own = [i]
        elif told is not None and told.x is not None and told.y is not None:
            e.x, e.y = told.x * INCH, told.y * INCH
            continue
        posting.post_behind(g, e, own, BEHIND[e.rank], AWAY)


def roles_write(g: Any) -> None:
    """Write reserves, the weight of a flank attack and spots of both sides by their plans."""
    posting.roles_write(g, ARMS)
