"""Settings of a running campaign; each change is a correction (HR-UMP-11, HR-UMP-17, HR-UMP-18)."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import rename_refused_fields
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ChiefView, UmpireView
from campaign.models import Campaign
from campaign.rules.turns.deadline_schedule import USUAL_GRACE, Rhythm
from campaign.rules.umpire.correction_effects import LONGEST_REASON
from campaign.rules.umpire.corrections import Act, Deadline
from campaign.rules.umpire.settings import CONDUCT, LONGEST_DELAY, LONGEST_TITLE, POLICIES, build_change_rules
from campaign.rules.world.options import SettingOption, format_setting, list_options
from campaign.rules.world.settings import RuleSettings
from campaign.selectors.turns.deadlines import rhythm_of
from campaign.services.seats.changes import spectators_set
from campaign.services.setup.drafts import build_settings
from campaign.services.umpire.campaign_settings import conduct_to
from campaign.services.umpire.corrections import act_perform

SEEN = "The umpire and the assistants; what spectators see the umpire alone sets."
#: What options of tactical rules are; the choices stand in docs/battle-file.md.
OPTIONS_TOLD = "Options of tactical rules: choices by option, by ruleset."
#: The largest number a form of days may hold; rules say what is too many.
MANY = 10_000


class WhyShape(Shape):
    """The reason for a change."""

    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Both sides read it.")


def ruleset_options_field(help_text: str, **terms: Any) -> serializers.DictField:
    """A field for options of tactical rules: choices by option, by ruleset."""
    child = serializers.DictField(child=serializers.JSONField())
    return serializers.DictField(child=child, help_text=f"{OPTIONS_TOLD} {help_text}", **terms)


class ConductShape(Shape):
    """The campaign's name, and how its battles are settled."""

    title = serializers.CharField(max_length=LONGEST_TITLE)
    battle_policy = serializers.ChoiceField([*POLICIES])
    table_units = serializers.IntegerField(min_value=1, max_value=MANY, help_text="A side, on your table.")
    ruleset = serializers.CharField(max_length=60)
    ruleset_options = ruleset_options_field("What is left out has its default.")


class RhythmShape(Shape):
    """The rhythm of deadlines and turns."""

    time_zone = serializers.CharField(max_length=60)
    cadence_days = serializers.IntegerField(
        min_value=0, max_value=MANY, allow_null=True, help_text="null: each deadline is set by hand."
    )
    days_a_turn = serializers.IntegerField(min_value=0, max_value=MANY)
    advance_at_deadline = serializers.BooleanField()
    late_orders = serializers.ChoiceField(Campaign.LateOrders.choices)
    missed_orders = serializers.ChoiceField(Campaign.MissedOrders.choices)
    run_until = serializers.ChoiceField(Campaign.RunUntil.choices)
    run_on_days = serializers.IntegerField(min_value=0, max_value=MANY)
    settle_after_days = serializers.IntegerField(
        min_value=0, max_value=MANY, allow_null=True, help_text="null: a battle waits as long as it takes."
    )
    grace_hours = serializers.IntegerField(
        min_value=0, max_value=MANY, default=USUAL_GRACE, help_text="After an outage over a deadline."
    )


class SpectatorsShape(Shape):
    """The spectators' view."""

    days = serializers.IntegerField(
        min_value=0, max_value=LONGEST_DELAY, allow_null=True, help_text="Campaign days late; null: nothing."
    )
    side = serializers.CharField(max_length=40, allow_blank=True, help_text="Whose knowledge; empty: all.")


class OptionChoiceShape(Shape):
    """A value an option may have."""

    value = serializers.CharField()
    words = serializers.CharField()


class OptionShape(Shape):
    """An option of the rules as it is."""

    name = serializers.CharField()
    group = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    line = serializers.CharField()
    value = serializers.CharField(help_text="As it is sent back: a text, figures too.")
    choices = OptionChoiceShape(many=True, help_text="Empty: a whole number.")
    least = serializers.IntegerField()
    most = serializers.IntegerField()
    unit = serializers.CharField(allow_blank=True)
    fixed = serializers.CharField(allow_blank=True, help_text="Why it cannot change any more; empty: it can.")


class SettingsShape(Shape):
    """The settings of a campaign."""

    head = serializers.IntegerField(allow_null=True, help_text="On which all this stands.")
    conduct = ConductShape()
    rhythm = RhythmShape()
    deadline = serializers.DateTimeField(allow_null=True)
    spectators = SpectatorsShape()
    rules = OptionShape(many=True)


class ConductChangeShape(WhyShape):
    """The settings to change; the ones left out stay."""

    title = serializers.CharField(max_length=LONGEST_TITLE, required=False)
    battle_policy = serializers.ChoiceField([*POLICIES], required=False)
    table_units = serializers.IntegerField(min_value=0, max_value=MANY, required=False)
    ruleset = serializers.CharField(max_length=60, required=False)
    ruleset_options = ruleset_options_field(
        "Of a ruleset that is named all are meant; one that is not stays.", required=False
    )


class RulesChangeShape(WhyShape):
    """Options that are to be otherwise."""

    settings = serializers.DictField(
        child=serializers.CharField(max_length=60), help_text="By name; what is left out stays."
    )


class RhythmChangeShape(RhythmShape, WhyShape):
    """Another rhythm, whole."""


