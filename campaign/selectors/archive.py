"""The archive of a campaign for those who may have it, and imported archives (HR-ARC-02, HR-ARC-03)."""

import base64
from dataclasses import dataclass

from django.db.models import BooleanField, Case, QuerySet, Value, When

from campaign.fog.viewers import DESK, Viewer
from campaign.models import Job, Restoration, User

#: The kind of job that makes one.
ARCHIVE = "campaign_archive"


def may_archive(viewer: Viewer) -> bool:
    """True for viewers who may have the whole archive: the umpire, and everyone with a desk once the
    campaign has ended.
    """
    return viewer.is_chief or (viewer.campaign.dice_told and viewer.role in DESK)


@dataclass(frozen=True, slots=True)
class ArchiveStanding:
    """Progress of the campaign's archive; without a job, nobody has requested one."""

    job: Job | None = None

    @property
    def making(self) -> bool:
        return self.job is not None and self.job.state in (Job.State.QUEUED, Job.State.RUNNING)

    @property
    def is_ready(self) -> bool:
        return self.job is not None and self.job.state == Job.State.DONE

    @property
    def error(self) -> str:
        return self.job.error if self.job is not None and self.job.state == Job.State.FAILED else ""


def archive_standing(viewer: Viewer) -> ArchiveStanding | None:
    """Return the progress of the archive, or None for viewers who may not have it. The file itself is not
    read.
    """
    if not may_archive(viewer) or viewer.campaign.head is None:
        return None
    return ArchiveStanding(_asked_for(viewer).defer("result").order_by("-pk").first())


def find_archive_file(viewer: Viewer) -> bytes | None:
    """The zip of the campaign as it stands; None until it has been made, and for who may not have it."""
    if viewer.campaign.head is None or not may_archive(viewer):
        return None
    made = _asked_for(viewer).filter(state=Job.State.DONE).first()
    return base64.b64decode(made.result["file"]) if made is not None and made.result else None


def _asked_for(viewer: Viewer) -> QuerySet[Job]:
    """Jobs for the archive of a campaign as it stands, with the secret of its dice once that is told."""
    head = viewer.campaign.head
    assert head is not None
    return Job.objects.filter(
        campaign=viewer.campaign,
        kind=ARCHIVE,
        payload__head=head.record_hash,
        payload__told=viewer.campaign.dice_told,
    )


@dataclass(frozen=True, slots=True)
class RestorationRow:
    """An archive with how far it is; `campaign` is its address once it is there."""

    row: Restoration
    job: Job
    campaign: str
    kept: bool

    @property
    def running(self) -> bool:
        return self.job.state in (Job.State.QUEUED, Job.State.RUNNING)

    @property
    def may_again(self) -> bool:
        """True when the import may be requested again: it failed or was stopped, and the file is still
        there.
        """
        return self.kept and self.job.state in (Job.State.FAILED, Job.State.CANCELLED)

    @property
    def error(self) -> str:
        return self.job.error if self.job.state == Job.State.FAILED else ""


def restorations_of(user: User) -> QuerySet[Restoration]:
    """List a person's own imports, newest first; the files themselves are not read."""
    kept = Case(When(data=b"", then=Value(False)), default=Value(True), output_field=BooleanField())
    own = Restoration.objects.filter(owner=user, job__isnull=False).annotate(kept=kept)
    return own.defer("data").select_related("job", "campaign").order_by("-pk")


def restoration_row(row: Restoration) -> RestorationRow:
    """One row of `restorations_of`, as it is told."""
    assert row.job is not None
    slug = row.campaign.slug if row.campaign is not None else ""
    return RestorationRow(row, row.job, slug, bool(getattr(row, "kept", True)))
