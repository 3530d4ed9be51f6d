"""Finding a way round ground that bars: a search over the cells of the table.

Commanders look for a way by it when their troops have come no nearer to where they are sent for some turns.
A ruleset writes which cells a unit can go over; the search is the same for all.
"""

import math
from typing import Any

import numpy as np

from battles.engine.compile import jit
from battles.engine.dtypes import BUILDING
from battles.engine.geometry import point_gap2
from battles.engine.ground import cell_at

#: Moves in which a unit has come no nearer, after which it looks for a way round.
PATIENCE = 2
#: Inches nearer that count. Cells by which a goal may move off before it is another, and from the end of a
#: leg at which the next is looked for.
NEARER, ANOTHER, AT_TURN = 0.1, 6.0, 1.0
#: Moves before a unit that has found no way looks for one again.
LOOKS_AGAIN = 6
#: By what a cell is dearer within half a front of barred ground: for who looks at the ground along its
#: middle, and where the whole base must pass, as it must beside buildings.
TIGHT, TOO_TIGHT = 3.0, 20.0
#: By how much a straight leg may be dearer than the way over the cells it stands for.
STRAIGHTENED = 1.05
#: Whether a unit has a way round: it needs none, follows one, or there is none.
NO_NEED, HAS_WAY, NO_WAY_THERE = 0, 1, 2
#: The price of a way that does not lead there, and farther than any spot.
ENDLESS, FAR = 1.0e9, 1.0e18


@jit
def blank_prices(g: Any) -> Any:
    """An array with the price of each cell of the table, all 0.0: barred."""
    return np.zeros((g.rows, g.columns), np.float64)


@jit
def bar_line(g: Any, prices: Any, x0: Any, y0: Any, x1: Any, y1: Any) -> None:
    """Bar the cells that a line of the ground runs through."""
    dx, dy = x1 - x0, y1 - y0
    steps = int(math.sqrt(dx * dx + dy * dy) / (g.cell * 0.5)) + 1
    for k in range(steps + 1):
        row, column = cell_at(g, x0 + dx * k / steps, y0 + dy * k / steps)
        prices[row, column] = 0.0


@jit
def bar_building(g: Any, prices: Any, k: Any, inches: Any) -> None:
    """Bar the cells that building k stands on, and make those dear within so many inches of it."""
    b = g.structures[k]
    reach = b.half_width + b.half_depth + inches
    low, left = cell_at(g, b.x - reach, b.y - reach)
    high, right = cell_at(g, b.x + reach, b.y + reach)
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            x, y = (column + 0.5) * g.cell, (row + 0.5) * g.cell
            gap2 = point_gap2(x, y, b.x, b.y, b.face, b.half_width, b.half_depth)
            if gap2 == 0.0:
                prices[row, column] = 0.0
            elif gap2 < inches * inches:
                prices[row, column] *= TOO_TIGHT


@jit
def bar_buildings(g: Any, prices: Any, inside: Any, inches: Any) -> None:
    """Bar the ground of all buildings that stand, as `bar_building` does.

    Not of the one a unit is `inside`, -1 for none.
    """
    for k in range(g.buildings_n):
        b = g.structures[k]
        if b.kind_ == BUILDING and b.sp > 0 and k != inside:
            bar_building(g, prices, k, inches)


@jit
def price_narrows(g: Any, prices: Any, inches: Any, tight: Any) -> None:
    """Make cells so much dearer that lie within so many inches of barred ground, or of the table's edge."""
    rows, columns = prices.shape
    reach = int(inches / g.cell + 0.5)
    barred = prices == 0.0
    for row in range(rows):
        for column in range(columns):
            if barred[row, column]:
                continue
            narrow = row < reach or column < reach or row >= rows - reach or column >= columns - reach
            for r in range(max(row - reach, 0), min(row + reach + 1, rows)):
                for c in range(max(column - reach, 0), min(column + reach + 1, columns)):
                    if barred[r, c]:
                        narrow = True
            if narrow:
                prices[row, column] *= tight


