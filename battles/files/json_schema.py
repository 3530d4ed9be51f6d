"""The published JSON Schema of a battle file, made from the dataclasses of `schema.py`.

What the dataclasses cannot say, a sentence on each field and the bounds of its figures, stands here
once. `manage.py battleschema` prints the schema; `battles/schema/battle-file.schema.json` is a copy.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from battles.files.limits import (
    BOLDEST,
    FAR,
    LONGEST,
    LONGEST_NAME,
    LONGEST_NOTE,
    MAXIMUM_CHARGES,
    MAXIMUM_FEATURES,
    MAXIMUM_HEIGHT,
    MAXIMUM_LEADERS,
    MAXIMUM_POINTS,
    MAXIMUM_SP,
    MAXIMUM_STRUCTURE_SP,
    MAXIMUM_TURNS,
    MAXIMUM_UNITS,
    SHORTEST,
)
from battles.files.schema import BattleFile, BattleGround, BattleLeader, BattlePlan, BattleUnit, Feature, Task
from battles.ground.features import FIELDS_OF

FORMAT, VERSION = "awi-battle", 1
PUBLISHED = Path(__file__).parents[1] / "schema" / "battle-file.schema.json"
SHAPES: dict[type, str] = {
    BattleUnit: "unit",
    BattleLeader: "leader",
    BattlePlan: "plan",
    Task: "task",
    BattleGround: "ground",
    Feature: "feature",
}


class FieldDescription(NamedTuple):
    """The description of a field, and the bounds of its figure."""

    text: str
    least: int | None = None
    most: int | None = None


FIELDS: dict[str, FieldDescription] = {
    "battle.title": FieldDescription("What the fight is called."),
    "battle.ruleset": FieldDescription("The rules it is fought under."),
    "battle.cover": FieldDescription(
        "What protects the defender's start line when no ground says it (AWI-T-FOR-03)."
    ),
    "battle.options": FieldDescription("Options of the rules by name; what is left out has its default."),
    "battle.turns": FieldDescription(
        "Length of the day in game turns of ten minutes (AWI-T-SCA-02).", 1, MAXIMUM_TURNS
    ),
    "battle.break_percent": FieldDescription(
        "Share of its SP at whose loss a side breaks off, percent.", 1, 100
    ),
    "battle.units": FieldDescription("The units of both sides."),
    "battle.leaders": FieldDescription("The generals of both sides (AWI-T-GEN-01)."),
    "battle.ground": FieldDescription("The table and what lies on it; an open field when left out."),
    "battle.objective": FieldDescription("The spot fought for, [x, y] in inches."),
    "battle.notes": FieldDescription("Anything the designer wants to say."),
    "battle.sources": FieldDescription("Where the figures come from."),
    "side.id": FieldDescription("Short name by which units and leaders say whose they are."),
    "side.name": FieldDescription("What accounts call the side; its id when left out."),
    "side.role": FieldDescription("One side attacks and draws up at the near edge; the other defends."),
    "side.plan": FieldDescription(
        "How its commander means to fight; an attacker assaults and a defender holds."
    ),
    "side.break_percent": FieldDescription(
        "Its own share of SP lost at which it breaks off, percent.", 1, 100
    ),
    "unit.id": FieldDescription("Name of the unit within the file; no two alike."),
    "unit.name": FieldDescription("What accounts call it; its id when left out."),
    "unit.side": FieldDescription("Id of its side."),
    "unit.troop_type": FieldDescription("Type of troops (AWI-T-UNI-01)."),
    "unit.sp": FieldDescription(
        "Strength points; split a stronger unit (AWI-T-STR-02). A wagon may have 0.", 0, MAXIMUM_SP
    ),
    "unit.gun_class": FieldDescription("Class of a battery's guns (AWI-T-STR-04); for batteries only."),
    "unit.poor_militia": FieldDescription("Militia of the worst sort (AWI-T-MOR-02)."),
    "unit.formation": FieldDescription("Brigade it belongs to."),
    "unit.arrives": FieldDescription("Game turn in which it comes on; 0 for the start.", 0, MAXIMUM_TURNS),
    "unit.x": FieldDescription(
        "Inches of its centre from the left edge; the engine draws it up without.", -FAR, FAR
    ),
    "unit.y": FieldDescription("Inches of its centre from the near edge, the attacker's.", -FAR, FAR),
    "unit.facing": FieldDescription(
        "Degrees clockwise from the far edge: 0 looks at the defender's edge, 180 at the attacker's.", 0, 359
    ),
    "unit.posture": FieldDescription("Formation it starts in (AWI-T-UNI-02); the engine chooses without."),
    "unit.inside": FieldDescription("Id of the building it holds (AWI-T-TER-10)."),
    "unit.reserve": FieldDescription("Kept back until needed."),
    "unit.traits": FieldDescription(
        "What is special about it: `breaks_up` are light troops in stands that may break up into detachments "
        "(VBW-ORG-10), `mounted` foot that rides and fights on foot (VBW-ORG-13)."
    ),
    "unit.task": FieldDescription("Engineering it is told to do first (AWI-T-ENG-01, AWI-T-EXP-01)."),
    "leader.id": FieldDescription("Name of the general within the file; no two alike."),
    "leader.name": FieldDescription("What accounts call him; his id when left out."),
    "leader.side": FieldDescription("Id of his side."),
    "leader.rank": FieldDescription("Place in the chain of command (AWI-T-GEN-01)."),
    "leader.commands": FieldDescription(
        "Ids of a brigadier's units or of a senior's brigadiers (AWI-T-GEN-02)."
    ),
    "leader.with_unit": FieldDescription("Id of the unit he starts with (AWI-T-GEN-03); free without."),
    "leader.x": FieldDescription("Inches of a free general from the left edge.", -FAR, FAR),
    "leader.y": FieldDescription("Inches of a free general from the near edge.", -FAR, FAR),
    "plan.kind": FieldDescription("What the side sets out to do."),
    "plan.flank": FieldDescription("Flank it turns, as its own troops see it."),
    "plan.reserve_percent": FieldDescription("Share of the foot kept back until needed, percent.", 0, 100),
    "plan.boldness": FieldDescription(
        "-2 to 2: below 0 it charges only on better chances.", -BOLDEST, BOLDEST
    ),
    "plan.until": FieldDescription(
        "Game turn after which the plan becomes `then`; 0 for never.", 0, MAXIMUM_TURNS
    ),
    "plan.then": FieldDescription("The plan after `until`."),
    "plan.goal": FieldDescription("Spot it makes for or keeps to, [x, y] in inches."),
    "plan.lookahead": FieldDescription(
        "Fights the battle in the commander's head first and takes the best plan."
    ),
    "task.work": FieldDescription("Build, dismantle, or demolish with explosives."),
    "task.at": FieldDescription("Id of the structure among the ground's features."),
    "task.charges": FieldDescription("Explosive charges laid before it demolishes.", 1, MAXIMUM_CHARGES),
    "ground.width": FieldDescription("Inches from left to right.", SHORTEST, LONGEST),
    "ground.depth": FieldDescription("Inches from the attacker's edge to the defender's.", SHORTEST, LONGEST),
    "ground.features": FieldDescription(
        "What lies on the table; of hills on one spot the last named counts."
    ),
    "feature.kind": FieldDescription(
        "What it is: an area, a line or a site (AWI-T-TER-01 to 11, AWI-T-FOR-01)."
    ),
    "feature.points": FieldDescription(
        "Corners of an area, course of a line, or the one centre of a site, [x, y]."
    ),
    "feature.id": FieldDescription("Name by which units and tasks speak of it."),
    "feature.name": FieldDescription("What accounts call it."),
    "feature.height": FieldDescription(
        "Contours of a hill above the plain (AWI-T-TER-04).", 0, MAXIMUM_HEIGHT
    ),
    "feature.grade": FieldDescription("Steepness of a hill."),
    "feature.road_grade": FieldDescription("Steepness of a road where it climbs (AWI-T-TER-09)."),
    "feature.material": FieldDescription("What a building or bridge is made of (AWI-T-FOR-01)."),
    "feature.size": FieldDescription("Size of a building (AWI-T-TER-10)."),
    "feature.heading": FieldDescription(
        "Way over a bridge or ford, or of a building's long side, degrees.", 0, 359
    ),
    "feature.open_gorge": FieldDescription("A redoubt that is open at the back."),
    "feature.sp": FieldDescription(
        "Structure SP at the start; full for its kind when left out.", 0, MAXIMUM_STRUCTURE_SP
    ),
}
#: Kinds of plan a field is for; others have no use for it.
PLAN_KINDS: dict[str, tuple[str, ...]] = {
    "flank": ("turn_flank",),
    "goal": ("assault", "turn_flank", "hold"),
    "boldness": ("assault", "turn_flank", "hold", "delay", "withdraw"),
    "reserve_percent": ("assault", "turn_flank", "hold", "delay"),
    "lookahead": ("assault", "turn_flank", "hold", "delay"),
}
#: Entries a list may have at the most.
MOST = {
    "battle.units": MAXIMUM_UNITS,
    "battle.leaders": MAXIMUM_LEADERS,
    "ground.features": MAXIMUM_FEATURES,
    "feature.points": MAXIMUM_POINTS,
}
#: Texts that are longer than a name.
NOTES = ("battle.notes", "battle.sources")
#: Fields a document may leave out although the dataclass needs them.
MAY_LACK = {"unit.name", "leader.name"}
#: Fields it must have although the dataclass has a default, which would surprise a defender.
MUST_HAVE = {"plan.kind"}
_PLAIN: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


@lru_cache
def hints_of(shape: type) -> Mapping[str, Any]:
    """Types of a dataclass's fields."""
    return get_type_hints(shape)


