"""Backup and restore of the whole site as one file: database, its own scenarios and secret key."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.models import Q
from django.utils import timezone

from campaign.ledger.versions import CAMPAIGN_RULES
from campaign.models import Job
from campaign.services.backups.databases import (
    PORTABLE,
    choose_dump_name,
    database_read,
    database_write,
    tally_database,
)
from campaign.services.backups.files import (
    BackupRefused,
    backup_unpack,
    backup_write,
    backups_prune,
    scenarios_back,
    scenarios_beside,
)
from campaign.services.jobs.jobs import JobLost, job_request
from campaign.services.turns.outages import restore_note

KEY, KIND = "secret-key", "backup"
FAILED_HOURS = 6


@dataclass(frozen=True, slots=True)
class Restored:
    """Result of a restore: campaigns with the hash their chains end with, and notes for administrators."""

    heads: dict[str, str]
    before: Path | None
    notes: tuple[str, ...]


def backup_make(*, folder: Path, portable: bool = False, prefix: str = "campaign") -> Path:
    """Write a backup of this moment into the folder; the site goes on meanwhile. Raises BackupRefused.

    What was written is unpacked and compared before it counts.
    """
    with TemporaryDirectory(prefix="campaign-backup-", dir=settings.VAR_DIR) as name:
        work = Path(name)
        database = work / choose_dump_name(portable=portable)
        facts = database_write(database, tally_database)
        path = _choose_backup_path(folder, prefix)
        told = {
            **facts,
            "made_at": timezone.now().isoformat(timespec="seconds"),
            "database": database.name,
            "campaign_rules": CAMPAIGN_RULES,
        }
        backup_write(path, {database.name: database, **_collect_extra_files()}, told)
        try:
            backup_unpack(path, work / "again")
        except BackupRefused:
            path.unlink(missing_ok=True)
            raise
    return path


def backup_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work: one more backup, and the oldest removed. Run twice it is two backups."""
    folder = Path(settings.BACKUP_DIR)
    with _report_while_writing(report, "Writing the backup"):
        path = backup_make(folder=folder)
    removed = backups_prune(folder=folder, keep=settings.BACKUP_KEEP)
    return {"file": path.name, "bytes": path.stat().st_size, "removed": len(removed)}


def backup_ask_due() -> Job | None:
    """Ask for the day's backup when the last is BACKUP_HOURS old; 0 is never. Asked twice it is one.

    One that failed is asked for again after FAILED_HOURS.
    """
    if not settings.BACKUP_HOURS:
        return None
    now = timezone.now()
    # Beat asks each hour, a little early or late.
    since = now - timedelta(hours=settings.BACKUP_HOURS, minutes=-10)
    # One of a moment to come was made before the machine's time was set back.
    asked = Job.objects.filter(kind=KIND, created_at__range=(since, now + timedelta(minutes=10)))
    failed = Q(state=Job.State.FAILED, created_at__lt=now - timedelta(hours=FAILED_HOURS, minutes=-10))
    if asked.exclude(failed).exists():
        return None
    return job_request(kind=KIND, key=f"{KIND}/{now:%Y-%m-%dT%H}", payload={})


@contextmanager
def _report_while_writing(report: Callable[[int, str], None], note: str) -> Iterator[None]:
    """Keep the job's lease alive while a database is written, however long that takes."""
    ended = threading.Event()

    def tell() -> None:
        with suppress(JobLost):
            while not ended.wait(settings.JOB_LEASE_SECONDS / 3):
                report(50, note)
        connections.close_all()

    report(5, note)
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def backup_restore(*, path: Path, force: bool = False) -> Restored:
    """Put a backup in the place of this site's database. Raises BackupRefused.

    A site that has people or campaigns is replaced only with `force`, and kept in a backup of its own first.
    """
    with TemporaryDirectory(prefix="campaign-restore-", dir=settings.VAR_DIR) as name:
        work = Path(name)
        manifest = backup_unpack(path, work)
        _verify_release(manifest)
        before = _make_room(force)
        if manifest["database"] == PORTABLE:
            call_command("migrate", verbosity=0)
        database_read(work / manifest["database"])
        _verify_rows(manifest)
        notes = [*scenarios_back(work), *_key_back(work)]
    call_command("migrate", verbosity=0)
    notes += restore_note(made_at=datetime.fromisoformat(manifest["made_at"]))
    return Restored(manifest["heads"], before, tuple(notes))


def _choose_backup_path(folder: Path, prefix: str) -> Path:
    stem = f"{prefix}-{timezone.now():%Y%m%dT%H%M%SZ}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 100))]
    return next(path for name in names if not (path := folder / f"{name}.zip").exists())


def _collect_extra_files() -> dict[str, Path]:
    """Collect a site's files beside its database: scenarios that came with archives, and its key."""
    var = Path(settings.VAR_DIR)
    files = scenarios_beside()
    if (var / KEY).is_file():
        files[KEY] = var / KEY
    return files


def _verify_release(manifest: dict[str, Any]) -> None:
    """This release knows all the backup was made with; a portable one must be of the very same."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    ours = {f"{app}.{name}" for app, name in loader.disk_migrations}
    theirs = set(manifest["migrations"])
    if unknown := sorted(theirs - ours):
        raise BackupRefused(
            f"The backup was made by a newer release ({unknown[-1]} is not known here). Install that release."
        )
    if manifest["database"] == PORTABLE and theirs != ours:
        raise BackupRefused(
            f"A portable backup is read by the release that made it only, and this one lacks "
            f"{len(ours - theirs)} of our migrations. Restore it there, then update."
        )


def _make_room(force: bool) -> Path | None:
    rows = tally_database()["rows"]
    if not (rows.get("campaign_user") or rows.get("campaign_campaign")):
        return None
    if not force:
        raise BackupRefused(
            "This site has people or campaigns already, and a backup takes the place of all of them. Stop "
            "the site and say --force; what is here is then kept in a backup of its own first."
        )
    return backup_make(folder=Path(settings.BACKUP_DIR), prefix="before-restore")


def _verify_rows(manifest: dict[str, Any]) -> None:
    found, wanted = tally_database()["rows"], manifest["rows"]
    wrong = [name for name, count in wanted.items() if found.get(name, 0) != count]
    if manifest["database"] == PORTABLE:
        wrong = [name for name in wrong if name != "django_session"]
    if wrong:
        raise BackupRefused(f"What was put back is not what was kept: {', '.join(wrong)} differ in rows.")


def _key_back(work: Path) -> list[str]:
    """The key of the backup becomes the site's, unless the environment gives one."""
    kept, mine = work / KEY, Path(settings.VAR_DIR) / KEY
    if not kept.is_file() or (mine.is_file() and mine.read_bytes() == kept.read_bytes()):
        return []
    if os.environ.get("SECRET_KEY"):
        return ["SECRET_KEY of the environment stays; people sign in again if it is another than it was."]
    if mine.is_file():
        mine.replace(mine.with_name(f"{KEY}.before-restore"))
    descriptor = os.open(mine, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(kept.read_bytes())
    return [f"The secret key is the backup's again ({mine.name})."]
