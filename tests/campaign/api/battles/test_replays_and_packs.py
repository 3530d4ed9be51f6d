"""Replays, battle packs and calibration by the API: for each role what its page tells, and no more."""

import json
from io import BytesIO

import pytest
from django.core.cache import cache
from django.test import Client
from pypdf import PdfReader

from campaign.models import Battle, BattleReplay, Job, Seat, User
from campaign.services.battles.settlement import battle_settle_by_engine, battle_settle_by_word
from campaign.tasks import run_job
from tests.campaign.api.program import Program, problem
from tests.campaign.web.battles.test_calibration_pages import fought as predicted

pytestmark = pytest.mark.django_db
HERE = "campaigns/saratoga/"
HIDDEN = "Whitcomb's secret reserve"


@pytest.fixture
def address(battle) -> str:
    return f"{HERE}battles/{battle.pk}/"


@pytest.fixture
def fought(battle: Battle) -> Battle:
    """The fight before Ticonderoga, with an enemy in reserve who came up too late to be seen."""
    file = battle.inputs["file"]
    late = {**next(unit for unit in file["units"] if unit["side"] == "rebel")}
    file["units"] = [*file["units"], {**late, "id": "late_rangers", "name": HIDDEN, "arrives": 30}]
    file["turns"] = 3
    battle.save()
    return battle_settle_by_engine(battle=battle, actor=None)


@pytest.fixture
def guest_program(saratoga, battle) -> Program:
    guest = User.objects.create_user("riedesel")
    Seat.objects.create(campaign=saratoga, user=guest, role="guest", side="crown", battle=battle)
    return Program(guest)


# --- replays (HR-BAT-10) ---


def test_a_replay_is_the_pages_and_cut_to_its_reader_HR_BAT_10(
    fought, address, burgoyne, gates, carleton, crown_program, rebel_program, umpire_program, stranger_program
):
    people = ((burgoyne, crown_program), (gates, rebel_program), (carleton, umpire_program))
    for user, program in people:
        browser = Client()
        browser.force_login(user)
        body = program.get(f"{address}replay/")
        assert body.status_code == 200, body.content
        shown = body.json()["show"]
        assert shown == browser.get(f"/{address}replay.json").json()
        assert "<svg" in body.json()["drawing"] and not body.json()["running"]
    assert HIDDEN.encode() not in crown_program.get(f"{address}replay/").content
    assert "late_rangers" not in umpire_program.get(f"{address}replay/").content.decode()
    assert HIDDEN in str(umpire_program.get(f"{address}replay/").json())
    problem(stranger_program.get(f"{address}replay/"), 404, "not-found")
    problem(stranger_program.post(f"{address}replay/write/"), 404, "not-found")


@pytest.mark.slow
def test_a_battle_under_other_rules_is_asked_of_fought_and_replayed_HR_BAT_08_HR_BAT_10(
    battle, address, umpire_program, crown_program
):
    battle.inputs["file"] |= {"ruleset": "vb_wing", "turns": 3}
    battle.save()
    asked = umpire_program.post(f"{address}odds/")
    assert asked.status_code == 202, asked.content
    job = Job.objects.get(kind="battle_odds")
    Job.objects.update(payload={**job.payload, "runs": 2})
    run_job(job.pk)
    assert umpire_program.get(f"{address}odds/").json()["runs"] == 2
    battle_settle_by_engine(battle=battle, actor=None)
    shown = crown_program.get(f"{address}replay/").json()["show"]
    assert shown["frames"] and (shown["minutes"], shown["moods"][1]) == (15, "disordered")


def test_who_looks_on_watches_and_does_not_ask(fought, address, guest_program, spectator_program, saratoga):
    saratoga.day = 1  # a day has been played since, so that spectators are told of it
    saratoga.save()
    for program in (guest_program, spectator_program):
        problem(program.post(f"{address}replay/write/"), 404, "not-found")
    assert guest_program.get(f"{address}replay/").json()["show"]["frames"]


