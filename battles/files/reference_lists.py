"""The lists of docs/battle-file.md, made from the schema, the options and the battles that are shipped."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from battles.engine.choices import format_choice
from battles.files.json_schema import FIELDS, PLAN_KINDS, battle_schema
from battles.files.reading import find_shipped_battles, read_battle
from battles.files.schema import AREAS, LINES, SITES
from battles.ground.features import FIELDS_OF
from battles.rulesets import registry

GUIDE = Path(__file__).parents[2] / "docs" / "battle-file.md"
#: All after this line is made here.
MARK = "<!-- made by manage.py battleschema --write -->\n"

_SECTIONS = {
    "side": "A side",
    "plan": "A plan",
    "unit": "A unit",
    "leader": "A general",
    "task": "A task of a unit",
    "ground": "The ground",
    "feature": "A feature of the ground",
}
_SHAPES = {
    AREAS: "corners in order round it, 3 or more",
    LINES: "its course, 2 points or more",
    SITES: "the one centre",
}
_ONLY = {"redoubt": "corners in order round it, or its course with `open_gorge`"}


def guide_tables() -> str:
    """Everything after the mark: fields, feature kinds, options and shipped battles as Markdown."""
    schema = battle_schema()
    parts = [
        "## The whole",
        "`format` is always `awi-battle` and `version` is 1; `sides` are two, described below. "
        "Beside what must be there, `$schema` may name the published schema.",
        _describe_required_fields(schema),
        _format_fields_table("battle", schema),
    ]
    for shape, title in _SECTIONS.items():
        parts += [f"## {title}", *_iter_prose(shape), _describe_required_fields(schema["$defs"][shape])]
        parts.append(_format_fields_table(shape, schema["$defs"][shape]))
    parts += ["## Kinds of ground", _format_kinds_table(), "## Options", *_iter_option_sections()]
    parts += ["## Battles that come with the program", _format_shipped_table()]
    return "\n\n".join(part for part in parts if part) + "\n"


def rewrite_guide(text: str) -> str:
    """The document with its lists made anew."""
    return text.partition(MARK)[0] + MARK + "\n" + guide_tables()


def _iter_prose(shape: str) -> Iterator[str]:
    if shape == "plan":
        yield (
            "A plan is an object, or just the word of its `kind`. "
            "A field that its kind has no use for is refused."
        )
        uses = [f"`{name}` is for {', '.join(kinds)}" for name, kinds in PLAN_KINDS.items()]
        yield (
            f"{'; '.join(uses)}. `flank` may also serve the plan it becomes, and `then` needs `until`. "
            "With `lookahead` a `goal` may stand with any kind that is weighed."
        )
    if shape == "feature":
        yield "Which fields a kind has is listed [below](#kinds-of-ground); others are refused."


def _describe_required_fields(schema: dict[str, Any]) -> str:
    names = [f"`{name}`" for name in schema["required"]]
    if not names:
        return ""
    listed = ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]
    return f"{listed} must be there."


def _format_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _format_fields_table(shape: str, schema: dict[str, Any]) -> str:
    names = [key.partition(".")[2] for key in FIELDS if key.startswith(f"{shape}.")]
    rows = [
        (
            f"`{name}`",
            FIELDS[f"{shape}.{name}"].text,
            _describe_bounds(found := schema["properties"][name]),
            _describe_default(found),
        )
        for name in names
    ]
    return _format_table(("field", "what it says", "choices or bounds", "when left out"), rows)


def _describe_bounds(schema: dict[str, Any]) -> str:
    if "anyOf" in schema:
        return "a plan"
    choices = schema.get("enum") or schema.get("items", {}).get("enum")
    if choices:
        return ", ".join(choice for choice in choices if choice)
    if "minimum" in schema:
        return f"{schema['minimum']} to {schema['maximum']}"
    return f"{schema['maxItems']} at most" if schema.get("maxItems", 2) > 2 else ""


def _describe_default(schema: dict[str, Any]) -> str:
    return format_choice(schema["default"]) if "default" in schema else ""


def _format_kinds_table() -> str:
    rows = []
    for kinds, points in _SHAPES.items():
        word = {AREAS: "area", LINES: "line", SITES: "site"}[kinds]
        for kind in kinds:
            own = ", ".join(f"`{name}`" for name, having in FIELDS_OF.items() if kind in having)
            rows.append((f"`{kind}`", word, _ONLY.get(kind, points), own))
    return _format_table(("kind", "is", "`points`", "has besides `id` and `name`"), rows)


def _iter_option_sections() -> Iterator[str]:
    yield (
        "`options` is an object of names of its `ruleset`, each of which changes the rule beside it. "
        "Words are JSON strings (`2/3` too), figures and objects stand as they are."
    )
    for ruleset in registry.RULESETS:
        yield f"### {ruleset.title}"
        yield f'For `"ruleset": "{ruleset.id}"`.'
        rows = [
            (
                f"`{name}`",
                ", ".join(map(_format_choice, option.choices)),
                _format_choice(option.default),
                option.rule,
            )
            for name, option in registry.get_rules(ruleset.id).options.items()
        ]
        yield _format_table(("option", "choices", "when left out", "rule"), rows)


def _format_choice(choice: Any) -> str:
    return f"`{format_choice(choice)}`"


def _format_shipped_table() -> str:
    rows = []
    for name in find_shipped_battles():
        battle = read_battle(name)
        sides = (battle.attacker, battle.defender)
        units = [sum(unit.side == side for unit in battle.units) for side in sides]
        size = f"{battle.ground.width:g} by {battle.ground.depth:g}" if battle.ground else ""
        rows.append((f"`{name}`", battle.title, f"{units[0]} against {units[1]}", size, str(battle.turns)))
    return _format_table(("name", "fight", "units", "table, inches", "turns"), rows)
