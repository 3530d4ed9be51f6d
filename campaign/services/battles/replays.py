"""Replays of battles the engine fought: stored with the result, or made again from inputs and dice.

A replay is no part of the chain: the result is, and whoever fights the battle again with the same dice
gets both. So one from before replays were kept, or out of an archive, is made when somebody asks.
"""

from collections.abc import Callable
from typing import Any

from django.db import transaction

from battles.engine.fighting import ENGINE_VERSION
from battles.replay.replay import pack_replay, unpack_replay
from battles.replay.sight import compose_redacted_account, list_sightings
from battles.rulesets.registry import get_ruleset
from campaign.ledger.dice import dice_for
from campaign.models import Battle, BattleReplay, Job, User
from campaign.rules.battles.battle_inputs import file_now, ruleset_of
from campaign.rules.errors import RuleViolation
from campaign.services.battles.outcomes import (
    EngineFight,
    run_engine_fight,
    settlement_from_json,
    settlement_of,
)
from campaign.services.jobs.jobs import job_request

KIND = "battle_replay"
RULE = "HR-BAT-10"


def fight_frozen_battle(battle: Battle) -> EngineFight:
    """Fight a battle by the engine with its own dice, from its frozen and adjusted file.

    Raises RuleViolation when the engine cannot fight it; people can settle it then.
    """
    dice = dice_for(battle.campaign, battle.day, battle.dice_revision)
    return run_engine_fight(file_now(battle), battle.contact, dice)


def build_replay(fought: EngineFight) -> BattleReplay:
    """Build the packed replay of a fight, with what each side saw; it belongs to no battle yet."""
    data = pack_replay(fought.battle, fought.result)
    replay = unpack_replay(data)
    seen = list_sightings(replay)
    accounts = {side: compose_redacted_account(replay, side, found) for side, found in seen.items()}
    return BattleReplay(data=data, seen=seen, accounts=accounts)


def replay_keep(*, battle: Battle, replay: BattleReplay) -> BattleReplay:
    """Keep a battle's replay; one that is there already is the same."""
    facts = {"data": replay.data, "seen": replay.seen, "accounts": replay.accounts}
    return BattleReplay.objects.get_or_create(battle=battle, defaults=facts)[0]


def replay_ask(*, battle: Battle, actor: User | None) -> Job:
    """Ask for the replay of a battle that has none. Asked twice it is one job.

    Raises RuleViolation for a battle the engine has not fought.
    """
    replay_verify(battle)
    return job_request(
        kind=KIND,
        key=_build_job_key(battle),
        payload={"battle": battle.pk},
        campaign=battle.campaign,
        actor=actor,
    )


def replay_verify(battle: Battle) -> None:
    """Raises RuleViolation for a battle the engine has not fought."""
    if battle.state != Battle.State.SETTLED or battle.source != "engine":
        raise RuleViolation(
            RULE, f"The {battle} was not fought by the engine, so there are no moves to show."
        )


def replay_job_of(battle: Battle) -> Job | None:
    """The job that makes a battle's replay, if it was asked for under these rules."""
    return Job.objects.filter(key=_build_job_key(battle)).first()


def _build_job_key(battle: Battle) -> str:
    ruleset = ruleset_of(battle)
    return (
        f"replay/{battle.campaign.slug}/{battle.pk}/{ruleset}-{get_ruleset(ruleset).version}-{ENGINE_VERSION}"
    )


def battle_replay_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work; safe to run twice. A fight that comes out otherwise than it did is refused."""
    battle = Battle.objects.select_related("campaign").get(pk=job.payload["battle"])
    report(0, "The battle is being fought again with the same dice.")
    fought = fight_frozen_battle(battle)
    settlement = settlement_of(fought.battle, fought.result.outcome, battle.contact)
    if settlement != settlement_from_json(battle.settlement or {}):
        raise RuleViolation(
            RULE,
            f"The {battle} was fought by an older engine and cannot be shown by this one; its result stands.",
        )
    with transaction.atomic():
        kept = replay_keep(battle=battle, replay=build_replay(fought))
    return {"events": len(unpack_replay(bytes(kept.data)).events)}
