"""Against hindsight: arrivals by dice and alternative orders of battle, settled before the first morning.

Everybody has read how it went. With these settings nobody knows by the book when a column comes, or
whether it comes at all; each side's own returns tell it, the enemy's do not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from campaign.rules.day.arrivals import empty_formations
from campaign.rules.world.events import Event
from campaign.rules.world.outcome import Completed
from campaign.rules.world.world import Unit, UnitStatus, World
from rosters.domain.dice import DiceRoller


@dataclass(frozen=True, slots=True)
class AlternativeChange:
    """A unit's change under an alternative: None or "" changes nothing, 0 points removes the unit.

    Only one still to come may change date or place. It comes about on a die of `chance` or less.
    """

    alternative: str
    chance: int
    unit: str
    points: int | None = None
    arrives: int | None = None
    home: str = ""


def first_morning(world: World, changes: Iterable[AlternativeChange], dice: DiceRoller) -> Completed:
    """The first world after dice for alternatives and dates, with events for the umpire."""
    events: list[Event] = []
    if world.settings.alternatives:
        world = _apply_alternatives(world, tuple(changes), dice, events)
    if world.settings.arrivals == "diced":
        world = _shift_dates(world, dice, events)
    return Completed(world, tuple(events))


def _apply_alternatives(
    world: World, changes: tuple[AlternativeChange, ...], dice: DiceRoller, events: list[Event]
) -> World:
    """One die for each alternative (HR-ARR-03)."""
    units = dict(world.units)
    for name in sorted({change.alternative for change in changes}):
        own = [change for change in changes if change.alternative == name]
        roll = dice.roll("HR-ARR-03", name)
        comes = roll.value <= own[0].chance
        data = {"alternative": name, "chance": own[0].chance, "comes": int(comes)}
        events.append(Event("alternative", 0, "HR-ARR-03", rolls=(roll,), data=data))
        for change in own if comes else ():
            unit = units.pop(change.unit, None)
            if unit is not None and change.points != 0:
                units[unit.id] = _apply_change(unit, change)
    return empty_formations(replace(world, units=dict(sorted(units.items()))))


def _apply_change(unit: Unit, change: AlternativeChange) -> Unit:
    later = 0 if change.arrives is None else change.arrives - unit.arrives
    return replace(
        unit,
        departs=None if unit.departs is None else unit.departs + later,
        points=unit.points if change.points is None else change.points,
        home=change.home or unit.home,
        arrives=unit.arrives if change.arrives is None else change.arrives,
    )


def _shift_dates(world: World, dice: DiceRoller, events: list[Event]) -> World:
    """Shift arrivals by dice: one shift for each day, place and formation (HR-ARR-02).

    Two dice: the first less the second, in fifths of the spread. A term of service moves with it.
    """
    units = dict(world.units)
    columns: dict[tuple[str, int, str], list[Unit]] = {}
    for unit in world.units.values():
        if unit.status is UnitStatus.EXPECTED:
            columns.setdefault((unit.formation, unit.arrives, unit.home), []).append(unit)
    for (formation, day, home), column in sorted(columns.items()):
        subject = f"{formation}/{day}/{home}"
        late, early = dice.roll("HR-ARR-02", subject), dice.roll("HR-ARR-02", subject, 1)
        spread = (late.value - early.value) * world.settings.arrival_spread_days
        shift = abs(spread) // 5 * (1 if spread > 0 else -1)
        shift = max(1 - day, min(shift, max(0, world.theatre.days - 1 - day)))
        for unit in column:
            departs = None if unit.departs is None else unit.departs + shift
            units[unit.id] = replace(unit, arrives=day + shift, departs=departs)
        data = {"due": day + 1, "comes": day + shift + 1, "units": len(column)}
        events.append(
            Event(
                "date_settled",
                0,
                "HR-ARR-02",
                formation=formation,
                place=home,
                rolls=(late, early),
                data=data,
            )
        )
    return replace(world, units=units)
