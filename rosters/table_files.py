"""Tables as spreadsheets write them: CSV of any country, tab-separated text, workbooks. No Django.

What a program does to a file without being asked is undone where nothing can be lost by it: separators, byte
orders and marks, `sep=` lines, line ends, capitals and spaces of column names, blank rows and columns, rows
above the names of the columns. What is not sure is refused in a sentence with the cause and the cure.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from openpyxl import load_workbook

from rosters.domain.text import normalize_text, text_fault
from rosters.file_kinds import file_kind, text_kind, workbook_fault
from rosters.sheet_cells import (
    MergedCells,
    column_letter,
    column_number,
    last_column,
    merged_faults,
    plain_text,
)

#: Rows in which the names of the columns are looked for.
HEAD_ROWS = 12
#: Columns of a workbook that are looked at, and those a text may have.
COLUMNS = 60
MOST_COLUMNS = 200
#: Parts of a workbook, bytes of all of them unpacked, and how many times larger one may be than packed.
MOST_PARTS, MOST_UNPACKED, MOST_SHRUNK = 200, 20 * 2**20, 1_000
#: Sheets of a workbook, and tags of all its parts: a cell is four to six, and takes some 15 microseconds.
MOST_SHEETS, MOST_TAGS = 20, 150_000
#: Tags of a row of twelve cells, and rows up to which the bound on tags grows with those asked for.
TAGS_A_ROW, LARGEST_SHEET = 72, 3_000
#: A row of a workbook that is hidden. Another tag may begin before its end is found: then it is none.
_HIDDEN_ROW = re.compile(rb"<row [^<>]*\bhidden=\"(?:1|true)\"")
#: What begins like a workbook and is none.
_NO_WORKBOOKS = (
    "a text document of Word",
    "a text document of LibreOffice",
    "a document of Apple Numbers or Pages",
    "a binary workbook (XLSB)",
)
SEPARATORS = (",", ";", "\t", "|")
#: A quotation mark within a text as programs write it that do not write it twice.
ESCAPED = '\\"'
#: Letters and signs of Western languages as Windows writes them in its own code page.
_WINDOWS = re.compile(
    rb"[\x00-\x7f\x80\x85\x91-\x97\xa0\xa3\xab\xb0\xb7\xbb\xbd\xc0-\xd6\xd8-\xf6\xf8-\xff]*"
)
#: A formula of a workbook, whatever its tags are prefixed with.
_FORMULA = re.compile(rb"<(?:\w+:)?f\b")
#: Cells that count as one, as a part of a workbook lists them.
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
#: Colours and conditions, spaces as wide as a sign, and fillings in a number's format.
_FORMAT_EXTRAS = re.compile(r"\[[^\]]*\]|[_*].")
TOO_LARGE = "The workbook is too large; save the sheet with the table alone as CSV."


class TableRefused(ValueError):
    """The file is no table that can be read with certainty; the sentence says why and what to do.

    `row` is the line of the file or sheet, 0 for the whole.
    """

    def __init__(self, sentence: str, row: int = 0) -> None:
        super().__init__(f"Row {row}: {sentence}" if row else sentence)
        self.sentence, self.row = sentence, row


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row: its line in the file, counted from 1, and its cells by column, spaces around them removed."""

    number: int
    cells: dict[str, str]


