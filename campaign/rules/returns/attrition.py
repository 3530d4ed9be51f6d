"""Expiring enlistments and recruits of Continentals and Loyalists (AWI-C-ATT-01, AWI-C-ATT-02)."""

from collections import Counter
from fractions import Fraction

from campaign.rules.contact.casualties import counts_as_militia
from campaign.rules.returns.returns import WeeklyReturns, damp_gain
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Unit
from rosters.domain.vocabulary import Nation

#: Points by die, 1 to 6. What a 4 does is the setting `attrition_roll_four`.
ATTRITION = (0, 0, 0, 0, -5, -5)
RECRUITS = (0, 0, 5, 10, 10, 15)


def attrition_loss(die: int, settings: RuleSettings) -> int:
    """Points lost to expiring enlistments, 0 or -5 (AWI-C-ATT-01)."""
    if die == 4 and settings.attrition_roll_four == "lose_5":
        return -5
    return ATTRITION[die - 1]


def count_recruit_points(die: int) -> int:
    """Points of recruits, 0 to 15 (AWI-C-ATT-02)."""
    return RECRUITS[die - 1]


def may_enlist(unit: Unit) -> bool:
    """Continental and Loyalist regulars of any arm; militia has its own table."""
    return unit.nation in (Nation.CONTINENTAL, Nation.LOYALIST) and not counts_as_militia(unit)


def weekly_distribution(settings: RuleSettings) -> dict[int, Fraction]:
    """Exact chances of a unit's net change in one week, before cap and floor."""
    counts = Counter(
        attrition_loss(first, settings) + damp_gain(count_recruit_points(second), settings)
        for first in range(1, 7)
        for second in range(1, 7)
    )
    return {change: Fraction(count, 36) for change, count in sorted(counts.items())}


def roll_enlistments(book: WeeklyReturns) -> None:
    """Step 1 of the week's end: two dice a unit, netted before any cap (AWI-C-OVR-01)."""
    for unit in book.iter_counted_units():
        if may_enlist(unit):
            _roll_unit(book, unit)


def _roll_unit(book: WeeklyReturns, unit: Unit) -> None:
    out = book.dice.roll("AWI-C-ATT-01", unit.id)
    come = book.dice.roll("AWI-C-ATT-02", unit.id)
    loss = attrition_loss(out.value, book.settings)
    full = count_recruit_points(come.value)
    gain, damped = book.gain(full)
    lost = (("AWI-C-ATT-01", loss),)
    gained = (("AWI-C-ATT-02", full), *damped)
    if book.settings.weekly_net_before_cap:
        book.change(unit, loss + gain, "enlistments", "AWI-C-ATT-01", (out, come), lost + gained)
        return
    book.change(unit, gain, "recruits", "AWI-C-ATT-02", (come,), gained)
    book.change(book.units[unit.id], loss, "attrition", "AWI-C-ATT-01", (out,), lost)
