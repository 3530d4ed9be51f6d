"""Rectangles on the table: headings, gaps, overlaps, strips and arcs.

Headings are whole degrees clockwise from +y, so sines and cosines come from one table and are the
same bits compiled and interpreted. A rectangle is centre, heading, half width, half depth, in inches.
"""

import math
from typing import Any

import numpy as np

from battles.engine.compile import jit


def _build_sines() -> Any:
    """Sines of 0 to 359 degrees, exactly symmetric so that mirrored battles mirror exactly."""
    eighth = [math.sin(math.radians(d)) for d in range(46)]
    quarter = [eighth[d] if d <= 45 else math.sqrt(1.0 - eighth[90 - d] * eighth[90 - d]) for d in range(91)]
    table = [0.0] * 360
    for d in range(91):
        table[d] = quarter[d]
        table[180 - d] = quarter[d]
        table[(180 + d) % 360] = -quarter[d] if d else 0.0
        table[(360 - d) % 360] = -quarter[d] if d else 0.0
    return np.array(table)


SIN = _build_sines()
COS = np.array([SIN[(d + 90) % 360] for d in range(360)])
#: Tangents of half degrees: TAN[d] parts heading d from d + 1.
TAN = np.array([math.tan(math.radians(d + 0.5)) for d in range(45)])


@jit
def find_bearing(dx: Any, dy: Any) -> Any:
    """Heading in whole degrees, 0 to 359, from the origin to (dx, dy); 0 for no distance."""
    ax, ay = abs(dx), abs(dy)
    if ax == 0.0 and ay == 0.0:
        return 0
    ratio = ax / ay if ax <= ay else ay / ax
    # a parabola is within half a degree of the arc tangent; the table decides
    low = int(ratio * (61.0 - 16.0 * ratio) + 0.5)
    while low > 0 and ratio < TAN[low - 1]:
        low -= 1
    while low < 45 and ratio >= TAN[low]:
        low += 1
    degrees = low if ax <= ay else 90 - low
    if dy < 0.0:
        degrees = 180 - degrees
    if dx < 0.0:
        degrees = (360 - degrees) % 360
    return degrees


@jit
def turn_between(start: Any, end: Any) -> Any:
    """Degrees from one heading to another, -179 to 180, clockwise positive."""
    turn = (end - start) % 360
    return turn - 360 if turn > 180 else turn


@jit
def is_overlapping(
    ax: Any, ay: Any, ad: Any, aw: Any, ah: Any, bx: Any, by: Any, bd: Any, bw: Any, bh: Any
) -> Any:
    """True when two rectangles share ground (separating axes)."""
    dx, dy = bx - ax, by - ay
    turn = (bd - ad) % 360
    rs, rc = abs(SIN[turn]), abs(COS[turn])
    sa, ca = SIN[ad], COS[ad]
    if abs(dx * ca - dy * sa) >= aw + bw * rc + bh * rs:
        return False
    if abs(dx * sa + dy * ca) >= ah + bw * rs + bh * rc:
        return False
    sb, cb = SIN[bd], COS[bd]
    if abs(dx * cb - dy * sb) >= bw + aw * rc + ah * rs:
        return False
    return abs(dx * sb + dy * cb) < bh + aw * rs + ah * rc


@jit
def point_gap2(px: Any, py: Any, x: Any, y: Any, d: Any, w: Any, h: Any) -> Any:
    """Squared inches from a point to a rectangle, 0 inside."""
    dx, dy = px - x, py - y
    s, c = SIN[d], COS[d]
    u = abs(dx * c - dy * s) - w
    v = abs(dx * s + dy * c) - h
    if u < 0.0:
        u = 0.0
    if v < 0.0:
        v = 0.0
    return u * u + v * v


@jit
def nearest_point(px: Any, py: Any, x: Any, y: Any, d: Any, w: Any, h: Any) -> Any:
    """(x, y) of the point of a rectangle that is nearest to a point; the point itself inside."""
    s, c = SIN[d], COS[d]
    right = min(max((px - x) * c - (py - y) * s, -w), w)
    ahead = min(max((px - x) * s + (py - y) * c, -h), h)
    return x + right * c + ahead * s, y - right * s + ahead * c


@jit
def corners_gap2(
    ax: Any, ay: Any, ad: Any, aw: Any, ah: Any, bx: Any, by: Any, bd: Any, bw: Any, bh: Any
) -> Any:
    """Least squared inches from the corners of rectangle a to rectangle b."""
    s, c = SIN[ad], COS[ad]
    best = 1.0e18
    for k in range(4):
        u = aw if k % 2 == 0 else -aw
        v = ah if k < 2 else -ah
        gap = point_gap2(ax + u * c + v * s, ay - u * s + v * c, bx, by, bd, bw, bh)
        if gap < best:
            best = gap
    return best


@jit
def rectangle_gap(
    ax: Any, ay: Any, ad: Any, aw: Any, ah: Any, bx: Any, by: Any, bd: Any, bw: Any, bh: Any
) -> Any:
    """Inches between the nearest points of two rectangles, 0 when they overlap."""
    dx, dy, most = bx - ax, by - ay, aw + ah + bw + bh
    if dx * dx + dy * dy <= most * most and is_overlapping(ax, ay, ad, aw, ah, bx, by, bd, bw, bh):
        return 0.0
    one = corners_gap2(ax, ay, ad, aw, ah, bx, by, bd, bw, bh)
    two = corners_gap2(bx, by, bd, bw, bh, ax, ay, ad, aw, ah)
    return math.sqrt(one if one < two else two)