@dataclass(slots=True)
class TableFile:
    """Rows below the names of the columns.

    `notes` says in sentences what was there and is not read, `faults` by row what is no row of the table.
    """

    columns: tuple[str, ...]
    rows: list[TableRow]
    notes: list[str] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def read_table(
    data: bytes, required: Sequence[str], *, note: str = "", most: int = 100_000, guess: bool = False
) -> TableFile:
    """The table in a file, whichever program wrote it. Raises TableRefused.

    `required` are the columns by which the row of names is known; whether all are there is asked by who reads
    the rows. Rows whose first cell begins with `note` are for readers and are passed over. More than `most`
    rows are refused. `guess`: text of a Windows code page is read, for whoever looks at the rows before
    anything is done with them.
    """
    kind, merged = file_kind(data), list[MergedCells]()
    if kind == "a document of old Office":
        raise TableRefused("This is a workbook of old Excel (.xls); save it as XLSX or as CSV UTF-8.")
    if data.startswith(b"PK"):
        rows, notes, merged = _workbook_rows(data, required, most + HEAD_ROWS)
    elif kind:
        raise TableRefused(f"This is {kind}, not a table; save the table as XLSX or CSV UTF-8.")
    else:
        text, notes = text_decode(data, guess=guess)
        if text.count("\n") > 2 * most + HEAD_ROWS:
            raise TableRefused(
                f"The file has more than {2 * most} lines; bring {most} rows or fewer at a time."
            )
        rows = _text_rows(text, required, notes)
        if (kind := text_kind(text)) and not _head_of(rows, required)[0]:
            raise TableRefused(f"This is {kind}, not a table; save the table as XLSX or CSV UTF-8.")
    return _build_table_file(rows, required, note, most, notes, merged)


def text_decode(data: bytes, *, guess: bool = False) -> tuple[str, list[str]]:
    """The text of a file in normal form, and a sentence where it was not UTF-8. Raises TableRefused."""
    notes: list[str] = []
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = data.decode("utf-16")
        elif len(data) > 3 and len(data) % 2 == 0 and not (any(data[1:200:2]) and any(data[0:200:2])):
            text = data.decode("utf-16-be" if any(data[1:200:2]) else "utf-16-le")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = len(re.findall(rb"\r\n?|\n", data[: error.start])) + 1
        utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        if not guess or utf_16 or not _WINDOWS.fullmatch(data):
            raise TableRefused("The text is not UTF-8; save the file as CSV UTF-8.", row) from error
        text = data.decode("cp1252")
        notes.append("The file is in the code page of Western Windows (cp1252); look at accents and quotes.")
    text = normalize_text(text)
    if "\0" in text or "\x1a" in text:
        row = text[: text.find("\0" if "\0" in text else "\x1a")].count("\n") + 1
        raise TableRefused(f"{text_fault(text.split(chr(10))[row - 1])} Save the file as CSV UTF-8.", row)
    return text, notes


def column_name(cell: str) -> str:
    """A column's name as tables have it: small letters, `_` between words."""
    return re.sub(r"[\s_-]+", "_", cell.strip().lower())


def _text_rows(text: str, required: Sequence[str], notes: list[str]) -> list[tuple[int, list[str]]]:
    """Lines of a text with their cells, by the separator that gives the most of the columns asked for.

    What was undone is added to `notes`.
    """
    lines = text.split("\n")
    told = re.fullmatch(r'"?sep=(.)"?[,;\t ]*', lines[0], re.IGNORECASE)
    if told:
        lines[0] = ""
    body = "\n".join(lines)
    choices = [told[1]] if told else SEPARATORS
    best = max(choices, key=lambda separator: _count_known_columns(body, separator, required))
    if ESCAPED in body and (found := _escaped_rows(body, best)) is not None:
        notes.append(f"Quotation marks inside texts are written as {ESCAPED} in this file; they are read so.")
        return [(number, [plain_text(cell) for cell in cells]) for number, cells in found]
    try:
        rows = [(number, [plain_text(cell) for cell in cells]) for number, cells in _iter_cells(body, best)]
    except csv.Error as error:
        raise TableRefused(f"The text is not CSV from here on: {error}.", _error_row(body, best)) from error
    if rows and rows[-1][0] <= text.rstrip("\n").count("\n") and body.count('"') % 2:
        words = 'A quotation mark (") opens in this row and never closes; add or remove one.'
        raise TableRefused(words, rows[-1][0])
    return rows


