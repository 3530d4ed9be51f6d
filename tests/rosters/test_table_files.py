"""Tables as spreadsheets write them are read where nothing can be lost, else refused with cause and cure."""

import io
import tracemalloc
from collections.abc import Callable
from datetime import date
from importlib.metadata import version
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile
from zlib import crc32

import pytest
from openpyxl import DEFUSEDXML, Workbook

from rosters.importing import OPTIONAL, REQUIRED, RosterErrors, roster_rows
from rosters.table_files import TableFile, TableRefused, read_table, text_decode

INPUTS = Path(__file__).parents[1] / "inputs"
UNITS = ("id", "name", "points")
IDS = ["blue_foot", "blue_guns", "blue_militia"]


def unit_table(name: str) -> TableFile:
    return read_table((INPUTS / "unit_tables" / name).read_bytes(), UNITS, guess=True)


@pytest.mark.parametrize(
    ("name", "first", "notes"),
    [
        ("01-semicolon-bom.csv", 2, []),
        (
            "02-cp1252.csv",
            2,
            ["The file is in the code page of Western Windows (cp1252); look at accents and quotes."],
        ),
        ("03-tab.txt", 2, []),
        ("04-utf16-tab.txt", 2, []),
        ("07-blank-rows.csv", 2, []),
        ("08-capitals.csv", 2, []),
        ("16-cr-only.csv", 2, []),
        ("17-comma-with-semicolons-in-header.csv", 2, []),
        ("20-merged-title.xlsx", 3, ["Row 2 names the columns; what stands above (row 1) is not read."]),
        ("24-filtered-rows.xlsx", 2, ["3 hidden rows are read too."]),
    ],
)
def test_one_table_in_every_dress_is_read_alike(name: str, first: int, notes: list[str]) -> None:
    table, good = unit_table(name), unit_table("01-semicolon-bom.csv")
    assert table.columns[:3] == UNITS and table.notes == notes
    assert [row.cells["id"] for row in table.rows][:3] == IDS and table.rows[0].number == first
    assert len(table.rows) == 9
    if name != "17-comma-with-semicolons-in-header.csv":  # which has other columns
        assert [row.cells["name"] for row in table.rows] == [row.cells["name"] for row in good.rows]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("30-libreoffice.ods", "This is a spreadsheet of LibreOffice (.ods); save it as XLSX or CSV."),
        ("31-old-excel.xls", "This is a workbook of old Excel (.xls); save it as XLSX or as CSV UTF-8."),
    ],
)
def test_other_spreadsheets_are_named(name: str, sentence: str) -> None:
    with pytest.raises(TableRefused) as refused:
        unit_table(name)
    assert str(refused.value) == sentence


EMPTY = "The file is empty; its first row names the columns."
NOT_UTF_8 = "Row 2: The text is not UTF-8; save the file as CSV UTF-8."
NUL = "Character 4 is an invisible control character (U+0000); remove it."
BEGUN = b"id,name,points"


@pytest.mark.parametrize(
    ("data", "guess", "sentence"),
    [
        (b"", True, EMPTY),
        (b"\r\n ,,\r\n", True, EMPTY),
        (BEGUN + b"\na,\xe9,1\n", False, NOT_UTF_8),  # nobody looks at it first
        (BEGUN + b"\na,\x8e,1\n", True, NOT_UTF_8),  # an e with an accent of an old Mac
        (BEGUN + b"\na,b\0,1\n", True, f"Row 2: {NUL} Save the file as CSV UTF-8."),
        (BEGUN + b",id\n", True, "Row 1: The column id stands there twice; keep one."),
        (b"%PDF-1.7\n", True, "This is a PDF, not a table; save the table as XLSX or CSV UTF-8."),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            True,
            "This is a workbook or document with a password, not a table; "
            "save the table as XLSX or CSV UTF-8.",
        ),
        (
            BEGUN + b'\na,"Foot,60\nb,Guns,50\n',
            True,
            'Row 2: A quotation mark (") opens in this row and never closes; add or remove one.',
        ),
        (b"PK\x03\x04 cut off", True, "This is no whole workbook; save it again as XLSX or CSV."),
    ],
)
def test_what_is_not_sure_is_refused_with_cause_and_cure(data: bytes, guess: bool, sentence: str) -> None:
    with pytest.raises(TableRefused) as refused:
        read_table(data, UNITS, guess=guess)
    assert str(refused.value) == sentence


