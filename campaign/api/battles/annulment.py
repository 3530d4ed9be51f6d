"""Going back for one battle alone: all others keep their results (HR-UMP-14)."""

from collections.abc import Container
from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.battles.battles import BattleView
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ChiefView
from campaign.api.umpire.turns import MadeStepShape, MorningShape, ReasonShape
from campaign.models import DayRecord
from campaign.selectors.umpire.corrections import list_rewind_mornings
from campaign.services.turns.rewind import campaign_rewind, has_day_begun, morning_before, rewind_targets

CHIEF = "The umpire alone; an assistant asks the umpire."


class AgainShape(Shape):
    """Everything that fighting a battle again would undo."""

    head = serializers.IntegerField()
    contact = serializers.CharField(help_text="As `umpire/rewind/` names battles in `anew`.")
    morning = MorningShape()
    days = serializers.ListField(child=serializers.IntegerField(), help_text="Days that are played again.")


class NewAgainShape(ReasonShape):
    """The reason, and the treatment of later orders: kept, or turned into drafts."""

    papers = serializers.ChoiceField(["stand", "draft"], default="stand")


class BattleRefight(ChiefView, BattleView):
    """One battle once more."""

    also: Container[str] = ()

    def target(self) -> DayRecord:
        record = morning_before(self.campaign, self.battle)
        if record is None:
            raise Http404
        return record

    @endpoint("battles_again_look", "What fighting it once more undoes", answer=AgainShape, seen=CHIEF)
    def get(self, request: Request, slug: str, battle: int) -> dict[str, Any]:
        """The morning the campaign would go back to, and the days that would be played again."""
        record, campaign = self.target(), self.campaign
        listed = list_rewind_mornings(
            rewind_targets(campaign),
            self.reading.world.theatre.start,
            self.reading.names,
            begun=has_day_begun(campaign),
        )
        return {
            "head": campaign.head_id,
            "contact": self.battle.contact,
            "morning": next(row for row in listed if row.record.pk == record.pk),
            "days": list(range(record.day + 1, campaign.day + 1)),
        }

    @endpoint(
        "battles_again",
        "Fight one battle once more",
        answer=MadeStepShape,
        status=201,
        body=NewAgainShape,
        scope=Scope.UMPIRE,
        seen=CHIEF,
    )
    def post(self, request: Request, slug: str, battle: int) -> DayRecord:
        """Goes back to the battle's morning; other battles that come about alike keep their results.

        What was entered of it stands to be confirmed anew. Rules: HR-UMP-14, HR-SET-08."""
        record = self.target()
        asked = dict(self.given)
        return campaign_rewind(
            campaign=self.campaign,
            record=record,
            actor=self.person,
            seen=asked.pop("head", None),
            anew=[self.battle.contact],
            **asked,
        )
