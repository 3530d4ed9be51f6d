"""A new scenario: from the template, to be changed file by file, or from another, some years later."""

import re
from datetime import date
from pathlib import Path

from campaign.scenarios.head import HEAD, SCENARIO_ID, TITLE
from campaign.scenarios.problems import ScenarioError, ScenarioProblem
from campaign.scenarios.reading import SCENARIOS, own_scenarios, read_scenario, scenario_list, scenario_path

TEMPLATE = SCENARIOS / "_template"
#: Files of the template in which the new scenario's id and title stand.
NAMED = (HEAD, "SOURCES.md")
#: Never that of a folder kept for a campaign, which is called by a digest (`reading.KEPT`).
SLUG = re.compile(r"(?![0-9a-f]{64}\Z)[a-z0-9]+(-[a-z0-9]+)*")


def scenario_new(slug: str, title: str = "") -> Path:
    """Copy the template for a scenario called `slug`; gives its folder.

    Raises ScenarioError for a name that will not do, or is taken.
    """
    if not SLUG.fullmatch(slug) or len(slug) > SCENARIO_ID:
        reason = f"a scenario's name has small letters, figures and hyphens, at most {SCENARIO_ID}."
        raise ScenarioError([ScenarioProblem(slug, 0, reason)])
    title = title or slug.replace("-", " ").title()
    if len(title) > TITLE or re.search(r'["\\\x00-\x1f\x7f]', title):
        reason = f"the title is one line of at most {TITLE} letters without quotes; choose another."
        raise ScenarioError([ScenarioProblem(slug, 0, reason)])
    folder = own_scenarios() / slug.replace("-", "_")
    if slug in scenario_list() or folder.exists():
        raise ScenarioError(
            [ScenarioProblem(slug, 0, "there is a scenario of this name already; choose another.")]
        )
    folder.mkdir(parents=True)
    for name, data in template_files(slug, title).items():
        (folder / name).write_bytes(data)
    return folder


def template_files(slug: str, title: str) -> dict[str, bytes]:
    """The template's files by name, for a scenario called so."""
    found = {file.name: file.read_text(encoding="utf-8") for file in sorted(TEMPLATE.iterdir())}
    return {
        name: (text.replace("SLUG", slug).replace("TITLE", title) if name in NAMED else text).encode()
        for name, text in found.items()
    }


#: A date that stands alone in a field of a table or of the head.
DATE = re.compile(r"(?m)(?<![^\s,\"=])([0-9]{4})(-[0-9]{2}-[0-9]{2})(?=[\s,\"]|$)")
#: What happened in fact is of its own year.
DATED = ("*.csv", HEAD)
UNDATED = ("history.csv",)


def scenario_later(slug: str, end: date) -> str:
    """The scenario `slug` if it begins after `end`, else one like it that many years later as it must.

    Of that one the dates, the name and the title's year are moved on; it is made when it is not there yet.
    Raises ScenarioError for a scenario that is not there or not sound.
    """
    theatre = read_scenario(scenario_path(slug)).theatre
    years = 0
    while _shift_years(theatre.start, years) <= end:
        years += 1
    if not years:
        return slug
    was, year = str(theatre.start.year), str(theatre.start.year + years)
    name = f"{slug.removesuffix(f'-{was}')}-{year}"
    if name not in scenario_list():
        folder = own_scenarios() / name.replace("-", "_")
        folder.mkdir(parents=True, exist_ok=True)
        for pattern in DATED:
            for file in sorted(scenario_path(slug).glob(pattern)):
                if file.name in UNDATED:
                    continue
                text = DATE.sub(lambda found: _moved_text(found, years), file.read_text(encoding="utf-8-sig"))
                if file.name == HEAD:
                    text = text.replace(f'"{theatre.id}"', f'"{name}"', 1)
                    title = theatre.title.replace(was, year)
                    text = text.replace(f'"{theatre.title}"', f'"{title}"', 1)
                (folder / file.name).write_text(text, encoding="utf-8")
    return name


def _shift_years(day: date, years: int) -> date:
    """The same day some years later; a leap day is the 28th of February."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return day.replace(year=day.year + years, day=28)


def _moved_text(found: re.Match[str], years: int) -> str:
    try:
        return _shift_years(date.fromisoformat(found[0]), years).isoformat()
    except ValueError:  # it only looks like a date
        return found[0]
