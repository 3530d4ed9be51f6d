"""Militia come and go (AWI-C-MIL-01..03)."""

from campaign.rules.contact.casualties import counts_as_militia
from campaign.rules.returns.places_of_arrival import RETURNING, choose_place, place_unit, tell_waiting
from campaign.rules.returns.returns import NOT_RECRUITED, WEEKS_END, WeeklyReturns, term_is_over
from campaign.rules.world.events import Event
from campaign.rules.world.world import Unit, UnitStatus
from rosters.domain.vocabulary import EUROPEAN, POOL_NATION, PoolNation

GOES_HOME = 1
#: Points by die, 1 to 6; on a 1 the unit goes home with its points set aside (AWI-C-MIL-02).
CHANGES = (0, -10, -5, 5, 10, 15)


def rolls_as_militia(unit: Unit) -> bool:
    """American and Loyalist militia; Europeans and the nations of HR-REC-03 have no militia table."""
    return (
        counts_as_militia(unit)
        and unit.nation not in NOT_RECRUITED
        and POOL_NATION[unit.nation] not in EUROPEAN
    )


def militia_change(die: int) -> int:
    """Points gained or lost by a die of 2 to 6 (AWI-C-MIL-01); 0 for a 1."""
    return CHANGES[die - 1]


def roll_militia(book: WeeklyReturns) -> None:
    """Step 2 of the week's end: one die a unit that is present or eliminated (AWI-C-MIL-01)."""
    for unit in book.iter_counted_units():
        if rolls_as_militia(unit):
            _roll_unit(book, unit)


def _roll_unit(book: WeeklyReturns, unit: Unit) -> None:
    roll = book.dice.roll("AWI-C-MIL-01", unit.id)
    if roll.value == GOES_HOME and unit.status is UnitStatus.PRESENT:
        book.leave(unit, UnitStatus.ABSENT)
        book.tell("militia_went_home", "AWI-C-MIL-02", unit, rolls=(roll,))
        return
    full = militia_change(roll.value)
    change, damped = book.gain(full)
    book.change(unit, change, "militia", "AWI-C-MIL-01", (roll,), (("AWI-C-MIL-01", full), *damped))


def return_militia(book: WeeklyReturns, placements: dict[str, str]) -> None:
    """Step 3: one die for all absent militia of a nation (AWI-C-MIL-03)."""
    absent: dict[PoolNation, list[Unit]] = {}
    for unit in list(book.in_order()):
        if unit.status is not UnitStatus.ABSENT or not rolls_as_militia(unit):
            continue
        if term_is_over(unit, book.day):
            book.leave(unit, UnitStatus.DEPARTED)
            book.tell("levy_departed", "HR-REC-03", unit)
        elif _may_return(book, unit):
            absent.setdefault(POOL_NATION[unit.nation], []).append(unit)
    for nation in sorted(absent):
        _roll_return(book, nation, sorted(absent[nation], key=_longest_away), placements)


def _may_return(book: WeeklyReturns, unit: Unit) -> bool:
    """This week's leavers may be let back at once, by setting; never when damped (HR-REC-04)."""
    this_week = book.settings.militia_return_includes_this_week and book.settings.recruitment != "damped"
    return this_week or unit.since < book.day


def _roll_return(
    book: WeeklyReturns, nation: PoolNation, absent: list[Unit], placements: dict[str, str]
) -> None:
    roll = book.dice.roll("AWI-C-MIL-03", f"militia/{nation}")
    returns = roll.value <= len(absent)
    book.events.append(
        Event(
            "militia_return_roll",
            WEEKS_END,
            "AWI-C-MIL-03",
            tuple(sorted({unit.side for unit in absent})),
            rolls=(roll,),
            data={"nation": nation.value, "absent": len(absent), "returns": int(returns)},
        )
    )
    if not returns:
        return
    if book.settings.militia_return_scope == "one_unit":
        absent = absent[:1]
    for unit in absent:
        _return_unit(book, unit, placements)


def _return_unit(book: WeeklyReturns, unit: Unit, placements: dict[str, str]) -> None:
    place, rolls = choose_place(book, unit, placements, RETURNING)
    if not place:
        tell_waiting(book, unit)
        return
    placed = place_unit(book, unit, place, book.settings.militia_full_strength_points)
    book.tell(
        "militia_returned",
        "AWI-C-MIL-03",
        placed,
        before=unit.points,
        after=placed.points,
        rolls=rolls,
        place=place,
    )


def _longest_away(unit: Unit) -> tuple[int, str]:
    return unit.since, unit.id
