"""Hostile bodies, for `make prove`: each operation of the API answers them in little time."""

from time import process_time

import pytest

from tests.campaign.api.test_bad_input import OPERATIONS, club  # noqa: F401 - a fixture
from tests.campaign.conftest import *  # noqa: F403
from tests.prove.conftest import Figure
from tests.prove.hostile_bodies import hostile

pytestmark = [pytest.mark.prove, pytest.mark.django_db]

#: Seconds of CPU that a request may take.
MOST_SECONDS = 1.0


def test_hostile_bodies_are_answered_within_a_second(figure: Figure, club) -> None:  # noqa: F811
    took: dict[str, float] = {}
    for operation in OPERATIONS:
        if operation.body is None:
            continue
        club.send("umpire", operation, body=operation.least(), If_Match="*")
        for name, body in hostile(operation):
            begun = process_time()
            answer, _ = club.send("umpire", operation, body=body, If_Match="*")
            took[f"{operation} {name}"] = process_time() - begun
            assert answer.status_code < 500, f"{operation} {name}: {answer.content!r}"
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile bodies: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"
