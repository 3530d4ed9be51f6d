"""A new scenario from the template: a small sound one, to be changed file by file."""

import re
from pathlib import Path

from campaign.scenarios.head import HEAD, SCENARIO_ID, TITLE
from campaign.scenarios.problems import Problem, ScenarioError
from campaign.scenarios.reading import SCENARIOS, own_scenarios, scenario_list

TEMPLATE = SCENARIOS / "_template"
#: Files of the template in which the new scenario's id and title stand.
NAMED = (HEAD, "SOURCES.md")
SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


def scenario_new(slug: str, title: str = "") -> Path:
    """Copy the template for a scenario called `slug`; gives its folder.

    Raises ScenarioError for a name that will not do, or is taken.
    """
    if not SLUG.fullmatch(slug) or len(slug) > SCENARIO_ID:
        reason = f"a scenario's name has small letters, figures and hyphens, at most {SCENARIO_ID}."
        raise ScenarioError([Problem(slug, 0, reason)])
    title = title or slug.replace("-", " ").title()
    if len(title) > TITLE or re.search(r'["\\\x00-\x1f\x7f]', title):
        reason = f"the title is one line of at most {TITLE} letters without quotes; choose another."
        raise ScenarioError([Problem(slug, 0, reason)])
    folder = own_scenarios() / slug.replace("-", "_")
    if slug in scenario_list() or folder.exists():
        raise ScenarioError([Problem(slug, 0, "there is a scenario of this name already; choose another.")])
    folder.mkdir(parents=True)
    for file in sorted(TEMPLATE.iterdir()):
        text = file.read_text(encoding="utf-8")
        if file.name in NAMED:
            text = text.replace("SLUG", slug).replace("TITLE", title)
        (folder / file.name).write_text(text, encoding="utf-8")
    return folder
