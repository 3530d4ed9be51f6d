"""Exactly once: workers killed at random moments, and two that are told to advance at the same time.

A few times here; `AWI_PROOF_TIMES=100` (or 200) makes it as often as the proof asks for.
"""

import os
import random
import signal
import time
from collections.abc import Callable

import pytest

from tests.campaign.services.theatre_of_war import LAST_DAY, run, worker

pytestmark = [pytest.mark.slow, pytest.mark.together]

KILLS = int(os.environ.get("AWI_PROOF_TIMES", "6"))
RACES = int(os.environ.get("AWI_PROOF_TIMES", "12"))


def test_sigkill_at_random_moments_loses_and_doubles_no_day(new_database: Callable[[], str]) -> None:
    """While days are played, run on beside two battles, and are played again with their outcome."""
    quiet, draw = new_database(), random.Random(1777)
    run(quiet, "create")
    begun = time.monotonic()
    run(quiet, "go")
    longest = time.monotonic() - begun
    undisturbed = run(quiet, "state")
    assert undisturbed.startswith(f"{LAST_DAY} ") and undisturbed.endswith(" sound\n")
    kills = 0
    while kills < KILLS:
        stormy = new_database()
        run(stormy, "create")
        kills += killed_to_the_end(stormy, draw, longest, KILLS - kills)
        assert run(stormy, "state") == undisturbed
    assert run(stormy, "verify") == f"{LAST_DAY}\n"


def killed_to_the_end(database: str, draw: random.Random, longest: float, most: int) -> int:
    """Workers one after the other until the campaign has been played; all but the last are killed."""
    kills = 0
    while True:
        mate = worker(database, "go")
        assert mate.stdout is not None
        assert (mate.stdout.readline(), mate.stdout.readline()) == ("sound\n", "ready\n")
        if kills < most:
            try:
                mate.wait(draw.uniform(0, longest / 8))
            except Exception:  # still at work
                mate.send_signal(signal.SIGKILL)
        said, _ = mate.communicate(timeout=600)
        if mate.returncode == 0:
            return kills
        assert mate.returncode == -signal.SIGKILL, said
        kills += 1


def test_two_workers_told_to_advance_at_once_play_each_day_once(new_database: Callable[[], str]) -> None:
    """Turn after turn, in campaigns of a week each, with battles that wait and days that run on."""
    turns, war = 0, 0
    while turns < RACES:
        database = new_database()
        run(database, "create", "abcdefghijklmnopqrstuvwxyz"[war % 26])
        turns += raced(database, RACES - turns)
        war += 1


def raced(database: str, most: int) -> int:
    """Two workers race until the campaign has been played or `most` turns; gives the turns."""
    desk, *rivals = (worker(database, kind) for kind in ("desk", "race", "race"))
    assert [ask(each) for each in (desk, *rivals)] == ["ready"] * 3
    turns, before = 0, ""
    while turns < most:
        begun, sound = ask(desk, "?").rsplit(" ", 1)
        assert sound == "sound"
        assert begun != before  # something has been played
        if int(begun.split()[0]) >= LAST_DAY:
            break
        for each in rivals:
            tell(each, begun)
        answers = sorted(ask(each) for each in rivals)
        assert set(answers) <= {"played", "late"}
        print(begun, *answers)  # for the proof's protocol
        turns, before = turns + 1, begun
    assert ask(desk, "?").endswith(" sound")
    for each in (desk, *rivals):
        each.communicate(timeout=60)
        assert each.returncode == 0
    return turns


def tell(each, line: str) -> None:
    each.stdin.write(f"{line}\n")
    each.stdin.flush()


def ask(each, line: str = "") -> str:
    if line:
        tell(each, line)
    said = each.stdout.readline().strip()
    assert not said.startswith("Traceback"), said + each.stdout.read()
    return said
