"""What people send: too large, of another kind, bombs, links, names that lead out. None of it is read."""

import io
import re
import stat
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from openpyxl import Workbook
from PIL import Image

from campaign.config.middleware import RequestSizeMiddleware
from campaign.models import BattlePhoto
from campaign.ops.upload_checks import (
    LARGEST_REQUEST,
    USUAL_REQUEST,
    Refused,
    part_of,
    zip_damage,
    zip_verify,
)
from campaign.rules.errors import RuleViolation
from campaign.services.archive.zip_files import Bounds, archive_glance
from campaign.services.umpire.unit_tables import read_unit_table
from rosters.table_files import TableFile

ROOT = Path(__file__).resolve().parents[3]
LIMITS = {"files": 5, "largest": 2**20, "together": 2**20, "shrunk": 250}


def packed(files: dict[str, bytes]) -> zipfile.ZipFile:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return zipfile.ZipFile(stream)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({f"{number}.csv": b"x" for number in range(6)}, "5 at most"),
        ({"../settings.py": b"x"}, "leads out"),
        ({"/etc/passwd": b"x"}, "leads out"),
        ({"C:boot": b"x"}, "leads out"),
        ({"a\nb": b"x"}, "leads out"),
        ({"my war: 2/a.csv": b"x"}, "has a colon"),
        ({"zeros": bytes(2**21)}, "unpacked"),
        ({"zeros": bytes(3 * 2**18), "more": bytes(3 * 2**18)}, "unpacked"),
    ],
)
def test_zips_that_are_not_unpacked(files, words):
    with pytest.raises(Refused, match=words):
        zip_verify(packed(files), **LIMITS)


def test_neither_links_nor_names_given_twice():
    stream = io.BytesIO()
    link = zipfile.ZipInfo("a")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(Refused, match="link"):
        zip_verify(zipfile.ZipFile(stream), **LIMITS)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive, pytest.warns(UserWarning):
        archive.writestr("a", "1")
        archive.writestr("a", "2")
    with pytest.raises(Refused, match="twice"):
        zip_verify(zipfile.ZipFile(stream), **LIMITS)


def test_folders_around_folders_count_as_nothing():
    found = zip_verify(packed({"a/b/x.csv": b"1", "a/b/c/y.csv": b"2", "__MACOSX/a/._b": b""}), **LIMITS)
    assert list(found) == ["x.csv", "c/y.csv"]


def test_the_list_of_a_zip_is_not_read_when_it_is_far_too_long(monkeypatch):
    """400,000 entries took 2.6 s of CPU before they were counted."""
    data = b"PK\x01\x02" * 10_001
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(RuleViolation, match="it holds more than 10000 files, and 5000 at most are read"):
        archive_glance(data, "The file", Bounds(5_000, 2**20, 2**20), "scenario/", 2**20)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        (b"", "it is empty; choose the file again"),
        (b"PK\x03\x04\x14", "it is damaged or cut off; download or copy it again"),
        (b"7z\xbc\xaf\x27\x1c", "it is a 7z archive; unpack it and pack the files as ZIP"),
        (b"Rar!\x1a\x07\x01", "it is a RAR archive; unpack it and pack the files as ZIP"),
        (b"<!DOCTYPE html>", "it is a web page (HTML); choose or download the ZIP file itself"),
        (b"id,name", "it does not begin as one; choose another, or pack it again"),
    ],
)
def test_what_is_no_zip_is_told_by_what_it_is(start, words):
    assert zip_damage(start) == words


@pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_in_an_unusual_way_is_not_unpacked(way):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", way) as archive:
        archive.writestr("a", "1" * 100)
    with pytest.raises(Refused, match="a is packed in an unusual way"):
        zip_verify(zipfile.ZipFile(stream), **LIMITS)


def test_a_sound_zip_is_read():
    archive = packed({"places.csv": b"id,name\n", "routes.csv": b"a,b\n"})
    zip_verify(archive, **LIMITS)
    assert [part_of(archive, info) for info in archive.infolist()] == [b"id,name\n", b"a,b\n"]


