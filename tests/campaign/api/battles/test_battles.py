"""Battles by the API: what each page tells each reader, plans, odds and forecasts as jobs."""

import pytest

from battles.files.reading import battle_from_json
from campaign.models import Job, Seat, User
from campaign.selectors.battles.battles import list_forces
from campaign.selectors.campaign_context import Reading
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
LIST = "campaigns/saratoga/battles/"


@pytest.fixture
def address(battle) -> str:
    return f"{LIST}{battle.pk}/"


@pytest.mark.parametrize("who", ["burgoyne", "gates", "carleton"])
def test_battles_are_those_of_the_page(who, battle, address, saratoga):
    user = User.objects.get(username=who)
    program, reading = Program(user), Reading.of(user, "saratoga")
    [row] = program.get(LIST).json()["results"]
    [shown] = reading.battles
    assert (row["number"], row["title"], row["clock"], row["state"]) == (
        battle.pk, shown.title, shown.clock, "waiting",
    )  # fmt: skip
    body = program.get(address).json()
    told = list_forces(reading.viewer, battle, reading.names)
    assert [side["side"] for side in body["forces"]] == [force.side for force in told]
    for side, force in zip(body["forces"], told, strict=True):
        assert [(unit["id"], unit["sp"], unit["arrives"], unit["turn"]) for unit in side["units"]] == [
            (unit.id, unit.sp, unit.arrives, unit.turn) for unit in force.units
        ]
    assert body["may_enter"] and body["may_ask_odds"] == (who == "carleton")
    assert body["may_plan"] == (who != "carleton")


def test_when_a_unit_comes_is_told_in_turns_of_ten_minutes_and_of_the_rules_VBW_GEN_03(
    battle, address, umpire_program
):
    battle.ruleset = "vb_wing"
    battle.inputs["file"]["units"][0]["arrives"] = 7
    battle.save()
    late = battle.inputs["file"]["units"][0]["id"]
    told = [unit for side in umpire_program.get(address).json()["forces"] for unit in side["units"]]
    assert [(unit["arrives"], unit["turn"]) for unit in told if unit["id"] == late] == [(7, 5)]


def test_others_battles_do_not_exist(battle, address, stranger_program, spectator_program, crown_program):
    problem(stranger_program.get(address), 404, "not-found")
    hidden = spectator_program.get(address)  # it waits
    assert hidden.content == spectator_program.get(f"{LIST}99999/").content
    assert spectator_program.get(LIST).json()["count"] == 0
    battle.attacker = "nobody"
    battle.save()
    problem(crown_program.get(address), 404, "not-found")
    for part in ("file/", "plan/", "odds/", "result/", "result/entries/", "photos/1/"):
        problem(crown_program.get(address + part), 404, "not-found")


def test_a_guest_sees_his_battle_alone(battle, address, saratoga):
    guest = User.objects.create_user("riedesel")
    Seat.objects.create(campaign=saratoga, user=guest, role="guest", side="crown", battle=battle)
    program = Program(guest)
    assert program.get(LIST).json()["count"] == 1
    assert program.get(address).json()["may_plan"]
    assert program.get(f"{address}plan/").status_code == 200
    problem(program.get(f"{address}odds/"), 404, "not-found")


def test_a_file_tells_no_more_than_its_reader_knows_HR_TAB_23(
    battle, address, umpire_program, crown_program, spectator_program
):
    whole = umpire_program.get(f"{address}file/").json()
    assert whole["copy"] == "" and battle_from_json(whole["file"]).attacker == "crown"
    own = crown_program.get(f"{address}file/").json()
    assert own["copy"] == "crown" and own["file"] != whole["file"]
    assert own == umpire_program.get(f"{address}file/?copy=crown").json()
    problem(crown_program.get(f"{address}file/?copy=rebel"), 404, "not-found")
    problem(crown_program.get(f"{address}file/?copy="), 404, "not-found")
    problem(spectator_program.get(f"{address}file/"), 404, "not-found")


