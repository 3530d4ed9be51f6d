"""Settling battles: contacts are written as battles, results become settlements.

A battle is settled once, by the engine, a tabletop result or the umpire's word; all three give a
`Settlement`, which goes into the casualty rules (AWI-C-BAT-01 to 04) when the day is played on.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, get_args

from django.db import transaction
from django.utils import timezone

from battles.mustering import Mustered
from battles.report import account
from battles.scenario import Fate
from campaign.audit import umpire_note
from campaign.battle_inputs import file_now, units_mustered
from campaign.models import Battle, BattleReplay, Campaign, Job, User
from campaign.rules.casualties import UnitLoss
from campaign.rules.contact import Contact, Pursuit, Settlement, Source
from campaign.rules.errors import RuleViolation
from campaign.rules.generals import FATES, GeneralLoss
from campaign.rules.world import World
from campaign.services.battle_files import (
    battle_file,
    facts_of,
    ground_seed,
    officers_with,
)
from campaign.services.battles_again import battles_alike, decided_before, result_kept
from campaign.services.dice import dice_for
from campaign.services.entries_carried import entries_carry
from campaign.services.jobs import job_request
from campaign.services.outcomes import settlement_from_json, settlement_of, settlement_stored
from campaign.services.predictions import prediction_now
from campaign.services.replays import battle_fought, replay_keep, replay_made
from campaign.services.sectors import sector_complete

#: The job that lets the engine fight a battle.
KIND = "battle_settle"
#: What a battle that comes about again alike has of the one undone.
KEPT = (
    "state", "source", "settlement", "account", "plans", "dice_revision", "settled_by", "settled_at",
    "way", "ruleset", "adjusted", "sector", "prediction",
)  # fmt: skip

#: What the account of a split fight says of the part nobody stood at (HR-TAB-16).
REST_TOLD = "The rest of the field was fought out beside the table."


@dataclass(frozen=True, slots=True)
class TableResult:
    """What players typed in for one unit: SP lost, SP captured, and whether it was destroyed.

    They count as the rules of the table do (HR-BAT-13).
    """

    sp_lost: int
    sp_captured: int = 0
    destroyed: bool = False


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
        # not the day's dice nor the revision's: the country stays as it is
        seed=ground_seed(dice_for(campaign, 0, 1), contact),
        officers=officers_with(campaign, world, contact),
    )
    frozen = {"contact": asdict(contact), "file": asdict(file)}
    alike = battles_alike(campaign, contact.key, frozen)
    before = result_kept(campaign, alike)
    decided = (
        {name: getattr(before, name) for name in KEPT}
        if before is not None
        else decided_before(campaign, contact.key, frozen)
    )
    if decided.get("ruleset"):
        frozen["facts"] = facts_of(world, contact.weather)
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
        fought = battle_fought(battle)
        settlement = settlement_of(fought.battle, fought.result.outcome, battle.contact)
        paragraphs = account(fought.battle, fought.result)
        try:
            return _settle(battle, settlement, actor, paragraphs, replay=replay_made(fought), asked=asked)
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
    """Whether an umpire may set the engine to a battle. Raises RuleViolation (HR-CON-12, HR-TAB-11)."""
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


def battle_settle_by_table(
    *,
    battle: Battle,
    results: Mapping[str, TableResult],
    field_held_by: str,
    actor: User | None,
    generals: Mapping[str, str] | None = None,
    pursuit: str = "",
    account: Sequence[str] = (),
) -> Battle:
    """Settle a fight by what came of it on the table, as `table_settlement` takes it.

    `account` tells how the result came in. Raises RuleViolation, and writes nothing, when a figure cannot
    be or the battle is settled otherwise.
    """
    settlement = table_settlement(
        battle=battle, results=results, field_held_by=field_held_by, generals=generals, pursuit=pursuit
    )
    whole = sector_complete(battle, settlement)
    return battle_settle_made(battle=battle, settlement=whole, account=account, actor=actor)


def battle_settle_made(
    *, battle: Battle, settlement: Settlement, account: Sequence[str], actor: User | None
) -> Battle:
    """Settle a fight of the table by its whole settlement, that of a split fight's rest in it (HR-TAB-16).

    Raises RuleViolation when the battle is settled otherwise.
    """
    told = [*account, *([REST_TOLD] if battle.sector else [])]
    return _settle(battle, settlement, actor, told)


def table_settlement(
    *,
    battle: Battle,
    results: Mapping[str, TableResult],
    field_held_by: str,
    generals: Mapping[str, str] | None = None,
    pursuit: str = "",
) -> Settlement:
    """What a result of the table means for the campaign. Units left out lost nothing, generals are unhurt.

    Of a split fight it is that of its sector; the rest is the engine's (HR-TAB-16). `pursuit` says whether
    the victor followed (HR-TAB-06). Raises RuleViolation when a figure cannot be.
    """
    units = {unit["id"]: unit for unit in battle.inputs["file"]["units"]}
    for key in results:
        if key not in units or (battle.sector and key not in battle.sector):
            raise RuleViolation("HR-CON-11", f"{key} was not in this battle; take it out.", key)
    muster = units_mustered(file_now(battle))
    losses = tuple(
        _table_loss(units[key], results.get(key, TableResult(0)), muster.get(key)) for key in sorted(units)
    )
    settlement = _by_people(battle, losses, field_held_by, "table")
    return replace(settlement, generals=_fates(battle, generals or {}), pursuit=_pursuit(pursuit))


def _fates(battle: Battle, fates: Mapping[str, str]) -> tuple[GeneralLoss, ...]:
    there = {leader["id"]: leader for leader in battle.inputs["file"].get("leaders", ())}
    found = []
    for key, told in sorted(fates.items()):
        fate = next((one for one in FATES if one == told), None)
        if key not in there or fate is None:
            raise RuleViolation(
                "HR-CON-11",
                f"{key} was not in this battle, or cannot be {told!r}; name a general who was there.",
                key,
            )
        found.append(GeneralLoss(key, there[key]["name"], there[key]["side"], fate))
    return tuple(found)


def _pursuit(said: str) -> Pursuit:
    found: Pursuit | None = next((one for one in get_args(Pursuit) if one == said), None)
    if found is None:
        raise RuleViolation("HR-TAB-06", f"The victor cannot follow in the way {said!r}.", "pursuit")
    return found


def _side_name(battle: Battle, side: str) -> str:
    """What people call a side; a side that is not in the campaign is called by its id."""
    known = battle.campaign.order_of_battle.sides.filter(slug=side).first()
    return known.name if known else side


def _side_called(battle: Battle, side: str) -> str:
    """A side by its name and, for programs, its id."""
    return f"{_side_name(battle, side)} ({side})"


def _table_loss(unit: Mapping[str, Any], result: TableResult, stood: Mustered | None = None) -> UnitLoss:
    key, name, sp = unit["id"], unit["name"], stood.points if stood else unit["sp"]
    lost, captured = result.sp_lost, result.sp_captured
    if lost < 0 or captured < 0:
        raise RuleViolation("HR-CON-11", f"{name} cannot lose fewer than 0 SP.", key)
    if result.destroyed:
        lost = max(0, sp - captured)  # what is not captured is gone, whatever was counted
    if lost + captured > sp:
        raise RuleViolation(
            "HR-CON-11",
            f"{name} came with {sp} SP and cannot lose {lost + captured}; enter {sp} at most.",
            key,
        )
    gone = 0 < sp == lost + captured
    fate: Fate = "present" if not gone else "surrendered" if captured else "eliminated"
    if stood:
        lost, captured = stood.in_file(lost, captured)
    return UnitLoss(unit=key, sp_start=unit["sp"], sp_lost=lost, sp_captured=captured, fate=fate)


def battle_settle_by_word(
    *,
    battle: Battle,
    field_held_by: str,
    percent_lost: Mapping[str, int],
    actor: User | None,
) -> Battle:
    """The umpire's word: each side loses a share of its SP, percent, spread over its units.

    The largest remainders lose first, so that the side's total is exact to half a point.
    """
    units = battle.inputs["file"]["units"]
    sides = {battle.attacker, battle.defender}
    for side, percent in percent_lost.items():
        if side not in sides:
            first, second = (_side_called(battle, each) for each in (battle.attacker, battle.defender))
            raise RuleViolation(
                "HR-CON-11",
                f"{side} was not in this battle; {first} and {second} were.",
                f"percent_{side}",
            )
        if not 0 <= percent <= 100:
            raise RuleViolation(
                "HR-CON-11",
                f"{_side_name(battle, side)} cannot lose {percent} %; enter 0 to 100.",
                f"percent_{side}",
            )
    losses: list[UnitLoss] = []
    for side in sorted(sides):
        losses += _spread([unit for unit in units if unit["side"] == side], percent_lost.get(side, 0))
    losses.sort(key=lambda loss: loss.unit)
    settlement = _by_people(battle, tuple(losses), field_held_by, "umpire")
    return _settle(battle, settlement, actor, [])


def _spread(units: list[Mapping[str, Any]], percent: int) -> list[UnitLoss]:
    total = (sum(unit["sp"] for unit in units) * percent + 50) // 100
    shares = {unit["id"]: unit["sp"] * percent // 100 for unit in units}
    by_remainder = sorted(units, key=lambda unit: (-(unit["sp"] * percent % 100), unit["id"]))
    for unit in by_remainder[: total - sum(shares.values())]:
        shares[unit["id"]] += 1
    return [_table_loss(unit, TableResult(shares[unit["id"]])) for unit in units]


def _by_people(
    battle: Battle, losses: tuple[UnitLoss, ...], field_held_by: str, source: Source
) -> Settlement:
    if field_held_by not in ("", battle.attacker, battle.defender):
        raise RuleViolation(
            "HR-CON-11",
            f"{field_held_by} was not in this battle; the field is held by "
            f"{_side_called(battle, battle.attacker)}, {_side_called(battle, battle.defender)} or neither.",
            "field_held_by",
        )
    minutes = battle.inputs["file"]["turns"] * 10
    return Settlement(
        contact=battle.contact, field_held_by=field_held_by, losses=losses, source=source, minutes=minutes
    )


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


def _settle(
    battle: Battle,
    settlement: Settlement,
    actor: User | None,
    paragraphs: list[str],
    *,
    replay: BattleReplay | None = None,
    asked: bool = False,
) -> Battle:
    """Write the settlement if the battle still waits. Settled twice alike is once; otherwise refused.

    The replay of an engine's fight is written with it; `asked` says that an umpire had it fought.
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
        current.settlement = settlement_stored(settlement, file_now(current))
        current.account = paragraphs
        current.settled_by = actor
        current.settled_at = timezone.now()
        current.prediction = current.prediction or prediction_now(current)
        current.save()
        umpire_note(actor, f"{current} settled by {current.source}", current.campaign)
        if replay is not None:
            replay_keep(battle=current, replay=replay)
    return current
