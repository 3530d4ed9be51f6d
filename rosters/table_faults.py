"""Faults of a table as people read them: equal ones told once with their rows. No Django."""

from collections.abc import Iterable
from typing import NamedTuple

#: Runs of rows that are named for one fault.
MOST_RUNS = 8


class RowError(NamedTuple):
    """A fault: the line of the file (the header is row 1), the column ("" for the row), a sentence."""

    row: int
    column: str
    message: str


class FaultGroup(NamedTuple):
    """Equal faults of one column: "row 8" or "rows 2-5, 9", the column ("" for the row), a sentence."""

    rows: str
    column: str
    message: str

    @property
    def place(self) -> str:
        """Rows and column, as "rows 2-5, points"."""
        return f"{self.rows}, {self.column}" if self.column else self.rows


def group_faults(errors: Iterable[RowError]) -> list[FaultGroup]:
    """Faults with equal column and sentence together, in the order of the first row of each."""
    rows: dict[tuple[str, str], list[int]] = {}
    for error in errors:
        rows.setdefault((error.column, error.message), []).append(error.row)
    return [FaultGroup(row_ranges(found), *told) for told, found in rows.items()]


def row_ranges(rows: Iterable[int]) -> str:
    """Rows in words, runs of neighbours as one: "row 8", "rows 2-5, 9", at most `MOST_RUNS` runs."""
    runs: list[tuple[int, int]] = []
    for row in sorted(set(rows)):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    told = ", ".join(f"{first}-{last}" if first < last else f"{first}" for first, last in runs[:MOST_RUNS])
    more = sum(last - first + 1 for first, last in runs[MOST_RUNS:])
    one = len(runs) == 1 and runs[0][0] == runs[0][1]
    return f"row{'' if one else 's'} {told}{f' and {more} more' if more else ''}"
