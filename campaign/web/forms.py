"""Forms of the campaign pages. They shape input; what the rules allow is asked of the services."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms

from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.battles import Force
from campaign.web.form_errors import set_error_sentences


def parse_whole_number(text: str) -> int | None:
    """A whole number out of an address or a hidden field; None for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


@dataclass(frozen=True, slots=True)
class ToMend:
    """One refusal: what it is about, in words, and the id of the element to mend."""

    anchor: str
    label: str
    sentence: str

    @property
    def words(self) -> str:
        """The sentence as it stands behind the label, which it does not say again."""
        said = self.label.rpartition(": ")[2]
        return self.sentence.removeprefix(f"{said}: ") if said else self.sentence


class ToldField(forms.BoundField):
    """A field whose refusals stand in campaign/_error.html, now or when a preview puts them there.

    The first that is refused has the cursor.
    """

    @property
    def aria_describedby(self) -> str | None:
        if self.is_hidden or self.field.widget.attrs.get("aria-describedby"):
            return None
        told = [f"{self.auto_id}_helptext"] if self.help_text else []
        return " ".join([*told, f"error-{self.html_name}"])

    def build_widget_attrs(self, attrs: Any, widget: Any = None) -> Any:
        attrs = super().build_widget_attrs(attrs, widget)
        if self.errors and self.name == next(field.name for field in self.form if field.errors):
            attrs["autofocus"] = True
        return attrs


class MarkedSelect(forms.Select):
    """A list whose choices carry data for scripts: attributes by value."""

    marks: Mapping[str, Mapping[str, str]] = {}

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(*args, **kwargs)
        option["attrs"] |= self.marks.get(str(option["value"]), {})
        return option


class SentenceForm(forms.Form):
    """A form whose refusals come from the rules, each beside the field it is about."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def full_clean(self) -> None:
        set_error_sentences(self)
        super().full_clean()

    def refuse(self, violation: RuleViolation, fields: Mapping[str, str] | None = None) -> None:
        """Put a violation beside its field, or above the form when it is about none."""
        name = (fields or {}).get(violation.field, violation.field)
        self.add_error(name if name in self.fields else None, f"{violation.message} ({violation.rule_id})")

    def add_error(self, field: str | None, error: Any) -> None:
        super().add_error(field, error)
        if field in self.fields:
            self.fields[field].widget.attrs["aria-invalid"] = "true"

    @property
    def to_mend(self) -> list[ToMend]:
        """All refusals in the order of the page, those about no field first."""
        found = [ToMend("main", "", str(error)) for error in self.non_field_errors()]
        for field in self:
            # A group of choices has no single element with the label's id; its first one stands for it.
            anchor = field.id_for_label or f"{field.auto_id}_0"
            found += [ToMend(anchor, self.label_of(field), str(error)) for error in field.errors]
        return found

    def label_of(self, field: forms.BoundField) -> str:
        """Name a field for a list of errors shown away from the field."""
        return str(field.label)


def whole_sentence(what: str, most: int) -> dict[str, str]:
    """Build the one error message of a whole-number field."""
    sentence = f"Enter a whole number of {what} from 0 to {most}."
    return dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)


class FieldForm(SentenceForm):
    """The side that holds the field after a battle."""

    field_held_by = forms.ChoiceField(
        label="Who holds the field",
        widget=forms.RadioSelect,
        error_messages={"required": "Say who holds the field, or that neither side does."},
    )

    def __init__(self, *args: Any, sides: tuple[Force, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = sides
        held = self.fields["field_held_by"]
        assert isinstance(held, forms.ChoiceField)
        held.choices = [*((force.side, force.name) for force in sides), ("neither", "Neither side")]

    def find_holder(self) -> str:
        """The holder's side id, "" for neither."""
        value: str = self.cleaned_data["field_held_by"]
        return "" if value == "neither" else value


class WordForm(FieldForm):
    """The umpire's word: the share of its SP each side lost."""

    def __init__(self, *args: Any, sides: tuple[Force, ...], **kwargs: Any) -> None:
        super().__init__(*args, sides=sides, **kwargs)
        for force in sides:
            field = forms.IntegerField(
                label=f"{force.name} loses, percent of its SP",
                min_value=0,
                max_value=100,
                initial=0,
                error_messages=whole_sentence("percent", 100),
            )
            field.widget.attrs["class"] = "narrow-number"
            self.fields[f"percent_{force.side}"] = field

    @property
    def shares(self) -> list[Any]:
        """The bound percent fields."""
        return [self[f"percent_{force.side}"] for force in self.sides]

    def percent_lost(self) -> dict[str, int]:
        """Percent by side."""
        return {force.side: self.cleaned_data[f"percent_{force.side}"] for force in self.sides}
