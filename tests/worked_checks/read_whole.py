"""Worked checks read whole: a player that leaves out a word of what is given or expected fails."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class NotPlayable(AssertionError):
    """A player cannot set up what a check gives: a word of it is not known."""


class NotRead(AssertionError):
    """A word of what is expected that the player of the check does not read."""


class Told(dict[str, Any]):
    """What a check gives or expects, which keeps in mind what was read of it.

    To ask whether a word is there reads nothing; to go through all of them, or to compare all, reads all.
    """

    def __init__(self, facts: Mapping[str, Any], part: str = "given") -> None:
        super().__init__(facts)
        self.left = set(facts)
        self.part, self.last = part, ""

    def __missing__(self, key: str) -> Any:
        raise NotPlayable(f"it needs {self.part}.{key}")

    def __getitem__(self, key: str) -> Any:
        self.left.discard(key)
        self.last = key
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.left.discard(key)
        self.last = key if key in self else self.last
        return super().get(key, default)

    def items(self) -> Any:
        self.left.clear()
        return super().items()

    def values(self) -> Any:
        self.left.clear()
        return super().values()

    def __iter__(self) -> Iterator[str]:
        self.left.clear()
        return super().__iter__()

    def __eq__(self, other: object) -> bool:
        self.left.clear()
        return super().__eq__(other)

    __hash__ = None


def set_up(facts: Mapping[str, Any], **texts: Any) -> None:
    """Say in words what a player sets up or looks at: a check that says anything else is not played so."""
    for word, text in texts.items():
        require_word(facts, word, (text,))


def require_word(facts: Mapping[str, Any], word: str, known: Any) -> Any:
    """The value of a word of a check, which is one of those a player knows."""
    value = facts[word]
    if value not in known:
        # what is expected in words is compared with the words that were played
        wrong = NotRead if getattr(facts, "part", "given") == "expect" else NotPlayable
        raise wrong(f"{word} is not played as “{value}”")
    return value


def play_facts(
    player: Callable[..., None],
    given: Told,
    expect: Told,
    *more: Any,
    words: Mapping[str, str] = {},
    **named: Any,
) -> None:
    """Play a check and fail if a word of it was not read.

    `words` are those of what is given that only tell a reader what the others say, each with its reason.
    """
    player(given, expect, *more, **named)
    name = player.__name__
    unread = sorted(f"given.{word}" for word in given.left - set(words))
    if unread:
        raise NotPlayable(f"{name} does not read {', '.join(unread)}")
    unread = sorted(f"expect.{word}" for word in expect.left)
    if unread:
        raise NotRead(f"{name} does not read {', '.join(unread)}")
