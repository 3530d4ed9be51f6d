"""Letters between the people of a campaign; no part of the chained course (HR-LET)."""

from secrets import token_hex

from django.db import models
from django.db.models import F, Q

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import CountedKeyField
from campaign.models.seats import Seat


def new_code() -> str:
    """Return a new code for a dispatch's address: a row's number would reveal how many others write."""
    return token_hex(6)


class Letter(models.Model):
    """A letter as written from a seat; never changed afterwards.

    `role`, `side` and `title` are those of the writer's seat then. `root` is the
    first letter of its thread, itself if it answers none. `sealed`: only those it is for read it, and the
    umpires (HR-LET-02). `undone`: the campaign has gone back before the day it was written on (HR-LET-04).
    One that `rides` goes by courier (HR-LET-05): it waits until the evening of campaign day `left`, and may
    be `withdrawn` until then.
    """

    id = CountedKeyField(primary_key=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="letters")
    code = models.CharField(max_length=12, unique=True, default=new_code, editable=False)
    author = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.SET_NULL, null=True, related_name="+")
    role = models.CharField(max_length=12, choices=Seat.Role.choices)
    side = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=100)
    subject = models.CharField(max_length=100, blank=True)
    text = models.TextField()
    sealed = models.BooleanField(default=True)
    answers = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="answered_by")
    root = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    day = models.PositiveIntegerField(help_text="Campaign day on whose morning it was written.")
    undone = models.BooleanField(default=False)
    rides = models.BooleanField(default=False)
    left = models.PositiveIntegerField(null=True)
    withdrawn = models.BooleanField(default=False)
    written_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["campaign", "author", "written_at"])]

    def __str__(self) -> str:
        return self.subject or "A letter"

    @property
    def waits(self) -> bool:
        """True if the dispatch has not left yet and will, so that its writer may call it back (HR-LET-05)."""
        return self.rides and self.left is None and not self.withdrawn and not self.undone


class LetterCopyQuerySet(models.QuerySet["LetterCopy"]):
    """Copies by what has become of them."""

    def filter_delivered(self) -> "LetterCopyQuerySet":
        """Those that have come in by the campaign's present morning; after its end all that have left."""
        ended = Q(letter__campaign__state=Campaign.State.ENDED, due__isnull=False)
        in_now = Q(due__lte=F("letter__campaign__day")) | ended
        return self.filter(in_now, taken=False, letter__undone=False, letter__withdrawn=False)

    def unread_by(self, user: User) -> "LetterCopyQuerySet":
        """Those that wait in a seat the person holds today."""
        day = F("letter__campaign__day")
        held = Q(seat__until_day=None) | Q(seat__until_day__gt=day)
        return self.filter_delivered().filter(held, seat__user=user, seat__from_day__lte=day, read_at=None)


class LetterCopy(models.Model):
    """A letter for one seat, in on the morning of the campaign day `due`; None until it has left.

    By courier it comes in at `minute` of campaign day `day`. `die` was thrown for the courier; of one
    `taken` the enemy's commander has a copy of his own, `captured` (HR-LET-06).
    """

    id = CountedKeyField(primary_key=True)
    letter = models.ForeignKey(Letter, on_delete=models.CASCADE, related_name="copies")
    seat = models.ForeignKey(Seat, on_delete=models.SET_NULL, null=True, related_name="letters")
    side = models.CharField(max_length=40, blank=True)
    title = models.CharField(max_length=100)
    due = models.PositiveIntegerField(null=True)
    day = models.PositiveIntegerField(null=True)
    minute = models.PositiveSmallIntegerField(null=True)
    die = models.PositiveSmallIntegerField(null=True)
    taken = models.BooleanField(default=False)
    captured = models.BooleanField(default=False)
    read_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    read_at = models.DateTimeField(null=True)

    objects = LetterCopyQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["letter", "seat"], name="letter_once_to_a_seat")]

    def __str__(self) -> str:
        return f"{self.letter} to {self.title}"
