"""Where names and blocks of a printed map may stand so that they do not cover one another. Pure."""

from html import escape

#: Breadth of a letter by its height, about.
_BREADTH = 0.47
_HALO = "#fbf6ea"

_Box = tuple[float, float, float, float]


class Lettering:
    """What is taken on a sheet so many units broad and tall."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.taken: list[_Box] = []

    def block(
        self, x: float, y: float, half_width: float, half_height: float, *, side: int
    ) -> tuple[float, float]:
        """The middle of a block at or beside a spot: `side` 1 tries above first, -1 below."""
        tall, broad = 2 * half_height + 3, 2 * half_width + 3
        steps = [(0.0, 0.0)]
        for ring in (1, 2, 3, 4):
            up = -side * ring * tall
            steps += [(0.0, up), (0.0, -up), (broad, up), (-broad, up), (broad * ring, 0.0)]
            steps += [(-broad * ring, 0.0)]
        for right, down in steps:
            middle = self._inside(x + right, y + down, half_width, half_height)
            box = _build_lettering_box(*middle, half_width, half_height)
            if self._free(box):
                self.taken.append(box)
                return middle
        middle = self._inside(x, y, half_width, half_height)
        self.taken.append(_build_lettering_box(*middle, half_width, half_height))
        return middle

    def near(
        self,
        x: float,
        y: float,
        away: float,
        words: str,
        size: float,
        *,
        italic: bool = False,
        below: float = 0.0,
    ) -> str:
        """Words beside, below or above a spot, the first place that is free; "" when none is."""
        half, tall = len(words) * size * _BREADTH / 2, size * 0.5
        down = max(below, away) + tall
        spots = (
            (x + away + half, y),
            (x - away - half, y),
            (x, y + down),
            (x, y - down),
            (x + half, y + down),
            (x - half, y - down),
        )
        for left, top in spots:
            box = _build_lettering_box(left, top, half, tall)
            if self._within(box) and self._free(box):
                self.taken.append(box)
                style = ' font-style="italic"' if italic else ""
                return (
                    f'<text x="{left:.1f}" y="{top + size * 0.32:.1f}" text-anchor="middle" '
                    f'font-size="{size:g}"{style} stroke="{_HALO}" stroke-width="2.6" '
                    f'stroke-linejoin="round" paint-order="stroke">{escape(words)}</text>'
                )
        return ""

    def _inside(self, x: float, y: float, half_width: float, half_height: float) -> tuple[float, float]:
        return (
            min(max(x, half_width + 3), self.width - half_width - 3),
            min(max(y, half_height + 3), self.height - half_height - 3),
        )

    def _within(self, box: _Box) -> bool:
        return box[0] >= 2 and box[1] >= 2 and box[2] <= self.width - 2 and box[3] <= self.height - 2

    def _free(self, box: _Box) -> bool:
        return not any(
            box[0] < other[2] and box[2] > other[0] and box[1] < other[3] and box[3] > other[1]
            for other in self.taken
        )


def _build_lettering_box(x: float, y: float, half_width: float, half_height: float) -> _Box:
    return x - half_width, y - half_height, x + half_width, y + half_height
