"""Ten faults for each ruleset that its tests must notice, and the means to run tests with one of them.

`python -m tests.battles.mutants awi-3 vb_rtg-1` names the test that notices each. The module is compiled from
changed text as it is imported; no file is touched. Needs plain Python (`NUMBA_DISABLE_JIT=1`).
"""

import importlib
import importlib.util
import io
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
RULESETS = PROJECT / "battles" / "rulesets"


class Mutant(NamedTuple):
    """One fault: a rule, the file under `battles/rulesets`, text that stands there once, and text instead.

    `tests` are the files (with a `-k` expression behind `::`) one of whose tests must fail.
    """

    rule: str
    file: str
    text: str
    instead: str
    tests: str

    @property
    def module(self) -> str:
        """Dotted path of the module that is changed."""
        return "battles.rulesets." + self.file.removesuffix(".py").replace("/", ".")

    def source(self) -> str:
        """Text of the module with the fault; refuses a text that does not stand there exactly once."""
        text = (RULESETS / self.file).read_text(encoding="utf-8")
        if text.count(self.text) != 1:
            raise ValueError(f"{self.file} has “{self.text}” {text.count(self.text)} times, not once")
        return text.replace(self.text, self.instead)


MUTANTS: dict[str, tuple[Mutant, ...]] = {
    ruleset: tuple(Mutant(**row) for row in rows)
    for ruleset, rows in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8")).items()
}


def mutant_named(name: str) -> Mutant:
    """The mutant of a name such as `vb_wing-3`, counted from 1."""
    ruleset, _, number = name.rpartition("-")
    return MUTANTS[ruleset][int(number) - 1]


class _Loader(SourceFileLoader):
    """Compiles a module from its text with the fault, and keeps nothing of it."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(RULESETS / mutant.file))
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.mutant.source(), self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    """Finds the one module that is changed."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.mutant.module:
            return None
        return importlib.util.spec_from_file_location(
            fullname, RULESETS / self.mutant.file, loader=_Loader(self.mutant)
        )


class _First:
    """The first test that fails."""

    killer = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.killer:
            self.killer = report.nodeid.rpartition("::")[2]


def killer_of(mutant: Mutant) -> str:
    """Run a mutant's tests in this process, which must not have loaded its module; the first that fails."""
    if mutant.module in sys.modules:
        raise RuntimeError(f"{mutant.module} is loaded already, without the fault")
    mutant.source()
    sys.meta_path.insert(0, _Finder(mutant))
    file, _, chosen = mutant.tests.partition("::")
    first = _First()
    options = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--tb=no", "--no-header", "--no-summary"]
    code = pytest.main([file, *options, *(["-k", chosen] if chosen else [])], plugins=[first])
    if mutant.module not in sys.modules or code not in (0, 1):
        raise RuntimeError(f"pytest ended with {code}: {mutant.tests} shows nothing of {mutant.module}")
    return first.killer


def main(names: Sequence[str]) -> None:
    """Print the killer of each mutant, each in a process of its own that finds all else loaded."""
    importlib.import_module("battles.engine.compile")
    importlib.import_module("tests.conftest")
    for name in names:
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        said, sys.stdout = sys.stdout, io.StringIO()
        try:
            killer = killer_of(mutant_named(name)) or "ALIVE"
        except Exception as error:  # whatever it is, this mutant is not killed
            killer = f"ERROR {error}"
        said.write(f"{name} {killer}\n")
        said.flush()
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
