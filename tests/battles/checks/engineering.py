"""Worked checks of engineering and explosive charges."""

from fractions import Fraction
from itertools import product
from typing import Any

from battles.engine.dtypes import BUILD, DEMOLISH, FIELDWORK
from battles.engine.raster import structure_add, work_add
from battles.rulesets.awi import engineering, movement
from rosters.domain.vocabulary import TroopType
from tests.battles.checks.common import D6, LINE_FOOT, Facts, require_word, shares
from tests.battles.checks.morale import MINUTES_A_TURN
from tests.battles.forces import Stand, table, throw

#: SP of whole structures (AWI-T-FOR-01).
STRENGTHS = {
    "wooden_bridge_per_100mm": 3,
    "stone_bridge_per_100mm": 6,
    "wooden_building_50x100": 4,
    "wooden_building_100x100": 6,
    "timber_fieldwork_per_100mm": 6,
    "timber_stockade_per_100mm": 8,
    "stone_building_50x100": 8,
    "earth_and_timber_redoubt": 10,
    "stone_building_100x100": 12,
}


def party(kind: TroopType, sp: int, full: int, task: int, charges: int = 1) -> Any:
    """A battalion at a work, with a wagon."""
    g = table(Stand(0, kind, 48, 21), Stand(0, TroopType.WAGON, 48, 16, sp=2))
    work_add(g, FIELDWORK, 46, 22, 50, 22, structure_add(g, FIELDWORK, sp, full))
    u = g.u[0]
    u.task, u.task_at, u.task_size = task, 0, charges
    return g


def check_building(given: Facts, expect: Facts) -> None:
    g, moves = party(LINE_FOOT, 0, given["build_sp"], BUILD), 0
    while g.structures[0].sp < given["build_sp"]:
        assert engineering.dig(g, 0)
        engineering.count_work(g)
        movement.new_phase(g)
        moves += 1
    assert moves == expect["moves"]
    assert moves * MINUTES_A_TURN == expect.get("minutes", moves * MINUTES_A_TURN)


def check_explosion(given: Facts, expect: Facts) -> None:
    sp, charges = given["sp"], given["charges"]
    assert STRENGTHS[require_word(given, "structure", STRENGTHS)] == sp
    g, moves = party(LINE_FOOT, sp, sp, DEMOLISH, charges), 0
    while g.u[0].laid < charges:
        assert engineering.lay_charge(g, 0)
        movement.new_phase(g)
        moves += 1
    assert moves == expect["laying_moves"]
    g.u[0].y, g.u[1].y = 5.0, 10.0
    found = []
    for dice in product(D6, repeat=expect["dice"]):
        g.u[0].task, g.u[0].laid, g.u[0].fuse, g.structures[0].sp = DEMOLISH, charges, 1, sp
        g.events_n = 0
        throw(g, *dice)
        engineering.explode_due_charges(g)
        assert g.cursor == expect["dice"]
        found.append("down" if g.structures[0].sp == 0 else "stands")
    assert shares(found).get("down", Fraction(0)) == Fraction(expect["p_destroyed"])
    assert charges - 1 + engineering.BLAST_RADIUS == expect["danger_radius"]
