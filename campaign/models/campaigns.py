"""Campaigns, their people, and who sits where."""

import secrets
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils import timezone

from campaign.models.fields import JSONField
from rosters.models import OrderOfBattle

if TYPE_CHECKING:
    from campaign.models.day_records import DayRecord


class User(AbstractUser):
    """A person. What they may do in a campaign is their seat's.

    Between `quiet_from` and `quiet_until` by his own clock he is sent no notices (HR-DUE-05). An account is
    closed, never deleted: `closed_at` is when, and nothing of the person is left in its row (HR-SET-16).
    """

    time_zone = models.CharField(
        max_length=60, blank=True, help_text="The person's clock; empty: that of each campaign's club."
    )
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)


#: How long an end can be undone, before the secret of the dice is told (HR-PRF-02).
UNDONE_WITHIN = timedelta(days=1)


def new_secret() -> bytes:
    """256 bits, the key of all dice of a campaign."""
    return secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class Grace:
    """More time that was given after an outage from `since` to `to` (HR-DUE-12).

    After a restore `since` is the backup's moment. `deadline` is the one that was moved to `until`, from
    which the cadence goes on; None if none was.
    """

    SILENCE: ClassVar[str] = "silence"
    RESTORE: ClassVar[str] = "restore"

    cause: str
    since: datetime
    to: datetime
    until: datetime
    deadline: datetime | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in asdict(self).items()
        }

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> "Grace":
        moments = {
            name: datetime.fromisoformat(value)
            for name, value in row.items()
            if name != "cause" and value is not None
        }
        return cls(row["cause"], **moments)


#: Addresses beside those of campaigns, which no campaign can have.
TAKEN = ("new",)


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
    armies = JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text="Units that took the place of the scenario's (HR-SET-18); empty: the scenario's.",
    )
    published = JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="Order of battle both sides have read of an empty map or a new season; null: the armies'.",
    )
    ruleset = models.CharField(max_length=30, default="awi")
    ruleset_options = JSONField(
        default=dict,
        blank=True,
        help_text="Options of tactical rules by ruleset; what is left out has its default.",
    )
    battle_policy = models.CharField(
        max_length=10,
        choices=[
            ("ask", "ask each time"),
            ("automatic", "settle by the engine"),
            ("table", "fight on the table"),
        ],
        default="ask",
    )
    table_units = models.PositiveSmallIntegerField(
        default=20, help_text="Units a side that fit the table; of a larger fight one sector is fought."
    )
    settings = JSONField(default=dict)
    secret = models.BinaryField(default=new_secret, editable=False)
    commitment = models.CharField(max_length=64, help_text="SHA-256 of the secret of the dice.")
    state = models.CharField(max_length=10, choices=State.choices, default=State.RUNNING)
    revision = models.PositiveIntegerField(default=1)
    day = models.PositiveIntegerField(default=0, help_text="Days completed.")
    wet_days = models.PositiveSmallIntegerField(default=0)
    away = JSONField(
        default=dict, blank=True, help_text="Wounded generals, and the campaign day on which they are back."
    )
    head = models.ForeignKey("DayRecord", on_delete=models.PROTECT, null=True, related_name="+")
    imported_head = models.CharField(
        max_length=64,
        default="",
        blank=True,
        editable=False,
        help_text="Hash of the head with which it was imported; empty: never.",
    )
    deadline = models.DateTimeField(null=True, blank=True, help_text="Orders for the next day are due.")
    deadline_meant = models.TimeField(
        null=True,
        blank=True,
        help_text="Hour of the cadence by the club's clock, which summer time may have skipped.",
    )
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
    grace_hours = models.PositiveSmallIntegerField(
        default=24, help_text="Hours of grace after an outage over a deadline; 0: none."
    )
    grace = JSONField(default=dict, blank=True, help_text="The last grace that was given.")
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
    spectator_days = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=7,
        help_text="Campaign days after which spectators see what happened; empty: they see nothing.",
    )
    spectator_side = models.CharField(
        max_length=40, blank=True, help_text="The side whose knowledge spectators are shown; empty: all."
    )
    paused = models.CharField(max_length=300, blank=True, help_text="Why the campaign rests; empty: it runs.")
    demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.slug])

    @property
    def overdue(self) -> bool:
        """True if the deadline has passed and its day is not played; a paused campaign has no deadline."""
        runs = not self.paused and self.state != self.State.ENDED
        return runs and self.deadline is not None and self.deadline < timezone.now()

    @property
    def grace_given(self) -> Grace | None:
        """The last grace after an outage, over or not; None if there never was one."""
        return Grace.from_json(self.grace) if self.grace else None

    @property
    def grace_now(self) -> Grace | None:
        """The grace that has not ended; a campaign that rests or has ended needs none."""
        grace = self.grace_given
        runs = not self.paused and self.state != self.State.ENDED
        return grace if grace is not None and runs and grace.until > timezone.now() else None

    @property
    def cadence_from(self) -> datetime | None:
        """The deadline the cadence goes on from: the present one, or the one a grace has moved to it."""
        grace = self.grace_given
        if grace is not None and grace.deadline is not None and grace.until == self.deadline:
            return grace.deadline
        return self.deadline

    @property
    def dice_told(self) -> bool:
        """True if the secret of the dice is public (HR-PRF-02)."""
        if self.state != self.State.ENDED or self.head is None:
            return False
        return self.head.created_at + UNDONE_WITHIN <= timezone.now()

    def head_of_week(self, week: int) -> "DayRecord":
        """The record that closed a week, counted from 1, the last time it was played."""
        return self.records.filter(day=7 * week, kind="week").latest("revision")
