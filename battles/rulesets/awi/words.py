"""Figures of the AWI rules as they are printed: distances for the size of figures, signed factors."""

from fractions import Fraction

from battles.engine.events import BattleEvent
from battles.files.schema import BattleFile
from battles.printing.sheet_types import Figures, figure_size
from battles.rulesets.awi.tables import scale_inches

MINUS = "\u2212"
_THIRDS = {Fraction(0): "", Fraction(1, 3): "\u2153", Fraction(2, 3): "\u2154", Fraction(1, 2): "\u00bd"}


def format_signed(factor: int) -> str:
    """A factor with its sign; 0 has none."""
    return f"+{factor}" if factor > 0 else f"{MINUS}{-factor}" if factor else "0"


def format_distance(inches: Fraction | int, figures: Figures, *, unit: bool = True) -> str:
    """Inches on the table, thirds as they are written (AWI-T-SCA-02): 3, 3 inches, 2 and a third."""
    there = scale_inches(Fraction(inches), figures)
    whole, rest = divmod(there, 1)
    words = f"{whole or ''}{_THIRDS.get(rest, f' {rest}')}" or "0"
    if not unit:
        return words
    return f"{words} inch" if there <= 1 else f"{words} inches"


def format_event_inches(battle: BattleFile, event: BattleEvent) -> str:
    """An event's hundredths of an inch as inches on the table (AWI-T-SCA-02)."""
    there = scale_inches(Fraction(event.total, 100), figure_size(battle.options))
    return f"{round(float(there), 2):g}"


def format_share(text: str | None) -> str:
    """A share of speed or of a move as the catalogue has it, printed: 2/3, all, never."""
    if text is None:
        return "no"
    value = Fraction(text)
    whole, rest = divmod(value, 1)
    return f"{whole or ''}{_THIRDS.get(rest, f' {rest}')}" or "0"
