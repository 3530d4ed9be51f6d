"""Where blocks are drawn about their spots: the front reads true, from far and from near."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ARRANGED = """async ([stacks, signs, places]) => {
  const { arranged, leader } = await import("/static/js/map/arranging.js");
  return arranged(stacks, signs, places).map((at, i) => ({ ...at, leader: leader({ ...stacks[i], ...at }) }));
}"""


@pytest.fixture
def page(browser: Browser, live_server) -> Any:
    page = browser.new_page()
    page.goto(f"{live_server.url}/sign-in/")
    yield page
    page.close()


def stack(
    x: float, y: float, *, above: bool = False, width: float = 47, height: float = 17
) -> dict[str, Any]:
    return {"x": x, "y": y, "width": width, "height": height, "above": above}


def middles(page: Page, stacks: list[dict[str, Any]], places: Any = ()) -> list[tuple[float, float]]:
    """The middles of the blocks as drawn; none covers another."""
    found = page.evaluate(ARRANGED, [stacks, [], list(places)])
    drawn = [
        (one["x"] + at["across"], one["y"] + at["down"] + one["height"] / 2)
        for one, at in zip(stacks, found, strict=True)
    ]
    for i, (one, a) in enumerate(zip(stacks, drawn, strict=True)):
        for other, b in zip(stacks[:i], drawn[:i], strict=True):
            apart = abs(a[0] - b[0]) >= (one["width"] + other["width"]) / 2
            assert apart or abs(a[1] - b[1]) >= (one["height"] + other["height"]) / 2
    return drawn


@pytest.mark.parametrize("miles", [2.5, 4.5, 12, 30])
def test_the_beaten_south_of_a_place_are_drawn_south_of_who_holds_it(page: Page, miles: float):
    """Crown 37 in Ticonderoga, 38 Americans on the road below it, in either order of choosing."""
    crown, americans = stack(300, 300), stack(300.5, 300 + miles, above=True)
    for stacks in ([americans, crown], [crown, americans]):
        drawn = dict(zip([one["y"] for one in stacks], middles(page, stacks), strict=True))
        assert drawn[crown["y"]][1] < 300 + miles / 2 < drawn[americans["y"]][1]


def test_a_column_on_the_road_stays_on_its_own_side_of_the_place(page: Page):
    (drawn,) = middles(page, [stack(300, 305, above=True)], [{"x": 300, "y": 300}])
    assert drawn[1] > 300


def test_a_valley_full_of_columns_keeps_its_order(page: Page):
    """Five columns of two sides, one behind the other: none is drawn past another."""
    rows = [300, 309, 314, 322, 331]
    stacks = [stack(300 + i % 2, y, above=i % 2 == 1) for i, y in enumerate(rows)]
    drawn = middles(page, stacks)
    for i, one in enumerate(drawn):
        for j in range(i):
            across, down = stacks[i]["x"] - stacks[j]["x"], stacks[i]["y"] - stacks[j]["y"]
            assert (one[0] - drawn[j][0]) * across + (one[1] - drawn[j][1]) * down >= 0


def test_two_sides_at_one_spot_stand_over_and_under_it(page: Page):
    crown, americans = middles(page, [stack(300, 300), stack(300, 300, above=True)])
    assert americans[1] < 300 < crown[1]


def test_a_line_leads_to_blocks_that_had_to_move(page: Page):
    near = page.evaluate(ARRANGED, [[stack(300, 300)], [], []])
    assert near[0]["leader"] is None
    below = {"left": 270, "right": 330, "top": 291, "bottom": 330}
    above = {"left": 200, "right": 400, "top": 270, "bottom": 309}
    moved = page.evaluate(ARRANGED, [[stack(300, 300)], [below, above], []])
    assert moved[0]["leader"] is not None
