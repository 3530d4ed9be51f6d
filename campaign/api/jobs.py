"""Work that takes a while: how far it is, and stopping it."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.models import Job
from campaign.rules.errors import RuleViolation
from campaign.selectors.jobs import JobRow, job_row, job_rows
from campaign.services.jobs.jobs import job_stop
from campaign.services.jobs.retry import work_again
from campaign.text.job_names import KINDS


class JobShape(Shape):
    """A piece of work. What it found is read where it was asked for, and named there."""

    number = serializers.IntegerField(source="job.pk")
    kind = serializers.ChoiceField([*KINDS.items()], source="job.kind")
    name = serializers.CharField()
    state = serializers.ChoiceField(Job.State.choices, source="job.state")
    progress = serializers.IntegerField(min_value=0, max_value=100, source="job.progress")
    note = serializers.CharField(allow_blank=True, source="job.note")
    error = serializers.SerializerMethodField(help_text="Why it failed; empty: it has not.")
    asked_at = serializers.DateTimeField(source="job.created_at")
    finished_at = serializers.DateTimeField(allow_null=True, source="job.finished_at")
    may_stop = serializers.BooleanField()
    may_again = serializers.BooleanField(help_text="Whether you may ask for it again.")
    page = serializers.CharField(allow_blank=True, source="url", help_text="Where people read its result.")

    def get_error(self, row: JobRow) -> str:
        return row.job.error if row.job.state == Job.State.FAILED else ""


class JobsShape(Shape):
    """Work asked for, the last first."""

    jobs = JobShape(many=True)


SEEN = "An umpire sees all of the campaign's; others what they may ask for themselves."
#: Work that is asked for with the scope of a seat's papers, by umpires too; other work with the umpire's.
OF_A_SEAT = ("battle_odds", "forecast")


class JobView(CampaignView):
    """A view of one piece of work."""

    def row(self, number: int) -> JobRow:
        row = job_row(self.viewer, number)
        if row is None:
            raise Http404
        return row

    def get_writable_row(self, number: int) -> JobRow:
        """The same for who writes, with the scope it was asked for with, an umpire others' with his own."""
        umpire = self.viewer.is_umpire
        if not umpire:
            self.demand_scope(Scope.ORDER)
        row = self.row(number)
        own = row.job.requested_by_id == self.person.pk and row.job.kind in OF_A_SEAT
        self.demand_scope(Scope.UMPIRE if umpire and not own else Scope.ORDER)
        return row


class Jobs(CampaignView):
    """Work of the campaign."""

    @endpoint("jobs_list", "Work asked for", answer=JobsShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The last pieces of work you may follow."""
        return {"jobs": job_rows(self.viewer)}


class JobDetail(JobView):
    """One piece of work."""

    @endpoint("jobs_read", "How far a piece of work is", answer=JobShape, seen=SEEN)
    def get(self, request: Request, slug: str, job: int) -> JobRow:
        """One piece of work; ask again every few seconds with If-None-Match."""
        return self.row(job)


class JobCancel(JobView):
    """Stopping a piece of work."""

    @endpoint(
        "jobs_cancel",
        "Stop a piece of work",
        answer=JobShape,
        refuses=(422,),
        seen=f"{SEEN} The scope is the one it is asked for with; others' work an umpire stops with theirs.",
    )
    def post(self, request: Request, slug: str, job: int) -> JobRow:
        """Stops work that writes nothing; a worker notices at its next report. Otherwise HR-JOB-02."""
        row = self.get_writable_row(job)
        if not row.may_stop:
            raise RuleViolation("HR-JOB-02", f"{row.name}: this cannot be stopped, or has ended already.")
        job_stop(job=row.job, actor=self.viewer.user, umpire=self.viewer.is_umpire)
        return self.row(job)


class JobRetry(JobView):
    """Asking again for a piece of work."""

    @endpoint(
        "jobs_again",
        "Ask again for a piece of work",
        answer=JobShape,
        refuses=(422,),
        cost=20,
        seen=f"{SEEN} Who asked for it asks again, and an umpire, with the scopes of jobs_cancel.",
    )
    def post(self, request: Request, slug: str, job: int) -> JobRow:
        """Work that failed or was stopped is taken up anew, as it was asked for. Otherwise HR-JOB-02."""
        row = self.get_writable_row(job)
        if not row.may_again:
            raise RuleViolation("HR-JOB-02", f"{row.name}: it has not failed, or is not yours to ask again.")
        work_again(job=row.job, actor=self.viewer.user, umpire=self.viewer.is_umpire)
        return self.row(job)
