"""Scenarios put up by people: theirs alone, checked whole, and no zip does any harm (HR-SCN-01)."""

import io
import stat
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from campaign.models import UploadedScenario, User
from campaign.rules.errors import RuleViolation
from campaign.scenarios.making import scenario_new
from campaign.scenarios.packing import (
    LARGEST_HEAD,
    LONGEST_LINE,
    MOST_BYTES,
    MOST_FILES,
    MOST_LINES,
    MOST_OF,
    MOST_PACKED,
)
from campaign.scenarios.problems import ScenarioError
from campaign.scenarios.reading import SCENARIOS, own_scenarios
from campaign.scenarios.theatres import theatre_load
from campaign.services.setup.campaigns import campaign_create
from campaign.services.setup.drafts import draft_begin
from tests.campaign.api.program import Program, problem
from tests.factories.scenario_zips import Files, as_sent, packed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.VAR_DIR = tmp_path


@pytest.fixture
def files() -> Files:
    """Saratoga under another name."""
    found = {
        path.name: path.read_bytes() for path in (SCENARIOS / "saratoga_1777").iterdir() if path.is_file()
    }
    found["scenario.toml"] = found["scenario.toml"].replace(b'"saratoga-1777"', b'"stillwater-1777"', 1)
    return found


def send(program: Program, data: bytes, **headers: str) -> Any:
    given = {"Authorization": f"Bearer {program.text}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    return program.client.post("/api/v1/scenarios/", {"file": as_sent(data)}, headers=given)


@pytest.mark.parametrize("prefix", ["", "stillwater/"])
def test_a_scenario_is_its_owners_to_begin_with_HR_SCN_01(files, burgoyne, gates, prefix):
    program, other = Program(burgoyne), Program(gates)
    answer = send(program, packed(files, prefix))
    assert answer.status_code == 201, answer.content
    assert answer.json() == program.get("scenarios/stillwater-1777/").json()
    listed = [row["slug"] for row in program.get("scenarios/").json()["results"]]
    assert listed.count("stillwater-1777") == 1 and "saratoga-1777" in listed
    assert "stillwater" not in other.get("scenarios/").content.decode()
    hidden = other.get("scenarios/stillwater-1777/")
    assert hidden.content == other.get("scenarios/nowhere/").content
    problem(other.delete("scenarios/stillwater-1777/"), 404, "not-found")
    chosen = {"slug": "stillwater-1777", "bare": False, "digest": ""}
    draft_begin(user=burgoyne, chosen=chosen)
    with pytest.raises(RuleViolation) as refused:
        draft_begin(user=gates, chosen=chosen)
    assert refused.value.rule_id == "HR-SCN-01"


def test_none_takes_the_place_of_one_kept_for_a_campaign_HR_SCN_01(files, burgoyne):
    """Folders of scenarios that came with archives are called by their digests."""
    digest = "0123456789abcdef" * 4
    kept = own_scenarios() / digest
    kept.mkdir(parents=True)
    (kept / "scenario.toml").write_text("kept")
    head = files["scenario.toml"].replace(b'"stillwater-1777"', f'"{digest}"'.encode(), 1)
    refused = problem(send(Program(burgoyne), packed({**files, "scenario.toml": head})), 422, "rule")
    assert "is no digest" in str(refused) and not UploadedScenario.objects.exists()
    assert (kept / "scenario.toml").read_text() == "kept"
    with pytest.raises(ScenarioError, match="small letters"):
        scenario_new(digest)


def test_the_same_again_is_the_same_and_another_under_its_id_is_refused(files, burgoyne, gates):
    program = Program(burgoyne)
    assert send(program, packed(files), Idempotency_Key="a").status_code == 201
    assert send(program, packed(files), Idempotency_Key="a")["Idempotency-Replayed"] == "true"
    assert send(program, packed(files)).status_code == 201
    assert UploadedScenario.objects.count() == 1
    problem(send(Program(gates), packed(files)), 422, "rule")
    files["SOURCES.md"] = b"Nothing."
    assert "another id" in problem(send(program, packed(files)), 422, "rule")["detail"]


def test_another_machine_has_it_from_its_row_and_a_campaign_keeps_it(files, burgoyne):
    program = Program(burgoyne)
    send(program, packed(files))
    folder = own_scenarios() / "stillwater_1777"
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    campaign = campaign_create(scenario="stillwater-1777", slug="one")
    assert theatre_load(campaign).id == "stillwater-1777"
    refused = problem(program.delete("scenarios/stillwater-1777/"), 422, "rule")
    assert refused["rule"] == "HR-SCN-01"


def test_one_without_a_campaign_is_removed_and_its_id_is_free_again(files, burgoyne):
    program = Program(burgoyne)
    send(program, packed(files))
    assert program.delete("scenarios/stillwater-1777/").status_code == 204
    problem(program.get("scenarios/stillwater-1777/"), 404, "not-found")
    assert send(program, packed(files)).status_code == 201


def test_who_may_not_set_up_puts_up_nothing_HR_SCN_01(files, burgoyne, settings):
    settings.NEW_CAMPAIGNS = "staff"
    problem(send(Program(burgoyne), packed(files)), 422, "rule")
    User.objects.filter(pk=burgoyne.pk).update(is_staff=True)
    assert send(Program(burgoyne), packed(files)).status_code == 201


def test_every_fault_is_told_with_its_file_and_row(files, burgoyne):
    rows = files["places.csv"].split(b"\n")
    files["places.csv"] = b"\n".join([*rows[:1], rows[1].replace(b",", b"", 1), *rows[2:]])
    files["goals.csv"] = files["goals.csv"].replace(b",rebel,", b",nobody,", 1)
    body = problem(send(Program(burgoyne), packed(files)), 422, "rule")
    assert len(body["errors"]) > 1
    assert any(row["field"].startswith("places.csv, row 2") for row in body["errors"])


def test_a_folder_whose_row_is_gone_is_nobodys_and_its_id_free(files, burgoyne, gates):
    send(Program(burgoyne), packed(files))
    UploadedScenario.objects.all().delete()  # as from another machine
    assert "stillwater" not in Program(burgoyne).get("scenarios/").content.decode()
    with pytest.raises(RuleViolation, match="removed just now"):
        campaign_create(scenario="stillwater-1777", slug="one")
    assert send(Program(gates), packed(files)).status_code == 201


def link(files: Files) -> bytes:
    stream = io.BytesIO(packed({name: data for name, data in files.items() if name != "goals.csv"}))
    with zipfile.ZipFile(stream, "a") as archive:
        info = zipfile.ZipInfo("goals.csv")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return stream.getvalue()


def head(files: Files, was: bytes, becomes: bytes) -> bytes:
    assert was in files["scenario.toml"]
    return packed({**files, "scenario.toml": files["scenario.toml"].replace(was, becomes, 1)})


def too_many(name: str) -> Callable[[Files], bytes]:
    """A table of one line more than is read, with the line ends of old spreadsheets."""
    return lambda files: packed({**files, name: files[name] + b"x\r" * MOST_OF[name]})


HARM: dict[str, Callable[[Files], bytes]] = {
    "no zip": lambda files: b"PK\3\4 nothing",
    "empty": lambda files: b"x",
    "cut": lambda files: packed(files)[:-200],
    "damaged": lambda files: packed(files).replace(packed(files)[3000:3100], b"\0" * 100),
    "out of the folder": lambda files: packed({**files, "../evil.csv": b"x"}),
    "absolute": lambda files: packed({**files, "/etc/evil.csv": b"x"}),
    "without a head": lambda files: packed({name: files[name] for name in files if "toml" not in name}),
    "bomb": lambda files: packed({**files, "more.csv": b"0" * (MOST_BYTES + 1)}),
    "long": lambda files: packed({**files, "goals.csv": b"\n" * (MOST_LINES + 1)}),
    **{f"too many in {name}": too_many(name) for name in ("units.csv", "formations.csv", "types.csv")},
    "shrinks": lambda files: packed(
        {**files, "history.csv": b"date,end_date,place,event" + b"," * 1_900_000}, how=zipfile.ZIP_STORED
    ),
    "a large head": lambda files: head(files, b"title", b"# " + b"x" * 900 + b"\n" + b"#\n" * LARGEST_HEAD),
    "a long line": lambda files: head(files, b"title", b"a" + b".a" * LONGEST_LINE + b" = 1\ntitle"),
    "many": lambda files: packed({**files, **{f"t{'a' * n}.csv": b"" for n in range(MOST_FILES)}}),
    "link": link,
    "zero bytes": lambda files: packed({**files, "goals.csv": b"a\0b"}),
    "not utf-8": lambda files: packed({**files, "units.csv": b"\xff\xfe"}),
    "sources not utf-8": lambda files: packed({**files, "SOURCES.md": b"caf\xe9"}),
    "packed unusually": lambda files: packed(files, how=zipfile.ZIP_LZMA),
    "no toml": lambda files: packed({**files, "scenario.toml": b"["}),
    "deep toml": lambda files: packed({**files, "scenario.toml": b"a=" + b"[" * 5000}),
    "endless": lambda files: head(files, b"1777-", b"0900-"),
    "shipped": lambda files: head(files, b"stillwater-1777", b"saratoga-1777"),
    "odd id": lambda files: head(files, b"stillwater-1777", b"Still_water"),
}  # fmt: skip


@pytest.mark.parametrize("name", ["run.py", ".uploaded", "units.ods", "notes/README.txt"])
def test_what_belongs_to_no_scenario_is_left_out_HR_SCN_01(files, burgoyne, name):
    assert send(Program(burgoyne), packed({**files, name: b"x"})).status_code == 201
    with zipfile.ZipFile(io.BytesIO(UploadedScenario.objects.get().data)) as kept:
        assert sorted(kept.namelist()) == sorted(files)
    [folder] = own_scenarios().iterdir()
    assert {file.name for file in folder.iterdir()} == {*files, ".uploaded"}


@pytest.mark.parametrize("name", HARM)
def test_a_zip_that_does_harm_is_refused_and_writes_nothing(files, burgoyne, name):
    body = problem(send(Program(burgoyne), HARM[name](files)), 422, "rule")
    assert body["rule"] == "HR-SCN-01"
    assert not UploadedScenario.objects.exists()
    assert not own_scenarios().exists() or not list(own_scenarios().iterdir())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("too many in units.csv", "units.csv: it has more than 1500 lines; make the scenario smaller."),
        ("too many in types.csv", "types.csv: it has more than 200 lines; make the scenario smaller."),
        (
            "a long line",
            "scenario.toml: it has more than 64 KB, or a line of more than 1000 characters; shorten it.",
        ),
    ],
)
def test_a_zip_that_is_too_large_is_refused_before_it_is_read(files, burgoyne, monkeypatch, name, sentence):
    """What takes time by the square of its size is never begun."""
    monkeypatch.setattr("campaign.scenarios.head.tomllib.loads", lambda text: pytest.fail("read"))
    body = problem(send(Program(burgoyne), HARM[name](files)), 422, "rule")
    assert body["detail"] == sentence


def test_too_much_and_no_file_at_all_are_refused(burgoyne):
    program = Program(burgoyne)
    problem(send(program, b"x" * (MOST_PACKED + 100_000)), 413, "too-large")
    headers = {"Authorization": f"Bearer {program.text}"}
    answer = program.client.post("/api/v1/scenarios/", {"other": "x"}, headers=headers)
    assert {row["field"] for row in problem(answer, 400, "invalid")["errors"]} == {"other"}
    problem(program.post("scenarios/", {"file": "x"}), 415, "media-type")
