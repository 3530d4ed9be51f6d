"""Notices to persons, the ways they go, and what became of each (HR-DUE-03, HR-DUE-07, HR-DUE-08)."""

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.text import capfirst

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import JSONField


def new_key() -> str:
    """Return a new key for a message, by which the receiver recognises a repeat."""
    return secrets.token_hex(16)


class Notice(models.Model):
    """One thing told to one person, once: what it is about is its kind and subject (HR-DUE-03).

    It stands on his page of notices; his ways carry it further, each by a `Delivery`, and `state` sums
    them up: reached by one way is reached.
    """

    class Kind(models.TextChoices):
        DUE = "due", "orders are due"
        LATE = "late", "orders were missed"
        STAFF = "staff", "the staff wrote your orders"
        BATTLE = "battle", "a battle waits"
        RESULT = "result", "a result came in"
        PUBLISHED = "published", "a day has been played"
        BULLETIN = "bulletin", "the week's bulletin is out"
        LETTER = "letter", "a letter has come in"
        OFFERED = "offered", "a seat is offered"
        SEAT = "seat", "your seat has gone to another"
        GRACE = "grace", "more time after an outage"
        VACANT = "vacant", "a seat is empty"
        OVERDUE = "overdue", "the day is overdue"
        AWAY = "away", "a commander is away"

    class State(models.TextChoices):
        PENDING = "pending", "to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        FAILED = "failed", "could not be sent"
        KEPT = "kept", "on the site only"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="notices")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    subject = models.CharField(max_length=80, help_text="The deadline or the day record it is about.")
    state = models.CharField(max_length=8, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    #: What its reader may know of the matter, where `complete_notices` has read it; None before.
    facts: str | None = None
    #: Whether the battle it asks its reader to see to is resolved, undone or no longer theirs to see; read
    #: with the facts.
    is_over: bool = False

    class Meta:
        ordering = ["id"]
        verbose_name, verbose_name_plural = "notice", "notices"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "user", "kind", "subject"], name="notice_once")
        ]
        indexes = [
            models.Index(fields=["user", "read_at"], name="notice_unread"),
            models.Index(fields=["state"], name="notice_state"),
        ]

    def __str__(self) -> str:
        name = self.user.get_full_name() or self.user.get_username()
        return f"{capfirst(self.get_kind_display())}: {name}, {self.created_at.day} {self.created_at:%B}"


class NoticeChannel(models.Model):
    """A way to reach a person: which notices go by it, and when (HR-DUE-07).

    `address` and `secret` are sealed and never shown again; people see `shown`. The way ACCOUNT has no
    address of its own: it goes to the account's. Others carry nothing before `verified_at`, when the
    person has entered the code of a test notice.
    """

    class Kind(models.TextChoices):
        ACCOUNT = "account", "Mail to your account's address"
        MAIL = "mail", "Mail to another address"
        SERVICE = "service", "Discord, Slack, Telegram and the like"
        WEBHOOK = "webhook", "A program of yours (webhook)"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="channels")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    label = models.CharField(max_length=60, blank=True)
    address = models.TextField(blank=True, editable=False)
    address_hash = models.CharField(max_length=64, blank=True, editable=False)
    secret = models.TextField(blank=True, editable=False)
    shown = models.CharField(max_length=120, blank=True)
    on = models.BooleanField(default=True)
    left_out = JSONField(default=list, blank=True, help_text="Kinds of notices that do not go by it.")
    daily_at = models.TimeField(null=True, blank=True, help_text="Hour of the daily digest; empty: at once.")
    code = models.TextField(blank=True, editable=False)
    code_until = models.DateTimeField(null=True, blank=True)
    code_tries = models.PositiveSmallIntegerField(default=0)
    verified_at = models.DateTimeField(null=True, blank=True)
    reached_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "address_hash"], name="notice_channel_once")
        ]

    def __str__(self) -> str:
        return self.label or self.get_kind_display()

    @property
    def goes_nowhere(self) -> bool:
        """True if the channel is an e-mail channel on a site that sends no e-mail (settings.MAIL_IS_SENT)."""
        return self.kind in MAIL_KINDS and not settings.MAIL_IS_SENT

    @property
    def works(self) -> bool:
        """True if notifications are sent by this channel."""
        if self.goes_nowhere or not (self.on and self.user.is_active):
            return False
        return bool(self.user.email) if self.kind == self.Kind.ACCOUNT else self.verified_at is not None


#: Ways by letter, and what is said of them where EMAIL_URL is not set: what is "sent" there ends in the log.
MAIL_KINDS = (NoticeChannel.Kind.ACCOUNT, NoticeChannel.Kind.MAIL)
NO_MAIL = "This site sends no mail."


class Delivery(models.Model):
    """A notice on one way: tried until it is there, with growing pauses (HR-DUE-08).

    `key` names it to the receiver. Those that go together in a digest have one `batch`, and go together
    again. A worker that sends holds a lease.
    """

    class State(models.TextChoices):
        PENDING = "pending", "to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        FAILED = "failed", "could not be sent"

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.ForeignKey(NoticeChannel, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=8, choices=State.choices, default=State.PENDING)
    key = models.CharField(max_length=40, unique=True, default=new_key, editable=False)
    daily = models.BooleanField(default=False)
    batch = models.CharField(max_length=40, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    lease_until = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["notice", "channel"], name="delivery_once")]
        indexes = [models.Index(fields=["state", "due_at"], name="delivery_due")]

    def __str__(self) -> str:
        return f"{self.notice} by {self.channel_id}"


class CalendarFeed(models.Model):
    """The secret address of a person's calendar of deadlines; only its hash is kept (HR-DUE-10)."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="calendar_feed")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar of {self.user}"
