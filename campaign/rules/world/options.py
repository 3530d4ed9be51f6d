"""Every setting as it is chosen: by groups, with a name, a line on what it changes, and its bounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from campaign.rules.errors import RuleViolation
from campaign.rules.world.settings import RuleSettings, list_choices

TABLE = Path(__file__).with_name("options.yaml")
RULE = "HR-SET-01"
#: Values that are no text, as they are written in forms and acts.
WORDS = {True: "true", False: "false", None: "null"}
#: Figures of the longest number.
FIGURES = 9


@dataclass(frozen=True, slots=True)
class SettingOption:
    """A setting. `choices` are its values with their words, or it is a number `least` to `most` of `unit`.

    `fixed` says why it is settled with the first morning, "" where it may change later; `lines` what each
    value means, where it is chosen by itself at the head of a page.
    """

    name: str
    group: str
    label: str
    line: str
    choices: Mapping[Any, str]
    unit: str = ""
    least: int = 0
    most: int = 0
    fixed: str = ""
    lines: Mapping[Any, str] = field(default_factory=dict)

    @property
    def default(self) -> Any:
        return getattr(RuleSettings(), self.name)

    def words(self, value: Any) -> str:
        """A value in words."""
        return self.choices[value] if self.choices else f"{value} {self.unit}"

    def format_text(self, text: str) -> str:
        """A value as it was once written, in words; one of other bounds too."""
        return next(
            (words for value, words in self.choices.items() if format_setting(value) == text), text
        ) + (f" {self.unit}" if self.unit else "")

    def read(self, text: str) -> Any:
        """The value of a text. Raises RuleViolation (HR-SET-01) with the setting as its field."""
        if self.choices:
            for value in self.choices:
                if format_setting(value) == text:
                    return value
            raise RuleViolation(RULE, f"{self.label}: choose one of the list.", self.name)
        if not (text.isascii() and text.isdecimal() and len(text) <= FIGURES):
            raise RuleViolation(RULE, f"{self.label}: enter a whole number. {self.bounds}", self.name)
        value = int(text)
        if not self.least <= value <= self.most:
            raise RuleViolation(RULE, f"{self.label}: {value} will not do. {self.bounds}", self.name)
        return value

    @property
    def bounds(self) -> str:
        return f"It is {self.least} to {self.most} ({self.unit})."

    @property
    def reach(self) -> str:
        """The unit and range of a number, in words; "" for listed values."""
        return "" if self.choices else f"{self.unit}, {self.least} to {self.most}"


@dataclass(frozen=True, slots=True)
class SettingGroup:
    """Settings that are chosen together."""

    id: str
    title: str
    lead: str
    options: tuple[SettingOption, ...]


@cache
def list_setting_groups() -> tuple[SettingGroup, ...]:
    """The whole table, in its order; read once in a process."""
    table = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    kinds = {item.name: item.type for item in fields(RuleSettings)}
    return tuple(
        SettingGroup(
            group["id"],
            group["title"],
            group["lead"],
            tuple(
                _build_option(name, group["id"], row, kinds[name], table["units"])
                for name, row in group["options"].items()
            ),
        )
        for group in table["groups"]
    )


def _build_option(
    name: str, group: str, row: Mapping[str, Any], kind: Any, units: Mapping[str, Any]
) -> SettingOption:
    choices = list_choices(kind)
    words = row.get("words", {True: "yes", False: "no"} if choices else {})
    unit = units.get(row.get("unit", ""), {"word": "", "least": 0, "most": 0})
    return SettingOption(
        name=name,
        group=group,
        label=row["label"],
        line=row["line"],
        choices={choice: words[choice] for choice in choices},
        unit=unit["word"],
        least=row.get("least", unit["least"]),
        most=row.get("most", unit["most"]),
        fixed=row.get("fixed", ""),
        lines=row.get("lines", {}),
    )


@cache
def list_options() -> Mapping[str, SettingOption]:
    """Every option by the name of its setting."""
    return {option.name: option for group in list_setting_groups() for option in group.options}


def option_of(name: str) -> SettingOption:
    """The option of a setting. Raises RuleViolation for a name that is none."""
    found = list_options().get(name)
    if found is None:
        raise RuleViolation(RULE, f"There is no setting called {name}.", name)
    return found


def format_setting(value: Any) -> str:
    """A setting's value as a form and an act have it."""
    return WORDS[value] if value is None or isinstance(value, bool) else str(value)


def list_changed_settings(settings: RuleSettings, other: RuleSettings) -> list[str]:
    """Names of the settings in which two differ, in the table's order."""
    return [name for name in list_options() if getattr(settings, name) != getattr(other, name)]


def verify_hours(settings: RuleSettings) -> None:
    """Refuses hours of the day that cannot follow each other (HR-MAR-04, HR-CON-05)."""
    if settings.dark <= settings.march_starts:
        raise RuleViolation(
            "HR-CON-05", "It must be dark some time after the march begins; mend one of the two.", "dark"
        )
    if settings.march_starts + settings.march_minutes > 24 * 60:
        raise RuleViolation(
            "HR-MAR-04",
            "A day's march must end by midnight: begin it earlier or make it shorter.",
            "march_minutes",
        )


# --- levels of fog ---


@dataclass(frozen=True, slots=True)
class Level:
    """A level of fog: settings that make it up."""

    id: str
    title: str
    line: str
    settings: Mapping[str, Any]

    def of(self, settings: RuleSettings) -> bool:
        return all(getattr(settings, name) == value for name, value in self.settings.items())


LEVELS = (
    Level(
        "full",
        "Full fog",
        "A side sees what its scouts see. Orders, reports and letters ride, come late and may be taken.",
        {"fog": "full", "couriers": True},
    ),
    Level(
        "club",
        "Club fog",
        "A side sees what its scouts see, but headquarters know at once what every column of theirs does and "
        "sees, and their orders count at once.",
        {"fog": "full", "couriers": False},
    ),
    Level(
        "open_couriers",
        "Open map, with couriers",
        "Everybody sees every column in its true strength, but orders, reports and letters ride.",
        {"fog": "off", "couriers": True},
    ),
    Level(
        "open",
        "Open map",
        "Everybody sees every column in its true strength; orders, pools and journal stay each side's own.",
        {"fog": "off", "couriers": False},
    ),
)


#: The setting chosen by itself at the head of a page, beside the level (HR-REC-04).
RECRUITMENT = "recruitment"

#: The settings the levels are made of; every mixture of them is a level.
LEVELLED = ("fog", "couriers")


def get_level(settings: RuleSettings) -> Level:
    """The level a campaign is played at."""
    return next(level for level in LEVELS if level.of(settings))