def test_a_plan_is_chosen_by_who_has_seen_the_last_HR_BAT_09(
    battle, address, crown_program, rebel_program, umpire_program
):
    page = f"{address}plan/"
    first = crown_program.get(page)
    [mine] = first.json()["plans"]
    assert (mine["side"], mine["chosen"], mine["refusal"]) == ("crown", False, "")
    plan = {"kind": "turn_flank", "flank": "right", "reserve_percent": 25}
    problem(crown_program.put(page, plan), 428, "unconditional")
    problem(crown_program.put(page, plan, If_Match='"old"'), 412, "stale")
    done = crown_program.put(page, plan, If_Match=first["ETag"])
    assert done.json()["plans"][0]["plan"] | plan == done.json()["plans"][0]["plan"]
    assert done.json() == crown_program.get(page).json()
    problem(crown_program.put(page, plan, If_Match=first["ETag"]), 412, "stale")
    battle.refresh_from_db()
    assert list(battle.plans) == ["crown"]
    [theirs] = rebel_program.get(page).json()["plans"]
    assert (theirs["side"], theirs["chosen"]) == ("rebel", False)
    assert [row["side"] for row in umpire_program.get(page).json()["plans"]] == ["crown", "rebel"]
    problem(umpire_program.put(page, plan, If_Match="*"), 404, "not-found")
    back = crown_program.delete(page, If_Match=crown_program.get(page)["ETag"])
    assert back.json() == first.json()


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"kind": "run"}, 400, "invalid"),
        ({"kind": 7}, 400, "invalid"),
        ({"reserve_percent": 26}, 422, "rule"),
        ({"until": 99}, 422, "rule"),
        ({"boldness": 3}, 400, "invalid"),
        ({"side": "rebel"}, 400, "invalid"),
    ],
)
def test_a_plan_that_cannot_be_writes_nothing(battle, address, crown_program, change, status, code):
    plan = {"kind": "hold", **change}
    problem(crown_program.put(f"{address}plan/", plan, If_Match="*"), status, code)
    battle.refresh_from_db()
    assert battle.plans == {}


# --- odds and forecasts ---


def test_odds_are_asked_for_once_followed_and_stopped(battle, address, umpire_program, crown_program):
    page = f"{address}odds/"
    assert umpire_program.get(page).json()["job"] is None
    problem(crown_program.get(page), 404, "not-found")
    problem(crown_program.post(page), 404, "not-found")
    asked = umpire_program.post(page, Idempotency_Key="a")
    assert asked.status_code == 202 and asked.json()["kind"] == "battle_odds"
    assert umpire_program.post(page).json()["number"] == asked.json()["number"]
    shown = umpire_program.get(page).json()
    assert (shown["job"], shown["running"], shown["figures"]) == (asked.json()["number"], True, {})
    stopped = umpire_program.post(f"campaigns/saratoga/jobs/{shown['job']}/cancel/")
    assert stopped.json()["state"] == "cancelled"
    assert not umpire_program.get(page).json()["running"]


def test_odds_tell_their_figures_and_not_their_dice(battle, address, umpire_program):
    share = {"value": 0.5, "low": 0.4, "high": 0.6}
    found = {
        "runs": 100, "asked": 100, "seed": 7, "of": "x", "win": share, "loss": share, "draw": share,
        "sides": [
            {"id": side, "name": side, "sp": 9, "gone": _SPREAD, "points_gone": _SPREAD}
            for side in ("crown", "rebel")
        ],
        "units": [],
        "generals": [],
    }  # fmt: skip
    umpire_program.post(f"{address}odds/")
    Job.objects.filter(kind="battle_odds").update(state="done", result=found)
    body = umpire_program.get(f"{address}odds/").json()
    assert body["runs"] == 100 and body["figures"]["win"] == share
    assert not {"seed", "of"} & set(body["figures"])
    assert [side["name"] for side in body["sides"]] == ["Crown", "United States"]


_SPREAD = {"mean": 1.0, "p5": 0, "p95": 2}


def test_a_side_may_ask_where_it_is_allowed_HR_BAT_11(
    battle, address, saratoga, crown_program, rebel_program
):
    saratoga.settings["battle_odds"] = "sides"
    saratoga.save()
    asked = crown_program.post(f"{address}odds/").json()
    assert crown_program.get(f"{address}odds/").json()["job"] == asked["number"]
    assert rebel_program.get(f"{address}odds/").json()["job"] is None
    problem(rebel_program.get(f"campaigns/saratoga/jobs/{asked['number']}/"), 404, "not-found")


def test_a_forecast_is_asked_for_HR_FRC_01(saratoga, umpire_program, crown_program):
    page = "campaigns/saratoga/forecasts/"
    assert umpire_program.get(page).json()["job"] is None
    problem(crown_program.get(page), 404, "not-found")
    problem(umpire_program.post(page, {"weeks": 0}), 400, "invalid")
    problem(umpire_program.post(page, {"weeks": 999}), 400, "invalid")
    assert not Job.objects.exists()
    asked = umpire_program.post(page, {"weeks": 2, "runs": 10})
    assert asked.status_code == 202
    assert umpire_program.get(page).json()["job"] == asked.json()["number"]
    assert problem(umpire_program.post(page, {"weeks": 3, "runs": 10}), 422, "rule")["rule"] == "HR-FRC-01"
    assert Job.objects.count() == 1
