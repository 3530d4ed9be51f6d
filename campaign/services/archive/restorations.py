"""Campaigns restored from archives by the site's administrators, one background task each (HR-ARC-03)."""

import hashlib
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from campaign.ledger.audit import Kind, audit_note
from campaign.models import Campaign, Job, Restoration, Seat, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.packing import MOST_BYTES, scenario_unzip, scenario_zip
from campaign.scenarios.problems import ScenarioError
from campaign.selectors.archive import restoration_row, restorations_of
from campaign.services.archive.imports import archive_take
from campaign.services.archive.schema import CampaignArchive, Report, archive_open, scenario_files, schema_of
from campaign.services.archive.zip_files import ArchiveRefused, Bounds, archive_glance
from campaign.services.jobs.jobs import (
    GOES_ON,
    JobPutBack,
    job_again,
    job_finish,
    job_put_back,
    job_request,
    job_stop,
)
from campaign.services.proof.verifier import NotVerified, Verified
from campaign.services.seats.assignment import seat_give
from campaign.services.setup.campaigns import slug_verify
from campaign.services.setup.drafts import MOST_CAMPAIGNS
from campaign.services.setup.scenario_uploads import LONGEST

RULE, KIND = "HR-ARC-03", "campaign_restore"
#: Bytes of an archive that is brought in; two years of a large war are 17 MB.
MOST_PACKED = 24 * 2**20
#: What of it is read: files, bytes of one and bytes of all, unpacked. A worker holds all of it in memory.
BOUNDS = Bounds(files=5_000, largest=32 * 2**20, together=256 * 2**20)
#: How many archives a person may bring in within this time, and how long a file that failed is kept.
MOST, WITHIN, KEPT = 5, timedelta(days=7), timedelta(days=7)
#: Seconds of a worker that going through one again may take.
LONGEST_WORK = 2 * 3600
NOT_THEIRS = "Campaigns are restored by the keepers of this site."
#: Rows of a person's that are shown and kept.
SHOWN = 20


def may_restore(user: Any) -> bool:
    """True for administrators, who may also restore by command line."""
    return bool(user.is_authenticated and user.is_active and user.is_superuser)


def restoration_ask(*, data: bytes, actor: User, slug: str = "") -> Restoration:
    """Bring in an archive, to be gone through by a worker; the same once more meanwhile is the same work.

    `slug` is another address for its campaign. What can be seen at a glance is refused here (RuleViolation),
    and nothing is kept then.
    """
    if not may_restore(actor):
        raise RuleViolation(RULE, NOT_THEIRS, "file")
    if len(data) > MOST_PACKED:
        raise RuleViolation(RULE, f"The file has more than {MOST_PACKED // 2**20} MB.", "file")
    digest = hashlib.sha256(data).hexdigest()
    _verify_limits(actor, digest)  # before anything is unpacked, and once more when nobody else can ask
    manifest = _read_manifest(data)
    slug = slug.strip() or str(manifest.get("campaign", ""))
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        same = restorations_of(actor).filter(job__state__in=GOES_ON, digest=digest, slug=slug).first()
        if same is not None:
            return same
        slug_verify(slug)
        _verify_limits(actor)
        own = Restoration.objects.filter(owner=actor)
        own.update(data=b"")  # what failed is asked for again only while nothing newer was brought
        own.filter(pk__in=list(own.values_list("pk", flat=True)[SHOWN - 1 :])).delete()
        row = Restoration.objects.create(
            owner=actor,
            title=str(manifest.get("title", slug))[:200],
            slug=slug,
            data=data,
            size=len(data),
            digest=digest,
        )
        asked = {"restoration": row.pk}
        row.job = job_request(kind=KIND, key=f"restore/{row.pk}", payload=asked, actor=actor)
        row.save(update_fields=["job"])
    return row


def _read_manifest(data: bytes) -> dict[str, Any]:
    """Read the manifest of a supported archive that holds its secret. Raises ArchiveRefused."""
    manifest, files = archive_glance(data, "The file", BOUNDS, "scenario/", MOST_BYTES)
    schema_of(manifest)
    try:  # a country larger than people could ever put up would keep workers busy for everybody
        scenario_unzip(scenario_zip(scenario_files(files)), most_of={})
    except ScenarioError as error:
        raise ArchiveRefused(f"The scenario in the archive is not taken: {error.problems[0]}") from error
    if "secret.json" not in manifest["files"]:
        raise ArchiveRefused(
            "The archive does not hold the secret of the dice, so its campaign cannot be played on. One made "
            "a day after the campaign's end has it, and a backup its site's keeper makes."
        )
    return manifest


def _verify_limits(actor: User, digest: str = "") -> None:
    """Raises RuleViolation while another archive is under way; the one of `digest` may be the same."""
    under_way = restorations_of(actor).filter(job__state__in=GOES_ON).first()
    if under_way is not None:
        if under_way.digest == digest:
            return
        words = f"{under_way} is still being gone through; wait for it, or stop it."
        raise RuleViolation(RULE, words, "file")
    recent = Job.objects.filter(kind=KIND, requested_by=actor, created_at__gte=timezone.now() - WITHIN)
    if recent.count() >= MOST:
        words = f"You have brought {MOST} archives within {WITHIN.days} days; wait a little."
        raise RuleViolation(RULE, words, "file")


