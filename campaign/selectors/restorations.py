"""Archives a person has brought in, and what became of them (HR-ARC-03)."""

from dataclasses import dataclass

from django.db.models import BooleanField, Case, QuerySet, Value, When

from campaign.models import Job, Restoration, User


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
        """Whether it may be asked for again: it failed or was stopped, and the file is still there."""
        return self.kept and self.job.state in (Job.State.FAILED, Job.State.CANCELLED)

    @property
    def error(self) -> str:
        return self.job.error if self.job.state == Job.State.FAILED else ""


def restorations_of(user: User) -> QuerySet[Restoration]:
    """What a person has brought in, his alone, the newest first; the files themselves are not read."""
    kept = Case(When(data=b"", then=Value(False)), default=Value(True), output_field=BooleanField())
    own = Restoration.objects.filter(owner=user, job__isnull=False).annotate(kept=kept)
    return own.defer("data").select_related("job", "campaign").order_by("-pk")


def restoration_row(row: Restoration) -> RestorationRow:
    """One row of `restorations_of`, as it is told."""
    assert row.job is not None
    slug = row.campaign.slug if row.campaign is not None else ""
    return RestorationRow(row, row.job, slug, bool(getattr(row, "kept", True)))
