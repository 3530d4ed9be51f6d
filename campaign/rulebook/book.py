"""The catalogues as a book people read: the published rules, our rulings on them, and the house rules."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import yaml

from battles.rulesets import registry
from campaign.rules.world.options import option_of
from campaign.rules.world.settings import RuleSettings

HOUSE = Path(__file__).parents[1] / "rules" / "catalogue.yaml"
#: What an id of a rule looks like wherever one stands in a sentence: AWI-T-MOR-01, HR-CAL-01, REG-VP-01.
RULE_ID = re.compile(r"\b[A-Z]{2,4}(?:-[A-Z])?-[A-Z0-9]{2,3}-\d{2}\b")
#: A value of a catalogue that is a key, and no words of a sentence.
KEY = re.compile(r"[A-Za-z0-9]+(_[A-Za-z0-9]+)+")
#: What is short in the keys of a catalogue, and the words for it.
SHORT = tuple(
    (re.compile(short), words)
    for short, words in (
        (r"\bsp\b", "SP"),
        (r"\buc\b", "unit commander"),
        (r"\bsk\b", "SK"),
        (r"\bst (?=fire|melee)", "stationary "),
        (r"(?<=\S) in(?=$| per\b)", " in inches"),
        (r"\bin fraction$", "in this part of it"),
        (r"\bdeg$", "in degrees"),
        (r" min$", ", at least"),
        (r"\bmin\b", "least"),
        (r"\bmax\b", "most"),
        (r"\bge\b", "reach the"),
        (r"\bgt\b", "exceed the"),
        (r" 5 5 6in\b", ", 5½ to 6 inch"),
        (r" (\d+) (\d+)lb\b", r", \1 to \2 pounder"),
        (r" (\d+)lb\b", r", \1 pounder"),
    )
)


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A choice a rule leaves: what it is unless something else is chosen, and what may be chosen.

    `setting` says that each campaign chooses for itself; the others are chosen with a battle file.
    """

    id: str
    default: str
    choices: str = ""
    setting: bool = False

    @property
    def name(self) -> str:
        return in_words(self.id)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what it says, what is unclear in it, how we read it, and why.

    `same_as` is the rule of another book that says the same; `differs` is what that has otherwise.
    """

    id: str
    title: str
    text: str
    same_as: str = ""
    differs: str = ""
    author: str = ""
    unclear: str = ""
    ruling: str = ""
    reason: str = ""
    default: str = ""
    table: tuple[tuple[str, str], ...] = ()
    choices: tuple[RuleChoice, ...] = ()

    @property
    def chapter(self) -> str:
        return self.id.rsplit("-", 1)[0]

    @property
    def words(self) -> str:
        """All it says besides id and title, for a search."""
        said = (self.text, self.differs, self.author, self.unclear, self.ruling, self.reason)
        rows = (f"{name} {value}" for name, value in self.table)
        return " ".join((*said, *rows, *(choice.name for choice in self.choices)))


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some rules that belong together; `id` is the beginning of their ids."""

    id: str
    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The chapters of one catalogue, or of a part of it."""

    id: str
    title: str
    chapters: tuple[Chapter, ...]


def list_catalogues() -> tuple[Path, ...]:
    """The house rules, and those of every ruleset there is."""
    return (HOUSE, *(ruleset.catalogue for ruleset in registry.RULESETS))


@cache
def load_rulebook() -> Mapping[str, Rule]:
    """Every rule by its id, house rules first; read once in a process."""
    return {
        rule.id: rule for book in load_rule_books() for chapter in book.chapters for rule in chapter.rules
    }


@cache
def rules_of_setting(name: str) -> tuple[str, ...]:
    """Ids of the rules that a setting belongs to."""
    return tuple(
        rule.id
        for rule in load_rulebook().values()
        if any(choice.setting and choice.id == name for choice in rule.choices)
    )


@cache
def load_chapters() -> Mapping[str, tuple[RuleBook, Chapter]]:
    """Every chapter by its id, with the book it stands in."""
    return {chapter.id: (book, chapter) for book in load_rule_books() for chapter in book.chapters}


@cache
def load_rule_books() -> tuple[RuleBook, ...]:
    """All catalogues as books, read once in a process; a rule may be the same as one read before it."""
    found: dict[str, Rule] = {}
    library: list[RuleBook] = []
    for path in list_catalogues():
        catalogue = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        options = {option["id"]: option for option in catalogue.get("options", ())}
        rules: dict[str, list[Rule]] = {}
        for row in catalogue["rules"]:
            rule = found[row["id"]] = _parse_rule(row, options, found)
            rules.setdefault(rule.chapter, []).append(rule)
        for key, book in catalogue["books"].items():
            titles = {f"{key}-{chapter}": title for chapter, title in book["chapters"].items()}
            parts = tuple(Chapter(id, title, tuple(rules[id])) for id, title in titles.items())
            library.append(RuleBook(key, book["title"], parts))
    return tuple(library)


def _parse_rule(row: Mapping[str, Any], options: Mapping[str, Any], found: Mapping[str, Rule]) -> Rule:
    """A row of a catalogue; what it does not say is empty."""
    same = row.get("same_as", "")
    _, _, section = row.get("section", "").partition(": ")
    table = row.get("table")
    return Rule(
        id=row["id"],
        title=row.get("title") or (found[same].title if same else f"{section[:1].upper()}{section[1:]}"),
        text=_collapse_whitespace(row["rule"]),
        same_as=same,
        differs=_collapse_whitespace(row.get("differs", "")),
        author=_collapse_whitespace(row.get("faq", "")),
        unclear=_collapse_whitespace(row.get("unclear", "")),
        ruling=_collapse_whitespace(row.get("ruling", "")),
        reason=_collapse_whitespace(row.get("basis", "")),
        default=_format_value(row.get("default", "")),
        table=tuple(_iter_figure_rows(table)) if table else (),
        choices=(
            *(_build_setting_choice(name) for name in row.get("settings", ())),
            *(_parse_option(options[name]) for name in row.get("options", ()) if name in options),
        ),
    )


def _parse_option(option: Mapping[str, Any]) -> RuleChoice:
    choices = option["choices"]
    each = (
        [_format_value(choice) for choice in choices]
        if isinstance(choices, list)
        else [_format_value(choices)]
    )
    listed = ("; " if any(", " in words for words in each) else ", ").join(each)
    name = str(option["id"])
    return RuleChoice(name, _format_value(option["default"]), listed, name in _get_default_settings())


def _build_setting_choice(name: str) -> RuleChoice:
    allowed = option_of(name).reach or _describe_allowed_values(get_type_hints(RuleSettings)[name])
    return RuleChoice(name, _format_value(_get_default_settings()[name]), allowed, True)


def _describe_allowed_values(kind: Any) -> str:
    """Describe the values allowed for a setting of this type, which is no number."""
    if kind is bool:
        return "yes, no"
    if get_origin(kind) is Literal:
        return ", ".join(_format_value(each) for each in get_args(kind))
    return ", ".join(_describe_allowed_values(each) for each in get_args(kind)) or _format_value(None)


@cache
def _get_default_settings() -> Mapping[str, Any]:
    return {item.name: item.default for item in fields(RuleSettings)}


def setting_text(settings: RuleSettings, name: str) -> str:
    """Describe a campaign's value of a setting."""
    return _format_value(getattr(settings, name))