def strip_optional(kind: Any) -> Any:
    """The type without `None`, which a file says by leaving the field out."""
    if get_origin(kind) in (Union, UnionType):
        return next(item for item in get_args(kind) if item is not NoneType)
    return kind


def _type_schema(kind: Any) -> dict[str, Any]:
    kind = strip_optional(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind in SHAPES:
        return {"$ref": f"#/$defs/{SHAPES[kind]}"}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"type": "string", "enum": [str(item.value) for item in kind]}
    if get_origin(kind) is tuple:
        first, *rest = get_args(kind)
        items = {"type": "array", "items": _type_schema(first)}
        return items if rest == [Ellipsis] else items | {"minItems": 1 + len(rest), "maxItems": 1 + len(rest)}
    raise TypeError(f"A battle file cannot hold {kind}.")


def _field_schema(shape: str, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    told = FIELDS[f"{shape}.{name}"]
    bounds = {"minimum": told.least, "maximum": told.most}
    schema = schema | {key: value for key, value in bounds.items() if value is not None}
    if f"{shape}.{name}" in MOST:
        schema["maxItems"] = MOST[f"{shape}.{name}"]
    longest = {"maxLength": LONGEST_NOTE if f"{shape}.{name}" in NOTES else LONGEST_NAME}
    if schema.get("type") == "string" and "enum" not in schema:
        schema |= longest
    elif schema.get("items") == {"type": "string"}:
        schema["items"] = schema["items"] | longest
    if f"{shape}.{name}" in ("unit.traits", "leader.commands"):
        schema["uniqueItems"] = True
    if (name == "id" and shape != "feature") or f"{shape}.{name}" == "battle.title":
        schema["pattern"] = r"\S"  # blanks are no name
    return schema | {"description": told.text}


def _is_required(shape: str, item: Field[Any]) -> bool:
    lacks = item.default is MISSING and item.default_factory is MISSING
    key = f"{shape}.{item.name}"
    return key in MUST_HAVE or (lacks and key not in MAY_LACK)


def _build_default(shape: str, item: Field[Any]) -> dict[str, Any]:
    """The default as the schema shows it; nothing where the field is merely left out."""
    if _is_required(shape, item) or item.default is MISSING or item.default in (None, "", ()):
        return {}
    return {"default": item.default.value if isinstance(item.default, Enum) else item.default}


def _build_object_schema(properties: dict[str, Any], required: list[str], title: str) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _shape_schema(shape: type) -> dict[str, Any]:
    assert is_dataclass(shape)
    word, hints = SHAPES[shape], hints_of(shape)
    properties = {
        item.name: _field_schema(word, item.name, _type_schema(hints[item.name])) | _build_default(word, item)
        for item in fields(shape)
    }
    schema = _build_object_schema(
        properties, [item.name for item in fields(shape) if _is_required(word, item)], word
    )
    return schema | {"allOf": _build_field_conditions()} if shape is Feature else schema


def _build_field_conditions() -> list[dict[str, Any]]:
    """That only some kinds of feature have a field."""
    kinds = get_args(hints_of(Feature)["kind"])
    return [
        {
            "if": {
                "properties": {"kind": {"enum": [kind for kind in kinds if kind not in having]}},
                "required": ["kind"],
            },
            "then": {"properties": {name: {"not": {}}}},
        }
        for name, having in FIELDS_OF.items()
    ]


def _side_schema() -> dict[str, Any]:
    kinds = _type_schema(hints_of(BattlePlan)["kind"])
    schemas: dict[str, dict[str, Any]] = {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "role": {"type": "string", "enum": ["attacker", "defender"]},
        "plan": {"anyOf": [kinds, {"$ref": "#/$defs/plan"}]},
        "break_percent": {"type": "integer"},
    }
    properties = {name: _field_schema("side", name, schema) for name, schema in schemas.items()}
    return _build_object_schema(properties, ["id", "role"], "side")


def battle_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a battle file."""
    hints = hints_of(BattleFile)
    defaults = {item.name: _build_default("battle", item) for item in fields(BattleFile)}
    properties: dict[str, Any] = {
        "$schema": {"type": "string", "description": "Address of this schema, for editors."},
        "format": {"const": FORMAT, "description": "Says that this is a battle file."},
        "version": {"const": VERSION, "description": "Version of the battle file's layout."},
        "sides": {
            "type": "array",
            "items": {"$ref": "#/$defs/side"},
            "minItems": 2,
            "maxItems": 2,
            "description": "The two sides: one attacker, one defender.",
        },
    }
    for key in FIELDS:
        shape, name = key.split(".")
        if shape == "battle":
            schema = {"type": "object"} if name == "options" else _type_schema(hints[name])
            properties[name] = _field_schema(shape, name, schema) | defaults[name]
    whole = _build_object_schema(
        properties, ["format", "version", "title", "sides", "units"], "AWI battle file"
    )
    definitions = {word: _shape_schema(shape) for shape, word in SHAPES.items()}
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole}
    return schema | {"$defs": {"side": _side_schema(), **definitions}}
