"""Scenarios people have put up themselves."""

from django.db import models

from campaign.models.campaigns import User


class UploadedScenario(models.Model):
    """A scenario's files as its owner sent them, so that every machine of a site has them (HR-SCN-01)."""

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    owner = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="scenarios")
    data = models.BinaryField(help_text="The files as a zip, written anew.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the zip.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.title
