"""What comes of playing checks: passed, failed, or without a player."""

import json
import re
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.battles.checks import players as awi
from tests.battles.rulesets.regimental.checks import players as regimental
from tests.battles.rulesets.volley_bayonet.checks import players as volley_bayonet
from tests.battles.rulesets.volley_bayonet.rtg.checks import players as rtg
from tests.campaign.rules import checks as campaign
from tests.worked_checks.read_whole import NotPlayable, NotRead, Told
from tests.worked_checks.registry import Check, CheckFamily, Player, find_family, list_cases

FAMILIES: tuple[CheckFamily, ...] = (
    awi.FAMILY,
    campaign.FAMILY,
    regimental.FAMILY,
    volley_bayonet.FAMILY,
    rtg.FAMILY,
)
PASSED, FAILED, WITHOUT_PLAYER = "passed", "failed", "without a player"


@dataclass(frozen=True)
class Outcome:
    """What came of one check of a file: for one that did not pass, what was expected and what came."""

    state: str
    file: str
    id: str
    expected: str = ""
    came: str = ""

    def __str__(self) -> str:
        return f"{self.state}: {self.id} ({self.file}): expected {self.expected}; {self.came}"


def play_all(checks: Iterable[tuple[str, Check]]) -> list[Outcome]:
    """The outcome of each check, in order."""
    return [play_check(file, check) for file, check in checks]


def play_check(file: str, check: Check) -> Outcome:
    """Play one check, at each ruleset it names; the first that does not pass is its outcome."""
    whole = json.dumps(check["expect"], ensure_ascii=False, default=str)
    try:
        family = find_family(FAMILIES, check)
    except NotPlayable as reason:
        return Outcome(WITHOUT_PLAYER, file, check["id"], whole, str(reason))
    player = family.find_player(check)
    if player is None:
        return Outcome(
            WITHOUT_PLAYER, file, check["id"], whole, f"there is no player for such a check of {family.name}"
        )
    for case in list_cases(check):
        given, expect = Told(check["given"]), Told(check["expect"], "expect")
        if state_and_reason := _play_case(family, player, check, given, expect, case):
            state, reason = state_and_reason
            expected = f"{expect.last} = {_show(expect, expect.last)}" if expect.last in expect else whole
            at = f" (in {', '.join(case)})" if case else ""
            return Outcome(state, file, check["id"], whole if state != FAILED else expected, reason + at)
    return Outcome(PASSED, file, check["id"])


def _play_case(
    family: CheckFamily, player: Player, check: Check, given: Told, expect: Told, case: Sequence[str]
) -> tuple[str, str] | None:
    """State and reason of what did not pass."""
    name = player.function.__name__
    try:
        family.play_case(player, check, given, expect, *case)
    except NotPlayable as reason:
        return WITHOUT_PLAYER, str(reason)
    except NotRead as reason:
        expect.last = ""
        return FAILED, f"no player reads it: {reason}"
    except AssertionError as error:
        return FAILED, describe_came(error, expect)
    except (KeyError, ValueError, StopIteration) as error:
        # a word that is in none of a player's lists
        if word := _find_word(error, check["expect"]):
            return FAILED, f"no player reads it: {name} does not know “{word}”"
        if word := _find_word(error, [check["given"], *case]):
            return WITHOUT_PLAYER, f"{name} does not know “{word}”"
        return FAILED, f"the player stopped: {describe_error(error)}"
    except Exception as error:
        return FAILED, f"the player stopped: {describe_error(error)}"
    return None


def describe_error(error: Exception) -> str:
    """An exception in one line."""
    return traceback.format_exception_only(error)[-1].strip()


def describe_came(error: AssertionError, expect: Told) -> str:
    """What came, of a comparison that does not hold."""
    lines = str(error).splitlines() or ["a condition does not hold"]
    compared = next((line for line in lines if line.startswith("assert ")), lines[0]).removeprefix("assert ")
    compared = re.sub(r"Fraction\((-?\d+), 1\)", r"\1", compared)
    compared = re.sub(r"Fraction\((-?\d+), (\d+)\)", r"\1/\2", compared)
    compared = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", compared).replace("np.True_", "True")
    left, equals, right = compared.replace("np.False_", "False").partition(" == ")
    if equals and expect.last in expect:
        expected = {_show(expect, expect.last), repr(dict.get(expect, expect.last))}
        if right in expected:
            return f"came {left}"
        if left in expected:
            return f"came {right}"
    about = f"{lines[0]}: " if not lines[0].startswith("assert ") else ""
    return f"this does not hold: {about}{compared}"


def _show(expect: Told, word: str) -> str:
    value = dict.get(expect, word)
    return value if isinstance(value, str) else repr(value)


def _find_word(error: Exception, facts: Any) -> str:
    """The word among some facts that an exception is about."""
    texts = _list_texts(facts)
    if isinstance(error, KeyError):
        return next((text for text in texts if error.args and text == error.args[0]), "")
    return next((text for text in texts if text and repr(text) in str(error)), "")


def _list_texts(facts: Any) -> list[str]:
    if isinstance(facts, dict):
        return [text for one in facts.values() for text in _list_texts(one)]
    if isinstance(facts, list):
        return [text for one in facts for text in _list_texts(one)]
    return [facts] if isinstance(facts, str) else []
