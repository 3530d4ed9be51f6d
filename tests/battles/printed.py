"""Where the text of a PDF that typst made stands on its page, by the widths of its fonts."""

from dataclasses import dataclass
from io import BytesIO
from itertools import combinations

from pypdf import PageObject, PdfReader, Transformation
from pypdf.generic import ByteStringObject, ContentStream, TextStringObject


@dataclass(frozen=True, slots=True)
class Run:
    """Letters set in one go: their ends, their line, their size in points, and how many there are."""

    left: float
    right: float
    line: float
    size: float
    letters: int


def pages_of(made: bytes) -> list[PageObject]:
    """The pages of a PDF."""
    return list(PdfReader(BytesIO(made)).pages)


def runs_of(page: PageObject) -> list[Run]:
    """The runs of letters of a page, in the order in which they were set."""
    fonts = {name: _widths(font.get_object()) for name, font in page["/Resources"]["/Font"].items()}
    at, kept, found = Transformation(), [], []
    font, size, placed = {}, 0.0, Transformation()
    for operands, operator in ContentStream(page.get_contents(), page.pdf).operations:
        match operator:
            case b"q":
                kept.append(at)
            case b"Q":
                at = kept.pop()
            case b"cm":
                at = Transformation(tuple(map(float, operands))).transform(at)
            case b"Tf":
                font, size = fonts[operands[0]], float(operands[1])
            case b"Tm":
                placed = Transformation(tuple(map(float, operands)))
            case b"Tj" | b"TJ":
                parts = operands[0] if operator == b"TJ" else operands
                wide, letters = _wide(parts, font)
                whole = placed.transform(at)
                left, line = whole.apply_on((0.0, 0.0))
                right, _ = whole.apply_on((wide * size / 1000.0, 0.0))
                found.append(Run(left, right, line, size, letters))
    return found


def printed_over(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Pairs that lie on one another by more than a point."""
    return [
        (one, other)
        for one, other in combinations(runs, 2)
        if abs(one.line - other.line) < 0.6 * min(one.size, other.size)
        and min(one.right, other.right) - max(one.left, other.left) > 1.0
    ]


def _wide(parts: list, font: dict[int, float]) -> tuple[float, int]:
    """Thousandths of the letters' size that a string with its corrections is wide, and its letters."""
    wide, letters = 0.0, 0
    for part in parts:
        if isinstance(part, (ByteStringObject, TextStringObject)):
            raw = bytes(part.original_bytes)
            codes = [int.from_bytes(raw[k : k + 2]) for k in range(0, len(raw), 2)]
            wide += sum(font.get(code, 1000.0) for code in codes)
            letters += len(codes)
        else:
            wide -= float(part)
    return wide, letters


def _widths(font: dict) -> dict[int, float]:
    """Widths of a composite font's letters, which come as `first last width` or `first [widths]`."""
    listed = list(font["/DescendantFonts"][0].get_object()["/W"])
    found: dict[int, float] = {}
    while listed:
        first = int(listed.pop(0))
        second = listed.pop(0)
        if isinstance(second, list):
            found |= {first + k: float(width) for k, width in enumerate(second)}
        else:
            width = float(listed.pop(0))
            found |= dict.fromkeys(range(first, int(second) + 1), width)
    return found
