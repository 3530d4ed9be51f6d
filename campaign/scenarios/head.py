"""Reading scenario.toml: calendar, sides, settings, who holds what, seats."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

from battles.files.suggestions import guess_name
from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings
from campaign.rules.world.world import Side
from campaign.scenarios.problems import ScenarioError, ScenarioProblem, ScenarioTables
from rosters.domain.text import first_fault, name_fault

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CURLY = "\u201c\u201d\u201e\u2018\u2019\u201a\u00ab\u00bb"
_CURLY_INSIDE = re.compile(f'"[^"]*[{_CURLY}][^"]*"')
_DAY = re.compile(r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
#: Causes and cures by how the reader's own sentence begins.
_CAUSES = (
    (("Expected '='",), 'a name needs = and a value behind it, as title = "Club war"'),
    (("Cannot declare", "Cannot overwrite", "Cannot mutate"), "this name stands there twice; keep one"),
    (("Unterminated", "Illegal character '\\n'"), "a text has no closing quotation mark; add it"),
    (("Unescaped '\\\\'", "Invalid hex"), "a text holds a backslash; write two"),
    (("Expected newline",), "something follows the value; put text in quotation marks"),
    (("Invalid value",), "this is not a value; put text in quotation marks, and write a date as 1776-12-08"),
)


def toml_fault(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    """The line of a fault, 0 for the whole text, with the cause and the cure."""
    said = str(error)
    found = _PLACE.search(said)
    row = int(found[1]) if found and found[1] else 0
    lines = text.split("\n")
    line = lines[row - 1] if 0 < row <= len(lines) else ""
    if any(mark in line for mark in _CURLY) and not _CURLY_INSIDE.search(line):
        return row, 'curly quotation marks stand around a text; use straight ones (").'
    if _DAY.search(_QUOTED.sub("", line).split("#")[0]):
        return row, "write dates as 1776-12-08."
    cause = next((told for starts, told in _CAUSES if said.startswith(starts)), "")
    return row, f"{cause}." if cause else f"this is not valid TOML: {_PLACE.sub('', said)}."


HEAD = "scenario.toml"
KEYS = frozenset({"id", "title", "start", "end", "base_map", "sides", "holders", "settings", "seats"})
#: Where base maps lie, and the one of a scenario that names none.
GEO = Path(__file__).parents[2] / "static" / "geo"
WHOLE_MAP = "eastern-america"
#: What the name of the coarse map around another ends with.
SURROUNDINGS = "-surroundings"
SLUG = re.compile(r"[A-Za-z0-9_-]+")
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
#: Most letters, as the columns of campaign.models and rosters.models hold them.
SCENARIO_ID, TITLE, SIDE_ID, SIDE_NAME, USERNAME, SEAT_TITLE = 80, 200, 40, 100, 150, 100
#: Characters of a value that a refusal repeats.
LONGEST_SHOWN = 80


@dataclass(frozen=True, slots=True)
class DemoSeat:
    """A seat for trying the scenario out. `side` is empty for the umpire."""

    username: str
    role: str
    title: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """scenario.toml, read. `holders` gives the side a word of places.csv means, "" for nobody."""

    id: str
    title: str
    start: date
    end: date
    base_map: str
    sides: tuple[Side, ...]
    holders: Mapping[str, str]
    settings: RuleSettings
    seats: tuple[DemoSeat, ...]


def _format_value(value: Any) -> str:
    """A value as refusals repeat it."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


@dataclass(slots=True)
class _HeadSection:
    """A table of the file that reports its own faults; getters give a stand-in after one."""

    name: str
    values: Mapping[str, Any]
    faults: list[str]

    def text(self, key: str, most: int, *, needed: bool = True) -> str:
        value = self.values.get(key, "")
        where = f"{self.name}{key}"
        if not isinstance(value, str):
            self.faults.append(f"{where} is {_format_value(value)}; write a text in quotes.")
            return ""
        if needed and not value.strip():
            self.faults.append(f"{where} is missing; fill it in.")
        if fault := name_fault(value.strip(), most):
            self.faults.append(f"{where}: {fault}")
        return value.strip()

    def slug(self, key: str, most: int) -> str:
        value = self.text(key, most)
        if value and not SLUG.fullmatch(value):
            self.faults.append(
                f"{self.name}{key} is {_format_value(value)}; use letters, digits, - and _ only."
            )
        return value

    def day(self, key: str) -> date:
        value = self.values.get(key)
        if type(value) is date:
            return value
        self.faults.append(f"{self.name}{key} must be a date, as 1776-12-08.")
        return date.min

    def table(self, key: str, *, needed: bool) -> Mapping[str, Any]:
        value = self.values.get(key, None if needed else {})
        if isinstance(value, dict):
            return value
        self.faults.append(f"{key} must be a table; begin it with [{key}].")
        return {}

    def parts(self, key: str, keys: frozenset[str]) -> list["_HeadSection"]:
        """The tables of a list, each with no keys but `keys`."""
        listed = self.values.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            self.faults.append(f"{key} must be a list of tables; begin each with [[{key}]].")
            return []
        found = []
        for number, values in enumerate(listed, start=1):
            part = _HeadSection(f"{key} {number}: ", values, self.faults)
            part.refuse_others(keys)
            found.append(part)
        return found

    def refuse_others(self, keys: frozenset[str]) -> None:
        self.faults += [
            f"{self.name}there is no {key} in a scenario; the names are {', '.join(sorted(keys))}."
            for key in self.values
            if key not in keys
        ]


