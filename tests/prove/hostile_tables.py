"""Tables of units made to keep their reader busy: as large as is taken, odd workbooks, and far too large."""

import io
import zipfile
from collections.abc import Callable, Iterator, Sequence

from openpyxl import Workbook

HEAD = "id,name,points"
#: Rows of a table, nearly as many as are read.
MOST = 1_990
SHEET = "xl/worksheets/sheet1.xml"


def hostile(units: Sequence[tuple[str, int]]) -> Iterator[tuple[str, bytes]]:
    """Tables about a campaign's units, given by id and points."""
    key, points = units[0]
    for name, rows in (
        ("every unit renamed and with other points", [f"{key},New {key},{(p % 50) + 1}" for key, p in units]),
        ("one unit two thousand times", [f"{key},{key},{points}"] * MOST),
        ("unknown units", [f"{'x' * 60}{n},A,5" for n in range(MOST)]),
        ("new units", [f",New {n},5" for n in range(MOST)]),
        (
            "new units in a formation",
            [f",New {n},5,advanced_corps,british,british_line" for n in range(MOST)],
        ),
        ("new units of one name", [",Foot,5,advanced_corps,british,british_line"] * MOST),
        ("long names", [f",{'ab ' * 60},5,advanced_corps,british,british_line" for _ in range(MOST)]),
        ("long numbers", [f"{key},A,{'9' * 190}" for _ in range(MOST)]),
        ("noughts", [f"{key},A,1{'.0' * 95}" for _ in range(MOST)]),
        ("quotes", ['"' * 200] * MOST),
        ("marks", [f"{key},{chr(0x301) * 60}{chr(0x323) * 40},5" for _ in range(MOST)]),
        ("more rows than are read", ["a,b,5"] * 150_000),
    ):
        rows = [row + "," * (5 - row.count(",")) for row in rows]
        yield name, "\n".join([f"{HEAD},formation,nation,troop_type", *rows]).encode()[: 2**20]
    yield "one name of marks", f"{HEAD}\n{key},{(chr(0x301) + chr(0x323)) * 250_000},5".encode()[: 2**20]
    yield "columns by the thousand", f"{HEAD},{','.join(f'c{n}' for n in range(130_000))}\n".encode()
    yield "commas alone", b"," * 2**20
    yield "returns alone", b"\r" * 2**20
    yield "text of UTF-16", "\n".join([HEAD, *(f"{key},A,5" for _ in range(MOST))]).encode("utf-16")
    for name, change in WORKBOOKS.items():
        if len(data := change()) <= 2**20:
            yield f"a workbook: {name}", data


def hostile_armies() -> Iterator[tuple[str, bytes]]:
    """Orders of battle brought in at set-up or for a battle file."""
    head = "id,name,side,nation,troop_type,points,formation,place"
    unit = "x,Foot,crown,british,british_line,60,corps,albany"
    for name, text in (
        ("lines alone", "\n" * 2**21),
        ("commas alone", "," * 2**21),
        ("empty rows", head + "\n" + ",,,,,,,\n" * 200_000),
        ("faulty rows", head + "\n" + "x,,,,,,,\n" * 2_990),
        ("one unit three thousand times", head + f"\n{unit}" * 2_990),
        ("long fields", f"{head}\n" + "\n".join(",".join(["y" * 80] * 8) for _ in range(2_990))),
        ("short rows", head + "\n" + "x\n" * 5_900),
    ):
        yield name, text.encode()[: 2**21]
    for size in (8, 200, 600):
        yield f"a workbook of {size} MB unpacked", with_sheet(b"<" * (size * 2**20))
    yield (
        "a workbook of one cell of 16 MB",
        with_sheet(
            XML
            + MAIN
            + b'<row r="1"><c r="A1" t="str"><v>'
            + "a\u0301".encode() * 5_500_000
            + b"</v></c></row>"
            + END
        ),
    )
    yield "a workbook of as many rows as are read", workbook(2_990, columns=12)
    yield "a workbook of as many cells as are read", workbook(716, columns=60)
    for name, change in WORKBOOKS.items():
        yield f"a workbook: {name}", change()


def workbook(rows: int, columns: int = 3, sheets: int = 1, text: str = "ab") -> bytes:
    book = Workbook(write_only=True)
    for _ in range(sheets):
        sheet = book.create_sheet()
        sheet.append(["id", "name", "points", *(f"c{n}" for n in range(columns - 3))])
        for number in range(rows):
            sheet.append([f"{text}{number}", f"{text}{number}", 5, *(["x"] * (columns - 3))])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_sheet(text: bytes) -> bytes:
    """A workbook whose sheet is this text."""
    with zipfile.ZipFile(io.BytesIO(workbook(1))) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in (parts | {SHEET: text}).items():
            new.writestr(name, data)
    return stream.getvalue()


XML = b'<?xml version="1.0"?>'
MAIN = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = b"</sheetData></worksheet>"
LAUGHS = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 9))

WORKBOOKS: dict[str, Callable[[], bytes]] = {
    "as many rows as are read": lambda: workbook(MOST),
    "more rows than are read": lambda: workbook(30_000),
    "as many columns as are read": lambda: workbook(560, columns=60),
    "columns by the thousand": lambda: workbook(100, columns=3_000),
    "a hundred sheets": lambda: workbook(20, sheets=100),
    "twenty sheets of many rows": lambda: workbook(590, sheets=19),
    "hidden rows that never end": lambda: with_sheet(XML + MAIN + b"<row " * 3_000_000 + END),
    "hidden rows": lambda: with_sheet(XML + MAIN + b'<row hidden="1"/>' * 1_000_000 + END),
    "cells far apart": lambda: with_sheet(
        XML + MAIN
        + b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(1, 1_900)) + END
    ),
    "rows far apart": lambda: with_sheet(
        XML + MAIN + b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>' + END
    ),
    "rows numbered beyond everything": lambda: with_sheet(
        XML + MAIN + b'<row r="99999999999"><c><v>1</v></c></row>' + END
    ),
    "formulas": lambda: with_sheet(
        XML + MAIN + b'<row r="1"><c r="A1"><f>1+1</f></c></row>' * 100_000 + END
    ),
    "names within names": lambda: with_sheet(
        XML + b'<!DOCTYPE w [<!ENTITY a0 "laughs">' + LAUGHS + b"]>" + MAIN
        + b'<row r="1"><c r="A1" t="str"><v>&a8;</v></c></row>' + END
    ),
    "a number of many figures": lambda: with_sheet(
        XML + MAIN + b'<row r="1"><c r="A1"><v>' + b"9" * 900_000 + b"</v></c></row>" + END
    ),
    "tags in tags": lambda: with_sheet(XML + MAIN + b"<a>" * 2_000_000),
    "marks": lambda: with_sheet(
        XML + MAIN + b'<row r="1"><c r="A1" t="str"><v>'
        + "\u0301\u0323".encode() * 200_000 + b"</v></c></row>" + END
    ),
}  # fmt: skip
