"""Hostile tables of units, for `make prove`: each is planned or refused with a sentence, in little time."""

import io
import tracemalloc
from contextlib import suppress
from time import process_time

import pytest

from battles.files.reading import find_shipped_battles
from campaign.rules.errors import RuleViolation
from campaign.services.battles.standalone_fights import document_with_armies, read_uploaded_document
from campaign.services.setup.steps import clean_armies_step
from campaign.services.umpire.unit_tables import LARGEST, build_unit_plan, read_unit_table
from rosters.importing import RosterErrors
from tests.campaign.conftest import *  # noqa: F403 - Saratoga and its people
from tests.prove.conftest import Figure
from tests.prove.hostile_tables import hostile, hostile_armies

pytestmark = [pytest.mark.prove, pytest.mark.django_db]

#: Seconds of CPU that the check of one file may take in a request, and bytes.
MOST_SECONDS, MOST_MEMORY = 1.0, 200 * 2**20


def test_hostile_tables_are_answered_within_a_second(figure: Figure, saratoga) -> None:
    units = list(saratoga.order_of_battle.units.values_list("slug", "points"))
    build_unit_plan(saratoga, read_unit_table(b"id,name,points\na,b,5"))
    took: dict[str, float] = {}
    for name, data in hostile(units):
        assert len(data) <= LARGEST, f"{name}: {len(data)} bytes"
        begun = process_time()
        try:
            build_unit_plan(saratoga, read_unit_table(data))
        except RuleViolation as refused:
            assert len(refused.message) < 2_000, name
        took[name] = process_time() - begun
    worst = max(took, key=lambda name: took[name])
    figure(f"{len(took)} hostile tables: CPU of all", f"{sum(took.values()):.1f} s", "")
    figure(f"the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    assert took[worst] <= MOST_SECONDS, f"{worst}: {took[worst]:.2f} s"


@pytest.mark.parametrize("page", ["set-up", "battle file"])
def test_hostile_orders_of_battle_are_answered_within_a_second(figure: Figure, page: str) -> None:
    with find_shipped_battles()["standard-fight"].open("rb") as file:
        battle = read_uploaded_document(file)

    def answer(data: bytes) -> None:
        with suppress(RosterErrors, RuleViolation):
            if page == "set-up":
                clean_armies_step("saratoga-1777", "mine", data)
            else:
                document_with_armies(battle, io.BytesIO(data))

    took, held = dict[str, float](), dict[str, int]()
    answer(b"id")
    for name, data in hostile_armies():
        begun = process_time()
        answer(data)
        took[name] = process_time() - begun
        if "unpacked" in name or "16 MB" in name:
            tracemalloc.start()
            answer(data)
            held[name] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    worst, largest = max(took, key=lambda name: took[name]), max(held, key=lambda name: held[name])
    figure(f"{page}: the slowest, {worst}", f"{took[worst]:.2f} s of CPU", f"at most {MOST_SECONDS:g} s")
    figure(
        f"{page}: the largest, {largest}",
        f"{held[largest] / 2**20:.0f} MB",
        f"at most {MOST_MEMORY >> 20} MB",
    )
    assert took[worst] <= MOST_SECONDS and held[largest] <= MOST_MEMORY, (took, held)
