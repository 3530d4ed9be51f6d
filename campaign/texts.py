"""Texts as databases keep them: PostgreSQL takes no zero byte, and no text is made of half a letter."""

import re
from typing import Any

#: Zero bytes, and halves of letters beyond the first 65,536, which JSON may hold alone.
ODD = re.compile("[\0\ud800-\udfff]")


def keepable(text: str) -> bool:
    """Whether a text can be kept as it is."""
    return ODD.search(text) is None


def all_keepable(value: Any) -> bool:
    """The same of every text in JSON values, names too, however deep they lie."""
    left = [value]
    while left:
        match left.pop():
            case str() as text if not keepable(text):
                return False
            case list() as found:
                left += found
            case dict() as found:
                left += [*found.keys(), *found.values()]
    return True


def kept(text: str, most: int) -> str:
    """A text of which at least this much can be kept: at most so many letters, and a mark for odd ones."""
    return ODD.sub("\N{REPLACEMENT CHARACTER}", text if len(text) <= most else f"{text[: most - 1]}…")