@jit
def price_straight(g: Any, prices: Any, px: Any, py: Any, qx: Any, qy: Any) -> Any:
    """The cost of the straight way from p to q, ENDLESS over barred ground; the cell of p is free."""
    dx, dy = qx - px, qy - py
    length = math.sqrt(dx * dx + dy * dy)
    steps = int(length / (g.cell * 0.5)) + 1
    step, total = length / steps, 0.0
    first_row, first_column = cell_at(g, px, py)
    for k in range(1, steps + 1):
        row, column = cell_at(g, px + dx * k / steps, py + dy * k / steps)
        price = prices[row, column]
        if row == first_row and column == first_column:
            price = 1.0 if price == 0.0 else price
        if price == 0.0:
            return ENDLESS
        total += price * step
    return total


@jit
def search_cheapest_ways(g: Any, prices: Any, row: Any, column: Any) -> Any:
    """(costs, whence) of the cheapest ways from a cell to all others; a cell's whence is its step back."""
    rows, columns = prices.shape
    costs = np.full((rows, columns), ENDLESS)
    whence = np.full((rows, columns), -1, np.int64)
    waits = np.zeros((rows, columns), np.int64)
    most = rows * columns + 1
    queue = np.zeros(most, np.int64)
    queue[0] = row * columns + column
    head, tail = 0, 1
    costs[row, column] = 0.0
    while head != tail:
        at = queue[head]
        head = (head + 1) % most
        r, c = at // columns, at % columns
        waits[r, c] = 0
        here = prices[r, c] if prices[r, c] > 0.0 else 1.0
        for k in range(9):
            dr, dc = k // 3 - 1, k % 3 - 1
            nr, nc = r + dr, c + dc
            if k == 4 or nr < 0 or nc < 0 or nr >= rows or nc >= columns or prices[nr, nc] == 0.0:
                continue
            length = 1.0
            if dr != 0 and dc != 0:
                if prices[r, nc] == 0.0 or prices[nr, c] == 0.0:
                    continue  # nobody slips between two corners
                length = 1.4142135623730951
            cost = costs[r, c] + length * g.cell * 0.5 * (here + prices[nr, nc])
            if cost < costs[nr, nc] - 1.0e-9:
                costs[nr, nc] = cost
                whence[nr, nc] = at
                if waits[nr, nc] == 0:
                    waits[nr, nc] = 1
                    queue[tail] = nr * columns + nc
                    tail = (tail + 1) % most
    return costs, whence


@jit
def best_end(g: Any, costs: Any, x: Any, y: Any, near: Any) -> Any:
    """(row, column) of the cell within so many inches of a spot reached most cheaply; (-1, -1) for none."""
    best_row, best_column, least = -1, -1, ENDLESS
    low, left = cell_at(g, x - near, y - near)
    high, right = cell_at(g, x + near, y + near)
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            dx, dy = (column + 0.5) * g.cell - x, (row + 0.5) * g.cell - y
            if dx * dx + dy * dy <= near * near and costs[row, column] < least:
                best_row, best_column, least = row, column, costs[row, column]
    return best_row, best_column


