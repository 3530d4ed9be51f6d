"""Archive schema: the files of an archive read into a dossier, with migrations from older schemas."""

import csv
import io
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from campaign.ledger.hash_chain import event_from_json, event_to_json
from campaign.rules.battles.battle_inputs import file_final
from campaign.rules.umpire.settings import CONDUCTED
from campaign.rules.world.events import Event
from campaign.rules.world.world import Theatre
from campaign.rules.world.world_json import world_from_json
from campaign.scenarios.digest import theatre_digest
from campaign.scenarios.reading import ScenarioError, read_scenario
from campaign.services.archive.zip_files import MANIFEST, ArchiveRefused, Bounds, archive_read
from campaign.services.proof.battles import StoredFight
from campaign.services.proof.rows import Vouched
from campaign.services.proof.verifier import ChainStep, Dossier, NotVerified, Verified, verify_dossier
from rosters.domain.text import unescape_cell

#: Raised whenever an older archive has to be read otherwise; a field that was added needs no new one.
SCHEMA = 2

Files = dict[str, bytes]
#: Told how far something is: percent, and a sentence.
Report = Callable[[int, str], None]


def _control_without_its_date(files: Files) -> Files:
    """Schema 1 called a place's first holder `control_june_1777`, whatever the scenario."""
    places = "scenario/places.csv"
    head, *rows = files[places].split(b"\n")
    return {**files, places: b"\n".join([head.replace(b"control_june_1777", b"control"), *rows])}


#: For each schema how its files become those of the next. The files' names and forms: docs/archive.md.
MIGRATIONS: dict[int, Callable[[Files], Files]] = {1: _control_without_its_date}


def _paper_key(row: Mapping[str, Any]) -> str:
    return f"{row['day']}/{row.get('kind', 'activity')}/{row['formation']}/{row['version']}"


