"""Rules for players' letters, and their courier rides (HR-LET)."""

from dataclasses import dataclass

from campaign.rules.army.organisation import is_in_column
from campaign.rules.day.field import count_strength
from campaign.rules.dispatches.couriers import (
    enemies_of,
    find_headquarters,
    find_shortest_ride,
    watched_by_enemy,
)
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import YARDS_PER_MILE, Position, World, present_units
from rosters.domain.dice import DiceRoller

#: Minutes of the day at which letters leave, and at which those that have come in are read.
EVENING, MORNING = 18 * 60, 6 * 60
DAY = 24 * 60


def may_write_to_enemy(settings: RuleSettings) -> bool:
    return settings.letters_to_enemy != "off"


def may_seal_to_enemy(settings: RuleSettings) -> bool:
    """True if letters to the enemy may be sealed, and not only sent under a flag of truce."""
    return settings.letters_to_enemy == "free"


def letters_ride(settings: RuleSettings) -> bool:
    """True if letters between players go by courier (HR-LET-05)."""
    return settings.couriers and not settings.letters_at_once


@dataclass(frozen=True, slots=True)
class LetterAddress:
    """A player's address for letters: one of their column's formations, or else headquarters."""

    side: str
    column: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Carriage:
    """A letter's ride: in at `minute` of campaign day `day`, read on the morning of `due`.

    `die` is what was thrown for a courier who had to pass the enemy, None for none.
    """

    day: int
    minute: int
    due: int
    taken: bool = False
    die: int | None = None


def find_recipient_position(world: World, table: LetterAddress) -> Position | None:
    """The position for a player's letters: their strongest formation, or headquarters (HR-LET-05)."""
    present = present_units(world)
    own = [
        key
        for key in world.formations
        if is_in_column(table.column, key) and world.formations[key].position is not None and present.get(key)
    ]
    seat = min(own, key=lambda key: (-count_strength(present[key]), key), default="")
    found = world.formations.get(seat or find_headquarters(world, table.side))
    return found.position if found is not None else None


def carry_letter(
    world: World, ends: tuple[LetterAddress, LetterAddress], dice: DiceRoller, subject: str
) -> Carriage:
    """A letter's ride from one player to another, as the evening's `world` has them (HR-LET-05, HR-LET-06).

    It leaves at six in the evening of the day just played, and rides day and night.
    """
    day, settings = world.day - 1, world.settings
    start, end = (find_recipient_position(world, table) for table in ends)
    if start is None or end is None:
        return build_carriage(day, 0, settings)
    ridden = build_carriage(day, find_shortest_ride(world.theatre.atlas, start, end)[0], settings)
    side = ends[0].side
    if not settings.letters_taken or side != ends[1].side or not _is_watched(world, side, start, end):
        return ridden
    die = dice.roll("HR-LET-06", subject).value
    taken = die >= settings.courier_taken_on
    return Carriage(ridden.day, ridden.minute, world.day if taken else ridden.due, taken, die)


def build_carriage(day: int, yards: int, settings: RuleSettings) -> Carriage:
    """The arrival of a letter that leaves in the evening of `day` and rides `yards` (HR-LET-05)."""
    minutes = EVENING - (-(yards * DAY) // (settings.courier_miles * YARDS_PER_MILE))
    days, minute = divmod(minutes, DAY)
    return Carriage(day + days, minute, day - (-(minutes - MORNING) // DAY))


def _is_watched(world: World, side: str, start: Position, end: Position) -> bool:
    return watched_by_enemy(world, side, start, end, enemies_of(world, side), world.holders)
