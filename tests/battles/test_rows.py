"""Drawing up reads and writes the record itself."""

import numpy as np

from battles.engine.dtypes import SMALL, blank
from battles.engine.rows import row_of


def test_a_row_reads_and_writes_the_fields_of_the_record() -> None:
    state = blank(SMALL)
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
    g = row_of(blank(SMALL))
    assert len(g.u) == SMALL.units
    for number, unit in enumerate(g.u[:4]):
        unit.side = number
    assert g.u["side"][:5].tolist() == [0, 1, 2, 3, 0]
