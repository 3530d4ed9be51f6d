"""Days that run on while a battle waits: the theatre in parts that cannot touch, each played by itself.

The formations an undecided battle locks (`campaign.rules.locks`) are a part of their own; the others are
the rest. Every part is a whole small world with the day's dice, which have addresses: what happens in
one part changes no die and no event of another (HR-CAL-11). The rest's day, played provisionally,
is therefore the same when the outcome is in and all parts are played.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.rules.contact import Contact, Settlement
from campaign.rules.day import advance_day
from campaign.rules.events import Event
from campaign.rules.field import MIDNIGHT
from campaign.rules.locks import Part, Zone, footprints, joined, lock, touches, widen
from campaign.rules.night import beaten_sides
from campaign.rules.outcome import Completed, Pending
from campaign.rules.world import Formation, Order, World
from campaign.rules.world_json import MARKERS
from rosters.domain.dice import Dice

#: Told once for the whole theatre, in the rest's day; the end of the campaign is found anew.
THEATRE_EVENTS = frozenset({"weather", "campaign_ended"})
#: What every part reads; a change of one part is the whole world's.
COMMON = ("holders", "pools", "away", "weather_set")
#: Counters that only the rest's day moves, and those that go with a formation. All others lie at a
#: place or on a route, and are the part's whose ground it is.
OF_THE_REST = ("dispatches", "scores", "rumours")
OF_A_FORMATION = ("reports", "generals")


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the theatre played by itself: its formations, and the places that are its ground."""

    formations: tuple[str, ...]
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Apart:
    """How a day was played in parts.

    `halted` stand still though they may have orders: they were locked on an earlier day or have come
    near. `shared` holds, by field, what the rest found otherwise on its provisional morning.
    """

    groups: tuple[Group, ...] = ()
    halted: tuple[str, ...] = ()
    shared: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def locked(self) -> frozenset[str]:
        return frozenset(key for group in self.groups for key in group.formations)

    def to_json(self) -> dict[str, Any]:
        """JSON values, for the journal."""
        return {
            "groups": [
                {"formations": list(group.formations), "places": list(group.places)} for group in self.groups
            ],
            "halted": list(self.halted),
            "shared": {name: dict(sorted(rows.items())) for name, rows in sorted(self.shared.items())},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Apart":
        """The inverse of `to_json`."""
        groups = (Group(tuple(row["formations"]), tuple(row["places"])) for row in data["groups"])
        return cls(tuple(groups), tuple(data["halted"]), data["shared"])


@dataclass(frozen=True, slots=True)
class RunOn:
    """A day the rest has played while `parts` wait.

    `contacts` are the day's own that have no outcome; `halted` of the locked do not march today.
    `world` is the next morning with the locked where they stood, `events` are the rest's.
    """

    contacts: tuple[Contact, ...]
    parts: tuple[Part, ...]
    halted: tuple[str, ...]
    world: World
    events: tuple[Event, ...]

    @property
    def locked(self) -> frozenset[str]:
        return frozenset(key for part in self.parts for key in part.formations)

    def apart(self) -> Apart:
        """The same division of the day, for its definitive run."""
        return Apart(groups_of(self.parts), self.halted)


def play_day(
    world: World,
    orders: Mapping[str, Order],
    dice: Dice,
    outcomes: Mapping[str, Settlement],
    apart: Apart | None = None,
) -> Completed | Pending:
    """`advance_day`, in parts when the day was divided: all are played, and make one world again."""
    if apart is None:
        return advance_day(world, orders, dice, outcomes)
    days: list[tuple[World, Completed]] = []
    contacts: list[Contact] = []
    for group in (None, *apart.groups):
        morning = _portion(world, apart, group)
        given = _orders_of(morning, orders, apart, group)
        result = advance_day(morning, given, dice, outcomes)
        if isinstance(result, Pending):
            contacts += result.contacts
        else:
            days.append((morning, result))
    if contacts:
        return Pending(_by_time(contacts))
    return _whole(world, orders, apart, days)


def run_on(
    world: World,
    orders: Mapping[str, Order],
    dice: Dice,
    outcomes: Mapping[str, Settlement],
    waiting: Sequence[Part] = (),
) -> RunOn:
    """Play the day of `world` for all whom no undecided battle locks (HR-CAL-11).

    `waiting` are the parts locked on the days before. Every contact without an outcome that does not
    depend on another is found: its part waits from now on.
    """
    parts = widen(world, orders, waiting)
    halted = {key for part in parts for key in part.formations}
    contacts: list[Contact] = []
    while True:
        parts = _with_detachments(world, parts)
        apart = Apart(groups_of(parts), tuple(sorted(halted)))
        morning = _portion(world, apart, None)
        result = advance_day(morning, _orders_of(morning, orders, apart, None), dice, outcomes)
        if isinstance(result, Completed):
            break
        for contact in result.contacts:
            parts, alone = _with(world, orders, parts, lock(morning, orders, contact))
            contacts += [contact] if alone else []
    evening = replace(
        result.world,
        formations={**world.formations, **result.world.formations},
        units={**world.units, **result.world.units},
        **_counters(world, [(morning, result.world)]),
    )
    events = tuple(event for event in result.events if event.kind != "campaign_ended")
    return RunOn(_by_time(contacts), parts, tuple(sorted(halted)), replace(evening, ended=False), events)


def _by_time(contacts: Iterable[Contact]) -> tuple[Contact, ...]:
    return tuple(sorted(contacts, key=lambda contact: (contact.ends, contact.key)))


def _with(
    world: World, orders: Mapping[str, Order], parts: tuple[Part, ...], new: Part
) -> tuple[tuple[Part, ...], bool]:
    """The parts with a new one, and whether it stands alone: to whose ground others come waits for them."""
    prints = footprints(world, orders)
    for number, part in enumerate(parts):
        comers = (prints[key] for key in part.formations if key in prints)
        if any(touches(world.theatre.atlas, new.zone, each) for each in comers):
            return (*parts[:number], joined(part, new), *parts[number + 1 :]), False
    return (*parts, new), True


def groups_of(parts: Iterable[Part]) -> tuple[Group, ...]:
    """Parts as they are journaled; a place two of them may touch is the first one's."""
    taken: set[str] = set()
    groups = []
    for part in parts:
        places = tuple(sorted(set(part.zone.left) - taken))
        taken.update(places)
        groups.append(Group(part.formations, places))
    return tuple(groups)


def _with_detachments(world: World, parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts with the empty detachments of their formations, which arrivals there may fill (HR-ARR-01)."""
    found = []
    for part in parts:
        members = set(part.formations)
        members |= {
            key for key, each in world.formations.items() if each.position is None and each.parent in members
        }
        found.append(replace(part, formations=tuple(sorted(members))))
    return tuple(found)


def definitive(known: World, found: World, apart: Apart) -> Apart | None:
    """The division with which a day is played definitively that had run on from the morning `known`.

    `found` is the morning with all outcomes in. Formations that came about in a part meanwhile belong
    to it and halt. None when the rest is no longer as it was, by an act of the umpire's: then the day
    that had run on is void.
    """
    new = set(found.formations) - set(known.formations)
    groups, halted = [], set(apart.halted)
    for group in apart.groups:
        members = set(group.formations)
        born = {key for key in new if found.formations[key].parent in members}
        halted |= born
        groups.append(replace(group, formations=tuple(sorted(members | born))))
    made = Apart(tuple(groups), tuple(sorted(halted)), _shared_differences(known, found))
    return made if _same_rest(known, found, made) else None


def _shared_differences(known: World, found: World) -> dict[str, dict[str, Any]]:
    """What `known` holds otherwise than `found` of what all parts read; None for what it has not."""
    differences: dict[str, dict[str, Any]] = {}
    for name in COMMON:
        one, other = getattr(known, name), getattr(found, name)
        rows = {key: one.get(key) for key in sorted({*one, *other}) if one.get(key) != other.get(key)}
        if rows:
            differences[name] = rows
    return differences


def _same_rest(known: World, found: World, apart: Apart) -> bool:
    """Whether two worlds agree in all that is the rest's alone."""
    plain = replace(apart, shared={})
    one, other = _portion(known, plain, None), _portion(found, plain, None)
    names = ("day", "settings", "formations", "units", *(name for name in MARKERS if name not in COMMON))
    return all(getattr(one, name) == getattr(other, name) for name in names)


# --- parts of a world ---


def _portion(world: World, apart: Apart, group: Group | None) -> World:
    """The world of one group, or of the rest: its formations and units, and what lies on its ground."""
    locked = apart.locked
    here = set(group.formations) if group is not None else set()

    def mine(formation: str) -> bool:
        return formation in here if group is not None else formation not in locked

    shared: dict[str, Any] = {
        name: _counters_of(world, name, apart, group, mine) for name in MARKERS if name not in COMMON
    }
    for name in COMMON:
        shared[name] = _known(world, name, apart) if group is None else getattr(world, name)
    return replace(
        world,
        formations={key: each for key, each in world.formations.items() if mine(key)},
        units={key: each for key, each in world.units.items() if mine(each.formation)},
        **shared,
    )


def _known(world: World, name: str, apart: Apart) -> Mapping[str, Any]:
    if name not in apart.shared:
        return getattr(world, name)  # type: ignore[no-any-return]
    rows = {**getattr(world, name), **apart.shared[name]}
    return {key: value for key, value in rows.items() if value is not None}


def _counters_of(
    world: World, name: str, apart: Apart, group: Group | None, mine: Callable[[str], bool]
) -> Mapping[str, Any]:
    rows: Mapping[str, Any] = getattr(world, name)
    if not rows:
        return rows
    if name in OF_THE_REST:
        return rows if group is None else {}
    if name in OF_A_FORMATION:
        return {key: row for key, row in rows.items() if mine(row.formation)}
    elsewhere = {place for each in apart.groups for place in each.places}
    ground = set(group.places) if group is not None else elsewhere
    return {key: row for key, row in rows.items() if _lies(world, key, ground) == (group is not None)}


def _lies(world: World, subject: str, ground: Collection[str]) -> bool:
    """Whether a place, or a route by its first end, is part of some ground."""
    route = world.theatre.atlas.routes.get(subject)
    return (route.a if route is not None else subject) in ground


def _orders_of(
    morning: World, orders: Mapping[str, Order], apart: Apart, group: Group | None
) -> dict[str, Order]:
    """The orders of one part; who is halted only keeps his stance."""
    if group is None:
        locked = apart.locked
        return {key: order for key, order in orders.items() if key not in locked}
    given = {key: orders[key] for key in group.formations if key in orders}
    for key in set(apart.halted) & set(group.formations):
        formation = morning.formations.get(key)
        given.pop(key, None)
        if formation is not None and formation.position is not None and formation.order is not None:
            given[key] = Order(key, stance=formation.order.stance)
    return given


def _whole(
    world: World, orders: Mapping[str, Order], apart: Apart, days: Sequence[tuple[World, Completed]]
) -> Completed:
    """One world and one story again out of the days of all parts; the rest's is the first."""
    rest = days[0][1].world
    formations = {key: each for _, day in days for key, each in day.world.formations.items()}
    for key in apart.halted:
        formations[key] = _ordered_again(world, orders, key, formations)
    made = replace(
        rest,
        formations=dict(sorted(formations.items())),
        units={key: each for _, day in days for key, each in day.world.units.items()},
        **_counters(world, [(morning, day.world) for morning, day in days]),
    )
    events = [event for event in days[0][1].events if event.kind != "campaign_ended"]
    events += [event for _, day in days[1:] for event in day.events if event.kind not in THEATRE_EVENTS]
    beaten = beaten_sides(made)
    ended = made.day >= made.theatre.days or bool(beaten)
    if ended:
        sides = tuple(side.id for side in world.theatre.sides)
        events.append(Event("campaign_ended", MIDNIGHT, "HR-CAL-02", sides, data={"beaten": beaten}))
    events.sort(key=lambda event: event.minute)
    return Completed(replace(made, ended=ended), tuple(events))


def _ordered_again(
    world: World, orders: Mapping[str, Order], key: str, formations: Mapping[str, Formation]
) -> Formation:
    """A halted formation takes up its orders again, if nothing has befallen it."""
    before, after = world.formations[key], formations[key]
    if after.position is None or after.position != before.position:
        return after
    return replace(after, order=orders.get(key, before.order))


def _counters(world: World, days: Iterable[tuple[World, World]]) -> dict[str, Any]:
    """The shared fields of the whole world after the days of parts, each a morning and an evening."""
    found: dict[str, Any] = {}
    played = list(days)
    for name in COMMON:
        rows = dict(getattr(world, name))
        for morning, evening in reversed(played):  # what the rest has done is known already
            _apply(rows, getattr(morning, name), getattr(evening, name))
        found[name] = dict(sorted(rows.items()))
    for name in MARKERS:
        if name not in COMMON:
            rows = dict(getattr(world, name))
            for morning, evening in played:
                _apply(rows, getattr(morning, name), getattr(evening, name))
            found[name] = dict(sorted(rows.items()))
    return found


def _apply(rows: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for key in {*before, *after}:
        if before.get(key) != after.get(key):
            if key in after:
                rows[key] = after[key]
            else:
                rows.pop(key, None)


# --- parts as stored ---


def part_to_json(part: Part) -> dict[str, Any]:
    """A part as JSON values."""
    return {
        "formations": list(part.formations),
        "contacts": list(part.contacts),
        "left": dict(sorted(part.zone.left.items())),
        "routes": sorted(part.zone.routes),
    }


def part_from_json(data: Mapping[str, Any]) -> Part:
    """The inverse of `part_to_json`."""
    zone = Zone(dict(data["left"]), frozenset(data["routes"]))
    return Part(tuple(data["formations"]), tuple(data["contacts"]), zone)
