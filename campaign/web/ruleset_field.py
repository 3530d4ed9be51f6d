"""The choice of tactical rules in a form, each with what it is like at the table."""

from collections.abc import Iterable

from django import forms
from django.forms.boundfield import BoundWidget

from battles.rulesets.registry import get
from campaign.web.forms import SentenceForm


def ruleset_field(
    label: str, choices: Iterable[tuple[str, str]], refusals: dict[str, str] | None = None
) -> forms.ChoiceField:
    """A field that offers rulesets by id and title, one beneath the other."""
    return forms.ChoiceField(
        label=label, choices=list(choices), widget=forms.RadioSelect, error_messages=refusals
    )


class RulesetForm(SentenceForm):
    """A form in whose field `ruleset` tactical rules are chosen."""

    @property
    def ruleset_rows(self) -> list[tuple[BoundWidget, str]]:
        """Each ruleset's radio button with what it is like at the table."""
        return [(button, get(str(button.data["value"])).about) for button in self["ruleset"]]
