"""Orders as versioned JSON that came in from outside, every value checked (HR-ORD-01).

A paper's order is that of the journal (`world_json.order_to_json`) with the version of the form.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from campaign.rules.errors import RuleViolation
from campaign.rules.world.world import Order
from campaign.rules.world.world_json import order_to_json
from rosters.domain.text import name_fault

#: Version of the JSON of orders.
VERSION = 1
#: The longest word or name an order may hold.
LONGEST = 200

#: What it is that came in.
Called = Literal["order", "act"]
Record = TypeVar("Record")


def order_to_paper(order: Order) -> dict[str, Any]:
    """An order as JSON values with the version of the form."""
    return {"version": VERSION, **order_to_json(order)}


def checked_form(data: Any, rule: str, version: int, called: Called = "order") -> dict[str, Any]:
    """The values of a form without its version; refuses another version and what is no form."""
    if not isinstance(data, Mapping):
        raise RuleViolation(rule, f"An {called} is a JSON object; give its fields by name.")
    if type(data.get("version")) is not int or data["version"] != version:
        raise RuleViolation(
            rule,
            f"The {called}'s form has version {data.get('version')!r}; use version {version}.",
            "version",
        )
    return {key: value for key, value in data.items() if key != "version"}


def read_record(
    kind: type[Record], values: Any, rule: str, called: Called = "order", within: str = ""
) -> Record:
    """A record of a frozen dataclass from JSON values: nothing missing, nothing unknown, types right.

    `within` is the field it is the value of, "" for the whole; a refusal's field begins with it.
    """
    if not isinstance(values, Mapping):
        raise RuleViolation(rule, f"A part of the {called} is {values!r}; it must be a JSON object.", within)
    hints = _list_field_types(kind)  # type: ignore[arg-type]
    for key in sorted(map(str, values)):
        if key not in hints:
            raise RuleViolation(
                rule, f"There is no field {key!r} in such an {called}; leave it out.", _join_path(within, key)
            )
    for item in fields(kind):  # type: ignore[arg-type]
        if item.name not in values and item.default is MISSING and item.default_factory is MISSING:
            raise RuleViolation(
                rule, f"The {called} does not say {item.name}; fill it in.", _join_path(within, item.name)
            )
    return kind(
        **{
            key: _parse_value(hints[key], value, _join_path(within, key), rule, called)
            for key, value in values.items()
        }
    )


def _join_path(within: str, key: object) -> str:
    return f"{within}.{key}" if within else str(key)


@cache
def _list_field_types(kind: type[Any]) -> dict[str, Any]:
    return get_type_hints(kind)


def _parse_value(hint: Any, value: Any, key: str, rule: str, called: Called) -> Any:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is UnionType:  # a record or None
        return None if value is None else _parse_value(parts[0], value, key, rule, called)
    if origin is Literal:
        if type(value) is str and value in parts:
            return value
        listed = ", ".join(each for each in parts if each)
        blank = ", or an empty text" if "" in parts else ""
        raise RuleViolation(rule, f"{key} is {value!r}; choose one of {listed}{blank}.", key)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise RuleViolation(rule, f"{key} is {value!r}; it must be a list.", key)
        return tuple(
            _parse_value(parts[0], each, _join_path(key, at), rule, called) for at, each in enumerate(value)
        )
    if is_dataclass(hint):
        return read_record(hint, value, rule, called, key)  # type: ignore[arg-type]
    if type(value) is not hint:
        words = {str: "text", int: "a whole number", bool: "true or false"}
        raise RuleViolation(rule, f"{key} is {value!r}; it must be {words[hint]}.", key)
    if hint is str and len(value) > LONGEST:
        raise RuleViolation(rule, f"{key} is longer than {LONGEST} letters; shorten it.", key)
    if hint is str and (fault := name_fault(value)):
        raise RuleViolation(rule, f"{key}: {fault}", key)
    return value
