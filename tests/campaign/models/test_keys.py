"""Keys in addresses and answers count nothing: they tell how much nobody does."""

import threading
from itertools import pairwise

from django.apps import apps
from django.db.models import BigAutoField

from campaign.models import (
    Battle,
    DayRecord,
    Holding,
    JournalEntry,
    Letter,
    LetterCopy,
    Marker,
    Seat,
    Station,
)
from campaign.models.fields import ChainKeyField, CountedKeyField
from rosters.keys import A_MILLISECOND, LEAST, KeyField, make_row_key
from rosters.models import Formation, Leader, Unit

#: Rows in the order of making or of dice, and those written anew each day; their keys stand nowhere outside.
COUNTED = {JournalEntry, Letter, LetterCopy, Holding, Marker}


def test_every_table_has_such_keys_but_those_nobody_is_shown():
    models = [model for app in ("campaign", "rosters") for model in apps.get_app_config(app).get_models()]
    kinds = {model: type(model._meta.pk) for model in models}
    own = {model: kind for model, kind in kinds.items() if issubclass(kind, BigAutoField)}
    assert {model for model, kind in own.items() if not issubclass(kind, KeyField)} == COUNTED
    assert {own[model] for model in COUNTED} == {CountedKeyField} and own[DayRecord] is ChainKeyField


def test_keys_follow_one_another_at_random_distances():
    keys = [make_row_key() for _ in range(2_000)]
    gaps = {after - before for before, after in pairwise(keys)}
    assert min(gaps) > 0 and len(gaps) > 1_000
    assert all(LEAST < key < 2**53 for key in keys)


def test_threads_are_given_different_keys():
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.extend(make_row_key() for _ in range(200))) for _ in range(8)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(found)) == len(found) == 1_600


def test_a_clock_set_back_gives_no_older_keys(monkeypatch):
    before = make_row_key()
    monkeypatch.setattr("rosters.keys.time.time_ns", lambda: 0)
    assert before < make_row_key() <= before + 1 + A_MILLISECOND


def test_a_row_has_its_key_when_it_is_saved_and_in_one_statement(saratoga, django_assert_num_queries):
    seat = Seat(campaign=saratoga, role=Seat.Role.RESERVE)
    assert seat.pk is None
    with django_assert_num_queries(1):
        seat.save()
    many = Seat.objects.bulk_create(Seat(campaign=saratoga, role=Seat.Role.RESERVE) for _ in range(3))
    keys = [seat.pk, *(each.pk for each in many)]
    assert (
        keys == sorted(keys)
        and keys[0] > LEAST
        and keys == list(Seat.objects.filter(pk__in=keys).order_by("pk").values_list("pk", flat=True))
    )


def test_a_row_of_an_older_release_keeps_its_key_and_its_address(crown, saratoga, battle):
    """A battle counted as the 57th of its site is found where it was, and lies before all new ones."""
    Battle.objects.filter(pk=battle.pk).update(id=57)
    assert crown.get("/campaigns/saratoga/battles/57/").status_code == 200
    assert crown.get("/campaigns/saratoga/battles/58/").status_code == 404
    assert Battle.objects.order_by("pk").first().pk == 57


def test_a_record_is_above_its_parent_whatever_the_clock_says(saratoga, monkeypatch):
    """The head was written by a machine whose clock runs ahead; this one's is at 1970."""
    monkeypatch.setattr("rosters.keys.time.time_ns", lambda: 0)
    monkeypatch.setattr("rosters.keys._last", LEAST)
    ahead = 9 * 10**14
    made = DayRecord(campaign=saratoga, parent_id=ahead, day=1)
    key = DayRecord._meta.pk.get_pk_value_on_save(made)
    assert ahead < key <= ahead + 1 + A_MILLISECOND and key < make_row_key()


def test_rows_written_many_at_once_have_such_keys_too(saratoga):
    """Of a campaign as it is made: every row of every table, but those counted."""
    kinds = [model for app in ("campaign", "rosters") for model in apps.get_app_config(app).get_models()]
    least = {
        model: model._default_manager.order_by("pk").values_list("pk", flat=True).first()
        for model in kinds
        if isinstance(model._meta.pk, KeyField)
    }
    filled = {model: key for model, key in least.items() if key is not None}
    assert {Unit, Formation, Station, Leader, Seat, DayRecord} <= filled.keys()
    assert {model: key for model, key in filled.items() if key <= LEAST} == {}
