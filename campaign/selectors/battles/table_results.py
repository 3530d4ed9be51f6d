"""Results of a fight on the table: who entered what, as each may see it (HR-TAB-01, HR-TAB-05)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from battles.grammar import Subject, said_of_several
from battles.strength_conversion import pooled_name
from battles.table_pieces import TablePiece
from campaign.fog.seat_roles import UMPIRES
from campaign.fog.visibility import Viewer, battles_for, may_know_seat
from campaign.models import Battle, BattleEntry, Seat, User, find_time_zone, format_time_zone
from campaign.rules.battles.battle_inputs import file_now, file_of_sector, pieces_on_table
from campaign.rules.battles.table_results import (
    Differences,
    Entry,
    Present,
    TableForces,
    TableGeneral,
    compare_entries,
    entry_from_json,
)
from campaign.selectors.battles.plans import terms_of
from campaign.selectors.turns.provisional_days import turn_words
from campaign.text.place_names import CampaignNames


def describe_result_author(viewer: Viewer, battle: Battle, names: CampaignNames) -> str:
    """Return the author of a result as the viewer may know them; a side's lesser officers are known to
    that side only.

    "" for a battle that waits or that the engine fought, and where nobody is on record.
    """
    if battle.source in ("", "engine") or battle.settled_by_id is None:
        return ""
    seats = list(Seat.objects.filter(campaign=viewer.campaign, user=battle.settled_by_id).order_by("pk"))
    fought = [seat for seat in seats if seat.side in (battle.attacker, battle.defender)]
    if not fought or any(seat.role in UMPIRES for seat in seats):
        return "the umpire" if any(seat.role in UMPIRES for seat in seats) else ""
    known = next((seat for seat in fought if may_know_seat(viewer, seat)), None)
    if known is None or not known.title:
        return names.side(fought[0].side)
    return f"{known.title} ({names.side(known.side)})"


def going_on(viewer: Viewer, battle: Battle, days: int) -> str:
    """The umpire's button that plays the day of a settled battle; `days` have run on beside it.

    "" while another battle waits, and when the day has been played.
    """
    campaign = viewer.campaign
    if not viewer.is_umpire or battle.state != Battle.State.SETTLED:
        return ""
    played = battle.revision != campaign.revision or battle.day < campaign.day
    if played or battles_for(viewer).filter(state=Battle.State.WAITING).exists():
        return ""
    return turn_words(campaign, days, waits=False)


Entered = BattleEntry.State.ENTERED


def build_table_roster(battle: Battle, names: Mapping[str, str]) -> TableForces:
    """List the units and generals on the table, with SP and stands as the battle's rules count them (HR-
    BAT-13).

    Of a split fight its sector only (HR-TAB-14).
    """
    whole = file_now(battle)
    file = file_of_sector(whole, battle.sector)
    called = {one["id"]: one["name"] for one in file["units"]}
    return TableForces(
        units={
            piece.unit: _build_present_unit(piece, called) for piece in pieces_on_table(whole, battle.sector)
        },
        generals={
            one["id"]: TableGeneral(one["id"], one["name"], one["side"]) for one in file.get("leaders", ())
        },
        sides={side: names.get(side, side) for side in (battle.attacker, battle.defender)},
    )


def _build_present_unit(piece: TablePiece, called: Mapping[str, str]) -> Present:
    others = tuple(called[unit] for unit in piece.units[1:])
    return Present(
        id=piece.unit,
        name=pooled_name(called[piece.unit], len(piece.units)),
        side=piece.side,
        sp=piece.points,
        stands=piece.stands,
        units=piece.units,
        others=others,
        kind=piece.kind,
        apart=piece.apart,
        goes_with=piece.goes_with,
        as_campaign=piece.points == piece.sp,
    )


def may_enter(viewer: Viewer, battle: Battle) -> bool:
    """True when the viewer may enter a result: umpires, today's commander there, a guest (HR-TAB-01)."""
    if viewer.is_umpire:
        return True
    if viewer.side not in (battle.attacker, battle.defender):
        return False
    there = terms_of(battle, viewer.side).formations
    return viewer.is_guest or any(viewer.commands(formation) for formation in there)


def entering_side(viewer: Viewer) -> str:
    """For whom the viewer enters: his side, "" for the umpire."""
    return "" if viewer.is_umpire else viewer.side


def entry_by(entry: BattleEntry, reader: User | None) -> str:
    """Say who saved an entry last and when, by the reader's clock; for the entry's own side and the
    umpire.
    """
    campaign = entry.battle.campaign
    seat = Seat.objects.filter(campaign=campaign, user=entry.user_id).order_by("pk").first()
    who = str(seat.title or seat) if entry.user_id and seat is not None else "somebody"
    zone = find_time_zone(reader, campaign)
    at = entry.updated_at.astimezone(zone)
    return f"{who} at {at:%H:%M} on {at.day} {at:%B} ({format_time_zone(zone)})"


# --- what the umpire is told ---


@dataclass(frozen=True, slots=True)
class EntryStatus:
    """Entries of a battle that waits: a sentence for the umpire, and how many are in."""

    told: str
    entered: int
    differ: Differences | None


def build_entry_status(battle: Battle, rows: Iterable[BattleEntry], names: Mapping[str, str]) -> EntryStatus:
    """Summarise the entries of a battle: "Both sides have entered a result; they differ in 1 unit"."""
    entered = {row.side: entry_from_json(row.body) for row in rows if row.state == Entered}
    called = {side: names.get(side, side) for side in (battle.attacker, battle.defender)}
    missing = [called[side] for side in called if side not in entered]
    if not entered:
        begun = [called.get(row.side, "the umpire") for row in rows]
        told = f"{' and '.join(begun)} {_conjugate_verb(begun, 'is')} entering a result" if begun else ""
        return EntryStatus(told[:1].upper() + told[1:], 0, None)
    differ = compare_entries(entered, build_table_roster(battle, names))
    if len(entered) == 1:
        (side,) = entered
        who = Subject(called.get(side, "The umpire"))
        rest = f"; {' and '.join(missing)} {_conjugate_verb(missing, 'has')} not" if missing else ""
        return EntryStatus(f"{who:has} entered a result{rest}", 1, differ)
    count = {2: "Two", 3: "Three"}[len(entered)]
    how = f"they differ {differ.describe()}" if differ.count else "they agree"
    return EntryStatus(f"{count} entries; {how}", len(entered), differ)


def _conjugate_verb(names: Sequence[str], said: str) -> str:
    """Put the verb into the plural where several are named."""
    return said_of_several(said) if len(names) > 1 else f"{Subject(names[0]):+{said}}"


def load_entry_statuses(names: Mapping[int, Mapping[str, str]]) -> dict[int, EntryStatus]:
    """Return the status of the entries of several battles, by the battle's key, in one query; battles
    without an entry are left out.

    `names` are those of the sides, by the battle's key.
    """
    rows: dict[int, list[BattleEntry]] = {}
    for row in BattleEntry.objects.filter(battle__in=names).select_related("battle") if names else ():
        rows.setdefault(row.battle_id, []).append(row)
    return {key: build_entry_status(found[0].battle, found, names[key]) for key, found in rows.items()}


def entries_by_side(rows: Iterable[BattleEntry]) -> dict[str, Entry]:
    """Entered results by who entered them; drafts are left out."""
    return {row.side: entry_from_json(row.body) for row in rows if row.state == Entered}
