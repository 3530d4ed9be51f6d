"""Lists about campaigns as a whole: their calendar, notices, jobs."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import admin
from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import display

from campaign.admin.base import DeskAdmin, campaign_filter, shown_as
from campaign.admin.confirm_action import Question, build_question_action
from campaign.admin.site import umpire_site
from campaign.models import Battle, Campaign, Job, Notice, User
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.local_time import moment_at, verify_wall
from campaign.rules.umpire.corrections import Act, Deadline, Pause
from campaign.selectors.jobs import STOPPABLE
from campaign.selectors.turns.deadlines import convert_to_club_time
from campaign.services.jobs.jobs import GOES_ON, job_stop
from campaign.services.jobs.retry import work_again
from campaign.services.notifications.notifications import notice_again
from campaign.services.turns.runs import advance_request, get_turn_start
from campaign.text.job_names import KINDS
from campaign.web.umpire.deadline_forms import RHYTHM, RhythmForm

# --- campaigns ---


def _is_running(campaign: Campaign) -> bool:
    return campaign.state == Campaign.State.RUNNING


class AdvanceQuestion(Question):
    key, label, button, reasoned = "advance", "Advance", "Advance", False
    told = "A worker plays the coming turn of each with the orders given so far."

    @classmethod
    def fits(cls, row: Campaign) -> bool:
        return _is_running(row) and not row.paused

    def mark(self, campaign: Campaign) -> int:
        begun = get_turn_start(campaign)
        return begun.day + begun.ahead * begun.waited

    def line(self, row: Campaign) -> str:
        return f"{row.title}: from day {self.mark(row) + 1}"

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        with transaction.atomic():
            for campaign in self.rows:
                advance_request(campaign=campaign, actor=actor, day=seen[campaign.pk])
        return [
            format_html(
                '{}: a worker plays it; <a href="{}">look how far it is</a>.',
                campaign.title,
                reverse("jobs", args=[campaign.slug]),
            )
            for campaign in self.rows
        ]


class PauseQuestion(Question):
    key, label, button = "pause", "Let it rest", "Let it rest"
    told = "No day is played until it goes on; both sides read the reason."
    taking = True

    @classmethod
    def fits(cls, row: Campaign) -> bool:
        return _is_running(row) and not row.paused

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [Pause(True)]


class ResumeQuestion(Question):
    key, label, button = "resume", "Let it go on", "Let it go on"

    @classmethod
    def fits(cls, row: Campaign) -> bool:
        return _is_running(row) and bool(row.paused)

    def line(self, row: Campaign) -> str:
        return f"{row.title}: rests, {row.paused}" if row.paused else str(row)

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        return [Pause(False)]


class DeadlineQuestion(Question):
    key, label, button = "deadline", "Move the deadline", "Set the deadline"
    told = "Each by the clock of its club; both sides read what and why."

    @classmethod
    def fits(cls, row: Campaign) -> bool:
        return _is_running(row)

    def build(self) -> None:
        self.fields["until"] = forms.DateTimeField(
            label="Orders are due",
            required=False,
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
            help_text="Empty: no deadline.",
            error_messages={"invalid": "Give the deadline as a day and an hour, as 2026-12-24 20:00."},
        )
        self.fields["earlier"] = forms.BooleanField(label="It is to be earlier than was said", required=False)

    def line(self, row: Campaign) -> str:
        present = (
            f"{convert_to_club_time(row.deadline, row):%d %B %Y, %H:%M}" if row.deadline else "no deadline"
        )
        return f"{row.title}: {present} ({row.time_zone})"

    def acts(self, campaign: Campaign, rows: list[Any]) -> list[Act]:
        until = self.cleaned_data["until"]
        if until is None:
            return [Deadline("")]
        zone = ZoneInfo(campaign.time_zone)
        verify_wall(until, zone)
        return [Deadline(moment_at(until, zone).isoformat(), self.cleaned_data["earlier"])]


#: What the rhythm's fields are called where they are set.
RHYTHM_WORDS = {name: str(field.label) for name, field in RhythmForm.base_fields.items()}
RHYTHM_SHOWN = [f"shown_{name}" for name in RHYTHM]


@admin.register(Campaign, site=umpire_site)
class CampaignAdmin(DeskAdmin):
    """The campaigns themselves. The secret of the dice is on no page, the umpire's included."""

    campaign_lookup = "pk"
    list_display = ["title", "state", "days_played", "rests", "due", "battles_waiting"]
    list_filter = ["state"]
    search_fields = ["title", "slug"]
    fields = [
        "title", "scenario", "ruleset", "battle_policy", "state", "paused", "days_played", "revision", "due",
        *RHYTHM_SHOWN, "fingerprint",
    ]  # fmt: skip
    readonly_fields = ["days_played", "due", *RHYTHM_SHOWN, "fingerprint"]
    left_out = {"paused": "paused"}
    actions = [
        build_question_action(each)
        for each in (AdvanceQuestion, PauseQuestion, ResumeQuestion, DeadlineQuestion)
    ]
    site_word = "The week's desk"

    def campaign_of(self, row: Any) -> Campaign:
        return row

    def site_url(self, row: Any) -> str:
        return reverse("week-desk", args=[row.slug])

    @admin.display(description="commitment")
    def fingerprint(self, row: Campaign) -> SafeString:
        return format_html('<span class="fingerprint">{}</span>', row.commitment)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        waiting = Battle.objects.filter(
            campaign=OuterRef("pk"), revision=OuterRef("revision"), state=Battle.State.WAITING
        )
        counted = waiting.order_by().values("campaign").annotate(count=Count("pk")).values("count")
        return super().get_queryset(request).annotate(waiting=Subquery(counted)).defer("secret")

    shown_time_zone = shown_as("time_zone", RHYTHM_WORDS["time_zone"])
    shown_cadence_days = shown_as("cadence_days", RHYTHM_WORDS["cadence_days"])
    shown_run_until = shown_as("run_until", RHYTHM_WORDS["run_until"])
    shown_days_a_turn = shown_as("days_a_turn", RHYTHM_WORDS["days_a_turn"])
    shown_advance_at_deadline = shown_as("advance_at_deadline", RHYTHM_WORDS["advance_at_deadline"])
    shown_late_orders = shown_as("late_orders", RHYTHM_WORDS["late_orders"])
    shown_missed_orders = shown_as("missed_orders", RHYTHM_WORDS["missed_orders"])
    shown_run_on_days = shown_as("run_on_days", RHYTHM_WORDS["run_on_days"])
    shown_settle_after_days = shown_as("settle_after_days", RHYTHM_WORDS["settle_after_days"])
    shown_grace_hours = shown_as("grace_hours", RHYTHM_WORDS["grace_hours"])

    @admin.display(description="days played", ordering="day")
    def days_played(self, row: Campaign) -> int:
        return row.day

    @display(description="rests", boolean=True)
    def rests(self, row: Campaign) -> bool:
        return bool(row.paused)

    @admin.display(description="orders due", ordering="deadline")
    def due(self, row: Campaign) -> str:
        if row.deadline is None:
            return "by hand"
        return f"{convert_to_club_time(row.deadline, row):%d %b, %H:%M} ({row.time_zone})"

    @admin.display(description="battles waiting", ordering="waiting")
    def battles_waiting(self, row: Any) -> int:
        return row.waiting or 0


