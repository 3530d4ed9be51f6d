"""The catalogues as a book people read: the published rules, our rulings on them, and the house rules."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

from campaign.names import tidy
from campaign.rules.settings import RuleSettings

ROOT = Path(__file__).resolve().parents[1]
CATALOGUES = (ROOT / "campaign/rules/catalogue.yaml", ROOT / "battles/rulesets/awi/catalogue.yaml")
#: What an id of a rule looks like wherever one stands in a sentence.
RULE_ID = re.compile(r"\b(?:AWI-[CT]|HR)-[A-Z0-9]{3}-\d{2}\b")
#: The books of the rulebook, by the beginning of their ids.
BOOKS = {
    "HR": "House rules of the campaign",
    "AWI-C": "AWI campaign rules, the published draft",
    "AWI-T": "AWI tactical rules",
}
#: Chapters by the beginning of their ids, in the order they are read in.
CHAPTERS = {
    "HR-CAL": "The calendar",
    "HR-DUE": "Deadlines",
    "HR-PAP": "Papers and receipts",
    "HR-ORD": "Orders",
    "HR-ORG": "Organisation",
    "HR-LDR": "Generals and command",
    "HR-GEN": "Generals lost",
    "HR-MAR": "Marches",
    "HR-WAT": "Marches by water",
    "HR-BOA": "Boats",
    "HR-BRG": "Bridges and crossings",
    "HR-OBS": "Obstructed roads",
    "HR-WRK": "Field works",
    "HR-WEA": "Weather",
    "HR-MAP": "The map",
    "HR-FOG": "What is seen",
    "HR-COU": "Couriers",
    "HR-LET": "Letters",
    "HR-CON": "Contact and battle",
    "HR-BAT": "From the map to the table",
    "HR-TAB": "Battles on the table",
    "HR-RET": "Retreat",
    "HR-PUR": "Pursuit",
    "HR-SUR": "Surrender",
    "HR-SIE": "Sieges",
    "HR-NAT": "Native allies",
    "HR-SUP": "Food",
    "HR-REC": "Weekly returns",
    "HR-LEV": "Levies",
    "HR-FOR": "Recruits, detachments, garrisons",
    "HR-ARR": "Arrivals",
    "HR-DAT": "Troops of the scenarios",
    "HR-VIC": "Victory",
    "HR-SET": "Settings and seats",
    "HR-UMP": "The umpire",
    "HR-BOT": "The staff",
    "HR-FRC": "Forecasts",
    "HR-REP": "Bulletins and the campaign's book",
    "HR-CAB": "How good the odds are",
    "HR-PRF": "Proof",
    "HR-ARC": "Archives",
    "HR-JOB": "Work in the background",
    "HR-API": "Programs",
    "HR-SCN": "Scenarios of one's own",
    "AWI-C-STR": "Strength",
    "AWI-C-BAT": "Battle casualties",
    "AWI-C-ATT": "Attrition and recruits",
    "AWI-C-MIL": "Militia",
    "AWI-C-EUR": "Replacements from Europe",
    "AWI-C-LOY": "Loyalists",
    "AWI-C-OVR": "Overstrength and balancing",
    "AWI-C-ELI": "Eliminated units",
    "AWI-C-POL": "Pools and new units",
    "AWI-C-MAR": "Forced marches",
    "AWI-C-QUA": "Quality of troops",
    "AWI-C-GAP": "What is not there",
    "AWI-T-SCA": "Scope and scales",
    "AWI-T-STR": "Strength points",
    "AWI-T-UNI": "Units and formations",
    "AWI-T-GEN": "Generals",
    "AWI-T-STA": "Markers",
    "AWI-T-BAL": "Balance",
    "AWI-T-REC": "Records and sources",
    "AWI-T-SEQ": "Sequence of a move",
    "AWI-T-MOR": "Morale",
    "AWI-T-OPT": "Optional rules",
    "AWI-T-MOV": "Movement",
    "AWI-T-TER": "Terrain",
    "AWI-T-FAC": "Facing",
    "AWI-T-FIR": "Fire",
    "AWI-T-CHG": "Charges",
    "AWI-T-CAV": "Second charges",
    "AWI-T-ROU": "Routs",
    "AWI-T-SUR": "Surrender",
    "AWI-T-MEL": "Melee",
    "AWI-T-FOR": "Fortifications",
    "AWI-T-ENG": "Field engineering",
    "AWI-T-EXP": "Explosive charges",
    "AWI-T-V98": "Ireland 1798",
    "AWI-T-V45": "The Forty-Five",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice a rule leaves: what it is unless something else is chosen, and what may be chosen.

    `setting` says that each campaign chooses for itself; the others are chosen with a battle file.
    """

    id: str
    default: str
    choices: str = ""
    setting: bool = False

    @property
    def name(self) -> str:
        return tidy(self.id)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it says, what is unclear in it, how we read it, and why."""

    id: str
    title: str
    text: str
    author: str = ""
    unclear: str = ""
    ruling: str = ""
    reason: str = ""
    default: str = ""
    table: tuple[tuple[str, str], ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def chapter(self) -> str:
        return self.id.rsplit("-", 1)[0]

    @property
    def words(self) -> str:
        """All it says, in small letters, for a search."""
        said = (self.id, self.title, self.text, self.author, self.unclear, self.ruling, self.reason)
        rows = (f"{name} {value}" for name, value in self.table)
        return " ".join((*said, *rows, *(choice.name for choice in self.choices))).lower()


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some rules that belong together; `id` is the beginning of their ids."""

    id: str
    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The chapters of one catalogue, or of a part of it."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]


