"""Events of a day, as facts: the only source from which the journal is written."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rosters.domain.dice import Roll

TEXT_COLUMNS = ("kind", "rule", "unit", "formation", "pool", "place", "route", "contact")
PLAIN_COLUMNS = ("minute", "before", "after", *TEXT_COLUMNS)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    `minute` counts from midnight of the day, 0 to 1440 (a week's end is 1440). `rule` is the rule
    id that made it happen. `before` and `after` are the campaign points of `unit`, or of the pool
    named in `pool` ("nation/arm"), whenever the event changes them: every change of points has an
    event. `data` holds further facts as JSON values (integers and strings, no floats).
    `sides` lists who may read it besides the umpire.
    """

    kind: str
    minute: int
    rule: str
    sides: tuple[str, ...] = ()
    unit: str = ""
    formation: str = ""
    pool: str = ""
    place: str = ""
    route: str = ""
    contact: str = ""
    before: int | None = None
    after: int | None = None
    rolls: tuple[Roll, ...] = ()
    modifiers: tuple[tuple[str, int], ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event as JSON values, the form that is hashed and stored."""
    return {
        **{name: getattr(event, name) for name in PLAIN_COLUMNS},
        "sides": list(event.sides),
        "rolls": [roll_to_json(roll) for roll in event.rolls],
        "modifiers": [list(pair) for pair in event.modifiers],
        "data": dict(event.data),
    }


_ROLL_FIELDS = tuple(item.name for item in fields(Roll))


def roll_to_json(roll: Roll) -> dict[str, Any]:
    """A die as JSON values; only one that a person entered says so, as older journals do not."""
    row = {name: getattr(roll, name) for name in _ROLL_FIELDS}  # all plain: `asdict` would copy deep
    if not roll.entered:
        del row["entered"]
    return row


def event_from_json(row: Mapping[str, Any]) -> Event:
    """The inverse of `event_to_json`."""
    return Event(
        **{name: row[name] for name in PLAIN_COLUMNS},
        sides=tuple(row["sides"]),
        rolls=tuple(Roll(**roll) for roll in row["rolls"]),
        modifiers=tuple((name, value) for name, value in row["modifiers"]),
        data=row["data"],
    )
