"""Faults of the site, for its administrators."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.urls import reverse
from django.utils import timezone

from campaign.fog.battles import list_watchable_jobs
from campaign.fog.visibility import Viewer, campaigns_overseen, forecasts_for
from campaign.models import Battle, Fault, Job, User
from campaign.text.job_names import KINDS, left_words

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
#: Percent from which work is judged by its own pace; before, by how long such work took.
OWN_PACE = 10
#: How many finished pieces of work that is judged by.
JUDGED_BY = 5
#: A campaign's key, a kind of work, and whether it is of one day alone.
WorkOf = tuple[int | None, str, bool]


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
    #: Seconds until it is done, as far as can be said.
    seconds_left: int | None = None

    @property
    def time_left(self) -> str:
        """The time it will still take, in words; "" when that is not known."""
        return left_words(self.seconds_left)

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
    return _build_job_rows(list(_list_followed_jobs(viewer).order_by("-pk")[:SHOWN]), viewer)


def build_job_row(job: Job, viewer: Viewer) -> JobRow:
    """A piece of work the viewer has just asked for."""
    return _build_job_rows([job], viewer)[0]


def job_row(viewer: Viewer, pk: int) -> JobRow | None:
    """One of them, however old, or None when there is none that the viewer may follow."""
    job = _list_followed_jobs(viewer).filter(pk=pk).first()
    return None if job is None else _build_job_rows([job], viewer)[0]


def _list_followed_jobs(viewer: Viewer) -> QuerySet[Job]:
    return (list_watchable_jobs(viewer) | forecasts_for(viewer)).filter(kind__in=KINDS).defer("result")


def _build_job_rows(jobs: list[Job], viewer: Viewer) -> list[JobRow]:
    """Jobs with their names; what is about a battle is called by it."""
    keys = {job.payload["battle"] for job in jobs if "battle" in job.payload}
    titles: dict[int, str] = {}
    if keys:
        titles = dict(Battle.objects.filter(pk__in=keys).values_list("pk", "inputs__file__title"))
    now = timezone.now()
    usual = _usual_seconds(jobs)
    return [
        JobRow(
            job,
            _format_job_name(job, titles),
            _build_result_url(job, viewer),
            own=_may_stop_job(job, viewer),
            asked=viewer.is_umpire or job.requested_by_id == viewer.user.pk,
            seconds_left=_estimate_seconds_left(job, now, usual),
        )
        for job in jobs
    ]


def estimate_seconds_left(job: Job, now: datetime) -> int | None:
    """Seconds until work that is going on is done; None when nothing can be said.

    By its own pace, at its beginning by how long the campaign's last ones of its kind took: of days, one
    day alone by those of one day.
    """
    return _estimate_seconds_left(job, now, _usual_seconds([job]))


def _estimate_seconds_left(job: Job, now: datetime, usual: Mapping[WorkOf, float]) -> int | None:
    if job.state != Job.State.RUNNING or job.started_at is None:
        return None
    gone = (now - job.started_at).total_seconds()
    if job.progress >= OWN_PACE:
        return max(0, round(gone * (100 - job.progress) / job.progress))
    expected = usual.get(_work_of(job))
    return None if expected is None else max(0, round(expected - gone))


def _work_of(job: Job) -> WorkOf:
    return job.campaign_id, job.kind, "until" in job.payload


def _usual_seconds(jobs: Iterable[Job]) -> dict[WorkOf, float]:
    """The median times of the last finished work like what is at its beginning, in one query or none."""
    begun = [job for job in jobs if job.state == Job.State.RUNNING and job.progress < OWN_PACE]
    if not begun:
        return {}
    done = Job.objects.filter(
        campaign__in={job.campaign_id for job in begun if job.campaign_id is not None},
        kind__in={job.kind for job in begun},
        state=Job.State.DONE,
    ).annotate(one_day=ExpressionWrapper(Q(payload__has_key="until"), BooleanField()))
    last = Window(RowNumber(), [F("campaign"), F("kind"), F("one_day")], F("pk").desc())
    rows = done.annotate(last=last).filter(last__lte=JUDGED_BY)
    taken: dict[WorkOf, list[float]] = {}
    for campaign, kind, one_day, started, finished in rows.values_list(
        "campaign_id", "kind", "one_day", "started_at", "finished_at"
    ):
        if started is not None and finished is not None:
            taken.setdefault((campaign, kind, bool(one_day)), []).append((finished - started).total_seconds())
    return {work: median(times) for work, times in taken.items()}


def _may_stop_job(job: Job, viewer: Viewer) -> bool:
    of_all = job.kind in ("campaign_archive", "campaign_book")
    return viewer.is_umpire or not of_all or job.requested_by_id == viewer.user.pk


def _format_job_name(job: Job, titles: Mapping[int, str]) -> str:
    title = titles.get(job.payload.get("battle", 0))
    return f"{KINDS[job.kind]}, {title}" if title else KINDS[job.kind]


def _build_result_url(job: Job, viewer: Viewer) -> str:
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


def faults_open(user: User) -> QuerySet[Fault]:
    """List the open faults, latest first, without those of campaigns the administrator plays in (HR-
    SET-04).
    """
    if not (user.is_active and user.is_superuser):
        return Fault.objects.none()
    seen = Q(campaign=None) | Q(campaign__in=campaigns_overseen(user).values("pk"))
    return Fault.objects.filter(seen, over_at=None)
