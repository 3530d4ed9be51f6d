"""Settling battles: contacts are stored as battles, results become settlements.

A battle is settled once, by the engine, a tabletop result or the umpire's word; all three give a
`Settlement`, which goes into the casualty rules (AWI-C-BAT-01 to 04) when the day is played on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.replay.account import compose_account
from campaign.ledger.audit import umpire_note
from campaign.ledger.dice import dice_for
from campaign.models import Battle, BattleReplay, Campaign, Job, User
from campaign.rules.battles.battle_inputs import file_now
from campaign.rules.battles.ruleset_options import list_chosen_options
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import World
from campaign.selectors.battles.battle_files import battle_file, build_day_facts, ground_seed, officers_with
from campaign.services.battles.entered_results import word_settlement
from campaign.services.battles.outcomes import (
    settlement_from_json,
    settlement_of,
    settlement_with_muster_to_json,
)
from campaign.services.battles.predictions import prediction_now
from campaign.services.battles.recurrence import (
    battles_alike,
    decided_before,
    entries_carry,
    find_kept_result,
)
from campaign.services.battles.replays import build_replay, fight_frozen_battle, replay_keep
from campaign.services.jobs.jobs import job_request

#: The job that lets the engine fight a battle.
KIND = "battle_settle"
#: What a battle that comes about again alike has of the one undone.
KEPT = (
    "state", "source", "settlement", "account", "plans", "dice_revision", "settled_by", "settled_at",
    "way", "ruleset", "adjusted", "sector", "prediction",
)  # fmt: skip


def settles_itself(campaign: Campaign, world: World, contact: Contact) -> bool:
    """True when no person is asked: by the campaign's policy, or a tiny fight (HR-CON-07)."""
    tiny = contact.tiny and world.settings.tiny_fights != "ask"
    return campaign.battle_policy == "automatic" or tiny


def battle_open(*, campaign: Campaign, world: World, contact: Contact) -> Battle:
    """The battle of a contact, written once with its inputs frozen."""
    file = battle_file(
        world,
        contact,
        ruleset=campaign.ruleset,
        options=list_chosen_options(campaign.ruleset_options, campaign.ruleset),
        # not the day's dice nor the revision's: the country stays as it is
        seed=ground_seed(dice_for(campaign, 0, 1), contact),
        officers=officers_with(campaign, world, contact),
    )
    frozen = {"contact": asdict(contact), "file": asdict(file)}
    alike = battles_alike(campaign, contact.key, frozen)
    before = find_kept_result(campaign, alike)
    decided = (
        {name: getattr(before, name) for name in KEPT}
        if before is not None
        else decided_before(campaign, contact.key, frozen)
    )
    if decided.get("ruleset"):
        frozen["facts"] = build_day_facts(world, contact.weather)
        frozen["options"] = (before or alike[0]).inputs.get("options", {})
    battle, made = Battle.objects.get_or_create(
        campaign=campaign,
        revision=campaign.revision,
        contact=contact.key,
        defaults={
            "dice_revision": campaign.dice_revision,
            "day": world.day,
            "minute": contact.minute,
            "place": contact.place,
            "route": contact.route,
            "attacker": contact.attacker,
            "defender": contact.defender,
            "inputs": frozen,
            "way": Battle.Way.TABLE if campaign.battle_policy == "table" else Battle.Way.UNDECIDED,
            **decided,
        },
    )
    if made and alike:
        entries_carry(before=alike[0], battle=battle)
    if made and before is not None:
        for replay in BattleReplay.objects.filter(battle=before):
            replay_keep(battle=battle, replay=replay)
    return battle


def battle_settle_by_engine(*, battle: Battle, actor: User | None, asked: bool = False) -> Battle:
    """Fight the battle out under its ruleset; the same battle always ends the same way.

    Its replay is kept with the result. Where an umpire `asked` for it, one that is the table's by now, or a
    matter of his word, is left alone: RuleViolation (HR-TAB-11).
    """
    while True:
        fought = fight_frozen_battle(battle)
        settlement = settlement_of(fought.battle, fought.result.outcome, battle.contact)
        paragraphs = compose_account(fought.battle, fought.result)
        try:
            return battle_settle(
                battle, settlement, actor, paragraphs, replay=build_replay(fought), asked=asked
            )
        except PlansChanged:
            battle = battle_now(battle)


