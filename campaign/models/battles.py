"""Table results: entries, and photographs of the fight."""

from django.db import models

from campaign.models.campaigns import User
from campaign.models.day_records import Battle
from campaign.models.fields import JSONField


class BattleEntry(models.Model):
    """A side's entry of a battle result, or the umpire's (`side` is ""); nothing counts before the umpire
    confirms it.

    `body` holds "units" (by id: SP "lost" and "captured", whether "destroyed"), "generals" (by id their
    fate), "held_by", "pursuit" and "notes"; what is left out was untouched. `version` counts the savings,
    so that two phones of one side do not overwrite each other unseen.
    """

    class State(models.TextChoices):
        DRAFT = "draft", "being entered"
        ENTERED = "entered", "entered"

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="entries")
    side = models.CharField(max_length=40, blank=True)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    body = JSONField(default=dict)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["side"]
        verbose_name_plural = "battle entries"
        constraints = [models.UniqueConstraint(fields=["battle", "side"], name="one_entry_a_side")]

    def __str__(self) -> str:
        return f"{self.battle}: {self.side or 'umpire'}"


class BattlePhoto(models.Model):
    """A photograph of the table, as JPEG made anew from what was sent; in the database, for every machine."""

    battle = models.ForeignKey(Battle, on_delete=models.CASCADE, related_name="photos")
    side = models.CharField(max_length=40, blank=True)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    image = models.BinaryField()
    caption = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.caption or f"{self.battle}, photograph {self.pk}"
