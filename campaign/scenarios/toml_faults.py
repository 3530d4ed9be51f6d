"""Why a text is no TOML, in words for people who do not write TOML every day."""

import re
import tomllib

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CURLY = "\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"
_CURLY_INSIDE = re.compile(f'"[^"]*[{_CURLY}][^"]*"')
_DAY = re.compile(r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
#: Causes and cures by how the reader's own sentence begins.
_CAUSES = (
    (("Expected '='",), 'a name needs = and a value behind it, as title = "Club war"'),
    (("Cannot declare", "Cannot overwrite", "Cannot mutate"), "this name stands there twice; keep one"),
    (("Unterminated", "Illegal character '\\n'"), "a text has no closing quotation mark; add it"),
    (("Unescaped '\\\\'", "Invalid hex"), "a text holds a backslash; write two"),
    (("Expected newline",), "something follows the value; put text in quotation marks"),
    (("Invalid value",), "this is not a value; put text in quotation marks, and write a date as 1776-12-08"),
)


def toml_fault(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    """The line of a fault, 0 for the whole text, with the cause and the cure."""
    said = str(error)
    found = _PLACE.search(said)
    row = int(found[1]) if found and found[1] else 0
    lines = text.split("\n")
    line = lines[row - 1] if 0 < row <= len(lines) else ""
    if any(mark in line for mark in _CURLY) and not _CURLY_INSIDE.search(line):
        return row, 'curly quotation marks stand around a text; use straight ones (").'
    if _DAY.search(_QUOTED.sub("", line).split("#")[0]):
        return row, "write dates as 1776-12-08."
    cause = next((told for starts, told in _CAUSES if said.startswith(starts)), "")
    return row, f"{cause}." if cause else f"this is not valid TOML: {_PLACE.sub('', said)}."
