"""Campaign import from an archive: verified first, then written whole or not at all (HR-ARC-01)."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.utils import timezone

from campaign.ledger.dice import PUBLIC, seed_is_public, starts_older
from campaign.ledger.hash_chain import event_from_json, event_to_json
from campaign.ledger.journal import journal_insert
from campaign.ledger.row_digests import record_row_digests
from campaign.ledger.world_rows import snapshot_pack, world_load, world_save
from campaign.models import Battle, Campaign, DayRecord, KeptScenario, ProvisionalDay, RowDigest, Seat
from campaign.rules.turns.deadline_schedule import Rhythm, verify_rhythm
from campaign.rules.umpire.settings import has_options_shape
from campaign.rules.world.world_json import world_from_json, world_hash
from campaign.scenarios.packing import files_of, scenario_zip
from campaign.scenarios.theatres import ScenarioChanged, get_kept_scenario_path, scenario_folder, theatre_load
from campaign.scenarios.uploaded import scenario_everywhere
from campaign.services.archive.export import LEADER_COLUMNS, SIDE_COLUMNS, TABLES, UNTOLD
from campaign.services.archive.schema import (
    MALFORMED,
    WORLDS,
    CampaignArchive,
    Report,
    archive_open,
    archive_verify,
    provisional_name,
    scenario_unpack,
    world_name,
)
from campaign.services.archive.zip_files import ArchiveRefused
from campaign.services.proof.verifier import NotVerified, Verified
from campaign.services.setup.campaigns import slug_verify
from rosters.models import Leader, OrderOfBattle, Side


@dataclass(frozen=True, slots=True)
class Imported:
    """A campaign as it was imported, and what was verified of it."""

    campaign: Campaign
    verified: Verified


def campaign_import(*, path: Path, slug: str = "") -> Imported:
    """Take in an archive under `slug`, or its own name. Seats come in empty; the umpire fills them.

    The archive is verified first, and written whole or not at all. Raises ArchiveRefused, NotVerified
    or RuleViolation when the name is taken.
    """
    return archive_take(archive_open(path), slug=slug)


def archive_take(
    archive: CampaignArchive,
    *,
    slug: str = "",
    report: Report | None = None,
    also: Callable[[Campaign, Verified], None] | None = None,
) -> Imported:
    """The same for an archive that was read; `also` is done in the transaction that writes the campaign."""
    if archive.secret is None:
        raise ArchiveRefused(
            "The archive does not hold the secret of the dice, so the campaign cannot be played on. It can "
            "be verified (verifycampaign --archive); for one to import ask its umpire for a backup "
            "(exportcampaign --with-secret)."
        )
    _verify_secret(archive, archive.secret)
    slug = slug or str(archive.campaign.get("slug"))
    slug_verify(slug)  # before all is played again, which may take hours
    verified = archive_verify(archive, report)
    slug_verify(slug)
    kept: Path | None = None
    try:
        campaign = _build_campaign(archive, slug)
        kept = _scenario_keep(archive, campaign)
        snapshots = _pack_snapshots(archive)
        if report is not None:
            report(100, "The campaign is written.")
        with transaction.atomic():
            _scenario_row(campaign)
            _insert_campaign(archive, campaign, snapshots)
            _verify_rows_match_head(campaign)
            if also is not None:
                also(campaign, verified)
        # Another import of the same scenario, refused meanwhile, may have taken the folder away again.
        _scenario_keep(archive, campaign)
    except BaseException as error:
        if kept is not None and not Campaign.objects.filter(scenario_digest=kept.name).exists():
            shutil.rmtree(kept, ignore_errors=True)
        # Other errors of a database say nothing of the archive: it is away, or busy, and will be back.
        if isinstance(error, IntegrityError):
            slug_verify(slug)  # somebody else may have taken the address in the last moment
        if isinstance(error, (*MALFORMED, ValidationError, DataError, IntegrityError)):
            raise ArchiveRefused(
                f"The archive does not say what it must ({type(error).__name__}: {error})."
            ) from error
        raise
    return Imported(campaign, verified)


def _verify_secret(archive: CampaignArchive, secret: bytes) -> None:
    """Refuses a campaign whose dice anybody can work out: nobody could play or see it here (HR-SET-17)."""
    start = archive.records[0] if archive.records else {}
    first, promised = (
        given if isinstance(given := start.get(name), dict) else {} for name in ("inputs", "commitments")
    )
    named = f"{archive.campaign.get('slug')} {archive.campaign.get('title')}"
    if seed_is_public(secret, first, named=named, older=starts_older(promised)):
        raise ArchiveRefused(PUBLIC.format(title=archive.campaign.get("title")))


def _verify_rows_match_head(campaign: Campaign) -> None:
    """Check that the written rows match the head: same world, course and dice. Raises NotVerified."""
    head = campaign.head
    assert head is not None
    if world_hash(world_load(campaign)) != head.world_hash:
        raise NotVerified(campaign.day, "The rows written are not the world the archive ends with.")
    if (campaign.revision, campaign.dice_revision) != (head.revision, head.dice_revision):
        raise NotVerified(campaign.day, "The campaign is not on the course, or not at the dice, of its head.")


def _build_campaign(archive: CampaignArchive, slug: str) -> Campaign:
    """Build the campaign's row without saving it."""
    campaign = Campaign(secret=archive.secret, **_parse_row(Campaign, archive.campaign))
    # Nothing is to be played before its umpire has filled the seats and set another deadline.
    campaign.slug, campaign.deadline, campaign.deadline_meant = slug, None, None
    if not has_options_shape(campaign.ruleset_options):
        raise ValueError("ruleset_options")
    campaign.full_clean(exclude=("order_of_battle", "head"))
    verify_rhythm(Rhythm(**{name: getattr(campaign, name) for name in Rhythm.__dataclass_fields__}))
    return campaign


