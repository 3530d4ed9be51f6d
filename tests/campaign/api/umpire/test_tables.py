"""The umpire's lists as tables by the API, and units brought in: shown first, then done (HR-UMP-31)."""

import csv
import io
from typing import Any

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from campaign.ledger.world_rows import load_recorded_world, world_load
from campaign.models import DayRecord, JournalEntry
from campaign.selectors.umpire.tables import MOST
from campaign.services.proof.database import campaign_verify
from campaign.services.turns.days import day_advance
from campaign.services.umpire import unit_tables
from campaign.services.umpire.unit_tables import PlanRefused, build_unit_plan, plan_perform, read_unit_table
from rosters.models import Pool, Unit
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
TABLES = "campaigns/saratoga/umpire/tables/"
WHY = "The club's own returns."


def sent(program: Program, address: str, data: bytes | str, name: str = "units.csv", **given: Any) -> Any:
    """A table brought in."""
    content = data if isinstance(data, bytes) else data.encode()
    headers = {"Authorization": f"Bearer {program.text}"}
    if key := given.pop("key", ""):
        headers["Idempotency-Key"] = key
    files = {"file": SimpleUploadedFile(name, content), **given}
    return program.client.post(f"/api/v1/{TABLES}units/{address}/", files, headers=headers)


def lines(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def written(rows: list[dict[str, str]]) -> str:
    stream = io.StringIO()
    table = csv.DictWriter(stream, rows[0])
    table.writeheader()
    table.writerows(rows)
    return stream.getvalue()


@pytest.fixture
def pair(umpire_program) -> list[dict[str, str]]:
    """Two units as they leave."""
    return lines(umpire_program.get(f"{TABLES}units/", Accept="text/csv"))[:2]


@pytest.mark.parametrize("table", ["units", "formations", "pools", "leaders", "journal"])
def test_each_list_leaves_as_a_table(umpire_program, saratoga, table, django_assert_max_num_queries):
    Pool.objects.create(order_of_battle=saratoga.order_of_battle, nation="crown", arm="foot", points=3)
    with django_assert_max_num_queries(15):
        answer = umpire_program.get(f"{TABLES}{table}/", Accept="text/csv")
    rows = lines(answer)
    assert answer["Content-Type"] == "text/csv" and rows
    assert {row["campaign"] for row in rows} == {"saratoga"}
    book = umpire_program.get(f"{TABLES}{table}/?form=xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(book.content)).active
    assert [str(cell) for cell in next(iter(sheet.values))] == list(rows[0])
    assert sheet.max_row == len(rows) + 1


def test_a_long_journal_leaves_from_a_day_on(umpire_program, saratoga, monkeypatch):
    day_advance(campaign=saratoga, actor=None)
    day_advance(campaign=saratoga, actor=None)
    whole = lines(umpire_program.get(f"{TABLES}journal/"))
    later = lines(umpire_program.get(f"{TABLES}journal/?since=2"))
    assert later == [row for row in whole if int(row["day"]) >= 1] and 0 < len(later) < len(whole)
    monkeypatch.setitem(MOST, "csv", len(later))
    refused = problem(umpire_program.get(f"{TABLES}journal/"), 422, "rule")
    assert "`since`" in refused["detail"] and refused["field"] == "since"
    assert lines(umpire_program.get(f"{TABLES}journal/?since=2")) == later
    problem(umpire_program.get(f"{TABLES}journal/?since=0"), 400, "invalid")


def test_a_workbook_holds_fewer_rows_than_csv(umpire_program, saratoga):
    about = {"campaign": saratoga, "record": saratoga.head, "day": 0, "kind": "weather"}
    JournalEntry.objects.bulk_create(
        JournalEntry(**about, ordinal=10_000 + at, minute=0, rule="HR-WEA-01") for at in range(5_001)
    )
    refused = problem(umpire_program.get(f"{TABLES}journal/?form=xlsx"), 422, "rule")
    assert "holds 5000, one of CSV 20000; name a later day" in refused["detail"]
    assert len(lines(umpire_program.get(f"{TABLES}journal/"))) > 5_000


def test_a_workbook_of_units_that_is_too_long_is_to_be_had_as_csv(umpire_program, saratoga, monkeypatch):
    count = Unit.objects.filter(order_of_battle=saratoga.order_of_battle).count()
    monkeypatch.setitem(MOST, "xlsx", count - 1)
    refused = problem(umpire_program.get(f"{TABLES}units/?form=xlsx"), 422, "rule")
    assert refused["field"] == "form" and refused["detail"].endswith("; ask for CSV in `form`.")
    assert len(lines(umpire_program.get(f"{TABLES}units/?form=csv"))) == count
    monkeypatch.setitem(MOST, "csv", count - 1)
    refused = problem(umpire_program.get(f"{TABLES}units/"), 422, "rule")
    assert "field" not in refused and refused["detail"].endswith("; take the archive.")


def test_no_cell_of_it_is_a_formula(umpire_program):
    Unit.objects.filter(slug=Unit.objects.order_by("slug")[0].slug).update(name="=2+5")
    text = umpire_program.get(f"{TABLES}units/").content.decode()
    assert ",'=2+5," in text


def test_tables_are_the_umpires(umpire_program, crown_program, spectator_program, stranger_program, pair):
    for program in (crown_program, spectator_program, stranger_program):
        problem(program.get(f"{TABLES}units/"), 404, "not-found")
        problem(sent(program, "preview", written(pair)), 404, "not-found")
        problem(sent(program, "bring", written(pair), digest="a", reason=WHY), 404, "not-found")
    problem(umpire_program.get(f"{TABLES}secrets/"), 404, "not-found")
    problem(umpire_program.get(f"{TABLES}units/?form=doc"), 400, "invalid")


def test_a_table_is_shown_and_then_done_for_a_reason_hr_ump_31(umpire_program, pair, saratoga):
    first, second = pair
    steps = DayRecord.objects.count()
    changed = written([{**first, "name": "The Grenadiers", "points": "33"}, second])
    shown = sent(umpire_program, "preview", changed).json()
    assert [row["row"] for row in shown["changes"]] == [2, 2] and shown["same"] == 1 and not shown["wrong"]
    assert "The Grenadiers" in shown["changes"][0]["says"]
    assert DayRecord.objects.count() == steps
    given = {"digest": shown["digest"], "reason": WHY, "key": "once"}
    done = sent(umpire_program, "bring", changed, **given)
    assert done.status_code == 201 and len(done.json()["records"]) == 2
    unit = Unit.objects.get(slug=first["id"])
    assert (unit.name, unit.points) == ("The Grenadiers", 33)
    assert {record.reason for record in DayRecord.objects.order_by("-pk")[:2]} == {WHY}
    saratoga.refresh_from_db()
    campaign_verify(campaign=saratoga)
    assert sent(umpire_program, "bring", changed, **given)["Idempotency-Replayed"] == "true"
    again = sent(umpire_program, "preview", changed).json()
    assert again["same"] == 2 and again["digest"] == "" and not again["changes"]
    late = problem(sent(umpire_program, "bring", changed, digest=shown["digest"], reason=WHY), 422, "rule")
    assert late["rule"] == "HR-UMP-31" and DayRecord.objects.count() == steps + 2


def test_faults_are_told_by_row_and_nothing_is_written(umpire_program, pair, saratoga, carleton):
    first, second = pair
    steps = DayRecord.objects.count()
    bad = written([{**first, "points": "many"}, {**second, "id": "nobody"}])
    shown = sent(umpire_program, "preview", bad).json()
    assert [row["row"] for row in shown["wrong"]] == [2, 3] and shown["digest"] == ""
    assert "are no points" in shown["wrong"][0]["says"] and "no unit 'nobody'" in shown["wrong"][1]["says"]
    refused = problem(sent(umpire_program, "bring", bad, digest="x", reason=WHY), 422, "rule")
    assert [each["field"] for each in refused["errors"]] == ["row 2", "row 3"]
    plan = build_unit_plan(saratoga, read_unit_table(bad.encode()))
    with pytest.raises(PlanRefused) as caught:  # whoever calls the service
        plan_perform(campaign=saratoga, plan=plan, digest=plan.digest, reason=WHY, actor=carleton)
    assert [row for row, _ in caught.value.wrong] == [2, 3]
    for data, name in ((b"\x00\xff", "units.csv"), (b"PK none", "units.xlsx"), ("a,b\n1,2\n", "units.csv")):
        told = problem(sent(umpire_program, "preview", data, name), 422, "rule")
        assert told["rule"] == "HR-UMP-31" and told["field"] == "file"
    assert DayRecord.objects.count() == steps


def test_another_table_than_was_shown_is_refused(umpire_program, pair):
    first = pair[0]
    shown = sent(umpire_program, "preview", written([{**first, "points": "33"}])).json()
    other = written([{**first, "points": "34"}])
    refused = problem(sent(umpire_program, "bring", other, digest=shown["digest"], reason=WHY), 422, "rule")
    assert refused["field"] == "digest" and Unit.objects.get(slug=first["id"]).points == int(first["points"])
    problem(sent(umpire_program, "bring", other, reason=WHY), 400, "invalid")
    problem(sent(umpire_program, "bring", other, digest=shown["digest"]), 400, "invalid")


def test_names_and_points_of_a_whole_army_fit_one_table_hr_ump_31(saratoga, carleton):
    units = saratoga.order_of_battle.units.filter(points__gt=1)
    rows = [{"id": unit.slug, "name": f"New {unit.name}", "points": str(unit.points - 1)} for unit in units]
    plan = build_unit_plan(saratoga, read_unit_table(written(rows).encode()))
    assert not plan.wrong and len(plan.acts) == 2 * len(rows) > 400
    plan_perform(campaign=saratoga, plan=plan, digest=plan.digest, reason=WHY, actor=carleton)
    saratoga.refresh_from_db()
    assert world_load(saratoga) == load_recorded_world(saratoga)
    assert set(units.values_list("slug", "name")) <= {(row["id"], row["name"]) for row in rows}


def test_a_table_of_more_acts_than_one_takes_says_how_many_hr_ump_31(saratoga, carleton, monkeypatch):
    unit, other = saratoga.order_of_battle.units.filter(points__gt=1)[:2]
    rows = [{"id": each.slug, "name": "New", "points": str(each.points - 1)} for each in (unit, other)]
    monkeypatch.setattr(unit_tables, "MOST", 3)
    plan = build_unit_plan(saratoga, read_unit_table(written(rows).encode()))
    assert plan.wrong == [(0, "The file changes more than 3 things; bring 3 at most at a time.")]
    with pytest.raises(PlanRefused):
        plan_perform(campaign=saratoga, plan=plan, digest=plan.digest, reason=WHY, actor=carleton)
    assert not DayRecord.objects.filter(kind="act").exists()
