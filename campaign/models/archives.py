"""Archives people bring in, and the scenarios that came with archives."""

from django.db import models

from campaign.models.campaigns import Campaign, User
from campaign.models.jobs import Job


class Restoration(models.Model):
    """An archive a person has brought in to have its campaign restored (HR-ARC-03).

    `data` is the file until the campaign is there, or until it is of no use any more; `job` says how far the
    work is, and `campaign` what came of it.
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="restorations")
    job = models.OneToOneField(Job, on_delete=models.CASCADE, null=True, related_name="restoration")
    campaign = models.ForeignKey(Campaign, on_delete=models.SET_NULL, null=True, related_name="+")
    title = models.CharField(max_length=200, help_text="As the archive calls its campaign.")
    slug = models.SlugField(max_length=80, help_text="The address the campaign is to have.")
    data = models.BinaryField(help_text="The archive; empty once it is not needed.")
    size = models.PositiveIntegerField(help_text="Bytes of the archive.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the archive.")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.title


class KeptScenario(models.Model):
    """A scenario that came with an archive and is none of this site's, so that every machine has it."""

    digest = models.CharField(max_length=64, unique=True, help_text="As campaigns know it.")
    data = models.BinaryField(help_text="Its files as a zip.")

    def __str__(self) -> str:
        return self.digest
