"""An order of battle as a table: read row by row, every fault reported, nothing half taken. No Django."""

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import product

from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.text import name_fault, unescape_cell
from rosters.domain.vocabulary import TYPES, Arm, GunClass, Nation, TroopType, Weapon
from rosters.sheet_cells import spoiled_cell, strip_zero_decimals
from rosters.table_faults import RowError, group_faults
from rosters.table_files import TableRefused, TableRow, column_name, read_table

REQUIRED = ("id", "name", "side", "nation", "troop_type", "points", "formation")
OPTIONAL = ("gun_class", "regiment", "poor_militia", "static", "place")
#: Columns of which a unit fills at least one: a row without is a total, a heading or a note.
WORDS = ("side", "nation", "troop_type", "formation")
NAMES = ("name", "regiment")
#: Yes and no, as people write them and as workbooks do.
YES, NO = ("yes", "true"), ("no", "false")
EMPTY = "It is empty; fill it in."
SLUG = re.compile(r"[A-Za-z0-9_-]+")
SLUG_LENGTH = 120
NAME_LENGTH, PLACE_LENGTH = 200, 60  # as the columns of rosters.models
#: Faults after which no further row is read.
MOST_FAULTS = 500
#: Rows by which swapped columns are known.
SWAP_ROWS = 20


class RosterErrors(Exception):
    """An order of battle refused whole. `errors` lists every fault, in the order of the rows."""

    def __init__(self, errors: list[RowError]) -> None:
        self.errors = errors
        self.groups = group_faults(errors)
        super().__init__("\n".join(f"{one.place.capitalize()}: {one.message}" for one in self.groups))

    def count_text(self, most: int) -> str:
        """The number of errors, and how many lines of them are listed."""
        count = len(self.errors)
        listed = f"; the first {most} are listed below" if len(self.groups) > most else ", listed below"
        return f"The table has {count} error{'' if count == 1 else 's'}{listed}."


@dataclass(frozen=True, slots=True)
class RosterRow:
    """One unit as imported: 1 to 120 campaign points (AWI-C-STR-01), wagons 0 (HR-DAT-04).

    `row` is its line in the file; `place` where its formation starts, on the map of a scenario.
    """

    row: int
    id: str
    name: str
    side: str
    nation: Nation
    troop_type: TroopType
    gun_class: GunClass
    points: int
    formation: str
    regiment: str = ""
    poor_militia: bool = False
    static: bool = False
    place: str = ""


def roster_rows(
    data: bytes | str, *, most: int = 100_000, notes: list[str] | None = None
) -> tuple[RosterRow, ...]:
    """Units of a table with a row of names, at most `most`.

    `notes` takes up sentences on what of the file is not read, or is read though it is hidden. Raises
    RosterErrors with every fault in it; after `MOST_FAULTS` the rest is not read.
    """
    try:
        table = read_table(data.encode() if isinstance(data, str) else data, REQUIRED, most=most)
    except TableRefused as refused:
        raise RosterErrors([RowError(max(refused.row, 1), "", refused.sentence)]) from refused
    except UnicodeEncodeError as error:
        raise RosterErrors([RowError(1, "", "The text holds a broken character; remove it.")]) from error
    missing = [name for name in REQUIRED if name not in table.columns]
    if len(missing) >= len(REQUIRED) - 1:
        sentence = f"No row names the columns; the first row must: {', '.join(REQUIRED)}."
        raise RosterErrors([RowError(1, "", sentence)])
    if notes is not None:
        notes += table.notes
    errors = [RowError(1, name, "The column is missing; add it.") for name in missing]
    errors += [
        RowError(1, name, f"There is no such column; {_suggest_column(name)}")
        for name in table.columns
        if name not in REQUIRED + OPTIONAL
    ]
    if errors:
        raise RosterErrors(errors)
    errors = [RowError(row, "", sentence) for row, sentence in table.faults[:MOST_FAULTS]]
    rows: list[RosterRow] = []
    seen: dict[str, RosterRow] = {}
    for each in table.rows:
        if len(errors) >= MOST_FAULTS:
            sentence = f"Reading stops at this row, after {len(errors)} errors; fix those first."
            raise RosterErrors([*_swaps_first(table.rows, errors), RowError(each.number, "", sentence)])
        reading = _Reading(each.number, each.cells, errors)
        row = reading.unit()
        if row is None:
            continue
        if (first := seen.get(row.id.lower())) is not None:
            alike = "" if first.id == row.id else f" as {first.id}, and capitals do not tell ids apart"
            reading.fault("id", f"{row.id} is already in row {first.row}{alike}; ids are unique.")
        seen.setdefault(row.id.lower(), row)
        rows.append(row)
    if not rows and not errors:
        errors.append(RowError(1, "", "There is no unit below the header; add one row a unit."))
    _check_formations(rows, errors)
    if errors:
        raise RosterErrors(_swaps_first(table.rows, errors))
    return tuple(rows)


