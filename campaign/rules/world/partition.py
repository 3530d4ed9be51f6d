"""Splitting a world into parts for one day and merging it: owners of units and counters.

The rest of the theatre and every part an undecided battle locks are small worlds of their own, played with
the same dice (`campaign.rules.day.provisional`).
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from campaign.rules.army.organisation import Organisation, subject_of
from campaign.rules.dispatches.couriers import NOWHERE, Elsewhere
from campaign.rules.march.boats import WITH
from campaign.rules.world.markers import Dispatch, Magazine, Watch
from campaign.rules.world.world import Order, Position, World
from campaign.rules.world.world_json import MARKERS, marker_to_json

#: What every part reads; a change of one part is the whole world's.
COMMON = ("holders", "pools", "away", "weather_set", "watches", "magazines")
#: Words that no day plays with, kept with the rest; counters that name their formation, and those kept by
#: its id. All others lie at a place or on a route, and are the part's whose ground it is.
OF_THE_REST = ("rumours", "offers")
#: Reckoned on the whole theatre, when its parts are one again (HR-VIC).
OF_NO_PART = ("goals", "scores")
OF_A_FORMATION = ("reports", "generals")
BY_FORMATION = ("provisions", "warriors")


@dataclass(frozen=True, slots=True)
class FormationGroup:
    """A part of the theatre played by itself: its formations, and the places that are its ground."""

    formations: tuple[str, ...]
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Apart:
    """The division of a day that was played in parts.

    `halted` stand still though they may have orders: they were locked on an earlier day or have come
    near. `shared` holds, by field and in JSON values, what the rest found otherwise on its provisional
    morning; `numbers` how many enemies each side has numbered by the end of the days that ran on; `others`
    where the rest found headquarters and the locked, where couriers ride (HR-COU-02, HR-COU-03). `least`
    are the rations in each magazine when the rest, as it plays on, has left fewest in it. `reports` are
    couriers that set out in a part meanwhile, also from a post on the rest's ground: the first group's.
    """

    groups: tuple[FormationGroup, ...] = ()
    halted: tuple[str, ...] = ()
    shared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    others: Elsewhere = NOWHERE
    least: Mapping[str, int] = field(default_factory=dict)
    reports: tuple[str, ...] = ()

    @property
    def locked_formations(self) -> frozenset[str]:
        return frozenset(key for group in self.groups for key in group.formations)

    def to_json(self) -> dict[str, Any]:
        """JSON values, for the journal."""
        seats = {side: asdict(position) for side, position in sorted(self.others.seats.items())}
        stands = {side: [asdict(one) for one in where] for side, where in sorted(self.others.stands.items())}
        return {
            **({"seats": seats} if seats else {}),
            **({"stands": stands} if stands else {}),
            **({"least": dict(sorted(self.least.items()))} if self.least else {}),
            **({"reports": list(self.reports)} if self.reports else {}),
            "groups": [
                {"formations": list(group.formations), "places": list(group.places)} for group in self.groups
            ],
            "halted": list(self.halted),
            "shared": {name: dict(sorted(rows.items())) for name, rows in sorted(self.shared.items())},
            "numbers": dict(sorted(self.numbers.items())),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Apart":
        """The inverse of `to_json`."""
        groups = (FormationGroup(tuple(row["formations"]), tuple(row["places"])) for row in data["groups"])
        seats = {side: Position(**row) for side, row in data.get("seats", {}).items()}
        stands = {
            side: tuple(Position(**row) for row in rows) for side, rows in data.get("stands", {}).items()
        }
        others = Elsewhere(seats, stands)
        halted, least = tuple(data["halted"]), data.get("least", {})
        reports = tuple(data.get("reports", ()))
        return cls(tuple(groups), halted, data["shared"], data["numbers"], others, least, reports)


def places_elsewhere(world: World, apart: Apart, group: FormationGroup | None) -> frozenset[str]:
    """The places whose counters other parts have than this group's, or the rest's."""
    grouped = frozenset(place for each in apart.groups for place in each.places)
    return grouped if group is None else frozenset(world.theatre.atlas.places) - frozenset(group.places)


def find_reports_of_parts(known: World, found: World, apart: Apart) -> tuple[str, ...]:
    """Keys of reports that posts on the rest's ground sent because of troops that a part has.

    `known` is the rest's provisional morning, `found` the morning with all outcomes in.
    """
    if not apart.groups:
        return ()
    of_the_rest = build_part_world(found, replace(apart, shared={}), None).dispatches
    return tuple(
        key
        for key, paper in sorted(of_the_rest.items())
        if key not in known.dispatches and paper.kind == "report" and paper.origin not in found.formations
    )


def shared_differences(known: World, found: World) -> dict[str, dict[str, Any]]:
    """Shared entries of `known` that differ from those of `found`; None for those it lacks."""
    differences: dict[str, dict[str, Any]] = {}
    for name in COMMON:
        one, other = getattr(known, name), getattr(found, name)
        keys = [key for key in sorted({*one, *other}) if one.get(key) != other.get(key)]
        if keys:
            differences[name] = {key: _to_json(one[key]) if key in one else None for key in keys}
    return differences


def same_rest(known: World, found: World, apart: Apart) -> bool:
    """True if two worlds agree in all that only the rest owns, apart from rumours and offers."""
    plain = replace(apart, shared={})
    one, other = build_part_world(known, plain, None), build_part_world(found, plain, None)
    moving = (name for name in MARKERS if name not in (*COMMON, *OF_THE_REST))
    names = ("day", "settings", "formations", "units", *moving)
    return all(getattr(one, name) == getattr(other, name) for name in names)


# --- parts of a world ---


def build_part_world(world: World, apart: Apart, group: FormationGroup | None) -> World:
    """The world of one group, or of the rest: its formations and units, and what lies on its ground."""
    locked = apart.locked_formations
    here = set(group.formations) if group is not None else set()

    def mine(formation: str) -> bool:
        return formation in here if group is not None else formation not in locked

    shared: dict[str, Any] = {
        name: _counters_of(world, name, apart, group, mine) for name in MARKERS if name not in COMMON
    }
    for name in COMMON:
        shared[name] = _build_known_rows(world, name, apart) if group is None else getattr(world, name)
    return replace(
        world,
        formations={key: each for key, each in world.formations.items() if mine(key)},
        units={key: each for key, each in world.units.items() if mine(each.formation)},
        **shared,
    )


def _build_known_rows(world: World, name: str, apart: Apart) -> Mapping[str, Any]:
    if name not in apart.shared:
        return getattr(world, name)  # type: ignore[no-any-return]
    rows = dict(getattr(world, name))
    for key, value in apart.shared[name].items():
        if value is None:
            rows.pop(key, None)
        else:
            rows[key] = MARKERS[name](value) if name in MARKERS else value
    return rows


def _to_json(value: Any) -> Any:
    return value if isinstance(value, int | str) else marker_to_json(value)


def numbered_from(morning: World, numbers: Mapping[str, int]) -> World:
    """A part's morning whose sides go on numbering the enemies they see after those of the other parts."""
    watches = {
        side: replace(watch, reported=max(watch.reported, numbers.get(side, 0)))
        for side, watch in morning.watches.items()
    }
    return replace(morning, watches=watches)


