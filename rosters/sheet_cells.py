"""Cells of spreadsheets: what a program made of a text that somebody typed, and cells that count as one.

No Django.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

#: The error of a formula in any language, as `#REF!`, `#BEZUG!` and `#N/D`, and a column too narrow to show.
_ERROR = re.compile(
    r"#¡?[^\W\d_][\w/]{1,19}[!?]|#N/?[ADVBT](?: N/A)?|#GETTING_DATA|#{3,}|Err:\d{3}", re.IGNORECASE
)
#: A number of many figures as programs shorten it, and a time of day.
_SHORTENED, _TIME = re.compile(r"\d[.,]\d+E[+-]?\d+", re.IGNORECASE), re.compile(r"\d{1,2}:\d\d:\d\d")
#: Letters of UTF-8 that were read as Western Windows, as `Ã¼` for `ü`: two or three of them for one.
_MISREAD = re.compile(
    "[\u00c2-\u00ef][\u0080-\u00bf\u0152-\u0192\u02c6-\u02dc\u2013-\u203a\u20ac\u2122]{1,2}"
)
#: A function of a spreadsheet. Names may begin with `=`, but none is made like this.
_FUNCTION = re.compile(r"=[A-Z.]{2,20}\(.*\)", re.IGNORECASE)
#: A text that programs write as a formula, lest a spreadsheet makes a number or a date of it.
_TEXT_FORMULA = re.compile(r'="([^"]*)"')
#: Months whole or as programs shorten them, in English and German, and shortened in French, Spanish, Italian,
#: Portuguese and Dutch; regiments are called 1 Maryland.
_MONTH = (
    "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|mär(?:z)?|apr(?:il)?|mai|may|june?|juni|july?|juli"
    "|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?"
    "|janv|févr|mars|avr|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out|mrt|mei)"
)
#: Dates as spreadsheets show them. `Jan-01` is none: people make ids like that.
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}([./])\d{1,2}\1\d{2,4}"
    rf"|\d{{1,2}}[. -]{{1,2}}{_MONTH}\.?(?:[ -]\d{{2,4}})?",
    re.IGNORECASE,
)
#: A cell beyond column Z with something in it, in the text of a workbook's sheet.
_FILLED = re.compile(rb'<(?:\w+:)?c r="([A-Z]{2,3})(\d{1,7})"[^<>]*[^<>/]>')
LONGEST_DATE = 30


class MergedCells(NamedTuple):
    """Cells of a sheet that count as one: columns from 0 and rows from 1, the last ones included."""

    left: int
    top: int
    right: int
    bottom: int


def strip_zero_decimals(cell: str) -> str:
    """The figures of a whole number that a program wrote with decimals; 1,000 stays, it may be a thousand."""
    found = re.fullmatch(r"(.*)[.,](0+)", cell)
    return found[1] if found and len(found[2]) != 3 else cell


def plain_text(cell: str) -> str:
    """The text of a cell that was written as a formula, as `="3-4"`; any other cell as it is."""
    found = _TEXT_FORMULA.fullmatch(cell)
    return found[1] if found else cell


def spoiled_cell(text: str, *, is_name: bool = False) -> str:
    """The reason why a cell is not what somebody typed, as a sentence; "" for one that may be.

    A name may begin with `=`, nothing else may.
    """
    if _ERROR.fullmatch(text):
        return f"“{text}” is the error of a formula; correct it in the spreadsheet."
    if _FUNCTION.fullmatch(text) or (text.startswith("=") and not is_name):
        return f"“{text[:40]}” is a formula, not its result; save the table with the results."
    if "\ufffd" in text or _was_misread(text):
        return f"“{text[:40]}” has letters that were spoiled on the way; type it again and save as CSV UTF-8."
    if _SHORTENED.fullmatch(text) or _TIME.fullmatch(text):
        made = "a time of day" if ":" in text else "a number that was shortened"
        return f"“{text}” is {made}; format the column as text and type it again."
    if len(text) <= LONGEST_DATE and _DATE.fullmatch(text):
        cure = "Format the column as text and type it again."
        return f"“{text}” is a date: a spreadsheet makes one of 3-4. {cure}"
    return ""


def _was_misread(text: str) -> bool:
    """Whether letters were written as UTF-8 and read as Western Windows before the table was saved."""
    for found in _MISREAD.finditer(text):
        try:
            found[0].encode("cp1252").decode("utf-8")
        except UnicodeError:
            continue
        return True
    return False


def merged_faults(
    head_row: int, names: Sequence[str], merged: Sequence[MergedCells]
) -> Iterator[tuple[int, str]]:
    """Merged cells below the names of the columns: what stands there belongs to the first of them alone."""
    for each in merged:
        over = [name for name in names[each.left : each.right + 1] if name]
        if each.bottom > head_row and over and (each.bottom > each.top or len(over) > 1):
            cells = f"{column_letter(each.left)}{each.top}:{column_letter(each.right)}{each.bottom}"
            yield each.top, f"The cells {cells} are merged; unmerge them and fill in each."


def column_number(letters: bytes) -> int:
    """A column as spreadsheets call it, counted from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number - 1


def last_column(sheet: bytes, most: int) -> int:
    """The last column with something in it in the first `most` rows of a workbook's sheet, from 0."""
    return max((column_number(name) for name, row in _FILLED.findall(sheet) if int(row) <= most), default=0)


def column_letter(at: int) -> str:
    """A column as spreadsheets call it, of one counted from 0."""
    return column_letter(at // 26 - 1) + chr(65 + at % 26) if at > 25 else chr(65 + at)
