"""Battles of an abandoned course: removed, and recorded in the journal with their results (HR-CAL-14)."""

from collections.abc import Collection

from django.db.models import Q

from campaign.ledger.journal import record_append
from campaign.ledger.versions import versions_now
from campaign.models import Battle, Campaign, DayRecord, Seat, User
from campaign.rules.umpire.battle_corrections import Annul, Annulled, annul_battles
from campaign.rules.umpire.corrections import act_to_json
from campaign.rules.world.world import World
from campaign.services.battles.outcomes import settlement_from_json
from campaign.services.seats.assignment import tenure_end
from campaign.services.umpire.corrections import ordinal_next

#: Why battles fall away.
NOT_MET = "when the day was played with what is known now, the two did not meet"
VOID = "the days that had run on began from another morning"
ENDED = "the campaign had ended before it"


def battles_annul(
    current: Campaign, world: World, *, used: Collection[str], void: str, actor: User | None
) -> None:
    """Take away battles of a day just played that are not among the contacts `used`, and all of later days
    when these are void, for the reason `void`. Call in the transaction that saves the day; the caller saves
    `current`.
    """
    played = world.day - 1
    gone = Q(day=played) & ~Q(contact__in=used)
    if void:
        gone |= Q(day__gt=played)
    battles = list(Battle.objects.filter(gone, campaign=current, revision=current.revision))
    annulled = [(battle.day, _build_annulled_battle(battle)) for battle in battles]
    for seat in Seat.objects.filter(battle__in=battles):  # their guests have nothing left to fight for
        seat.campaign = current
        tenure_end(seat)
    # before it is journaled: no record vouches for a battle that falls away
    Battle.objects.filter(pk__in=[battle.pk for battle in battles]).delete()
    for reason in dict.fromkeys((NOT_MET, void)):
        rows = [told for day, told in annulled if (day == played) == (reason == NOT_MET)]
        if reason and rows:
            _append_annulment_record(current, world, rows, reason, actor)


def _append_annulment_record(
    current: Campaign, world: World, rows: list[Annulled], reason: str, actor: User | None
) -> None:
    act = Annul(tuple(rows))
    record_append(
        campaign=current,
        kind=DayRecord.Kind.ACT,
        happened_on=world.day,
        inputs={"act": act_to_json(act), "reason": reason},
        versions=versions_now(current.ruleset),
        events=annul_battles(world, act, reason),
        world=world,
        actor=actor,
        ordinal=ordinal_next(current),
        reason=reason,
    )


def _build_annulled_battle(battle: Battle) -> Annulled:
    return Annulled(
        contact=battle.contact,
        day=battle.day,
        minute=battle.minute,
        attacker=battle.attacker,
        defender=battle.defender,
        place=battle.place,
        route=battle.route,
        settlement=settlement_from_json(battle.settlement) if battle.settlement else None,
    )
