"""What is kept of persons rather than of campaigns: when they looked in last."""

from django.db import models

from campaign.models.campaigns import Campaign, User


class Visit(models.Model):
    """When a person last looked into a campaign; `record` is the key of its head then."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="visits")
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="visits")
    record = models.PositiveBigIntegerField(default=0)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "campaign"], name="visit_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.campaign}"
