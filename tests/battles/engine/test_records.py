"""What records of several rulesets have in common stands in all of them, where it must."""

from typing import Any

import numpy as np
import pytest

from battles.engine.records import COURSE, ORDERS, last_fields, table_fields
from battles.engine.running import spans_of
from battles.rulesets.regimental import records as regimental
from battles.rulesets.volley_bayonet import records as volley_bayonet

RECORDS: tuple[Any, ...] = (regimental, volley_bayonet)


@pytest.mark.parametrize("records", RECORDS)
def test_what_a_battle_changes_comes_first_and_what_is_only_written_last(records: Any) -> None:
    names = records.build_record_dtype(records.SMALL).names
    assert names[: len(COURSE)] == tuple(field[0] for field in COURSE)
    assert names[-2:] == tuple(field[0] for field in last_fields(records.SMALL))
    assert max(names.index(name) for name in ("u", "leaders", "brigades")) < names.index(ORDERS[0][0])


@pytest.mark.parametrize("records", RECORDS)
@pytest.mark.parametrize("size", ["SMALL", "LARGE"])
def test_capacities_are_those_of_the_layout(records: Any, size: str) -> None:
    room = getattr(records, size)
    made = records.make_blank_state(room)[0]
    assert made.ground.shape == (room.rows, room.columns)
    for name in ("structures", "works", "gates", "dice", "events"):
        assert len(made[name]) == getattr(room, name)
    assert {field[0] for field in table_fields(room, records.GOING)} <= set(made.dtype.names)


@pytest.mark.parametrize("records", RECORDS)
def test_units_that_break_up_in_a_run_leave_the_next_its_own_numbers(records: Any) -> None:
    fresh, played = records.make_blank_state(records.SMALL), records.make_blank_state(records.SMALL)
    fresh["n"], fresh["first"], fresh["past"] = 5, (0, 3), (3, 5)
    raw, drawn_up = np.asarray(played).view(np.int64), np.asarray(fresh).view(np.int64)
    played["n"], played["past"] = 6, (6, 5)
    for start, stop in spans_of(fresh, {"u": 5}):
        raw[start:stop] = drawn_up[start:stop]
    assert (played["n"][0], played["first"][0].tolist(), played["past"][0].tolist()) == (5, [0, 3], [3, 5])
