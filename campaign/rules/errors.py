"""The refusal that rules raise, with its rule, its sentence and its field."""


class RuleViolation(Exception):
    """An order or a state the rules do not allow.

    `rule_id` names the rule; `message` is a sentence that says what is wrong and what to do;
    `field` names the field of the order that caused it, if one did.
    """

    def __init__(self, rule_id: str, message: str, field: str = "") -> None:
        super().__init__(message)
        self.rule_id = rule_id
        self.message = message
        self.field = field
