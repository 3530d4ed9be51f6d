"""Bodies with endless lists are refused before anything in them is looked at."""

import pytest

from tests.campaign.api.test_bad_input import OPERATIONS, club  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_endless_lists_and_objects_are_refused_before_they_are_looked_at(club, monkeypatch):  # noqa: F811
    """Each entry that is wrong would be told: 80,000 of them took 20 s."""
    monkeypatch.setattr(
        "rest_framework.serializers.ListSerializer.run_validation", lambda *_: pytest.fail("read")
    )
    asked = 0
    for operation in OPERATIONS:
        for name in (operation.body or {}).get("properties", {}):
            for value, words in (
                ([{}] * 1_025, "The list has 1025 entries; send 1024 or fewer."),
                ({str(n): 0 for n in range(1_025)}, "The object has 1025 fields; send 1024 or fewer."),
            ):
                body = {**operation.least(), name: value}
                told = club.refused(400, "invalid", "umpire", operation, body=body, If_Match="*")
                assert told["errors"] == [{"field": name, "detail": words}]
                asked += 1
    assert asked > 100
