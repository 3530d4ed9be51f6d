"""Check of a document against the battle file's schema, with a sentence on each fault."""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError, validators
from jsonschema.exceptions import best_match

from battles.errors import MOST_FAULTS, BattleFileError, refuse_all
from battles.files.json_schema import PLAN_KINDS, battle_schema
from battles.files.limits import (
    MAXIMUM_ENTRIES,
    MAXIMUM_FIELDS,
    MAXIMUM_POINTS,
    MAXIMUM_POINTS_IN_ALL,
    MAXIMUM_VALUES,
)
from battles.files.suggestions import format_name_list, suggest_names
from battles.ground.features import FIELDS_OF

#: The rule a part of the file stands under.
RULES = {
    "cover": "AWI-T-FOR-03",
    "ground": "AWI-T-TER-01",
    "leaders": "AWI-T-GEN-01",
    "sides": "AWI-T-SEQ-01",
    "turns": "AWI-T-SCA-02",
    "units": "AWI-T-STR-01",
}
LAYOUT = "AWI-T-REC-01"
_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object in braces",
}


#: Whole numbers from here on are refused.
LARGEST = 10**15
#: Faults of a document that are looked at; in more there is no order worth finding.
MOST_LOOKED_AT = 2000


def _is_number(checker: Any, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # a whole number of hundreds of digits is none either: it has no place among lengths and counts
    return abs(value) < LARGEST if isinstance(value, int) else math.isfinite(value)


@lru_cache
def _build_validator() -> Any:
    numbers = Draft202012Validator.TYPE_CHECKER.redefine("number", _is_number)
    usual = validators.extend(Draft202012Validator, {"uniqueItems": _unique_texts}, type_checker=numbers)
    return usual(battle_schema())


def document_check(data: Any) -> None:
    """Raise BattleFileError, with the JSON path of each fault: that which matters most, then in order."""
    refuse_all(size_faults(data))
    faults = list(islice(_build_validator().iter_errors(data), MOST_LOOKED_AT))
    faults.sort(key=lambda fault: list(map(str, fault.absolute_path)))
    most = best_match(faults)
    found: dict[tuple[str, str], BattleFileError] = {}
    for fault in [most, *faults] if most is not None else faults:
        for error in islice(iter_refusals(fault), MOST_FAULTS):
            found.setdefault((error.field, error.message), error)
        if len(found) >= MOST_FAULTS:
            break
    refuse_all(found.values())


def size_faults(data: Any) -> Iterator[BattleFileError]:
    """The first thing in a document that is too much to look through: points, entries, fields, values."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    values = corners = 0
    while waiting:
        path, value = waiting.pop()
        if not isinstance(value, dict | list):
            continue
        of = MAXIMUM_ENTRIES, "entries", "Leave some out"
        if isinstance(value, dict):
            of = MAXIMUM_FIELDS, "fields", "Leave some out"
        elif path[-1:] == ("points",):
            of, corners = (MAXIMUM_POINTS, "points", "Draw it simpler"), corners + len(value)
        most, what, cure = of
        if len(value) > most:
            name = json_path(path) or "The file"
            yield _build_refusal([*path], f"{name} has {len(value):,} {what}; the most is {most:,}. {cure}.")
            return
        values += len(value)
        if corners > MAXIMUM_POINTS_IN_ALL:
            message = f"The ground has more than {MAXIMUM_POINTS_IN_ALL:,} points. Draw it simpler."
            yield _build_refusal(["ground", "features"], message)
            return
        if values > MAXIMUM_VALUES:
            yield _build_refusal([], f"The file has more than {MAXIMUM_VALUES:,} values. Leave some out.")
            return
        items = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [((*path, step), item) for step, item in items if isinstance(item, dict | list)]


def _unique_texts(validator: Any, wanted: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    """That no text is there twice; lists of anything else have that fault of their own."""
    texts = [item for item in value if isinstance(item, str)] if wanted and isinstance(value, list) else []
    if len(set(texts)) < len(texts):
        yield ValidationError("named twice")


def plans_faults(data: Any) -> Iterator[BattleFileError]:
    """Fields of plans that their kind cannot have, in a document that keeps to the schema."""
    for k, side in enumerate(data["sides"]):
        if isinstance(side.get("plan"), dict):
            yield from _plan_faults(side["plan"], f"sides[{k}].plan")


def plan_fields(plan: Mapping[str, Any]) -> dict[str, str]:
    """Fields a plan cannot have, each with the reason."""
    kind, later = plan["kind"], plan.get("until", 0) > 0
    meant = {kind, plan.get("then", "withdraw")} if later else {kind}
    wrong = {}
    for name, kinds in PLAN_KINDS.items():
        # who looks ahead may come to a plan that makes for the goal
        thinks = bool(plan.get("lookahead")) and kind in PLAN_KINDS["lookahead"] and name == "goal"
        if name in plan and not thinks and not (meant if name == "flank" else {kind}) & set(kinds):
            wrong[name] = f"belongs to {format_name_list(kinds)} and not to {kind}"
    if "then" in plan and not later:
        wrong["then"] = "needs the turn after which it begins in “until”"
    return wrong


def _plan_faults(plan: dict[str, Any], path: str) -> Iterator[BattleFileError]:
    for name, why in plan_fields(plan).items():
        message = f"“{name}” {why}; leave it out or change the plan."
        yield BattleFileError(RULES["sides"], message, f"{path}.{name}")


def json_path(steps: Iterable[str | int]) -> str:
    """A place in a document, as `units[3].troop_type`."""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def _describe_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = str(value)
    return f"“{text[:60]}”" if isinstance(value, str) else text[:60]


def _find_branch_fault(fault: ValidationError) -> ValidationError:
    """Of several forms a value may have, the fault of the one it seems to be meant as."""
    meant = "object" if isinstance(fault.instance, dict) else "string"
    for inner in fault.context or ():
        branch = fault.validator_value[inner.schema_path[0]]
        if meant == branch.get("type", "object"):
            return inner
    return fault


def iter_refusals(fault: ValidationError) -> Iterator[BattleFileError]:
    """A fault of the schema as refusals: where, why, and what to do."""
    if fault.validator in ("required", "additionalProperties"):
        path, schema, value = list(fault.absolute_path), fault.schema, fault.instance
        known = list(schema["properties"])
        if fault.validator == "required":
            for missing in (key for key in fault.validator_value if key not in value):
                told = schema["properties"][missing].get("description", "")
                yield _build_refusal([*path, missing], f"There is no “{missing}”; add it. {told}".strip())
        else:
            for unknown in (key for key in value if key not in known):
                yield _build_refusal(
                    [*path, str(unknown)], f"“{unknown}” is not known here; {suggest_names(unknown, known)}."
                )
        return
    yield _build_fault_refusal(fault)


def _build_refusal(steps: list[str | int], message: str) -> BattleFileError:
    return BattleFileError(RULES.get(str(steps[0]), LAYOUT) if steps else LAYOUT, message, json_path(steps))


def _build_fault_refusal(fault: ValidationError) -> BattleFileError:
    while fault.validator == "anyOf" and (inner := _find_branch_fault(fault)) is not fault:
        fault = inner
    if fault.validator in ("required", "additionalProperties"):
        return next(iter_refusals(fault))
    steps: list[str | int] = list(fault.absolute_path)
    value, wanted, schema = fault.instance, fault.validator_value, fault.schema
    named = max((at for at, step in enumerate(steps) if isinstance(step, str)), default=0)
    name = json_path(steps[named:]) or "the file"
    if fault.validator == "not":
        message = f"{name} belongs to {format_name_list(FIELDS_OF[name])} only; leave it out."
    elif fault.validator == "enum":
        message = f"{_describe_value(value)} is no choice for {name}; {suggest_names(value, wanted)}."
    elif fault.validator == "const":
        message = f"{name} is {_describe_value(value)}; this program reads {_describe_value(wanted)} only."
    elif fault.validator in ("type", "anyOf"):
        told = schema.get("description", "") if wanted in ("number", "integer") else ""
        kind = _KINDS.get(str(wanted), "a text or an object")
        message = f"{name} is {_describe_value(value)}; it must be {kind}. {told}".strip()
    elif fault.validator in ("minimum", "maximum"):
        bounds = f"{schema.get('minimum')} to {schema.get('maximum')}"
        described = schema.get("description", "")
        message = f"{name} is {_describe_value(value)}; it must be {bounds}. {described}".strip()
    elif fault.validator in ("minItems", "maxItems"):
        allowed = sorted({schema.get("minItems", 0), schema.get("maxItems", len(value))})
        message = f"{name} has {len(value)} entries; it must have {' to '.join(map(str, allowed))}."
    elif fault.validator == "maxLength":
        message = f"{name} has {len(value):,} characters; the most is {wanted:,}. Shorten it."
    elif fault.validator == "uniqueItems":
        message = f"{name} names something twice; keep each once."
    elif fault.validator == "pattern":
        message = f"{name} is empty; say something."
    else:
        message = f"{name} cannot be read: {fault.message}."
    return _build_refusal(steps, message)
