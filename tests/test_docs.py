"""The documents name everything there is: settings, commands, options."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from django.core.management import BaseCommand, load_command_class

from campaign.rules.world.settings import RuleSettings
from campaign.selectors.setup.recruitment import recruitment_of
from campaign.selectors.setup.scenarios import scenario_card

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = {
    file.stem: app
    for app in ("campaign", "battles", "rosters")
    for file in (ROOT / app / "management" / "commands").glob("[a-z]*.py")
}


def rules_of_settings() -> dict[str, list[str]]:
    """The rules a setting stands under, by the two catalogues."""
    found: dict[str, list[str]] = {}
    house = yaml.safe_load((ROOT / "campaign/rules/catalogue.yaml").read_text(encoding="utf-8"))
    published = yaml.safe_load((ROOT / "battles/rulesets/awi/catalogue.yaml").read_text(encoding="utf-8"))
    for rule in (*house["rules"], *published["rules"]):
        for name in rule.get("settings", []) + rule.get("options", []):
            found.setdefault(name, []).append(rule["id"])
    return found


def test_every_setting_stands_in_the_table_with_its_default_and_rules():
    words = {True: "true", False: "false", None: "null"}
    table = {
        cells[1].strip("` "): (cells[2].strip("` "), cells[4].split(", "))
        for line in (ROOT / "docs/rules.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| `") and (cells := [cell.strip() for cell in line.split("|")])
    }
    assert set(table) == {item.name for item in fields(RuleSettings)}
    rules = rules_of_settings()
    for item in fields(RuleSettings):
        plain = type(item.default) in (bool, type(None))
        default, cited = table[item.name]
        assert default == (words[item.default] if plain else str(item.default)), item.name
        assert cited and set(cited) <= set(rules[item.name]), item.name


def test_hr_rec_04_the_strengths_in_the_document_are_those_the_site_shows():
    cards = [card for slug in ("saratoga-1777", "new-jersey-1776") if (card := scenario_card(slug))]
    rows = [
        f"| {card.title}, {side.name} | {expected['draft']} | {expected['damped']} | {expected['off']} |"
        for card in cards
        for side in recruitment_of(card).sides
        for expected in [side.expected]
    ]
    assert len(rows) == 4
    assert "\n".join(rows) in (ROOT / "docs/rules.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_stands_in_the_documents_with_its_options(name):
    lines = [
        line
        for line in (ROOT / "docs/commands.md").read_text(encoding="utf-8").splitlines()
        if line.startswith(f"| `{name}")
    ]
    assert lines
    command = load_command_class(COMMANDS[name], name)
    usual = {action.dest for action in BaseCommand().create_parser("manage.py", "x")._actions}
    for action in command.create_parser("manage.py", name)._actions:
        if action.dest not in usual and action.option_strings:
            assert any(action.option_strings[0] in line for line in lines), action.option_strings


def test_the_drawing_of_the_layers_is_made_from_the_import_contracts():
    """After a change of layers or subjects: `python tools/draw_layers.py --write`."""
    command = [sys.executable, ROOT / "tools/draw_layers.py"]
    drawing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    document = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{drawing}```" in document


def test_the_architecture_stays_short():
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    words = text.partition("```mermaid")[0] + text.rpartition("```")[2]
    assert len(words.split()) < 1100


#: Documents for contributors: each path they name is a file or folder of this project.
FOR_CONTRIBUTORS = (
    "CONTRIBUTING.md",
    *(
        f"docs/{name}.md"
        for name in ("README", "architecture", "glossary", "days", "fog", "battles", "engine")
    ),
    *(f"docs/{name}.md" for name in ("pages", "jobs")),
)


@pytest.mark.parametrize("name", FOR_CONTRIBUTORS)
def test_every_path_a_document_for_contributors_names_is_there(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:campaign|battles|rosters|tests|templates|tools|docs|static)/[\w./-]+)`", text)
    assert [path for path in named if not (ROOT / path).exists()] == []
    linked = re.findall(r"\]\(([^)#:]+)\)", text)
    assert named or linked
    assert [path for path in linked if not ((ROOT / name).parent / path).exists()] == []


#: Endings of files' names; that the files are there is tested above.
FILE_ENDINGS = frozenset({"css", "csv", "html", "js", "json", "md", "py", "toml", "typ", "yaml"})


@pytest.fixture(scope="module")
def source() -> str:
    """The text of all code, templates and tests, without this file."""
    folders = ("campaign", "battles", "rosters", "tests", "tools", "templates")
    files = (
        each
        for name in folders
        for kind in ("py", "yaml", "html")
        for each in (ROOT / name).rglob(f"*.{kind}")
    )
    kept = [ROOT / "Makefile", *(each for each in files if each != Path(__file__))]
    return "\n".join(each.read_text(encoding="utf-8") for each in kept)


@pytest.fixture(scope="module")
def words(source: str) -> frozenset[str]:
    """Every word in it."""
    return frozenset(re.findall(r"\w+", source))


@pytest.fixture(scope="module")
def classes(source: str) -> frozenset[str]:
    """Every class and type in it: `class Name`, or `Name =`."""
    named = re.findall(r"^\s*(?:class[ \t]+([A-Z]\w*)|([A-Z]\w*)(?:: TypeAlias)? =)", source, re.MULTILINE)
    return frozenset(one or other for one, other in named)


@pytest.mark.parametrize("name", (*FOR_CONTRIBUTORS, "docs/accounts.md", "docs/add-a-ruleset.md"))
def test_every_name_a_document_for_contributors_uses_is_in_the_code(name, words, classes):
    """Names in backticks, as `apply_correction` or `Notice.Kind`. What looks like a class must be one."""
    text = re.sub(r"```.*?```", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
    gone = set()
    for named in re.findall(r"`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`", text):
        parts = named.split(".")
        if parts[-1] in FILE_ENDINGS:
            continue
        is_class = re.match(r"[A-Z]\w*[a-z]", parts[0])
        if not words.issuperset(parts) or (is_class and parts[0] not in classes):
            gone.add(named)
    assert gone == set()
