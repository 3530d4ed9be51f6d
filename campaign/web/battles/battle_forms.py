"""The form of a commander's plan for a battle (HR-BAT-09)."""

from typing import Any

from django import forms

from battles.files.schema import BattlePlan
from battles.replay.event_text import FILE_MINUTES, Telling
from campaign.rules.battles.plans import KINDS, RESERVES, PlanTerms
from campaign.web.forms import SentenceForm

KIND_WORDS = {
    "assault": "Assault: close with the enemy everywhere",
    "turn_flank": "Turn a flank: the weight goes round it, the rest pin the enemy",
    "hold": "Hold the ground",
    "delay": "Delay: fire and fall back",
    "withdraw": "Withdraw by our own edge of the field",
}
BOLDNESS = ((2, "very boldly"), (1, "boldly"), (0, "as is usual"), (-1, "warily"), (-2, "very warily"))
_CHOOSE = {"required": "Choose one of the list.", "invalid_choice": "Choose one of the list."}


class PlanForm(SentenceForm):
    """A side's plan for the battlefield."""

    kind = forms.ChoiceField(
        label="What we mean to do",
        choices=[(kind, KIND_WORDS[kind]) for kind in KINDS],
        error_messages=_CHOOSE,
    )
    flank = forms.ChoiceField(
        label="For turning a flank: the enemy is turned by",
        choices=[("left", "our left"), ("right", "our right")],
        widget=forms.RadioSelect,
        error_messages=_CHOOSE,
        help_text="Only if a flank is turned.",
    )
    reserve = forms.TypedChoiceField(
        label="Kept in reserve",
        coerce=int,
        choices=[(share, f"{share} % of the foot" if share else "nobody") for share in RESERVES],
        error_messages=_CHOOSE,
    )
    boldness = forms.TypedChoiceField(
        label="How we press it", coerce=int, choices=BOLDNESS, error_messages=_CHOOSE
    )
    until = forms.IntegerField(
        label="After turn",
        required=False,
        min_value=1,
        error_messages={"invalid": "Enter a turn as a whole number.", "min_value": "The first turn is 1."},
    )
    then = forms.ChoiceField(
        label="we change to",
        choices=[(kind, KIND_WORDS[kind].partition(":")[0]) for kind in KINDS],
        initial="withdraw",
        error_messages=_CHOOSE,
    )

    def __init__(self, *args: Any, terms: PlanTerms, plan: BattlePlan, under: Telling, **kwargs: Any) -> None:
        kwargs["initial"] = {
            "kind": plan.kind if plan.kind in KINDS else "assault",
            "flank": plan.flank,
            "reserve": plan.reserve_percent,
            "boldness": plan.boldness,
            "until": plan.until or None,
            "then": plan.then,
        }
        super().__init__(*args, prefix="plan", **kwargs)
        until = self.fields["until"]
        until.widget.attrs.update({"class": "narrow-number", "max": max(1, terms.turns - 1)})
        counted = (
            f"; the day's {terms.turns} are {under.turns(terms.turns)} of {under.minutes} under these rules"
            if under.minutes != FILE_MINUTES
            else ""
        )
        until.help_text = f"Of ten minutes each{counted}. Leave it empty to hold to the plan all day."

    def plan(self) -> BattlePlan:
        """The plan that was chosen."""
        given = self.cleaned_data
        return BattlePlan(
            kind=given["kind"],
            flank=given["flank"],
            reserve_percent=given["reserve"],
            boldness=given["boldness"],
            until=given["until"] or 0,
            then=given["then"],
        )
