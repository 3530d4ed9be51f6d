"""Many runs of one battle as arrays. Numba is not imported here."""

from dataclasses import dataclass
from typing import Any

from battles.engine.dtypes import GONE_HOME, IN_FIELD


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of everything, a row for each run; all arrays are i8.

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

    @property
    def wounded(self) -> Any:
        """True for generals who came away with a light wound, as outcomes tell it (AWI-T-GEN-03)."""
        return (self.wounds > 0) & ((self.fates == IN_FIELD) | (self.fates == GONE_HOME))

    def __len__(self) -> int:
        return len(self.holder)
