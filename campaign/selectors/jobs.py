"""Long work a person may follow: the days for the umpire, odds and forecasts of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse

from campaign.job_words import KINDS
from campaign.models import Battle, Job
from campaign.visibility import Viewer, forecasts_for
from campaign.visible_battles import jobs_watched

#: Those that write nothing, so that they may be stopped.
STOPPABLE = (
    "battle_odds",
    "battle_pack",
    "battle_prediction",
    "book_print",
    "campaign_archive",
    "campaign_book",
    "forecast",
    "dry_run",
)
SHOWN = 30


@dataclass(frozen=True, slots=True)
class JobRow:
    """A piece of work: what it is, how far it is, and where its result is read."""

    job: Job
    name: str
    url: str
    #: Whether it is the viewer's to stop: what others asked for is the umpire's.
    own: bool = True
    #: Whether it is the viewer's to ask for again: who asked for it, and the umpires (HR-JOB-02).
    asked: bool = False

    @property
    def running(self) -> bool:
        return self.job.state in (Job.State.QUEUED, Job.State.RUNNING)

    @property
    def may_stop(self) -> bool:
        return self.running and self.own and self.job.kind in STOPPABLE

    @property
    def may_again(self) -> bool:
        return self.asked and self.job.state in (Job.State.FAILED, Job.State.CANCELLED)


def job_rows(viewer: Viewer) -> list[JobRow]:
    """The last of them, newest first; with battles among them one query more."""
    return _rows(list(_followed(viewer).order_by("-pk")[:SHOWN]), viewer)


def job_told(job: Job, viewer: Viewer) -> JobRow:
    """A piece of work the viewer has just asked for."""
    return _rows([job], viewer)[0]


def job_row(viewer: Viewer, pk: int) -> JobRow | None:
    """One of them, however old, or None when there is none that the viewer may follow."""
    job = _followed(viewer).filter(pk=pk).first()
    return None if job is None else _rows([job], viewer)[0]


def _followed(viewer: Viewer) -> QuerySet[Job]:
    return (jobs_watched(viewer) | forecasts_for(viewer)).filter(kind__in=KINDS).defer("result")


def _rows(jobs: list[Job], viewer: Viewer) -> list[JobRow]:
    """Jobs with their names; what is about a battle is called by it."""
    keys = {job.payload["battle"] for job in jobs if "battle" in job.payload}
    titles: dict[int, str] = {}
    if keys:
        titles = dict(Battle.objects.filter(pk__in=keys).values_list("pk", "inputs__file__title"))
    return [
        JobRow(
            job,
            _name(job, titles),
            _url(job, viewer),
            own=_own(job, viewer),
            asked=viewer.is_umpire or job.requested_by_id == viewer.user.pk,
        )
        for job in jobs
    ]


def _own(job: Job, viewer: Viewer) -> bool:
    of_all = job.kind in ("campaign_archive", "campaign_book")
    return viewer.is_umpire or not of_all or job.requested_by_id == viewer.user.pk


def _name(job: Job, titles: Mapping[int, str]) -> str:
    title = titles.get(job.payload.get("battle", 0))
    return f"{KINDS[job.kind]}, {title}" if title else KINDS[job.kind]


def _url(job: Job, viewer: Viewer) -> str:
    slug = viewer.campaign.slug
    if job.kind in ("battle_settle", "battle_confirm", "battle_odds", "battle_replay", "battle_prediction"):
        return reverse("battle", args=[slug, job.payload["battle"]])
    if job.kind == "battle_pack":
        return f"{reverse('battle-pack', args=[slug, job.payload['battle']])}?{job.payload['query']}"
    if job.kind == "forecast":
        return reverse("forecast", args=[slug]) if job.payload.get("side") == viewer.side else ""
    if job.kind == "campaign_archive":
        return ""
    if job.kind in ("campaign_book", "book_print"):
        return reverse("campaign-book", args=[slug])
    if job.kind == "dry_run":
        return f"{reverse('week-desk', args=[slug])}#trial"
    return f"{reverse('campaign', args=[slug])}?sheet=day"
