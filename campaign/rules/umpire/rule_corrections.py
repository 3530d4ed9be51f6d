"""What the umpire corrects besides troops, as acts for the journal (HR-UMP-19 to HR-UMP-22).

Records with the JSON of `campaign.rules.umpire.corrections`; what each does is in
`campaign.rules.umpire.correcting`.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ChangePool:
    """Give a replacement `pool` ("nation/arm") points, or take them when negative (HR-UMP-19)."""

    pool: str
    points: int


@dataclass(frozen=True, slots=True)
class SetGeneral:
    """How a general is from now on, and the `formation` he is with, "" for none (HR-UMP-20).

    `weeks` is how long a wound keeps him away, 0 for one who is not wounded.
    """

    general: str
    state: Literal["well", "wounded", "captured", "dead"]
    formation: str
    weeks: int = 0


@dataclass(frozen=True, slots=True)
class SetHolder:
    """Who holds `place` from now on: a side, or nobody with "" (HR-UMP-21)."""

    place: str
    side: str


@dataclass(frozen=True, slots=True)
class SetFood:
    """The `rations` in the store at a place, or carried by a formation, whose `id` it is (HR-UMP-22)."""

    of: Literal["store", "formation"]
    id: str
    rations: int


Correction = ChangePool | SetGeneral | SetHolder | SetFood

KINDS: dict[str, type[Correction]] = {
    "pool": ChangePool,
    "general": SetGeneral,
    "holder": SetHolder,
    "food": SetFood,
}
