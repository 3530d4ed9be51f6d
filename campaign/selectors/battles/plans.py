"""A side's plan for a battle, as its commander may see and choose it (HR-BAT-09)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from battles.files.reading import decode_value
from battles.files.schema import BattlePlan
from battles.grammar import is_plural
from battles.replay.words import capitalize_first, describe_plan
from campaign.fog.battles import select_known_plans
from campaign.fog.visibility import Viewer
from campaign.models import Battle, Seat
from campaign.rules.battles.battle_inputs import ruleset_of
from campaign.rules.battles.plans import PlanTerms, may_plan
from campaign.rules.world.world import World
from campaign.text.battle_measures import telling_under
from campaign.text.place_names import CampaignNames


@dataclass(frozen=True, slots=True)
class PlanShown:
    """A side's plan of battle in a sentence, and its origin: chosen for this battle, or laid down.

    `refusal` says why nothing can be chosen; "" where it can. `note` says what "attacker" and "defender" mean
    where the plan is the other way.
    """

    side: str
    plan: BattlePlan
    told: str
    chosen: bool
    refusal: str
    terms: PlanTerms
    laid_down: bool = False
    note: str = ""


def terms_of(battle: Battle, side: str) -> PlanTerms:
    """Collect the facts that a side's plan for a battle is chosen by."""
    stood = battle.inputs["contact"].get("participants", ())
    formations = [item["formation"] for item in stood if item["side"] == side]
    formations += [unit["formation"] for unit in battle.inputs["file"]["units"] if unit["side"] == side]
    return PlanTerms(side, tuple(dict.fromkeys(formations)), battle.inputs["file"]["turns"])


def list_visible_plans(viewer: Viewer, battle: Battle, world: World, names: CampaignNames) -> list[PlanShown]:
    """The plans the viewer knows: his own side's, the umpire both."""
    chosen = select_known_plans(viewer, battle)
    sides = (battle.attacker, battle.defender)
    return [
        _build_visible_plan(viewer, battle, world, names, side, side in chosen)
        for side in sides
        if viewer.is_umpire or side == viewer.side
    ]


def plan_of(battle: Battle, side: str, chosen: Mapping[str, Any]) -> BattlePlan:
    """Return a side's plan given the chosen plans: its own choice, else the one from its march orders,
    else the usual one.
    """
    kept = plan_laid_down(battle, side) or chosen.get(side)
    kept = kept or battle.inputs["file"].get("plans", {}).get(side)
    return (
        decode_value(BattlePlan, kept)
        if kept
        else BattlePlan("assault" if side == battle.attacker else "hold")
    )


def plan_laid_down(battle: Battle, side: str) -> dict[str, Any] | None:
    """The plan the umpire has laid down for a side, before which its commander's gives way (HR-TAB-12)."""
    standing = [one["changes"] for one in battle.adjusted if "back" not in one]
    laid = [changes["plans"] for changes in standing if "plans" in changes]
    return next((plans[side] for plans in reversed(laid) if side in plans), None)


def plan_sentence(name: str, plan: BattlePlan, ruleset: str) -> str:
    """Say in a sentence what the named side intends; its turn as the rules count it, and as it was
    entered.
    """
    turn = telling_under(ruleset).turn_told(plan.until, entered=True)
    return f"{capitalize_first(name)} mean{'' if is_plural(name) else 's'} {describe_plan(plan, name, turn)}."


def _role_note(plan: BattlePlan, *, is_attacker: bool) -> str:
    """Explain the side's role where its plan sounds like the other role's; "" where both agree."""
    goes_forward = plan.kind in ("assault", "turn_flank", "advance")
    if goes_forward == is_attacker:
        return ""
    if is_attacker:
        return "The rules call it the attacker here; it need not go forward. (HR-CON-04)"
    return "The rules call it the defender here; it may attack all the same. (HR-CON-04)"


def _build_visible_plan(
    viewer: Viewer, battle: Battle, world: World, names: CampaignNames, side: str, chosen: bool
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
