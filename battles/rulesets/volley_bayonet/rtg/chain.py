"""Divisions and commanders on the table (RTG-GEN-04, RTG-CMD-01, RTG-EXH-01). No numba here."""

from collections.abc import Iterable, Sequence
from typing import Any

from battles.engine import posting
from battles.files.schema import BattleFile
from battles.rulesets.volley_bayonet.chain import find_exhaustion_level as level_of_brigade
from battles.rulesets.volley_bayonet.records import GUNS, HORSE, OUT_OF_PLAY, TRANSPORT
from battles.rulesets.volley_bayonet.rtg.brigades import commander_of
from battles.rulesets.volley_bayonet.rtg.fields import CHIEF, DIVISION_COMMANDER
from battles.rulesets.volley_bayonet.rtg.grounds import INCH
from battles.rulesets.volley_bayonet.rtg.strength import BrigadePool
from battles.rulesets.volley_bayonet.rtg.tables import PER_MORALE, find_level_morale

#: Inches behind the middle of their men where commanders of a division and of an army start.
BEHIND = {DIVISION_COMMANDER: 2.0, CHIEF: 3.0}
#: Of who starts with a stand.
WITH_STAND = 1.0


def divisions_of(pools: Sequence[BrigadePool]) -> list[int]:
    """Numbers of the divisions there are, in order: a place in this list is one in the record."""
    return sorted({pool.division for pool in pools})


def leaders_count(pools: Sequence[BrigadePool]) -> int:
    """The number of commanders the record needs: one for each division, and one for each army."""
    return len(divisions_of(pools)) + 2


def find_exhaustion_level(stands: Iterable[tuple[int, int]], rounding: str) -> int:
    """SP a division may lose before it is exhausted, of the (SP, morale) of its stands (RTG-EXH-01).

    40 % of the SP of stands of morale 4 or less, 50 % at 5, 60 % at 6 or more, rounded once, at least 1.
    """
    counted = ((sp, find_level_morale(morale)) for sp, morale in stands)
    return level_of_brigade(counted, PER_MORALE, rounding)


def chain_write(g: Any, battle: BattleFile, pools: Sequence[BrigadePool], rounding: str) -> None:
    """Write divisions and commanders of stands that are drawn up: battalion k of the record is pool k.

    Each side has an Army Commander, a nameless one where the file names none: he alone, and a corps
    commander, rallies (RTG-RAL-01).
    """
    sides = (battle.attacker, battle.defender)
    for b, number in enumerate(divisions_of(pools)):
        places = [k for k, pool in enumerate(pools) if pool.division == number]
        own = [i for i in range(g.n) if g.u[i].battalion in places]
        side = sides.index(pools[places[0]].side)
        k = _add_leader(g, side, DIVISION_COMMANDER, commander_of(battle, [pools[place] for place in places]))
        e = g.brigades[b]
        g.leaders[k].brigade, e.side, e.commander = b, side, k
        for i in own:
            g.u[i].brigade = g.battalions[g.u[i].battalion].brigade = b
        e.sp_start = sum(int(g.u[i].sp) for i in own)
        e.level = find_exhaustion_level([(int(g.u[i].sp), int(g.u[i].morale)) for i in own], rounding)
        g.brigades_n = b + 1
    for side, name in enumerate(sides):
        chiefs = (n for n, one in enumerate(battle.leaders) if one.side == name)
        named = next((n for n in chiefs if battle.leaders[n].rank == "commander_in_chief"), -1)
        if named >= 0 or any(pool.side == name for pool in pools):
            _add_leader(g, side, CHIEF, named)


def _add_leader(g: Any, side: int, rank: int, named: int) -> int:
    k = int(g.leaders_n)
    e = g.leaders[k]
    e.side, e.rank, e.named = side, rank, named
    e.battalion = e.brigade = e.superior = e.hit_in = -1
    e.rate, e.left = g.t.commanders, 1.0
    g.leaders_n = k + 1
    return k


def leaders_post(g: Any, battle: BattleFile, pools: Sequence[BrigadePool]) -> None:
    """Set every commander where the file has him, else behind the middle of those he commands."""
    for k in range(g.leaders_n):
        e = g.leaders[k]
        own = [i for i in range(g.n) if g.u[i].side == e.side]
        if e.rank == DIVISION_COMMANDER:
            own = [i for i in own if g.u[i].brigade == e.brigade]
        told = battle.leaders[int(e.named)] if e.named >= 0 else None
        behind = BEHIND[int(e.rank)]
        if told is not None and told.with_unit:
            place = next((n for n, pool in enumerate(pools) if told.with_unit in pool.units), -1)
            own, behind = [i for i in own if g.u[i].battalion == place] or own, WITH_STAND
        elif told is not None and told.x is not None and told.y is not None:
            e.x, e.y = told.x * INCH, told.y * INCH
            continue
        posting.post_behind(g, e, own, behind, OUT_OF_PLAY)


def roles_write(g: Any) -> None:
    """Write reserves, the weight of a flank attack and spots of both sides by their plans."""
    posting.roles_write(
        g,
        posting.Arms(
            is_foot=lambda u: u.class_ not in (HORSE, GUNS),
            is_horse=lambda u: bool(u.class_ == HORSE),
            is_gun=lambda u: bool(u.class_ == GUNS),
            is_train=lambda u: bool(u.class_ == TRANSPORT),
            half_depth=lambda u: float(g.t.half_depth[u.class_, 0]),
        ),
    )
