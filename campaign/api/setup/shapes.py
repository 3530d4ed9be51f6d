"""What the set-up of a campaign takes and answers, step by step."""

from typing import Any

from rest_framework import serializers

from campaign.api.framework.serializers import Shape
from campaign.api.umpire.settings import MANY, RhythmShape, ruleset_options_field
from campaign.models import Campaign, CampaignDraft
from campaign.rules.umpire.settings import LONGEST_DELAY, LONGEST_TITLE, POLICIES
from campaign.selectors.setup.drafts import draft_card, draft_title
from campaign.selectors.setup.scenarios import ScenarioCard
from campaign.services.setup import steps
from campaign.services.setup.drafts import CHOSEN
from campaign.services.setup.steps import MOST_TABLE


class SetupShape(Shape):
    """A campaign half set up."""

    number = serializers.IntegerField(source="pk")
    title = serializers.SerializerMethodField()
    chosen = serializers.SerializerMethodField(help_text="What was kept, by step.")
    missing = serializers.SerializerMethodField(help_text="Steps that have not been kept yet.")
    stale = serializers.SerializerMethodField(
        help_text="Whether the scenario is gone or its files have changed: choose it again."
    )
    campaign = serializers.SerializerMethodField(help_text="Made: the campaign's address; empty: it is not.")

    def get_title(self, draft: CampaignDraft) -> str:
        return draft_title(draft)

    def get_chosen(self, draft: CampaignDraft) -> dict[str, Any]:
        told = {step: draft.body[step] for step in CHOSEN if step in draft.body}
        if armies := told["scenario"].get("armies"):
            short = {name: armies[name] for name in ("name", "units", "digest")}
            told["scenario"] = {**told["scenario"], "armies": short}
        return told

    def get_missing(self, draft: CampaignDraft) -> list[str]:
        return [step for step in CHOSEN if step not in draft.body]

    def get_stale(self, draft: CampaignDraft) -> bool:
        return scenario_sound(draft) is None

    def get_campaign(self, draft: CampaignDraft) -> str:
        made = Campaign.objects.filter(pk=draft.body.get("made", 0)).first()
        return made.slug if made is not None else ""


class CountryStepShape(Shape):
    """The country, and whether its troops stand on it."""

    scenario = serializers.CharField(max_length=80)
    bare = serializers.BooleanField(default=False, help_text="Nobody stands on the map.")
    armies = serializers.CharField(
        required=False,
        allow_blank=True,  # an empty file is refused as the table it is, with its sentence
        trim_whitespace=False,
        max_length=MOST_TABLE,
        help_text="An order of battle (CSV) in place of the scenario's, which `scenarios_armies` gives.",
    )


class NameStepShape(Shape):
    """What the campaign is called, and its address."""

    title = serializers.CharField(max_length=LONGEST_TITLE)
    slug = serializers.CharField(max_length=80)


class SetupInvitedShape(Shape):
    """How somebody is invited to a seat."""

    way = serializers.ChoiceField([*steps.WAYS], default="", allow_blank=True, help_text="Empty: nobody yet.")
    whom = serializers.CharField(max_length=254, allow_blank=True, default="", help_text="Mail or user name.")


class SetupSeatShape(SetupInvitedShape):
    """A seat to begin with."""

    role = serializers.ChoiceField([str(role) for role in steps.ROLES])
    side = serializers.CharField(max_length=40, allow_blank=True, default="")
    title = serializers.CharField(max_length=100, allow_blank=True, default="")
    formations = serializers.ListField(
        child=serializers.CharField(max_length=100), default=list, max_length=200, help_text="Of a column."
    )
    deputy = SetupInvitedShape(required=False, help_text="Of a commander.")


class SeatsStepShape(Shape):
    """Who sits where; a side that is not named has its commander's seat empty."""

    seats = SetupSeatShape(many=True, max_length=60)  # type: ignore[call-arg]
    days = serializers.IntegerField(
        min_value=0, max_value=LONGEST_DELAY, allow_null=True, help_text="Spectators' delay; null: nothing."
    )
    spectator_side = serializers.CharField(max_length=40, allow_blank=True, default="")


class RulesStepShape(Shape):
    """Options otherwise than the scenario has them."""

    settings = serializers.DictField(child=serializers.CharField(max_length=60), help_text="All, by name.")


class ClockStepShape(RhythmShape):
    """The rhythm, and when the first orders are due."""

    until = serializers.DateTimeField(allow_null=True, default=None, help_text="null: not said yet.")


class BattlesStepShape(Shape):
    """How battles are settled."""

    battle_policy = serializers.ChoiceField([*POLICIES])
    table_units = serializers.IntegerField(min_value=0, max_value=MANY)
    ruleset = serializers.CharField(max_length=60)
    ruleset_options = ruleset_options_field("What is left out has its default.", default=dict)


class ReviewOptionShape(Shape):
    """An option chosen otherwise."""

    label = serializers.CharField()  # type: ignore[assignment]
    now = serializers.CharField()
    was = serializers.CharField()


class ReviewSeatShape(Shape):
    """A seat to be made, in words."""

    name = serializers.CharField()
    side = serializers.CharField(allow_blank=True)
    invited = serializers.CharField(allow_blank=True)
    formations = serializers.ListField(child=serializers.CharField())


class ReviewShape(Shape):
    """All that has been chosen, and what to think of."""

    fog = serializers.CharField()
    recruitment = serializers.CharField()
    recruitment_line = serializers.CharField(help_text="Its meaning, and the strength it leads to.")
    options = ReviewOptionShape(many=True)
    seats = ReviewSeatShape(many=True)
    spectators = serializers.CharField()
    rhythm = serializers.ListField(child=serializers.CharField())
    warnings = serializers.ListField(child=serializers.CharField())


class SetupLinkShape(Shape):
    """An invitation to a seat just made."""

    seat = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    person = serializers.CharField(allow_blank=True, help_text="Who finds it on their own page.")
    link = serializers.CharField(
        allow_blank=True, help_text="To be passed on; `invitations_read` shows it again."
    )
    sent = serializers.BooleanField(help_text="Whether an e-mail with the link has gone out.")


class SetupMadeShape(Shape):
    """The campaign that was made."""

    campaign = serializers.CharField(help_text="Its address.")
    links = SetupLinkShape(many=True)


def scenario_sound(draft: CampaignDraft) -> ScenarioCard | None:
    """The draft's scenario, None when it is gone or no longer as it was chosen."""
    chosen, card = draft.body["scenario"], draft_card(draft)
    return card if card is not None and not card.fault and card.digest == chosen["digest"] else None
