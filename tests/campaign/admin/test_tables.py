"""Tables that leave as files and come back: no formula goes out, and nothing comes in before it is shown."""

import csv
import io
import re
import tracemalloc

import openpyxl
import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.models import Campaign, DayRecord, JournalEntry
from campaign.selectors.umpire.tables import MOST
from campaign.services.proof.database import campaign_verify
from campaign.services.setup.campaigns import SeatPlan, campaign_create
from rosters.models import Unit

WHY = "The club's own returns."
HEAD = "id,name,points,formation,nation,troop_type,gun_class"


def table(client, name, kind, rows, **more):
    data = {"action": f"table_{kind}", ACTION_CHECKBOX_NAME: [row.pk for row in rows], **more}
    return client.post(reverse(f"umpire:{name}_changelist"), data)


def lines(answer):
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def bring(client, text, name="units.csv", campaign="saratoga"):
    content = text if isinstance(text, bytes) else text.encode()
    data = {"campaign": campaign, "file": SimpleUploadedFile(name, content)}
    return client.post(reverse("umpire:rosters_unit_import"), data)


def confirm(client, preview, reason=WHY):
    (plan,) = re.findall(r'name="plan" value="([^"]+)"', preview.content.decode())
    data = {"plan": plan, "reason": reason}
    return client.post(reverse("umpire:rosters_unit_import"), data, follow=True)


@pytest.fixture
def pair(saratoga):
    return list(Unit.objects.filter(formation__slug="advanced_corps").order_by("name")[:2])


# --- out ---


def test_more_rows_than_a_file_holds_are_not_begun(desk, pair, monkeypatch):
    """A workbook holds fewer than CSV: it is made while the page waits."""
    monkeypatch.setitem(MOST, "xlsx", 1)
    refused = table(desk, "rosters_unit", "xlsx", pair)
    page = desk.get(reverse("umpire:rosters_unit_changelist")).content.decode()
    assert refused.status_code == 302 and "2 rows, and a file of XLSX holds 1, one of CSV 20000" in page
    assert len(lines(table(desk, "rosters_unit", "csv", pair))) == 2


def test_figures_leave_as_figures_and_come_back(desk, pair):
    """A workbook reckons with them; text in a column of figures is what programs warn of."""
    content = table(desk, "rosters_unit", "xlsx", pair).content
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    head, *rows = list(sheet.values)
    assert [row[head.index("points")] for row in rows] == [unit.points for unit in pair]
    assert all(type(row[head.index("sp")]) is int for row in rows)
    assert "changes nothing" in bring(desk, content, "units.xlsx").content.decode()


def test_points_that_are_missing_are_said_so_and_the_range_before_one_errs(desk, saratoga, pair):
    assert "from 0 to 120" in desk.get(reverse("umpire:rosters_unit_import")).content.decode()
    text = bring(desk, f'{HEAD}\n{pair[0].slug},"{pair[0].name}",,,,,\n').content.decode()
    assert (
        "The points are missing; give a whole number from 0 to 120." in text and "are no points" not in text
    )


