"""Battle files as JSON: read, checked, written. Neither Django nor numba is needed."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

from battles.errors import BattleFileError, refuse_all
from battles.files.checks import missing_faults
from battles.files.document_checks import LAYOUT, document_check, json_path, plan_fields, plans_faults
from battles.files.json_schema import FORMAT, VERSION, hints_of, strip_optional
from battles.files.schema import BattleFile, BattleGround, BattleLeader, BattlePlan, BattleUnit, Feature
from battles.files.suggestions import guess_name
from battles.ground.features import FIELDS_OF
from battles.rulesets import registry
from rosters.domain.text import name_fault, normalize_name, normalize_text, text_fault
from rosters.file_kinds import ZIP, file_kind, text_kind

#: What is wrong, by how the reader's sentence about it begins.
_CAUSES = {
    "Expecting value": "a value is missing, or a text stands without its quotation marks",
    "Expecting property name": "a name in double quotation marks is missing, or there is a comma too many",
    "Expecting ':'": "a colon is missing between a name and its value",
    "Expecting ','": "a comma or a closing bracket is missing",
    "Unterminated string": "a text has no closing quotation mark",
    "Invalid control character": "a text goes over the end of its line",
    "Invalid \\escape": "a backslash stands before a letter it cannot stand before",
    "Extra data": "something follows the closing bracket",
}
#: Marks that people and word processors set around texts.
_MARKS = "'`\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"
_WORDS = re.compile(r"(none|true|false|null|nil)\b", re.IGNORECASE)


def json_fault(error: json.JSONDecodeError) -> tuple[str, str]:
    """The line and column of a fault, with its cause and cure."""
    text, at = error.doc, error.pos
    before = text[:at].rstrip()
    if error.msg.startswith("Illegal trailing comma"):
        before = text[: at + 1]
    elif not (text[at : at + 1] in ("]", "}") and before.endswith(",")):
        return _describe_place(text, at), _describe_cause(error, before)
    return _describe_place(
        text, len(before) - 1
    ), "This is not valid JSON: there is a comma after the last value; remove it."


def _describe_place(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _describe_cause(error: json.JSONDecodeError, before: str) -> str:
    text, at = error.doc, error.pos
    here = text[at : at + 1]
    if text[at : at + 2] in ("//", "/*") or here == "#":
        return "JSON cannot hold comments; remove the one that begins here."
    known = (said for start, said in _CAUSES.items() if error.msg.startswith(start))
    cause = next(known, error.msg[:1].lower() + error.msg[1:])
    if here and here in _MARKS:
        cause = f'texts and names stand between straight double quotation marks ("), not {here}'
    elif here == "+":
        cause = "a number has no plus sign before it"
    elif here.isdigit() and re.search(r"\d,$", text[max(at - 2, 0) : at]):
        cause = "a number has a point for its decimals, as 4.5, not a comma"
    elif here.isdigit() and re.search(r"(?<![\w.])0$", text[max(at - 2, 0) : at]):
        cause = "a number does not begin with a nought"
    elif _WORDS.match(text, at):
        cause = "write true, false and null in small letters"
    elif here.isalpha() and not before.strip("\ufeff"):
        cause = "a battle file begins with { and ends with }"
    return f"This is not valid JSON: {cause}; correct it at this place."


#: The battles that come with the program.
FIXTURES = Path(__file__).parents[1] / "fixtures"
#: Bytes by which a text that is no JSON is known.
KIND_BYTES = 1024
_TOP = ("title", "ruleset", "cover", "options", "turns", "break_percent", "objective", "notes", "sources")


def decode_value(kind: Any, value: Any) -> Any:
    """A value of JSON as the type it stands for: dataclasses, enumerations, tuples, mappings."""
    if value is None and NoneType in get_args(kind):
        return None
    kind = strip_optional(kind)
    origin = get_origin(kind)
    if kind in (int, float):
        return kind(value)
    if origin is tuple:
        return tuple(decode_value(get_args(kind)[0], item) for item in value)
    if origin is Mapping:
        return {key: decode_value(get_args(kind)[1], item) for key, item in value.items()}
    if is_dataclass(kind):
        hints = hints_of(kind)  # type: ignore[arg-type]
        return kind(**{name: decode_value(hints.get(name, Any), item) for name, item in value.items()})  # type: ignore[operator]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    return value


def encode_value(value: Any) -> Any:
    """A value as JSON; of a dataclass only what differs from its defaults."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            item.name: encode_value(getattr(value, item.name))
            for item in fields(value)
            if item.default is MISSING or getattr(value, item.name) != item.default
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [encode_value(item) for item in value]
    if isinstance(value, Mapping):
        return {key: encode_value(item) for key, item in value.items()}
    return value


def decode_battle(data: Mapping[str, Any]) -> BattleFile:
    """A battle as `asdict` left it, which is how campaigns keep theirs. Nothing is checked again."""
    battle: BattleFile = decode_value(BattleFile, data)
    return battle


