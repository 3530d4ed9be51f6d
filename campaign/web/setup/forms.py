"""Forms of the pages on which a campaign is set up, all but its seats and options."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from battles.rulesets import registry
from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.turns.deadline_schedule import Rhythm
from campaign.rules.turns.local_time import moment_at, verify_wall
from campaign.rules.umpire.settings import LEAST_UNITS, LONGEST_TITLE, MOST_UNITS
from campaign.selectors.setup.scenarios import ScenarioCard
from campaign.services.setup.campaigns import slug_verify
from campaign.services.setup.drafts import title_verify
from campaign.services.setup.steps import MOST_TABLE, clean_armies_step, clean_armies_step_again
from campaign.web.accounts.profile import zone_choices
from campaign.web.forms import SentenceForm
from campaign.web.setup.ruleset_field import RulesetOptionsForm, ruleset_field
from campaign.web.umpire.deadline_forms import RhythmForm
from rosters.importing import RosterErrors
from rosters.table_faults import FaultGroup

#: What each way of settling battles means, by its name in the campaign.
POLICIES = {
    "ask": (
        "Ask each time",
        "Every battle waits until you say how it is fought; skirmishes are settled at once.",
    ),
    "table": (
        "Fight on the table",
        "Every battle waits for figures and a result typed in; skirmishes do not.",
    ),
    "automatic": (
        "Let the engine fight",
        "The engine settles every battle at once, and the day is played on.",
    ),
}
MOMENT = "%Y-%m-%dT%H:%M"
#: Faults of a table of armies that are listed.
MOST_FAULTS = 100


class ScenarioForm(SentenceForm):
    """The country, and whether its troops stand on it."""

    scenario = forms.ChoiceField(
        label="Scenario",
        choices=(),
        widget=forms.RadioSelect,
        error_messages={
            "required": "Choose a scenario.",
            "invalid_choice": "That scenario is gone; choose another.",
        },
    )
    troops = forms.ChoiceField(
        label="What stands on the map",
        choices=(
            ("full", "The armies of the scenario"),
            ("own", "Armies of your own, from a table"),
            ("bare", "Nobody: an empty map"),
        ),
        initial="full",
        widget=forms.RadioSelect,
    )
    armies = forms.FileField(
        label="Order of battle (CSV or XLSX)",
        required=False,
        allow_empty_file=True,
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx"}),
    )

    def __init__(
        self,
        *args: Any,
        cards: list[ScenarioCard],
        kept: Mapping[str, Any] | None = None,
        rows: Sequence[Mapping[str, Any]] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.was, self.rows = kept or {}, rows
        self.faults: list[FaultGroup] = []
        self.cards = {card.slug: card for card in cards if not card.fault}
        scenario = self.fields["scenario"]
        assert isinstance(scenario, forms.ChoiceField)
        scenario.choices = [(card.slug, card.title) for card in self.cards.values()]

    @property
    def card_rows(self) -> list[tuple[ScenarioCard, Any]]:
        """Each scenario with its radio button."""
        buttons = {str(button.data["value"]): button for button in self["scenario"]}
        return [(card, buttons[slug]) for slug, card in self.cards.items()]

    def clean(self) -> dict[str, Any] | None:
        """The table read and laid on the scenario, or every fault with its row."""
        data = super().clean()
        chosen = self.cleaned_data.get("scenario")
        if self.cleaned_data.get("troops") != "own" or not chosen:
            return data
        file = self.cleaned_data.get("armies")
        before = self.was.get("armies") if self.was.get("slug") == chosen else None
        try:
            if file:
                self.cleaned_data["armies"] = clean_armies_step(chosen, file.name, file.read(MOST_TABLE + 1))
            elif before:
                self.cleaned_data["armies"] = clean_armies_step_again(chosen, before, self.rows)
            else:
                self.add_error("armies", "Choose the file with your order of battle.")
        except RosterErrors as refused:
            self.faults = refused.groups[:MOST_FAULTS]
            self.add_error("armies", refused.count_text(MOST_FAULTS))
        except RuleViolation as violation:
            self.refuse(violation)
        return data

    def build_draft_data(self) -> dict[str, Any]:
        card = self.cards[self.cleaned_data["scenario"]]
        kept = {"slug": card.slug, "digest": card.digest, "bare": self.cleaned_data["troops"] == "bare"}
        return kept | (
            {"armies": self.cleaned_data["armies"]} if self.cleaned_data["troops"] == "own" else {}
        )


class NameForm(SentenceForm):
    """Title and address of the campaign."""

    title = forms.CharField(label="Name", max_length=LONGEST_TITLE)
    slug = forms.CharField(
        label="Address",
        max_length=80,
        help_text="The end of its address on this site: letters, figures and hyphens. It stays as it is.",
    )

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        for name, verify in (("title", title_verify), ("slug", slug_verify)):
            if name in self.cleaned_data:
                try:
                    verify(self.cleaned_data[name])
                except RuleViolation as violation:
                    self.refuse(violation)
        return data

    def build_draft_data(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


class ClockForm(RhythmForm):
    """The rhythm, and when the first orders are due."""

    field_order = ("time_zone", "until", "cadence_days", "run_until", "days_a_turn")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["reason"]
        self.fields["time_zone"] = forms.ChoiceField(
            label="The club's time zone",
            choices=zone_choices()[1:],
            error_messages={"invalid_choice": "There is no such time zone; choose one of the list."},
        )
        self.fields["until"] = forms.DateTimeField(
            label="The first orders are due",
            required=False,
            input_formats=[MOMENT, "%Y-%m-%d %H:%M"],
            widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT),
            help_text="By the club's clock. Empty: you set it later, or the first day played does.",
            error_messages={"invalid": "Give a day and an hour, as 2026-12-24 20:00."},
        )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        until, zone = self.cleaned_data.get("until"), self.cleaned_data.get("time_zone")
        if until and zone:
            if moment_at(until, ZoneInfo(zone)) <= datetime.now(UTC):
                self.add_error("until", "That moment is past; give a later one. (HR-UMP-11)")
            try:
                verify_wall(until, ZoneInfo(zone))
            except RuleViolation as violation:
                self.refuse(violation)
        return data

    def build_draft_data(self) -> dict[str, Any]:
        until = self.cleaned_data.get("until")
        return {**asdict(self.act()), "until": until.strftime(MOMENT) if until else ""}

    @classmethod
    def first(cls, kept: Mapping[str, Any] | None, zone: str) -> dict[str, Any]:
        """Build the first values of the page: the saved ones, or one campaign week a week."""
        if kept:
            return dict(kept)
        return asdict(Rhythm(time_zone=zone or "UTC", cadence_days=7, days_a_turn=7))


class BattlesForm(RulesetOptionsForm):
    """Default method and rules for resolving battles."""

    battle_policy = forms.ChoiceField(
        label="Battles",
        choices=[(key, words) for key, (words, _) in POLICIES.items()],
        widget=forms.RadioSelect,
        error_messages={"required": "Say how battles are settled."},
    )
    table_units = forms.IntegerField(
        label="Units a side that fit your table",
        min_value=LEAST_UNITS,
        max_value=MOST_UNITS,
        help_text="Of a larger battle one sector is fought on the table, the rest by the engine.",
    )
    ruleset = ruleset_field("Ruleset of battles", ())

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        ruleset = self.fields["ruleset"]
        assert isinstance(ruleset, forms.ChoiceField)
        ruleset.choices = [(one.id, f"{one.title}, version {one.version}") for one in registry.RULESETS]
        self.fields["table_units"].widget.attrs["class"] = "narrow-number"

    @property
    def policy_rows(self) -> list[tuple[Any, str]]:
        """Each policy's radio button with its line."""
        return [(button, POLICIES[str(button.data["value"])][1]) for button in self["battle_policy"]]

    def build_draft_data(self) -> dict[str, Any]:
        return dict(self.cleaned_data)


#: What the page of battles shows at first.
BATTLES = {
    "battle_policy": Campaign._meta.get_field("battle_policy").get_default(),
    "table_units": Campaign._meta.get_field("table_units").get_default(),
    "ruleset": Campaign._meta.get_field("ruleset").get_default(),
    "ruleset_options": {},
}