@pytest.mark.parametrize("name", ["rosters_unit", "rosters_formation", "rosters_leader"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_every_list_leaves_as_a_file(desk, saratoga, name, kind):
    rows = {
        "rosters_unit": saratoga.order_of_battle.units,
        "rosters_formation": saratoga.order_of_battle.formations,
        "rosters_leader": saratoga.order_of_battle.leaders,
    }[name].all()[:3]
    answer = table(desk, name, kind, rows)
    assert answer.status_code == 200 and f".{kind}" in answer["Content-Disposition"]
    if kind == "xlsx":
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
        found = [[cell.value for cell in row] for row in sheet.iter_rows()]
        assert len(found) == 4 and "saratoga" in found[1]
    else:
        assert [row["campaign"] for row in lines(answer)] == ["saratoga"] * 3


def test_the_journal_leaves_as_a_file(desk, saratoga):
    entries = JournalEntry.objects.all()[:2]
    assert [row["kind"] for row in lines(table(desk, "campaign_journalentry", "csv", entries))]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("http://a")'])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_no_cell_is_a_formula(desk, pair, name, kind):
    Unit.objects.filter(pk=pair[0].pk).update(name=name)
    answer = table(desk, "rosters_unit", kind, pair[:1])
    if kind == "csv":
        assert lines(answer)[0]["name"] == f"'{name}"
    else:
        sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).active
        cells = [cell for row in sheet.iter_rows() for cell in row]
        assert not [cell for cell in cells if cell.data_type == "f"]
        assert f"'{name}" in [cell.value for cell in cells]


# --- in ---


def test_a_table_that_left_comes_back_and_changes_nothing(desk, saratoga):
    Unit.objects.filter(slug="br_24_1").update(name="'Quoted' =men")
    units = saratoga.order_of_battle.units.all()
    for kind in ("csv", "xlsx"):
        file = table(desk, "rosters_unit", kind, units[:300]).content
        text = bring(desk, file, f"units.{kind}").content.decode()
        assert "The file changes nothing" in text and 'name="plan"' not in text


def test_names_points_and_new_units_are_shown_then_done_for_one_reason(desk, saratoga, pair):
    """HR-UMP-31."""
    one, two = pair
    text = (
        f'{HEAD}\n{one.slug},The Vanguard,60,,,,\n{two.slug},"{two.name}",61,,,,\n'
        ",Volunteers of Ireland,40,advanced_corps,british,british_line,\n"
    )
    preview = bring(desk, text)
    shown = preview.content.decode()
    assert "is called The Vanguard" in shown and f"{two.points} points, then 61" in shown
    assert "Volunteers of Ireland: new, 40 points" in shown
    assert not DayRecord.objects.filter(kind="act").exists()
    done = confirm(desk, preview).content.decode()
    assert "4 acts" in done and "Undo" in done
    assert Unit.objects.get(pk=one.pk).name == "The Vanguard" and Unit.objects.get(pk=two.pk).points == 61
    assert Unit.objects.get(name="Volunteers of Ireland").formation.slug == "advanced_corps"
    assert set(DayRecord.objects.filter(kind="act").values_list("reason", flat=True)) == {WHY}
    assert campaign_verify(campaign=Campaign.objects.get())
    confirm(desk, preview)  # the second click
    assert DayRecord.objects.filter(kind="act").count() == 4


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("{two},Somebody,121,,,,", "Row 3: "),
        ("{two},Somebody,many,,,,", "Row 3: &#x27;many&#x27; are no points"),
        ("{two},Somebody,,,,,", "Row 3: "),
        ("{two},Somebody,-4,,,,", "Row 3: "),
        ("{two},Somebody,4.5,,,,", "Row 3: "),
        ("{two},,60,,,,", "Row 3: The name is empty"),
        (",New,60,nowhere,british,british_line,", "Row 3: There is no formation &#x27;nowhere&#x27;"),
        (",New,60,advanced_corps,martian,british_line,", "Row 3: There is no nation"),
        (",New,0,advanced_corps,british,british_line,", "Row 3: A unit has 1 to 120 points"),
        ("zz99,New,60,advanced_corps,british,british_line,", "Row 3: There is no unit &#x27;zz99&#x27; here"),
        ("{one},Again,60,,,,", "stands in the file twice"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_written(desk, saratoga, pair, row, sentence):
    one, two = pair
    answer = bring(
        desk, f'{HEAD}\n{one.slug},"{one.name}",60,,,,\n{row.format(one=one.slug, two=two.slug)}\n'
    )
    text = answer.content.decode()
    assert answer.status_code == 422 and sentence in text and 'name="plan"' not in text
    assert not DayRecord.objects.filter(kind="act").exists()


def test_a_row_of_another_campaign_is_refused_and_namesakes_have_addresses(desk, saratoga, carleton, pair):
    """HR-UMP-31: what a table says of its campaign is believed before what was chosen beside it."""
    campaign_create(
        scenario="saratoga-1777",
        slug="other",
        title=saratoga.title,
        seats=(SeatPlan("umpire", user=carleton),),
    )
    one = pair[0]
    answer = bring(desk, f"campaign,{HEAD}\nother,{one.slug},Somebody,60,,,,\n")
    assert answer.status_code == 422 and "row of the campaign &#x27;other&#x27;" in answer.content.decode()
    page = desk.get(reverse("umpire:rosters_unit_import"), {"of": "saratoga"}).content.decode()
    assert f"{saratoga.title} (other)" in page and 'value="saratoga" selected' in page
    listed = desk.get(reverse("umpire:rosters_unit_changelist")).content.decode()
    assert ">other<" in listed and f"{saratoga.title} (other)" in listed
    preview = bring(desk, f"{HEAD}\n{one.slug},Somebody,60,,,,\n")
    assert f"{saratoga.title} (saratoga)" in preview.content.decode()


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("units.csv", b"\xff\xfe\x00nonsense", "not UTF-8"),
        ("units.xlsx", b"not a workbook", "This is not a spreadsheet with the columns id, name, points"),
        ("units.csv", b"id,name\na,b\n", "does not name points"),
        ("units.csv", b"id,name,points\n", "no row below the names"),
        ("units.csv", b"", "empty"),
        ("units.csv", b"id,name,points\na,b,1,2\n", "more fields than"),
        ("units.csv", b"id,name,points\n" + b"x" * 2**20, "larger than 1 MB"),
    ],
)
def test_what_is_no_table_is_told_so(desk, saratoga, name, content, sentence):
    answer = bring(desk, content, name)
    assert answer.status_code == 422 and sentence in answer.content.decode()


