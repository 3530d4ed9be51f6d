"""The files of the house: packages pinned, targets listed, modules that fit a reader."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ROOT / "tools" / "house.py"
OURS = ("rosters", "battles", "campaign", "tests")
REQUIREMENTS = ("requirements.txt", "requirements-tests.txt")


def statements(file: Path) -> Iterator[ast.AST]:
    """All statements of a file, those inside others too; nine tenths of its nodes are none."""
    left: list[ast.AST] = [ast.parse(file.read_text())]
    while left:
        yield (node := left.pop())
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            if isinstance(within := getattr(node, name, None), list):
                left += within


@cache
def imports(file: Path) -> set[str]:
    """Top-level names that `file` imports, at its head or inside functions."""
    return {
        ((node.module or "") if isinstance(node, ast.ImportFrom) else alias.name).split(".")[0]
        for node in statements(file)
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level)
        for alias in node.names
    }


def test_every_requirement_is_pinned_exactly():
    lines = [line for name in REQUIREMENTS for line in requirements(name)]
    assert lines
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9_.-]+(\[\w+\])?==[\w.]+", line)] == []


def requirements(name: str) -> list[str]:
    lines = (ROOT / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folders", "names"), [(OURS, REQUIREMENTS), (("rosters", "battles", "campaign"), REQUIREMENTS[:1])]
)
def test_every_package_imported_is_pinned(folders, names):
    """What a site imports is among what `make run` installs."""
    pinned = {
        re.split(r"[\[=]", line)[0].lower().replace("_", "-") for name in names for line in requirements(name)
    }
    installed = packages_distributions()
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    imported = set().union(*(imports(file) for file in files)) - sys.stdlib_module_names - {*OURS}
    assert imported
    missing = {
        name
        for name in imported
        if not any(each.lower().replace("_", "-") in pinned for each in installed.get(name, [name]))
    }
    assert missing == set()


def test_package_files_are_empty_but_for_what_django_or_celery_looks_for_there():
    full = [
        str(file.relative_to(ROOT))
        for package in ("rosters", "battles", "campaign")
        for file in sorted((ROOT / package).rglob("__init__.py"))
        if file.read_text().strip()
    ]
    assert full == [
        "campaign/admin/__init__.py",
        "campaign/config/__init__.py",
        "campaign/models/__init__.py",
    ]


def test_help_lists_every_target_with_a_line():
    makefile = (ROOT / "Makefile").read_text()
    declared = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert declared is not None
    listed = subprocess.run(
        [sys.executable, HOUSE, "targets"], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[1] for line in listed.splitlines()]
    assert set(names) == set(declared[1].split()) - {"prepare", "port"}
    assert all(len(line.split()) > 3 for line in listed.splitlines())


def test_the_set_up_tool_needs_nothing_but_python_itself():
    assert imports(HOUSE) <= sys.stdlib_module_names


#: Modules of more than 800 lines, each with the reason why it is one idea: module -> reason.
LONG: dict[str, str] = {}


def test_a_module_of_more_than_800_lines_has_a_reason():
    folders = (ROOT / name for name in (*OURS, "tools"))
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text().splitlines())
        for folder in folders
        for file in folder.rglob("*.py")
        if file.parent.name != "migrations"
    }
    assert lengths
    assert {name: lines for name, lines in lengths.items() if lines > 800}.keys() == LONG.keys()
    assert all(LONG.values())
