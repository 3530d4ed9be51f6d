"""Error messages for form fields that have none of their own."""

from collections.abc import Callable
from typing import Any

from django import forms

from rosters.domain.text import name_fault

Sentences = dict[str, str]


def set_error_sentences(form: forms.BaseForm) -> None:
    """Give every field a sentence, what to do about it, where it has none but the framework's."""
    for name, field in form.fields.items():
        own = field.error_messages
        usual = _list_default_sentences(field)
        for code, sentence in _build_sentences(field, str(field.label or name.replace("_", " "))).items():
            if own.get(code, usual.get(code)) == usual.get(code):
                own[code] = sentence
        if _takes_one_line(field) and verify_line not in field.validators:
            field.validators = [*field.validators, verify_line]


def _takes_one_line(field: forms.Field) -> bool:
    """True if a field takes one readable line: no long text, and nothing hidden like a password."""
    several = isinstance(field.widget, forms.Textarea | forms.HiddenInput | forms.PasswordInput)
    return isinstance(field, forms.CharField) and not several


def verify_line(text: str) -> None:
    """Refuses a name that breaks the line, hides characters or shows nothing."""
    if fault := name_fault(text):
        raise forms.ValidationError(fault, code="line")


def _list_default_sentences(field: forms.Field) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind in reversed(type(field).__mro__):
        found |= getattr(kind, "default_error_messages", {})
    return found


def _build_sentences(field: forms.Field, label: str) -> Sentences:
    for kind, words in _WORDS:
        if isinstance(field, kind):
            return words(field, label)
    return {"required": f"{label}: this is empty; fill it in."}


def _build_choice_sentences(field: Any, label: str) -> Sentences:
    gone = "What was chosen here is not, or no longer, to be had; choose again from the list."
    return {
        "required": f"{label}: nothing is chosen yet; choose from the list.",
        "invalid_choice": gone,
        "invalid_list": gone,
    }


def _build_number_sentences(field: Any, label: str) -> Sentences:
    least, most = field.min_value, field.max_value
    reach = {
        (True, True): f" from {least} to {most}",
        (True, False): f", {least} or more",
        (False, True): f", {most} at the most",
        (False, False): "",
    }[least is not None, most is not None]
    sentence = f"{label}: enter a whole number{reach}."
    return dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)


def _build_text_sentences(field: Any, label: str) -> Sentences:
    return {
        "required": f"{label}: this is empty; write it here.",
        "max_length": f"This is too long; write it in {field.max_length} characters or fewer.",
    }


def _build_moment_sentences(field: Any, label: str) -> Sentences:
    return dict.fromkeys(("required", "invalid"), f"{label}: give a day and an hour, as 2026-12-24 20:00.")


#: What each kind of field says; the first that fits.
_WORDS: tuple[tuple[type[forms.Field], Callable[[Any, str], Sentences]], ...] = (
    (forms.ChoiceField, _build_choice_sentences),
    (forms.IntegerField, _build_number_sentences),
    (forms.DateTimeField, _build_moment_sentences),
    (forms.CharField, _build_text_sentences),
)
