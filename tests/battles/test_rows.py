"""Drawing up reads and writes the record itself."""

import numpy as np

from battles.engine.dtypes import SMALL, make_blank_state
from battles.engine.rows import row_of
from battles.files.schema import BattleFile, BattleGround, BattleUnit
from battles.ground.landscape import ground_generate
from battles.rulesets.awi.fighting import prepare_state
from battles.rulesets.awi.grounds import _tables
from rosters.domain.vocabulary import TroopType


def test_a_row_reads_and_writes_the_fields_of_the_record() -> None:
    state = make_blank_state(SMALL)
    g, record = row_of(state), state[0]
    g.turns = 7
    g.u[3].x, g.u[3].sp = 12.5, 6
    g.plan[1] = 2
    g.o.metric = 1
    assert (record.turns, record.u[3].x, record.u[3].sp, record.plan[1], record.o.metric) == (
        7,
        12.5,
        6,
        2,
        1,
    )
    record.u[3].sp = 5
    assert g.u[3].sp == 5 and g.u["sp"][3] == 5
    assert isinstance(g.u[3].sp, np.int64) and isinstance(g.u[3].x, np.float64)


def test_rows_are_counted_cut_and_gone_through() -> None:
    g = row_of(make_blank_state(SMALL))
    assert len(g.u) == SMALL.units
    for number, unit in enumerate(g.u[:4]):
        unit.side = number
    assert g.u["side"][:5].tolist() == [0, 1, 2, 3, 0]


def test_a_table_drawn_up_again_is_the_same_with_other_troops_on_it() -> None:
    """Of the ground everything is kept, of those who stood on it nothing."""
    ground = ground_generate(terrain="farmland", kind="village", seed=17)
    first, second = (battle_of(ground, sp) for sp in (5, 3))
    _tables.clear()
    fresh = [np.asarray(prepare_state(battle, SMALL)).tobytes() for battle in (first, second)]
    assert len(_tables) == 1
    kept = [np.asarray(prepare_state(battle, SMALL)).tobytes() for battle in (first, second)]
    _tables.clear()
    assert kept == fresh and fresh[0] != fresh[1]
    assert np.asarray(prepare_state(second, SMALL)).tobytes() == fresh[1]


def battle_of(ground: BattleGround, sp: int) -> BattleFile:
    units = tuple(
        BattleUnit(f"{side}_{number}", f"{side} {number}", side, TroopType.MILITIA, sp)
        for side in ("crown", "rebel")
        for number in range(3)
    )
    return BattleFile("A skirmish", "crown", "rebel", units, ground=ground)