@pytest.mark.parametrize("last", ["A1048576", "XFD6000"])
def test_a_small_workbook_with_a_cell_far_away_is_no_bomb(desk, saratoga, last):
    """It says it is a million rows long; they are neither made nor counted."""
    book = openpyxl.Workbook()
    for at, word in {"A1": "id", "B1": "name", "C1": "points", last: "far"}.items():
        book.active[at] = word
    made = io.BytesIO()
    book.save(made)
    tracemalloc.start()
    try:
        answer = bring(desk, made.getvalue(), "units.xlsx")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert answer.status_code == 422 and "bring 1 to 2000" in answer.content.decode()
    assert most < 40 * 2**20


def test_a_table_with_semicolons_and_a_mark_of_its_alphabet_is_read(desk, pair):
    one = pair[0]
    text = f"\ufeffid;name;points\r\n{one.slug};Königsberg;60\r\n"
    assert "is called Königsberg" in bring(desk, text).content.decode()


def test_an_old_preview_a_strange_one_and_another_campaigns_do_nothing(desk, saratoga, pair):
    one = pair[0]
    preview = bring(desk, f'{HEAD}\n{one.slug},"{one.name}",60,,,,\n')
    assert confirm(desk, preview, reason=" ").status_code == 422
    data = {"plan": "forged", "reason": WHY}
    forged = desk.post(reverse("umpire:rosters_unit_import"), data)
    assert forged.status_code == 422 and "This preview is old" in forged.content.decode()
    Campaign.objects.update(head=DayRecord.objects.create(
        campaign=saratoga, revision=1, day=0, kind="act", ordinal=9, events_hash="", snapshot=b"",
        world_hash=saratoga.head.world_hash, record_hash="", parent=saratoga.head,
    ))  # fmt: skip
    late = confirm(desk, preview)
    assert late.status_code == 422 and "gone on since" in late.content.decode()
    assert bring(desk, f"{HEAD}\na,b,1,,,,\n", campaign="elsewhere").status_code == 422
    assert Unit.objects.get(pk=one.pk).points == one.points
