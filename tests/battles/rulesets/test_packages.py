"""Rulesets of other installed packages: found by an entry point, refused when they cannot be used."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from battles.errors import RulesetPackageError
from battles.rulesets import registry

PROJECT = Path(__file__).parents[3]
EXAMPLE = Path(__file__).parent / "example"
NAME = "a_die_a_unit"


@pytest.fixture
def site_packages(tmp_path: Path) -> Path:
    """A folder of installed packages, with one that brings the example's rules under another name."""
    package = tmp_path / NAME
    package.mkdir()
    for source in EXAMPLE.iterdir():
        if source.suffix in (".py", ".yaml") and source.name not in ("test_example.py", "line.py"):
            text = source.read_text(encoding="utf-8").replace("tests.battles.rulesets.example", NAME)
            (package / source.name).write_text(text.replace('"example"', f'"{NAME}"'), encoding="utf-8")
    (package / "line.py").write_text(
        "from battles.rulesets.registry import Ruleset\n"
        f'LINE = Ruleset("{NAME}", "A die a unit", "1", "{NAME}.rules:RULES", "{NAME}.fighting:SYSTEM",\n'
        '    "Every unit throws a die in a turn of ten minutes. Best for a test.")\n'
    )
    facts = tmp_path / f"{NAME}-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{NAME} = {NAME}.line:LINE\n")
    return tmp_path


def manage(site_packages: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of the site with these packages installed."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(site_packages), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_package_s_ruleset_fights_like_any_other(site_packages: Path) -> None:
    done = manage(site_packages, "fight", "hubbardton", "--ruleset", NAME, "--seed", "1777")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())  # it is broken into lines of the terminal's width
    # in the example each unit throws a die a turn: the Crown's seven, and the six of the rear guard
    assert "The Crown's fire, seven discharges, did no harm." in said
    assert "The rear guard's fire, six discharges, did no harm." in said


def test_its_rules_are_in_the_rulebook(site_packages: Path) -> None:
    code = (
        "import django; django.setup(); from campaign.rulebook.book import load_rule_books; "
        "print([book.title for book in load_rule_books()])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": str(site_packages)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Example: a die a unit" in done.stdout


def test_a_package_that_cannot_be_used_is_named_and_nothing_starts(site_packages: Path) -> None:
    shutil.rmtree(site_packages / NAME)
    done = manage(site_packages, "check")
    assert done.returncode
    said = f"The ruleset “{NAME}” of the package {NAME} cannot be used: {NAME}.line:LINE cannot be imported"
    assert said in done.stderr and "Fix the package, or uninstall it." in done.stderr


def point(value: str, name: str = "mine") -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


RULES = "tests.battles.rulesets.example.rules:RULES"
FIGHTING = "tests.battles.rulesets.example.fighting:SYSTEM"
LINES = {
    "twin": registry.Ruleset("awi", "Twin", "1", RULES, FIGHTING, "Best for nothing."),
    "loud": registry.Ruleset("Loud Rules", "Loud", "1", RULES, FIGHTING, "Best for nothing."),
    "dumb": registry.Ruleset("dumb", "Dumb", "1", RULES, FIGHTING),
    "lost": registry.Ruleset("lost", "Lost", "1", "nowhere.rules:RULES", FIGHTING, "Best for nothing."),
    "other": registry.Ruleset(
        "other", "Other", "1", "tests.battles.rulesets.test_packages:LINES", FIGHTING, "Best for nothing."
    ),
    "calm": registry.Ruleset("calm", "Calm", "1", RULES, "nowhere.fighting:SYSTEM", "Best for nothing."),
    "none": "a word",
}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("twin", "its id “awi” is taken; it needs one of its own"),
        ("loud", "its id “Loud Rules” may have small letters, digits and _ only"),
        ("dumb", "its about is empty"),
        ("lost", r"nowhere.rules:RULES cannot be imported \(No module named 'nowhere'\)"),
        ("other", "tests.battles.rulesets.test_packages:LINES is no RulesetRules"),
        ("calm", "nowhere.fighting:SYSTEM cannot be found"),
        ("none", "is no Ruleset of battles.rulesets.registry"),
    ],
)
def test_what_is_wrong_with_a_package_is_said(line: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "LINE", LINES[line])
    with pytest.raises(RulesetPackageError, match=fault) as refused:
        registry.find_package_rulesets([point("tests.battles.rulesets.test_packages:LINE")])
    assert "Fix the package, or uninstall it." in str(refused.value)
