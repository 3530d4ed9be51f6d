"""Names of tests that show something: a rule counts as covered only by a test that asserts."""

import ast
from collections.abc import Iterator
from pathlib import Path

#: Beginnings of names of functions that assert for a test, wherever they are written.
ASSERT = ("verify", "check", "agree", "assert", "expect", "compare", "refus", "raises", "play")


def calls(node: ast.AST) -> Iterator[str]:
    """Names of all that is called in a function."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            function = call.func
            yield function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def asserts(function: ast.AST, helpers: set[str]) -> bool:
    """True for a function with an assertion, in itself or in what it calls."""
    if any(isinstance(node, ast.Assert) for node in ast.walk(function)):
        return True
    return any(name in helpers or name.lstrip("_").startswith(ASSERT) for name in calls(function))


def names_that_assert(folder: Path) -> Iterator[str]:
    """Names of the test functions of a folder's modules that assert something."""
    for path in sorted(folder.glob("test_*.py")):
        functions = [
            node
            for node in ast.parse(path.read_text(encoding="utf-8")).body
            if isinstance(node, ast.FunctionDef)
        ]
        helpers: set[str] = set()
        for _ in range(3):  # helpers that call helpers
            helpers |= {one.name for one in functions if asserts(one, helpers)}
        yield from (one.name for one in functions if one.name.startswith("test_") and one.name in helpers)
