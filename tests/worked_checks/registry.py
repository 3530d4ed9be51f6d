"""Players of worked checks by the rules they are of, the look of their ids and what they give."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from tests.worked_checks.read_whole import NotPlayable, Told, play_facts

Check = Mapping[str, Any]


@dataclass(frozen=True)
class Player:
    """A function that sets up what a check gives and compares what comes of it with what is expected.

    `ids` is a regular expression that an id fits whole. `given` names words of which all are given, and
    `expect` words of which one is expected. `values` says what a given word may be. `kind` is the check's
    own word for what it is.
    """

    function: Callable[..., None]
    ids: str = ".*"
    given: str = ""
    expect: str = ""
    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)
    kind: str = ""

    def is_for(self, check: Check) -> bool:
        """Whether the player is for this check."""
        given, expect = check["given"], check["expect"]
        return (
            re.fullmatch(self.ids, check["id"]) is not None
            and (not self.kind or check.get("kind") == self.kind)
            and set(self.given.split()) <= set(given)
            and (not self.expect or any(word in expect for word in self.expect.split()))
            and all(given.get(word) in known for word, known in self.values.items())
        )


@dataclass(frozen=True)
class CheckFamily:
    """The players of one set of rules, and its own checks; `rules` is how the ids of its rules begin."""

    name: str
    rules: tuple[str, ...]
    players: tuple[Player, ...]
    own: tuple[Check, ...]
    #: Words of what is given that only tell a reader what the others say, each with its reason.
    words: Mapping[str, str] = field(default_factory=dict)

    def find_player(self, check: Check) -> Player | None:
        """The player for a check; for an id of another look, that of our own checks with the same words."""
        if found := self._find_by_id(check):
            return found
        alike = [self._find_by_id(one) for one in self.own if words_of(one) == words_of(check)]
        functions = {one.function for one in alike if one}
        return alike[0] if len(functions) == 1 else None

    def _find_by_id(self, check: Check) -> Player | None:
        return next((one for one in self.players if one.is_for(check)), None)

    def play(self, check: Check) -> None:
        """Play a check whole, once for each ruleset it names."""
        player = self.find_player(check)
        assert player is not None, f"{check['id']} has no player"
        for case in list_cases(check):
            self.play_case(player, check, Told(check["given"]), Told(check["expect"], "expect"), *case)

    def play_case(self, player: Player, check: Check, given: Told, expect: Told, *case: str) -> None:
        """Play a check once, with facts that tell afterwards what was read of them."""
        named = {"key": check["id"]} if "key" in signature(player.function).parameters else {}
        play_facts(player.function, given, expect, *case, words=self.words, **named)


def list_cases(check: Check) -> list[tuple[str, ...]]:
    """What a player is given beside the facts: each ruleset the check names, or nothing."""
    return [(ruleset,) for ruleset in check["rulesets"]] if "rulesets" in check else [()]


def list_rules(check: Check) -> list[str]:
    """The rules a check names, in `rules` or `rule`."""
    rules = check.get("rules", check.get("rule", []))
    return [rules] if isinstance(rules, str) else list(rules)


def words_of(check: Check) -> tuple[Any, frozenset[str], frozenset[str]]:
    """What a check looks like: its kind and the words it gives and expects."""
    return check.get("kind"), frozenset(check["given"]), frozenset(check["expect"])


def find_family(families: Iterable[CheckFamily], check: Check) -> CheckFamily:
    """The set of rules a check is of; of two, the first that has a player."""
    rules = list_rules(check)
    fitting = [one for one in families if any(rule.startswith(one.rules) for rule in rules)]
    if not fitting:
        raise NotPlayable(f"no ruleset has rules named {', '.join(rules)}" if rules else "it names no rule")
    return next((one for one in fitting if one.find_player(check)), fitting[0])
