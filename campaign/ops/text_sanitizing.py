"""Texts shortened for a column of the database."""

from rosters.domain.text import replace_faults


def shorten_text(text: str, most: int) -> str:
    """Shorten a text to so many letters and replace characters that cannot be stored."""
    return replace_faults(text if len(text) <= most else f"{text[: most - 1]}…")
