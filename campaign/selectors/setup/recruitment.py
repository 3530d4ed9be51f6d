"""Recruitment and attrition as they are chosen at set-up: each choice with what it does (HR-REC-04)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Any

import orjson

from campaign.rules.recruitment import estimate_final_points, is_affordable, weekly_changes
from campaign.rules.world.options import RECRUITMENT, option_of
from campaign.rules.world.settings import RuleSettings
from campaign.scenarios.armies import replace_armies, rows_from_json
from campaign.scenarios.reading import read_scenario, scenario_path
from campaign.selectors.setup.scenarios import ScenarioCard, read_scenario_mtime
from campaign.text.place_names import join_names
from rosters.importing import RosterErrors

#: What is said in place of strengths that nobody can wait for.
TOO_LARGE = "The expected strength of armies so large is not worked out here."
#: What the units of each weekly table are called.
KINDS = {
    "regular": "Continental or Loyalist unit",
    "militia": "Militia unit",
    "european": "British, German or French unit",
}


@dataclass(frozen=True, slots=True)
class SideStrength:
    """A side's campaign points at the last week's end, by the setting's value."""

    id: str
    name: str
    expected: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RecruitmentChoice:
    """A value of the setting. `changes` are mean points a week of one unit on the map, by `KINDS`."""

    value: str
    title: str
    line: str
    rules: tuple[str, ...]
    changes: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Recruitment:
    """The choices, which of them the scenario makes, and the strength each leads to without fighting.

    `sides` is empty on a map without troops, and for armies too large to be run through meanwhile: then
    `too_large` is set.
    """

    scenario_has: str
    weeks: int
    choices: tuple[RecruitmentChoice, ...]
    sides: tuple[SideStrength, ...]
    too_large: bool = False

    @property
    def without_strength(self) -> str:
        """Reason why no strength is shown; "" where it is, or where nobody would look for it."""
        return TOO_LARGE if self.too_large else ""

    @property
    def side_rows(self) -> list[tuple[str, list[int]]]:
        """Each side's name with its points under each choice."""
        return [(side.name, [side.expected[one.value] for one in self.choices]) for side in self.sides]

    @property
    def change_rows(self) -> list[tuple[str, list[str]]]:
        """Each kind of unit with its mean change a week under each choice, as it is written."""
        return [
            (words, [_format_signed(one.changes[kind]) for one in self.choices])
            for kind, words in KINDS.items()
        ]

    def get_choice(self, value: str) -> RecruitmentChoice:
        """The choice of a value of the setting."""
        return next(choice for choice in self.choices if choice.value == value)

    def describe_choice(self, value: str) -> str:
        """Describe a choice and the strength it leads to, beside the scenario's own, in sentences."""
        told = [self.get_choice(value).line]
        if self.sides:
            weeks = f"{self.weeks} week{'' if self.weeks == 1 else 's'}"
            told.append(f"Expected strength after {weeks} without marches or fights: {self._points(value)}.")
        elif self.too_large:
            told.append(TOO_LARGE)
        if value != self.scenario_has:
            points = f", which leads to {self._points(self.scenario_has)}" if self.sides else ""
            told.append(f"The scenario's choice is “{self.get_choice(self.scenario_has).title}”{points}.")
        return " ".join(told)

    def _points(self, value: str) -> str:
        return join_names(f"{side.name} {side.expected[value]} points" for side in self.sides)


#: Whoever asks meanwhile waits for the figures, where the cache alone would have each work them out.
_ONE_AT_A_TIME = Lock()

#: Ids of the rules behind each choice.
RULES = {
    "draft": ("AWI-C-ATT-01", "AWI-C-ATT-02", "AWI-C-MIL-01", "AWI-C-MIL-03", "AWI-C-EUR-01"),
    "damped": ("HR-REC-04",),
    "off": ("HR-REC-04",),
}


def recruitment_of(
    card: ScenarioCard, *, bare: bool = False, armies: Sequence[Mapping[str, Any]] = ()
) -> Recruitment:
    """The choices of a sound scenario, with their figures.

    `armies` are the units of a table that took the place of the scenario's (HR-SET-18), as they are kept.
    """
    sides: tuple[SideStrength, ...] | None = ()
    if not bare:
        with _ONE_AT_A_TIME:
            sides = _find_side_strengths(card.slug, read_scenario_mtime(card.slug), orjson.dumps(armies))
    choices = recruitment_choices(card.settings)
    return Recruitment(card.settings.recruitment, card.days // 7, choices, sides or (), sides is None)


def _format_signed(change: Fraction) -> str:
    """A mean change with its sign and one decimal."""
    return f"{float(change):+.1f}".replace("-", "\N{MINUS SIGN}") if change else "0"


def recruitment_choices(settings: RuleSettings) -> tuple[RecruitmentChoice, ...]:
    """Every value of the setting in words, with its mean changes under these settings."""
    option = option_of(RECRUITMENT)
    return tuple(
        RecruitmentChoice(
            value,
            words[0].upper() + words[1:],
            option.lines[value],
            RULES[value],
            weekly_changes(replace(settings, recruitment=value)),
        )
        for value, words in option.choices.items()
    )


@lru_cache(maxsize=16)
def _find_side_strengths(slug: str, changed: int, armies: bytes) -> tuple[SideStrength, ...] | None:
    """Strength of the sides with the scenario's files as they are now; None where nobody can wait for it.

    `armies` are units of a table as JSON; nobody has a strength where they do not fit the scenario any more.
    """
    scenario = read_scenario(scenario_path(slug))
    if rows := rows_from_json(orjson.loads(armies)):
        try:
            scenario = replace_armies(scenario, rows)
        except RosterErrors:
            return ()
    world = scenario.world
    if not world.units:
        return ()
    if not is_affordable(world):
        return None
    expected = {
        value: estimate_final_points(replace(world, settings=replace(world.settings, recruitment=value)))
        for value in option_of(RECRUITMENT).choices
    }
    return tuple(
        SideStrength(side.id, side.name, {value: points[side.id] for value, points in expected.items()})
        for side in world.theatre.sides
    )
