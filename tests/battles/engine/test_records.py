"""What records of several rulesets have in common stands in all of them, where it must."""

from typing import Any

import pytest

from battles.engine.records import COURSE, ORDERS, last_fields, table_fields
from battles.rulesets.regimental import records as regimental
from battles.rulesets.volley_bayonet import records as volley_bayonet

RECORDS: tuple[Any, ...] = (regimental, volley_bayonet)


@pytest.mark.parametrize("records", RECORDS)
def test_what_a_battle_changes_comes_first_and_what_is_only_written_last(records: Any) -> None:
    names = records.layout(records.SMALL).names
    assert names[: len(COURSE)] == tuple(field[0] for field in COURSE)
    assert names[-2:] == tuple(field[0] for field in last_fields(records.SMALL))
    assert max(names.index(name) for name in ("u", "leaders", "brigades")) < names.index(ORDERS[0][0])


@pytest.mark.parametrize("records", RECORDS)
@pytest.mark.parametrize("size", ["SMALL", "LARGE"])
def test_capacities_are_those_of_the_layout(records: Any, size: str) -> None:
    room = getattr(records, size)
    made = records.blank(room)[0]
    assert made.ground.shape == (room.rows, room.columns)
    for name in ("structures", "works", "gates", "dice", "events"):
        assert len(made[name]) == getattr(room, name)
    assert {field[0] for field in table_fields(room, records.GOING)} <= set(made.dtype.names)
