"""The chain of days as each seat may see it, and a side's journal with the salts to check it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from campaign.fog.visibility import Viewer, entries_of, secret_for
from campaign.ledger.hash_chain import build_public_header, entry_salt, record_salt, side_salt
from campaign.ledger.journal import TOLD_COLUMNS, told_of_row
from campaign.models import Campaign, DayRecord
from campaign.rules.world.world import World

#: What a side's journal file is called inside, and the version of its form.
SIDE_FORMAT, SIDE_SCHEMA = "awi-campaign-side-journal", 1

#: How to check a side's journal with nothing but Python: `python check.py journal.json`.
CHECK = """\
import hashlib, json, sys
def sha(data):
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
paper = json.load(open(sys.argv[1], encoding="utf-8"))
known = {paper["commitment"]}  # published before the first day
for record in paper["records"]:
    entries = [sha([entry["salt"], entry["event"]]) for entry in record["entries"]]
    assert record["header"]["journal"][paper["side"]] == sha([record["salt"], entries]), record
    assert record["header"]["parent"] in known and record["hash"] == sha(record["header"]), record
    known.add(record["hash"])
assert paper["head"] in known
print("Sound. The last hash, to compare with the page and the other side's:", paper["head"])
"""

#: How to throw the dice again once the secret is told: `python dice.py journal.json`.
CHECK_DICE = """\
import hashlib, hmac, json, sys
paper = json.load(open(sys.argv[1], encoding="utf-8"))
secret = bytes.fromhex(paper["secret"])
assert hashlib.sha256(secret).hexdigest() == paper["commitment"]
entries = [entry["event"] for record in paper["records"] for entry in record["entries"]]
for die in (die for event in entries for die in event["rolls"]):
    limit = 256 - 256 % die["sides"]
    thrown = hmac.digest(secret, die["address"].encode(), "sha256")
    fell = [byte % die["sides"] + 1 for byte in thrown if byte < limit][0]
    assert die.get("entered") or fell == die["value"], die
print("Every die fell as it is told.")
"""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A step of the chain as everybody may see it. `given_up` is one of a course that was left."""

    date: date
    day: int
    kind: str
    label: str
    revision: int
    parent: str
    hash: str
    salted: bool
    given_up: bool


@dataclass(frozen=True, slots=True)
class Proof:
    """Contents of the proof page. `secret` is "" until the campaign has ended.

    `salted` says that all of the chain can be checked with a side's journal; `given_up` that it holds
    steps of courses that were left.
    """

    commitment: str
    secret: str
    head: str
    links: tuple[ChainLink, ...]

    @property
    def has_all_salts(self) -> bool:
        return all(link.salted for link in self.links)

    @property
    def given_up(self) -> bool:
        return any(link.given_up for link in self.links)


def load_proof(viewer: Viewer, world: World) -> Proof:
    """The chain, newest step first, in one query."""
    campaign = viewer.campaign
    records = list(_list_day_records(campaign))
    course = _find_course_records(campaign, records)
    return Proof(
        commitment=campaign.commitment,
        secret=secret_for(campaign),
        head=next((record.record_hash for record in records if record.pk == campaign.head_id), ""),
        links=tuple(
            ChainLink(
                date=world.theatre.start + timedelta(days=_happened_on(record)),
                day=record.day,
                kind=record.kind,
                label=str(DayRecord.Kind(record.kind).label),
                revision=record.revision,
                parent=parent,
                hash=record.record_hash,
                salted=bool(record.commitments),
                given_up=record.pk not in course,
            )
            for record, parent in reversed(
                list(zip(records, _list_parent_hashes(campaign, records), strict=True))
            )
        ),
    )


def _list_day_records(campaign: Campaign) -> Any:
    return DayRecord.objects.filter(campaign=campaign).defer("snapshot", "inputs").order_by("pk")


def _list_parent_hashes(campaign: Campaign, records: list[DayRecord]) -> list[str]:
    """The hash each record follows from; the first follows from the secret's."""
    hashes: dict[int | None, str] = {record.pk: record.record_hash for record in records}
    return [hashes.get(record.parent_id, campaign.commitment) for record in records]


def _find_course_records(campaign: Campaign, records: list[DayRecord]) -> set[int]:
    """Keys of the records from the start to the head."""
    parents = {record.pk: record.parent_id for record in records}
    course: set[int] = set()
    key = campaign.head_id
    while key is not None:
        course.add(key)
        key = parents[key]
    return course


def _happened_on(record: DayRecord) -> int:
    return record.day - 1 if record.kind in (DayRecord.Kind.DAY, DayRecord.Kind.WEEK) else record.day


def side_paper(campaign: Campaign, side: str) -> dict[str, Any]:
    """A side's journal, numbered for it, with the salts that open its commitments and nobody else's.

    Of what it may not read it holds hashes alone. The secret stands in it a day after the campaign's end.
    """
    entries: dict[int, list[Mapping[str, Any]]] = {}
    for entry in entries_of(campaign, side).values("record_id", "ordinal", *TOLD_COLUMNS):
        entries.setdefault(entry["record_id"], []).append(entry)
    records = list(_list_day_records(campaign))
    number = 0
    rows = []
    for record, parent in zip(records, _list_parent_hashes(campaign, records), strict=True):
        own = []
        salt = _derive_record_salt(campaign, record) if record.commitments else ""
        for entry in entries.get(record.pk, []):
            number += 1
            opens = entry_salt(salt, entry["ordinal"]) if salt else ""
            own.append({"number": number, "salt": opens, "event": told_of_row(entry)})
        rows.append(
            {
                "day": record.day,
                "parent": parent,
                "hash": record.record_hash,
                "header": _build_record_header(record, parent) if record.commitments else None,
                "salt": side_salt(salt, side) if salt else "",
                "entries": own,
            }
        )
    return {
        "format": SIDE_FORMAT,
        "schema": SIDE_SCHEMA,
        "campaign": campaign.slug,
        "title": campaign.title,
        "side": side,
        "commitment": campaign.commitment,
        "secret": secret_for(campaign) or None,
        "head": next((record.record_hash for record in records if record.pk == campaign.head_id), ""),
        "records": rows,
    }


def _derive_record_salt(campaign: Campaign, record: DayRecord) -> str:
    return record_salt(
        bytes(campaign.secret), campaign.commitment, record.revision, record.day, record.kind, record.ordinal
    )


def _build_record_header(record: DayRecord, parent: str) -> dict[str, Any]:
    return build_public_header(
        parent=parent,
        kind=record.kind,
        revision=record.revision,
        day=record.day,
        ordinal=record.ordinal,
        dice_revision=record.dice_revision,
        versions=record.versions,
        commitments=record.commitments,
    )