def test_a_replay_that_was_not_kept_is_written_once(fought, address, crown_program):
    BattleReplay.objects.all().delete()
    assert crown_program.get(f"{address}replay/").json() == {
        "running": False, "error": "", "drawing": "", "show": None,
    }  # fmt: skip
    asked = crown_program.post(f"{address}replay/write/")
    assert (asked.status_code, asked.json()["kind"]) == (202, "battle_replay")
    assert crown_program.post(f"{address}replay/write/").json()["number"] == asked.json()["number"]
    assert crown_program.get(f"{address}replay/").json()["running"]
    run_job(asked.json()["number"])
    assert crown_program.get(f"{address}replay/").json()["show"]["frames"]
    problem(crown_program.post(f"{address}replay/write/"), 409, "conflict")


def test_what_the_engine_has_not_fought_has_no_replay(battle, address, umpire_program, carleton):
    problem(umpire_program.get(f"{address}replay/"), 404, "not-found")
    assert problem(umpire_program.post(f"{address}replay/write/"), 422, "rule")["rule"] == "HR-BAT-10"
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=carleton)
    problem(umpire_program.get(f"{address}replay/"), 404, "not-found")
    assert problem(umpire_program.post(f"{address}replay/write/"), 422, "rule")["rule"] == "HR-BAT-10"
    assert not Job.objects.exists()


# --- packs (HR-TAB-21, HR-TAB-23) ---


def test_each_reader_has_his_own_copy_HR_TAB_23(
    address, crown_program, rebel_program, umpire_program, spectator_program, stranger_program, guest_program
):
    page = f"{address}pack/"
    for program, copies in (
        (crown_program, ["crown"]),
        (guest_program, ["crown"]),
        (rebel_program, ["rebel"]),
        (umpire_program, ["", "crown", "rebel"]),
    ):
        body = program.get(page).json()
        assert [each["copy"] for each in body["copies"]] == copies
        assert (body["copy"], body["paper"], body["blinds"]) == (copies[0], "a4", True)
        assert body["contents"]["forces"] and not body["made"]
    own = crown_program.get(page).json()["contents"]
    assert own == umpire_program.get(f"{page}?copy=crown").json()["contents"]
    assert own != rebel_program.get(page).json()["contents"]
    for copy in ("rebel", "", "france"):
        problem(crown_program.get(f"{page}?copy={copy}"), 404, "not-found")
        problem(crown_program.post(page, {"copy": copy}), 404, "not-found")
    for program in (spectator_program, stranger_program):
        problem(program.get(page), 404, "not-found")
        problem(program.post(page, {}), 404, "not-found")
        problem(program.get(f"{page}file/"), 404, "not-found")
    assert not Job.objects.exists()


def test_a_pack_names_no_column_that_is_not_in_the_fight_HR_FOG_01(
    saratoga, battle, address, crown_program, rebel_program, guest_program, umpire_program
):
    columns = {unit["formation"] for unit in battle.inputs["file"]["units"]}
    elsewhere = saratoga.order_of_battle.formations.exclude(slug__in=columns)
    secrets = {word for each in elsewhere for word in (each.slug, each.name)}
    assert len(secrets) > 20
    for program in (crown_program, rebel_program, guest_program, umpire_program):
        told = json.dumps(program.get(f"{address}pack/").json())
        assert not [word for word in secrets if f'"{word}"' in told]


def test_the_pdf_is_asked_for_and_fetched(battle, address, crown_program, umpire_program):
    cache.clear()
    page, asked = f"{address}pack/", {"figures": "15mm", "paper": "letter", "blinds": False}
    file = f"{page}file/?figures=15mm&paper=letter&blinds=false"
    problem(crown_program.get(file), 409, "conflict")
    made = crown_program.post(page, asked, Idempotency_Key="print")
    assert made.status_code == 202, made.content
    assert (made.json()["making"], made.json()["figures"], made.json()["blinds"]) == (True, "15mm", False)
    crown_program.post(page, asked)
    job = Job.objects.get(kind="battle_pack")
    run_job(job.pk)
    answer = crown_program.get(file)
    assert answer["Content-Type"] == "application/pdf" and answer["ETag"]
    assert "letter.pdf" in answer["Content-Disposition"]
    [first, *_] = PdfReader(BytesIO(answer.content)).pages
    assert first.mediabox.width == 612
    assert crown_program.get(f"{page}?figures=15mm&paper=letter&blinds=false").json()["made"]
    problem(crown_program.get(f"{page}file/"), 409, "conflict")
    assert umpire_program.get(f"{file}&copy=crown").content == answer.content


