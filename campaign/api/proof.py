"""The days played, as the chain has them: hashes that anybody in a seat may compare."""

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.models import DayRecord
from campaign.selectors.proof import Proof, load_proof


class StepShape(Shape):
    """A step of the chain."""

    date = serializers.DateField()
    days_completed = serializers.IntegerField(min_value=0, source="day")
    kind = serializers.ChoiceField(DayRecord.Kind.choices)
    revision = serializers.IntegerField(min_value=1)
    # The step before; Field.parent, which mypy means, is set on each serializer itself.
    parent = serializers.CharField()  # type: ignore[assignment]
    hash = serializers.CharField()
    undone = serializers.BooleanField(source="given_up", help_text="Of a course the umpire went back from.")


class DaysShape(Shape):
    """The chain, the newest step first."""

    commitment = serializers.CharField(help_text="Hash of the secret of the dice.")
    secret = serializers.CharField(allow_blank=True, help_text="Empty until a day after the end.")
    head = serializers.CharField()
    steps = StepShape(many=True, source="links")


class Days(CampaignView):
    """The days played."""

    @endpoint("days_list", "The days played", answer=DaysShape, seen="The same for every seat with a desk.")
    def get(self, request: Request, slug: str) -> Proof:
        """Each step of the campaign with its hash over the step before it, the newest first."""
        return load_proof(self.viewer, self.reading.world)
