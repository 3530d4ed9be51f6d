"""Bodies and addresses as they come: what no database or rule can take is refused here."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.settings import api_settings

from campaign.texts import keepable

#: The largest whole number a database keeps.
LARGEST = 2**63 - 1
DEEPEST = 40
#: Characters of a name of the body's own that a refusal repeats.
LONGEST_NAME = 100
TOO_LARGE = "The number is too large; send a smaller one."
ODD_TEXT = "A text holds characters that cannot be kept; send it without them."


class CheckedJSONParser(JSONParser):
    """JSON without zero bytes, broken characters, endless nesting and numbers too large to keep."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except ParseError as error:
            why = str(error.detail).removeprefix("JSON parse error - ")
            raise ParseError(f"The body is no JSON: {why}. Mend it and send it again.") from error
        try:
            _check(data, 0)
        except _WrongValue as wrong:
            field = ".".join(reversed(wrong.steps)) or api_settings.NON_FIELD_ERRORS_KEY
            raise ValidationError({field: [wrong.words]}) from None
        return data


class FormParser(MultiPartParser):
    """A form with files, of which what is wrong is told in our words."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except ParseError as error:
            words = "The body is no whole form; send it anew as multipart/form-data with its boundary."
            raise ParseError(words) from error


class _WrongValue(Exception):
    """A value that cannot be kept. `steps` lead to it, its own first: they are found only for what is wrong,
    as the names of a large body's values together are many times its own length."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words
        self.steps: list[str] = []


def _check(value: Any, depth: int) -> None:
    if depth > DEEPEST:
        raise ParseError("The JSON is nested too deeply.")
    match value:
        case str():
            if not keepable(value):
                raise _WrongValue(ODD_TEXT)
        case bool() | None:
            pass
        case int() if abs(value) > LARGEST:
            raise _WrongValue(TOO_LARGE)
        case float() if not math.isfinite(value):
            raise _WrongValue(TOO_LARGE)
        case list():
            _check_each(enumerate(value), depth)
        case dict():
            for name in value:
                if not keepable(name):  # which can be told to nobody either
                    raise _WrongValue(ODD_TEXT)
            _check_each(value.items(), depth)


def _check_each(values: Iterable[tuple[str | int, Any]], depth: int) -> None:
    for step, value in values:
        try:
            _check(value, depth + 1)
        except _WrongValue as wrong:
            wrong.steps.append(str(step)[:LONGEST_NAME])
            raise


def check_text(text: str) -> None:
    """Refuses characters that cannot be kept."""
    if not keepable(text):
        raise ParseError(ODD_TEXT)


def odd_address(parts: Mapping[str, Any]) -> bool:
    """Whether an address holds what can be the key of nothing."""
    return any(
        ("\0" in part) if isinstance(part, str) else isinstance(part, int) and part > LARGEST
        for part in parts.values()
    )


def unknown_refused(given: Mapping[str, Any], known: Any) -> None:
    """Refuses names nobody documented."""
    unknown = {name[:LONGEST_NAME]: ["There is no such field."] for name in given if name not in known}
    if unknown:
        raise ValidationError(unknown)
