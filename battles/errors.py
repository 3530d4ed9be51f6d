"""Refusals of a battle file, and of a ruleset that another package brings."""

from collections.abc import Iterable
from importlib.metadata import EntryPoint
from itertools import islice

#: Faults of one file that are told together at the most.
MOST_FAULTS = 20


class BattleFileError(ValueError):
    """A battle file that cannot be fought: the rule, a sentence on what to do, and the field.

    `others` are further faults of the same file.
    """

    def __init__(
        self, rule_id: str, message: str, field: str = "", others: Iterable["BattleFileError"] = ()
    ) -> None:
        super().__init__(message)
        self.rule_id = rule_id
        self.message = message
        self.field = field
        self.others = tuple(others)

    @property
    def every(self) -> tuple["BattleFileError", ...]:
        """This fault and the others."""
        return (self, *self.others)


def refuse_all(faults: Iterable[BattleFileError]) -> None:
    """Raise the first of the faults with the others, if there are any."""
    found = list(islice(faults, MOST_FAULTS))
    if found:
        first, *others = found
        raise BattleFileError(first.rule_id, first.message, first.field, others)


def format_faults(error: BattleFileError, name: str) -> str:
    """All faults of the file `name` for a terminal, one a line."""
    lines = [f"{': '.join(filter(None, (name, fault.field)))}: {_with_rule(fault)}" for fault in error.every]
    if len(lines) == 1:
        return lines[0]
    more = " There may be more." if len(lines) == MOST_FAULTS else ""
    return "\n".join([*lines, f"{len(lines)} faults.{more}"])


def _with_rule(fault: BattleFileError) -> str:
    """The sentence with its rule behind it, unless it names that already."""
    rule = f"({fault.rule_id})"
    return fault.message if rule in fault.message else f"{fault.message} {rule}"


class RulesetPackageError(Exception):
    """A ruleset of another installed package that cannot be used: which, what is wrong, what to do."""

    def __init__(self, point: EntryPoint, fault: str) -> None:
        package = point.dist.name if point.dist else point.module
        super().__init__(
            f"The ruleset “{point.name}” of the package {package} cannot be used: {fault}. "
            "Fix the package, or uninstall it."
        )
