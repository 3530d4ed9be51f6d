"""Results of fights on the table: entered by the sides, confirmed by the umpire (HR-TAB-01 to 05)."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction

from campaign.fog.seat_roles import UMPIRES
from campaign.models import Battle, BattleEntry, Campaign, Job, Seat, User
from campaign.rules.battles.battle_inputs import file_now, ruleset_of
from campaign.rules.battles.table_results import (
    NEITHER,
    Entry,
    TableForces,
    UnitResult,
    compare_entries,
    entry_from_json,
    entry_to_json,
    verify_entry,
)
from campaign.rules.contact.contact import Settlement
from campaign.rules.errors import RuleViolation
from campaign.rules.world.world_json import to_canonical_json
from campaign.selectors.battles.plans import terms_of
from campaign.selectors.battles.table_results import build_table_roster, entries_by_side, entry_by
from campaign.services.battles.entered_results import table_settlement
from campaign.services.battles.sectors import sector_complete
from campaign.services.battles.settlement import battle_now, battle_settle
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import is_battle_guest, sides_of, verify_command

State = BattleEntry.State
#: The job that settles a split fight once the engine has fought the rest of it.
CONFIRM = "battle_confirm"
#: What the account of a split fight says of the part nobody stood at (HR-TAB-16).
REST_TOLD = "The rest of the field was fought out beside the table."


class EntryChanged(RuleViolation):
    """Another phone of the same side has saved meanwhile; `current` is what it saved."""

    def __init__(self, current: BattleEntry, reader: User | None) -> None:
        whose = "Your side's entry" if current.side else "The umpire's entry"
        super().__init__(
            "HR-TAB-04",
            f"{whose} was changed by {entry_by(current, reader)}; look at both and keep one.",
            "version",
        )
        self.current = current


def battle_entry_save(
    *,
    battle: Battle,
    side: str,
    entry: Entry,
    version: int,
    actor: User | None,
    ruleset: str = "",
    entered: bool = False,
) -> BattleEntry:
    """Keep a result half-entered, or take an entered one back to amend it; `side` "" is the umpire's.

    `entered` gives it to the umpire to confirm; given again it is amended. `version` is the one the writer
    had before him, 0 for none; `ruleset` the rules in whose points he counted, where it is known: figures
    of others are refused (HR-BAT-13). Raises RuleViolation, and writes nothing, for who may not enter, a
    figure that cannot be, a battle that is settled, and EntryChanged.
    """
    state = State.ENTERED if entered else State.DRAFT
    verify_may_enter(battle=battle, side=side, actor=actor)
    with transaction.atomic():
        Campaign.objects.select_for_update().get(pk=battle.campaign_id)
        current = verify_open(battle)
        if ruleset not in ("", ruleset_of(current)):
            raise RuleViolation(
                "HR-BAT-13",
                "This battle is to be fought under other rules since you began to enter its result, and they "
                "may count in other points. Load the page again and enter the figures anew.",
                "rules",
            )
        table = build_table_roster(current, sides_of(current.campaign)).as_seen_by(side)
        verify_entry(entry, table, whole=entered)
        body = entry_to_json(entry)
        row = BattleEntry.objects.filter(battle=current, side=side).first()
        if row is None:
            return BattleEntry.objects.create(battle=current, side=side, user=actor, body=body, state=state)
        if row.body == body and row.state == state:
            return row
        if row.version != version and row.body != body:
            raise EntryChanged(row, actor)
        row.body, row.state, row.user = body, state, actor
        row.version += 1
        row.save()
    return row


def verify_may_enter(*, battle: Battle, side: str, actor: User | None) -> None:
    """Refuses an entry by somebody who commands nothing of the side in this battle (HR-TAB-01).

    None is the machine.
    """
    if actor is None:
        return
    if not side:
        seats = Seat.objects.filter(campaign=battle.campaign_id, user=actor, role__in=UMPIRES)
        if not seats.in_force().exists():
            reason = "Name your side; only the umpire can enter a result without one."
            raise RuleViolation("HR-TAB-01", reason)
        return
    if side not in (battle.attacker, battle.defender):
        raise RuleViolation("HR-TAB-01", "Your side does not stand in this battle.")
    if is_battle_guest(battle, side, actor):
        return
    refused: RuleViolation | None = None
    for formation in terms_of(battle, side).formations:
        try:
            verify_command(campaign=battle.campaign, side=side, actor=actor, formations=[formation])
        except RuleViolation as violation:
            refused = violation
        else:
            return
    if refused is not None:
        raise RuleViolation("HR-TAB-01", refused.message)


def verify_open(battle: Battle) -> Battle:
    """The battle as it stands, if its result can still be entered (HR-CON-12)."""
    current = battle_now(battle)
    if current.revision != current.campaign.revision:
        raise RuleViolation(
            "HR-UMP-14", f"The {current} was undone; the umpire has taken the campaign back behind it."
        )
    if current.state == Battle.State.SETTLED:
        raise RuleViolation(
            "HR-CON-12",
            f"The {current} is settled; its result is changed only by taking the campaign back behind it.",
        )
    return current


# --- the umpire confirms ---


def list_entry_versions(battle: Battle) -> dict[str, int]:
    """Versions of the entered results, by who entered them, so that the umpire confirms exactly these."""
    return dict(battle.entries.filter(state=State.ENTERED).values_list("side", "version"))


def battle_confirm(*, battle: Battle, decided: Entry, seen: Mapping[str, int], actor: User | None) -> Battle:
    """Settle a battle by what its entries say, as the umpire has decided between them (HR-TAB-05).

    `seen` are the versions he looked at. A split fight waits on, while a job has the engine fight the rest
    of it, and is settled by that (HR-TAB-16). Raises RuleViolation, and writes nothing, when the entries
    have been amended since, for a figure that cannot be, and for a battle that is settled otherwise.
    """
    verify_may_enter(battle=battle, side="", actor=actor)
    with transaction.atomic():
        current = _lock_confirmable_battle(battle, decided, seen)
        if current.sector and current.state == Battle.State.WAITING:
            _rest_ask(current, decided, seen, actor)
            return current
        return _settle_battle(current, decided, build_settlement(current, decided), actor)


def _lock_confirmable_battle(battle: Battle, decided: Entry, seen: Mapping[str, int]) -> Battle:
    """Lock and return the battle, if the entries the umpire saw are unchanged. Raises RuleViolation."""
    Campaign.objects.select_for_update().get(pk=battle.campaign_id)
    current = battle_now(battle)
    verify_entry(decided, build_table_roster(current, sides_of(current.campaign)), whole=True)
    if current.state == Battle.State.WAITING and list_entry_versions(current) != dict(seen):
        raise RuleViolation(
            "HR-TAB-05", "An entry was amended while you looked; look at both once more.", "entries"
        )
    return current


def _settle_battle(battle: Battle, decided: Entry, settlement: Settlement, actor: User | None) -> Battle:
    told = _describe_decision(battle, decided, build_table_roster(battle, sides_of(battle.campaign)))
    return battle_settle(battle, settlement, actor, [*told, *([REST_TOLD] if battle.sector else [])])


def _rest_ask(battle: Battle, decided: Entry, seen: Mapping[str, int], actor: User | None) -> Job:
    """Ask for the rest of a split fight, once for what was decided; another decision waits for that."""
    payload = {"battle": battle.pk, "decided": entry_to_json(decided), "seen": dict(seen)}
    busy = Job.objects.filter(
        kind=CONFIRM, payload__battle=battle.pk, state__in=(Job.State.QUEUED, Job.State.RUNNING)
    ).first()
    if busy is not None and busy.payload != payload:
        raise RuleViolation(
            "HR-TAB-16",
            "A result is confirmed already, and the rest of the field is being fought; wait for it.",
        )
    mark = hashlib.sha256(to_canonical_json(payload)).hexdigest()[:24]
    key = f"confirm/{battle.campaign.slug}/{battle.pk}/{mark}"
    return job_request(kind=CONFIRM, key=key, payload=payload, campaign=battle.campaign, actor=actor)


def battle_confirm_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work: fight the rest with nothing locked, then settle, if all is as it was confirmed.

    Safe to run twice, because the rest always ends the same way (HR-TAB-15).
    """
    battle = Battle.objects.select_related("campaign").filter(pk=job.payload["battle"]).first()
    if battle is None:  # it has fallen away meanwhile, and the journal tells why (HR-CAL-14)
        return {}
    report(0, f"The engine fights the rest of the {battle}.")
    decided = entry_from_json(job.payload["decided"])
    settlement = sector_complete(battle, build_settlement(battle, decided))
    with transaction.atomic():
        current = _lock_confirmable_battle(battle, decided, job.payload["seen"])
        if current.state == Battle.State.WAITING and (
            current.sector != battle.sector or file_now(current) != file_now(battle)
        ):
            raise RuleViolation(
                "HR-TAB-16",
                "The battle was changed while the rest of it was fought; look at it and confirm once more.",
            )
        _settle_battle(current, decided, settlement, job.requested_by)
    return {}


