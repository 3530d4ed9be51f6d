"""Where and when: the campaign, its days, journal, orders, battles, seats and jobs.

Rows of `Station`, `Holding` and the rosters are the state of the head day, and together make the
pure `World` (see `campaign/state.py`). Day records form a tree keyed by campaign, revision and
day, each with its parent's hash; nothing is deleted.
"""

import hmac
import json
import secrets

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils import timezone

from rosters.models import Formation, OrderOfBattle


class User(AbstractUser):
    """A person. What they may do in a campaign is their seat's."""


def new_secret() -> bytes:
    """256 bits, the key of all dice of a campaign."""
    return secrets.token_bytes(32)


class Campaign(models.Model):
    class State(models.TextChoices):
        RUNNING = "running", "running"
        ENDED = "ended", "ended"

    class RunUntil(models.TextChoices):
        TURN = "turn", "the end of the turn"
        CONTACT = "contact", "a contact"
        SIGHTING = "sighting", "a new sighting"
        WEEK = "week", "the end of the week"

    class LateOrders(models.TextChoices):
        REFUSE = "refuse", "refused"
        QUEUE = "queue", "kept for the next day"

    class MissedOrders(models.TextChoices):
        CARRY_ON = "carry_on", "carry on"
        HALT = "halt", "halt"
        STAFF = "staff", "the staff writes them"

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    scenario = models.CharField(max_length=80)
    scenario_digest = models.CharField(max_length=64)
    order_of_battle = models.OneToOneField(OrderOfBattle, on_delete=models.PROTECT, related_name="campaign")
    ruleset = models.CharField(max_length=30, default="awi")
    battle_policy = models.CharField(
        max_length=10,
        choices=[("ask", "ask each time"), ("automatic", "settle by the engine")],
        default="ask",
    )
    settings = models.JSONField(default=dict)
    secret = models.BinaryField(default=new_secret, editable=False)
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the secret of the dice.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    revision = models.PositiveIntegerField(default=1)
    day = models.PositiveIntegerField(default=0, help_text="Days completed.")
    wet_days = models.PositiveSmallIntegerField(default=0)
    away = models.JSONField(
        default=dict, blank=True, help_text="Wounded generals, and the campaign day on which they are back."
    )
    head = models.ForeignKey("DayRecord", on_delete=models.PROTECT, null=True, related_name="+")
    deadline = models.DateTimeField(null=True, blank=True, help_text="Orders for the next day are due.")
    dice_revision = models.PositiveIntegerField(
        default=1, help_text="Part of every die's address; a rewind keeps it unless new dice are asked for."
    )
    time_zone = models.CharField(max_length=60, default="UTC", help_text="The club's time zone.")
    cadence_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Real days from one deadline to the next; empty: set by hand."
    )
    days_a_turn = models.PositiveSmallIntegerField(default=1, help_text="Campaign days played a deadline.")
    run_until = models.CharField(max_length=10, choices=RunUntil.choices, default=RunUntil.TURN)
    advance_at_deadline = models.BooleanField(default=False)
    late_orders = models.CharField(max_length=10, choices=LateOrders.choices, default=LateOrders.REFUSE)
    missed_orders = models.CharField(
        max_length=10, choices=MissedOrders.choices, default=MissedOrders.CARRY_ON
    )
    run_on_days = models.PositiveSmallIntegerField(
        default=3, help_text="Days the rest may run on, provisionally, while a battle waits."
    )
    settle_after_days = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Real days after which the engine settles a waiting battle."
    )
    paused = models.CharField(max_length=300, blank=True, help_text="Why the campaign rests; empty: it runs.")
    demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.slug])

    def head_of_week(self, week: int) -> "DayRecord":
        """The record that closed a week, counted from 1, the last time it was played."""
        return self.records.filter(day=7 * week, kind=DayRecord.Kind.WEEK).latest("revision")


class Seat(models.Model):
    """What a person may do in a campaign; `side` is a side's slug, empty for the umpire.

    A column commander orders the formations named here and what is detached from them (HR-SET-05).
    """

    class Role(models.TextChoices):
        UMPIRE = "umpire", "umpire"
        COMMANDER = "commander", "commander"
        COLUMN = "column", "column commander"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="seats", null=True, blank=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    side = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=100, blank=True)
    formations = models.JSONField(default=list, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "role", "side"],
                condition=~models.Q(role="column"),
                name="one_seat_a_side",
            )
        ]

    def __str__(self) -> str:
        return self.title or f"{self.role} {self.side}".strip()