# --- workbooks ---


def read(file: SimpleUploadedFile) -> TableFile:
    return read_unit_table(file.read())


def workbook(**parts: bytes) -> SimpleUploadedFile:
    """A workbook with some of its parts put in anew."""
    book = Workbook()
    book.active.append(["id", "name", "points"])
    book.active.append(["br_24_1", "The 24th", 60])
    book.save(stream := io.BytesIO())
    made = io.BytesIO()
    with zipfile.ZipFile(stream) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, parts.get(Path(info.filename).stem, old.read(info)))
        for name in parts.keys() - {Path(info.filename).stem for info in old.infolist()}:
            new.writestr(name, parts[name])
    return SimpleUploadedFile("units.xlsx", made.getvalue())


SHEET = b"""<?xml version="1.0"?><!DOCTYPE l [%s]>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>
<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>&%s;</t></is></c></row>
</sheetData></worksheet>"""


def laughs() -> bytes:
    """A sheet with a cell of a hundred million million letters, each entity twelve of the one before."""
    entities = [b'<!ENTITY a "ha">']
    for letter in range(ord("b"), ord("o")):
        entities.append(b'<!ENTITY %c "%s">' % (letter, b"&%c;" % (letter - 1) * 12))
    return SHEET % (b"".join(entities), b"n")


@pytest.mark.parametrize(
    "parts", [{"bomb": bytes(30 * 2**20)}, {"sheet1": bytes(30 * 2**20)}, {"sheet1": laughs()}]
)
def test_workbooks_that_are_bombs_are_refused_and_soon(parts):
    assert len(read(workbook()).rows) == 1
    with pytest.raises(RuleViolation, match=r"The workbook is too large|no workbook"):
        read(workbook(**parts))


def test_an_entity_of_a_workbook_reads_no_file_of_the_machine(tmp_path):
    (tmp_path / "secret").write_text("the dice")
    outer = b'<!ENTITY x SYSTEM "file://%s">' % str(tmp_path / "secret").encode()
    with pytest.raises(RuleViolation) as refused:
        read(workbook(sheet1=SHEET % (outer, b"x")))
    assert "the dice" not in refused.value.message


def test_what_calls_itself_a_workbook_and_is_none_is_refused():
    for data in (b"", b"PK\x03\x04", b"id,name,points\n", bytes(500)):
        with pytest.raises(RuleViolation):
            read_unit_table(data)


# --- photographs ---


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["bomb", "svg", "zip", "html", "cut"])
def test_what_is_no_photograph_is_not_kept_and_nothing_is_unpacked(battle, crown, kind):
    def picture(width: int, height: int) -> bytes:
        Image.new("1", (width, height)).save(stream := io.BytesIO(), "PNG")
        return stream.getvalue()

    data = {
        "bomb": lambda: picture(20_000, 20_000),
        "svg": lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
        "zip": lambda: b"PK\x03\x04",
        "html": lambda: b"<script>1</script>",
        "cut": lambda: picture(200, 200)[:60],
    }[kind]()
    photo = SimpleUploadedFile("table.png", data, "image/png")
    crown.post(f"/campaigns/saratoga/battles/{battle.pk}/result/", {"photo": photo, "save": "1"})
    assert BattlePhoto.objects.count() == 0


# --- requests ---


@pytest.mark.django_db
def test_a_request_larger_than_its_page_takes_is_refused_unread(client: Client):
    class NeverRead(io.BytesIO):
        def read(self, *_sizes: int) -> bytes:
            raise AssertionError("It was read.")

    for path, length, status in (
        ("/sign-in/", USUAL_REQUEST + 1, 413),
        ("/nowhere/", USUAL_REQUEST + 1, 413),
        ("/umpire/rosters/unit/import/", USUAL_REQUEST + 1, 413),
        ("/campaigns/x/battles/1/result/", USUAL_REQUEST + 1, 200),
        ("/campaigns/x/battles/1/result/", LARGEST_REQUEST + 1, 413),
        ("/sign-in/", USUAL_REQUEST, 200),
    ):
        request = RequestFactory().generic("POST", path, CONTENT_LENGTH=str(length))
        request.META["wsgi.input"] = NeverRead()
        request.user, request.session = None, {}
        answer = RequestSizeMiddleware(lambda _request: type("Ok", (), {"status_code": 200})())(request)
        assert answer.status_code == status, (path, length)


