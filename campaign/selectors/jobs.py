"""Long work a person may follow: the days for the umpire, odds and forecasts of one's own."""

from dataclasses import dataclass

from django.urls import reverse

from campaign.models import Job
from campaign.visibility import Viewer, forecasts_for
from campaign.visible_battles import jobs_watched

#: What kinds of work are called; others are told by the campaign's own pages only.
KINDS = {
    "advance_day": "The day",
    "battle_settle": "A battle fought here",
    "battle_odds": "Odds of a battle",
    "forecast": "Forecast",
    "dry_run": "The day tried out",
    "battle_replay": "Replay of a battle",
    "campaign_book": "The campaign's book",
    "battle_prediction": "Odds of a battle that was fought",
}
#: Those that write nothing, so that they may be stopped.
STOPPABLE = ("battle_odds", "battle_prediction", "campaign_book", "forecast", "dry_run")
SHOWN = 30


@dataclass(frozen=True, slots=True)
class JobRow:
    """A piece of work: what it is, how far it is, and where its result is read."""

    job: Job
    name: str
    url: str

    @property
    def running(self) -> bool:
        return self.job.state in (Job.State.QUEUED, Job.State.RUNNING)

    @property
    def may_stop(self) -> bool:
        return self.running and self.job.kind in STOPPABLE


def job_rows(viewer: Viewer) -> list[JobRow]:
    """The last of them, newest first."""
    found = (jobs_watched(viewer) | forecasts_for(viewer)).filter(kind__in=KINDS)
    return [
        JobRow(job, KINDS[job.kind], _url(job, viewer))
        for job in found.defer("result").order_by("-pk")[:SHOWN]
    ]


def job_row(viewer: Viewer, pk: int) -> JobRow | None:
    """One of them, or None when there is none that the viewer may follow."""
    return next((row for row in job_rows(viewer) if row.job.pk == pk), None)


def _url(job: Job, viewer: Viewer) -> str:
    slug = viewer.campaign.slug
    if job.kind in ("battle_settle", "battle_odds", "battle_replay", "battle_prediction"):
        return reverse("battle", args=[slug, job.payload["battle"]])
    if job.kind == "forecast":
        return reverse("forecast", args=[slug]) if job.payload.get("side") == viewer.side else ""
    if job.kind == "campaign_book":
        return reverse("campaign-book", args=[slug])
    if job.kind == "dry_run":
        return f"{reverse('week-desk', args=[slug])}#trial"
    return f"{reverse('campaign', args=[slug])}?sheet=day"