def _escaped_rows(text: str, separator: str) -> list[tuple[int, list[str]]] | None:
    """The rows of a text in which a backslash stands before quotation marks within texts.

    None where it is CSV as it should be, and the backslash a part of the text. Raises TableRefused where it
    can be read in neither way.
    """
    try:
        rows = list(_iter_cells(text, separator, strict=True))
    except csv.Error:
        pass
    else:
        if f'{ESCAPED}"' in text or not any(ESCAPED in cell for _, cells in rows for cell in cells):
            return None
        return [(number, [cell.replace(ESCAPED, '"') for cell in cells]) for number, cells in rows]
    try:
        kept = re.sub(r'\\(?!["\\])', r"\\\\", text)  # a backslash before anything else is one
        return list(_iter_cells(kept, separator, strict=True, escapechar="\\"))
    except csv.Error as error:
        words = (
            f"A quotation mark inside a text is written as {ESCAPED} here and the text cannot be told from "
            'what follows; write it twice ("") or save the table as XLSX.'
        )
        raise TableRefused(words, text[: text.index(ESCAPED)].count("\n") + 1) from error


def _count_known_columns(text: str, separator: str, required: Sequence[str]) -> int:
    head = "\n".join(text.split("\n", HEAD_ROWS)[:HEAD_ROWS])
    found = 0
    try:
        for _, cells in _iter_cells(head, separator):
            found = max(found, len({column_name(cell) for cell in cells} & set(required)))
    except (csv.Error, TableRefused):
        pass
    return found


def _iter_cells(text: str, separator: str, **more: Any) -> Iterable[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, **more)
    before = 0
    for cells in reader:
        if any(cells[MOST_COLUMNS:]):
            words = f"The row has more than {MOST_COLUMNS} fields; remove columns that are not needed."
            raise TableRefused(words, before + 1)
        yield before + 1, cells[:MOST_COLUMNS]
        before = reader.line_num


def _error_row(text: str, separator: str) -> int:
    last = 1
    try:
        for number, _ in _iter_cells(text, separator):
            last = number + 1
    except csv.Error:
        pass
    return last


