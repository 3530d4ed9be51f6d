"""Refusals of a battle file."""


class BattleFileError(ValueError):
    """A battle file that cannot be fought: the rule, a sentence on what to do, and the field."""

    def __init__(self, rule_id: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.rule_id = rule_id
        self.message = message
        self.field = field
