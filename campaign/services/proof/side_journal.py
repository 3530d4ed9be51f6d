"""A side's journal with its salts, checked against the chain without the rest of it (HR-PRF-01)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from campaign.ledger.hash_chain import compute_commitment, compute_digest
from campaign.services.archive.zip_files import MOST_BYTES_A_FILE, ArchiveRefused
from campaign.services.proof.verifier import NotVerified
from rosters.domain.dice import hash_secret, roll_face

FORMAT = "awi-campaign-side-journal"
SCHEMA = 1


def side_journal_verify(path: Path) -> str:
    """Check a side's journal; what was checked in a sentence. Raises NotVerified or ArchiveRefused."""
    try:
        if path.stat().st_size > MOST_BYTES_A_FILE:
            raise ArchiveRefused(f"{path.name} is too large for a side's journal.")
        paper = json.loads(path.read_bytes())
    except OSError as error:
        raise ArchiveRefused(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise ArchiveRefused(f"{path.name} is neither an archive nor a side's journal.") from error
    if not isinstance(paper, dict) or paper.get("format") != FORMAT or paper.get("schema") != SCHEMA:
        raise ArchiveRefused(f"{path.name} is no side's journal of schema {SCHEMA}.")
    try:
        return _verify_journal(paper)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ArchiveRefused(f"{path.name} does not say what it must ({type(error).__name__}).") from error


def _verify_journal(paper: Mapping[str, Any]) -> str:
    secret = None if paper["secret"] is None else bytes.fromhex(paper["secret"])
    if secret is not None and hash_secret(secret) != paper["commitment"]:
        raise NotVerified(0, "The secret of the dice is not the one whose hash was published.")
    known = {paper["commitment"]}
    checked = dice = unsalted = number = 0
    for record in paper["records"]:
        shown = record["header"]
        if record["parent"] not in known or (shown and shown["parent"] != record["parent"]):
            raise NotVerified(record["day"], "A step does not follow from one before it in the chain.")
        known.add(record["hash"])
        for entry in record["entries"]:
            number += 1
            if entry["number"] != number:
                raise NotVerified(record["day"], f"Entry {number} is missing or stands in the wrong place.")
        if shown is None:
            unsalted += 1
            continue
        entries = [compute_commitment(entry["salt"], entry["event"]) for entry in record["entries"]]
        own = compute_commitment(record["salt"], entries)
        if compute_digest(shown) != record["hash"] or shown["journal"][paper["side"]] != own:
            raise NotVerified(
                record["day"], f"The entries of day {record['day']} are not those the chain vouches for."
            )
        checked += len(entries)
        dice += _verify_dice(record, secret)
    if paper["head"] not in known:
        raise NotVerified(0, "The last day of the chain is missing.")
    thrown = f", {dice} dice thrown again" if secret else "; the dice are sealed until the campaign has ended"
    older = f" {unsalted} steps of before the salts can only be checked with an archive." if unsalted else ""
    return f"{checked} entries of {paper['side']} stand in the chain{thrown}.{older}"


def _verify_dice(record: Mapping[str, Any], secret: bytes | None) -> int:
    """Throw a record's dice again and return their number; real dice are left out. Raises NotVerified."""
    if secret is None:
        return 0
    every = [roll for entry in record["entries"] for roll in entry["event"]["rolls"]]
    rolls = [roll for roll in every if not roll.get("entered")]
    for roll in rolls:
        if roll_face(secret, roll["address"], roll["sides"]) != roll["value"]:
            raise NotVerified(
                record["day"], f"A die of day {record['day']} did not fall as journaled: {roll['address']}."
            )
    return len(rolls)
