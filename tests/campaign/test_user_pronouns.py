"""People of the site are "they" on pages, in messages, answers of the API and the documents about them.

Officers of the period are "he": in gazette, journal, accounts and rules of tactics.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MALE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
#: Modules that tell of generals and enemies of the period.
PERIOD = {
    "campaign/api/army/prospects.py",
    "campaign/api/battles/replays.py",
    "campaign/text/events/generals.py",
    "campaign/text/events/marches.py",
    "campaign/text/gazette.py",
    "campaign/rules/umpire/correction_effects.py",
    "campaign/rules/army/organisation.py",
    "campaign/rules/battles/table_results.py",
    "campaign/selectors/army/prospects.py",
    "battles/files/leader_checks.py",
    "battles/files/json_schema.py",
}
PERIOD_DOCS = {"actions.md", "battle-file.md", "road-to-glory.md", "rules.md"}


def messages(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each string of a module that is used, so no docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield node.lineno, node.value


def male_lines(path: Path) -> list[str]:
    """Where a text names a person "he": file, line and the line's text."""
    if path.suffix == ".py":
        lines = messages(path)
    else:
        lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [
        f"{path.relative_to(ROOT)}:{number}: {text.strip()}" for number, text in lines if MALE.search(text)
    ]


def found_in(paths: Iterator[Path]) -> list[str]:
    return [line for path in sorted(paths) for line in male_lines(path)]


def test_templates_say_they():
    assert not found_in(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"})


@pytest.mark.parametrize("folder", ["campaign", "battles", "rosters", "tools"])
def test_messages_say_they(folder: str):
    rulesets = ROOT / "battles" / "rulesets"
    paths = (path for path in (ROOT / folder).rglob("*.py") if rulesets not in path.parents)
    assert not found_in(path for path in paths if path.relative_to(ROOT).as_posix() not in PERIOD)


def test_documents_say_they():
    paths = (path for path in (ROOT / "docs").rglob("*.md") if path.name not in PERIOD_DOCS)
    assert not found_in(path for path in (ROOT / "README.md", *paths))


def test_an_own_seat_is_found():
    assert MALE.search("Ask him.") and not MALE.search("This is theirs.")
