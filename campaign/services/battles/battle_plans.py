"""The plan a side's commander chooses for a battle that waits, kept until it is settled (HR-BAT-09)."""

from dataclasses import asdict

from django.db import transaction

from battles.files.schema import BattlePlan
from campaign.ledger.world_rows import world_load
from campaign.models import Battle, Campaign, User
from campaign.rules.battles.plans import RULE, PlanTerms, verify_may_plan, verify_plan
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.battle_corrections import ADJUST, SPLIT
from campaign.selectors.battles.plans import plan_laid_down, terms_of
from campaign.services.battles.settlement import battle_now
from campaign.services.seats.assignment import is_battle_guest, verify_command


def plan_terms(battle: Battle, side: str) -> PlanTerms:
    """The terms for choosing a side's plan in a battle. Raises RuleViolation for a side not in it."""
    if side not in (battle.attacker, battle.defender):
        raise RuleViolation(RULE, "Your side does not stand in this battle.")
    return terms_of(battle, side)


def battle_plan_choose(*, battle: Battle, side: str, plan: BattlePlan | None, actor: User | None) -> Battle:
    """Choose how a side fights a battle that waits; None goes back to what its march orders say.

    The last choice before the battle is settled counts. Raises RuleViolation, and leaves the choice
    before, when the battle is settled, the plan cannot be or the actor does not command there.
    """
    terms = plan_terms(battle, side)
    if not is_battle_guest(battle, side, actor):
        verify_command(campaign=battle.campaign, side=side, actor=actor, formations=terms.formations)
    verify_may_plan(world_load(battle.campaign), terms)
    if plan is not None:
        verify_plan(plan, terms)
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = battle_now(battle)
        if current.state != Battle.State.WAITING:
            raise RuleViolation(
                RULE, f"The {current} has been settled meanwhile; nothing can be planned for it any more."
            )
        if plan_laid_down(current, side) is not None:
            raise RuleViolation(ADJUST, "The umpire has laid down how your side fights this battle.")
        if current.sector:
            raise RuleViolation(SPLIT, "The battle is split, and both parts are fought as they stood then.")
        others = {key: kept for key, kept in current.plans.items() if key != side}
        current.plans = others if plan is None else {**others, side: asdict(plan)}
        current.save(update_fields=["plans"])
    return current
