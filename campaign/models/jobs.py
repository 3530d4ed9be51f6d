"""Orders, jobs, and the heartbeat of the clock."""

import hmac
import json

from django.db import models
from django.utils.text import capfirst

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import JSONField
from campaign.text.job_names import KINDS
from campaign.text.place_names import format_id


class OrderPaper(models.Model):
    """One order as submitted: the last one standing when the day is advanced counts."""

    class State(models.TextChoices):
        STANDING = "standing", "submitted"
        REPLACED = "replaced", "replaced"
        CARRIED_OUT = "carried_out", "carried out"
        WITHDRAWN = "withdrawn", "withdrawn"
        DRAFT = "draft", "draft"
        QUEUED = "queued", "late, for the next day"
        LAPSED = "lapsed", "came late and could not be done"

    class Kind(models.TextChoices):
        ACTIVITY = "activity", "march or work"
        ORGANISATION = "organise", "organisation"
        RETURNS = "returns", "weekly returns"

    class Author(models.TextChoices):
        COMMANDER = "commander", "commander"
        STAFF = "staff", "staff"
        UMPIRE = "umpire", "umpire"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="order_papers")
    day = models.PositiveIntegerField(help_text="Campaign day it is for.")
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.ACTIVITY)
    formation = models.CharField(max_length=120, help_text="Subject: a formation, or for returns a side.")
    side = models.CharField(max_length=40)
    body = JSONField()
    version = models.PositiveIntegerField(default=1)
    number = models.PositiveIntegerField(help_text="Counted within the side's papers of this campaign.")
    state = models.CharField(max_length=12, choices=State.choices, default=State.STANDING)
    author = models.CharField(max_length=10, choices=Author.choices, default=Author.COMMANDER)
    submitted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    submitted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = "paper", "papers"
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "day", "kind", "formation", "version"], name="order_version"
            ),
            models.UniqueConstraint(fields=["campaign", "side", "number"], name="paper_number"),
            models.UniqueConstraint(
                fields=["campaign", "day", "kind", "formation"],
                condition=models.Q(state="standing"),
                name="one_standing_order",
            ),
        ]

    @property
    def receipt(self) -> str:
        """Number to quote: day, version and the paper's number."""
        return f"{self.day + 1}-{self.version}-{self.number}"

    @property
    def book(self) -> str:
        """In whose papers it has its number, as addresses say it."""
        return self.side or "umpire"

    @property
    def seal(self) -> str:
        """Twelve signs over all the paper says: a receipt kept by a player shows whether it changed."""
        facts = [self.day, self.kind, self.formation, self.side, self.version, self.body]
        text = json.dumps([*facts, self.submitted_at.isoformat()], sort_keys=True)
        return hmac.digest(bytes(self.campaign.secret), b"receipt/" + text.encode(), "sha256").hex()[:12]

    def __str__(self) -> str:
        """Told by the name of what it is about where a list has read that with it, else by its slug."""
        about = getattr(self, "formation_name", "") or format_id(self.formation)
        kind = "" if self.kind == self.Kind.ACTIVITY else self.get_kind_display()
        told = filter(None, (capfirst(about), kind, f"day {self.day + 1}", f"version {self.version}"))
        return ", ".join(told)


class PaperCount(models.Model):
    """The last number given to a side's orders; a discarded draft keeps its number."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="+")
    side = models.CharField(max_length=40)
    last = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "side"], name="paper_count")]

    def __str__(self) -> str:
        return f"{self.side} {self.last}"


class Job(models.Model):
    """Long work, written in the transaction that asks for it; Celery runs it after commit."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=200, unique=True, help_text="The same request twice is one job.")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, related_name="jobs")
    parent = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="parts", help_text="It is a part of that."
    )
    payload = JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    note = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=5)
    lease_until = models.DateTimeField(null=True, blank=True)
    result = JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name}, no. {self.pk}"

    @property
    def name(self) -> str:
        """Return the kind of the job in words."""
        return str(KINDS.get(self.kind) or capfirst(format_id(self.kind)))


class Heartbeat(models.Model):
    """The last beat of a clock; a clock that has stopped is noticed by its silence."""

    name = models.CharField(max_length=300, unique=True, help_text="Machines have names of 255 letters.")
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.beat_at}"


#: Seconds that attempts at work are counted within, and what stands for all the rest.
WORK_BOUNDS = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0)
WORK_MORE = "+Inf"


class WorkTime(models.Model):
    """Attempts at one kind of work that ended alike: how many, and how long they took; counted up only.

    `kind` is a job's, or the name of a task that the clock asks for. `within` has how many took no longer
    than so many seconds: the bound as text, and of each attempt only the least bound it kept.
    """

    class Ended(models.TextChoices):
        DONE = "done", "done"
        REFUSED = "refused", "refused"
        FAILED = "failed", "failed"
        LEFT = "left", "stopped, or left to another worker"

    kind = models.CharField(max_length=60)
    ended = models.CharField(max_length=10, choices=Ended.choices)
    count = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0.0, help_text="All of them together.")
    longest = models.FloatField(default=0.0, help_text="Seconds.")
    within = JSONField(default=dict)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["kind", "ended"]
        constraints = [models.UniqueConstraint(fields=["kind", "ended"], name="work_time_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.ended}"


class Fault(models.Model):
    """Something amiss with the machinery that the watch found; told once, and over when it is mended."""

    class Kind(models.TextChoices):
        STUCK = "stuck", "work is stuck"
        FAILED = "failed", "work failed"
        OVERDUE = "overdue", "a day is overdue"
        CLOCK = "clock", "the clock is silent"
        WORKER = "worker", "a worker is silent"
        NOTICE = "notice", "notices are not reached"
        MESSAGE = "message", "a message of the queue was put aside"
        MAIL = "mail", "the mail server does not work"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    subject = models.CharField(max_length=400, help_text="What it is about: a job, a campaign, a worker.")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, null=True, related_name="faults")
    said = models.CharField(max_length=500)
    found_at = models.DateTimeField(auto_now_add=True)
    over_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "subject"],
                condition=models.Q(over_at__isnull=True),
                name="one_fault_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return self.said