def _workbook_rows(
    data: bytes, required: Sequence[str], most: int
) -> tuple[list[tuple[int, list[str]]], list[str], list[MergedCells]]:
    """Rows of the sheet that names the columns asked for, and its cells that count as one.

    What its size is said to be is not believed. A hidden sheet is read where no other names the columns.
    """
    if (kind := file_kind(data)) in _NO_WORKBOOKS:
        raise TableRefused(f"This is {kind}, not a table; save the table as XLSX or CSV UTF-8.")
    try:
        parts = _workbook_parts(data)
        tags = sum(part.count(b"<") for part in parts.values())
        sheet_parts = {name: part for name, part in parts.items() if name.startswith("xl/worksheets/")}
        most_tags = max(MOST_TAGS, TAGS_A_ROW * min(most, LARGEST_SHEET + HEAD_ROWS))
        if tags > most_tags or sum(name.endswith(".xml") for name in sheet_parts) > MOST_SHEETS:
            raise TableRefused(TOO_LARGE)
        if parts.get("mimetype", b"").startswith(b"application/vnd.oasis"):
            raise TableRefused("This is a spreadsheet of LibreOffice (.ods); save it as XLSX or CSV.")
        hidden = sum(len(_HIDDEN_ROW.findall(part)) for part in sheet_parts.values())
        has_formulas = any(_FORMULA.search(part) for part in sheet_parts.values())
        book = _stored_zip(parts)
        if fault := workbook_fault(parts):
            raise TableRefused(fault)
        values = load_workbook(book, read_only=True, data_only=True)
        # the heads say which sheet it is, and only that one is read whole
        sheets = [sheet.title for sheet in values.worksheets]
        heads = [list(_iter_sheet_rows(sheet, HEAD_ROWS - 1)) for sheet in values.worksheets]
        found = [_head_of(head, required)[0] for head in heads]
        shown = [sheet.sheet_state == "visible" for sheet in values.worksheets]
        at = max(range(len(sheets)), key=lambda each: (found[each] > 0 and shown[each], found[each], -each))
        rows = list(_iter_sheet_rows(values.worksheets[at], most))
        alike = [
            f"“{name}”"
            for name, named, seen in zip(sheets, found, shown, strict=True)
            if seen and named == len(set(required)) and shown[at]
        ]
        if len(alike) > 1:
            raise TableRefused(
                f"The sheets {' and '.join(alike)} hold a table each; put all rows on one sheet."
            )
        part = values.worksheets[at]._worksheet_path.lstrip("/")
        if alike and (last := last_column(parts.get(part, b""), most)) >= COLUMNS:
            words = f"The sheet has more than {COLUMNS} columns, up to {column_letter(last)}"
            raise TableRefused(f"{words}; remove columns that are not needed.")
        merged = [
            MergedCells(column_number(left), int(top), column_number(right), int(bottom))
            for left, top, right, bottom in _MERGED.findall(parts.get(part, b""))
        ]
        if has_formulas:
            formulas = load_workbook(book, read_only=True)
            _check_formula_results(rows, list(_iter_sheet_rows(formulas.worksheets[at], most)))
        others = [
            sheet.title
            for sheet in values.worksheets
            if sheet.title != sheets[at] and any(any(cells) for _, cells in _iter_sheet_rows(sheet, most))
        ]
    except (TableRefused, MemoryError):
        raise
    except BadZipFile as error:
        raise TableRefused("This is no whole workbook; save it again as XLSX or CSV.") from error
    except Exception as error:  # the reader's own errors share no base
        raise TableRefused("This is no workbook that can be read; save it as XLSX or CSV UTF-8.") from error
    notes = (
        [f"Only the sheet “{sheets[at]}” is read, not {', '.join(f'“{name}”' for name in others)}."]
        if others
        else []
    )
    if hidden:
        notes.append(f"{hidden} hidden rows are read too." if hidden > 1 else "1 hidden row is read too.")
    return rows, notes, merged


def _workbook_parts(data: bytes) -> dict[str, bytes]:
    """The parts of a workbook by name. Raises TableRefused before anything large is unpacked."""
    with ZipFile(io.BytesIO(data)) as book:
        infos = book.infolist()
        if (
            len(infos) > MOST_PARTS
            or sum(info.file_size for info in infos) > MOST_UNPACKED
            or any(info.file_size > max(info.compress_size, 4096) * MOST_SHRUNK for info in infos)
        ):
            raise TableRefused(TOO_LARGE)
        if any(info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for info in infos):
            raise TableRefused("The workbook is packed in an unusual way; save it again as XLSX or CSV.")
        parts = {}
        for info in infos:
            with book.open(info) as part:  # `read` without a size would unpack all, whatever is announced
                parts[info.filename] = part.read(info.file_size + 1)
    return parts


def _stored_zip(parts: Mapping[str, bytes]) -> io.BytesIO:
    """A zip of these parts, not packed: its reader has no more to unpack than was counted."""
    stream = io.BytesIO()
    with ZipFile(stream, "w") as book:
        for name, part in parts.items():
            book.writestr(name, part)
    return stream


