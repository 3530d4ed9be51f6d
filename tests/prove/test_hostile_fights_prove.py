"""Hostile battle files that were taken, for `make prove`: a worker fights or refuses each in little time."""

import resource
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from time import process_time
from typing import Any

import pytest

from battles.files.reading import battle_to_json
from battles.files.schema import BattleFile
from campaign.models import Job
from campaign.rules.errors import RuleViolation
from campaign.services.battles.standalone_fights import (
    check_fight_document,
    fight_job,
    read_uploaded_document,
)
from tests.prove.conftest import Figure
from tests.prove.hostile_battle_files import area, drawn_up, fight, ground, just_under, posted, ring, text

pytestmark = pytest.mark.prove

#: Seconds of CPU that a worker may take for one fight, and megabytes of its whole process.
MOST_SECONDS, MOST_MEMORY = 5.0, 600


def whole_days() -> Iterator[tuple[str, bytes]]:
    """As many units as are taken, all day, on the largest table and on the smallest, and in one wood."""
    for name, size in (("the largest table", 1000), ("a small table", 80)):
        yield name, text(posted(60, ground=ground(width=size, depth=size), turns=144))
    woods = [area("open_woods", ring(48, 60 + n / 10)) for n in range(199)]
    yield "woods over woods", text(fight(60, ground=ground(*woods), turns=144))


def iter_accepted() -> Iterator[tuple[str, BattleFile]]:
    for name, data in (*drawn_up(), *just_under(), *whole_days()):
        with suppress(RuleViolation):
            yield name, check_fight_document(read_uploaded_document(BytesIO(data)))[0]


def test_hostile_battles_are_fought_within_seconds(figure: Figure) -> None:
    took: dict[str, float] = {}
    refused = 0
    for name, battle in iter_accepted():
        question: dict[str, Any] = {"file": battle_to_json(battle), "runs": 1, "seed": 1777}
        for _ in range(1 if took else 2):  # what is loaded once in a process
            begun = process_time()
            try:
                fight_job(Job(payload=question), lambda *_: None)
            except RuleViolation as violation:
                assert violation.message.endswith(".") and len(violation.message) < 2_000, name
                refused += 1
            took[name] = process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile battles: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure("of them refused in a sentence when drawn up", f"{refused}", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    figure("peak memory of the process", f"{peak} MB", f"at most {MOST_MEMORY} MB")
    assert took[worst] <= MOST_SECONDS and peak <= MOST_MEMORY, (took, peak)
