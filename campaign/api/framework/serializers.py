"""The base of all shapes of the API, and its error sentences for a body that is not as documented."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.settings import api_settings

from campaign.api.framework.parsing import refuse_unknown_fields

#: Choices that are named; longer lists stand in the document.
MOST_NAMED = 30
_FILE = "Send the file as multipart/form-data."
_MANY = {
    "not_a_list": "Send a list, in square brackets; this is no list ({input_type}).",
    "empty": "Send a list with something in it.",
    "min_length": "Send a list of {min_length} or more.",
    "max_length": "Send a list of {max_length} or fewer.",
}
_FIGURE = {
    "min_value": "Send {min_value} or more.",
    "max_value": "Send {max_value} or less.",
    "max_string_length": "It is too long for a number; send a shorter one.",
}
_MOMENT = "Send a moment as 2026-05-01T18:00:00Z."
_DAY = "Send a day as 1777-06-20."
#: For each kind of field, the general before the special, its sentences by the framework's code.
WORDS: tuple[tuple[type[serializers.Field], dict[str, str]], ...] = (
    (
        serializers.Field,
        {"required": "It is needed; send it.", "null": "Send a value, or leave it out; null is none."},
    ),
    (
        serializers.CharField,
        {
            "invalid": "Send a text.",
            "blank": "Send a text that is not empty.",
            "min_length": "Send a text of {min_length} or more characters.",
            "max_length": "Send a text of {max_length} or fewer characters.",
        },
    ),
    (serializers.BooleanField, {"invalid": "Send true or false."}),
    (serializers.IntegerField, {"invalid": "Send a whole number.", **_FIGURE}),
    (
        serializers.FloatField,
        {"invalid": "Send a number.", "overflow": "The number is too large; send a smaller one.", **_FIGURE},
    ),
    (
        serializers.DateTimeField,
        {
            "invalid": _MOMENT,
            "date": _MOMENT,
            "make_aware": "There is no such moment in {timezone}; send another.",
            "overflow": "The moment is too far away; send one nearer by.",
        },
    ),
    (serializers.DateField, {"invalid": _DAY, "datetime": _DAY}),
    (serializers.TimeField, {"invalid": "Send an hour as 18:00."}),
    (serializers.ListField, _MANY),
    (serializers.ListSerializer, _MANY),
    (
        serializers.DictField,
        {
            "not_a_dict": "Send an object with names, in braces; this is none ({input_type}).",
            "empty": "Send an object with something in it.",
        },
    ),
    (serializers.JSONField, {"invalid": "Send JSON."}),
    (
        serializers.Serializer,
        {"invalid": "Send an object with named fields, in braces; this is none ({datatype})."},
    ),
    (serializers.EmailField, {"invalid": "Send an address of mail, as name@example.org."}),
    (
        serializers.SlugField,
        {
            "invalid": "Send letters from a to z, digits, hyphens and underscores, without spaces.",
            "invalid_unicode": "Send letters, digits, hyphens and underscores, without spaces.",
        },
    ),
    (
        serializers.FileField,
        {
            "required": _FILE,
            "invalid": _FILE,
            "no_name": "Send the file with a name.",
            "empty": "The file is empty; send one with something in it.",
            "max_length": "The file's name has {length} characters; give it one of {max_length} or fewer.",
        },
    ),
)
#: Of a body that is null, of which the framework says "No data provided".
NO_BODY = "Send an object with named fields, in braces; null is none."
BOUNDS = ("min_value", "max_value", "min_length", "max_length")
_KEPT = "Send a text without characters that cannot be kept."
#: What else is looked at in a value that is of its kind, by the code of the validator.
CHECKS = {"null_characters_not_allowed": _KEPT, "surrogate_characters_not_allowed": _KEPT}


def set_error_messages(field: serializers.Field) -> None:
    """Give a field and those in it our sentences."""
    for kind, words in WORDS:
        if isinstance(field, kind):
            field.error_messages.update(words)
    if isinstance(field, serializers.ChoiceField):
        field.error_messages["invalid_choice"] = _describe_choices(field)
    for validator in getattr(field, "validators", ()):
        if (sentence := _find_validator_message(field, validator)) is not None:
            validator.message = sentence
    for inner in (getattr(field, "child", None), *getattr(field, "fields", {}).values()):
        if inner is not None:
            set_error_messages(inner)


def _find_validator_message(field: serializers.Field, validator: Any) -> str | None:
    """Find the message of a field's validator, with the figure of a bound or length."""
    code = str(getattr(validator, "code", ""))
    if code in BOUNDS:
        return str(field.error_messages[code]).format(**{code: validator.limit_value})
    return CHECKS.get(code, str(field.error_messages[code]) if code in field.error_messages else None)


def _describe_choices(field: serializers.ChoiceField) -> str:
    named = [str(key) for key in field.choices]
    if len(named) > MOST_NAMED or any("{" in each for each in named):
        return "“{input}” is none of those it may be; the document lists them."
    return f"“{{input}}” is none of: {', '.join(named)}."


class Shape(serializers.Serializer[Any]):
    """A serializer that refuses fields it does not know, and says in our words what is not as documented."""

    #: Whether a body with nothing in it is always refused, though none of its fields is asked for by itself.
    needed = False
    _worded = False

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data is None and self.root is self:
            raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [NO_BODY]})
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            refuse_unknown_fields(data, self.fields)
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError:
            if self._worded:
                raise
            self._worded = True
            set_error_messages(self)
            return super().to_internal_value(data)  # once more, for the words alone


@extend_schema_field({"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$", "example": "18:00"})
class HourField(serializers.TimeField):
    """An hour by the reader's clock; OpenAPI's own format of times demands a zone, this has none."""

    def __init__(self, **given: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **given)


class ErrorShape(Shape):
    """One field that is not as documented; "" is the body as a whole."""

    field = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()


class ProblemShape(Shape):
    """The reason why a request was not carried out (RFC 9457)."""

    type = serializers.CharField(help_text="An address of this API that says what kind of problem it is.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence: what is wrong and what to do.")
    rule = serializers.CharField(required=False, help_text="The rule that refuses it; see /api/v1/rules/.")
    field = serializers.CharField(required=False, help_text="The field the rule speaks of.")
    # A serializer has errors of its own; as a declared field this is none of them.
    errors = ErrorShape(many=True, required=False)  # type: ignore[assignment]


class PageQuery(Shape):
    """The page of a list."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=200, default=50)