def restoration_job(job: Job, report: Report) -> dict[str, Any]:
    """The job's work: all of the archive verified, then its campaign written together with the job's end.

    One at a time on the site: a worker holds all of an archive in memory.
    """
    rows = Restoration.objects.select_related("owner", "campaign").defer("data")
    row = rows.filter(pk=job.payload["restoration"]).first()
    if row is not None and row.campaign is not None:  # it is there, and nobody had said so
        return {"campaign": row.campaign.slug}
    _wait_for_others(job)
    if row is None or not row.data:
        raise RuleViolation(RULE, "The archive is no longer there; bring it again.", "file")
    if not may_restore(row.owner):
        raise RuleViolation(RULE, NOT_THEIRS, "file")
    report(0, "The archive is unpacked and compared with its list.")
    owner, found = row.owner, dict[str, Any]()

    def finish_restoration(campaign: Campaign, verified: Verified) -> None:
        _verify_campaigns(campaign.state, owner)
        seat_give(campaign=campaign, role=Seat.Role.UMPIRE, side="", user=owner, actor=None)
        audit_note(Kind.UMPIRE, owner, "campaign restored from an archive", campaign=campaign)
        changed = {"campaign": campaign, "data": b""}
        Restoration.objects.filter(pk=row.pk).update(**changed)
        found.update(campaign=campaign.slug, days=verified.days, replayed=verified.replayed)
        job_finish(job=job, result=found)

    try:
        archive = _open_archive(bytes(row.data))
        _verify_campaigns(str(archive.campaign.get("state")), owner)
        archive_take(archive, slug=row.slug, report=_build_timed_report(report), also=finish_restoration)
    except NotVerified as mismatch:
        raise ArchiveRefused(f"Day {mismatch.day} of the archive: {mismatch}") from mismatch
    except SoftTimeLimitExceeded as ended:  # in the middle of a step; another attempt would take as long
        raise _too_long() from ended
    return found


def _wait_for_others(job: Job) -> None:
    """Leave the work for later while an archive is being gone through that was taken up before."""
    others = Job.objects.filter(kind=KIND, state=Job.State.RUNNING, lease_until__gte=timezone.now())
    before = Q(started_at__lt=job.started_at) | Q(started_at=job.started_at, pk__lt=job.pk)
    if others.filter(before).exists():
        job_put_back(job=job, note="It waits for another archive, which is being gone through.")
        raise JobPutBack(job)


def _open_archive(data: bytes) -> CampaignArchive:
    """Open the archive in a file. Raises ArchiveRefused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "The file"
        path.write_bytes(data)
        archive = archive_open(path, BOUNDS)
    if archive.theatre.days > LONGEST:
        raise ArchiveRefused(f"The scenario in the archive lasts more than {LONGEST} days.")
    return archive


def _build_timed_report(report: Report) -> Report:
    """Wrap a report so that this part of the work ends when it takes too long."""
    begun = time.monotonic()

    def report_part(percent: int, note: str) -> None:
        if time.monotonic() - begun > LONGEST_WORK:
            raise _too_long()
        report(5 + percent * 90 // 100, note)

    return report_part


def _too_long() -> ArchiveRefused:
    hours = LONGEST_WORK // 3600
    return ArchiveRefused(
        f"To go through the archive takes longer than {hours} hours; take it in by command (importcampaign)."
    )


def _verify_campaigns(state: str, owner: User) -> None:
    """Raises RuleViolation for a running campaign of a person who umpires enough of them (HR-SET-15)."""
    running = Campaign.objects.filter(
        seats__user=owner, seats__role=Seat.Role.UMPIRE, state=Campaign.State.RUNNING
    )
    if state == Campaign.State.RUNNING and running.distinct().count() >= MOST_CAMPAIGNS:
        raise RuleViolation(
            "HR-SET-15", f"You umpire {MOST_CAMPAIGNS} running campaigns already; end one first.", "file"
        )


def restoration_stop(*, restoration: Restoration, actor: User) -> None:
    """Stop the work. Raises RuleViolation (HR-JOB-02) when it has ended."""
    job_stop(job=_get_job(restoration), actor=actor, umpire=False)


def restoration_again(*, restoration: Restoration, actor: User) -> None:
    """Have an archive gone through once more that failed or was stopped. Raises RuleViolation."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=actor.pk)
        job_again(job=_get_job(restoration), actor=actor, umpire=False)
        restoration_verify_again(restoration.pk, actor)


def restoration_verify_again(pk: int, owner: User) -> None:
    """Raises RuleViolation where an archive cannot be gone through once more: its file or address is gone.

    In the transaction that asks for it and holds the owner, who may bring another at the same moment.
    """
    own = restorations_of(owner)
    current = own.filter(pk=pk).first()
    if current is None or not restoration_row(current).kept:
        raise RuleViolation(RULE, "The archive is no longer kept; bring it again.")
    if (other := own.filter(job__state__in=GOES_ON).exclude(pk=pk).first()) is not None:
        raise RuleViolation(RULE, f"{other} is still being gone through; wait for it, or stop it.")
    slug_verify(current.slug)


def restoration_remove(*, restoration: Restoration) -> None:
    """Take a file and what is told of it away; its campaign stays. Raises RuleViolation while it is at work.

    The job stays too: it counts among those of these days.
    """
    with transaction.atomic():
        job = Job.objects.select_for_update().filter(pk=restoration.job_id or 0).first()
        if job is not None and job.state in GOES_ON:
            raise RuleViolation(RULE, f"{restoration} is still being gone through; stop it first.")
        Restoration.objects.filter(pk=restoration.pk).delete()


def restorations_clean_up(*, now: Callable[[], Any] = timezone.now) -> int:
    """Empty files that failed and were not asked for again; gives how many."""
    old = Restoration.objects.filter(made_at__lt=now() - KEPT).exclude(job__state__in=GOES_ON)
    return old.exclude(data=b"").update(data=b"")


def _get_job(restoration: Restoration) -> Job:
    assert restoration.job is not None
    return restoration.job
