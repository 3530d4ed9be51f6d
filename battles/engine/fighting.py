"""Parts of every ruleset's fights that their callers need. Numba is not imported here."""

from dataclasses import dataclass

from battles.engine.events import BattleEvent
from battles.files.schema import BattleOutcome, PlanChoice

#: Raised whenever the same battle and seed may come out otherwise.
ENGINE_VERSION = "9"


@dataclass(frozen=True, slots=True)
class FightResult:
    """A fought battle: its outcome, its events when recorded, the game turns played.

    `choices` are the plans of commanders who looked ahead.
    """

    outcome: BattleOutcome
    events: tuple[BattleEvent, ...]
    turns: int
    choices: tuple[PlanChoice, ...] = ()


class EngineError(RuntimeError):
    """A run that is void: more dice or events than the largest layout holds."""
