"""Results of the table by the API: drafts, entries, comparison, confirmation, photographs (HR-TAB)."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from campaign.models import Battle, BattleEntry, BattlePhoto
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(battle) -> str:
    return f"campaigns/saratoga/battles/{battle.pk}/result/"


@pytest.fixture
def hit(battle) -> str:
    return next(unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown")


def enter(program: Program, page: str, **said) -> object:
    now = program.get(page)
    return program.put(page, {"state": "entered", **said}, If_Match=now["ETag"])


def test_an_entry_is_kept_entered_and_amended(
    page, battle, hit, crown_program, rebel_program, umpire_program
):
    first = crown_program.get(page).json()
    assert (first["state"], first["version"], first["open"]) == ("none", 0, True)
    assert {unit["side"] for unit in first["units"]} == {"crown", "rebel"}
    said = {"units": {hit: {"lost": 1}}, "notes": "So far."}
    draft = crown_program.put(page, said, If_Match=crown_program.get(page)["ETag"])
    assert draft.status_code == 200, draft.content
    assert draft.json()["state"] == "draft" and draft.json() == crown_program.get(page).json()
    assert draft.json()["entry"]["units"][hit] == {"lost": 1, "captured": 0, "destroyed": False}
    problem(enter(crown_program, page, **said), 422, "rule")  # nobody has said who holds the field
    entered = enter(crown_program, page, **said, held_by="crown")
    assert (entered.json()["state"], entered.json()["version"]) == ("entered", 2)
    assert rebel_program.get(page).json()["state"] == "none"
    assert umpire_program.get(page).json()["state"] == "none"
    [row] = BattleEntry.objects.all()
    assert (row.side, row.state) == ("crown", "entered")


def test_a_refusal_names_the_field_as_the_body_has_it(page, battle, hit, crown_program, umpire_program):
    for said, field in (
        ({"units": {hit: {"lost": 999}}}, f"units.{hit}.lost"),
        ({"units": {hit: {"captured": 999}}}, f"units.{hit}.captured"),
        ({"units": {"zz": {"lost": 1}}}, "units.zz.lost"),
        ({"units": {"a-b": {"lost": 1}}}, "units.a-b.lost"),
        ({"generals": {"zz": "killed"}}, "generals.zz"),
        ({"held_by": "france"}, "held_by"),
    ):
        seen = umpire_program.get(f"{page}entries/")["ETag"]
        for answer in (
            umpire_program.put(page, said, If_Match="*"),
            umpire_program.post(f"{page}casualties/", said),
            umpire_program.post(f"{page}confirm/", said, If_Match=seen),
        ):
            assert problem(answer, 422, "rule")["field"] == field
    words = problem(crown_program.put(page, {"held_by": "france"}, If_Match="*"), 422, "rule")["detail"]
    assert "(crown)" in words and "(rebel)" in words and "or by neither" in words
    assert not BattleEntry.objects.exists()


def test_what_is_destroyed_is_lost_whatever_was_counted_HR_TAB_02(
    page, battle, hit, crown_program, umpire_program
):
    said = {"units": {hit: {"lost": 999, "destroyed": True}}, "held_by": "crown"}
    assert crown_program.put(page, said, If_Match="*").status_code == 200
    shown = umpire_program.post(f"{page}casualties/", said)
    assert shown.status_code == 200
    there = next(unit["sp"] for unit in battle.inputs["file"]["units"] if unit["id"] == hit)
    rows = [row for force in shown.json()["forces"] for row in force["units"] if row["id"] == hit]
    assert [row["lost"] for row in rows] == [there]


def test_a_second_phone_does_not_write_over_the_first_HR_TAB_04(page, hit, crown_program):
    old = crown_program.get(page)["ETag"]
    said = {"units": {hit: {"lost": 1}}}
    assert crown_program.put(page, said, If_Match=old).status_code == 200
    problem(crown_program.put(page, {"units": {hit: {"lost": 2}}}, If_Match=old), 412, "stale")
    problem(crown_program.put(page, said), 428, "unconditional")
    assert BattleEntry.objects.get().body == {"units": {hit: {"lost": 1}}}


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"units": {"nobody": {"lost": 1}}}, 422, "rule"),
        ({"units": {"nobody": 1}}, 400, "invalid"),
        ({"units": []}, 400, "invalid"),
        ({"generals": {"nobody": "killed"}}, 422, "rule"),
        ({"held_by": "france"}, 422, "rule"),
        ({"pursuit": "wild"}, 400, "invalid"),
        ({"notes": "x" * 2001}, 400, "invalid"),
        ({"side": "rebel"}, 400, "invalid"),
    ],
)
def test_what_cannot_be_writes_nothing(page, crown_program, said, status, code):
    problem(crown_program.put(page, said, If_Match="*"), status, code)
    assert not BattleEntry.objects.exists()


def test_the_umpire_compares_and_confirms_what_he_has_seen_HR_TAB_05(
    page, battle, hit, crown_program, rebel_program, umpire_program
):
    enter(crown_program, page, units={hit: {"lost": 1}}, held_by="crown")
    enter(rebel_program, page, units={hit: {"lost": 2}}, held_by="crown")
    for part in ("entries/", "casualties/", "confirm/"):
        assert crown_program.post(page + part, {}, If_Match="*").status_code in (404, 405)
    both = umpire_program.get(f"{page}entries/")
    assert both.json()["differences"] == {
        "units": [hit], "generals": [], "held_by": False, "pursuit": False,
    }  # fmt: skip
    assert "differ" in both.json()["told"]
    decided = {"units": {hit: {"lost": 2}}, "held_by": "crown"}
    cost = umpire_program.post(f"{page}casualties/", decided).json()
    units = {unit["id"]: unit for force in cost["forces"] for unit in force["units"]}
    assert units[hit]["lost"] == 2
    enter(rebel_program, page, units={hit: {"lost": 3}}, held_by="crown")
    problem(umpire_program.post(f"{page}confirm/", decided, If_Match=both["ETag"]), 412, "stale")
    battle.refresh_from_db()
    assert battle.state == Battle.State.WAITING
    seen = umpire_program.get(f"{page}entries/")["ETag"]
    refused = umpire_program.post(f"{page}confirm/", {"units": {}}, If_Match=seen)
    assert problem(refused, 422, "rule")["field"] == "held_by"
    done = umpire_program.post(f"{page}confirm/", decided, If_Match=seen)
    assert (done.json()["state"], done.json()["held_by"]) == ("settled", "crown")
    late = enter(crown_program, page, held_by="rebel")
    assert problem(late, 422, "rule")["rule"] == "HR-CON-12"
    assert not crown_program.get(page).json()["open"]


def photo() -> SimpleUploadedFile:
    data = io.BytesIO()
    Image.new("RGB", (40, 30), "green").save(data, "PNG")
    return SimpleUploadedFile("table.png", data.getvalue(), "image/png")


def send(program: Program, address: str, **form) -> object:
    headers = {"Authorization": f"Bearer {program.text}"}
    return program.client.post(f"/api/v1/{address}", form, headers=headers)


def test_photographs_are_kept_shown_and_taken_away_HR_TAB_07(
    battle, crown_program, rebel_program, spectator_program
):
    page = f"campaigns/saratoga/battles/{battle.pk}/photos/"
    made = send(crown_program, page, photo=photo(), caption="The bridge")
    assert made.status_code == 201, made.content
    own = f"{page}{made.json()['number']}/"
    assert made.json()["caption"] == "The bridge"
    answer = crown_program.get(own)
    assert (answer["Content-Type"], answer.content[:2]) == ("image/jpeg", b"\xff\xd8")
    problem(rebel_program.get(own), 404, "not-found")
    problem(rebel_program.delete(own), 404, "not-found")
    problem(send(spectator_program, page, photo=photo()), 404, "not-found")
    problem(send(crown_program, page, photo=SimpleUploadedFile("x.png", b"no picture")), 422, "rule")
    problem(send(crown_program, page, caption="none"), 400, "invalid")
    assert BattlePhoto.objects.count() == 1
    assert crown_program.delete(own).status_code == 204
    assert not BattlePhoto.objects.exists()
