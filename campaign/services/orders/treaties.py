"""Agreements a side makes with its enemy: conceding, terms, exchange of prisoners."""

from campaign.models import Campaign, DayRecord, User
from campaign.rules.errors import RuleViolation
from campaign.rules.victory.treaties import Treaty, side_of
from campaign.services.umpire.corrections import act_perform


def treaty_make(
    *, campaign: Campaign, side: str, treaty: Treaty, actor: User | None, seen: int | None = None
) -> DayRecord:
    """Make a treaty for a side and chain it at once; `seen` as in `act_perform`.

    Raises RuleViolation, and writes nothing, for one that is not the side's or cannot be made.
    """
    if not side or side_of(treaty) != side:
        raise RuleViolation("HR-VIC-07", "Speak for your own side only.", "side")
    return act_perform(campaign=campaign, act=treaty, reason="", actor=actor, seen=seen)
