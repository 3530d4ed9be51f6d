"""The returns of one week while they are being made up: units, pools, formations and events.

The only mutable thing in the weekly rules. Each rule takes the book, changes points through it
and nothing else, so every change has its event; `week.close_week` opens and closes it.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from campaign.rules.contact.casualties import with_points
from campaign.rules.world.events import Event
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Unit, UnitStatus, World
from rosters.domain.dice import DiceRoller, Roll
from rosters.domain.strength import MAXIMUM_POINTS
from rosters.domain.vocabulary import POOL_NATION, Nation

WEEKS_END = 1440  # minute of all weekly events

#: Nations the weekly tables do not name: they neither roll nor are replaced (HR-REC-03).
NOT_RECRUITED = frozenset({Nation.CANADIAN, Nation.NATIVE})

Modifiers = tuple[tuple[str, int], ...]


class WeeklyReturns:
    """Books of one week's end. `day` is the world's; statuses that change now begin on it."""

    def __init__(self, world: World, dice: DiceRoller) -> None:
        self.theatre = world.theatre
        self.settings = world.settings
        self.holders = world.holders
        self.day = world.day
        self.dice = dice
        self.units: dict[str, Unit] = dict(world.units)
        self.pools: dict[str, int] = dict(world.pools)
        self.formations = dict(world.formations)
        self.events: list[Event] = []
        self.vacated: set[str] = set()
        self._owners = pool_owners(world)

    @cached_property
    def gathering(self) -> dict[tuple[str, str], str]:
        """Formations that units may join, by side and place: those with troops, no garrisons (HR-FOR-02)."""
        filled = {unit.formation for unit in self.units.values() if unit.status is UnitStatus.PRESENT}
        found: dict[tuple[str, str], str] = {}
        for key in sorted(filled & self.formations.keys()):
            formation = self.formations[key]
            if not formation.garrison and formation.position and not formation.position.route:
                found.setdefault((formation.side, formation.position.place), key)
        return found

    def owner(self, pool: str) -> tuple[str, ...]:
        """Sides that may read about a pool: that of its nation's units."""
        side = self._owners.get(pool.partition("/")[0])
        return (side,) if side else ()

    def in_order(self) -> Iterator[Unit]:
        """All units as they now stand, in order of id: the order of every weekly roll."""
        for key in sorted(self.units):
            yield self.units[key]

    def iter_counted_units(self) -> Iterator[Unit]:
        """Units that count in the weekly tables: on the map, or eliminated (AWI-C-ELI-01)."""
        return (unit for unit in self.in_order() if counts_in_returns(unit, self.day))

    def gain(self, points: int) -> tuple[int, Modifiers]:
        """A gain under the setting `recruitment`: damped, half of it in whole fives (HR-REC-04)."""
        if self.settings.recruitment != "damped" or points <= 0:
            return points, ()
        kept = damp_gain(points, self.settings)
        return kept, (("HR-REC-04", kept - points),)

    def change(
        self,
        unit: Unit,
        points: int,
        kind: str,
        rule: str,
        rolls: tuple[Roll, ...] = (),
        modifiers: Modifiers = (),
    ) -> None:
        """Add `points` to a unit, never below 0; the share of an eliminated unit goes to its pool.

        Points over 120 wait for the overflow step, unless `weekly_net_before_cap` is off.
        """
        if unit.status is UnitStatus.ELIMINATED:
            self.change_pool(unit.pool, points, kind, rule, rolls, modifiers, for_unit=unit.id)
            return
        after = max(0, unit.points + points)
        self.tell(kind, rule, unit, before=unit.points, after=after, rolls=rolls, modifiers=modifiers)
        if after == unit.points:
            return
        self.units[unit.id] = with_points(unit, after, self.day)
        if after == 0:
            self._tell_eliminated(unit)
        elif after > MAXIMUM_POINTS and not self.settings.weekly_net_before_cap:
            self.cap(self.units[unit.id])

    def change_pool(
        self,
        pool: str,
        points: int,
        kind: str,
        rule: str,
        rolls: tuple[Roll, ...] = (),
        modifiers: Modifiers = (),
        for_unit: str = "",
    ) -> None:
        """Add `points` to a pool, not below the setting `pool_floor` (AWI-C-ELI-01)."""
        before = self.pools.get(pool, 0)
        after = before + points
        if self.settings.pool_floor is not None:
            after = max(self.settings.pool_floor, after)
        self.pools[pool] = after
        self.events.append(
            Event(
                kind,
                WEEKS_END,
                rule,
                self.owner(pool),
                pool=pool,
                before=before,
                after=after,
                rolls=rolls,
                modifiers=modifiers,
                data={"for_unit": for_unit} if for_unit else {},
            )
        )

    def cap(self, unit: Unit) -> None:
        """Points over 120 go to the pool of the unit's nation and type (AWI-C-OVR-01)."""
        excess = unit.points - MAXIMUM_POINTS
        if excess <= 0:
            return
        self.tell("overstrength", "AWI-C-OVR-01", unit, before=unit.points, after=MAXIMUM_POINTS)
        self.units[unit.id] = replace(unit, points=MAXIMUM_POINTS)
        self.change_pool(unit.pool, excess, "overstrength", "AWI-C-OVR-01", for_unit=unit.id)

    def leave(self, unit: Unit, status: UnitStatus) -> None:
        """Take a unit off the map with its points set aside."""
        if unit.status is UnitStatus.PRESENT:
            self.vacated.add(unit.formation)
        self.units[unit.id] = replace(unit, status=status, since=self.day)

    def tell(
        self,
        kind: str,
        rule: str,
        unit: Unit,
        *,
        before: int | None = None,
        after: int | None = None,
        rolls: tuple[Roll, ...] = (),
        modifiers: Modifiers = (),
        place: str = "",
    ) -> None:
        """An event of one unit, for its own side."""
        self.events.append(
            Event(
                kind,
                WEEKS_END,
                rule,
                (unit.side,),
                unit.id,
                unit.formation,
                place=place,
                before=before,
                after=after,
                rolls=rolls,
                modifiers=modifiers,
            )
        )

    def close(self, world: World) -> World:
        """The world with this week's returns; formations without a unit leave the map."""
        if self.vacated:
            filled = {unit.formation for unit in self.units.values() if unit.status is UnitStatus.PRESENT}
            for key in self.vacated - filled:
                if key in self.formations:
                    self.formations[key] = replace(self.formations[key], position=None, order=None)
        return replace(world, units=self.units, pools=self.pools, formations=self.formations)

    def _tell_eliminated(self, unit: Unit) -> None:
        self.vacated.add(unit.formation)
        self.tell("unit_eliminated", "AWI-C-ELI-01", unit)


