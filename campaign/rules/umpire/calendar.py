"""Acts of the umpire's about deadlines, dice and the course: they leave the world as it is (HR-UMP)."""

from dataclasses import asdict
from datetime import datetime
from typing import NoReturn

from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import USUAL_GRACE, Rhythm, verify_rhythm
from campaign.rules.umpire.corrections import Deadline, EnterDie, RewindCampaign
from campaign.rules.world.events import Event
from campaign.rules.world.world import World

#: Battles and their ground are drawn from seeds; a result replaces them.
NO_DICE = ("HR-CON-10", "HR-BAT-06", "HR-BAT-08")


def both_sides(world: World) -> tuple[str, ...]:
    """The ids of both sides, for events that both are shown."""
    return tuple(side.id for side in world.theatre.sides)


def raise_violation(rule: str, message: str, field: str) -> NoReturn:
    raise RuleViolation(rule, message, field)


def deadline_move(world: World, act: Deadline, reason: str) -> tuple[World, list[Event]]:
    """Move the deadline for orders, or remove it (HR-UMP-11)."""
    rule = "HR-UMP-11"
    if not act.until:
        return world, [Event("deadline_dropped", 0, rule, both_sides(world), data={"reason": reason})]
    try:
        until = datetime.fromisoformat(act.until)
    except ValueError:
        raise_violation(rule, f"{act.until!r} is no moment; write it as 2026-12-24T20:00+00:00.", "until")
    if until.tzinfo is None:
        raise_violation(rule, "Say in which time zone, as in 2026-12-24T20:00+00:00.", "until")
    data = {"until": until.isoformat(), "reason": reason, **({"earlier": True} if act.earlier else {})}
    return world, [Event("deadline_moved", 0, rule, both_sides(world), data=data)]


def rhythm_change(world: World, act: Rhythm, reason: str) -> tuple[World, list[Event]]:
    """Deadlines and turns come in another rhythm (HR-DUE-01)."""
    verify_rhythm(act)
    data = {**asdict(act), "reason": reason}
    if act.grace_hours == USUAL_GRACE:  # as it was told before there was a choice
        del data["grace_hours"]
    return world, [Event("rhythm_changed", 0, "HR-DUE-01", both_sides(world), data=data)]


def die_enter(world: World, act: EnterDie) -> tuple[World, list[Event]]:
    """A real die stands for a computed one (HR-UMP-12)."""
    rule = "HR-UMP-12"
    if world.ended:
        raise_violation("HR-CAL-02", "The campaign has ended; no more dice are thrown.", "value")
    if not act.rule or not act.subject or "#" in act.subject or act.index < 0:
        raise_violation(rule, "A die has a rule, a subject and a number from 0.", "subject")
    if act.rule in NO_DICE:
        raise_violation(rule, "Battles have no single dice here; enter their result instead.", "rule")
    if not 2 <= act.sides <= 256:
        raise_violation(rule, f"A die has 2 to 256 faces, not {act.sides}.", "sides")
    if not 1 <= act.value <= act.sides:
        raise_violation(rule, f"This die has {act.sides} faces; enter 1 to {act.sides}.", "value")
    data = {"rule": act.rule, "subject": act.subject, "index": act.index, "value": act.value}
    return world, [Event("die_entered", 0, rule, data=data)]


def course_leave(world: World, act: RewindCampaign, reason: str) -> tuple[World, list[Event]]:
    """The event for a rewind; the world is unchanged (HR-UMP-14)."""
    data = {
        "days": act.from_day - world.day,
        "from_day": act.from_day,
        "left": act.left,
        "new_dice": act.new_dice,
        "keep": act.keep,
        "reason": reason,
        **({"anew": list(act.anew)} if act.anew else {}),
    }
    return world, [Event("rewound", 0, "HR-UMP-14", both_sides(world), data=data)]