def _pack_snapshots(archive: CampaignArchive) -> dict[str, bytes]:
    """Pack the archive's worlds as they are stored, by file name, before the database is locked."""
    return {
        name: snapshot_pack(world_from_json(json.loads(data), archive.theatre))
        for name, data in archive.files.items()
        if name.startswith(WORLDS)
    }


def _insert_campaign(archive: CampaignArchive, campaign: Campaign, snapshots: Mapping[str, bytes]) -> None:
    """Write the campaign with all its rows."""
    book = OrderOfBattle.objects.create(title=campaign.title)
    campaign.order_of_battle = book
    begun = campaign.created_at
    campaign.save()
    campaign.created_at = begun
    sides = {
        row["slug"]: Side.objects.create(order_of_battle=book, **{name: row[name] for name in SIDE_COLUMNS})
        for row in archive.table("order_of_battle/sides.csv")
    }
    Leader.objects.bulk_create(
        Leader(
            order_of_battle=book,
            **{name: sides[row[name]] if name == "side" else row[name] for name in LEADER_COLUMNS},
        )
        for row in archive.table("order_of_battle/leaders.csv")
    )
    theatre = theatre_load(campaign)
    world_save(campaign, None, world_from_json(json.loads(archive.files["world.json"]), theatre))
    records = _insert_records(archive, campaign, snapshots)
    campaign.head = records[archive.campaign["head"]]
    campaign.imported_head = campaign.head.record_hash
    campaign.save()
    _insert_provisional_days(archive, campaign, records, snapshots)
    rows = {name: [{**_parse_row(model, row), "campaign": campaign} for row in archive.rows(name)]
            for name, model in TABLES.items()}  # fmt: skip
    _number_orders(rows["papers"])
    made = {name: _insert_rows(model, rows[name]) for name, model in TABLES.items()}
    record_row_digests(campaign)
    _insert_seats(archive, campaign, made["battles"])
    # A battle that waits for people waits for those of this place, from now on (HR-CAL-13).
    Battle.objects.filter(campaign=campaign, state=Battle.State.WAITING).update(opened_at=timezone.now())


def _number_orders(papers: Iterable[dict[str, Any]]) -> None:
    """Number the orders of each side in order of arrival, for archives written before orders had numbers."""
    counted: Counter[str] = Counter()
    for paper in papers:
        counted[paper["side"]] += 1
        paper.setdefault("number", counted[paper["side"]])


def _insert_seats(archive: CampaignArchive, campaign: Campaign, battles: Sequence[models.Model]) -> None:
    """Insert the seats without people; a deputy's seat comes after the seat it stands for."""
    seats: list[models.Model] = []
    for row in archive.rows("seats"):
        facts = {**_parse_row(Seat, row), "campaign": campaign}
        if row.get("stands_for"):
            facts["stands_for"] = seats[row["stands_for"] - 1]
        if row.get("battle"):
            facts["battle"] = battles[row["battle"] - 1]
        seats += _insert_rows(Seat, [facts])


