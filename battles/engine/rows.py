"""A state record for those who draw up a battle: fields as attributes, at a fraction of numpy's price.

numpy's own record looks for every field in three places and wraps what it finds. Drawing up reads and
writes some ten thousand fields; the kernels are given the record itself.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray


class RecordRow:
    """One record; reading and writing its attributes reads and writes its fields."""

    __slots__ = ("_made", "_void")

    def __init__(self, void: Any) -> None:
        object.__setattr__(self, "_void", void)
        object.__setattr__(self, "_made", {})

    @property
    def dtype(self) -> Any:
        """The layout of the record."""
        return self._void.dtype

    def __getattr__(self, name: str) -> Any:
        made = self._made.get(name)
        if made is not None:
            return made
        value = self._void[name]
        if isinstance(value, np.void):
            value = self._made[name] = RecordRow(value)
        elif isinstance(value, np.ndarray) and value.dtype.names:
            value = self._made[name] = RecordRows(value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        self._void[name] = value


class RecordRows:
    """Records in a row, by number; by name the array of one field."""

    __slots__ = ("_made", "_records")

    def __init__(self, records: NDArray[Any]) -> None:
        self._records = records
        self._made: dict[int, RecordRow] = {}

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self._records[key]
        if isinstance(key, slice):
            return RecordRows(self._records[key])
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = RecordRow(self._records[key])
        return made

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[RecordRow]:
        return (self[k] for k in range(len(self._records)))


def row_of(state: Any) -> RecordRow:
    """The only record of a state, for drawing up."""
    records = np.asarray(state)
    return RecordRow(records.view(np.dtype((np.void, records.dtype)))[0])
