"""Bodies and addresses as they come: what no database or rule can take is refused here."""

import math
from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.settings import api_settings

from rosters.domain.text import name_fault, normalize_text, text_fault

#: The largest whole number a database keeps.
LARGEST = 2**63 - 1
DEEPEST = 40
#: Entries of one list, and fields of one object: to tell of each that is wrong takes 0.2 ms.
#: A battle file has no more (`battles/files/json_schema.py`).
MOST_ENTRIES = 1_024
#: Characters of a name of the body's own that a refusal repeats.
LONGEST_NAME = 100
#: Texts of several lines, by the name of their field.
SEVERAL_LINES = ("text", "notes", "caption", "reason", "word", "armies")
TOO_LARGE = "The number is too large; send a smaller one."


class CheckedJSONParser(JSONParser):
    """JSON with normalized texts, no control characters, no endless nesting, no number too large to keep."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply.") from None
        except ParseError as error:
            why = str(error.detail).removeprefix("JSON parse error - ")
            raise ParseError(f"The body is no JSON: {why}. Mend it and send it again.") from error
        try:
            data = _checked_value(data, 0)
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


def _checked_value(value: Any, depth: int) -> Any:
    """The value with its texts normalized. Raises _WrongValue for what cannot be kept."""
    if depth > DEEPEST:
        raise ParseError("The JSON is nested too deeply.")
    match value:
        case str():
            return _checked_text(value)
        case bool() | None:
            return value
        case int() if abs(value) > LARGEST:
            raise _WrongValue(TOO_LARGE)
        case float() if not math.isfinite(value):
            raise _WrongValue(TOO_LARGE)
        case list() if len(value) > MOST_ENTRIES:
            raise _WrongValue(f"The list has {len(value)} entries; send {MOST_ENTRIES} or fewer.")
        case dict() if len(value) > MOST_ENTRIES:
            raise _WrongValue(f"The object has {len(value)} fields; send {MOST_ENTRIES} or fewer.")
        case list():
            return [_checked_part(number, part, depth) for number, part in enumerate(value)]
        case dict():
            # a name that cannot be kept can be told to nobody either
            return {_checked_text(name): _checked_part(name, part, depth) for name, part in value.items()}
    return value


def _checked_text(text: str) -> str:
    text = normalize_text(text)
    if fault := text_fault(text):
        raise _WrongValue(fault)
    return text


def _checked_part(step: str | int, value: Any, depth: int) -> Any:
    try:
        return _checked_value(value, depth + 1)
    except _WrongValue as wrong:
        wrong.steps.append(str(step)[:LONGEST_NAME])
        raise


def demand_lines(shape: Any) -> None:
    """Have every text of a body's shape be one line that can be read, but for those in SEVERAL_LINES."""
    for name, field in getattr(shape, "fields", {}).items():
        child = getattr(field, "child", field)
        if isinstance(child, serializers.CharField) and name not in SEVERAL_LINES:
            child.validators.append(_verify_line)
        demand_lines(child)


def _verify_line(text: str) -> None:
    if fault := name_fault(text):
        raise ValidationError(fault)


def check_text(text: str) -> None:
    """Refuses characters that cannot be kept."""
    if fault := text_fault(text):
        raise ParseError(fault)


def is_odd_address(parts: Mapping[str, Any]) -> bool:
    """True if an address contains something that cannot be a key."""
    return any(
        ("\0" in part) if isinstance(part, str) else isinstance(part, int) and part > LARGEST
        for part in parts.values()
    )


def refuse_unknown_fields(given: Mapping[str, Any], known: Any) -> None:
    """Refuses names nobody documented."""
    unknown = {name[:LONGEST_NAME]: ["There is no such field."] for name in given if name not in known}
    if unknown:
        raise ValidationError(unknown)