def _swaps_first(rows: list[TableRow], errors: list[RowError]) -> list[RowError]:
    """The faults, those of two columns whose names stand over each other's cells told as that one.

    Looked for where a column is wrong in all of the first rows: with two names exchanged both must be sound.
    """
    first = rows[:SWAP_ROWS] if len(rows) > 1 else []
    wrong = {(error.row, error.column) for error in errors}
    always = [name for name in REQUIRED if first and all((row.number, name) in wrong for row in first)]
    for name, other in product(always, REQUIRED):
        found: list[RowError] = []
        for row in first:
            cells = {**row.cells, name: row.cells[other], other: row.cells[name]}
            _Reading(row.number, cells, found).unit()
        if other != name and not any(error.column in (name, other) for error in found):
            text = f"The columns {name} and {other} seem to be swapped; exchange their names in this row."
            rest = [error for error in errors if error.column not in (name, other)]
            return [RowError(1, name, text), *sorted(rest)]
    return sorted(errors)


def _suggest_column(name: str) -> str:
    """The advice about a column nobody knows."""
    known = REQUIRED + OPTIONAL
    close = get_close_matches(name[:40], known, 1, 0.7)
    return f"did you mean {close[0]}?" if close else f"remove it. The columns are {', '.join(known)}."


def _check_formations(rows: list[RosterRow], errors: list[RowError]) -> None:
    """All units of a formation are of one side."""
    first: dict[str, RosterRow] = {}
    for row in rows:
        other = first.setdefault(row.formation, row)
        if other.side != row.side:
            message = f"{row.formation} is of side {other.side} in row {other.row}; a formation has one side."
            if other.side.lower() == row.side.lower():
                message = (
                    f"The side is {row.side} here and {other.side} in row {other.row}; write both alike."
                )
            errors.append(RowError(row.row, "side", message))


