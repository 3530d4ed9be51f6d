"""The state of the head day besides the rosters: where bodies stand, who holds what, counters."""

from django.db import models

from campaign.models.campaigns import Campaign
from campaign.models.fields import CountedKeyField, JSONField
from rosters.models import Formation


class Station(models.Model):
    """A formation's place and task."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="stations")
    formation = models.OneToOneField(Formation, on_delete=models.CASCADE, related_name="station")
    on_map = models.BooleanField(default=False)
    place = models.CharField(max_length=60, blank=True)
    route = models.CharField(max_length=140, blank=True)
    origin = models.CharField(max_length=60, blank=True)
    destination = models.CharField(max_length=60, blank=True)
    yards = models.PositiveIntegerField(default=0)
    order = JSONField(null=True, blank=True)
    marched = models.PositiveSmallIntegerField(default=0)
    light_days = models.PositiveSmallIntegerField(default=0)
    leader = models.SlugField(max_length=120, blank=True)
    rations = models.PositiveIntegerField(null=True, blank=True)
    hungry_days = models.PositiveSmallIntegerField(default=0)
    waited = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.formation} at {self.place or self.route or 'no place'}"


class Holding(models.Model):
    """The side that holds a place."""

    id = CountedKeyField(primary_key=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="holdings")
    place = models.CharField(max_length=60)
    side = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "place"], name="one_holder_a_place")]

    def __str__(self) -> str:
        return f"{self.place}: {self.side}"


class Marker(models.Model):
    """A counter on the campaign map, as `campaign.rules.world.markers` has it: kind, subject and what it
    says.
    """

    id = CountedKeyField(primary_key=True)
    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="markers")
    kind = models.CharField(max_length=20)
    subject = models.CharField(max_length=200)
    body = JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["campaign", "kind", "subject"], name="marker_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"