def battle_from_json(data: Any, *, part: bool = False) -> BattleFile:
    """The battle of a document; of a `part`, such as what one side saw, a side may be missing.

    Raises BattleFileError, with the JSON path and the reason of each fault, when it cannot be fought.
    """
    document_check(data)
    attacker, defender, faults = _find_roles(data["sides"])
    faults += plans_faults(data)
    battle = BattleFile(
        attacker=attacker,
        defender=defender,
        units=tuple(decode_value(BattleUnit, {"name": unit["id"], **unit}) for unit in data["units"]),
        leaders=tuple(
            decode_value(BattleLeader, {"name": one["id"], **one}) for one in data.get("leaders", ())
        ),
        ground=decode_value(BattleGround, data["ground"]) if "ground" in data else None,
        plans={side["id"]: _decode_plan(side["plan"]) for side in data["sides"] if "plan" in side},
        side_names={side["id"]: side["name"] for side in data["sides"] if side.get("name")},
        break_points={
            side["id"]: int(side["break_percent"]) for side in data["sides"] if "break_percent" in side
        },
        **{name: decode_value(hints_of(BattleFile)[name], data[name]) for name in _TOP if name in data},
    )
    try:
        registry.verify_battle(battle)
    except BattleFileError as error:
        sides = [side["id"] for side in data["sides"]]
        faults += [
            BattleFileError(each.rule_id, each.message, _find_document_path(sides, battle, each.field))
            for each in error.every
        ]
    refuse_all([*faults, *(missing_faults(battle) if not part else ())])
    return battle


def _find_roles(sides: list[dict[str, Any]]) -> tuple[str, str, list[BattleFileError]]:
    """Attacker and defender; of two sides of one role the first attacks, so that the rest can be judged."""
    if sides[0]["id"] == sides[1]["id"]:
        raise BattleFileError(
            "AWI-T-SEQ-01", "A battle needs two different sides; give each its own id.", "sides[1].id"
        )
    by_role = {side["role"]: side["id"] for side in sides}
    if len(by_role) < 2:
        fault = BattleFileError(
            "AWI-T-SEQ-01",
            f"Both sides are the {sides[0]['role']}; one must be the attacker and one the defender.",
            "sides[1].role",
        )
        return sides[0]["id"], sides[1]["id"], [fault]
    return by_role["attacker"], by_role["defender"], []


def _decode_plan(data: Any) -> BattlePlan:
    plan: BattlePlan = decode_value(BattlePlan, {"kind": data} if isinstance(data, str) else data)
    return plan


def _find_document_path(sides: list[str], battle: BattleFile, field: str) -> str:
    """The JSON path of a battle's field, in a document that names its sides in this order."""
    if field in ("attacker", "defender"):
        return f"sides[{sides.index(getattr(battle, field))}].id"
    word, _, rest = field.partition(".")
    part = {"plans": "plan", "side_names": "name", "break_points": "break_percent"}.get(word)
    side = next((side for side in sides if rest == side or rest.startswith(f"{side}.")), None)
    if part is None or side is None:
        return field
    return f"sides[{sides.index(side)}].{part}{rest[len(side) :]}"


def battle_to_json(battle: BattleFile) -> dict[str, Any]:
    """The document of a battle, without what has its default."""
    sides = [_encode_side(battle, side) for side in (battle.attacker, battle.defender)]
    top = {key: value for key, value in encode_value(battle).items() if key in _TOP and value not in ({}, [])}
    document = {"format": FORMAT, "version": VERSION, "title": top.pop("title"), **top, "sides": sides}
    if battle.ground is not None:
        document["ground"] = encode_value(battle.ground)
        if battle.ground.features:
            document["ground"]["features"] = [_encode_feature(feature) for feature in battle.ground.features]
    document["leaders"] = [_encode_named_item(leader) for leader in battle.leaders]
    document["units"] = [_encode_named_item(unit) for unit in battle.units]
    return document


def _encode_feature(feature: Feature) -> dict[str, Any]:
    data: dict[str, Any] = encode_value(feature)
    return {key: item for key, item in data.items() if feature.kind in FIELDS_OF.get(key, (feature.kind,))}


def _encode_side(battle: BattleFile, side: str) -> dict[str, Any]:
    data: dict[str, Any] = {"id": side, "role": "attacker" if side == battle.attacker else "defender"}
    if battle.side_names.get(side):
        data["name"] = battle.side_names[side]
    if side in battle.plans:
        plan = battle.plans[side]
        said = {"kind": plan.kind, **encode_value(plan)}
        said = {key: item for key, item in said.items() if key not in plan_fields(said)}
        data["plan"] = plan.kind if len(said) == 1 else said
    if side in battle.break_points:
        data["break_percent"] = battle.break_points[side]
    return data


