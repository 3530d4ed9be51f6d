"""Columns on the day's march: where each is at any minute, and when two of them meet.

Positions on a route are yards from its end `a`, so that all columns on it share one measure. Times
and positions are exact fractions during the day and whole numbers again when it ends.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from campaign.rules.map.atlas import Route
from campaign.rules.march.marching import MarchClass
from campaign.rules.world.world import Formation, Order, Position, Stance

Exact = int | Fraction
#: One whole route to march: its id, and the place it is marched from.
Way = tuple[str, str]

#: Hostile columns that meet stop this far apart, so that who stands on which side stays plain.
GAP_YARDS = 1


@dataclass(slots=True, eq=False)
class OpenBattle:
    """A battle while its window is open: from minute `opened` to `ends`, at `place` or on `route`.

    `joined` holds the minute at which each formation came up, by formation id.
    """

    key: str
    opened: int
    ends: int
    place: str
    route: str
    yard: int
    attacker: str
    defender: str
    joined: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Column:
    """A formation in the course of one day; changes from minute to minute.

    At `place`, or on `route` at yard `at` since minute `since`, moving `speed` yards a minute (towards
    `b` when positive) until minute `until`. `marched` counts minutes on the march, `left` those it may
    still march today, not before minute `sets_off`; `came_by` is the route by which it reached its place
    today. `set_out` is the yard at which its present motion began.
    """

    formation: Formation
    units: tuple[str, ...]
    march: MarchClass
    sp: int
    stance: Stance
    order: Order | None = None
    via: tuple[str, ...] = ()
    light: bool = False
    place: str = ""
    route: Route | None = None
    at: Exact = 0
    set_out: Exact = 0
    since: Exact = 0
    speed: Exact = 0
    until: Exact = 0
    started: Exact = 0
    path: list[Way] = field(default_factory=list)
    left: int = 0
    sets_off: int = 0
    marched: int = 0
    last_minute: int = 0
    came_by: str = ""
    came_from: str = ""
    battle: OpenBattle | None = None
    waits: bool = False
    helping: str = ""
    retreated: int = 0
    version: int = 0

    @property
    def id(self) -> str:
        return self.formation.id

    @property
    def side(self) -> str:
        return self.formation.side

    @property
    def avoids(self) -> bool:
        """Wants no battle and is free to fall back; a garrison is not (HR-CON-02)."""
        return self.stance == "avoid" and not self.formation.garrison

    def yard(self, now: Exact) -> Exact:
        """Yards from end `a` of its route at minute `now`."""
        if not self.speed:
            return self.at
        return self.at + self.speed * (min(now, self.until) - self.since)


def find_meeting_minute(one: Column, other: Column, now: Exact) -> Exact | None:
    """The exact minute, `now` or later, at which two columns on one route meet between its ends.

    None if they do not meet before either changes its motion.
    """
    closing = one.speed - other.speed
    if not closing or one.route is None:
        return None
    start_one = one.at - one.speed * one.since
    start_other = other.at - other.speed * other.since
    minute = Fraction(start_other - start_one) / closing
    ends = [column.until for column in (one, other) if column.speed]
    if minute < now or minute > min(ends):
        return None
    yard = start_one + one.speed * minute
    return minute if 0 < yard < one.route.yards else None


def draw_apart(one: Column, other: Column, now: Exact) -> None:
    """Put two columns that have met a yard apart, each on the side it came from.

    Only what moved is put back, so that a column that stood keeps its place.
    """
    assert one.route is not None
    lower, upper = (one, other) if one.speed > other.speed else (other, one)
    yard = lower.yard(now)
    moves_lower, moves_upper = lower.speed != 0, upper.speed != 0
    length = one.route.yards
    if moves_lower and (lower.speed > 0 or not moves_upper):
        restart_motion(lower, yard - min(Fraction(GAP_YARDS), Fraction(yard) / 2), now)
    if moves_upper and (upper.speed < 0 or not moves_lower):
        restart_motion(upper, yard + min(Fraction(GAP_YARDS), Fraction(length - yard) / 2), now)


def restart_motion(column: Column, yard: Exact, now: Exact) -> None:
    """Restart a column's motion from `yard` at `now`."""
    column.at, column.since = yard, now


def whole_positions(columns: Iterable[Column], now: Exact) -> dict[str, int]:
    """Whole yards from end `a` for the columns on one route at the day's end, by formation id.

    Rounded down, but never so that a column stands level with an enemy it has not passed, and
    never on either end of the route.
    """
    ranked = sorted(columns, key=lambda column: (column.yard(now), column.side, column.id))
    placed: list[int] = []
    for index, column in enumerate(ranked):
        yard = max(1, int(column.yard(now)))
        if index:
            before = ranked[index - 1]
            apart = before.side != column.side and before.yard(now) != column.yard(now)
            yard = max(yard, placed[-1] + (1 if apart else 0))
        placed.append(yard)
    for index in range(len(ranked) - 1, -1, -1):
        route = ranked[index].route
        assert route is not None
        limit = route.yards - 1
        if index + 1 < len(ranked):
            above = ranked[index + 1]
            limit = placed[index + 1] - (1 if above.side != ranked[index].side else 0)
        placed[index] = min(placed[index], limit)
    return {column.id: yard for column, yard in zip(ranked, placed, strict=True)}


def build_column_position(column: Column, yard: int) -> Position:
    """A column's position for the world; `yard` counts from end `a` of its route."""
    if column.route is None:
        return Position(place=column.place)
    route = column.route
    if column.came_from == route.b:
        return Position("", route.id, route.b, route.a, route.yards - yard)
    return Position("", route.id, route.a, route.b, yard)