class Station(models.Model):
    """Where a formation stands and what it is doing."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="stations")
    formation = models.OneToOneField(Formation, on_delete=models.CASCADE, related_name="station")
    on_map = models.BooleanField(default=False)
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    origin = models.CharField(max_length=60, blank=True)
    destination = models.CharField(max_length=60, blank=True)
    yards = models.PositiveIntegerField(default=0)
    order = models.JSONField(null=True, blank=True)
    marched = models.PositiveSmallIntegerField(default=0)
    light_days = models.PositiveSmallIntegerField(default=0)
    leader = models.SlugField(max_length=120, blank=True)
    rations = models.PositiveIntegerField(null=True, blank=True)
    hungry_days = models.PositiveSmallIntegerField(default=0)
    waited = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.formation} at {self.place or self.route or 'no place'}"


class Holding(models.Model):
    """Which side holds a place."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="holdings")
    place = models.CharField(max_length=60)
    side = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "place"], name="one_holder_a_place")]

    def __str__(self) -> str:
        return f"{self.place}: {self.side}"


class Marker(models.Model):
    """A counter on the campaign map, as `campaign.rules.markers` has it: kind, subject and what it says."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="markers")
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=200)
    body = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "kind", "subject"], name="marker_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class DayRecord(models.Model):
    """One step of a campaign, chained to its parent.

    `inputs` holds all that went in besides the world (orders, settlements, week's choices, entered
    dice); `snapshot` the world afterwards as compressed canonical JSON. `record_hash` is SHA-256
    over the parent's hash, the versions and salted `commitments` of all the rest (`campaign.chain`).
    """

    class Kind(models.TextChoices):
        START = "start", "start"
        DAY = "day", "day"
        WEEK = "week", "week's end"
        ACT = "act", "umpire's act"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="records")
    revision = models.PositiveIntegerField()
    day = models.PositiveIntegerField(help_text="Days completed after this step.")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    ordinal = models.PositiveIntegerField(default=0, help_text="Counts the umpire's acts on one morning.")
    dice_revision = models.PositiveIntegerField(default=1)
    reason = models.CharField(max_length=300, blank=True)
    parent = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="children")
    inputs = models.JSONField(default=dict)
    versions = models.JSONField(default=dict)
    events_hash = models.CharField(max_length=64)
    world_hash = models.CharField(max_length=64)
    record_hash = models.CharField(max_length=64)
    commitments = models.JSONField(default=dict, help_text="Empty for records of before they were salted.")
    snapshot = models.BinaryField()
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            # A day exists once: whoever comes second fails here and writes nothing.
            models.UniqueConstraint(
                fields=["campaign", "revision", "day", "kind", "ordinal"], name="day_exists_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug} {self.kind} {self.day}"


class ProvisionalDay(models.Model):
    """A day the rest of the theatre has played while a battle waits (HR-CAL-11); no part of the chain.

    `parts` are the formations locked, with the contacts they wait for and their ground; `halted` those
    of them that do not march that day. `inputs` are its papers, `events` what the rest did, `snapshot`
    the next morning with the locked where they stood. `follows` is the provisional day before it.
    `record` is the definitive day, once the outcome is in.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="provisional_days")
    revision = models.PositiveIntegerField()
    day = models.PositiveIntegerField(help_text="Campaign day that was played, 0 for the first.")
    follows = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    record = models.ForeignKey(DayRecord, on_delete=models.SET_NULL, null=True, related_name="provisional")
    inputs = models.JSONField(default=dict)
    parts = models.JSONField(default=list)
    halted = models.JSONField(default=list)
    events = models.JSONField(default=list)
    snapshot = models.BinaryField()
    actor = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["day"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "revision", "day"], name="provisional_day_once")
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug} day {self.day}, provisional"


