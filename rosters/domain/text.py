"""Text that people and programs send: its normal form, and what cannot be kept or shown.

A text is kept in Unicode's composed form (NFC) with `\\n` between lines. It holds no control character, which
PostgreSQL or a terminal would trip over, and none that turns the direction of writing round, which makes a
reader see something else than what is there. A name is one line besides, can be seen, and hides nothing.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_LINE_ENDS = re.compile("\r\n?|\x85|\u2028|\u2029")
_SPACES = re.compile("[ \u00a0\u202f]+")
#: Control characters but tab and line feed, halves of characters, and code points that stand for nothing.
_CONTROL = "\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
#: Embeddings, overrides and isolates of the direction of writing.
_DIRECTION = "\u202a-\u202e\u2066-\u2069"
_FAULT = re.compile(f"[{_CONTROL}{_DIRECTION}]")
#: Letters and symbols by their category that show nothing.
_BLANK = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
#: Joiners within words of some scripts and within emoji.
_JOINERS = frozenset("\u200c\u200d")
#: Marks and code points without a use that show nothing: joined letters, chosen shapes, tags.
_UNSEEN = re.compile("[\u034f\u180b-\u180f\u2065\ufe00-\ufe0d\ufff0-\ufff8\U000e0000-\U000e0fff]")
#: What chooses between a letter and its picture, behind a symbol alone.
_SHAPES = frozenset("\ufe0e\ufe0f")
#: More marks than any script sets on one letter cover the lines around it.
_MARKS = 4
#: The most marks on one letter of any text (UAX 15, Stream-Safe Text). They are sorted when a text is
#: composed, which takes the square of their number.
MOST_MARKS = 30
_HEAP = re.compile(rb"[^\0]{%d,}" % (MOST_MARKS + 1))
#: What a table of figures would take for a formula when a cell begins with it.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
#: Marks that are made of two others, and count as none by themselves.
_DOUBLE_MARKS = re.compile("[\u0f73\u0f75\u0f81]")


def normalize_text(text: str) -> str:
    """The text in composed form, with `\\n` at the ends of its lines and no byte-order mark before it."""
    if text.isascii():
        return _LINE_ENDS.sub("\n", text) if "\r" in text else text
    return _compose_text(_LINE_ENDS.sub("\n", text.removeprefix("\ufeff")))


def normalize_name(text: str) -> str:
    """The name in composed form, with one space between its words and none around them."""
    return _SPACES.sub(" ", _compose_text(text.removeprefix("\ufeff"))).strip(" ")


def unescape_cell(text: str) -> str:
    """A cell without the apostrophe that a table of ours sets before what begins as a formula."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULAS) else text


def _compose_text(text: str) -> str:
    """The text in NFC; one with a heap of marks as it is, for `text_fault` refuses it."""
    return text if _heaps_of_marks(text) else unicodedata.normalize("NFC", text)


def _heaps_of_marks(text: str) -> list[slice]:
    """Places where more than `MOST_MARKS` marks stand on one letter."""
    if text.isascii():
        return []
    classes = bytes(map(unicodedata.combining, _DOUBLE_MARKS.sub("\u0f72", text)))
    return [slice(*found.span()) for found in _HEAP.finditer(classes)]


def text_fault(text: str) -> str:
    """The fault of a normalized text that cannot be kept, as a sentence; "" for none."""
    found = _FAULT.search(text)
    if found is None:
        heap = next(iter(_heaps_of_marks(text)), None)
        if heap is None:
            return ""
        return f"Character {heap.start + 1} begins a row of more than {MOST_MARKS} marks; remove some."
    kind = "control character"
    if found[0] > "\u2000":
        kind = "character that turns the direction of writing" if found[0] < "\ud800" else "broken character"
    return (
        f"Character {found.start() + 1} is an invisible {kind} ({_format_code_point(found[0])}); remove it."
    )


def name_fault(name: str, longest: int | None = None) -> str:
    """The fault of a normalized name of at most `longest` characters, as a sentence; "" for none.

    An empty name has no fault here: whether one is needed is asked elsewhere.
    """
    if longest is not None and len(name) > longest:
        return f"The name has {len(name)} characters; shorten it to {longest} or fewer."
    if "\n" in name or "\t" in name:
        return "This takes one line of text; remove the line break or tab."
    if fault := text_fault(name):
        return fault
    for place, character in enumerate(name, 1):
        hidden = unicodedata.category(character) == "Cf" and character not in _JOINERS
        chosen = character in _SHAPES and unicodedata.category(name[place - 2 : place - 1] or "a")[0] != "S"
        if hidden or chosen or character in _BLANK or _UNSEEN.match(character):
            return f"Character {place} is invisible ({_format_code_point(character)}); remove it."
    if name and not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        return "Nothing of it can be seen; write a text that can be read."
    if any(run > _MARKS for run in _runs_of_marks(name)):
        return "It has too many marks on one letter; remove some."
    return ""


def all_texts(value: Any) -> Iterator[str]:
    """Every text in JSON values, names of fields too, however deep they lie."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case list() as found:
                left += found
            case dict() as found:
                left += [*found.keys(), *found.values()]


def first_fault(value: Any) -> str:
    """The first fault of JSON values that cannot be kept, as a sentence; "" for none."""
    return next((fault for text in all_texts(value) if (fault := text_fault(text))), "")


def replace_faults(text: str) -> str:
    """The text with a visible mark for each character that cannot be kept: for terminals and logs."""
    for heap in reversed(_heaps_of_marks(text)):
        text = text[: heap.start] + "\N{REPLACEMENT CHARACTER}" + text[heap.stop :]
    return _FAULT.sub("\N{REPLACEMENT CHARACTER}", text)


def _format_code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def _runs_of_marks(text: str) -> Iterator[int]:
    run = 0
    for character in text:
        run = run + 1 if unicodedata.combining(character) else 0
        yield run
