"""The score of the campaign, and a side's settlements with its enemy: terms, prisoners, conceding."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.models import Seat
from campaign.rules.errors import RuleViolation
from campaign.rules.victory.treaties import AnswerTerms, Concede, Exchange, OfferTerms, Treaty
from campaign.selectors.victory import CampaignScore, load_campaign_score
from campaign.services.orders.treaties import treaty_make

LONGEST = 300


class SidePointsShape(Shape):
    """A side's points."""

    side = serializers.CharField()
    held = serializers.IntegerField(help_text="Of places held.")
    scored = serializers.IntegerField(allow_null=True, help_text="Null: not yours to know.")


class PostShape(Shape):
    """A place that counts."""

    place = serializers.CharField()
    points = serializers.IntegerField()
    holder = serializers.CharField(allow_blank=True)


class GoalShape(Shape):
    """An objective of a side."""

    side = serializers.CharField()
    text = serializers.CharField()
    points = serializers.IntegerField()
    over = serializers.BooleanField()


@extend_schema_serializer(component_name="Offer")  # its name in the API
class TermsOfferShape(Shape):
    """Terms offered."""

    side = serializers.CharField()
    winner = serializers.CharField()
    text = serializers.CharField()
    date = serializers.DateField()
    mine = serializers.BooleanField(help_text="Yours to withdraw.")
    ours = serializers.BooleanField(help_text="Yours to answer.")


class GeneralShape(Shape):
    """A general you know of."""

    id = serializers.CharField()
    name = serializers.CharField()
    side = serializers.CharField()
    rank = serializers.CharField(allow_blank=True)
    state = serializers.CharField(allow_blank=True)
    where = serializers.CharField(allow_blank=True)


class StandingShape(Shape):
    """The score of the campaign."""

    points = SidePointsShape(many=True)
    posts = PostShape(many=True)
    goals = GoalShape(many=True)
    chapter = serializers.IntegerField()
    chapter_ends = serializers.DateField()
    ended = serializers.CharField(allow_blank=True, help_text="How it ended; empty: it has not.")
    offers = TermsOfferShape(many=True)
    generals = GeneralShape(many=True)


class StandingOf(CampaignView):
    """The score of the campaign."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint(
        "standing_read",
        "How the campaign stands",
        answer=StandingShape,
        seen="A side knows its own points; the umpires all; a spectator late.",
    )
    def get(self, request: Request, slug: str) -> CampaignScore:
        """Points, places that count, goals, terms offered and generals."""
        return find_standing(self)


def find_standing(view: CampaignView) -> CampaignScore:
    """Find the score for `StandingShape`."""
    reading = view.reading
    return load_campaign_score(view.viewer, reading.world, reading.view, reading.names)


class TreatyShape(Shape):
    """A settlement of your side with the enemy."""

    kind = serializers.ChoiceField(["offer_terms", "answer_terms", "exchange", "concede"])
    winner = serializers.CharField(
        max_length=40, required=False, allow_blank=True, help_text="Of an offer: a side's id; empty: neither."
    )
    text = serializers.CharField(max_length=LONGEST, required=False, help_text="Of an offer.")
    answer = serializers.ChoiceField(["accept", "refuse", "withdraw"], required=False)
    ours = serializers.CharField(max_length=200, required=False, help_text="Of an exchange: your general.")
    theirs = serializers.CharField(max_length=200, required=False, help_text="Of an exchange: theirs.")

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        needs = {"offer_terms": ("text",), "answer_terms": ("answer",), "exchange": ("ours", "theirs")}
        missing = [name for name in needs.get(values["kind"], ()) if name not in values]
        if missing:
            raise serializers.ValidationError(dict.fromkeys(missing, "This kind needs it."))
        return values


class Treat(CampaignView):
    """Treating with the enemy."""

    @endpoint(
        "standing_treat",
        "Settle something with the enemy",
        body=TreatyShape,
        answer=StandingShape,
        scope=Scope.ORDER,
        seen="For a side's commander alone.",
    )
    def post(self, request: Request, slug: str) -> CampaignScore:
        """Offers or answers terms, exchanges prisoners, concedes; it stands in the journal at once."""
        viewer = self.viewer
        if viewer.is_umpire or not viewer.may_speak:
            raise Http404
        treaty = _parse_treaty(viewer.side, self.given)
        treaty_make(campaign=self.campaign, side=viewer.side, treaty=treaty, actor=viewer.user)
        self.read_anew()
        return find_standing(self)


def _parse_treaty(side: str, given: dict[str, Any]) -> Treaty:
    match given["kind"]:
        case "offer_terms":
            return OfferTerms(side, given.get("winner", ""), given["text"])
        case "answer_terms":
            return AnswerTerms(side, given["answer"])
        case "exchange":
            return Exchange(side, given["ours"], given["theirs"])
        case "concede":
            return Concede(side)
    raise RuleViolation("HR-VIC-07", "There is no such treaty.", "kind")