# --- notices ---


class SendAgainQuestion(Question):
    key, label, button, reasoned = "send_again", "Send again", "Send again", False
    told = "Notices that could not be sent wait for the clock once more."

    @classmethod
    def fits(cls, row: Notice) -> bool:
        return row.state == Notice.State.FAILED

    def line(self, row: Notice) -> str:
        return f"{row.user}: {row.get_kind_display()}, {row.get_state_display()}"

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        with transaction.atomic():
            for notice in self.rows:
                notice_again(notice=notice, actor=actor)
        return [format_html("{} to be sent again.", len(self.rows))]


@admin.register(Notice, site=umpire_site)
class NoticeAdmin(DeskAdmin):
    list_display = ["user", "kind", "state", "attempts", "campaign", "created_at", "sent_at"]
    list_filter = [campaign_filter("campaign"), "state", "kind"]
    list_select_related = ["campaign", "user"]
    search_fields = ["user__username", "user__first_name", "user__last_name"]
    fields = ["campaign", "user", "kind", "state", "ways", "attempts", "error", "created_at", "sent_at"]
    readonly_fields = ["ways"]
    left_out = {"error": "error"}
    ordering = ["-pk"]
    actions = [build_question_action(SendAgainQuestion)]

    @admin.display(description="by its ways")
    def ways(self, row: Notice) -> str:
        """Show the outcome on each channel; a channel's address stays private to its person."""
        rows = row.deliveries.select_related("channel")
        told = [f"{one.channel.get_kind_display()}: {one.get_state_display()}" for one in rows]
        return "; ".join(told) or "none"


