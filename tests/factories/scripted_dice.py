"""Dice that fall as a test says."""

from collections.abc import Mapping, Sequence

from rosters.domain.dice import Roll


class ScriptedDice:
    """Dice that fall as told, for worked checks and golden cases.

    Values are taken in order from a sequence, or by `rule` or `rule/subject` from a mapping of
    sequences. Raises IndexError when the script runs out.
    """

    def __init__(self, script: Sequence[int] | Mapping[str, Sequence[int]]) -> None:
        self._script = (
            {key: list(values) for key, values in script.items()}
            if isinstance(script, Mapping)
            else {"": list(script)}
        )

    def roll(self, rule: str, subject: str, index: int = 0, sides: int = 6) -> Roll:
        for key in (f"{rule}/{subject}", rule, ""):
            if self._script.get(key):
                return Roll(f"script/{rule}/{subject}/{index}", self._script[key].pop(0), sides)
        raise IndexError(f"The script holds no die for {rule} of {subject}.")