def test_rows_that_do_not_fit_are_all_named_and_the_rest_is_read() -> None:
    table = read_table(BEGUN + b"\na,b, left,1\nc,d,2\ne,f\n", UNITS)
    assert [row.cells["id"] for row in table.rows] == ["c"]
    assert table.faults == [
        (2, "The row has more fields than the header; put quotes around texts with separators."),
        (4, "The row has fewer fields than the header; quote texts with line breaks."),
    ]


def workbook(*rows: tuple[object, ...], beside: str = "") -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(list(row))
    if beside:
        book.create_sheet(beside).append(["what", "why"])
    book.save(stream := io.BytesIO())
    return stream.getvalue()


def test_cells_of_a_workbook_are_texts_as_people_read_them() -> None:
    data = workbook(UNITS, ("a", 2, 110.0), ("b", True, 85.5), ("c", date(1777, 9, 19), None), beside="Notes")
    table = read_table(data, UNITS)
    assert [tuple(row.cells.values()) for row in table.rows] == [
        ("a", "2", "110"),
        ("b", "TRUE", "85.5"),
        ("c", "1777-09-19", ""),
    ]
    assert table.notes == ["Only the sheet “Sheet” is read, not “Notes”."]


@pytest.mark.parametrize(
    ("value", "shown_as", "text"),
    [
        (7, "000", "007"),
        (7.0, "0000", "0007"),
        (-7, "000", "-007"),
        (1234, "000", "1234"),
        (7, "000;-000", "007"),
        (7, "000_);(000)", "007"),
        (7, "[Red]000", "007"),
        (7, "General", "7"),
        (7, "0", "7"),
        (1250, "#,##0", "1250"),
        (2.5, "000", "2.5"),
        (7, '000" men"', "7"),
        ("007", "@", "007"),
        (True, "000", "TRUE"),
    ],
)
def test_noughts_before_a_number_are_read_as_they_are_shown(value: object, shown_as: str, text: str) -> None:
    book = Workbook()
    book.active.append(("id", "name", "points"))
    book.active.append((value, "Foot", 100))
    book.active["A2"].number_format = shown_as
    (row,) = read_table(save_workbook(book), UNITS).rows
    assert row.cells["id"] == text


def test_the_sheet_with_the_columns_is_found_behind_another() -> None:
    book = Workbook()
    book.active.append(["Read me first"])
    units = book.create_sheet("Units")
    units.append(list(UNITS))
    units.append(["a", "Foot", 60])
    book.save(stream := io.BytesIO())
    table = read_table(stream.getvalue(), UNITS)
    assert [row.cells for row in table.rows] == [{"id": "a", "name": "Foot", "points": "60"}]
    assert table.notes == ["Only the sheet “Units” is read, not “Sheet”."]


def sheets(**tables: list[tuple[object, ...]]) -> Workbook:
    """A workbook with a sheet for each table."""
    book = Workbook()
    for title, rows in tables.items():
        sheet = book.active if title == next(iter(tables)) else book.create_sheet()
        sheet.title = title
        for row in rows:
            sheet.append(row)
    return book


def save_workbook(book: Workbook) -> bytes:
    book.save(stream := io.BytesIO())
    return stream.getvalue()


def test_two_sheets_with_a_table_each_are_refused_and_a_hidden_one_is_passed_over() -> None:
    book = sheets(Crown=[UNITS, ("a", "Foot", 60)], Rebel=[UNITS, ("b", "Militia", 40)])
    with pytest.raises(TableRefused) as refused:
        read_table(save_workbook(book), UNITS)
    assert (
        str(refused.value) == "The sheets “Crown” and “Rebel” hold a table each; put all rows on one sheet."
    )
    book["Crown"].sheet_state = "hidden"
    table = read_table(save_workbook(book), UNITS)
    assert [row.cells["id"] for row in table.rows] == ["b"]
    assert table.notes == ["Only the sheet “Rebel” is read, not “Crown”."]


