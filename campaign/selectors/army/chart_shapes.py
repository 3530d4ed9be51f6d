"""Charts as shapes: numbers in, coordinates out; templates draw them with attributes only."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, log10

from campaign.selectors.army.strength_charts import CAUSES, SideFigures

#: The sheet a chart is drawn on, and the room left of, above, right of and below the drawing.
WIDTH, HEIGHT = 360, 210
LEFT, TOP, RIGHT, BOTTOM = 40, 12, 14, 26
STEPS = 4


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the scale, at `at`, with what it says."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float
    title: str


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One side's course: `path` for a polyline, a dot a week."""

    name: str
    tint: str
    path: str
    dots: tuple[Dot, ...]
    order: int


@dataclass(frozen=True, slots=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    cause: str
    title: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing of WIDTH by HEIGHT; `zero` is where nothing is."""

    title: str
    up: tuple[Tick, ...]
    along: tuple[Tick, ...]
    zero: float
    lines: tuple[ChartLine, ...] = ()
    bars: tuple[Bar, ...] = ()
    causes: tuple[tuple[str, str], ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - 8


class ValueScale:
    """From values to heights on the sheet, with round numbers beside it."""

    def __init__(self, low: int, high: int) -> None:
        step = _find_step(max(high - low, 1))
        self.low, self.high = -ceil(-low / step) * step, ceil(high / step) * step
        if self.low == self.high:
            self.high = self.low + step
        self.step = step

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def ticks(self) -> tuple[Tick, ...]:
        count = (self.high - self.low) // self.step
        values = [self.low + number * self.step for number in range(count + 1)]
        return tuple(Tick(self.at(value), _format_figure(value)) for value in values)


def course_chart(title: str, sides: Sequence[SideFigures], value: str) -> Chart:
    """Weeks along, `value` (points or sp) up, a line a side."""
    values = [[getattr(week, value) for week in side.weeks] for side in sides]
    scale = ValueScale(0, max((each for side in values for each in side), default=0))
    count = max((len(side.weeks) for side in sides), default=1)
    lines = []
    for order, (side, figures) in enumerate(zip(sides, values, strict=True)):
        dots = tuple(
            Dot(
                _find_x(number, count),
                scale.at(each),
                f"{side.name}, {_format_week(week.week)}: {_format_figure(each)}",
            )
            for number, (week, each) in enumerate(zip(side.weeks, figures, strict=True))
        )
        path = " ".join(f"{dot.x},{dot.y}" for dot in dots)
        lines.append(ChartLine(side.name, side.tint, path, dots, order))
    numbers = [week.week for week in sides[0].weeks] if sides else []
    along = _thin_ticks([Tick(_find_x(number, count), str(week)) for number, week in enumerate(numbers)])
    return Chart(title, scale.ticks(), along, scale.at(0), lines=tuple(lines))


def causes_chart(title: str, side: SideFigures) -> Chart:
    """Weeks along; gains stand above the line and losses hang below it, cause by cause."""
    weeks = side.weeks[1:]
    ups = [sum(tally.gains for tally in week.causes.values()) for week in weeks]
    downs = [sum(tally.losses for tally in week.causes.values()) for week in weeks]
    scale = ValueScale(min(downs, default=0), max(ups, default=0))
    room = (WIDTH - LEFT - RIGHT) / max(len(weeks), 1)
    width = round(min(room * 0.7, 30), 1)
    bars: list[Bar] = []
    along = []
    for number, week in enumerate(weeks):
        middle = LEFT + room * (number + 0.5)
        along.append(Tick(round(middle, 1), str(week.week)))
        high, low = 0, 0
        for cause, tally in week.causes.items():
            for points in (tally.gains, tally.losses):
                if not points:
                    continue
                start = high if points > 0 else low
                end = start + points
                high, low = (end, low) if points > 0 else (high, end)
                top, bottom = scale.at(max(start, end)), scale.at(min(start, end))
                told = (
                    f"{_format_week(week.week)}, {CAUSES[cause].lower()}: "
                    f"{_format_figure(points, signed=True)}"
                )
                height = round(bottom - top, 1)
                bars.append(Bar(round(middle - width / 2, 1), top, width, height, cause, told))
    return Chart(
        title, scale.ticks(), _thin_ticks(along), scale.at(0), bars=tuple(bars), causes=tuple(side.causes)
    )


def _find_x(number: int, count: int) -> float:
    room = WIDTH - LEFT - RIGHT
    return round(LEFT + room * (number / (count - 1) if count > 1 else 0.5), 1)


def _thin_ticks(ticks: Iterable[Tick]) -> tuple[Tick, ...]:
    """No more ticks than can be read, the first among them."""
    listed = list(ticks)
    return tuple(listed[:: -(-len(listed) // 10) or 1])


def _find_step(reach: int) -> int:
    """A round number of which about STEPS make up `reach`."""
    rough = reach / STEPS
    power = int(10 ** max(0, int(log10(rough)) if rough >= 1 else 0))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough)


def _format_week(week: int) -> str:
    return f"end of week {week}" if week else "at the start"


def _format_figure(value: int, *, signed: bool = False) -> str:
    sign = "\N{MINUS SIGN}" if value < 0 else "+" if signed and value else ""
    return f"{sign}{abs(value)}"