def _iter_figure_rows(table: Any, before: str = "") -> Iterable[tuple[str, str]]:
    """A table of figures as rows of a name and a value, deeper ones with all their names.

    A list of entries has a row for each, which its first value names.
    """
    if isinstance(table, Mapping):
        for key, value in table.items():
            name = _format_row_name(key)
            yield from _iter_figure_rows(value, f"{before}, {name}" if before else name)
    elif isinstance(table, list) and all(isinstance(each, Mapping) for each in table):
        for entry in table:
            (_, name), *rest = entry.items()
            yield (
                _format_value(name),
                "; ".join(f"{_format_row_name(k)} {_format_value(v)}" for k, v in rest if v is not None),
            )
    else:
        yield before, _format_value(table)


def _format_value(value: Any) -> str:
    """A value of a catalogue in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, list):
        return ", ".join(_format_value(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{_format_row_name(key)} {_format_value(each)}" for key, each in value.items())
    text = str(value)
    return in_words(text) if KEY.fullmatch(text) else text.replace("_", " ")


def _format_row_name(key: Any) -> str:
    """Name a row of a table."""
    return in_words(key) if isinstance(key, str) else _format_value(key)


def in_words(key: str) -> str:
    """A key of a catalogue as words, its units and abbreviations written out."""
    said = key.replace("_", " ")
    for short, words in SHORT:
        said = short.sub(words, said)
    return said


def _collapse_whitespace(text: str) -> str:
    return " ".join(text.split())