def damp_gain(points: int, settings: RuleSettings) -> int:
    """A gain as reduced by the setting `recruitment`; a loss is unchanged (HR-REC-04)."""
    return points // 2 // 5 * 5 if settings.recruitment == "damped" and points > 0 else points


def counts_in_returns(unit: Unit, day: int) -> bool:
    """True for a unit that rolls, or whose pool is rolled for, at the end of a week on `day`.

    Not trains (HR-REC-01), static garrisons (HR-REC-02), natives, Canadians and units that are
    not on the map (HR-REC-03).
    """
    if unit.static or unit.is_train or unit.nation in NOT_RECRUITED:
        return False
    if unit.status is UnitStatus.PRESENT:
        return True
    return unit.status is UnitStatus.ELIMINATED and not term_is_over(unit, day)


def term_is_over(unit: Unit, day: int) -> bool:
    """True for levies past their day of departure: off the map, they are not called out again (HR-REC-03)."""
    return unit.departs is not None and unit.departs <= day


def pool_owners(world: World) -> dict[str, str]:
    """The side of each pool nation: that of most of its units (the first by name if equal)."""
    counts: dict[str, Counter[str]] = {}
    for unit in world.units.values():
        counts.setdefault(POOL_NATION[unit.nation].value, Counter())[unit.side] += 1
    return {nation: min(sides, key=lambda side: (-sides[side], side)) for nation, sides in counts.items()}