def _encode_named_item(item: BattleUnit | BattleLeader) -> dict[str, Any]:
    data: dict[str, Any] = encode_value(item)
    if item.name == item.id:
        del data["name"]
    return data


#: Where an object that says something twice keeps what that is, until its place is known.
_TWICE = object()


def _build_object(pairs: list[tuple[str, Any]]) -> dict[Any, Any]:
    data: dict[Any, Any] = dict(pairs)
    if len(data) < len(pairs):
        data[_TWICE] = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
    return data


def _text_fault(text: str, steps: tuple[str | int, ...]) -> str:
    """The fault of a text that cannot be kept, or ""; ids, names and titles are one visible line."""
    is_name = steps[-1:] in (("id",), ("name",), ("title",))
    return name_fault(normalize_name(text)) if is_name else text_fault(normalize_text(text))


def _iter_document_faults(
    data: Any, separator: str, steps: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Paths and cures of things said twice and of numbers that are none."""
    if isinstance(data, dict) and _TWICE in data:
        twice = data[_TWICE]
        yield (*steps, twice), f"“{twice}” is said twice in one place; keep one."
    if isinstance(data, str) and (fault := _text_fault(data.replace(separator, " "), steps)):
        yield steps, fault
    if isinstance(data, float) and not math.isfinite(data):
        said = "NaN" if math.isnan(data) else "A number without end"
        yield steps, f"{said} cannot be measured; give a finite number."
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in inside:
        if key is not _TWICE and isinstance(item, dict | list | float | str):
            yield from _iter_document_faults(item, separator, (*steps, key))


def parse_document(text: str | bytes, *, separator: str = " ") -> Any:
    """The JSON of a text. Raises BattleFileError with its path, or line and column, where it is none.

    `separator` is what programs put between the parts of an id; a person's text has none.
    """
    if not text.strip():
        raise BattleFileError(LAYOUT, "The file is empty; write a battle as one JSON object into it.", "")
    try:
        data = json.loads(text, object_pairs_hook=_build_object)
        refuse_all(
            BattleFileError(LAYOUT, message, json_path(steps))
            for steps, message in _iter_document_faults(data, separator)
        )
        json.dumps(data, ensure_ascii=False).encode()
        return data
    except BattleFileError:
        raise
    except UnicodeEncodeError as error:
        said = error.object[error.start : error.start + 1].encode(errors="backslashreplace").decode()
        raise BattleFileError(LAYOUT, f"{said} is half a character; write the whole of it.", "") from error
    except json.JSONDecodeError as error:
        if other := _other_kind(text):
            raise BattleFileError(LAYOUT, other, "") from error
        place, sentence = json_fault(error)
        raise BattleFileError(LAYOUT, sentence, place) from error
    except UnicodeDecodeError as error:
        told = _other_kind(text) or "The file is not UTF-8 text; save it as that."
        raise BattleFileError(LAYOUT, told, "") from error
    except (ValueError, RecursionError) as error:
        message = "This JSON is nested too deep or has a number too long; write it simpler."
        raise BattleFileError(LAYOUT, message, "") from error


def _other_kind(text: str | bytes) -> str:
    """A sentence for what is no battle file by its kind; "" for what may be one."""
    data = text if isinstance(text, bytes) else text.encode(errors="replace")
    kind = file_kind(data) or text_kind(data[:KIND_BYTES].decode("utf-8", "replace"))
    if kind in ("", "JSON"):
        return ""
    cure = "unpack it and take the battle file out" if kind == ZIP else "a battle file is JSON, a plain text"
    return f"This is {kind}, not a battle file; {cure}."


def describe_read_error(error: Exception) -> str:
    """The reason why a file cannot be read or written, in words."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, NotADirectoryError):
        return "a part of its path is no folder"
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    if isinstance(error, PermissionError):
        return "its owner does not allow it"
    return "its name or the disk does not allow it"


def find_shipped_battles() -> dict[str, Path]:
    """Files of the battles that come with the program, by name."""
    return {file.stem: file for file in sorted(FIXTURES.glob("*.json"))}


def read_battle(name: str) -> BattleFile:
    """The battle of a file, or of a name that is shipped.

    Raises BattleFileError when there is no such file or it cannot be fought.
    """
    return battle_from_json(read_document(name))


def read_document(name: str) -> Any:
    """The JSON of a file, or of a name that is shipped. Raises BattleFileError when there is none."""
    path = Path(name)
    try:
        if not path.is_file():
            path = find_shipped_battles().get(name.removesuffix(".json"), path)
        text = path.read_bytes()
    except (OSError, ValueError) as error:
        known = list(find_shipped_battles())
        guess = guess_name(name.removesuffix(".json"), known)
        asked = f" Did you mean “{guess}”?" if guess else ""
        message = (
            f"The file cannot be read: {describe_read_error(error)}.{asked} Shipped battles are: "
            f"{', '.join(known)}."
        )
        raise BattleFileError(LAYOUT, message, "") from error
    return parse_document(text)