def read_head(tables: ScenarioTables) -> Head:
    """The head of a scenario; its faults go to `tables.problems`.

    Raises ScenarioError with every fault of the file when without it nothing else can be checked: its
    dates, its sides and who holds what.
    """
    values = _read_values(tables)
    faults: list[str] = []
    whole = _HeadSection("", values, faults)
    whole.refuse_others(KEYS)
    sides = tuple(_parse_side(part) for part in whole.parts("sides", frozenset({"id", "name", "colour"})))
    before = len(faults)
    holders = _parse_holders(whole, {side.id for side in sides})
    unsound = len(faults) > before
    head = Head(
        id=whole.slug("id", SCENARIO_ID),
        title=whole.text("title", TITLE),
        start=whole.day("start"),
        end=whole.day("end"),
        base_map=_base_map(whole),
        sides=sides,
        holders=holders,
        settings=_parse_settings(whole),
        seats=tuple(
            _parse_seat(part, {side.id for side in sides})
            for part in whole.parts("seats", frozenset({"username", "role", "title", "side"}))
        ),
    )
    if head.end < head.start:
        faults.append(
            f"the campaign ends on {head.end}, before it starts on {head.start}; change one of them."
        )
        unsound = True
    if len(sides) != 2 or sides[0].id == sides[1].id:
        faults.append("a campaign has two sides with different ids; name both under [[sides]].")
        unsound = True
    tables.problems += [ScenarioProblem(HEAD, 0, fault) for fault in faults]
    if unsound or date.min in (head.start, head.end):
        raise ScenarioError(tables.problems, hide=True)
    return head


def _base_map(whole: _HeadSection) -> str:
    name = whole.text("base_map", SCENARIO_ID, needed=False) or WHOLE_MAP
    names = sorted(path.stem for path in GEO.glob("*.geojson") if not path.stem.endswith(SURROUNDINGS))
    if name not in names:
        whole.faults.append(f"base_map is {_format_value(name)}; choose one of {', '.join(names)}.")
        return WHOLE_MAP  # for the checks that look at a map
    return name


def surroundings_of(base_map: str) -> str:
    """Name of the coarse map around a base map, "" when it has none."""
    name = base_map + SURROUNDINGS
    return name if (GEO / f"{name}.geojson").is_file() else ""


def _read_values(tables: ScenarioTables) -> Mapping[str, Any]:
    if not (tables.folder / HEAD).is_file():
        raise ScenarioError([ScenarioProblem(HEAD, 0, "the file is missing; every scenario needs it.")])
    text = tables.content(HEAD)
    if text is None:
        raise ScenarioError(tables.problems)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError([ScenarioProblem(HEAD, *toml_fault(text, error))]) from error
    except (ValueError, RecursionError) as error:
        reason = "a number in it is too long, or its tables are nested too deeply; write it simpler."
        raise ScenarioError([ScenarioProblem(HEAD, 0, reason)]) from error
    if fault := first_fault(values):
        raise ScenarioError([ScenarioProblem(HEAD, 0, f"a text in it cannot be kept. {fault}")])
    return values


def _parse_side(part: _HeadSection) -> Side:
    side = Side(part.slug("id", SIDE_ID), part.text("name", SIDE_NAME), part.text("colour", 7))
    if not COLOUR.fullmatch(side.colour):
        part.faults.append(f"{part.name}colour is {_format_value(side.colour)}; write it as #9b2d30.")
    return side


def _parse_holders(whole: _HeadSection, sides: set[str]) -> Mapping[str, str]:
    holders = {}
    for word, side in whole.table("holders", needed=True).items():
        if not isinstance(side, str) or (side and side not in sides):
            whole.faults.append(
                f'holders: {word} is {_format_value(side)}; name one of the sides, or "" for nobody.'
            )
        else:
            holders[word] = side
    return holders


def _parse_settings(whole: _HeadSection) -> RuleSettings:
    chosen = dict(whole.table("settings", needed=False))
    known = [item.name for item in fields(RuleSettings)]
    sound = {}
    for name, value in chosen.items():
        try:
            RuleSettings.from_json({name: value})
            sound[name] = value
        except RuleViolation as violation:
            guess = "" if name in known else guess_name(name, known)
            asked = f" Did you mean {guess}?" if guess else ""
            whole.faults.append(f"settings: {violation.message}{asked} ({violation.rule_id})")
    return RuleSettings.from_json(sound)


def _parse_seat(part: _HeadSection, sides: set[str]) -> DemoSeat:
    seat = DemoSeat(
        part.text("username", USERNAME),
        part.text("role", 12),
        part.text("title", SEAT_TITLE),
        part.text("side", SIDE_ID, needed=False),
    )
    fits = seat.side in sides if seat.role == "commander" else seat.role == "umpire" and not seat.side
    if not fits:
        part.faults.append(f"seat {seat.username}: an umpire has no side, a commander one of those listed.")
    return seat
