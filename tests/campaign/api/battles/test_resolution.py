"""The umpire's hand on a battle that waits, by the API: way, adjustments, sector, once more."""

import pytest

from battles.files.reading import decode_value, encode_value
from battles.files.schema import BattleGround
from battles.rulesets.registry import RULESETS
from campaign.models import Battle, Campaign, DayRecord, Seat, User
from campaign.rules.battles.battle_inputs import file_now, muster_units
from campaign.rules.umpire.battle_corrections import to_json_value
from campaign.services.battles.settlement import battle_settle_by_word
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
WHY = "Everybody knows the creek."
GROUND = {"draw": 2, "season": "winter", "wet": False, "works": -1, "width": 96, "depth": 60}
WRITES = (
    ("put", "way/", {"way": "table"}),
    ("post", "way/adjustments/", {"rain": "storm", "reason": WHY}),
    ("post", "way/adjustments/1/take-back/", {"reason": WHY}),
    ("post", "way/ground/", GROUND),
    ("put", "way/sector/", {"units": ["nobody"]}),
    ("delete", "way/sector/", None),
)


@pytest.fixture
def battle(waiting) -> Battle:
    return Battle.objects.get(campaign=waiting)


@pytest.fixture
def address(battle) -> str:
    return f"campaigns/saratoga/battles/{battle.pk}/"


@pytest.fixture
def page(address) -> str:
    return f"{address}way/"


def again(battle: Battle) -> str:
    return f"campaigns/saratoga/umpire/rewind/battles/{battle.pk}/"


def acts() -> int:
    return DayRecord.objects.filter(kind="act").count()


def tag(program: Program, page: str) -> str:
    return str(program.get(page)["ETag"])


def call(program: Program, verb: str, address: str, body: object, **headers: str):
    return program.call(verb.upper(), address, body, **headers)


def test_a_battle_whose_contact_names_nobody_has_a_way_HR_TAB_11(waiting, battle, page, carleton):
    for contact in ({"key": battle.contact}, {**battle.inputs["contact"], "participants": [], "units": []}):
        Battle.objects.filter(pk=battle.pk).update(inputs={**battle.inputs, "contact": contact})
        answer = Program(carleton).get(page)
        assert answer.status_code == 200 and answer.json()["ground"]["draw"] == 1


@pytest.mark.parametrize("role", ["commander", "enemy", "spectator", "guest", "stranger"])
def test_it_is_the_umpires_alone_HR_TAB_11(role, battle, address, waiting, burgoyne, gates):
    people = {"commander": burgoyne, "enemy": gates}
    user = people.get(role) or User.objects.create_user(role)
    if role in ("spectator", "guest"):
        more = {"side": "crown", "battle": battle} if role == "guest" else {}
        Seat.objects.create(campaign=waiting, user=user, role=role, **more)
    program, before = Program(user), acts()
    problem(program.get(f"{address}way/"), 404, "not-found")
    problem(program.get(again(battle)), 404, "not-found")
    problem(program.post(again(battle), {"reason": WHY}), 404, "not-found")
    for verb, where, body in WRITES:
        problem(call(program, verb, address + where, body, If_Match="*"), 404, "not-found")
    battle.refresh_from_db()
    assert (battle.way, battle.adjusted, battle.sector, acts()) == ("", [], [], before)


def test_signed_out_and_without_the_scope_nothing_is_done(battle, address, carleton):
    for verb, where, body in WRITES:
        problem(call(Program(None), verb, address + where, body, If_Match="*"), 401, "signed-out")
        weak = Program(carleton, ("read", "order"))
        problem(call(weak, verb, address + where, body, If_Match="*"), 403, "scope")
    problem(Program(None).post(again(battle), {"reason": WHY}), 401, "signed-out")
    problem(weak.post(again(battle), {"reason": WHY}), 403, "scope")


def test_the_way_is_chosen_by_who_has_seen_it_HR_TAB_11(umpire_program, crown_program, page, battle):
    first = umpire_program.get(page)
    body = first.json()
    assert (body["way"], body["ruleset"], body["rain"], body["split"]) == ("", "awi", "none", False)
    assert body["rulesets"] == [{"id": one.id, "title": one.title} for one in RULESETS]
    assert body["muster"] == []
    problem(umpire_program.put(page, {"way": "table"}), 428, "unconditional")
    done = umpire_program.put(page, {"way": "table"}, If_Match=first["ETag"])
    assert done.status_code == 200, done.content
    assert done.json()["way"] == "table" and done.json() == umpire_program.get(page).json()
    problem(umpire_program.put(page, {"way": "engine"}, If_Match=first["ETag"]), 412, "stale")
    refused = problem(umpire_program.put(page, {"way": "engine"}, If_Match="*"), 422, "rule")
    assert (refused["rule"], refused["field"]) == ("HR-TAB-11", "reason")
    assert crown_program.get(page.removesuffix("way/")).json()["way"] == "for the table"


