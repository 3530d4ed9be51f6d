"""The operations of the API's own document, and the least that each asks for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import resolve

from campaign.api.framework.contract import Contract
from campaign.api.framework.document import build_document

Schema = Mapping[str, Any]
#: Bodies of operations whose shape asks for more than the document can say.
BODIES: dict[str, dict[str, Any]] = {
    "battles_adjust": {"reason": "a", "arrivals": []},
    "bulletins_foreword": {"copy": "crown", "foreword": ""},
    "standing_treat": {"kind": "concede"},
    "orders_submit": {"choices": {}},
    "orders_draft": {"choices": {}},
    "orders_validate": {"choices": {}},
    "orders_replace": {"choices": {}},
}
#: A value of each simple type, and one that is none of it.
VALUES = {"string": "a", "integer": 1, "number": 1.0, "boolean": True, "array": [], "object": {}}
FORMATS = {"date": "1777-06-20", "date-time": "1777-06-20T12:00:00Z", "binary": b"a"}
WRONG: dict[str, Any] = {"array": "none", "object": "none"}
WRONG_ELSE = [{"none": "such"}]


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    id: str
    method: str
    template: str
    raw: Schema

    def __str__(self) -> str:
        return f"{self.method} {self.template}"

    @property
    def names(self) -> list[str]:
        """Parameters of its address."""
        return [each["name"] for each in self.raw.get("parameters", ()) if each["in"] == "path"]

    @property
    def open(self) -> bool:
        """Whether it is for anybody."""
        return "security" not in self.raw

    @property
    def conditional(self) -> bool:
        return any(each["name"] == "If-Match" for each in self.raw.get("parameters", ()))

    @property
    def body(self) -> Schema | None:
        """The schema of its JSON body."""
        found: Schema | None = self._content.get("application/json", {}).get("schema")
        return resolved(found) if found is not None else None

    @property
    def multipart(self) -> bool:
        return "multipart/form-data" in self._content

    @property
    def file(self) -> str:
        """The field of its form that takes a file."""
        fields = resolved(self._content["multipart/form-data"]["schema"])["properties"]
        return next(name for name, each in fields.items() if each.get("format") == "binary")

    @property
    def _content(self) -> Schema:
        found: Schema = self.raw.get("requestBody", {}).get("content", {})
        return found

    def path(self, values: Mapping[str, Any]) -> str:
        """Its address with these values."""
        return self.template.format_map({name: values[name] for name in self.names})

    @property
    def query(self) -> str:
        """The least its query must hold, from the question mark on."""
        asked = [
            each for each in self.raw.get("parameters", ()) if each["in"] == "query" and each.get("required")
        ]
        return "?" + urlencode({each["name"]: least(each["schema"]) for each in asked}) if asked else ""

    def least(self) -> Any:
        """A body as documented with no more in it than must be."""
        if self.id in BODIES:
            return BODIES[self.id]
        return None if self.body is None else least(self.body)

    def contract(self, values: Mapping[str, Any]) -> Contract:
        """What its view promises."""
        view: Any = resolve(self.path(values)).func
        found: Contract = getattr(view.view_class, self.method.lower()).contract
        return found


def operations() -> Iterator[Operation]:
    """Every operation there is."""
    for template, methods in build_document()["paths"].items():
        for method, raw in methods.items():
            yield Operation(raw["operationId"], method.upper(), template, raw)


def resolved(schema: Schema) -> Schema:
    """A schema itself where another names it, the first kind of several, and without null."""
    if "$ref" in schema:
        found: Schema = build_document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return resolved(found)
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return resolved(next(each for each in schema[several] if each.get("type") != "null"))
    return schema


def type_of(schema: Schema) -> str:
    """Its simple type; "" where it takes anything."""
    found = resolved(schema).get("type", "")
    if isinstance(found, list):
        found = next(each for each in found if each != "null")
    return str(found)


def least(schema: Schema) -> Any:
    """The least that is as a schema asks."""
    schema = resolved(schema)
    if "enum" in schema:
        return next(each for each in schema["enum"] if each is not None)
    match type_of(schema):
        case "object":
            wanted = schema.get("properties", {})
            return {name: least(wanted[name]) for name in schema.get("required", ())}
        case "array":
            return [least(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case "integer":
            return schema.get("minimum", 1)
        case "string":
            if "pattern" in schema and "example" in schema:
                return schema["example"]
            if "format" in schema:
                return FORMATS.get(schema["format"], "a")
            return "a" * max(1, schema.get("minLength", 1))
        case kind:
            return VALUES[kind]


def wrong(schema: Schema) -> Any:
    """A value of another type."""
    return WRONG.get(type_of(schema), WRONG_ELSE)
