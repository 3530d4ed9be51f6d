"""Names of functions and classes in the sources: a verb with its object, and one thing a name."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Past participles that do not end in "ed". Those that are present verbs as well (put, read, run, set) are
#: not here: alone they say what to do.
IRREGULAR = """
    begun born bought broken brought built caught chosen done drawn driven eaten fallen felt forgotten fought
    found given gone heard held kept known laid led left lost made meant met overtaken paid said sat seen sent
    shown sold spent stood struck taken thrown told undone withdrawn won worn written
"""
#: Words in "ed" that are none.
NO_PARTICIPLES = {
    "bed",
    "embed",
    "exceed",
    "feed",
    "indeed",
    "need",
    "proceed",
    "red",
    "seed",
    "shed",
    "speed",
}
#: Functions that may be one participle: the class and the function, and the reason.
PARTICIPLES = {
    "Connection.received": "waitress calls it by this name",
}
#: Classes that may share a name, and the reason.
SHARED_CLASSES = {
    "Command": "Django looks for it in every module of a command",
    "Channel": "kombu's word for one: of the broker in files, and of the one in Redis",
    "Transport": "kombu's word for one: of the broker in files, and of the one in Redis",
    "Side": "a wargamer's word: in the rules' world it is plain data, in an order of battle a row",
    "Formation": "a wargamer's word: in the rules' world it is plain data, in an order of battle a row",
    "Unit": "a wargamer's word: in the rules' world it is plain data, in an order of battle a row",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Names:
    """Definitions of one production module.

    `functions` are all, by line and dotted name; `returns` those of the module itself.
    """

    path: str
    functions: tuple[tuple[int, str], ...]
    returns: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]
    docstrings: tuple[str, ...]


@cache
def sources() -> tuple[Names, ...]:
    """The names in all production modules without migrations; no tree is kept, a thousand fill the memory."""
    paths = [
        path for top in ("battles", "campaign", "rosters") for path in sorted((ROOT / top).rglob("*.py"))
    ]
    assert len(paths) > 500
    return tuple(read_names(path) for path in paths if "migrations" not in path.parts)


def read_names(path: Path) -> Names:
    tree = ast.parse(path.read_text())
    return Names(
        path.relative_to(ROOT).as_posix(),
        tuple((node.lineno, name) for name, node in named_functions(tree)),
        tuple(
            (node.name, ast.unparse(node.returns) if node.returns else "nothing said")
            for node in tree.body
            if isinstance(node, Function)
        ),
        tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef)),
        tuple(
            ast.get_docstring(node) or ""
            for node in ast.walk(tree)
            if isinstance(node, Function | ast.ClassDef | ast.Module)
        ),
    )


def is_participle(name: str) -> bool:
    """Whether a name is one past participle alone, private ones too."""
    word = name.strip("_")
    return word in IRREGULAR.split() or (
        word.endswith("ed") and "_" not in word and word not in NO_PARTICIPLES
    )


def named_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """All functions of a module with their dotted names, those of classes and within functions too."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        within, node = waiting.pop()
        if isinstance(node, Function | ast.ClassDef):
            within = f"{within}.{node.name}".lstrip(".")
            if isinstance(node, Function):
                yield within, node
        waiting += [(within, each) for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr)]


def test_participles_are_told_from_verbs() -> None:
    assert all(is_participle(name) for name in ("told", "_shown", "settled", "_kept"))
    assert not any(is_participle(name) for name in ("put", "read", "proceed", "settled_on", "told_by"))


def test_no_function_is_one_past_participle() -> None:
    found = [
        (f"{each.path}:{line} {name}", name)
        for each in sources()
        for line, name in each.functions
        if is_participle(name.rpartition(".")[2])
    ]
    assert [where for where, name in found if name not in PARTICIPLES] == []
    assert {name for _, name in found} == PARTICIPLES.keys(), "an exception that is not needed any more"


def test_functions_of_one_name_return_one_type() -> None:
    """Rulesets aside, which answer the same calls, each with its own types."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for each in sources():
        if not each.path.startswith("battles/rulesets/"):
            for name, returns in each.returns:
                found[name].setdefault(returns, each.path)
    assert {name: types for name, types in found.items() if len(types) > 1} == {}


def test_classes_share_no_name_without_a_reason() -> None:
    found: dict[str, list[str]] = defaultdict(list)
    for each in sources():
        for name in each.classes:
            found[name].append(each.path)
    shared = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert {name: paths for name, paths in shared.items() if name not in SHARED_CLASSES} == {}
    assert shared.keys() == SHARED_CLASSES.keys(), "an exception that is not needed any more"


def test_no_docstring_begins_with_a_question_word() -> None:
    """It says what the thing is or does, not that it is what something is."""
    found = [
        f"{module.path}: {text}"
        for module in sources()
        for text in module.docstrings
        if text.startswith(("What ", "Who ", "How ", "Where "))
    ]
    assert found == []