@pytest.mark.parametrize(
    "asked", [{"figures": "6mm"}, {"paper": "a5"}, {"blinds": "perhaps"}, {"copies": 3}, {"copy": "x" * 61}]
)
def test_a_pack_that_cannot_be_is_refused(address, crown_program, asked):
    problem(crown_program.post(f"{address}pack/", asked), 400, "invalid")
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    problem(crown_program.get(f"{address}pack/?{query}"), 400, "invalid")
    assert not Job.objects.exists()


def test_a_pack_before_contact_says_when_there_is_one(saratoga, battle, crown_program, umpire_program):
    """The same words for every number, so that nobody learns of a battle he is told nothing of."""
    for program in (crown_program, umpire_program):
        for name in ("pack/", "pack/file/"):
            told = problem(program.get(f"{HERE}battles/{battle.pk + 1}/{name}"), 404, "not-found")
            assert told["detail"] == "No such battle waits; a pack can be printed once columns have met."
    stranger = Program(User.objects.create_user("clinton"))
    told = problem(stranger.get(f"{HERE}battles/{battle.pk + 1}/pack/"), 404, "not-found")
    assert "columns have met" not in told["detail"]


# --- calibration (HR-CAB-01) ---


def test_predictions_stand_beside_results_HR_CAB_01(saratoga, umpire_program):
    page = f"{HERE}calibration/"
    empty = umpire_program.get(page).json()
    assert (empty["n"], empty["without"], empty["battles"]) == (0, 0, [])
    told = predicted(saratoga, 1)
    predicted(saratoga, 2, source="engine", prediction=None)
    body = umpire_program.get(page).json()
    assert (body["n"], body["without"], body["running"]) == (1, 1, 0)
    first, second = body["battles"]
    assert (first["battle"], first["came"], first["predicted"]["win"]) == (told.pk, "win", 0.7)
    assert first["brier"] == pytest.approx(0.14)
    assert [(side["side"], side["lost"]) for side in first["sides"]] == [("rebel", 2), ("crown", 9)]
    assert (second["brier"], second["predicted"], second["sides"]) == (None, None, [])
    assert body["whole"]["figures"]["n"] == 1 and body["whole"]["figures"]["bins"] and body["sentences"]
    assert umpire_program.get(f"{page}?way=engine").json()["n"] == 0
    assert umpire_program.get(f"{page}?everywhere=true&way=table").json()["n"] == 1
    problem(umpire_program.get(f"{page}?way=dice"), 400, "invalid")


def test_the_table_is_the_pages_and_no_formula_HR_CAB_01(saratoga, umpire_program, carleton):
    predicted(saratoga, 1)
    browser = Client()
    browser.force_login(carleton)
    answer = umpire_program.get(f"{HERE}calibration/table/")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.content == browser.get(f"/{HERE}calibration.csv").content
    assert "'=Battle of Bennington" in answer.content.decode()


def test_missing_odds_are_asked_for_once_HR_CAB_01(saratoga, umpire_program):
    predicted(saratoga, 1, prediction=None)
    for _ in range(2):
        asked = umpire_program.post(f"{HERE}calibration/")
        assert (asked.status_code, asked.json()) == (202, {"asked": 1})
    assert Job.objects.filter(kind="battle_prediction").count() == 1
    assert umpire_program.get(f"{HERE}calibration/").json()["running"] == 1


@pytest.mark.parametrize("role", ["crown", "rebel", "spectator", "guest", "stranger"])
def test_calibration_is_the_umpires_alone(role, request):
    program = request.getfixturevalue(f"{role}_program")
    for address in ("calibration/", "calibration/table/"):
        problem(program.get(HERE + address), 404, "not-found")
    problem(program.post(f"{HERE}calibration/"), 404, "not-found")
    assert not Job.objects.exists()
