"""Plans that commanders choose for a battle that waits (HR-BAT-09)."""

from dataclasses import dataclass

from battles.files.schema import BattlePlan, PlanKind
from campaign.rules.dispatches.couriers import find_headquarters
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import World

RULE = "HR-BAT-09"
#: What may be chosen, in the order of a form; `advance` is for troops that nobody leads.
KINDS: tuple[PlanKind, ...] = ("assault", "turn_flank", "hold", "delay", "withdraw")
RESERVES = (0, 15, 25, 33, 50)
BOLDEST = 2


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """The facts a plan is chosen for: the side, its formations in the battle, the day's game turns."""

    side: str
    formations: tuple[str, ...]
    turns: int


def verify_plan(plan: BattlePlan, terms: PlanTerms) -> None:
    """Refuses a plan that cannot be, with the field at fault."""
    if plan.kind not in KINDS:
        raise RuleViolation(RULE, f"There is no plan “{plan.kind}”; choose one of the list.", "kind")
    if plan.flank not in ("left", "right"):
        raise RuleViolation(RULE, "Choose the left flank or the right.", "flank")
    if plan.reserve_percent not in RESERVES:
        offered = ", ".join(str(share) for share in RESERVES)
        raise RuleViolation(
            RULE, f"Of the foot {plan.reserve_percent} % cannot be kept back; choose of {offered}.", "reserve"
        )
    if not -BOLDEST <= plan.boldness <= BOLDEST:
        raise RuleViolation(RULE, "Choose how boldly of the list.", "boldness")
    if not 0 <= plan.until < max(1, terms.turns):
        raise RuleViolation(
            RULE,
            f"The battle has {terms.turns} turns of ten minutes; change the plan after turn 1 to "
            f"{max(1, terms.turns - 1)}, or leave it empty.",
            "until",
        )
    if plan.until and plan.then not in KINDS:
        raise RuleViolation(RULE, f"There is no plan “{plan.then}”; choose one of the list.", "then")


def may_plan(world: World, terms: PlanTerms) -> str:
    """The reason why a side may not choose its plan for this battle; "" if it may.

    With couriers only a commander who is there can: headquarters are with one of its columns (HR-COU-01).
    """
    if world.settings.battle_plans == "stance":
        return "In this campaign troops fight as they were ordered to march."
    if world.settings.couriers and find_headquarters(world, terms.side) not in terms.formations:
        return "Your headquarters are not on this field; the officer there fights as ordered to march."
    return ""


def may_reckon_odds(settings: RuleSettings, side: str) -> bool:
    """True if a side may ask for odds; the umpire ("") always may (HR-BAT-11)."""
    return not side or settings.battle_odds == "sides"


def verify_may_plan(world: World, terms: PlanTerms) -> None:
    """Refuses a plan where the side may choose none."""
    if reason := may_plan(world, terms):
        raise RuleViolation(RULE, reason)