@pytest.mark.django_db
def test_a_zero_byte_is_refused_before_any_database_is_asked_for_it(client: Client):
    """PostgreSQL looks for no text with one: until now that was a crash."""
    for address in ("/umpire/rosters/unit/?status__exact=%00", "/?a=%00", "/campaigns/a%00b/"):
        answer = client.get(address)
        assert answer.status_code == 400 and "Nothing was saved" in answer.content.decode(), address
    assert client.post("/sign-in/", {"login": "gates\0", "password": "x"}).status_code == 400
    assert client.post("/sign-in/", {"login": "gates", "a\0": "x"}).status_code == 400
    assert client.post("/sign-in/", {"login": "gates", "password": "100%00"}).status_code == 200
    assert client.get("/api/v1/campaigns/a%00b/").status_code in (401, 404)


#: Modules through which tables are read, whatever program wrote them.
TABLES = ("rosters.table_files", "rosters.importing")


def test_every_place_that_takes_files_or_unpacks_them_goes_by_the_one_module():
    """Who reads what people send does it through campaign.ops.upload_checks, tables through
    rosters.table_files.
    """
    takes = re.compile(
        r"request\.FILES|forms\.(File|Image)Field|MultiPartParser|FormParser|ZipFile\(|Image\.open\("
    )
    through = {
        # how the API reads a form; who takes the files of it stands here himself
        "campaign/api/framework/parsing.py": "campaign.ops.upload_checks",
        # passes what came to services that read it
        "campaign/web/battles/table_results.py": "campaign/services/battles/photos.py",
        "campaign/api/battles/photos.py": "campaign/services/battles/photos.py",
        # the program that photographs are given to, whose size was looked at before
        "campaign/ops/photo_decoding.py": "campaign/services/battles/photos.py",
        # a scenario's zip has names of its own and counts what it unpacks, limits of size and number before
        "campaign/scenarios/packing.py": "campaign.ops.upload_checks",
        "campaign/api/setup/scenarios.py": "campaign.ops.upload_checks",
        "campaign/web/setup/scenario_uploads.py": "campaign.ops.upload_checks",
        "campaign/admin/unit_import.py": "campaign/services/umpire/unit_tables.py",
        "campaign/api/umpire/tables.py": "campaign/services/umpire/unit_tables.py",
        "campaign/web/battles/ruleset_comparisons.py": "campaign/services/battles/standalone_fights.py",
        "campaign/web/setup/forms.py": "campaign/services/setup/steps.py",
        "campaign/web/setup/pages.py": "campaign/services/setup/steps.py",
        "campaign/api/archive.py": "campaign/services/archive/zip_files.py",
        "campaign/web/archive.py": "campaign/services/archive/zip_files.py",
        # zips the site packed itself
        "campaign/scenarios/uploaded.py": "campaign.ops.upload_checks",
        # photographs the site made anew itself, and a file the administrator names at the command line
        "campaign/selectors/press/print_pages.py": "campaign.ops.upload_checks",
        "campaign/services/backups/files.py": "campaign.ops.upload_checks",
    }
    loose = []
    for file in sorted((ROOT / "campaign").rglob("*.py")):
        name = str(file.relative_to(ROOT))
        text = file.read_text()
        by = through.get(name, name)
        reads = by if by == "campaign.ops.upload_checks" else (ROOT / by).read_text()
        if takes.search(text) and not any(one in reads for one in ("campaign.ops.upload_checks", *TABLES)):
            loose.append(name)
    assert loose == []
