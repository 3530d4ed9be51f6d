"""The choice of tactical rules in a form, each with what it is like at the table, and of their options."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField, BoundWidget

from battles.engine.choices import RuleOption, format_choice
from battles.option_names import choice_words, option_words
from battles.rulesets import registry
from campaign.rules.battles.ruleset_options import (
    Kept,
    list_chosen_options,
    list_offered_options,
    merge_options,
)
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.settings import OPTIONS
from campaign.web.forms import SentenceForm


def ruleset_field(
    label: str, choices: Iterable[tuple[str, str]], refusals: dict[str, str] | None = None
) -> forms.ChoiceField:
    """A field that offers rulesets by id and title, one beneath the other."""
    return forms.ChoiceField(
        label=label, choices=list(choices), widget=forms.RadioSelect, error_messages=refusals
    )


@dataclass(frozen=True, slots=True)
class RulesetOptionRow:
    """An option to choose; `differs` while it is not the default."""

    field: BoundField
    rule: str
    differs: bool


@dataclass(frozen=True, slots=True)
class OptionFold:
    """The options of a ruleset; `open` when one of them is to be mended."""

    rows: tuple[RulesetOptionRow, ...]

    @property
    def open(self) -> bool:
        return any(row.field.errors for row in self.rows)

    @property
    def differing(self) -> int:
        """Count the options that differ from their defaults."""
        return sum(row.differs for row in self.rows)


class RulesetForm(SentenceForm):
    """A form in whose field `ruleset` tactical rules are chosen."""

    @property
    def ruleset_rows(self) -> list[tuple[BoundWidget, str, OptionFold | None]]:
        """Each ruleset's radio button with what it is like at the table, and its options if asked for."""
        buttons = [(button, str(button.data["value"])) for button in self["ruleset"]]
        return [(button, registry.get_ruleset(key).about, self.fold_of(key)) for button, key in buttons]

    def fold_of(self, ruleset: str) -> OptionFold | None:
        """The options of a ruleset, where the form asks for them."""
        return None


class RulesetOptionsForm(RulesetForm):
    """A form that asks for the options of the ruleset too; `ruleset_options` are what is kept of all.

    Only those of the ruleset that is chosen count; of others what was kept stays.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._option_names: set[str] = set()
        for ruleset in registry.RULESETS:
            now = list_chosen_options(self._saved_options, ruleset.id)
            for name, option in list_offered_options(ruleset.id).items():
                field = _field_name(ruleset.id, name)
                self.fields[field] = _option_field(name, option, now.get(name, option.default))
                self._option_names.add(field)

    @property
    def _saved_options(self) -> Kept:
        kept: Kept = self.initial.get(OPTIONS) or {}
        return kept

    def fold_of(self, ruleset: str) -> OptionFold:
        return OptionFold(
            tuple(
                RulesetOptionRow(field, option.rule, str(field.value()) != format_choice(option.default))
                for name, option in list_offered_options(ruleset).items()
                for field in [self[_field_name(ruleset, name)]]
            )
        )

    def clean(self) -> dict[str, Any] | None:
        """The options chosen; one that was not sent stays as it is."""
        super().clean()
        texts = {
            name: str(self.cleaned_data.pop(name))
            for name in list(self.cleaned_data)
            if name in self._option_names
        }
        ruleset = str(self.cleaned_data.get("ruleset", ""))
        chosen, fields = list_chosen_options(self._saved_options, ruleset), {}
        for name, option in list_offered_options(ruleset).items():
            field = _field_name(ruleset, name)
            fields[f"{OPTIONS}.{ruleset}.{name}"] = field
            if self.add_prefix(field) in self.data:
                chosen[name] = _parse_choice(option, texts.get(field, ""))
        self.cleaned_data[OPTIONS] = self._saved_options
        try:
            self.cleaned_data[OPTIONS] = merge_options(
                self._saved_options, {ruleset: chosen} if ruleset else {}
            )
        except RuleViolation as violation:
            self.refuse(_in_words(violation, ruleset, chosen), fields)
        return self.cleaned_data


def _field_name(ruleset: str, option: str) -> str:
    return f"{ruleset}-{option}"


def _option_field(name: str, option: RuleOption, now: Any) -> forms.Field:
    """A list of the choices in words. What is sent is checked with the ruleset it belongs to."""
    words = [(format_choice(choice), choice_words(choice)) for choice in option.choices]
    usual = format_choice(option.default)
    choices = [(key, f"{said} (our reading)" if key == usual else said) for key, said in words]
    return forms.CharField(
        label=option_words(name),
        required=False,
        initial=format_choice(now),
        widget=forms.Select(choices=choices),
    )


def _in_words(violation: RuleViolation, ruleset: str, chosen: Mapping[str, Any]) -> RuleViolation:
    """A refusal of a choice there is not in the words of the page, where files and programs have names."""
    name = violation.field.rpartition(".")[2]
    option = list_offered_options(ruleset).get(name)
    if option is None or chosen.get(name) in option.choices:
        return violation
    there, given = ", ".join(map(choice_words, option.choices)), choice_words(chosen.get(name))[:60]
    sentence = f"{option_words(name)} cannot be “{given}”; choose one of {there}."
    return RuleViolation(violation.rule_id, sentence, violation.field)


def _parse_choice(option: RuleOption, text: str) -> Any:
    """The choice that a text means; the text itself where it means none."""
    return next((choice for choice in option.choices if format_choice(choice) == text), text)