@jit
def find_way(g: Any, prices: Any, u: Any, x: Any, y: Any, near: Any, lead: Any) -> Any:
    """Find unit u's way to within so many inches of a spot and write its first leg; False when there is none.

    The leg is the longest straight one that is hardly dearer than the cells it stands for, and at whose end
    nothing bars the unit's front, so many inches ahead of its centre; at least the first step of the way. Who
    is so near already looks for a way that leads nearer.
    """
    row, column = cell_at(g, u.x, u.y)
    columns = prices.shape[1]
    costs, whence = search_cheapest_ways(g, prices, row, column)
    dx, dy = x - u.x, y - u.y
    r, c = best_end(g, costs, x, y, max(min(near, math.sqrt(dx * dx + dy * dy) - g.cell), g.cell))
    if r < 0:
        return False
    whole, least = costs[r, c], max(lead, g.cell)
    # it stands anywhere in its own cell, which may be a dear one
    first = g.cell * max(prices[row, column], 1.0)
    u.via_x, u.via_y, u.via_left = u.x, u.y, whole
    while r != row or c != column:
        wx, wy = (c + 0.5) * g.cell, (r + 0.5) * g.cell
        dx, dy = wx - u.x, wy - u.y
        inches = math.sqrt(dx * dx + dy * dy)
        if inches <= least and u.via_left < whole:
            break  # a longer leg is known, though the front would come to barred ground beyond its end
        back = whence[r, c]
        if price_straight(g, prices, u.x, u.y, wx, wy) <= costs[r, c] * STRAIGHTENED + first:
            far = lead / inches if inches > 0.0 else 0.0
            ahead = price_straight(g, prices, wx, wy, wx + dx * far, wy + dy * far)
            if u.via_left == whole or ahead < ENDLESS:
                u.via_x, u.via_y, u.via_left = wx, wy, whole - costs[r, c]
            if ahead < ENDLESS or costs[r, c] == whole:
                break
        elif u.via_left == whole and back == row * columns + column:
            u.via_x, u.via_y, u.via_left = wx, wy, whole - costs[r, c]
        r, c = back // columns, back % columns
    return True


@jit
def no_nearer(g: Any, u: Any, x: Any, y: Any) -> Any:
    """Count the moves in which a unit has come no nearer to the spot it is sent to; True when it is stuck.

    It is asked once in a turn. Who follows a way comes nearer along it.
    """
    if u.asked_in != g.turn:
        dx, dy = x - u.x, y - u.y
        inches = remaining_way(u) if u.has_way == HAS_WAY else math.sqrt(dx * dx + dy * dy)
        u.asked_in = g.turn
        if inches < u.least_left - NEARER or inches > u.least_left + ANOTHER * g.cell:
            u.least_left, u.stuck = inches, 0
        else:
            u.stuck += 1
    return u.stuck >= PATIENCE


@jit
def remaining_leg(u: Any) -> Any:
    """Inches to the end of the leg a unit follows."""
    dx, dy = u.via_x - u.x, u.via_y - u.y
    return math.sqrt(dx * dx + dy * dy)


@jit
def remaining_way(u: Any) -> Any:
    """Inches of the way a unit follows, dearer ground counted as more."""
    return remaining_leg(u) + u.via_left


@jit
def looks_for_way(g: Any, u: Any, x: Any, y: Any) -> Any:
    """True when a unit must look for a way to a spot: it is stuck, or at the end of its leg."""
    if no_nearer(g, u, x, y):
        return True
    return u.has_way == HAS_WAY and remaining_leg(u) <= AT_TURN * g.cell


@jit
def take_way(g: Any, prices: Any, u: Any, x: Any, y: Any, near: Any, lead: Any) -> None:
    """Look for the way of unit u to within so many inches of a spot over cells of these prices.

    `lead` are the inches from its centre to its front. It needs none where the straight way is hardly dearer,
    or where it can come no nearer. Where the way it finds is longer than what was left of its last, it gains
    ground from where it is now.
    """
    had, before = u.has_way, remaining_way(u)
    u.stuck, u.least_left, u.has_way = 0, FAR, NO_NEED
    if not find_way(g, prices, u, x, y, near, lead):
        dx, dy = x - u.x, y - u.y
        u.stuck, u.least_left, u.has_way = -LOOKS_AGAIN, math.sqrt(dx * dx + dy * dy), NO_WAY_THERE
    else:
        left, straight = remaining_way(u), price_straight(g, prices, u.x, u.y, x, y)
        if left > 0.0 and straight > left * STRAIGHTENED + g.cell:
            u.has_way = HAS_WAY
    if u.has_way != had or (had == HAS_WAY and remaining_way(u) > before):
        u.nearest = FAR