# --- stores that several parts draw on (HR-CAL-11) ---


def least_stores(ahead: Iterable[World]) -> dict[str, int]:
    """The fewest rations in each magazine on the evenings of days that run on."""
    evenings = [world.magazines for world in ahead]
    places = sorted({place for each in evenings for place in each})
    return {place: min(each[place].rations if place in each else 0 for each in evenings) for place in places}


def left_by_the_rest(
    stores: Mapping[str, Magazine], evening: World, least: Mapping[str, int]
) -> dict[str, Magazine]:
    """Stores the other parts may draw on: all but what the rest will still draw after `evening`."""

    def spoken_for(place: str) -> int:
        known = evening.magazines.get(place)
        return max(0, known.rations - least[place]) if known is not None and place in least else 0

    return {
        place: replace(store, rations=max(0, store.rations - spoken_for(place)))
        for place, store in stores.items()
    }


def stores_after(
    world: World, stores: Mapping[str, Magazine], morning: World, evening: World
) -> dict[str, Magazine]:
    """`stores` after all that a part drew, laid down or captured during its day."""
    found = dict(stores)
    for place, after in evening.magazines.items():
        before, now = morning.magazines.get(place), stores.get(place)
        if now is None:
            found[place] = after
        elif after != before:
            taken_before = before is None and place in base_places(world)
            held = world.settings.captured_base_rations if taken_before else 0
            drawn = (before.rations if before is not None else held) - after.rations
            side = after.side if before is None or after.side != before.side else now.side
            found[place] = Magazine(side, max(0, now.rations - drawn))
    return dict(sorted(found.items()))


def base_places(world: World) -> frozenset[str]:
    """The supply places of both sides; a captured one is a magazine once (HR-SUP-06)."""
    return frozenset(place for places in world.theatre.supply.values() for place in places)


def delay_couriers(morning: World, apart: Apart) -> World:
    """A part's morning with the orders that couriers bring the halted kept for another day (HR-CAL-10)."""
    halted = set(apart.halted)
    kept = {
        key: replace(paper, due=morning.day + 1)
        for key, paper in morning.dispatches.items()
        if paper.to in halted and paper.due <= morning.day
    }
    return replace(morning, dispatches={**morning.dispatches, **kept}) if kept else morning