def _iter_sheet_rows(sheet: Any, most: int) -> Iterator[tuple[int, list[str]]]:
    """Number and texts of each row of a sheet, one more than `most` at the most."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()
    for number, cells in enumerate(sheet.iter_rows(max_col=COLUMNS), 1):
        if number > most + 1:
            return
        texts = [_pad_number(cell, _cell_text(cell.value)) for cell in cells or ()]
        yield number, texts + [""] * (COLUMNS - len(texts))


def _cell_text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime | date):
        return cell.isoformat()[:10]
    return normalize_text(str(cell))


def _pad_number(cell: Any, text: str) -> str:
    """The text of a cell with the noughts before a number that its format shows: 7 as `000` is 007."""
    if type(cell.value) not in (int, float) or not cell.has_style:
        return text
    figures = text.removeprefix("-")
    shown = _FORMAT_EXTRAS.sub("", str(cell.number_format).partition(";")[0])
    if not figures.isdecimal() or not re.fullmatch("00+", shown):
        return text
    return text.removesuffix(figures) + figures.rjust(len(shown), "0")


def _check_formula_results(rows: list[tuple[int, list[str]]], written: list[tuple[int, list[str]]]) -> None:
    """Refuse a workbook with formulas whose results were never stored."""
    for (number, cells), (_, sources) in zip(rows, written, strict=False):
        for place, source in enumerate(sources):
            if source.startswith("=") and not (cells[place] if place < len(cells) else ""):
                words = "open and save the file in Excel or LibreOffice, or paste values."
                cell = f"{column_letter(place)}{number}"
                raise TableRefused(f"Cell {cell} is a formula without a result; {words}", number)


def _head_of(rows: list[tuple[int, list[str]]], required: Sequence[str]) -> tuple[int, int]:
    """The number of columns asked for that the best of the first rows names, and that row's place."""
    best, place = 0, 0
    for at, (_, cells) in enumerate(rows[:HEAD_ROWS]):
        found = len({column_name(cell) for cell in cells} & set(required))
        if found > best:
            best, place = found, at
    return best, place


def _build_table_file(
    rows: list[tuple[int, list[str]]],
    required: Sequence[str],
    note: str,
    most: int,
    notes: list[str],
    merged: Sequence[MergedCells],
) -> TableFile:
    filled = [(number, cells) for number, cells in rows if any(cell.strip() for cell in cells)]
    if not filled:
        raise TableRefused("The file is empty; its first row names the columns.")
    found, place = _head_of(filled, required)
    if required and not found:
        raise TableRefused(
            f"This is not a spreadsheet with the columns {', '.join(required)}; save such a table as XLSX or "
            "CSV UTF-8."
        )
    head_row, head = filled[place]
    if place:
        above = ", ".join(str(number) for number, _ in filled[:place])
        notes.append(f"Row {head_row} names the columns; what stands above (row {above}) is not read.")
    names = _column_names(head_row, head)
    table = TableFile(tuple(name for name in names if name), [], notes)
    table.faults += merged_faults(head_row, names, merged)
    beside: set[int] = set()
    for number, cells in filled[place + 1 :]:
        if note and cells[0].strip().startswith(note):
            continue
        if len(cells) >= len(names) and all(map(_is_column, cells, names)):
            table.notes.append(f"Row {number} repeats the names of the columns and is not read.")
            continue
        if len(cells) < len(names):
            words = "The row has fewer fields than the header; quote texts with line breaks."
            table.faults.append((number, words))
            continue
        if any(cell.strip() for cell in cells[len(head) :]):
            words = "The row has more fields than the header; put quotes around texts with separators."
            table.faults.append((number, words))
            continue
        beside |= {at for at, cell in enumerate(cells) if cell.strip() and not "".join(names[at : at + 1])}
        named = {name: cell.strip() for name, cell in zip(names, cells, strict=False) if name}
        if any(named.values()):
            table.rows.append(TableRow(number, named))
        if len(table.rows) > most:
            words = f"The table has more than {most} rows; bring {most} or fewer at a time."
            raise TableRefused(words, number)
    table.notes += [f"Column {column_letter(at)} has no name and is not read." for at in sorted(beside)]
    return table


def _is_column(cell: str, name: str) -> bool:
    """Whether a cell names this column."""
    return column_name(cell) == name


def _column_names(row: int, cells: list[str]) -> list[str]:
    """Names of the columns, "" for one without, none behind the last."""
    names = [column_name(cell) for cell in cells]
    while names and not names[-1]:
        names.pop()
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise TableRefused(f"The column {twice[0]} stands there twice; keep one.", row)
    return names
