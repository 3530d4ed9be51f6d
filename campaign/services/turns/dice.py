"""Real dice entered together: several with one reason, all or none (HR-UMP-12)."""

from collections.abc import Sequence

from django.db import transaction

from campaign.models import Campaign, DayRecord, User
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import EnterDie, act_to_json
from campaign.services.umpire.corrections import act_perform, lock_campaign

RULE = "HR-UMP-12"
#: Real dice that are entered at one time.
MOST = 200


class DieRefused(RuleViolation):
    """One of several dice cannot be entered, `number` counted from 0; none was."""

    def __init__(self, refused: RuleViolation, number: int) -> None:
        super().__init__(refused.rule_id, refused.message, refused.field)
        self.number = number


def dice_enter(
    *, campaign: Campaign, dice: Sequence[EnterDie], reason: str, actor: User | None, seen: int | None = None
) -> list[DayRecord]:
    """Enter what real dice show for the coming day, each an act of its own; the same click twice is one.

    `seen` is the row of the head the umpire has looked at. Raises DieRefused, and writes nothing, when one
    of them cannot be entered, and RuleViolation as `act_perform` does.
    """
    if not dice:
        raise RuleViolation(RULE, "No die has been filled in; enter what at least one shows.", "value")
    if len(dice) > MOST:
        raise RuleViolation(RULE, f"Enter {MOST} dice at the most at one time.", "value")
    with transaction.atomic():
        current = lock_campaign(campaign)
        if seen is not None and (done := _find_entered_records(current, dice, reason, seen)):
            return done
        records: list[DayRecord] = []
        for number, die in enumerate(dice):
            try:
                record = act_perform(campaign=current, act=die, reason=reason, actor=actor, seen=seen)
            except RuleViolation as refused:
                if refused.rule_id != RULE:
                    raise
                raise DieRefused(refused, number) from refused
            seen = record.pk
            records.append(record)
    return records


def _find_entered_records(
    current: Campaign, dice: Sequence[EnterDie], reason: str, seen: int
) -> list[DayRecord]:
    """Find the records of the same dice already entered from this page; an empty list if none."""
    head, found = current.head, list[DayRecord]()
    for die in reversed(dice):
        same = {"act": act_to_json(die), "reason": reason.strip()}
        if head is None or head.kind != DayRecord.Kind.ACT or head.inputs != same:
            return []
        found.append(head)
        head = head.parent
    return found[::-1] if head is not None and head.pk == seen else []
