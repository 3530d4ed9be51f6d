"""Hostile battle files, for `make prove`: each is taken or refused with a sentence, in little time."""

from contextlib import suppress
from io import BytesIO
from time import process_time

import pytest

from campaign.rules.errors import RuleViolation
from campaign.services.battles.standalone_fights import (
    MOST_BYTES,
    check_fight_document,
    read_uploaded_document,
)
from tests.prove.conftest import Figure
from tests.prove.hostile_battle_files import drawn_up, far_over, just_under

pytestmark = pytest.mark.prove

#: Seconds of CPU that the check of one file may take in a request.
MOST_SECONDS = 1.0


def test_hostile_battle_files_are_answered_within_a_second(figure: Figure) -> None:
    with suppress(RuleViolation):  # what is loaded once in a process
        check_fight_document(read_uploaded_document(BytesIO(next(data for _, data in just_under()))))
    took: dict[str, float] = {}
    for name, data in (*just_under(), *drawn_up(), *far_over()):
        assert len(data) <= MOST_BYTES, f"{name}: {len(data)} bytes"
        begun = process_time()
        try:
            check_fight_document(read_uploaded_document(BytesIO(data)))
        except RuleViolation as refused:
            assert refused.message.endswith(".") and len(refused.message) < 2_000, name
        took[name] = process_time() - begun
    assert len(took) >= 40
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile battle files: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"