def test_merged_cells_of_the_table_are_named_and_those_of_a_title_do_no_harm() -> None:
    book = sheets(Units=[("Our army",), UNITS, ("a", "Foot", 60), ("b", "", 50), ("c", "Guns", 50)])
    book.active.merge_cells("A1:C1")
    assert read_table(save_workbook(book), UNITS).faults == []
    book.active.merge_cells("B3:B4")
    assert read_table(save_workbook(book), UNITS).faults == [
        (3, "The cells B3:B4 are merged; unmerge them and fill in each.")
    ]


def test_a_repeated_header_is_said_and_not_read() -> None:
    table = read_table(BEGUN + b"\na,Foot,60\nID,Name,Points\nb,Guns,50\n", UNITS)
    assert [row.cells["id"] for row in table.rows] == ["a", "b"]
    assert table.notes == ["Row 3 repeats the names of the columns and is not read."]


def test_bars_may_stand_between_fields() -> None:
    assert read_table(b"id|name|points\na|x,;y|60\n", UNITS).rows[0].cells["name"] == "x,;y"


ESCAPED = 'Quotation marks inside texts are written as \\" in this file; they are read so.'


@pytest.mark.parametrize(
    ("line", "name", "notes"),
    [
        (r'a,"The \"Old\" Guard",60', 'The "Old" Guard', [ESCAPED]),
        (r'a,"The \"Old, red\" Guard",60', 'The "Old, red" Guard', [ESCAPED]),
        (r'a,"\"Old\" Guard",60', '"Old" Guard', [ESCAPED]),
        (r'a,"Guard, \"Old\"",60', 'Guard, "Old"', [ESCAPED]),
        (r'a,"The \"Old\" \\ new Guard\n",60', r'The "Old" \ new Guard\n', [ESCAPED]),
        (r"a,The \"Old\" Guard,60", 'The "Old" Guard', [ESCAPED]),
        (r'a,"The ""Old"" and \"new\" Guard",60', 'The "Old" and "new" Guard', [ESCAPED]),
        (r'a,"The ""Old"" Guard",60', 'The "Old" Guard', []),
        ('a,"C:\\",60', "C:\\", []),
        (r'a,"The \""Old\"" Guard",60', r"The \"Old\" Guard", []),  # as we write such a name ourselves
        (r'a,"C:\Guard",60', r"C:\Guard", []),
    ],
)
@pytest.mark.parametrize("separator", [",", ";"])
def test_quotation_marks_behind_a_backslash_are_read(
    line: str, name: str, notes: list[str], separator: str
) -> None:
    lines = ("id,name,points", line, 'b,"Foot, red",50')
    swapped = [text.translate(str.maketrans(",;", f"{separator},")) for text in lines]
    table = read_table("\n".join(swapped).encode(), UNITS)
    shown = name.replace(",", separator)
    assert [row.cells["name"] for row in table.rows] == [shown, f"Foot{separator} red"]
    assert [row.cells["points"] for row in table.rows] == ["60", "50"]
    assert (table.notes, table.faults) == (notes, [])


def test_quotation_marks_that_can_be_read_in_no_way_are_refused() -> None:
    lines = ("id,name,points", "b,Foot,50", r'a,"The \"Old" Guard\" of,60')
    with pytest.raises(TableRefused) as refused:
        read_table("\n".join(lines).encode(), UNITS)
    assert str(refused.value) == (
        'Row 3: A quotation mark inside a text is written as \\" here and the text cannot be told from what '
        'follows; write it twice ("") or save the table as XLSX.'
    )


def test_a_formula_without_its_result_is_named_by_its_cell() -> None:
    with pytest.raises(TableRefused) as refused:
        read_table(workbook(UNITS, ("a", "Foot", "=40+20")), UNITS)
    words = "is a formula without a result; open and save the file in Excel or LibreOffice, or paste values."
    assert str(refused.value) == f"Row 2: Cell C2 {words}"


def test_a_note_beside_the_table_is_said_and_not_read() -> None:
    table = read_table(b"id,name,points,,\na,Foot,60,,ask Ben\n", UNITS)
    assert [row.cells for row in table.rows] == [{"id": "a", "name": "Foot", "points": "60"}]
    assert table.notes == ["Column E has no name and is not read."]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_sep_line_is_followed(separator: str) -> None:
    lines = [f"sep={separator}", separator.join(UNITS), separator.join(("a", '"x,;y"', "60"))]
    table = read_table("\r\n".join(lines).encode("utf-8-sig"), UNITS)
    assert [row.cells for row in table.rows] == [{"id": "a", "name": "x,;y", "points": "60"}]
    assert table.rows[0].number == 3