def test_other_rules_are_chosen_mustered_and_know_no_rain_HR_BAT_13_HR_WEA_04(umpire_program, page, battle):
    body = {"way": "engine", "ruleset": "vb_wing", "reason": WHY}
    done = umpire_program.put(page, body, If_Match="*").json()
    assert (done["ruleset"], done["rain"]) == ("vb_wing", "none")
    battle.refresh_from_db()
    muster = muster_units(file_now(battle))
    assert (
        done["muster"] == [{**to_json_value(one), "goes_with": ""} for one in muster.values()]
        and len(muster) > 1
    )
    given = {"rain": "storm", "reason": WHY}
    refused = problem(umpire_program.post(f"{page}adjustments/", given, If_Match="*"), 422, "rule")
    assert (refused["rule"], refused["field"]) == ("HR-TAB-12", "rain")
    back = umpire_program.put(page, {"way": "engine", "reason": WHY}, If_Match="*").json()
    assert (back["ruleset"], back["muster"]) == ("awi", [])


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"way": "dice"}, 400),
        ({}, 400),
        ({"way": "engine", "ruleset": "chess"}, 422),
        ({"way": "engine", "by": 1}, 400),
        ({"way": "engine", "reason": "x" * 301}, 400),
    ],
)
def test_a_way_that_cannot_be_writes_nothing(umpire_program, page, battle, body, status):
    before = acts()
    problem(umpire_program.put(page, body, If_Match="*"), status, "rule" if status == 422 else "invalid")
    battle.refresh_from_db()
    assert (battle.way, acts()) == ("", before)


def test_ground_is_looked_at_then_taken_then_taken_back_HR_TAB_12(
    umpire_program, crown_program, page, battle
):
    looked = umpire_program.post(f"{page}ground/", GROUND)
    assert looked.status_code == 200, looked.content
    assert looked.json()["words"].startswith("A table 96 by 60 inches") and "<svg" in looked.json()["drawing"]
    battle.refresh_from_db()
    assert battle.adjusted == []
    given = {"ground": GROUND, "reason": WHY}
    done = umpire_program.post(f"{page}adjustments/", given, If_Match=tag(umpire_program, page))
    assert done.status_code == 201, done.content
    [row] = done.json()["adjustments"]
    assert (row["number"], row["reason"], row["back"]) == (1, WHY, "") and "winter" in row["told"]
    assert done.json()["ground"] == GROUND
    battle.refresh_from_db()
    taken = decode_value(BattleGround, battle.adjusted[0]["changes"]["ground"])
    assert encode_value(taken) == looked.json()["ground"], "it is the one that was looked at"
    seen = crown_program.get(page.removesuffix("way/")).json()["adjusted"]
    assert len(seen) == 1 and WHY not in seen[0]
    back = f"{page}adjustments/1/take-back/"
    done = umpire_program.post(back, {"reason": "No."}, If_Match=tag(umpire_program, page))
    assert done.json()["adjustments"][0]["back"] == "No."
    refused = problem(umpire_program.post(back, {"reason": "No."}, If_Match="*"), 422, "rule")
    assert refused["rule"] == "HR-TAB-13"


def test_late_troops_rain_and_plans_HR_TAB_12(umpire_program, page, battle):
    late = [unit["id"] for unit in battle.inputs["file"]["units"] if unit["side"] == "crown"]
    plan = {"side": "crown", "kind": "withdraw"}
    for given in ({"arrivals": [{"unit": late[0], "turn": 5}]}, {"rain": "storm"}, {"plan": plan}):
        sent = given | {"reason": WHY}
        done = umpire_program.post(f"{page}adjustments/", sent, If_Match=tag(umpire_program, page))
        assert done.status_code == 201, done.content
    body = umpire_program.get(page).json()
    assert body["rain"] == "storm" and [row["number"] for row in body["adjustments"]] == [1, 2, 3]
    units = {unit["id"]: unit for side in body["sides"] for unit in side["units"]}
    assert units[late[0]]["arrives"] == 5
    [ours, _] = umpire_program.get(page.replace("way/", "plan/")).json()["plans"]
    assert (ours["plan"]["kind"], ours["laid_down"]) == ("withdraw", True)