@dataclass(slots=True)
class _Reading:
    """One row being read. Of a cell that a spreadsheet spoiled no other fault is told."""

    number: int
    values: dict[str, str]
    errors: list[RowError]
    spoiled: set[str] = field(default_factory=set)

    def fault(self, column: str, message: str) -> None:
        if column not in self.spoiled:
            self.errors.append(RowError(self.number, column, message))

    def unit(self) -> RosterRow | None:
        """The unit, or None when the row has a fault."""
        before = len(self.errors)
        if not any(self.values.get(column) for column in WORDS):
            told = " and ".join(column for column in REQUIRED if self.values.get(column))
            self.fault("", f"This row has {told or 'a note'} only; remove totals, headings and notes.")
            return None
        for column, value in self.values.items():
            if fault := spoiled_cell(value, is_name=column in NAMES):
                self.fault(column, fault)
                self.spoiled.add(column)
        troop_type, gun_class = self._choice("troop_type", TroopType), self._choice("gun_class", GunClass)
        points = self._points()
        row = {
            "id": self._slug("id"),
            "name": self._name("name", 1),
            "regiment": self._name("regiment", 0),
            "side": self._slug("side"),
            "formation": self._slug("formation"),
        }
        place = self._slug("place", PLACE_LENGTH) if self._text("place") else ""
        nation = self._choice("nation", Nation)
        poor, static = self._yes("poor_militia"), self._yes("static")
        self._check_type(troop_type, gun_class, points, poor)
        if len(self.errors) > before or points is None:
            return None
        return RosterRow(
            row=self.number,
            **row,
            nation=Nation(nation),
            troop_type=TroopType(troop_type),
            gun_class=GunClass(gun_class),
            points=points,
            poor_militia=poor,
            static=static,
            place=place,
        )

    def _text(self, column: str) -> str:
        text = unescape_cell(self.values.get(column, "").strip())
        # a spreadsheet keeps the apostrophe before a number as a sign of text; names may begin with one
        return text if column in NAMES else text.removeprefix("'")

    def _name(self, column: str, least: int) -> str:
        name = self._text(column)
        if not name and least:
            self.fault(column, EMPTY)
        elif len(name) > NAME_LENGTH:
            self.fault(column, f"It has {len(name)} letters; give {least} to {NAME_LENGTH}.")
        elif fault := name_fault(name):
            self.fault(column, fault)
        return name

    def _slug(self, column: str, most: int = SLUG_LENGTH) -> str:
        value = self._text(column)
        if not value:
            self.fault(column, EMPTY)
        elif len(value) > most or not SLUG.fullmatch(value):
            meant = re.sub(r"[^A-Za-z0-9_-]+", "_", value).strip("_")[:most].lower()
            guess = f", as {meant}" if meant else ""
            self.fault(column, f"{value!r} will not do; use 1 to {most} letters, digits, - and _{guess}.")
        return value

    def _choice(self, column: str, kind: type[Nation] | type[TroopType] | type[GunClass]) -> str:
        value = column_name(self._text(column)) or (GunClass.NONE.value if kind is GunClass else "")
        listed = [member.value for member in kind]
        if value not in listed:
            close = get_close_matches(value[:40], listed, 1, 0.7)
            guess = f"did you mean {close[0]}? If not, choose" if close else "choose"
            said = f"{self._text(column)!r} is unknown" if value else "It is empty"
            self.fault(column, f"{said}; {guess} one of {', '.join(listed)}.")
        return value

    def _points(self) -> int | None:
        value = strip_zero_decimals(self._text("points"))
        # The length goes first: Python refuses to read numbers of thousands of digits.
        whole = len(value) <= 9 and value.isascii() and value.isdigit()
        if not whole or int(value) > MAXIMUM_POINTS:
            shown = value if len(value) <= 20 else f"{value[:20]}…"
            said = f"{shown!r} will not do" if value else "It is empty"
            self.fault("points", f"{said}; give a whole number, 1 to {MAXIMUM_POINTS} (wagons 0).")
            return None
        return int(value)

    def _yes(self, column: str) -> bool:
        value = self._text(column).lower()
        if value not in ("", *YES, *NO):
            self.fault(column, f"{value!r} will not do; write yes or no.")
        return value in YES

    def _check_type(self, troop_type: str, gun_class: str, points: int | None, poor: bool) -> None:
        if troop_type not in list(TroopType) or gun_class not in list(GunClass):
            return
        facts = TYPES[TroopType(troop_type)]
        is_gun = facts.arm is Arm.WHEELED and facts.weapon is Weapon.GUN
        if is_gun and gun_class == GunClass.NONE:
            self.fault("gun_class", "A battery needs a class of gun (AWI-T-STR-04); name one.")
        if not is_gun and gun_class != GunClass.NONE:
            self.fault("gun_class", f"{troop_type} has no guns; leave the class empty.")
        if troop_type == TroopType.WAGON and points:
            self.fault("points", "Wagons carry no points (HR-DAT-04); give 0.")
        if troop_type != TroopType.WAGON and points == 0:
            self.fault("points", "Only wagons begin with 0 points (HR-DAT-04); give 1 to 120.")
        if poor and troop_type != TroopType.MILITIA:
            self.fault("poor_militia", f"Only militia can be poor militia, not {troop_type}.")