def test_rows_for_readers_are_passed_over_and_too_many_refused() -> None:
    data = b"id,name,points\n# a, note, with, commas\na,Foot,60\nb,Foot,60\n"
    assert [row.number for row in read_table(data, UNITS, note="#").rows] == [3, 4]
    with pytest.raises(TableRefused, match="more than 1 rows"):
        read_table(data, UNITS, note="#", most=1)


def test_a_row_of_endless_fields_is_refused_and_empty_ones_are_nothing() -> None:
    named = ",".join(f"c{n}" for n in range(197))
    table = read_table(f"id,name,points,{named}{',' * 16_000}\na,A,5{',' * 16_000}\n".encode(), UNITS)
    assert table.rows[0].cells["points"] == "5" and len(table.columns) == 200
    for text in (f"id,name,points,{named},one", "id,name,points\na,A,5" + "," * 250 + "x"):
        with pytest.raises(TableRefused, match="The row has more than 200 fields; remove columns"):
            read_table(text.encode(), UNITS)


def test_what_is_far_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workbook of 1 MB with 12 million tags took minutes, a text of a million line ends seconds."""
    monkeypatch.setattr("rosters.table_files.load_workbook", lambda *_, **__: pytest.fail("read"))
    monkeypatch.setattr("rosters.table_files._iter_cells", lambda *_: pytest.fail("read"))
    with pytest.raises(TableRefused, match="The file has more than 20 lines; bring 10 rows or fewer"):
        read_table(b"id,name,points" + b"\r" * 40, UNITS, most=10)
    for sheets, rows in ((21, b""), (1, b"<row " * 217_000)):
        stream = io.BytesIO()
        with ZipFile(stream, "w") as book:
            for number in range(sheets):
                book.writestr(f"xl/worksheets/sheet{number}.xml", rows)
        with pytest.raises(
            TableRefused, match="The workbook is too large; save the sheet with the table alone"
        ):
            read_table(stream.getvalue(), UNITS)


def hold_too_much(kind: str) -> bytes:
    """A workbook of some KB that would fill memory, by what its list says or against it."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as book:
        if kind == "parts":
            for number in range(201):
                book.writestr(f"xl/media/{number}", b"")
        elif kind == "together":
            for number in range(3):
                book.writestr(f"xl/media/{number}", bytes(range(256)) * 2**15)
        else:
            book.writestr("xl/sharedStrings.xml", b"<" * 2**23)
    return stream.getvalue()


