"""What happens in a day, as facts: the journal is written from these and from nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rosters.domain.dice import Roll


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
