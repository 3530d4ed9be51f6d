"""API tokens, and answers kept for repeated requests."""

from django.db import models
from django.utils import timezone

from campaign.models.campaigns import User
from campaign.models.fields import JSONField


class ApiToken(models.Model):
    """A person's key for a program. Only its hash is kept; `scopes` say what it may do of what he may."""

    class Scope(models.TextChoices):
        READ = "read", "read what I may read"
        ORDER = "order", "write my papers, plans, results and letters"
        UMPIRE = "umpire", "act as umpire where I am one"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    scopes = JSONField(default=list)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def good(self) -> bool:
        """True if the token is active."""
        return self.revoked_at is None and self.expires_at > timezone.now()


class IdempotencyKey(models.Model):
    """A request that came with a key of the caller's, and its answer; `status` is empty while in work."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    method = models.CharField(max_length=8)
    path = models.CharField(max_length=300)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the request's body.")
    status = models.PositiveSmallIntegerField(null=True)
    answer = JSONField(null=True)
    headers = JSONField(default=dict)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]
        indexes = [models.Index(fields=["made_at"])]

    def __str__(self) -> str:
        return f"{self.key} of {self.user}"
