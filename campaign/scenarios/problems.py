"""Faults of a scenario: file, row and reason, collected before anything is refused."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from battles.files.suggestions import format_name_list, guess_name
from rosters.domain.text import first_fault
from rosters.sheet_cells import spoiled_cell, strip_zero_decimals
from rosters.table_files import TableRefused, read_table, text_decode

#: Numbers as people write them, half of Europe with a comma for the point: no powers, no "nan", nothing
#: longer than any figure of a scenario.
WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
DECIMAL = re.compile(r"[+-]?[0-9]{1,9}([.,][0-9]{0,15})?|[+-]?[.,][0-9]{1,15}")

#: What a line of a table begins with that is a note for its readers.
NOTE = "#"

#: So many faults offer the name that may be meant: to find one takes hundredths of a second.
GUESSED = 20


@dataclass(frozen=True, slots=True)
class ScenarioProblem:
    """One fault. `row` is the line of the spreadsheet (the header is row 1), 0 for the whole file."""

    file: str
    row: int
    reason: str

    def __str__(self) -> str:
        where = f"{self.file}, row {self.row}" if self.row else self.file
        return f"{where}: {self.reason}"


class ScenarioError(Exception):
    """A scenario refused whole. `problems` lists every fault found, of which some `hide` others."""

    def __init__(self, problems: list[ScenarioProblem], *, hide: bool = False) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems
        self.hide = hide


def format_field(value: str) -> str:
    """Format a field's content for an error."""
    return f"“{value[:40]}”" if value else "empty"


@dataclass(slots=True)
class ScenarioRow:
    """One line of a table, that reports its own faults. Getters give a stand-in after a fault."""

    file: str
    number: int
    values: dict[str, str]
    problems: list[ScenarioProblem]

    def fault(self, reason: str) -> None:
        self.problems.append(ScenarioProblem(self.file, self.number, reason))

    def text(self, column: str, most: int | None = None) -> str:
        """Return the field's text, "" when it is empty; more than `most` letters are a fault."""
        value = self.values.get(column, "").strip()
        if most is not None and len(value) > most:
            self.fault(f"{column} has {len(value)} letters; shorten it to {most}.")
        return value

    def require_text(self, column: str, most: int | None = None) -> str:
        """A text that is there, of at most `most` letters."""
        value = self.text(column, most)
        if not value:
            self.fault(f"{column} is empty; fill it in, or remove the row if it is a total or a heading.")
        elif fault := spoiled_cell(value, is_name=True):
            self.fault(f"{column}: {fault}")
        return value

    def one_of(self, column: str, choices: frozenset[str]) -> str:
        value = self.text(column)
        if value not in choices:
            self.fault(
                f"{column} is {format_field(value)}; choose one of {format_name_list(sorted(choices))}."
            )
        return value

    def yes(self, column: str) -> bool:
        if self.text(column) in ("TRUE", "FALSE"):  # as spreadsheets write them
            return self.text(column) == "TRUE"
        return self.one_of(column, frozenset({"yes", "no"})) == "yes"

    def whole(self, column: str, least: int = 0, most: int | None = None) -> int:
        value = strip_zero_decimals(self.text(column))
        if not WHOLE.fullmatch(value):
            self.fault(f"{column} is {format_field(value)}; it must be a whole number.")
            return least
        number = int(value)
        if number < least or (most is not None and number > most):
            bounds = f"{least} or more" if most is None else f"{least} to {most}"
            self.fault(f"{column} is {number}; it must be {bounds}.")
            return least
        return number

    def decimal(self, column: str, form: str = "") -> float:
        """A number; `form` says in a refusal how it is written."""
        value = self.text(column).replace("\N{MINUS SIGN}", "-")
        if not DECIMAL.fullmatch(value):
            self.fault(f"{column} is {format_field(self.text(column))}; it must be a number{form}.")
            return 0.0
        return float(value.replace(",", "."))

    def day(self, column: str) -> date | None:
        """A date, or None when the field is empty or faulty."""
        value = self.text(column)
        if not value:
            return None
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fault(f"{column} is {format_field(value)}; write dates as 1776-12-08.")
            return None

    def require_reference(self, column: str, ids: frozenset[str], what: str) -> str:
        """A reference to another table; an empty field is a fault."""
        value = self.text(column)
        if value not in ids:
            guess = guess_name(value, sorted(ids)) if value and len(self.problems) < GUESSED else ""
            asked = f"did you mean {guess}?" if guess else "correct it or add one."
            self.fault(f"{column} is {format_field(value)}: there is no such {what}; {asked}")
        return value


