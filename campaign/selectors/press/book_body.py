"""The whole campaign as a book: weeks, great battles, letters, names, proof (HR-REP-03).

Composed by a job and kept as plain JSON. It tells everything, but the secret of the dice and the players'
letters only when the secret is told to all.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from campaign.fog.battles import account_for
from campaign.fog.press import closing_record, count_closed_weeks
from campaign.fog.seat_roles import UMPIRES
from campaign.fog.viewers import Viewer
from campaign.fog.visibility import battles_for, journal_for, list_known_scores, secret_for
from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import snapshot_unpack
from campaign.models import Battle, Campaign, DayRecord, Letter, Seat, Tenure, User
from campaign.rules.world.world import Theatre, World
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.battles.battles import list_forces
from campaign.selectors.press.bulletin_body import body_of, build_bulletin_force
from campaign.selectors.seats import dates_text
from campaign.text.event_sentences import narrate
from campaign.text.place_names import CampaignNames, names_of

#: Raised when books hold other things, so that pages know how to read an old one.
EDITION = 1
#: How many battles are told at length, and the SP that the weaker side must have brought.
GREAT, GREAT_SP = 16, 10


def book_body(campaign: Campaign, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The book as the campaign stands; `report` is told how far it is."""
    theatre, told = theatre_load(campaign), campaign.dice_told
    viewer = Viewer(campaign, User(), Seat.Role.UMPIRE, "", "")
    assert campaign.head_id is not None
    last = _load_record_world(campaign.head_id, theatre)
    names = replace(names_of(last), zone=ZoneInfo(campaign.time_zone))
    weeks = []
    closed = count_closed_weeks(campaign)
    for week in range(1, closed + 1):
        report(90 * (week - 1) // closed, f"Week {week} of {closed}.")
        record = closing_record(campaign, week)
        if record is not None:
            weeks.append(
                _build_book_week(
                    body_of(viewer, _load_record_world(record.pk, theatre), week), final=week == closed
                )
            )
    report(90, "Battles, letters and names.")
    return {
        "edition": EDITION,
        "title": campaign.title,
        "told": told,
        "start": theatre.start.isoformat(),
        "until": (theatre.start + timedelta(days=max(0, campaign.day - 1))).isoformat(),
        "days": campaign.day,
        "ended": campaign.state == Campaign.State.ENDED,
        "endings": _list_ending_sentences(viewer, names),
        "scores": [[names.side(side), points] for side, points in list_known_scores(viewer, last).items()],
        "weeks": weeks,
        "battles": _list_great_battles(viewer, names, theatre),
        "letters": _list_book_dispatches(campaign, theatre) if told else [],
        "people": _list_seat_history(campaign, theatre),
        "commitment": campaign.commitment,
        "secret": secret_for(campaign),
        "head": campaign.head.record_hash if campaign.head else "",
        "steps": DayRecord.objects.filter(campaign=campaign).count(),
    }


def _load_record_world(record: int, theatre: Theatre) -> World:
    snapshot = DayRecord.objects.values_list("snapshot", flat=True).get(pk=record)
    return snapshot_unpack(bytes(snapshot), theatre)


def _build_book_week(body: dict[str, Any], *, final: bool) -> dict[str, Any]:
    """A week's bulletin as the book has it: the course of strength once, with the last."""
    return {**body, "seats": [], "deadline": "", "sides": body["sides"] if final else []}


def _list_ending_sentences(viewer: Viewer, names: CampaignNames) -> list[str]:
    entries = journal_for(viewer).filter(kind="campaign_ended").order_by("record_id", "ordinal")
    found = [" ".join(narrate(event_from_entry(entry), names).split()) for entry in entries]
    return [f"{text[:1].upper()}{text[1:]}".rstrip(".") + "." for text in found]


# --- battles ---


def _list_great_battles(viewer: Viewer, names: CampaignNames, theatre: Theatre) -> list[dict[str, Any]]:
    """The greatest battles with what their units lost, in order of time."""
    settled = battles_for(viewer).filter(state=Battle.State.SETTLED)
    rows = settled.values_list("pk", "attacker", "defender", "inputs__file__units")
    sizes = {pk: min(_sum_side_sp(units, side) for side in sides) for pk, *sides, units in rows}
    great = sorted((pk for pk, sp in sizes.items() if sp >= GREAT_SP), key=lambda pk: (-sizes[pk], pk))
    chosen = settled.filter(pk__in=great[:GREAT]).order_by("day", "minute", "pk")
    return [_build_book_battle(viewer, battle, names, theatre) for battle in chosen.select_related("replay")]


def _sum_side_sp(units: Any, side: str) -> int:
    return sum(int(unit["sp"]) for unit in units or () if unit["side"] == side)


def _build_book_battle(
    viewer: Viewer, battle: Battle, names: CampaignNames, theatre: Theatre
) -> dict[str, Any]:
    when = theatre.start + timedelta(days=battle.day)
    holder = (battle.settlement or {}).get("field_held_by", "")
    return {
        "key": battle.pk,
        "title": battle.inputs["file"]["title"],
        "date": when.isoformat(),
        "clock": f"{battle.minute // 60}:{battle.minute % 60:02d}",
        "by": battle.source,
        "holder": names.side(holder) if holder else "",
        "attacker": names.side(battle.attacker),
        "defender": names.side(battle.defender),
        "account": account_for(viewer, battle, None),
        "sides": [
            {
                **build_bulletin_force(force),
                "units": [
                    [unit.name, unit.sp, unit.lost, unit.captured, unit.sp_left, unit.fate]
                    for unit in force.units
                    if unit.lost or unit.captured or unit.fate
                ],
                "unhurt": sum(not (unit.lost or unit.captured or unit.fate) for unit in force.units),
            }
            for force in list_forces(viewer, battle, names)
        ],
    }


# --- people ---


def _list_book_dispatches(campaign: Campaign, theatre: Theatre) -> list[dict[str, Any]]:
    """List the dispatches of the campaign, without sealed ones to or from the umpires (HR-REP-03)."""
    rows = Letter.objects.filter(campaign=campaign, undone=False, withdrawn=False)
    found = []
    for letter in rows.prefetch_related("copies__seat").order_by("day", "pk"):
        copies = [copy for copy in letter.copies.all() if not copy.captured]
        roles = {letter.role, *(copy.seat.role for copy in copies if copy.seat is not None)}
        if letter.sealed and roles & set(UMPIRES):
            continue
        found.append(
            {
                "date": (theatre.start + timedelta(days=letter.day)).isoformat(),
                "writer": letter.title,
                "to": [copy.title for copy in copies],
                "subject": letter.subject,
                "text": letter.text,
                "taken": [copy.title for copy in copies if copy.taken],
            }
        )
    return found


def _list_seat_history(campaign: Campaign, theatre: Theatre) -> list[list[str]]:
    """List the seat history: title, holder and dates."""
    last = campaign.day or 1
    rows = Tenure.objects.filter(campaign=campaign).order_by("side", "role", "from_day", "pk")
    found = []
    for row in rows:
        until = last if row.until_day is None else row.until_day
        found.append(
            [row.title or row.role, row.name, dates_text(row.from_day, until, theatre.start, whole=True)]
        )
    return found