# --- work ---


class JobQuestion(Question):
    reasoned = False

    def line(self, row: Job) -> str:
        return f"{KINDS.get(row.kind, row.kind)}, asked for {row.created_at:%d %B, %H:%M %Z}: {row.state}"


class StopQuestion(JobQuestion):
    key, label, button = "stop", "Stop", "Stop it"
    told = "Only work that writes nothing is stopped; what a worker has found so far may be lost."
    taking = True

    @classmethod
    def fits(cls, row: Job) -> bool:
        return row.state in GOES_ON and row.kind in STOPPABLE

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        with transaction.atomic():
            for job in self.rows:
                if job.kind not in STOPPABLE:
                    name = KINDS.get(job.kind, job.kind)
                    raise RuleViolation("HR-JOB-02", f"{name}: this cannot be stopped; wait for it.")
                job_stop(job=job, actor=actor, umpire=True)
        return [format_html("Stopped: {}.", len(self.rows))]


class TryAgainQuestion(JobQuestion):
    key, label, button = "try_again", "Try again", "Try again"
    told = "A worker takes it up anew."

    @classmethod
    def fits(cls, row: Job) -> bool:
        return row.state in (Job.State.FAILED, Job.State.CANCELLED)

    def perform(self, actor: User, seen: dict[int, int]) -> list[SafeString]:
        with transaction.atomic():
            for job in self.rows:
                work_again(job=job, actor=actor)
        return [format_html("Asked for again: {}.", len(self.rows))]


@admin.register(Job, site=umpire_site)
class UmpireJobAdmin(DeskAdmin):
    list_display = ["what", "state", "progress", "attempts", "campaign", "created_at", "finished_at"]
    list_filter = [campaign_filter("campaign"), "state"]
    list_select_related = ["campaign"]
    fields = [
        "what", "campaign", "state", "progress", "note", "attempts", "error", "created_at", "started_at",
        "finished_at",
    ]  # fmt: skip
    readonly_fields = ["what"]
    left_out = {"error": "error", "note": "note"}
    ordering = ["-pk"]
    actions = [build_question_action(StopQuestion), build_question_action(TryAgainQuestion)]
    site_word = "Work in hand"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(~Q(kind=""), parent=None).defer("payload", "result")

    def get_fields(self, request: HttpRequest, obj: Job | None = None) -> Any:
        """Work that is done says no longer how far it is."""
        shown = super().get_fields(request, obj)
        done = obj is not None and obj.state == Job.State.DONE
        return [each for each in shown if not (done and each == "note")]

    def site_url(self, row: Job) -> str:
        return reverse("jobs", args=[row.campaign.slug]) if row.campaign else ""

    @admin.display(description="what", ordering="kind")
    def what(self, row: Job) -> str:
        return KINDS.get(row.kind, row.kind)