@jit
def ray_hits(px: Any, py: Any, qx: Any, qy: Any, x: Any, y: Any, d: Any, w: Any, h: Any) -> Any:
    """True when the straight line from p to q passes through the rectangle."""
    s, c = SIN[d], COS[d]
    pu, pv = (px - x) * c - (py - y) * s, (px - x) * s + (py - y) * c
    qu, qv = (qx - x) * c - (qy - y) * s, (qx - x) * s + (qy - y) * c
    # most lines pass by on one side
    if (pu >= w and qu >= w) or (pu <= -w and qu <= -w) or (pv >= h and qv >= h) or (pv <= -h and qv <= -h):
        return False
    enter, leave = 0.0, 1.0
    for axis in range(2):
        p = pu if axis == 0 else pv
        q = qu if axis == 0 else qv
        half = w if axis == 0 else h
        if p == q:
            if abs(p) >= half:
                return False
        else:
            one, two = (-half - p) / (q - p), (half - p) / (q - p)
            if one > two:
                one, two = two, one
            if one > enter:
                enter = one
            if two < leave:
                leave = two
    return enter < leave


@jit
def clip_to_strip(fx: Any, fy: Any, d: Any, half: Any, x: Any, y: Any, bd: Any, w: Any, h: Any) -> Any:
    """The part of a rectangle in the strip straight ahead of a front edge.

    The edge has its centre at (fx, fy), faces `d` and is 2 * `half` inches wide. Returns (inches
    ahead of the nearest part, least and greatest distance to the right of that part of the
    rectangle in the strip); -1 inches when none lies there.
    """
    s, c = SIN[d], COS[d]
    bs, bc = SIN[bd], COS[bd]
    nearest, left, right = 1.0e9, 1.0e9, -1.0e9
    for k in range(4):
        # corners in order round the rectangle, each edge from corner k to corner k + 1
        u0 = w if k in (0, 3) else -w
        v0 = h if k < 2 else -h
        m = (k + 1) % 4
        u1 = w if m in (0, 3) else -w
        v1 = h if m < 2 else -h
        x0, y0 = x + u0 * bc + v0 * bs - fx, y - u0 * bs + v0 * bc - fy
        x1, y1 = x + u1 * bc + v1 * bs - fx, y - u1 * bs + v1 * bc - fy
        p0, q0 = x0 * c - y0 * s, x0 * s + y0 * c
        p1, q1 = x1 * c - y1 * s, x1 * s + y1 * c
        if (p0 < -half and p1 < -half) or (p0 > half and p1 > half):
            continue
        for end in range(2):
            p = p0 if end == 0 else p1
            q = q0 if end == 0 else q1
            if p < -half or p > half:
                side = -half if p < -half else half
                q = q0 + (q1 - q0) * (side - p0) / (p1 - p0)
                p = side
            if q < nearest:
                nearest = q
            if p < left:
                left = p
            if p > right:
                right = p
    if right - left <= 1.0e-6 or nearest < -0.05:
        return -1.0, 0.0, 0.0
    return (nearest if nearest > 0.0 else 0.0), left, right


@jit
def fan_holds(
    fx: Any, fy: Any, d: Any, half: Any, reach: Any, x: Any, y: Any, bd: Any, w: Any, h: Any
) -> Any:
    """True when some part of a rectangle lies in the fan before a front edge.

    The edge has its centre at (fx, fy), faces `d` and is 2 * `half` inches wide; the fan spreads 45
    degrees to either side and ends `reach` inches from the edge. Nothing as large as the fan is asked
    for: of what lies in it some edge does.
    """
    s, c = SIN[d], COS[d]
    bs, bc = SIN[bd], COS[bd]
    for k in range(4):
        u0 = w if k in (0, 3) else -w
        v0 = h if k < 2 else -h
        x0, y0 = x + u0 * bc + v0 * bs - fx, y - u0 * bs + v0 * bc - fy
        # to the next corner: along the width, then along the depth
        u1 = -2.0 * u0 if k % 2 == 0 else 0.0
        v1 = -2.0 * v0 if k % 2 == 1 else 0.0
        x1, y1 = u1 * bc + v1 * bs, v1 * bc - u1 * bs
        p, q = x0 * c - y0 * s, x0 * s + y0 * c
        dp, dq = x1 * c - y1 * s, x1 * s + y1 * c
        # the part of the edge that is ahead and not beyond either side of the fan
        low, high = 0.0, 1.0
        for m in range(3):
            side = 0.0 if m == 0 else 1.0 if m == 1 else -1.0
            start, gain = q - side * p, dq - side * dp
            if m > 0:
                start += half
            if gain > 0.0:
                low = max(low, -start / gain)
            elif gain < 0.0:
                high = min(high, -start / gain)
            elif start <= 0.0:
                high = -1.0
        if high - low <= 1.0e-9:
            continue
        # the spots of it that may be nearest to the front edge
        for m in range(4):
            share = low if m == 0 else high
            if m >= 2:
                end = half if m == 2 else -half
                share = ((end - p) * dp - q * dq) / (dp * dp + dq * dq)
                share = min(max(share, low), high)
            aside, ahead = abs(p + dp * share) - half, q + dq * share
            if aside < 0.0:
                aside = 0.0
            if aside * aside + ahead * ahead < reach * reach:
                return True
    return False


@jit
def find_crossing(px: Any, py: Any, qx: Any, qy: Any, x0: Any, y0: Any, x1: Any, y1: Any) -> Any:
    """The share of the way from p to q at which it crosses a segment; -1.0 when it does not."""
    rx, ry = qx - px, qy - py
    sx, sy = x1 - x0, y1 - y0
    cross = rx * sy - ry * sx
    if cross == 0.0:
        return -1.0
    t = ((x0 - px) * sy - (y0 - py) * sx) / cross
    k = ((x0 - px) * ry - (y0 - py) * rx) / cross
    if t < 0.0 or t > 1.0 or k < 0.0 or k > 1.0:
        return -1.0
    return t