def acts_of(acts: Iterable[Organisation], apart: Apart, group: FormationGroup | None) -> list[Organisation]:
    """The orders of organisation one part carries out; of who is halted, none."""
    locked, halted = apart.locked_formations, set(apart.halted)
    if group is None:
        return [act for act in acts if subject_of(act) not in locked]
    return [act for act in acts if subject_of(act) in set(group.formations) - halted]


def _counters_of(
    world: World, name: str, apart: Apart, group: FormationGroup | None, mine: Callable[[str], bool]
) -> Mapping[str, Any]:
    rows: Mapping[str, Any] = getattr(world, name)
    if not rows:
        return rows
    if name in OF_NO_PART:
        return {}
    if name in OF_THE_REST:
        return rows if group is None else {}
    if name in OF_A_FORMATION:
        return {key: row for key, row in rows.items() if mine(row.formation)}
    if name in BY_FORMATION:
        return {key: row for key, row in rows.items() if mine(key)}
    afloat = {key: row for key, row in rows.items() if key.startswith(WITH)} if name == "boats" else {}
    elsewhere = {place for each in apart.groups for place in each.places}
    ground = set(group.places) if group is not None else elsewhere
    if name == "dispatches":  # of the formation or the place at their far end from headquarters

        def rides_here(key: str, row: Dispatch) -> bool:
            end = row.to or row.origin
            if key in apart.reports:
                return group is not None and group == apart.groups[0]
            if end in world.formations:
                return mine(end)
            return _is_on_ground(world, end, ground) == (group is not None)

        return {key: row for key, row in rows.items() if rides_here(key, row)}
    return {
        key: row
        for key, row in rows.items()
        if (
            mine(key.removeprefix(WITH))
            if key in afloat
            else _is_on_ground(world, key, ground) == (group is not None)
        )
    }


def _is_on_ground(world: World, subject: str, ground: Collection[str]) -> bool:
    """True if a place, or a route by its first end, is part of some ground."""
    route = world.theatre.atlas.routes.get(subject)
    return (route.a if route is not None else subject) in ground


def orders_of(
    morning: World, orders: Mapping[str, Order], apart: Apart, group: FormationGroup | None
) -> dict[str, Order]:
    """The orders of one part; a halted formation keeps only its stance."""
    if group is None:
        locked = apart.locked_formations
        return {key: order for key, order in orders.items() if key not in locked}
    given = {key: orders[key] for key in group.formations if key in orders}
    for key in set(apart.halted) & set(group.formations):
        formation = morning.formations.get(key)
        given.pop(key, None)
        if formation is not None and formation.position is not None and formation.order is not None:
            given[key] = Order(key, stance=formation.order.stance)
    return given


def merge_counters(world: World, days: Iterable[tuple[World, World]]) -> dict[str, Any]:
    """The shared fields of the whole world after the days of parts, each a morning and an evening."""
    found: dict[str, Any] = {}
    played = list(days)
    for name in dict.fromkeys((*COMMON, *MARKERS)):
        rows = dict(getattr(world, name))
        for morning, evening in reversed(played):  # the rest's, which is known already, counts most
            _apply_differences(rows, getattr(morning, name), getattr(evening, name))
        found[name] = dict(sorted(rows.items()))
    for side in found["watches"]:
        found["watches"][side] = _merge_watches(world, side, played)
    found["magazines"] = world.magazines
    for morning, evening in played:
        found["magazines"] = stores_after(world, found["magazines"], morning, evening)
    return found


def _merge_watches(world: World, side: str, played: Sequence[tuple[World, World]]) -> Watch:
    """A side's last look round, out of those of all parts."""
    evenings = [evening.watches[side] for _, evening in played]
    holders = dict(world.watches[side].holders) if side in world.watches else {}
    for morning, evening in reversed(played):
        before = morning.watches[side].holders if side in morning.watches else {}
        _apply_differences(holders, before, evening.watches[side].holders)
    reported = max(watch.reported for watch in evenings)
    whole = replace(evenings[0], holders=dict(sorted(holders.items())), reported=reported)
    if whole.counters is None:
        return whole
    heard = dict(whole.counters)
    for watch in evenings[1:]:
        for subject, rows in (watch.counters or {}).items():
            if subject not in heard or heard[subject]["day"] < rows["day"]:
                heard[subject] = rows
    return replace(whole, counters=dict(sorted(heard.items())))


def _apply_differences(rows: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for key in {*before, *after}:
        if before.get(key) != after.get(key):
            if key in after:
                rows[key] = after[key]
            else:
                rows.pop(key, None)