@pytest.mark.parametrize("kind", ["parts", "together", "shrunk"])
def test_a_workbook_that_would_fill_memory_is_refused_before_a_part_is_read(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """612 KB took 1.2 GB of a web process."""
    data = hold_too_much(kind)
    monkeypatch.setattr("rosters.table_files.ZipFile.open", lambda *_: pytest.fail("read"))
    with pytest.raises(RosterErrors, match="The workbook is too large; save the sheet with the table alone"):
        roster_rows(data)


def test_no_more_of_a_workbook_is_unpacked_than_its_list_says() -> None:
    """A list may say less than there is; `ZipFile.read` and openpyxl would unpack it all at once."""
    stream = io.BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", b" " * 2**26)
        entry = book.infolist()[0]
        entry.file_size, entry.CRC = 1_000, crc32(b" " * 1_000)
    tracemalloc.start()
    with pytest.raises(TableRefused, match="no workbook that can be read"):
        read_table(stream.getvalue(), UNITS)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**23


def test_a_workbook_of_as_many_rows_as_are_asked_for_is_read() -> None:
    """It was refused with "save the sheet with the table alone", which it was."""
    cells = ("crown", "british", "british_line", 60, "brigade", "", "A regiment", "no", "", "albany")
    rows = [(f"foot_{number}", f"Foot {number}", *cells) for number in range(2_990)]
    assert len(roster_rows(workbook((*REQUIRED, *OPTIONAL), *rows), most=3_000)) == 2_990


def test_utf_16_without_a_mark_is_known_by_its_zero_bytes() -> None:
    for order in ("utf-16-le", "utf-16-be"):
        assert text_decode("id;name;points".encode(order)) == ("id;name;points", [])


def test_a_zip_that_is_no_workbook_is_refused() -> None:
    with ZipFile(stream := io.BytesIO(), "w") as archive:
        archive.writestr("a.txt", "x")
    with pytest.raises(TableRefused, match="no workbook that can be read"):
        read_table(stream.getvalue(), UNITS)


def test_a_site_reads_workbooks_with_the_reader_that_is_tried_here() -> None:
    """openpyxl takes defusedxml if it is there; only the list of what tests need had it."""
    listed = (Path(__file__).parents[2] / "requirements.txt").read_text().splitlines()
    assert DEFUSEDXML and f"defusedxml=={version('defusedxml')}" in listed


ROSTERS = sorted((INPUTS / "rosters").iterdir())


@pytest.mark.parametrize("path", ROSTERS, ids=[path.name for path in ROSTERS])
def test_an_order_of_battle_in_every_dress(path: Path) -> None:
    if path.name.startswith("11-"):
        with pytest.raises(RosterErrors) as refused:
            roster_rows(path.read_bytes())
        use = "will not do; use 1 to 120 letters, digits, - and _"
        assert str(refused.value).splitlines() == [
            f"Row 3, id: '1st Foot' {use}, as 1st_foot.",
            f"Row 4, formation: 'Blue Brigade' {use}, as blue_brigade.",
        ]
        return
    rows = roster_rows(path.read_bytes())
    assert [(row.id, row.name, row.side, row.points) for row in rows] == [
        ("r_foot_1", "1st Foot, right wing", "crown", 80),
        ("r_foot_2", "2nd Foot", "crown", 75),
        ("b_cont_1", "Régiment d\u2019Élite", "rebel", 90),
    ]


def workbook_with(change: Callable[[Workbook], None]) -> bytes:
    book = Workbook()
    for row in (UNITS, ("blue_foot", "Foot", 60)):
        book.active.append(row)
    change(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_column_beyond_those_read_is_said() -> None:
    """A place in column BR was passed over."""

    def far(book: Workbook) -> None:
        book.active.cell(1, 70).value, book.active.cell(2, 70).value = "place", "albany"

    with pytest.raises(TableRefused) as refused:
        read_table(workbook_with(far), UNITS)
    assert refused.value.sentence == (
        "The sheet has more than 60 columns, up to BR; remove columns that are not needed."
    )


def test_a_chart_on_a_sheet_of_its_own_is_called_by_its_name() -> None:
    """The whole was called no workbook that can be read."""
    with pytest.raises(TableRefused) as refused:
        read_table(workbook_with(lambda book: book.create_chartsheet("Strength", 0)), UNITS)
    told = "A sheet of this workbook is a chart alone; save the table's sheet alone as CSV."
    assert refused.value.sentence == told


def test_a_strict_workbook_is_called_by_its_name() -> None:
    """It was called an empty file."""
    stream = io.BytesIO()
    with ZipFile(io.BytesIO(workbook_with(lambda book: None))) as old, ZipFile(stream, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
            new.writestr(name, part.replace(main, b"http://purl.oclc.org/ooxml/spreadsheetml/main"))
    with pytest.raises(TableRefused) as refused:
        read_table(stream.getvalue(), UNITS)
    told = "This is a Strict Open XML workbook; save it as Excel Workbook (XLSX) or as CSV."
    assert refused.value.sentence == told


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"RIFF\0\0\0\0WEBPVP8 ", "a picture or a recording"),
        (b"\0\0\0\x18ftypheic", "a picture or a film"),
        (b"ID;PWXL;N;E\nP;PGeneral\n", "a table of old programs (SYLK)"),
        (b"TABLE\n0,1\n", "a table of old programs (DIF)"),
        (b"[InternetShortcut]\nURL=https://example.org/\n", "a link to a page"),
        (b"MIME-Version: 1.0\nX-Document-Type: Workbook\n", "a saved page or an e-mail"),
        (b"bplist00abc", "a web archive or settings of a Mac"),
    ],
)
def test_files_that_are_no_tables_are_called_by_their_names(data: bytes, kind: str) -> None:
    """Most were said to hold an invisible character."""
    with pytest.raises(TableRefused) as refused:
        read_table(data, UNITS)
    assert refused.value.sentence == f"This is {kind}, not a table; save the table as XLSX or CSV UTF-8."
