"""Play the worked checks of a folder and print what came of them."""

import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.worked_checks.folder import CheckFilesError, read_checks

#: Modules whose assertions are to say what was compared.
PLAYERS = (
    "tests.battles.checks",
    "tests.battles.rulesets.regimental.checks",
    "tests.battles.rulesets.volley_bayonet.checks",
    "tests.battles.rulesets.volley_bayonet.rtg.checks",
    "tests.campaign.rules.checks",
)


class Playing:
    """A plugin of pytest that plays checks in the place of tests, so that assertions show their values."""

    def __init__(self, checks: list[tuple[str, dict[str, Any]]]) -> None:
        self.checks = checks

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self) -> int:
        """Play, print, and answer with the exit code."""
        # single steps are played, for which compiling is a waste of time
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
        pytest.register_assert_rewrite(*PLAYERS)
        from tests.worked_checks import outcomes

        found = outcomes.play_all(self.checks)
        for outcome in found:
            if outcome.state != outcomes.PASSED:
                print(outcome)
        counts = Counter(outcome.state for outcome in found)
        states = (outcomes.PASSED, outcomes.FAILED, outcomes.WITHOUT_PLAYER)
        print(", ".join(f"{counts[state]} {state}" for state in states))
        return int(counts[outcomes.FAILED] > 0)


def main(arguments: list[str]) -> int:
    """Play the folder the arguments name.

    The exit code is 0 when no check failed, 1 when one did, and 2 when the folder cannot be read.
    """
    try:
        if len(arguments) != 1 or not arguments[0]:
            raise CheckFilesError("Name the folder of the checks: make checks CHECKS=FOLDER.")
        checks = read_checks(Path(arguments[0]))
    except CheckFilesError as error:
        print(error, file=sys.stderr)
        return 2
    return int(pytest.main(["--noconftest", "-p", "no:cacheprovider"], plugins=[Playing(checks)]))
