"""Weekly bulletins published beside the days, and drafts of campaign set-ups."""

from django.db import models

from campaign.models.campaigns import Campaign, User
from campaign.models.fields import JSONField


class Bulletin(models.Model):
    """The week as one side, or the public (`side` is ""), may read it; published, `body` is frozen."""

    class State(models.TextChoices):
        DRAFT = "draft", "being written"
        PUBLISHED = "published", "published"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="bulletins")
    revision = models.PositiveIntegerField()
    week = models.PositiveIntegerField(help_text="Counted from 1.")
    side = models.CharField(max_length=40, blank=True)
    foreword = models.TextField(blank=True)
    body = JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["week", "side"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "revision", "week", "side"], name="bulletin_once")
        ]

    def __str__(self) -> str:
        return f"{self.campaign.slug}, week {self.week}, {self.side or 'public'}"


class CampaignDraft(models.Model):
    """A campaign being set up, page by page; `body` is what has been chosen so far.

    The units of a table that was chosen (HR-SET-18) stand apart, so that lists need not read them.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="campaign_drafts")
    body = JSONField(default=dict)
    armies = JSONField(
        default=list, blank=True, help_text="Units of the table chosen in place of the scenario's."
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated_at"]

    def __str__(self) -> str:
        return str(self.body.get("title") or "a campaign")
