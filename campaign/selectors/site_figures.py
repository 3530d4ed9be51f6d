"""Figures on the whole site for those who run it, with nothing about the play of any campaign.

They are counted in the database, so they are the same whichever machine is asked, and are none's to lose.
"""

from itertools import accumulate
from typing import Any, NamedTuple

from django.core.cache import cache
from django.db.models import Count, Min, QuerySet
from django.utils import timezone

from campaign.models import Battle, Campaign, DayRecord, Delivery, Heartbeat, Job, Notice, WorkTime
from campaign.models.jobs import WORK_BOUNDS, WORK_MORE

#: Counting a large site takes a while: figures are at most this old, in seconds.
FRESH = 15
KEY = "site-figures"

WORK_KEY = "work-times"

Figures = dict[str, dict[str, float]]


class Taken(NamedTuple):
    """Durations of one kind of work with the same ending: number of attempts within each bound, in
    seconds.
    """

    kind: str
    ended: str
    within: list[tuple[str, float]]
    seconds: float


def work_times() -> list[Taken]:
    """The work of all workers of all machines, counted up to each bound."""
    kept: list[Taken] | None = cache.get(WORK_KEY)
    if kept is None:
        kept = [_build_durations(row) for row in WorkTime.objects.all()]
        cache.set(WORK_KEY, kept, FRESH)
    return kept


def _build_durations(row: WorkTime) -> Taken:
    bounds = (*map(str, WORK_BOUNDS), WORK_MORE)
    up_to = accumulate(row.within.get(bound, 0) for bound in bounds)
    return Taken(row.kind, row.ended, list(zip(bounds, up_to, strict=True)), row.seconds)


def site_figures() -> Figures:
    """Name of a figure -> label -> value; the label is empty where there is but one."""
    kept: Figures | None = cache.get(KEY)
    if kept is None:
        kept = _count_site_figures()
        cache.set(KEY, kept, FRESH)
    return kept


def _count_site_figures() -> Figures:
    now = timezone.now()

    def age(rows: QuerySet[Any], field: str) -> dict[str, float]:
        oldest = rows.aggregate(oldest=Min(field))["oldest"]
        return {"": max(0.0, (now - oldest).total_seconds()) if oldest else 0.0}

    return {
        "campaigns": _count_by_value(Campaign.objects.all(), "state", Campaign.State.values),
        "days_played": {"": DayRecord.objects.filter(kind=DayRecord.Kind.DAY).count()},
        "battles": _count_by_value(Battle.objects.all(), "state", Battle.State.values),
        "jobs": _count_by_value(Job.objects.all(), "state", Job.State.values),
        "queue_age_seconds": age(Job.objects.filter(state=Job.State.QUEUED), "created_at"),
        "notices": _count_by_value(Notice.objects.all(), "state", Notice.State.values),
        # what nobody has taken up; what waits for a digest or another try is not due
        "notice_age_seconds": max(
            age(Notice.objects.filter(state=Notice.State.PENDING), "created_at"),
            age(Delivery.objects.filter(state=Delivery.State.PENDING, due_at__lte=now), "due_at"),
            key=lambda found: found[""],
        ),
        "deliveries": _count_by_value(Delivery.objects.all(), "state", Delivery.State.values),
        "clock_age_seconds": {
            name: (now - beat).total_seconds()
            for name, beat in Heartbeat.objects.exclude(name__startswith="set back").values_list(
                "name", "beat_at"
            )
        },
    }


def _count_by_value(rows: QuerySet[Any], field: str, every: list[str]) -> dict[str, float]:
    """Count the rows of each value; zero is included, so that a line never disappears."""
    found = dict(rows.order_by().values_list(field).annotate(Count("pk")))
    return {value: found.get(value, 0) for value in every}
