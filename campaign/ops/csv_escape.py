"""Cells of tables that leave as files; `rosters.domain.text.unescape_cell` reads them again."""

from rosters.domain.text import FORMULAS


def plain_cell(cell: str | float) -> str | float:
    """A cell that is text begins with nothing that a program would reckon with."""
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip("'").startswith(FORMULAS) else cell