@cache
def rulebook() -> Mapping[str, Rule]:
    """Every rule by its id, house rules first; read once in a process."""
    house, published = (
        yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader) for path in CATALOGUES
    )
    options = {option["id"]: option for option in published["options"]}
    found = [_house_rule(row) for row in house["rules"]]
    found += [_published_rule(row, options) for row in published["rules"]]
    return {rule.id: rule for rule in found}


@cache
def rules_of_setting(name: str) -> tuple[str, ...]:
    """Ids of the rules that a setting belongs to."""
    return tuple(
        rule.id
        for rule in rulebook().values()
        if any(choice.setting and choice.id == name for choice in rule.choices)
    )


@cache
def chapter_rules(chapter: str) -> tuple[Rule, ...]:
    """The rules of a chapter, in the catalogue's order."""
    return tuple(rule for rule in rulebook().values() if rule.chapter == chapter)


def books(search: str = "") -> tuple[Book, ...]:
    """The rulebook, or what of it holds every word searched for."""
    words = search.lower().split()
    found = {rule.id for rule in rulebook().values() if all(word in _words()[rule.id] for word in words)}
    return tuple(
        Book(key, title, chapters)
        for key, title in BOOKS.items()
        if (chapters := tuple(_chapters(key, found)))
    )


@cache
def _words() -> Mapping[str, str]:
    return {key: rule.words for key, rule in rulebook().items()}


def _chapters(book: str, found: set[str]) -> Iterable[Chapter]:
    for key, title in CHAPTERS.items():
        rules = tuple(rule for rule in chapter_rules(key) if rule.id in found)
        if key.startswith(f"{book}-") and rules:
            yield Chapter(key, title, rules)


def _house_rule(row: Mapping[str, Any]) -> Rule:
    return Rule(
        id=row["id"],
        title=row["title"],
        text=_prose(row["rule"]),
        reason=_prose(row["basis"]),
        default=_value(row["default"]),
        choices=tuple(_setting(name) for name in row["settings"]),
    )


def _published_rule(row: Mapping[str, Any], options: Mapping[str, Any]) -> Rule:
    _, _, title = row["section"].partition(": ")
    table = row.get("table")
    return Rule(
        id=row["id"],
        title=f"{title[:1].upper()}{title[1:]}",
        text=_prose(row["rule"]),
        author=_prose(row.get("faq", "")),
        unclear=_prose(row.get("unclear", "")),
        ruling=_prose(row.get("ruling", "")),
        table=tuple(_rows(table)) if table else (),
        choices=tuple(_option(options[name]) for name in row.get("options", ()) if name in options),
    )


def _option(option: Mapping[str, Any]) -> Choice:
    choices = option["choices"]
    listed = ", ".join(_value(each) for each in choices) if isinstance(choices, list) else _value(choices)
    name = str(option["id"])
    return Choice(name, _value(option["default"]), listed, name in _settings())


def _setting(name: str) -> Choice:
    return Choice(name, _value(_settings()[name]), _allowed(get_type_hints(RuleSettings)[name]), True)


def _allowed(kind: Any) -> str:
    """What a setting of this type may be."""
    if kind is bool:
        return "yes, no"
    if get_origin(kind) is Literal:
        return ", ".join(_value(each) for each in get_args(kind))
    if kind is int:
        return "a whole number"
    return ", ".join(_allowed(each) for each in get_args(kind)) or _value(None)


@cache
def _settings() -> Mapping[str, Any]:
    return {item.name: item.default for item in fields(RuleSettings)}


def setting_text(settings: RuleSettings, name: str) -> str:
    """What a campaign has set, in words."""
    return _value(getattr(settings, name))


def _rows(table: Any, before: str = "") -> Iterable[tuple[str, str]]:
    """A table of figures as rows of a name and a value, deeper ones with all their names."""
    if isinstance(table, Mapping):
        for key, value in table.items():
            name = _value(key)
            yield from _rows(value, f"{before}, {name}" if before else name)
    elif isinstance(table, list) and any(isinstance(each, Mapping | list) for each in table):
        for number, value in enumerate(table, 1):
            yield from _rows(value, f"{before} {number}" if before else str(number))
    else:
        yield before, _value(table)


def _value(value: Any) -> str:
    """A value of a catalogue in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(_value(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{_value(key)} {_value(each)}" for key, each in value.items())
    return str(value).replace("_", " ") if isinstance(value, str) else str(value)


def _prose(text: str) -> str:
    return " ".join(text.split())
