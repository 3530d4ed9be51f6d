"""The bulk writer: every kind of value survives, and queries grow by whole batches only."""

import pytest
from django.db import IntegrityError, transaction

from campaign.models import Campaign, DayRecord, JournalEntry
from rosters.bulk import BATCH, rows_insert, rows_update
from rosters.models import OrderOfBattle, Pool

pytestmark = pytest.mark.django_db


@pytest.fixture
def record():
    campaign = Campaign.objects.create(
        slug="bennington",
        title="Bennington",
        scenario="s",
        scenario_digest="",
        commitment="",
        order_of_battle=OrderOfBattle.objects.create(title="Bennington"),
    )
    return DayRecord.objects.create(
        campaign=campaign, revision=1, day=1, kind="day", events_hash="", world_hash="", record_hash="",
        snapshot=b"",
    )  # fmt: skip


def entry(record, ordinal, **changes):
    return {
        "record_id": record.pk, "campaign_id": record.campaign_id, "day": 0, "ordinal": ordinal, "minute": 5,
        "kind": "march", "rule": "HR-MAR-01", "sides": "|rebel|", "unit": "", "formation": "Stark's \"men\"",
        "pool": "", "place": "", "route": "", "contact": "", "before": None, "after": 7,
        "rolls": [{"address": "a/b'c", "value": 3}], "modifiers": [], "data": {"é": None}, **changes,
    }  # fmt: skip


def test_values_survive(record):
    rows_insert(JournalEntry, [entry(record, 0)])
    stored = JournalEntry.objects.values(*entry(record, 0)).get()
    assert stored == entry(record, 0)


def test_rows_keep_their_order(record):
    rows_insert(JournalEntry, [entry(record, n) for n in range(30)])
    assert list(JournalEntry.objects.order_by("id").values_list("ordinal", flat=True)) == list(range(30))


def test_nothing_to_write_asks_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        rows_insert(JournalEntry, [])
        rows_update(JournalEntry, [])


def test_queries_grow_by_batches(record, django_assert_num_queries):
    assert BATCH >= 500
    rows = [entry(record, n) for n in range(2 * BATCH + 1)]
    with django_assert_num_queries(3):
        rows_insert(JournalEntry, rows)
    changed = [
        {"id": key, "after": None, "data": {"n": key}}
        for key in JournalEntry.objects.values_list("id", flat=True)
    ]
    with django_assert_num_queries(3):
        rows_update(JournalEntry, changed)
    assert JournalEntry.objects.filter(after__isnull=True).count() == len(rows)
    key = changed[-1]["id"]
    assert JournalEntry.objects.get(pk=key).data == {"n": key}


def test_other_rows_and_columns_stay(record):
    rows_insert(JournalEntry, [entry(record, 0), entry(record, 1)])
    first, second = JournalEntry.objects.order_by("ordinal")
    rows_update(JournalEntry, [{"id": first.pk, "minute": 9}])
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.minute, first.formation, second.minute) == (9, 'Stark\'s "men"', 5)


def test_a_refused_row_writes_none(record):
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_insert(JournalEntry, [entry(record, 0), entry(record, 1), entry(record, 1)])
    assert JournalEntry.objects.count() == 0


def test_negative_and_large_integers(record):
    order_of_battle = record.campaign.order_of_battle_id
    rows_insert(
        Pool,
        [{"order_of_battle_id": order_of_battle, "nation": "british", "arm": "line", "points": -12_345_678}],
    )
    assert Pool.objects.get().points == -12_345_678
