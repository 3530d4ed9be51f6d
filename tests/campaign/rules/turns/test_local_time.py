"""Wall-clock times that summer time skips or gives twice (HR-DUE-01)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from campaign.rules.errors import RuleViolation
from campaign.rules.turns.local_time import moment_at, verify_wall

BERLIN = ZoneInfo("Europe/Berlin")


def test_a_time_that_occurs_twice_is_its_first_occurrence():
    assert moment_at(datetime(2027, 10, 31, 2, 30), BERLIN) == datetime(2027, 10, 31, 0, 30, tzinfo=UTC)
    assert moment_at(datetime(2027, 10, 31, 2, 30, fold=1), BERLIN) == datetime(
        2027, 10, 31, 0, 30, tzinfo=UTC
    )


def test_a_time_that_is_skipped_is_refused_with_one_that_exists_hr_due_01():
    with pytest.raises(RuleViolation) as refused:
        verify_wall(datetime(2027, 3, 28, 2, 30), BERLIN)
    assert (refused.value.rule_id, refused.value.field) == ("HR-DUE-01", "until")
    assert refused.value.message == (
        "There is no 02:30 on 28 March 2027 in Europe/Berlin: summer time begins. Choose another time, such "
        "as 03:30."
    )
    for exists in (datetime(2027, 3, 28, 1, 59), datetime(2027, 3, 28, 3), datetime(2027, 10, 31, 2, 30)):
        verify_wall(exists, BERLIN)
