"""Cells of tables that leave as files."""

#: What a table of figures would take for a formula when a cell begins with it.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


def plain_cell(cell: str | float) -> str | float:
    """A cell that is text begins with nothing that a program would reckon with."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip("'").startswith(FORMULAS) else cell


def cell_read(text: str) -> str:
    """The inverse of `plain_cell` for text that comes back in a file."""
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULAS) else text
