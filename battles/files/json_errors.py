"""Why a text is no JSON and where, in words for people who write battle files by hand.

Whichever version of Python reads it, the same fault has the same place and sentence.
"""

import json
import re

#: What is wrong, by how the reader's sentence about it begins.
_CAUSES = {
    "Expecting value": "a value is missing, or a text stands without its quotation marks",
    "Expecting property name": "a name in double quotation marks is missing, or there is a comma too many",
    "Expecting ':'": "a colon is missing between a name and its value",
    "Expecting ','": "a comma or a closing bracket is missing",
    "Unterminated string": "a text has no closing quotation mark",
    "Invalid control character": "a text goes over the end of its line",
    "Invalid \\escape": "a backslash stands before a letter it cannot stand before",
    "Extra data": "something follows the closing bracket",
}
#: Marks that people and word processors set around texts.
_MARKS = "'`\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"
_WORDS = re.compile(r"(none|true|false|null|nil)\b", re.IGNORECASE)


def json_fault(error: json.JSONDecodeError) -> tuple[str, str]:
    """The line and column of a fault, with its cause and cure."""
    text, at = error.doc, error.pos
    before = text[:at].rstrip()
    if error.msg.startswith("Illegal trailing comma"):
        before = text[: at + 1]
    elif not (text[at : at + 1] in ("]", "}") and before.endswith(",")):
        return _describe_place(text, at), _describe_cause(error, before)
    return _describe_place(
        text, len(before) - 1
    ), "This is not valid JSON: there is a comma after the last value; remove it."


def _describe_place(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _describe_cause(error: json.JSONDecodeError, before: str) -> str:
    text, at = error.doc, error.pos
    here = text[at : at + 1]
    if text[at : at + 2] in ("//", "/*") or here == "#":
        return "JSON cannot hold comments; remove the one that begins here."
    known = (said for start, said in _CAUSES.items() if error.msg.startswith(start))
    cause = next(known, error.msg[:1].lower() + error.msg[1:])
    if here and here in _MARKS:
        cause = f'texts and names stand between straight double quotation marks ("), not {here}'
    elif here == "+":
        cause = "a number has no plus sign before it"
    elif here.isdigit() and re.search(r"\d,$", text[max(at - 2, 0) : at]):
        cause = "a number has a point for its decimals, as 4.5, not a comma"
    elif here.isdigit() and re.search(r"(?<![\w.])0$", text[max(at - 2, 0) : at]):
        cause = "a number does not begin with a nought"
    elif _WORDS.match(text, at):
        cause = "write true, false and null in small letters"
    elif here.isalpha() and not before.strip("\ufeff"):
        cause = "a battle file begins with { and ends with }"
    return f"This is not valid JSON: {cause}; correct it at this place."
