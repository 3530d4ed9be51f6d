"""Texts shortened for a column of the database."""

from rosters.domain.text import replace_faults


def shorten_text(text: str, most: int) -> str:
    """A text of which at least this much can be kept: at most so many letters, and a mark for odd ones."""
    return replace_faults(text if len(text) <= most else f"{text[: most - 1]}…")
