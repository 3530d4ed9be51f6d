"""Worked checks read whole: a player that leaves out a word of what is given or expected fails."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


class Told(dict[str, Any]):
    """What a check gives or expects, which keeps in mind what was read of it.

    To ask whether a word is there reads nothing; to go through all of them, or to compare all, reads all.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self.left = set(facts)

    def __getitem__(self, key: str) -> Any:
        self.left.discard(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.left.discard(key)
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


def play(
    player: Callable[..., None],
    check: Mapping[str, Any],
    *more: Any,
    words: Mapping[str, str] = {},
    **named: Any,
) -> None:
    """Play a check and fail if a word of it was not read.

    `words` are those of what is given that only tell a reader what the others say, each with its reason.
    """
    given, expect = Told(check["given"]), Told(check["expect"])
    player(given, expect, *more, **named)
    unread = sorted(f"given.{word}" for word in given.left - set(words))
    unread += sorted(f"expect.{word}" for word in expect.left)
    assert unread == [], f"{player.__name__} does not read {', '.join(unread)}"