def test_an_adjustment_sent_twice_is_made_once_HR_API_02(umpire_program, page, battle):
    given, seen = {"rain": "rain", "reason": WHY}, tag(umpire_program, page)
    for _ in range(2):
        done = umpire_program.post(f"{page}adjustments/", given, If_Match=seen, Idempotency_Key="rain")
        assert done.status_code == 201
    problem(umpire_program.post(f"{page}adjustments/", given, If_Match=seen), 412, "stale")
    battle.refresh_from_db()
    assert len(battle.adjusted) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"reason": WHY}, 400),
        ({"rain": "rain", "plan": {"side": "crown", "kind": "hold"}, "reason": WHY}, 400),
        ({"rain": "hail", "reason": WHY}, 400),
        ({"rain": "rain"}, 400),
        ({"rain": "rain", "reason": " "}, 422),
        ({"rain": "none", "reason": WHY}, 422),
        ({"ground": GROUND | {"width": 9}, "reason": WHY}, 422),
        ({"ground": GROUND | {"draw": 99}, "reason": WHY}, 422),
        ({"ground": {"draw": 1}, "reason": WHY}, 400),
        ({"arrivals": [], "reason": WHY}, 422),
        ({"arrivals": [{"unit": "nobody", "turn": 2}], "reason": WHY}, 422),
        ({"arrivals": [{"unit": "nobody"}], "reason": WHY}, 400),
        ({"plan": {"side": "france", "kind": "hold"}, "reason": WHY}, 422),
        ({"plan": {"side": "crown", "kind": "hold", "until": 999}, "reason": WHY}, 422),
    ],
)
def test_an_adjustment_that_cannot_be_writes_nothing(umpire_program, page, battle, body, status):
    before = acts()
    sent = umpire_program.post(f"{page}adjustments/", body, If_Match="*")
    problem(sent, status, "rule" if status == 422 else "invalid")
    battle.refresh_from_db()
    assert (battle.adjusted, acts()) == ([], before)


def test_a_fight_is_split_and_made_whole_HR_TAB_14(umpire_program, page, battle):
    sector = f"{page}sector/"
    body = umpire_program.get(page).json()
    units = [[unit["id"] for unit in side["units"]] for side in body["sides"]]
    some = [units[0][0], units[1][0]]
    problem(umpire_program.put(sector, {"units": some}, If_Match="*"), 422, "rule")  # not for the table
    umpire_program.put(page, {"way": "table"}, If_Match="*")
    for wrong in (["nobody"], [units[0][0]], [*units[0], *units[1]]):
        refused = problem(umpire_program.put(sector, {"units": wrong}, If_Match="*"), 422, "rule")
        assert (refused["rule"], refused["field"]) == ("HR-TAB-14", "units")
    problem(umpire_program.put(sector, {"units": []}, If_Match="*"), 400, "invalid")
    done = umpire_program.put(sector, {"units": some}, If_Match=tag(umpire_program, page)).json()
    assert done["split"] and done["frozen"]
    assert [u["id"] for side in done["sides"] for u in side["units"] if u["chosen"]] == some
    frozen = umpire_program.post(f"{page}adjustments/", {"rain": "rain", "reason": WHY}, If_Match="*")
    assert problem(frozen, 422, "rule")["rule"] == "HR-TAB-12"
    whole = umpire_program.delete(sector, If_Match=tag(umpire_program, page)).json()
    assert not whole["split"] and not whole["frozen"]
    battle.refresh_from_db()
    assert battle.sector == []
    battle.ruleset, battle.sector = "vb_wing", some
    next(unit for unit in battle.inputs["file"]["units"] if unit["id"] == some[0])["arrives"] = 7
    battle.save()
    body = umpire_program.get(page).json()
    assert {one["unit"] for one in body["muster"]} == set(some)
    [late] = [unit for side in body["sides"] for unit in side["units"] if unit["id"] == some[0]]
    assert (late["arrives"], late["turn"]) == (7, 5)


def test_settled_nothing_of_it_changes(umpire_program, page, battle, carleton):
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=carleton)
    problem(umpire_program.get(page), 409, "conflict")
    problem(umpire_program.put(page, {"way": "table"}, If_Match="*"), 409, "conflict")
    problem(umpire_program.post(f"{page}ground/", GROUND), 409, "conflict")


def test_one_battle_is_fought_once_more_HR_UMP_14(umpire_program, address, battle, carleton, waiting):
    battle_settle_by_word(battle=battle, field_held_by="crown", percent_lost={}, actor=carleton)
    look = umpire_program.get(again(battle)).json()
    assert (look["contact"], look["morning"]["date"]) == (battle.contact, "1777-06-15")
    problem(umpire_program.post(again(battle), {"head": look["head"]}), 400, "invalid")
    problem(umpire_program.post(again(battle), {"reason": " "}), 400, "invalid")
    assert Campaign.objects.get(pk=waiting.pk).revision == 1
    done = umpire_program.post(again(battle), {"reason": "It was misread.", "head": look["head"]})
    assert done.status_code == 201, done.content
    record = DayRecord.objects.get(pk=done.json()["record"])
    assert record.inputs["act"]["anew"] == [battle.contact] and record.inputs["act"]["keep"]
    assert Campaign.objects.get(pk=waiting.pk).revision == 2
    problem(umpire_program.get(f"{address}way/"), 404, "not-found")
    assert umpire_program.get(address).json()["undone"]


def test_an_assistant_does_the_rest_but_does_not_go_back_HR_SET_08(address, battle, waiting):
    assistant = User.objects.create_user("tryon")
    Seat.objects.create(campaign=waiting, user=assistant, role=Seat.Role.ASSISTANT)
    program = Program(assistant)
    assert program.put(f"{address}way/", {"way": "table"}, If_Match="*").status_code == 200
    problem(program.get(again(battle)), 404, "not-found")
    problem(program.post(again(battle), {"reason": WHY}), 404, "not-found")
