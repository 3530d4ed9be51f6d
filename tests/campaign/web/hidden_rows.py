"""Rows of the database that a side is not told of, taken away: no answer may tell that they were there.

Numbers, counts, pages and moments hang on rows, not on the world; `hidden_fields.py` changes that.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import QuerySet

from campaign.models import (
    Absence,
    Bulletin,
    Campaign,
    Job,
    JournalEntry,
    Letter,
    Notice,
    OrderPaper,
    Seat,
    Tenure,
    User,
    Visit,
)


@contextmanager
def without_others(campaign: Campaign, side: str, reader: User) -> Iterator[None]:
    """The enemy's papers, letters, jobs, journal, bulletin, notices, columns' seats and absences are gone."""
    with transaction.atomic():
        rows = [
            JournalEntry.objects.filter(campaign=campaign).exclude(sides__contains=f"|{side}|"),
            OrderPaper.objects.filter(campaign=campaign).exclude(side=side),
            Letter.objects.filter(campaign=campaign).exclude(side=side).exclude(copies__side=side),
            Job.objects.filter(campaign=campaign).exclude(payload__side=side),
            Bulletin.objects.filter(campaign=campaign).exclude(side__in=(side, "")),
            Notice.objects.exclude(user=reader),
            Absence.objects.filter(user__in=_of_the_enemys_columns(campaign, side).values("user")),
            Tenure.objects.filter(seat__in=_of_the_enemys_columns(campaign, side)),
            Visit.objects.exclude(user=reader),
        ]
        gone = sum(row.delete()[0] for row in rows)
        gone += _of_the_enemys_columns(campaign, side).update(user=None, title="Another")
        assert gone > 10, "there was nothing to hide; the crawl would show nothing"
        yield
        transaction.set_rollback(True)


def _of_the_enemys_columns(campaign: Campaign, side: str) -> QuerySet[Seat]:
    return Seat.objects.filter(campaign=campaign, role__in=("column", "deputy")).exclude(side__in=(side, ""))
