"""A side's plan for a battle, as its commander may see and choose it (HR-BAT-09)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.files.reading import thaw
from battles.files.schema import Plan
from battles.grammar import is_plural
from battles.replay.words import capital, plan_told
from campaign.fog.battles import plans_known
from campaign.fog.visibility import Viewer
from campaign.models import Battle, Seat
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.battles.plans import PlanTerms, may_plan
from campaign.rules.world.world import World
from campaign.text.battle_measures import telling_under
from campaign.text.event_sentences import Names


@dataclass(frozen=True, slots=True)
class PlanShown:
    """How a side means to fight: in a sentence, and whether that was chosen on the field or laid down.

    `refusal` says why nothing can be chosen; "" where it can. `note` says what "attacker" and "defender" mean
    where the plan is the other way.
    """

    side: str
    plan: Plan
    told: str
    chosen: bool
    refusal: str
    terms: PlanTerms
    laid_down: bool = False
    note: str = ""


def terms_of(battle: Battle, side: str) -> PlanTerms:
    """What a side's plan for a battle is chosen for."""
    stood = battle.inputs["contact"].get("participants", ())
    formations = [item["formation"] for item in stood if item["side"] == side]
    formations += [unit["formation"] for unit in battle.inputs["file"]["units"] if unit["side"] == side]
    return PlanTerms(side, tuple(dict.fromkeys(formations)), battle.inputs["file"]["turns"])


def plans_shown(viewer: Viewer, battle: Battle, world: World, names: Names) -> list[PlanShown]:
    """The plans the viewer knows: his own side's, the umpire both."""
    chosen = plans_known(viewer, battle)
    sides = (battle.attacker, battle.defender)
    return [
        _plan_shown(viewer, battle, world, names, side, side in chosen)
        for side in sides
        if viewer.is_umpire or side == viewer.side
    ]


def plan_of(battle: Battle, side: str, chosen: Mapping[str, Any]) -> Plan:
    """How a side fights if those plans are chosen: by its own, by its march orders, or as is usual."""
    kept = plan_laid_down(battle, side) or chosen.get(side)
    kept = kept or battle.inputs["file"].get("plans", {}).get(side)
    return thaw(Plan, kept) if kept else Plan("assault" if side == battle.attacker else "hold")


def plan_laid_down(battle: Battle, side: str) -> dict[str, Any] | None:
    """The plan the umpire has laid down for a side, before which its commander's gives way (HR-TAB-12)."""
    standing = [one["changes"] for one in battle.adjusted if "back" not in one]
    laid = [changes["plans"] for changes in standing if "plans" in changes]
    return next((plans[side] for plans in reversed(laid) if side in plans), None)


def plan_sentence(name: str, plan: Plan, ruleset: str) -> str:
    """What a side of that name means to do; its turn as the rules count it, and as it was entered."""
    turn = telling_under(ruleset).turn_told(plan.until, entered=True)
    return f"{capital(name)} mean{'' if is_plural(name) else 's'} {plan_told(plan, name, turn)}."


def _role_note(plan: Plan, *, is_attacker: bool) -> str:
    """What the side is called for, where its plan sounds like the other's; "" where both agree."""
    goes_forward = plan.kind in ("assault", "turn_flank", "advance")
    if goes_forward == is_attacker:
        return ""
    if is_attacker:
        return "The rules call it the attacker here; it need not go forward. (HR-CON-04)"
    return "The rules call it the defender here; it may attack all the same. (HR-CON-04)"


def _plan_shown(
    viewer: Viewer, battle: Battle, world: World, names: Names, side: str, chosen: bool
) -> PlanShown:
    plan = plan_of(battle, side, battle.plans if chosen else {})
    terms = terms_of(battle, side)
    refusal = may_plan(world, terms)
    laid_down = plan_laid_down(battle, side) is not None
    if laid_down:
        refusal = "The umpire has laid it down."
    if not refusal and viewer.role in (Seat.Role.COLUMN, Seat.Role.DEPUTY):
        mine = all(viewer.commands(formation) for formation in terms.formations)
        refusal = "" if mine else "Your side's commander chooses it."
    return PlanShown(
        side=side,
        plan=plan,
        told=plan_sentence(names.side(side), plan, ruleset_of(battle)),
        chosen=chosen,
        refusal=refusal,
        terms=terms,
        laid_down=laid_down,
        note=_role_note(plan, is_attacker=side == battle.attacker),
    )