#: What the rows of an archive are called by the records that vouch for them (HR-PRF-03).
ROW_KEYS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "papers": _paper_key,
    "battles": lambda row: f"{row['revision']}/{row['contact']}",
    "bulletins": lambda row: f"{row['revision']}/{row['week']}/{row['side']}",
    "provisional": lambda row: f"{row['revision']}/{row['day']}",
}
#: The field of each that names a person.
PERSON_OF = {
    "papers": "submitted_by_id",
    "battles": "settled_by_id",
    "bulletins": "published_by_id",
    "provisional": "actor_id",
}
#: What malformed content runs into, wherever it is read.
MALFORMED = (
    KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, AssertionError,
    RecursionError, csv.Error,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CampaignArchive:
    """An opened archive with checked hashes. `records`, `journal` and tables are rows as JSON values."""

    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]
    campaign: Mapping[str, Any]
    secret: bytes | None
    records: list[dict[str, Any]]
    journal: list[dict[str, Any]]
    theatre: Theatre

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of a table, as papers or battles; a table that came later is empty."""
        return parse_json_lines(self.files.get(f"{name}.jsonl", b""))

    def table(self, name: str) -> list[dict[str, str]]:
        """The rows of a CSV file."""
        rows = csv.DictReader(io.StringIO(self.files[name].decode()))
        return [{key: unescape_cell(value or "") for key, value in row.items() if key} for row in rows]

    def world_json(self, number: int) -> dict[str, Any]:
        """The world after a record, as JSON values."""
        return dict(json.loads(self.files[world_name(number)]))


#: How the names of files begin that hold a world.
WORLDS = ("worlds/", "provisional/")


def world_name(number: int) -> str:
    return f"worlds/{number:05}.json"


def provisional_name(number: int) -> str:
    return f"provisional/{number:05}.json"


def parse_json_lines(data: bytes) -> list[dict[str, Any]]:
    """Parse JSON lines into values."""
    return [json.loads(line) for line in data.decode().splitlines()]


def archive_open(path: Path, bounds: Bounds | None = None) -> CampaignArchive:
    """The archive in the file at `path`, brought up to this schema. Raises ArchiveRefused."""
    manifest, files = archive_read(path, bounds)
    files = _migrate_files(schema_of(manifest), files)
    try:
        theatre = _read_archived_theatre(files)
        campaign = json.loads(files["campaign.json"])
        secret = bytes.fromhex(json.loads(files["secret.json"])["secret"]) if "secret.json" in files else None
        archive = CampaignArchive(
            manifest=manifest,
            files=files,
            campaign=campaign,
            secret=secret,
            records=parse_json_lines(files["records.jsonl"]),
            journal=parse_json_lines(files["journal.jsonl"]),
            theatre=theatre,
        )
        if theatre_digest(theatre) != campaign["scenario_digest"]:
            raise ArchiveRefused("The scenario in the archive is not the one the campaign was played with.")
    except ScenarioError as error:
        raise ArchiveRefused(f"The scenario in the archive is not sound: {error.problems[0]}") from error
    except MALFORMED as error:
        raise _build_malformed_refusal(error) from error
    return archive


def archive_verify(archive: CampaignArchive, report: Report | None = None) -> Verified:
    """Verify what an archive says, without a database; `report` is told how far it is, in percent.

    Raises NotVerified or ArchiveRefused.
    """
    try:
        dossier = dossier_of_archive(archive)
        if report is not None:
            dossier = replace(dossier, steps=_iter_reported_steps(list(dossier.steps), report))
        verified = verify_dossier(dossier)
        head = next(row for row in archive.records if row["number"] == archive.campaign["head"])
    except MALFORMED as error:
        raise _build_malformed_refusal(error) from error
    told = [archive.manifest.get(fact) for fact in ("head", "world", "commitment", "day")]
    if told != [head["record_hash"], head["world_hash"], archive.campaign["commitment"], head["day"]]:
        raise ArchiveRefused(f"{MANIFEST} tells of another campaign, or another day of it, than its files.")
    return verified


def _iter_reported_steps(steps: Sequence[ChainStep], report: Report) -> Iterator[ChainStep]:
    """Iterate over the steps of a chain and report progress before each one."""
    for number, step in enumerate(steps):
        report(100 * number // len(steps), f"Day {step.day} is gone through again.")
        yield step


def _build_malformed_refusal(error: Exception) -> ArchiveRefused:
    return ArchiveRefused(f"The archive does not say what it must ({type(error).__name__}: {error}).")


def schema_of(manifest: Mapping[str, Any]) -> int:
    """The form of an archive. Raises ArchiveRefused for one that this version does not read."""
    schema = manifest.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < min((SCHEMA, *MIGRATIONS)):
        raise ArchiveRefused(f"The archive's schema is {schema!r}; this version reads up to {SCHEMA}.")
    if schema > SCHEMA:
        raise ArchiveRefused(
            f"The archive's schema is {schema}, this version reads up to {SCHEMA}; install a newer version."
        )
    return schema


def _migrate_files(schema: int, files: Files) -> Files:
    for step in range(schema, SCHEMA):
        try:
            files = MIGRATIONS[step](files)
        except MALFORMED as error:
            raise _build_malformed_refusal(error) from error
    return files


def _read_archived_theatre(files: Mapping[str, bytes]) -> Theatre:
    with tempfile.TemporaryDirectory() as folder:
        scenario_unpack(files, Path(folder))
        return read_scenario(Path(folder)).theatre


def scenario_unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the scenario's files, all of one folder, into `folder`, where they are not there already."""
    for name, data in scenario_files(files).items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.write_bytes(data)


def scenario_files(files: Mapping[str, bytes]) -> Files:
    """The scenario's files, by their own names."""
    return {
        name.removeprefix("scenario/"): data
        for name, data in files.items()
        if name.startswith("scenario/") and name.count("/") == 1
    }


