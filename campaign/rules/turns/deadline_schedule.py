"""The rhythm of a campaign's deadlines and turns, and whether it can be (HR-DUE-01, HR-DUE-02)."""

from collections.abc import Iterator
from dataclasses import dataclass
from zoneinfo import available_timezones

from campaign.rules.errors import RuleViolation

#: The most real days between two deadlines, and campaign days in a turn.
LONGEST_CADENCE, LONGEST_TURN = 60, 28
#: The most campaign days that run on beside a battle, and real days it may be set to wait.
LONGEST_RUN, LONGEST_WAIT = 7, 90
#: Hours of grace after an outage: the most, and what a campaign has that says nothing.
LONGEST_GRACE, USUAL_GRACE = 168, 24
LATE_ORDERS = ("refuse", "queue")
MISSED_ORDERS = ("carry_on", "halt", "staff")
RUN_UNTIL = ("turn", "contact", "sighting", "week")


@dataclass(frozen=True, slots=True)
class Rhythm:
    """The rhythm of deadlines and turns, as the umpire sets it; both sides read it (HR-UMP-11)."""

    time_zone: str = "UTC"
    cadence_days: int | None = None
    days_a_turn: int = 1
    advance_at_deadline: bool = False
    late_orders: str = "refuse"
    missed_orders: str = "carry_on"
    run_until: str = "turn"
    run_on_days: int = 3
    settle_after_days: int | None = None
    grace_hours: int = USUAL_GRACE


def verify_rhythm(rhythm: Rhythm) -> None:
    """Raises RuleViolation (HR-DUE-01) with the first field that is wrong."""
    for fault in rhythm_faults(rhythm):
        raise fault


def rhythm_faults(rhythm: Rhythm) -> Iterator[RuleViolation]:
    """All that is wrong with a rhythm, each with its field (HR-DUE-01)."""
    if rhythm.time_zone not in available_timezones():
        yield _build_fault(
            f"There is no time zone {rhythm.time_zone}; give one as Europe/London.", "time_zone"
        )
    if rhythm.cadence_days is not None and not 1 <= rhythm.cadence_days <= LONGEST_CADENCE:
        yield _build_fault(f"From one deadline to the next are 1 to {LONGEST_CADENCE} days.", "cadence_days")
    if not 1 <= rhythm.days_a_turn <= LONGEST_TURN:
        yield _build_fault(f"A turn has 1 to {LONGEST_TURN} days.", "days_a_turn")
    if rhythm.run_until not in RUN_UNTIL:
        yield _build_fault("A turn ends with its days, a contact, a sighting or the week.", "run_until")
    if not 0 <= rhythm.run_on_days <= LONGEST_RUN:
        yield _build_fault(f"The others run on for 0 to {LONGEST_RUN} days.", "run_on_days")
    if rhythm.settle_after_days is not None and not 1 <= rhythm.settle_after_days <= LONGEST_WAIT:
        yield _build_fault(f"A battle waits for 1 to {LONGEST_WAIT} days.", "settle_after_days")
    if not 0 <= rhythm.grace_hours <= LONGEST_GRACE:
        yield _build_fault(f"The grace after an outage is 0 to {LONGEST_GRACE} hours.", "grace_hours")
    if rhythm.late_orders not in LATE_ORDERS:
        yield _build_fault("Late orders are refused or kept for the next day; choose one.", "late_orders")
    if rhythm.missed_orders not in MISSED_ORDERS:
        yield _build_fault(
            "Sides without orders carry on, halt or are led by staff; choose one.", "missed_orders"
        )


def _build_fault(message: str, field: str) -> RuleViolation:
    return RuleViolation("HR-DUE-01", message, field)
