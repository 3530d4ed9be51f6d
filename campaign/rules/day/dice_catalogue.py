"""Dice of a day and a week's end for which a real die can be entered (HR-UMP-12).

Whether a die is thrown at all, and with how many faces where these follow from the day, shows only when the
day is played; a real die that nobody threw stays unused.
"""

from collections.abc import Callable
from dataclasses import dataclass

from campaign.rules.umpire.calendar import both_sides, raise_violation
from campaign.rules.umpire.corrections import EnterDie
from campaign.rules.world.world import World
from rosters.domain.vocabulary import PoolNation

RULE = "HR-UMP-12"
#: Dice of the first morning: they have fallen.
AT_THE_START = ("HR-ARR-02", "HR-ARR-03")
#: Dice for letters, which are no part of a day and of its proof.
OF_LETTERS = ("HR-LET-06",)


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice of one rule: what they are thrown for, how many faces they have (0: the day says), and how many
    dice there are for one subject (0: the day says). `weekly` ones are thrown at a week's end only."""

    subject: str
    faces: int = 6
    dice: int = 1
    weekly: bool = False


THROWS: dict[str, Throw] = {
    "AWI-C-MAR-01": Throw("unit"),
    "AWI-C-MAR-02": Throw("unit"),
    "AWI-C-ATT-01": Throw("unit", weekly=True),
    "AWI-C-ATT-02": Throw("unit", weekly=True),
    "AWI-C-MIL-01": Throw("unit", weekly=True),
    "AWI-C-MIL-03": Throw("militia", weekly=True),
    "AWI-C-EUR-01": Throw("replacements", weekly=True),
    "AWI-C-POL-05": Throw("unit that appears", faces=0, dice=0, weekly=True),
    "HR-WEA-01": Throw("theatre", faces=10, dice=3),
    "HR-WEA-02": Throw("theatre"),
    "HR-CON-02": Throw("contact and side"),
    "HR-CON-04": Throw("contact and side"),
    "HR-CON-06": Throw("contact and side"),
    "HR-CON-09": Throw("contact and formation"),
    "HR-PUR-01": Throw("contact and unit", dice=0),
    "HR-SIE-03": Throw("place"),
    "HR-BRG-04": Throw("route"),
    "HR-NAT-01": Throw("unit"),
    "HR-LEV-01": Throw("unit"),
    "HR-SUP-03": Throw("unit"),
    "HR-FOG-05": Throw("side and formation", faces=201, dice=3),
    "HR-COU-03": Throw("side and paper"),
}

#: Papers a courier carries (HR-COU).
DISPATCHES = ("order", "report", "letter")
#: How a subject is written, for who has written it otherwise.
EXAMPLES = {
    "unit": "9th_foot",
    "unit that appears": "9th_foot",
    "place": "bunker_hill",
    "route": "albany--saratoga--road",
    "theatre": "theatre",
    "militia": "militia/american",
    "replacements": "replacements/british",
    "contact and side": "d4/ticonderoga/1/crown",
    "contact and formation": "d4/ticonderoga/1/advanced_corps",
    "contact and unit": "d4/ticonderoga/1/9th_foot",
    "side and formation": "crown/poors_brigade",
    "side and paper": "crown/order/advanced_corps",
}


def verify_throw(world: World, act: EnterDie) -> None:
    """Refuses a real die that the coming day cannot ask for. Raises RuleViolation with the field."""
    if act.rule in AT_THE_START:
        raise_violation(RULE, f"The dice of {act.rule} fell when the campaign began.", "rule")
    if act.rule in OF_LETTERS:
        raise_violation(
            RULE, f"The dice of {act.rule} fall for letters, and no real one is taken for those.", "rule"
        )
    throw = THROWS.get(act.rule)
    if throw is None:
        raise_violation(
            RULE,
            f"No die of a day is thrown under {act.rule}; try the day out and choose one from its list.",
            "rule",
        )
    if throw.weekly and (world.day + 1) % 7:
        raise_violation(
            RULE, f"The dice of {act.rule} are thrown at the week's end, and the coming day is none.", "rule"
        )
    if throw.faces and act.sides != throw.faces:
        raise_violation(RULE, f"A die of {act.rule} has {throw.faces} faces, not {act.sides}.", "sides")
    if throw.dice and act.index >= throw.dice:
        many = "one die, number 0" if throw.dice == 1 else f"dice 0 to {throw.dice - 1}"
        raise_violation(RULE, f"Under {act.rule} there is {many} for each {throw.subject}.", "index")
    if not _is_throw_subject(world, throw.subject, act.subject):
        raise_violation(
            RULE,
            f"A die of {act.rule} is thrown for a {throw.subject}, and {act.subject!r} names none there can "
            f"be; write it as {EXAMPLES[throw.subject]}.",
            "subject",
        )


def _is_throw_subject(world: World, kind: str, subject: str) -> bool:
    """True if the subject of such a die exists, or may exist on the coming day."""
    first, _, rest = subject.partition("/")
    if kind in PLAIN:
        return PLAIN[kind](world, subject)
    if kind in ("militia", "replacements"):
        return first == kind and rest in {nation.value for nation in PoolNation}
    if kind == "side and formation":
        return first in both_sides(world) and _is_possible_formation(world, rest)
    if kind == "side and paper":
        about, _, far = rest.partition("/")
        known = _is_possible_formation(world, far) or far in world.theatre.atlas.places
        return first in both_sides(world) and about in DISPATCHES and known
    contact, _, who = subject.rpartition("/")
    day, _, place = contact.partition("/")
    where, _, number = place.rpartition("/")
    atlas = world.theatre.atlas
    if day != f"d{world.day}" or not number.isdecimal() or where not in {*atlas.places, *atlas.routes}:
        return False
    return PLAIN[kind.removeprefix("contact and ")](world, who)


def _is_possible_formation(world: World, key: str) -> bool:
    """True if a formation exists, or orders may detach it in the morning."""
    return key in world.formations or key.rpartition("-d")[0] in world.formations


PLAIN: dict[str, Callable[[World, str], bool]] = {
    "theatre": lambda world, key: key == "theatre",
    "unit": lambda world, key: key in world.units,
    "unit that appears": lambda world, key: "/" not in key,  # it may be raised in that very week
    "formation": _is_possible_formation,
    "side": lambda world, key: key in both_sides(world),
    "place": lambda world, key: key in world.theatre.atlas.places,
    "route": lambda world, key: key in world.theatre.atlas.routes,
}
