"""The example's line of the registry (docs/add-a-ruleset.md, step 8)."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from battles.rulesets import registry
from campaign.rulebook import book, search

EXAMPLE = registry.Ruleset(
    "example",
    "Example: a die a unit",
    "1",
    "tests.battles.rulesets.example.rules:RULES",
    "tests.battles.rulesets.example.fighting:SYSTEM",
    "Every unit throws a die in a turn of ten minutes. Best for showing how rules are added.",
)
#: What a process reads once of all catalogues.
_ONCE = (
    book.load_rule_books,
    book.load_chapters,
    book.load_rulebook,
    book.rules_of_setting,
    search._build_search_texts,
)


@contextmanager
def registered() -> Iterator[registry.Ruleset]:
    """The registry with one line more."""
    with patch.object(registry, "RULESETS", (*registry.RULESETS, EXAMPLE)):
        forget()
        yield EXAMPLE
    forget()


def forget() -> None:
    """Let catalogues be read anew."""
    for read in _ONCE:
        read.cache_clear()
