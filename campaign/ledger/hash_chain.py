"""The chain of days, as plain data: what is hashed, under which salt, and how. No models here.

Records of form 1 hash inputs, events and world as they are; only who knows all of it can check them.
Records of form 2 hash salted commitments (HR-PRF-01): one of the inputs, one of the world, one of the
whole journal and one of each side's own entries. All salts of a record follow from one, which follows
from the secret of the dice; so a hash can be shown to everybody and gives nothing away, and whoever
is given a salt can check what it covers.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from campaign.rules.world.events import PLAIN_COLUMNS as PLAIN_COLUMNS
from campaign.rules.world.events import TEXT_COLUMNS as TEXT_COLUMNS
from campaign.rules.world.events import Event, event_to_json
from campaign.rules.world.events import event_from_json as event_from_json
from campaign.rules.world.world_json import to_canonical_json


def compute_digest(data: Any) -> str:
    """SHA-256 of the canonical JSON of `data`, in hexadecimal."""
    return hashlib.sha256(to_canonical_json(data)).hexdigest()


def events_hash(events: Iterable[Event]) -> str:
    """SHA-256 over the canonical JSON of a step's events, in order."""
    return compute_digest([event_to_json(event) for event in events])


def record_hash(
    *, parent: str, kind: str, revision: int, day: int, inputs: Mapping[str, Any], events: str, world: str,
    versions: Mapping[str, Any],
) -> str:  # fmt: skip
    """SHA-256 that chains a step of form 1 to its parent."""
    return compute_digest(
        {
            "parent": parent,
            "kind": kind,
            "revision": revision,
            "day": day,
            "inputs": inputs,
            "events": events,
            "world": world,
            "versions": versions,
        }
    )


# --- form 2: salted commitments ---


def record_salt(secret: bytes, published: str, revision: int, day: int, kind: str, ordinal: int) -> str:
    """The salt of one record: HMAC-SHA256 of its address under the secret, in hexadecimal.

    No die has this address: theirs begin with the published hash, a hexadecimal figure.
    """
    address = f"salt/{published[:12]}/{revision}/{day}/{kind}/{ordinal}"
    return hmac.digest(secret, address.encode(), "sha256").hex()


def salt_under(salt: str, name: str) -> str:
    """The salt of one part of a record, which gives away nothing of the others'."""
    return hmac.digest(bytes.fromhex(salt), name.encode(), "sha256").hex()


def compute_commitment(salt: str, value: Any) -> str:
    """A commitment: it binds whoever publishes it to `value`, and hides it until the salt is told."""
    return compute_digest([salt, value])


def build_side_event(event: Event) -> dict[str, Any]:
    """Return an event as a side is given it: without the list of the other sides that may read it."""
    said = event_to_json(event)
    del said["sides"]
    return said


def entry_salt(salt: str, ordinal: int) -> str:
    """The salt of a record's entry, counted from 0."""
    return salt_under(salt, f"entry/{ordinal}")


def side_salt(salt: str, side: str) -> str:
    """The salt of a side's list of a record's entries."""
    return salt_under(salt, f"side/{side}")


def build_commitments(
    salt: str,
    *,
    inputs: Mapping[str, Any],
    reason: str,
    events: Sequence[Event],
    world: str,
    sides: Iterable[str],
) -> dict[str, Any]:
    """Return the digests that bind a record of form 2 to its contents without revealing them.

    "journal" holds under "" the whole of it with who may read what, and under each side the entries
    it may read. How many they are cannot be seen from outside.
    """
    entries = [
        compute_commitment(entry_salt(salt, number), build_side_event(event))
        for number, event in enumerate(events)
    ]
    whole = [[entry, list(event.sides)] for entry, event in zip(entries, events, strict=True)]
    journal = {"": compute_commitment(side_salt(salt, ""), whole)}
    for side in sides:
        own = [entry for entry, event in zip(entries, events, strict=True) if side in event.sides]
        journal[side] = compute_commitment(side_salt(salt, side), own)
    return {
        "inputs": compute_commitment(salt_under(salt, "inputs"), {"inputs": dict(inputs), "reason": reason}),
        "journal": journal,
        "world": compute_commitment(salt_under(salt, "world"), world),
    }


#: Tables of what changes when the campaign goes back: only records of the present course vouch for it.
OF_COURSE = frozenset({"paper_states", "letter_states"})


def row_digests(salt: str, values: Mapping[str, Any]) -> dict[str, str]:
    """Digests of a row's fields, by name: half a SHA-256 each, salted (HR-PRF-03)."""
    under = salt_under(salt, "row")
    return {name: compute_commitment(under, [name, value])[:32] for name, value in sorted(values.items())}


def commit_to_rows(salt: str, rows: Iterable[tuple[str, str, Mapping[str, str]]]) -> str:
    """The commitment of a record to the rows it vouches for: table, key and digests of each, in order."""
    return compute_commitment(
        salt_under(salt, "rows"), [[table, key, dict(fields)] for table, key, fields in rows]
    )


def build_public_header(
    *,
    parent: str,
    kind: str,
    revision: int,
    day: int,
    ordinal: int,
    dice_revision: int,
    versions: Mapping[str, Any],
    commitments: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the public part of a record of form 2; its `digest` is the record's hash."""
    return {
        "form": 2,
        "parent": parent,
        "kind": kind,
        "revision": revision,
        "day": day,
        "ordinal": ordinal,
        "dice_revision": dice_revision,
        "versions": dict(versions),
        **commitments,
    }
