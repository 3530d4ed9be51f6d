"""What all shapes of the API have in common."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.settings import api_settings

from campaign.api.framework.error_sentences import NO_BODY, set_error_messages
from campaign.api.framework.parsing import refuse_unknown_fields


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
    """Why a request was not carried out (RFC 9457)."""

    type = serializers.CharField(help_text="An address of this API that says what kind of problem it is.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence: what is wrong and what to do.")
    rule = serializers.CharField(required=False, help_text="The rule that refuses it; see /api/v1/rules/.")
    field = serializers.CharField(required=False, help_text="The field the rule speaks of.")
    # A serializer has errors of its own; as a declared field this is none of them.
    errors = ErrorShape(many=True, required=False)  # type: ignore[assignment]


class PageQuery(Shape):
    """Which page of a list."""

    page = serializers.IntegerField(min_value=1, max_value=1_000_000, default=1)
    page_size = serializers.IntegerField(min_value=1, max_value=200, default=50)
