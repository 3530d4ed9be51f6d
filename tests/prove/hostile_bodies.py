"""JSON bodies made to keep the API busy, from its own document: each field as full as a body may be."""

import json
from collections.abc import Iterator
from typing import Any

from tests.campaign.api.operations import Operation, least, resolved, type_of

#: The bytes that are filled; a body may have a little more.
SIZE = 250 * 1024


def hostile(operation: Operation) -> Iterator[tuple[str, bytes]]:
    """Bodies of an operation, each with its name."""
    sound = operation.least()
    yield "fields nobody knows", encode_body({f"{n:05d}": 0 for n in range(SIZE // 11)})
    yield "zeros", encode_body([0] * (SIZE // 2))
    yield "lists in lists", b"[" * (SIZE // 2) + b"]" * (SIZE // 2)
    if not isinstance(sound, dict):
        return
    for name, schema in (operation.body or {}).get("properties", {}).items():
        for kind, value in filled(schema):
            yield f"{name} {kind}", encode_body({**sound, name: value})


def filled(schema: Any) -> Iterator[tuple[str, Any]]:
    """Values of a field as long as fits: of its own type and of others."""
    yield "of zeros", [0] * (SIZE // 2)
    yield "of marks", "\u0301\u0323" * (SIZE // 4)
    yield "of fields", {f"{n:05d}": 0 for n in range(SIZE // 11)}
    schema = resolved(schema)
    if type_of(schema) == "string":
        yield "of letters", "ab " * (SIZE // 3)
        yield "of accents", "\u00e9" * (SIZE // 2)
    if type_of(schema) == "object":
        for name, inner in schema.get("properties", {}).items():
            for kind, value in filled(inner):
                yield f"{name} {kind}", {**least(schema), name: value}
    if type_of(schema) == "array":
        one = least(schema["items"])
        yield "of the same", [one] * (SIZE // len(encode_body(one)) - 1)
        yield "of empty rows", [{}] * (SIZE // 3)
        if type_of(schema["items"]) == "string":
            yield "of names", [f"{'crow' * 5}{n}" for n in range(SIZE // 29)]
            yield "of many names", [f"advanced_corp{n}" for n in range(99)]


def encode_body(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()[: SIZE + 4096]