class DeadlineChangeShape(WhyShape):
    """Another deadline."""

    until = serializers.DateTimeField(allow_null=True, help_text="null: there is none.")
    earlier = serializers.BooleanField(default=False, help_text="That it is meant to be earlier than said.")


class SpectatorsChangeShape(SpectatorsShape, WhyShape):
    """The new view for spectators."""


def build_settings_answer(campaign: Campaign) -> dict[str, Any]:
    """Build the answer for `SettingsShape`."""
    present = RuleSettings.from_json(campaign.settings)
    return {
        "head": campaign.head_id,
        "conduct": {name: getattr(campaign, name) for name in CONDUCT},
        "rhythm": asdict(rhythm_of(campaign)),
        "deadline": campaign.deadline,
        "spectators": {"days": campaign.spectator_days, "side": campaign.spectator_side},
        "rules": [build_option_answer(option, present) for option in list_options().values()],
    }


def build_option_answer(option: SettingOption, present: RuleSettings) -> dict[str, Any]:
    """Build the answer for `OptionShape`."""
    names = ("name", "group", "label", "line", "least", "most", "unit", "fixed")
    return {
        **{name: getattr(option, name) for name in names},
        "value": format_setting(getattr(present, option.name)),
        "choices": [{"value": format_setting(key), "words": words} for key, words in option.choices.items()],
    }


class SettingsView(UmpireView):
    """A view of how the campaign is set."""

    def change(self, request: Request, act: Any) -> dict[str, Any]:
        """Do the act that `act(campaign)` makes, on what the caller saw, and tell how it is now."""
        with self.lock_campaign():
            campaign = self.campaign
            demand_match(request, SettingsShape(build_settings_answer(campaign)).data)
            made: Act = act(campaign)
            reason = self.given["reason"]
            act_perform(campaign=campaign, act=made, reason=reason, actor=self.person, seen=campaign.head_id)
            self.read_anew()
            return build_settings_answer(self.campaign)


class Settings(SettingsView):
    """The settings of a campaign."""

    @endpoint("settings_read", "How the campaign is set", answer=SettingsShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Its conduct, rhythm, deadline, what spectators see, and every option of the rules."""
        return build_settings_answer(self.campaign)


class ConductOf(SettingsView):
    """Name and battles."""

    @endpoint(
        "settings_conduct",
        "Change the conduct",
        body=ConductChangeShape,
        answer=SettingsShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=SEEN,
    )
    def patch(self, request: Request, slug: str) -> dict[str, Any]:
        """The campaign's name and how its battles are settled, from now on. Rules: HR-UMP-18."""
        return self.change(request, lambda campaign: conduct_to(campaign, self.given))


class RuleOptions(SettingsView):
    """Options of the rules."""

    @endpoint(
        "settings_rules",
        "Change the rules",
        body=RulesChangeShape,
        answer=SettingsShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=SEEN,
    )
    def patch(self, request: Request, slug: str) -> dict[str, Any]:
        """Options of the rules, from the coming morning on. Rules: HR-UMP-17, HR-SET-01."""

        def act(campaign: Campaign) -> Act:
            present = RuleSettings.from_json(campaign.settings)
            return build_change_rules(present, build_settings(present, self.given["settings"]))

        return self.change(request, act)


class RhythmOf(SettingsView):
    """The rhythm."""

    @endpoint(
        "settings_rhythm",
        "Change the rhythm",
        body=RhythmChangeShape,
        answer=SettingsShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=SEEN,
    )
    def put(self, request: Request, slug: str) -> dict[str, Any]:
        """The rhythm of deadlines and turns. Rules: HR-DUE-01, HR-DUE-02, HR-UMP-11."""
        names = Rhythm.__dataclass_fields__
        return self.change(request, lambda campaign: Rhythm(**{name: self.given[name] for name in names}))


class DeadlineOf(SettingsView):
    """The deadline."""

    @endpoint(
        "settings_deadline",
        "Move the deadline",
        body=DeadlineChangeShape,
        answer=SettingsShape,
        scope=Scope.UMPIRE,
        match=True,
        seen=SEEN,
    )
    def put(self, request: Request, slug: str) -> dict[str, Any]:
        """Until when orders for the coming day are taken. Rules: HR-UMP-11."""
        until = self.given["until"]
        text = until.isoformat() if until else ""
        return self.change(request, lambda campaign: Deadline(text, self.given["earlier"]))


class SpectatorsOf(ChiefView):
    """The spectators' view."""

    @endpoint(
        "settings_spectators",
        "Change what spectators see",
        body=SpectatorsChangeShape,
        answer=SettingsShape,
        scope=Scope.UMPIRE,
        match=True,
        seen="The umpire alone.",
    )
    def put(self, request: Request, slug: str) -> dict[str, Any]:
        """Sets the spectators' delay, and the side whose knowledge they see. Rules: HR-SET-12."""
        names = {"spectator_days": "days", "spectator_side": "side"}
        with self.lock_campaign(), rename_refused_fields(names):
            campaign = self.campaign
            demand_match(request, SettingsShape(build_settings_answer(campaign)).data)
            spectators_set(campaign=campaign, actor=self.person, seen=campaign.head_id, **self.given)
            self.read_anew()
            return build_settings_answer(self.campaign)
