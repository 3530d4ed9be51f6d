"""Days that run on while a battle waits: the theatre in parts that cannot touch, each played by itself.

The formations an undecided battle locks (`campaign.rules.day.locks`) are a part of their own; the others are
the rest. Every part is a whole small world with the day's dice, which have addresses: what happens in
one part changes no die and no event of another (HR-CAL-11). The rest's day, played provisionally,
is therefore the same when the outcome is in and all parts are played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from campaign.rules.army.organisation import Organisation
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.day.day import advance_day
from campaign.rules.day.locks import (
    Part,
    Today,
    build_footprints,
    find_contact_members,
    lock_formations,
    may_touch_zone,
    merge_parts,
    widen_parts,
)
from campaign.rules.day.weather import conditions_on
from campaign.rules.dispatches.couriers import build_elsewhere
from campaign.rules.victory.victory import score_evening
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.partition import (
    Apart,
    FormationGroup,
    acts_of,
    build_part_world,
    delay_couriers,
    find_reports_of_parts,
    least_stores,
    left_by_the_rest,
    merge_counters,
    numbered_from,
    orders_of,
    places_elsewhere,
    same_rest,
    shared_differences,
    stores_after,
)
from campaign.rules.world.world import Formation, Order, World
from rosters.domain.dice import DiceRoller

#: Told once for the whole theatre, in the rest's day; the end of the campaign is found anew.
THEATRE_EVENTS = frozenset({"weather", "campaign_ended"})


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
    def locked_formations(self) -> frozenset[str]:
        return frozenset(key for part in self.parts for key in part.formations)

    def apart(self) -> Apart:
        """The same division of the day, for its definitive run."""
        return Apart(groups_of(self.parts), self.halted)


def play_day(
    world: World,
    orders: Mapping[str, Order],
    dice: DiceRoller,
    outcomes: Mapping[str, Settlement],
    organisation: Iterable[Organisation] = (),
    apart: Apart | None = None,
) -> Completed | Pending:
    """`advance_day`, in parts when the day was divided: all are played, and make one world again."""
    if apart is None:
        return advance_day(world, orders, dice, outcomes, organisation)
    days: list[tuple[World, Completed]] = []
    contacts: list[Contact] = []
    for _, morning, result in days_of_parts(world, orders, dice, outcomes, organisation, apart):
        if isinstance(result, Pending):
            contacts += result.contacts
        else:
            days.append((morning, result))
    if contacts:
        return Pending(_by_time(contacts))
    return _merge_days(world, orders, apart, days)


def days_of_parts(
    world: World,
    orders: Mapping[str, Order],
    dice: DiceRoller,
    outcomes: Mapping[str, Settlement],
    organisation: Iterable[Organisation],
    apart: Apart,
) -> Iterator[tuple[FormationGroup | None, World, Completed | Pending]]:
    """The day of each part with its morning, one after another: first the rest's (None), which ran on."""
    acts = list(organisation)
    numbers = dict(apart.numbers)
    stores, rest = dict(world.magazines), world
    for group in (None, *apart.groups):
        morning = build_part_world(world, apart, group)
        if group is not None:
            morning = delay_couriers(numbered_from(morning, numbers), apart)
            morning = replace(morning, magazines=left_by_the_rest(stores, rest, apart.least))
        given = orders_of(morning, orders, apart, group)
        others = build_elsewhere(world, set(world.formations) - set(morning.formations))
        if group is None and apart.others.seats:
            others = apart.others
        others = replace(others, places=places_elsewhere(world, apart, group))
        mine = acts_of(acts, apart, group)
        result = advance_day(morning, given, dice, outcomes, mine, others=others)
        yield group, morning, result
        if isinstance(result, Completed):
            stores = stores_after(world, stores, morning, result.world)
            rest = result.world if group is None else rest
            for side, watch in result.world.watches.items():
                numbers[side] = max(numbers.get(side, 0), watch.reported)


def run_on(
    world: World,
    orders: Mapping[str, Order],
    dice: DiceRoller,
    outcomes: Mapping[str, Settlement],
    waiting: Sequence[Part] = (),
    organisation: Iterable[Organisation] = (),
) -> RunOn:
    """Play the day of `world` for all whom no undecided battle locks (HR-CAL-11).

    `waiting` are the parts locked on the days before. Every contact without an outcome that does not
    depend on another is found: its part waits from now on.
    """
    acts = list(organisation)
    today = Today(conditions_on(world, dice)[0], tuple(acts))
    parts = widen_parts(world, orders, waiting, today)
    halted = {key for part in parts for key in part.formations}
    contacts: list[Contact] = []
    while True:
        parts = _with_detachments(world, parts)
        apart = Apart(groups_of(parts), tuple(sorted(halted)))
        morning = build_part_world(world, apart, None)
        given = orders_of(morning, orders, apart, None)
        mine = acts_of(acts, apart, None)
        others = replace(
            build_elsewhere(world, apart.locked_formations), places=places_elsewhere(world, apart, None)
        )
        result = advance_day(morning, given, dice, outcomes, mine, others=others)
        if isinstance(result, Completed):
            break
        for contact in result.contacts:
            part = _lock_with_settled_contacts(morning, orders, contact, result.settled, today)
            parts, alone = _add_part(world, orders, parts, part, today)
            contacts += [contact] if alone else []
    evening = replace(
        result.world,
        formations={**world.formations, **result.world.formations},
        units={**world.units, **result.world.units},
        **merge_counters(world, [(morning, result.world)]),
    )
    events = tuple(event for event in result.events if event.kind != "campaign_ended")
    return RunOn(_by_time(contacts), parts, tuple(sorted(halted)), replace(evening, ended=False), events)


