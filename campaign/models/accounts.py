"""Records of persons: their last visits, and their invitations."""

from django.db import models
from django.utils import timezone

from campaign.models.campaigns import Campaign, User


class Visit(models.Model):
    """A person's last visit to a campaign; `record` is the key of its head then."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="visits")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="visits")
    record = models.PositiveBigIntegerField(default=0)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "campaign"], name="visit_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.campaign}"


class Invitation(models.Model):
    """A link to an empty seat, used once (HR-SET-13).

    Its token is kept as a hash, and `sealed` under the site's key while the link is good, so that the umpire
    can be shown it again. `email` is where the link was sent, if anywhere; whoever has the link may use it.
    """

    class State(models.TextChoices):
        OPEN = "open", "open"
        USED = "used", "taken up"
        TAKEN_BACK = "taken_back", "taken back"
        EXPIRED = "expired", "expired"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    seat = models.ForeignKey("campaign.Seat", on_delete=models.CASCADE, related_name="invitations")
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    sealed = models.TextField(blank=True, editable=False)
    email = models.EmailField(blank=True)
    letter = models.CharField(
        max_length=200, blank=True, help_text="Why its e-mail is not sent yet, or not at all; empty: it is."
    )
    expires_at = models.DateTimeField()
    made_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    used_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.seat}, {self.campaign}"

    @property
    def state(self) -> str:
        """Return the state of the invitation."""
        if self.used_at is not None:
            return self.State.USED
        if self.taken_back_at is not None:
            return self.State.TAKEN_BACK
        return self.State.EXPIRED if self.expires_at <= timezone.now() else self.State.OPEN


class InvitationKept(models.Model):
    """An invitation a person opened: it waits for him when he comes back, in another browser too."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="kept")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="invitations_kept")
    kept_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["invitation", "user"], name="invitation_kept_once")]

    def __str__(self) -> str:
        return f"{self.invitation} for {self.user}"


class MailWaiting(models.Model):
    """An e-mail the mail server has not taken yet, sealed; tried again until it is sent or given up."""

    sealed = models.TextField(editable=False)
    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, null=True, related_name="mails")
    channel = models.ForeignKey(
        "NoticeChannel",
        on_delete=models.CASCADE,
        null=True,
        related_name="mails",
        help_text="The way whose test notice it is.",
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_index=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["due_at", "id"]

    def __str__(self) -> str:
        return f"e-mail of {self.made_at:%Y-%m-%d %H:%M}"
