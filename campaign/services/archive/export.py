"""Campaign export: build the files of an archive, as docs/archive.md lists them."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import models, transaction

from campaign.ledger.hash_chain import event_to_json, record_salt
from campaign.ledger.journal import event_from_entry
from campaign.ledger.world_rows import snapshot_unpack, world_load
from campaign.models import (
    Battle,
    Bulletin,
    Campaign,
    DayRecord,
    JournalEntry,
    OrderPaper,
    ProvisionalDay,
    RowDigest,
    Seat,
)
from campaign.ops.csv_escape import plain_cell
from campaign.rules.world.world import World
from campaign.rules.world.world_json import to_canonical_json, unit_to_json, world_to_json
from campaign.scenarios.packing import files_of
from campaign.scenarios.theatres import scenario_folder
from campaign.services.archive.schema import SCHEMA, provisional_name, world_name
from campaign.services.archive.zip_files import archive_write
from rosters.models import Leader, Side

#: Models whose rows stand in an archive as JSON lines, by the name of their file.
TABLES: dict[str, type[models.Model]] = {"papers": OrderPaper, "battles": Battle, "bulletins": Bulletin}
#: Fields that are not told as they are: keys, persons (told by the seat they had), what is told elsewhere.
UNTOLD: dict[type[models.Model], frozenset[str]] = {
    Campaign: frozenset({"id", "order_of_battle", "secret", "head", "imported_head", "demo", "grace"}),
    Seat: frozenset(
        {"id", "campaign", "user", "stands_for", "battle", "offered", "missed_at", "nothing_new"}
    ),
    DayRecord: frozenset({"id", "campaign", "parent", "snapshot", "actor"}),
    OrderPaper: frozenset({"id", "campaign", "submitted_by"}),
    Battle: frozenset({"id", "campaign", "settled_by"}),
    Bulletin: frozenset({"id", "campaign", "published_by"}),
    ProvisionalDay: frozenset({"id", "campaign", "follows", "record", "snapshot", "actor"}),
}
#: Fields that name a person; an archive tells the seat.
PERSONS = {
    DayRecord: "actor",
    OrderPaper: "submitted_by",
    Battle: "settled_by",
    Bulletin: "published_by",
    ProvisionalDay: "actor",
}
LEADER_COLUMNS = ("slug", "name", "side", "rank", "command", "rating")
SIDE_COLUMNS = ("slug", "name", "colour")
SEALED = "The secret of the dice is told when the campaign has ended; until then no die can be thrown again."
ENDED = "The campaign has ended, so the secret of its dice is told."
BACKUP = "A backup: it holds the secret of the dice of a running campaign. Whoever reads it knows them all."


def campaign_export(*, campaign: Campaign, path: Path, with_secret: bool = False) -> bool:
    """Write the campaign's archive to `path`; True when it holds the secret of the dice (HR-PRF-02).

    It does a day after the campaign's end, or `with_secret` for a backup. Raises ArchiveRefused when the
    file cannot be written.
    """
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        files = _build_archive_files(campaign)
    ended = campaign.dice_told
    told = ended or with_secret
    if told:
        files["secret.json"] = _encode_json({"secret": bytes(campaign.secret).hex()})
    facts = {
        "schema": SCHEMA,
        "campaign": campaign.slug,
        "title": campaign.title,
        "day": campaign.day,
        "commitment": campaign.commitment,
        "head": campaign.head.record_hash if campaign.head else "",
        "world": campaign.head.world_hash if campaign.head else "",
        "secret": told,
        "secret_says": ENDED if ended else BACKUP if told else SEALED,
    }
    archive_write(path, files, facts, mode=0o600 if told and not ended else 0o644)
    return told


def _build_archive_files(campaign: Campaign) -> dict[str, bytes]:
    world = world_load(campaign)
    numbers = {
        key: number
        for number, key in enumerate(
            DayRecord.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True), start=1
        )
    }
    held = Seat.objects.filter(campaign=campaign, user__isnull=False).order_by("pk")
    titles = {seat.user_id: str(seat) for seat in held}
    head = {**_serialize_row(campaign), "head": numbers.get(campaign.head_id or 0)}
    files = {"campaign.json": _encode_json(head), "world.json": _encode_json(world_to_json(world))}
    files |= {f"scenario/{name}": data for name, data in files_of(scenario_folder(campaign)).items()}
    files |= _build_order_of_battle_files(campaign, world)
    for name, model in TABLES.items():
        rows = model._default_manager.filter(campaign=campaign).order_by("pk")
        files[f"{name}.jsonl"] = _encode_json_lines(_serialize_row(row, titles) for row in rows)
    files["seats.jsonl"] = _encode_json_lines(_iter_seat_rows(campaign))
    vouched = RowDigest.objects.filter(campaign=campaign).order_by("pk")
    files["rows.jsonl"] = _encode_json_lines(
        {"record": numbers[row.record_id], "table": row.table, "key": row.key, "digests": row.digests}
        for row in vouched.iterator(2000)
    )
    records = []
    for record in DayRecord.objects.filter(campaign=campaign).order_by("pk").iterator(50):
        number = numbers[record.pk]
        after = snapshot_unpack(bytes(record.snapshot), world.theatre)
        files[world_name(number)] = to_canonical_json(world_to_json(after))
        parent = numbers[record.parent_id] if record.parent_id else None
        records.append(
            {
                "number": number,
                "parent": parent,
                "salt": _derive_record_salt(campaign, record),
                **_serialize_row(record, titles),
            }
        )
    files["records.jsonl"] = _encode_json_lines(records)
    files |= _build_provisional_files(campaign, world, numbers, titles)
    entries = JournalEntry.objects.filter(campaign=campaign).order_by("record_id", "ordinal")
    files["journal.jsonl"] = _encode_json_lines(
        {
            "record": numbers[entry.record_id],
            "day": entry.day,
            "event": event_to_json(event_from_entry(entry)),
        }
        for entry in entries.iterator(2000)
    )
    return files


def _iter_seat_rows(campaign: Campaign) -> Iterable[Mapping[str, Any]]:
    """Iterate over the seats without people. Deputies and guests name a seat or battle by line number."""
    seats = list(Seat.objects.filter(campaign=campaign).order_by("pk"))
    lines = {seat.pk: line for line, seat in enumerate(seats, start=1)}
    fought = Battle.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True)
    battles = {key: line for line, key in enumerate(fought, start=1)}
    for seat in seats:
        stands_for = lines[seat.stands_for_id] if seat.stands_for_id else None
        battle = battles[seat.battle_id] if seat.battle_id else None
        yield {**_serialize_row(seat), "stands_for": stands_for, "battle": battle}


def _build_provisional_files(
    campaign: Campaign, world: World, numbers: Mapping[int, int], titles: Mapping[int | None, str]
) -> dict[str, bytes]:
    """Build the files of provisional days (HR-CAL-11) with their worlds; not part of the hash chain."""
    days = list(ProvisionalDay.objects.filter(campaign=campaign).order_by("pk"))
    places = {day.pk: place for place, day in enumerate(days, start=1)}
    files = {}
    rows = []
    for day in days:
        after = snapshot_unpack(bytes(day.snapshot), world.theatre)
        files[provisional_name(places[day.pk])] = to_canonical_json(world_to_json(after))
        follows = places[day.follows_id] if day.follows_id else None
        record = numbers[day.record_id] if day.record_id else None
        rows.append(
            {"number": places[day.pk], "follows": follows, "record": record, **_serialize_row(day, titles)}
        )
    return {**files, "provisional.jsonl": _encode_json_lines(rows)}


def _serialize_row(row: models.Model, titles: Mapping[int | None, str] | None = None) -> dict[str, Any]:
    """Serialize a row's fields as JSON values; "by" is the title of the seat of the person the row names."""
    kind = type(row)
    told = {
        field.name: _serialize_value(getattr(row, field.attname))
        for field in kind._meta.concrete_fields
        if field.name not in UNTOLD[kind]
    }
    if kind in PERSONS:
        told["by"] = (titles or {}).get(getattr(row, f"{PERSONS[kind]}_id"), "")
    return told


