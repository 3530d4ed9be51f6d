"""Seats with their dates, former holders, and absences."""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import JSONField


class SeatQuerySet(models.QuerySet["Seat"]):
    """Seats by the time they are held."""

    def in_force(self) -> "SeatQuerySet":
        """Seats whose dates of command hold the campaign's coming day (HR-SET-07)."""
        begun = Q(from_day__lte=F("campaign__day"))
        return self.filter(begun, Q(until_day=None) | Q(until_day__gt=F("campaign__day")))


class Seat(models.Model):
    """A person's role in a campaign; `side` is a side's slug, empty for a role without one.

    A column commander orders the formations named here and what is detached from them (HR-SET-05). A
    deputy stands for another seat, a guest fights one battle. Command begins on the morning of the
    campaign day `from_day` and ends on that of `until_day`, both counted from 0 (HR-SET-07).
    """

    class Role(models.TextChoices):
        UMPIRE = "umpire", "umpire"
        ASSISTANT = "assistant", "assistant umpire"
        COMMANDER = "commander", "commander"
        COLUMN = "column", "column commander"
        DEPUTY = "deputy", "deputy"
        GUEST = "guest", "guest for a battle"
        RESERVE = "reserve", "reserve"
        SPECTATOR = "spectator", "spectator"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="seats", null=True, blank=True)
    role = models.CharField(max_length=12, choices=Role.choices)
    side = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=100, blank=True)
    formations = JSONField(default=list, blank=True)
    stands_for = models.ForeignKey(
        "self", on_delete=models.RESTRICT, related_name="deputies", null=True, blank=True
    )
    battle = models.ForeignKey(
        "campaign.Battle", on_delete=models.CASCADE, related_name="guests", null=True, blank=True
    )
    from_day = models.PositiveIntegerField(default=0, help_text="Campaign day of its first morning.")
    until_day = models.PositiveIntegerField(
        null=True, blank=True, help_text="Campaign day on whose morning it ends; empty: with the campaign."
    )
    offered = models.BooleanField(default=False, help_text="Empty, and anybody on the reserve may take it.")
    nothing_new = models.PositiveIntegerField(
        null=True, blank=True, help_text="Campaign day for which its people have said that nothing is new."
    )
    missed_at = models.DateTimeField(
        null=True, blank=True, help_text="The last deadline at which its side had given no orders."
    )

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "role", "side", "from_day"],
                condition=models.Q(role__in=["umpire", "commander"]),
                name="one_seat_a_side",
            ),
            models.CheckConstraint(
                condition=Q(until_day=None) | Q(until_day__gt=F("from_day")), name="seat_ends_after_it_begins"
            ),
            models.CheckConstraint(
                condition=Q(role="deputy", stands_for__isnull=False)
                | (~Q(role="deputy") & Q(stands_for__isnull=True)),
                name="deputy_stands_for_a_seat",
            ),
            models.CheckConstraint(
                condition=Q(role="guest", battle__isnull=False) | (~Q(role="guest") & Q(battle__isnull=True)),
                name="guest_has_a_battle",
            ),
        ]

    def __str__(self) -> str:
        return self.title or f"{self.role} {self.side}".strip()

    def holds(self, day: int) -> bool:
        """True if its dates of command include a campaign day, counted from 0 (HR-SET-07)."""
        return self.from_day <= day and (self.until_day is None or day < self.until_day)


class Tenure(models.Model):
    """A former tenure of a seat, from one campaign day to another: kept when the seat goes on to somebody
    else.

    Seats and persons may be gone; their words stay (HR-SET-07).
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="tenures")
    seat = models.ForeignKey(Seat, on_delete=models.SET_NULL, null=True, related_name="tenures")
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="tenures")
    role = models.CharField(max_length=12, choices=Seat.Role.choices)
    side = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=100, blank=True)
    name = models.CharField(max_length=150, help_text="The person's name then.")
    from_day = models.PositiveIntegerField()
    until_day = models.PositiveIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["from_day", "id"]

    def __str__(self) -> str:
        return f"{self.title or self.role}: {self.name}"


class Absence(models.Model):
    """Days on which a person is away, both counted in, by his own calendar (HR-SET-09)."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    word = models.CharField(max_length=120, blank=True, help_text="What the others are told, as “hiking”.")

    class Meta:
        ordering = ["first", "id"]
        constraints = [
            models.CheckConstraint(condition=Q(last__gte=F("first")), name="absence_ends_after_it_begins")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.first} to {self.last}"

    def covers(self, moment: datetime) -> bool:
        """True if the person is away at a moment."""
        return self.first <= local_date(self.user, moment) <= self.last


def find_person_time_zone(user: Any) -> ZoneInfo:
    """A person's clock; UTC for one who has not said where they are, or is not signed in."""
    return ZoneInfo(getattr(user, "time_zone", "") or "UTC")


def find_time_zone(user: Any, campaign: Campaign) -> ZoneInfo:
    """The clock a person is told a campaign's moments by: his own, or the club's where he has named none."""
    return ZoneInfo(getattr(user, "time_zone", "") or campaign.time_zone)


def format_time_zone(zone: ZoneInfo) -> str:
    """Name a time zone: "America/New York"."""
    return zone.key.replace("_", " ")


def clock_time(moment: datetime, zone: ZoneInfo) -> datetime:
    """A moment by a clock, without its zone: templates turn any other into the site's own time."""
    return moment.astimezone(zone).replace(tzinfo=None)


def local_date(user: User, moment: datetime | None = None) -> date:
    """The date by a person's clock, now if no moment is given."""
    return (moment or timezone.now()).astimezone(find_person_time_zone(user)).date()