def _scenario_row(campaign: Campaign) -> None:
    """A scenario that other machines would not have stands in a row too, as it lies here."""
    folder = scenario_folder(campaign)
    if not scenario_everywhere(campaign.scenario, folder):
        data = scenario_zip(files_of(folder))
        KeptScenario.objects.update_or_create(digest=campaign.scenario_digest, defaults={"data": data})


def _scenario_keep(archive: CampaignArchive, campaign: Campaign) -> Path | None:
    """Keep the archive's scenario where the installed one is another; the folder, if it was made now."""
    try:
        theatre_load(campaign)
    except ScenarioChanged:
        folder = get_kept_scenario_path(campaign.scenario_digest)
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Unpacked aside and put there whole: another import may be reading or writing the same.
        with TemporaryDirectory(dir=folder.parent, prefix=".") as aside:
            whole = Path(aside) / "scenario"
            whole.mkdir()
            scenario_unpack(archive.files, whole)
            try:
                whole.rename(folder)
            except OSError:  # it is there already
                scenario_unpack(archive.files, folder)
                return None
        return folder
    return None


def _insert_records(
    archive: CampaignArchive, campaign: Campaign, snapshots: Mapping[str, bytes]
) -> dict[int, DayRecord]:
    """Insert the day records with their journal; returns them by number."""
    entries: dict[int, list[dict[str, Any]]] = {}
    for row in archive.journal:
        entries.setdefault(row["record"], []).append(row)
    made: dict[int, DayRecord] = {}
    vouched: dict[int, list[RowDigest]] = {}
    for row in archive.rows("rows"):
        line = RowDigest(campaign=campaign, table=row["table"], key=row["key"], digests=row["digests"])
        vouched.setdefault(row["record"], []).append(line)
    for row in archive.records:
        parent = made.get(row["parent"])
        facts = {**_parse_row(DayRecord, row), "campaign": campaign, "parent": parent}
        (record,) = _insert_rows(DayRecord, [{**facts, "snapshot": snapshots[world_name(row["number"])]}])
        assert isinstance(record, DayRecord)
        made[row["number"]] = record
        told = entries.get(row["number"], [])
        # As events and not as they stand in the file, which may say more than an entry has columns for.
        events = [(each["day"], event_to_json(event_from_json(each["event"]))) for each in told]
        journal_insert(record, events)
        for line in vouched.get(row["number"], []):
            line.record = record
        RowDigest.objects.bulk_create(vouched.get(row["number"], []))
    return made


def _insert_provisional_days(
    archive: CampaignArchive,
    campaign: Campaign,
    records: Mapping[int, DayRecord],
    snapshots: Mapping[str, bytes],
) -> None:
    """Insert the days that were played provisionally while a battle waited."""
    made: dict[int, models.Model] = {}
    for row in archive.rows("provisional"):
        facts = {
            **_parse_row(ProvisionalDay, row),
            "campaign": campaign,
            "follows": made.get(row["follows"]),
            "record": records.get(row["record"]),
            "snapshot": snapshots[provisional_name(row["number"])],
        }
        (made[row["number"]],) = _insert_rows(ProvisionalDay, [facts])


def _parse_row(model: type[models.Model], row: Mapping[str, Any]) -> dict[str, Any]:
    """Parse a row's fields into the model's values; a field newer than the archive keeps its default."""
    return {
        field.name: field.to_python(row[field.name])
        for field in model._meta.concrete_fields
        if field.name not in UNTOLD[model] and field.name in row
    }


def _insert_rows(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> list[models.Model]:
    """Insert rows and keep the times at which they were first created."""
    made = model._default_manager.bulk_create([model(**row) for row in rows], batch_size=100)
    stamped = [field.name for field in model._meta.concrete_fields if getattr(field, "auto_now_add", False)]
    if stamped and made:
        for one, row in zip(made, rows, strict=True):
            for name in stamped:
                setattr(one, name, row[name])
        model._default_manager.bulk_update(made, stamped, batch_size=100)
    return list(made)
