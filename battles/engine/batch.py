"""Many runs of one battle as arrays. Numba is not imported here."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Batch:
    """The results of many runs of a battle, a row for each run; all arrays are i8.

    `holder` is 0 for the attacker, 1 for the defender, -1 for neither. `lost`, `captured` and `place`
    (codes of `dtypes`) have a column for each unit of the battle file in its order; `fates` and
    `wounds` one for each leader.
    """

    holder: Any
    turns: Any
    lost: Any
    captured: Any
    place: Any
    fates: Any
    wounds: Any

    def __len__(self) -> int:
        return len(self.holder)