def _lock_with_settled_contacts(
    morning: World,
    orders: Mapping[str, Order],
    contact: Contact,
    settled: Sequence[Contact],
    today: Today,
) -> Part:
    """The formations that wait for a contact, with those of battles earlier that day that share one of them.

    Such a battle was settled with troops that the rest no longer has: it is fought again in the part.
    """
    part = lock_formations(morning, orders, contact, today=today)
    others = list(settled)
    while near := [each for each in others if find_contact_members(morning, each) & set(part.formations)]:
        for each in near:
            part = merge_parts(part, lock_formations(morning, orders, each, today=today))
            others.remove(each)
    return part


def _by_time(contacts: Iterable[Contact]) -> tuple[Contact, ...]:
    return tuple(sorted(contacts, key=lambda contact: (contact.ends, contact.key)))


def _add_part(
    world: World, orders: Mapping[str, Order], parts: tuple[Part, ...], new: Part, today: Today
) -> tuple[tuple[Part, ...], bool]:
    """The parts with a new one, and whether it stands alone: to whose ground others come waits for them."""
    prints = build_footprints(world, orders, today)
    for number, part in enumerate(parts):
        comers = (prints[key] for key in part.formations if key in prints)
        if any(may_touch_zone(world.theatre.atlas, new.zone, each) for each in comers):
            return (*parts[:number], merge_parts(part, new), *parts[number + 1 :]), False
    return (*parts, new), True


def groups_of(parts: Iterable[Part]) -> tuple[FormationGroup, ...]:
    """Parts as they are journaled; a place two of them may touch is the first one's."""
    taken: set[str] = set()
    groups = []
    for part in parts:
        places = tuple(sorted(set(part.zone.left) - taken))
        taken.update(places)
        groups.append(FormationGroup(part.formations, places))
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


def find_definitive_division(known: World, found: World, apart: Apart, *ahead: World) -> Apart | None:
    """The division with which a day is played definitively that had run on from the morning `known`.

    `found` is the morning with all outcomes in, `ahead` the worlds at the ends of the days that ran on,
    from this one; the last of them counts, and of the others what lay in the magazines.
    Formations that came about in a part meanwhile belong to it and halt. None when the rest is no
    longer as it was, by an act of the umpire's: then the days that had run on are void.
    """
    new = sorted(set(found.formations) - set(known.formations))
    groups, halted = [list(group.formations) for group in apart.groups], set(apart.halted)
    for key in new if groups else ():
        from_where = {
            known.units[unit.id].formation for unit in found.units.values() if unit.formation == key
        }
        from_where.add(found.formations[key].parent)
        next((group for group in groups if from_where & set(group)), groups[0]).append(key)
        halted.add(key)
    last = ahead[-1]
    numbers = {
        side: max(each.watches[side].reported for each in (found, last) if side in each.watches)
        for side in sorted({*found.watches, *last.watches})
    }
    made = Apart(
        tuple(
            replace(group, formations=tuple(sorted(members)))
            for group, members in zip(apart.groups, groups, strict=True)
        ),
        tuple(sorted(halted)),
        shared_differences(known, found),
        numbers,
        build_elsewhere(known, apart.locked_formations),
        least_stores(ahead),
    )
    made = replace(made, reports=find_reports_of_parts(known, found, made))
    return made if same_rest(known, found, made) else None


def _merge_days(
    world: World, orders: Mapping[str, Order], apart: Apart, days: Sequence[tuple[World, Completed]]
) -> Completed:
    """One world and one story again out of the days of all parts; the rest's is the first."""
    rest = days[0][1].world
    formations = {key: each for _, day in days for key, each in day.world.formations.items()}
    for key in apart.halted:
        formations[key] = _ordered_again(world, orders, key, formations)
    made = replace(
        rest,
        ended=False,  # a side may have nobody left in the rest alone; the whole is judged below
        formations=dict(sorted(formations.items())),
        units={key: each for _, day in days for key, each in day.world.units.items()},
        **merge_counters(world, [(morning, day.world) for morning, day in days]),
    )
    events = [event for event in days[0][1].events if event.kind != "campaign_ended"]
    events += [event for _, day in days[1:] for event in day.events if event.kind not in THEATRE_EVENTS]
    made, reckoned = score_evening(made)
    events += reckoned
    events.sort(key=lambda event: event.minute)
    return Completed(made, tuple(events))


def _ordered_again(
    world: World, orders: Mapping[str, Order], key: str, formations: Mapping[str, Formation]
) -> Formation:
    """A halted formation with its orders restored, if nothing has happened to it."""
    before, after = world.formations[key], formations[key]
    if after.position is None or after.position != before.position:
        return after
    return replace(after, order=orders.get(key, before.order))
