"""Charts for print as SVG that can be read without colours: courses by week, and predictions against results.

Pure. Nothing but attributes, so that a page and a printed sheet show the same drawing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, log10

from campaign.text.place_names import TINTS

INK, SOFT, GRID = "#2a211c", "#5d5348", "#c9bfa9"
FACE = "EB Garamond, Libertinus Serif, Georgia, serif"
WIDTH, HEIGHT = 360, 210
LEFT, TOP, RIGHT, BOTTOM = 40, 12, 14, 30
STEPS = 4
#: How the lines of one chart differ without colour.
DASHES = ("", "6 3", "2 3")


@dataclass(frozen=True, slots=True)
class Course:
    """A line: its name, its tint, and a value a week."""

    name: str
    tint: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SharePoint:
    """A point of a diagram of shares, from 0 to 1, with the range that its number of cases leaves open."""

    x: float
    y: float
    low: float
    high: float
    n: int


def course_svg(title: str, weeks: Sequence[int], courses: Sequence[Course]) -> str:
    """Weeks along, values up; each line is named at its end."""
    top = max((value for course in courses for value in course.values), default=0)
    step = _choose_axis_step(max(top, 1))
    high = max(step, ceil(top / step) * step)

    def at(number: int, value: int) -> str:
        room = WIDTH - LEFT - RIGHT
        x = LEFT + room * (number / (len(weeks) - 1) if len(weeks) > 1 else 0.5)
        return f"{x:.1f},{HEIGHT - BOTTOM - value / high * (HEIGHT - TOP - BOTTOM):.1f}"

    parts = [
        *_render_chart_start(title),
        *_render_value_axis((value, value / high, str(value)) for value in range(0, high + 1, step)),
    ]
    every = -(-len(weeks) // 10) or 1
    for number, week in list(enumerate(weeks))[::every]:
        x = at(number, 0).partition(",")[0]
        parts.append(f'<text x="{x}" y="{HEIGHT - 16}" text-anchor="middle">{week}</text>')
    parts.append(_render_label(WIDTH / 2, HEIGHT - 3, "weeks"))
    for order, course in enumerate(courses):
        ink, dashes = tint_ink(course.tint), DASHES[order % len(DASHES)]
        points = [at(number, value) for number, value in enumerate(course.values)]
        broken = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(
            f'<polyline points="{" ".join(points)}" fill="none" stroke="{ink}" stroke-width="2"{broken}/>'
        )
        parts += [_render_dot(point, ink, hollow=order % 2 == 1) for point in points]
    parts += _render_chart_legend(courses)
    return "".join((*parts, "</svg>"))


def reliability_svg(title: str, spots: Sequence[SharePoint]) -> str:
    """Predicted shares along, what came true up; on the slanting line the two agree."""
    size, left = HEIGHT, LEFT + 14  # room for the words beside

    def at(x: float, y: float) -> tuple[float, float]:
        room = size - TOP - BOTTOM
        return left + x * room, size - BOTTOM - y * room

    (x0, y0), (x1, y1) = at(0, 0), at(1, 1)
    parts = [_render_svg_start(title, int(x1) + RIGHT + 6, size)]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = at(share, share)
        words = f"{100 * share:.0f} %"
        parts.append(f'<path d="M{x0:.1f} {y:.1f}H{x1:.1f}" stroke="{GRID}" stroke-width=".6"/>')
        parts.append(f'<text x="{x0 - 5:.1f}" y="{y + 3.5:.1f}" text-anchor="end">{words}</text>')
        parts.append(f'<text x="{x:.1f}" y="{size - 16}" text-anchor="middle">{words}</text>')
    parts.append(
        f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{SOFT}" stroke-dasharray="4 3" fill="none"/>'
    )
    parts.append(_render_label((x0 + x1) / 2, size - 3, "the odds said"))
    up = f"{x0 - 44:.1f} {(y0 + y1) / 2:.1f}"
    parts.append(
        f'<text transform="translate({up}) rotate(-90)" text-anchor="middle" '
        'font-style="italic">it came</text>'
    )
    for spot in spots:
        x, y = at(spot.x, spot.y)
        low, high = at(spot.x, spot.low)[1], at(spot.x, spot.high)[1]
        radius = min(7.0, 2.2 + 0.5 * spot.n**0.5)
        parts.append(
            f'<path d="M{x:.1f} {low:.1f}V{high:.1f}M{x - 3:.1f} {low:.1f}h6M{x - 3:.1f} {high:.1f}h6" '
            f'stroke="{INK}" stroke-width="1.2" fill="none"/>'
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{INK}"/>'
        )
    return "".join((*parts, "</svg>"))


def tint_ink(tint: str) -> str:
    """The ink of a side as a colour."""
    red, green, blue = TINTS.get(tint, (42, 33, 28))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _render_svg_start(title: str, width: int, height: int, above: int = 0) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 {-above} {width} {height + above}" '
        f'font-family="{FACE}" font-size="10.5" fill="{SOFT}"><title>{escape(title)}</title>'
    )


def _render_chart_start(title: str) -> Iterator[str]:
    yield _render_svg_start(title, WIDTH, HEIGHT + 16, above=18)
    yield f'<text x="0" y="-6" font-size="12" font-style="italic" fill="{INK}">{escape(title)}</text>'


def _render_value_axis(ticks: Iterable[tuple[int, float, str]]) -> Iterator[str]:
    for _, share, words in ticks:
        y = HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
        yield (
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GRID}" stroke-width=".6"/>'
            f'<text x="{LEFT - 5}" y="{y + 3.5:.1f}" text-anchor="end">{words}</text>'
        )


def _render_dot(point: str, ink: str, *, hollow: bool) -> str:
    x, _, y = point.partition(",")
    return f'<circle cx="{x}" cy="{y}" r="2.6" fill="{"#fff" if hollow else ink}" stroke="{ink}"/>'


def _render_chart_legend(courses: Sequence[Course]) -> Iterator[str]:
    """Draw the legend below the chart: the name of each line."""
    x, y = float(LEFT), HEIGHT + 11
    for order, course in enumerate(courses):
        ink, dashes = tint_ink(course.tint), DASHES[order % len(DASHES)]
        broken = f' stroke-dasharray="{dashes}"' if dashes else ""
        yield f'<path d="M{x:.1f} {y - 3.5}h22" stroke="{ink}" stroke-width="2"{broken}/>'
        yield _render_dot(f"{x + 11:.1f},{y - 3.5}", ink, hollow=order % 2 == 1)
        yield f'<text x="{x + 27:.1f}" y="{y}" fill="{INK}">{escape(course.name)}</text>'
        x += 40 + len(course.name) * 5.4


def _render_label(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="middle" font-style="italic">{escape(words)}</text>'


def _choose_axis_step(reach: int) -> int:
    """A round number of which about STEPS make up `reach`."""
    rough = reach / STEPS
    power = int(10 ** max(0, int(log10(rough)) if rough >= 1 else 0))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough)