def build_settlement(battle: Battle, decided: Entry) -> Settlement:
    """Build the settlement of a decision without writing it. Raises RuleViolation for a wrong figure."""
    table = build_table_roster(battle, sides_of(battle.campaign))
    verify_entry(decided, table, whole=True)
    return table_settlement(
        battle=battle,
        results={key: decided.cost(table.units[key]) for key in decided.units},
        field_held_by="" if decided.held_by == NEITHER else decided.held_by,
        generals={key: fate for key, fate in decided.generals.items() if fate},
        pursuit=decided.pursuit,
    )


def _describe_decision(battle: Battle, decided: Entry, table: TableForces) -> list[str]:
    """Describe who entered the result and where the umpire decided, in words that both sides may read.

    Generals are left out: what became of them is a side's own affair (HR-GEN-01).
    """
    entered = entries_by_side(battle.entries.all())
    said = [table.sides.get(side, "the umpire") for side in entered]
    told = [f"Fought on the table; the result was entered by {' and by '.join(said) or 'the umpire'}."]
    differ = compare_entries(entered, table)
    if any(not table.units[key].as_campaign for key in differ.units):
        told.append("Strength points are told here as the rules of the table count them (HR-BAT-13).")
    for key in differ.units:
        unit = table.units[key]
        each = ", ".join(
            f"{table.sides.get(side, 'the umpire')} {describe_cost(entry.cost(unit))}"
            for side, entry in entered.items()
        )
        told.append(f"{unit.name}: {each}. The umpire put down {describe_cost(decided.cost(unit))}.")
    notes = {table.sides.get(side, "The umpire"): entry.notes for side, entry in entered.items()}
    return told + [f"{who}: {words}" for who, words in notes.items() if words]


def describe_cost(cost: UnitResult) -> str:
    """Describe losses in words: "2 SP lost, 1 SP captured", or "nothing lost"."""
    if cost == UnitResult():
        return "nothing lost"
    lost = f"{cost.lost} SP lost" if cost.lost or not cost.captured else ""
    return ", ".join(filter(None, (lost, f"{cost.captured} SP captured" if cost.captured else "")))