def battle_settle_ask(*, battle: Battle, actor: User | None) -> Job:
    """Ask the engine to fight a battle that waits, as a job: its first fight on a machine may take minutes.

    Asked twice it is one job. From then on nothing of the battle is adjusted (HR-TAB-12). Raises
    RuleViolation for a battle that is settled, or for the table or the umpire's word (HR-TAB-11).
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = battle_now(battle)
        engine_verify(current)
        key, payload = f"settle/{campaign.slug}/{current.pk}", {"battle": current.pk}
        return job_request(kind=KIND, key=key, payload=payload, campaign=campaign, actor=actor)


def engine_verify(battle: Battle) -> None:
    """Verify that the engine may fight a battle. Raises RuleViolation (HR-CON-12, HR-TAB-11)."""
    if battle.state == Battle.State.SETTLED:
        raise RuleViolation("HR-CON-12", f"The {battle} is settled already.")
    _verify_engines(battle)


def _verify_engines(battle: Battle) -> None:
    if battle.way not in (Battle.Way.UNDECIDED, Battle.Way.ENGINE):
        raise RuleViolation(
            "HR-TAB-11",
            f"The {battle} is to be settled {battle.get_way_display()}; say first that the engine fights it.",
        )


def battle_settle_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work; safe to run twice, because the same battle always ends the same way."""
    battle = Battle.objects.select_related("campaign").filter(pk=job.payload["battle"]).first()
    if battle is None:  # it has fallen away meanwhile, and the journal tells why (HR-CAL-14)
        return {}
    report(0, f"The engine fights the {battle}.")
    battle_settle_by_engine(battle=battle, actor=job.requested_by, asked=True)
    return {}


class PlansChanged(Exception):
    """Another plan was chosen, or something adjusted, while the battle was fought; it is fought again."""


def battle_settle_by_word(
    *, battle: Battle, field_held_by: str, percent_lost: Mapping[str, int], actor: User | None
) -> Battle:
    """The umpire's word: each side loses a share of its SP, percent, spread over its units.

    Raises RuleViolation when a figure cannot be, or the battle is settled otherwise.
    """
    return battle_settle(battle, word_settlement(battle, field_held_by, percent_lost), actor)


def battle_now(battle: Battle) -> Battle:
    """The battle as it stands. Raises RuleViolation when it has fallen away meanwhile (HR-CAL-14)."""
    current = Battle.objects.select_related("campaign").filter(pk=battle.pk).first()
    if current is None:
        raise RuleViolation(
            "HR-CAL-14",
            f"The {battle} has fallen away: the day has been played and the two did not meet. The journal "
            "tells why.",
        )
    return current


def battle_settle(
    battle: Battle,
    settlement: Settlement,
    actor: User | None,
    paragraphs: Sequence[str] = (),
    *,
    replay: BattleReplay | None = None,
    asked: bool = False,
) -> Battle:
    """Write the settlement if the battle still waits. Settled twice alike is once; otherwise refused.

    `paragraphs` are its account; of a split fight the settlement has the rest in it (HR-TAB-16). The replay
    of an engine's fight is written with it; `asked` says that an umpire had it fought.
    """
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = battle_now(battle)
        if current.state == Battle.State.SETTLED:
            if settlement_from_json(current.settlement or {}) == settlement:
                return current
            raise RuleViolation(
                "HR-CON-12",
                f"The {current} is settled already. A result that stands is changed only by the umpire, who "
                "takes the campaign back behind it.",
            )
        if asked:
            _verify_engines(current)
        if replay is not None and file_now(current) != file_now(battle):
            raise PlansChanged
        current.state = Battle.State.SETTLED
        current.source = settlement.source
        current.settlement = settlement_with_muster_to_json(settlement, file_now(current), current.sector)
        current.account = list(paragraphs)
        current.settled_by = actor
        current.settled_at = timezone.now()
        current.prediction = current.prediction or prediction_now(current)
        current.save()
        umpire_note(actor, f"{current} settled by {current.source}", current.campaign)
        if replay is not None:
            replay_keep(battle=current, replay=replay)
    return current
