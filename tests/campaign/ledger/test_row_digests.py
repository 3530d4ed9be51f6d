"""Every column of what is told as record is covered by the chain, or exempt for a reason (HR-PRF-03)."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext

from campaign.ledger.row_digests import RIDE, TABLES, conduct_facts, list_finished_rows, recorded_rows
from campaign.models import Campaign, DayRecord, JournalEntry, LetterCopy, OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire import corrections
from campaign.services.proof import database
from campaign.services.proof.database import campaign_verify
from campaign.services.proof.verifier import NotVerified, verify_dossier
from campaign.services.umpire.corrections import act_perform

DOCUMENT = (Path(__file__).parents[3] / "docs" / "record.md").read_text(encoding="utf-8")
LINES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in DOCUMENT.splitlines()
    if line.startswith("| ") and "`" in line
]


def columns(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def declared(model: str, how: str) -> set[str]:
    """The columns of a model that the document says are covered so."""
    return {one for name, cell, by in LINES if name == model and by.startswith(how) for one in columns(cell)}


def test_hr_prf_03_every_column_of_every_recorded_model_is_declared_once():
    names = {name for name, *_ in LINES}
    for name in names:
        there = [field.name for field in apps.get_model("campaign", name)._meta.concrete_fields]
        told = [one for model, cell, _ in LINES if model == name for one in columns(cell)]
        assert sorted(told) == sorted(there), name
    no_record = set(
        re.findall(r"\b[A-Z]\w+", DOCUMENT.split("No record, so not covered:")[1].split("\n\n")[0])
    )
    every = {model.__name__ for model in apps.get_app_config("campaign").get_models()}
    assert every - names <= no_record, "say of a new table whether it is told as record"
    assert not names & no_record


@pytest.mark.django_db
def test_hr_prf_03_what_is_declared_as_digested_is(saratoga):
    found: dict[str, set[str]] = {}
    for name, rows in list_finished_rows(saratoga, 0, played=0).items():
        table = TABLES[name]
        fields = {*table.fields, *([table.person] if table.person else [])} - {"copies", "deliveries"}
        found.setdefault(rows.model.__name__, set()).update(fields)
    found[LetterCopy.__name__] = set(RIDE)
    found[DayRecord.__name__] = {"created_at", "actor"}
    found[Campaign.__name__] = {*conduct_facts(saratoga), "imported_head"}
    assert {name: declared(name, "digest") for name, *_ in LINES if declared(name, "digest")} == found


def another(field: Any, value: Any) -> Any:
    """A value, as the database has it, that the column does not have."""
    if isinstance(field, models.ForeignKey):
        return None if value is not None and field.null else 999_999_999
    if field.choices:
        return next(one for one, _ in field.choices if one != value)
    if isinstance(field, models.JSONField):
        return '{"forged": true}' if not isinstance(value, list) else '["forged"]'
    if isinstance(value, bytes | memoryview):
        return b"forged"
    if value is None or isinstance(value, int):
        return (value or 0) + 7
    return f"{value[:6]}x"


@pytest.mark.django_db
def test_hr_prf_03_what_is_declared_as_hashed_is_altered_and_noticed(saratoga, carleton):
    """Each column is altered by SQL, as somebody at the database would, of an act and of its campaign."""
    for text in ("Howe sails.", "Howe is in sight."):
        act_perform(campaign=saratoga, act=corrections.Rumour("crown", text), reason="x", actor=carleton)
        saratoga.refresh_from_db()
    campaign_verify(campaign=saratoga)
    [record] = DayRecord.objects.filter(pk=saratoga.head_id)
    entry = JournalEntry.objects.filter(record=record).first()
    assert entry is not None
    passed = []
    for row in (record, entry, saratoga):
        model = type(row)
        for name in sorted(declared(model.__name__, "hash")):
            field: Any = model._meta.get_field(name)
            value = another(field, getattr(row, field.attname))
            with transaction.atomic(), connection.cursor() as cursor:
                if (model, name) == (DayRecord, "parent"):
                    value = None
                if (model, name) == (JournalEntry, "record"):  # another's, after all of its own
                    value = record.parent_id
                    JournalEntry.objects.filter(pk=row.pk).update(ordinal=900)
                table, column = model._meta.db_table, connection.ops.quote_name(field.column)
                cursor.execute(f"UPDATE {table} SET {column} = %s WHERE id = %s", [value, row.pk])
                try:
                    campaign_verify(campaign=Campaign.objects.get(pk=saratoga.pk))
                    passed.append(f"{model.__name__}.{name}")
                except (NotVerified, RuleViolation):
                    pass
                transaction.set_rollback(True)
    assert passed == []


@pytest.mark.django_db
def test_recorded_rows_are_read_a_few_at_a_time(saratoga, django_assert_num_queries):
    """120 orders in three questions, none of which is remembered when the next is asked."""
    OrderPaper.objects.bulk_create(
        OrderPaper(campaign=saratoga, day=0, formation=f"f{n}", side="crown", body={"n": n}, number=n)
        for n in range(120)
    )
    rows = recorded_rows(saratoga)["papers"]
    assert len(rows) == 120
    with django_assert_num_queries(3):
        bodies = [rows[key]["body"]["n"] for key in rows]
    assert bodies == list(range(120))
    assert len(rows._read) == 20


@pytest.mark.django_db
def test_for_the_keys_of_finished_rows_no_large_column_is_read(saratoga):
    with CaptureQueriesContext(connection) as asked:
        database._collect_finished_keys(saratoga, 1, 1)
    told = " ".join(query["sql"] for query in asked)
    assert '"contact"' in told and '"formation"' in told
    assert '"inputs"' not in told and '"body"' not in told


@pytest.mark.django_db
def test_a_campaign_played_on_while_it_is_verified_is_read_again(saratoga, carleton, monkeypatch):
    heads = []

    def verify_once(dossier):
        heads.append(dossier.head)
        if len(heads) == 1:
            act_perform(
                campaign=saratoga, act=corrections.Rumour("crown", "Howe sails."), reason="x", actor=carleton
            )
            raise NotVerified(0, "Half of it is of before.")
        return verify_dossier(dossier)

    monkeypatch.setattr(database, "verify_dossier", verify_once)
    campaign_verify(campaign=saratoga)
    saratoga.refresh_from_db()
    assert heads[0] != heads[1] == saratoga.head_id