def dossier_of_archive(archive: CampaignArchive) -> Dossier:
    """An archive as the verifier reads it."""
    entries: dict[int, list[Any]] = {}
    for row in archive.journal:
        entries.setdefault(row["record"], []).append((row["day"], _parse_event(row["event"])))
    vouched: dict[int, list[Vouched]] = {}
    for row in archive.rows("rows"):
        vouched.setdefault(row["record"], []).append((row["table"], row["key"], row["digests"]))
    steps = [
        _build_step(archive, row, entries.pop(row["number"], []), vouched.get(row["number"], []))
        for row in archive.records
    ]
    if entries:
        raise NotVerified(0, "The journal has entries of a day that is not in the chain.")
    campaign = archive.campaign
    return Dossier(
        commitment=campaign["commitment"],
        secret=archive.secret,
        theatre=archive.theatre,
        steps=steps,
        parents={step.number: step.parent for step in steps},
        head=campaign["head"],
        fights={(row["revision"], row["contact"]): _build_fight(row) for row in archive.rows("battles")},
        world=world_from_json(json.loads(archive.files["world.json"]), archive.theatre),
        # an archive tells no persons
        rows={
            **{
                name: {key(row): {**row, PERSON_OF[name]: None} for row in archive.rows(name)}
                for name, key in ROW_KEYS.items()
            },
            "paper_states": {_paper_key(row): row for row in archive.rows("papers")},
        },
        finished=_collect_finished_keys(archive, steps),
        conducted={name: campaign.get(name) for name in CONDUCTED},
    )


def _collect_finished_keys(archive: CampaignArchive, steps: Sequence[ChainStep]) -> dict[str, set[str]]:
    """Collect the keys of the finished rows, by table, for which a record must vouch."""
    head = next((step for step in steps if step.number == archive.campaign["head"]), None)
    day, played = (head.happened_on, head.day) if head is not None else (0, 0)
    papers = [row for row in archive.rows("papers") if row["version"] > 0]
    carried_out = {_paper_key(row) for row in papers if row.get("state") == "carried_out"}
    put_in = (row for row in papers if row.get("state") not in ("draft", "queued"))
    battles = (row for row in archive.rows("battles") if row["state"] == "settled" and row["day"] < day)
    return {
        "papers": carried_out,
        "paper_states": carried_out | {_paper_key(row) for row in put_in if row["day"] < played - 1},
        "battles": {ROW_KEYS["battles"](row) for row in battles},
    }


def _parse_event(told: Mapping[str, Any]) -> Event:
    """Parse an event of an archive. Any extra field is refused, because no hash covers it."""
    event = event_from_json(told)
    if more := sorted(told.keys() - event_to_json(event).keys()):
        raise ArchiveRefused(f"An entry of the journal says {more[0]!r}, which no entry has.")
    return event


STEP_FIELDS = (
    "number", "parent", "kind", "revision", "day", "ordinal", "dice_revision", "reason", "inputs",
    "versions", "events_hash", "world_hash", "record_hash", "commitments", "salt",
)  # fmt: skip


def _build_step(
    archive: CampaignArchive, row: Mapping[str, Any], entries: list[Any], vouched: list[Vouched]
) -> ChainStep:
    return ChainStep(
        **{name: row[name] for name in STEP_FIELDS},
        entries=entries,
        world=lambda: world_from_json(archive.world_json(row["number"]), archive.theatre),
        created_at=row.get("created_at", ""),
        vouched=vouched,
    )


def _build_fight(row: Mapping[str, Any]) -> StoredFight:
    return StoredFight(
        title=f"{row['inputs']['file']['title']}, day {row['day'] + 1}",
        revision=row["revision"],
        dice_revision=row["dice_revision"],
        day=row["day"],
        contact=row["contact"],
        source=row["source"],
        settlement=row["settlement"],
        file=file_final(row["inputs"], row.get("plans", {}), row.get("adjusted", []), row.get("ruleset", "")),
        ruleset=row.get("ruleset", ""),
        adjusted=row.get("adjusted", []),
        sector=row.get("sector", []),
    )
