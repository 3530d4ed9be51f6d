"""What is wrong with a scenario: file, row and reason, collected before anything is refused."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault. `row` is the line of the spreadsheet (the header is row 1), 0 for the whole file."""

    file: str
    row: int
    reason: str

    def __str__(self) -> str:
        where = f"{self.file}, row {self.row}" if self.row else self.file
        return f"{where}: {self.reason}"


class ScenarioError(Exception):
    """A scenario refused whole. `problems` lists every fault found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


@dataclass(slots=True)
class Row:
    """One line of a table, that reports its own faults. Getters give a stand-in after a fault."""

    file: str
    number: int
    values: dict[str, str]
    problems: list[Problem]

    def fault(self, reason: str) -> None:
        self.problems.append(Problem(self.file, self.number, reason))

    def text(self, column: str) -> str:
        return self.values.get(column, "").strip()

    def required(self, column: str) -> str:
        value = self.text(column)
        if not value:
            self.fault(f"{column} is empty; fill it in.")
        return value

    def one_of(self, column: str, choices: frozenset[str]) -> str:
        value = self.text(column)
        if value not in choices:
            self.fault(f"{column} is {value!r}; choose one of {', '.join(sorted(choices))}.")
        return value

    def yes(self, column: str) -> bool:
        return self.one_of(column, frozenset({"yes", "no"})) == "yes"

    def whole(self, column: str, least: int = 0, most: int | None = None) -> int:
        value = self.text(column)
        try:
            number = int(value)
        except ValueError:
            self.fault(f"{column} is {value!r}; it must be a whole number.")
            return least
        if number < least or (most is not None and number > most):
            bounds = f"{least} or more" if most is None else f"{least} to {most}"
            self.fault(f"{column} is {number}; it must be {bounds}.")
            return least
        return number

    def decimal(self, column: str) -> float:
        value = self.text(column)
        try:
            return float(value)
        except ValueError:
            self.fault(f"{column} is {value!r}; it must be a number.")
            return 0.0

    def day(self, column: str) -> date | None:
        """A date, or None when the field is empty or faulty."""
        value = self.text(column)
        if not value:
            return None
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fault(f"{column} is {value!r}; write dates as 1777-06-15.")
            return None

    def known(self, column: str, ids: frozenset[str], what: str) -> str:
        """A reference to another table; an empty field is a fault."""
        value = self.text(column)
        if value not in ids:
            self.fault(f"{column} is {value!r}: there is no such {what}.")
        return value


@dataclass(slots=True)
class Tables:
    """The CSV files of one folder, and the faults found in them so far."""

    folder: Path
    problems: list[Problem] = field(default_factory=list)

    def rows(self, name: str, columns: tuple[str, ...]) -> list[Row]:
        """All lines of `name`.csv. A missing file or column is a fault of the file."""
        file = f"{name}.csv"
        path = self.folder / file
        if not path.is_file():
            self.problems.append(Problem(file, 0, "the file is missing; every scenario needs it."))
            return []
        with path.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [column for column in columns if column not in (reader.fieldnames or ())]
            if missing:
                self.problems.append(Problem(file, 1, f"there is no column {', '.join(missing)}; add it."))
                return []
            return list(self._sound(file, reader))

    def _sound(self, file: str, reader: "csv.DictReader[str]") -> Iterator[Row]:
        for values in reader:
            number = reader.line_num
            if None in values or None in values.values():
                self.problems.append(
                    Problem(file, number, "the row has more or fewer fields than the header; quote commas.")
                )
                continue
            yield Row(file, number, dict(values), self.problems)

    def unique(self, rows: list[Row], column: str = "id") -> dict[str, Row]:
        """Rows by their id; an empty or repeated id is a fault, and the first one stands."""
        found: dict[str, Row] = {}
        for row in rows:
            key = row.required(column)
            if key in found:
                row.fault(f"{column} {key!r} stands already in row {found[key].number}; ids are unique.")
            elif key:
                found[key] = row
        return found

    def refuse(self) -> None:
        """Raise ScenarioError when any fault was found."""
        if self.problems:
            raise ScenarioError(self.problems)
