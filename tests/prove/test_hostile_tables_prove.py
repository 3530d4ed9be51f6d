"""Hostile tables of units, for `make prove`: each is planned or refused with a sentence, in little time."""

from time import process_time

import pytest

from campaign.rules.errors import RuleViolation
from campaign.services.unit_tables import LARGEST, plan_made, table_of
from tests.campaign.conftest import *  # noqa: F403 - Saratoga and its people
from tests.prove.conftest import Figure
from tests.prove.hostile_tables import hostile

pytestmark = [pytest.mark.prove, pytest.mark.django_db]

#: Seconds of CPU that the check of one file may take in a request.
MOST_SECONDS = 1.0


def test_hostile_tables_are_answered_within_a_second(figure: Figure, saratoga) -> None:
    units = list(saratoga.order_of_battle.units.values_list("slug", "points"))
    plan_made(saratoga, table_of(b"id,name,points\na,b,5"))
    took: dict[str, float] = {}
    for name, data in hostile(units):
        assert len(data) <= LARGEST, f"{name}: {len(data)} bytes"
        begun = process_time()
        try:
            plan_made(saratoga, table_of(data))
        except RuleViolation as refused:
            assert len(refused.message) < 2_000, name
        took[name] = process_time() - begun
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile tables: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"
