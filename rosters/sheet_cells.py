"""Cells of spreadsheets: what a program made of a text that somebody typed, and cells that count as one.

No Django.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ERROR = re.compile(r"#(N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)|Err:\d{3}", re.IGNORECASE)
#: A function of a spreadsheet. Names may begin with `=`, but none is made like this.
_FUNCTION = re.compile(r"=[A-Z.]{2,20}\(.*\)", re.IGNORECASE)
#: A text that programs write as a formula, lest a spreadsheet makes a number or a date of it.
_TEXT_FORMULA = re.compile(r'="([^"]*)"')
#: Months whole or as programs shorten them, in English and German; regiments are called 1 Maryland.
_MONTH = (
    "(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|mär(?:z)?|apr(?:il)?|mai|may|june?|juni|july?|juli"
    "|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)"
)
#: Dates as spreadsheets show them. `Jan-01` is none: people make ids like that.
_DATE = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}([./])\d{1,2}\1\d{2,4}"
    rf"|\d{{1,2}}[. -]{{1,2}}{_MONTH}\.?(?:[ -]\d{{2,4}})?",
    re.IGNORECASE,
)
LONGEST_DATE = 30


class MergedCells(NamedTuple):
    """Cells of a sheet that count as one: columns from 0 and rows from 1, the last ones included."""

    left: int
    top: int
    right: int
    bottom: int


def plain_text(cell: str) -> str:
    """The text of a cell that was written as a formula, as `="3-4"`; any other cell as it is."""
    found = _TEXT_FORMULA.fullmatch(cell)
    return found[1] if found else cell


def spoiled_cell(text: str, *, is_name: bool = False) -> str:
    """Why a cell is not what somebody typed, as a sentence; "" for one that may be.

    A name may begin with `=`, nothing else may.
    """
    if _ERROR.fullmatch(text):
        return f"“{text}” is the error of a formula; correct it in the spreadsheet."
    if _FUNCTION.fullmatch(text) or (text.startswith("=") and not is_name):
        return f"“{text[:40]}” is a formula, not its result; save the table with the results."
    if len(text) <= LONGEST_DATE and _DATE.fullmatch(text):
        cure = "Format the column as text and type it again."
        return f"“{text}” is a date: a spreadsheet makes one of 3-4. {cure}"
    return ""


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


def column_letter(at: int) -> str:
    """A column as spreadsheets call it, of one counted from 0."""
    return column_letter(at // 26 - 1) + chr(65 + at % 26) if at > 25 else chr(65 + at)