def _serialize_value(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _derive_record_salt(campaign: Campaign, record: DayRecord) -> str:
    """Derive a record's salt; empty for records written before commitments existed."""
    if not record.commitments:
        return ""
    return record_salt(
        bytes(campaign.secret), campaign.commitment, record.revision, record.day, record.kind, record.ordinal
    )


def _build_order_of_battle_files(campaign: Campaign, world: World) -> dict[str, bytes]:
    """Build the order of battle as CSV files for people to read; an import reads the world instead."""
    book = campaign.order_of_battle
    sides = [
        [side.slug, side.name, side.colour]
        for side in Side.objects.filter(order_of_battle=book).order_by("pk")
    ]
    leaders = Leader.objects.filter(order_of_battle=book).order_by("pk").select_related("side")
    staff = [[one.slug, one.name, one.side.slug, one.rank, one.command, one.rating] for one in leaders]
    units = [unit_to_json(world.units[key]) for key in sorted(world.units)]
    formations = [
        {
            "id": one.id,
            "name": one.name,
            "side": one.side,
            "commander": one.commander,
            "parent": one.parent,
            "garrison": one.garrison,
            **(asdict(one.position) if one.position else {}),
        }
        for _, one in sorted(world.formations.items())
    ]
    places = ["place", "route", "origin", "destination", "yards"]
    named = ["id", "name", "side", "commander", "parent", "garrison", *places]
    return {
        "order_of_battle/sides.csv": _encode_csv(SIDE_COLUMNS, sides),
        "order_of_battle/leaders.csv": _encode_csv(LEADER_COLUMNS, staff),
        "order_of_battle/units.csv": _encode_csv(
            units[0] if units else ("id",), [row.values() for row in units]
        ),
        "order_of_battle/formations.csv": _encode_csv(
            named, [[row.get(x, "") for x in named] for row in formations]
        ),
        "order_of_battle/pools.csv": _encode_csv(("pool", "points"), sorted(world.pools.items())),
    }


def _encode_json(data: Any) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def _encode_json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(to_canonical_json(row) + b"\n" for row in rows)


def _encode_csv(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([plain_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode()
