"""Charts for print: every value is drawn, sides differ without colour, no script comes in by a name."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from campaign.drawing.charts_svg import HEIGHT, WIDTH, Course, SharePoint, course_svg, reliability_svg

values = st.lists(st.integers(0, 20_000), min_size=1, max_size=20)


@given(values)
def test_every_week_has_its_dot_inside_the_drawing(points) -> None:
    svg = course_svg("Points", range(len(points)), [Course("Crown", "madder", tuple(points))])
    ElementTree.fromstring(svg)
    (path,) = re.findall(r'<polyline points="([^"]+)"', svg)
    found = [tuple(map(float, each.split(","))) for each in path.split()]
    assert len(found) == len(points)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in found)
    highest = points.index(max(points))
    assert found[highest][1] == min(y for _, y in found)


def test_lines_differ_without_colour_and_names_are_escaped() -> None:
    sides = [Course("<b>Crown", "madder", (1, 2)), Course("United States", "blue", (2, 1))]
    svg = course_svg("Points & more", (0, 1), sides)
    first, second = re.findall(r"<polyline [^>]+>", svg)
    assert "stroke-dasharray" not in first and "stroke-dasharray" in second
    assert "<b>" not in svg and "Points &amp; more" in svg


shares = st.floats(0, 1)


@given(st.lists(st.tuples(shares, shares, shares, shares, st.integers(1, 900)), max_size=5))
def test_a_diagram_of_any_shares_is_sound(rows) -> None:
    ElementTree.fromstring(reliability_svg("Shares", [SharePoint(*row) for row in rows]))