class JournalEntry(models.Model):
    """One event as it happened; append-only. `sides` is "|red|blue|" of those who may read it."""

    record = models.ForeignKey(DayRecord, on_delete=models.CASCADE, related_name="entries")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="journal")
    day = models.PositiveIntegerField(help_text="Campaign day it happened on, 0 for the first.")
    ordinal = models.PositiveIntegerField()
    minute = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=40)
    rule = models.CharField(max_length=30)
    sides = models.CharField(max_length=120, blank=True)
    unit = models.CharField(max_length=120, blank=True)
    formation = models.CharField(max_length=120, blank=True)
    pool = models.CharField(max_length=40, blank=True)
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    contact = models.CharField(max_length=200, blank=True)
    before = models.IntegerField(null=True, blank=True)
    after = models.IntegerField(null=True, blank=True)
    rolls = models.JSONField(default=list)
    modifiers = models.JSONField(default=list)
    data = models.JSONField(default=dict)

    class Meta:
        ordering = ["record_id", "ordinal"]
        verbose_name_plural = "journal entries"
        constraints = [models.UniqueConstraint(fields=["record", "ordinal"], name="entry_once")]
        indexes = [models.Index(fields=["campaign", "day"])]

    def __str__(self) -> str:
        return f"{self.day}: {self.kind}"


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
    body = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=12, choices=State.choices, default=State.STANDING)
    author = models.CharField(max_length=10, choices=Author.choices, default=Author.COMMANDER)
    submitted_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    submitted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "day", "kind", "formation", "version"], name="order_version"
            ),
            models.UniqueConstraint(
                fields=["campaign", "day", "kind", "formation"],
                condition=models.Q(state="standing"),
                name="one_standing_order",
            ),
        ]

    @property
    def receipt(self) -> str:
        """Number to quote: day, version and row."""
        return f"{self.day + 1}-{self.version}-{self.pk}"

    @property
    def seal(self) -> str:
        """Twelve signs over all the paper says: a receipt kept by a player shows whether it changed."""
        facts = [self.day, self.kind, self.formation, self.side, self.version, self.body]
        text = json.dumps([*facts, self.submitted_at.isoformat()], sort_keys=True)
        return hmac.digest(bytes(self.campaign.secret), b"receipt/" + text.encode(), "sha256").hex()[:12]

    def __str__(self) -> str:
        return f"{self.formation} day {self.day} version {self.version}"


class Battle(models.Model):
    """A contact that stops a day until it is settled by engine, tabletop or umpire's word."""

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SETTLED = "settled", "settled"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="battles")
    revision = models.PositiveIntegerField(default=1)
    dice_revision = models.PositiveIntegerField(default=1)
    day = models.PositiveIntegerField()
    contact = models.CharField(max_length=200)
    minute = models.PositiveSmallIntegerField()
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    attacker = models.CharField(max_length=40)
    defender = models.CharField(max_length=40)
    inputs = models.JSONField(help_text="The contact and battle file, frozen when the battle opened.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    source = models.CharField(max_length=10, blank=True)
    settlement = models.JSONField(null=True, blank=True)
    account = models.JSONField(default=list, blank=True)
    settled_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["day", "minute", "id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "revision", "contact"], name="battle_exists_once")
        ]

    def __str__(self) -> str:
        return f"{self.inputs['file']['title']}, day {self.day + 1}"


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
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.QUEUED)
    progress = models.PositiveSmallIntegerField(default=0)
    note = models.CharField(max_length=300, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    max_attempts = models.PositiveSmallIntegerField(default=5)
    lease_until = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(null=True, blank=True)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class Notice(models.Model):
    """One letter to one person, sent once: what it is about is its kind and subject (HR-DUE-03)."""

    class Kind(models.TextChoices):
        DUE = "due", "orders are due"
        LATE = "late", "orders were missed"
        OVERDUE = "overdue", "the day is overdue"
        PUBLISHED = "published", "a day has been played"

    class State(models.TextChoices):
        PENDING = "pending", "to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        FAILED = "failed", "could not be sent"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notices")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    subject = models.CharField(max_length=80, help_text="The deadline or the day record it is about.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "kind", "subject"], name="notice_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Heartbeat(models.Model):
    """When a clock last struck; one that has stopped is noticed by its silence."""

    name = models.CharField(max_length=40, unique=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.beat_at}"