@dataclass(slots=True)
class ScenarioTables:
    """The CSV files of one folder, and the faults found in them so far.

    `unread` are those of the faults for which a file could not be read to its end: what refers to
    its rows cannot be judged. `alike` are ids that differ by capitals alone; they are told with other faults.
    """

    folder: Path
    problems: list[ScenarioProblem] = field(default_factory=list)
    unread: list[ScenarioProblem] = field(default_factory=list)
    alike: list[ScenarioProblem] = field(default_factory=list)

    def rows(self, name: str, columns: tuple[str, ...]) -> list[ScenarioRow]:
        """All lines of `name`.csv. A missing file or column is a fault of the file."""
        file = f"{name}.csv"
        path = self.folder / file
        if not path.is_file():
            self._cannot_read(ScenarioProblem(file, 0, "the file is missing; every scenario needs it."))
            return []
        try:
            table = read_table(path.read_bytes(), columns, note=NOTE)
        except TableRefused as refused:
            self._cannot_read(ScenarioProblem(file, refused.row, refused.sentence))
            return []
        if missing := [column for column in columns if column not in table.columns]:
            self._cannot_read(ScenarioProblem(file, 1, f"there is no column {', '.join(missing)}; add it."))
            return []
        self.problems += [ScenarioProblem(file, row, sentence) for row, sentence in table.faults]
        rows = [ScenarioRow(file, row.number, row.cells, self.problems) for row in table.rows]
        for row in rows:
            if fault := first_fault(row.values):
                self._cannot_read(ScenarioProblem(file, row.number, f"it holds what cannot be kept. {fault}"))
                return []
        return rows

    def optional(self, name: str, columns: tuple[str, ...]) -> list[ScenarioRow]:
        """The same of a file a scenario may do without."""
        return self.rows(name, columns) if (self.folder / f"{name}.csv").is_file() else []

    def content(self, file: str) -> str | None:
        """A file's text, in normal form; None after a fault."""
        try:
            text, _ = text_decode((self.folder / file).read_bytes())
        except TableRefused as refused:
            self._cannot_read(ScenarioProblem(file, refused.row, refused.sentence))
            return None
        return text

    def _cannot_read(self, problem: ScenarioProblem) -> None:
        self.problems.append(problem)
        self.unread.append(problem)

    def unique(
        self, rows: list[ScenarioRow], column: str = "id", most: int | None = None
    ) -> dict[str, ScenarioRow]:
        """Rows by their id; an empty, too long or repeated one is a fault, and the first one stands."""
        found: dict[str, ScenarioRow] = {}
        for row in rows:
            key = row.require_text(column, most)
            if key in found:
                row.fault(f"{column} “{key}” is already in row {found[key].number}; ids are unique.")
            elif key:
                found[key] = row
        self._compare(found, column)
        return found

    def _compare(self, found: Mapping[str, ScenarioRow], column: str) -> None:
        """Keep as `alike` ids that capitals alone tell apart: no fault of what is played already."""
        small: dict[str, ScenarioRow] = {}
        for key, row in found.items():
            other = small.setdefault(key.lower(), row)
            if other is not row:
                words = f"{column} “{key}” is in row {other.number} with other capitals; make it another."
                self.alike.append(ScenarioProblem(row.file, row.number, words))

    def refuse(self) -> None:
        """Raise ScenarioError when any fault was found.

        Files that cannot be read come alone: most faults found besides would only be theirs.
        """
        if self.problems:
            raise ScenarioError(self.unread or [*self.alike, *self.problems], hide=bool(self.unread))
