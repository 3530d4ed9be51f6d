"""How a running campaign is set, read and changed by its umpires (HR-UMP-11, HR-UMP-17, HR-UMP-18)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from campaign.models import DayRecord, User
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
SETTINGS = "campaigns/saratoga/settings/"
WHY = "Our evenings are short."


def acts_done() -> int:
    return DayRecord.objects.filter(kind="act").count()


def changed(program: Program, part: str, body: dict[str, Any], verb: str = "PUT") -> Any:
    """The answer to a change of what was read just now."""
    read = program.get(SETTINGS)
    return program.call(verb, f"{SETTINGS}{part}/", {**body, "reason": WHY}, If_Match=read["ETag"])


def test_others_neither_read_nor_change_it(saratoga, crown_program, stranger_program, spectator_program):
    for program in (crown_program, stranger_program, spectator_program):
        problem(program.get(SETTINGS), 404, "not-found")
        for verb, part in (("PATCH", "conduct"), ("PATCH", "rules"), ("PUT", "rhythm"), ("PUT", "deadline")):
            problem(program.call(verb, f"{SETTINGS}{part}/", {"odd": 1}, If_Match="*"), 404, "not-found")
        problem(program.put(f"{SETTINGS}spectators/", {}, If_Match="*"), 404, "not-found")
    assert acts_done() == 0


def test_an_assistant_changes_all_but_what_spectators_see_HR_SET_08(saratoga):
    helper = User.objects.create_user("helper")
    saratoga.seats.create(user=helper, role="assistant")
    program = Program(helper)
    assert changed(program, "conduct", {"title": "The war"}, "PATCH").json()["conduct"]["title"] == "The war"
    problem(program.put(f"{SETTINGS}spectators/", {"days": 3, "side": ""}, If_Match="*"), 404, "not-found")
    papers = Program(helper, ("order",))
    problem(papers.call("PATCH", f"{SETTINGS}conduct/", {"reason": WHY}, If_Match="*"), 403, "scope")


def test_each_change_is_an_act_both_sides_read_HR_UMP_18_HR_UMP_17(umpire_program, crown_program, saratoga):
    read = umpire_program.get(SETTINGS).json()
    rules = {row["name"]: row for row in read["rules"]}
    assert rules["road_miles"]["value"] == "12" and read["head"] == saratoga.head_id
    conduct = changed(umpire_program, "conduct", {"table_units": 14}, "PATCH").json()
    assert conduct["conduct"]["table_units"] == 14 and conduct["head"] != read["head"]
    ruled = changed(umpire_program, "rules", {"settings": {"road_miles": "16"}}, "PATCH")
    assert ruled.status_code == 200, ruled.content
    assert {row["name"]: row["value"] for row in ruled.json()["rules"]}["road_miles"] == "16"
    rhythm = {**read["rhythm"], "time_zone": "Europe/London", "cadence_days": 7, "days_a_turn": 7}
    assert changed(umpire_program, "rhythm", rhythm).json()["rhythm"] == rhythm
    until = (timezone.now() + timedelta(days=3)).replace(microsecond=0)
    moved = changed(umpire_program, "deadline", {"until": until.isoformat()})
    assert moved.json()["deadline"] is not None
    late = changed(umpire_program, "spectators", {"days": 5, "side": "crown"}).json()
    assert late["spectators"] == {"days": 5, "side": "crown"}
    saratoga.refresh_from_db()
    assert (saratoga.cadence_days, saratoga.deadline, saratoga.spectator_days) == (7, until, 5)
    assert acts_done() == 5
    assert WHY.rstrip(".") in crown_program.get("campaigns/saratoga/journal/").content.decode()


def test_options_of_tactical_rules_are_read_and_changed_HR_UMP_18(umpire_program, saratoga):
    assert umpire_program.get(SETTINGS).json()["conduct"]["ruleset_options"] == {}
    saves = {"save_succeeds_on": 5}
    body = {"ruleset_options": {"awi": {"wagon_move": 9, "scale": "25mm"}, "vb_wing": saves}}
    conduct = changed(umpire_program, "conduct", body, "PATCH").json()["conduct"]
    assert conduct["ruleset_options"] == {"awi": {"wagon_move": 9}, "vb_wing": saves}
    later = changed(umpire_program, "conduct", {"ruleset_options": {"awi": {}}}, "PATCH").json()["conduct"]
    assert later["ruleset_options"] == {"vb_wing": saves}
    saratoga.refresh_from_db()
    assert saratoga.ruleset_options == {"vb_wing": saves} and acts_done() == 2


def test_a_change_is_of_what_was_read(umpire_program, saratoga):
    read = umpire_program.get(SETTINGS)
    body = {"title": "The war", "reason": WHY}
    problem(umpire_program.call("PATCH", f"{SETTINGS}conduct/", body), 428, "unconditional")
    assert changed(umpire_program, "conduct", {"title": "A war"}, "PATCH").status_code == 200
    late = umpire_program.call("PATCH", f"{SETTINGS}conduct/", body, If_Match=read["ETag"])
    problem(late, 412, "stale")
    assert acts_done() == 1


RHYTHM = {
    "time_zone": "UTC", "cadence_days": 7, "days_a_turn": 1, "advance_at_deadline": False,
    "late_orders": "refuse", "missed_orders": "carry_on", "run_until": "turn", "run_on_days": 3,
    "settle_after_days": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "part", "body", "rule", "field"),
    [
        ("PATCH", "conduct", {}, "HR-UMP-18", ""),
        ("PATCH", "conduct", {"table_units": 1}, "HR-UMP-18", "table_units"),
        ("PATCH", "conduct", {"ruleset": "chess"}, "HR-UMP-18", "ruleset"),
        (
            "PATCH",
            "conduct",
            {"ruleset_options": {"awi": {"evade": "x"}}},
            "AWI-T-CHG-09",
            "ruleset_options.awi.evade",
        ),
        (
            "PATCH",
            "conduct",
            {"title": "A war", "ruleset_options": {"awi": {"evde": "none"}}},
            "AWI-T-SCA-01",
            "ruleset_options.awi.evde",
        ),
        (
            "PATCH",
            "conduct",
            {"ruleset_options": {"vb_wing": {"year": 1780}}},
            "HR-BAT-13",
            "ruleset_options.vb_wing.year",
        ),
        ("PATCH", "conduct", {"ruleset_options": {"chess": {}}}, "HR-UMP-18", "ruleset_options.chess"),
        ("PATCH", "conduct", {"ruleset_options": {"awi": {"scale": "25mm"}}}, "HR-UMP-18", ""),
        ("PATCH", "rules", {"settings": {}}, "HR-UMP-17", ""),
        ("PATCH", "rules", {"settings": {"odd": "1"}}, "HR-SET-01", "odd"),
        ("PATCH", "rules", {"settings": {"road_miles": "-1"}}, "HR-SET-01", "road_miles"),
        ("PUT", "rhythm", {**RHYTHM, "time_zone": "Mars"}, "HR-DUE-01", "time_zone"),
        ("PUT", "rhythm", {**RHYTHM, "cadence_days": 99}, "HR-DUE-01", "cadence_days"),
        ("PUT", "deadline", {"until": "2001-01-01T20:00Z"}, "HR-UMP-11", "until"),
        ("PUT", "deadline", {"until": None}, "HR-UMP-11", "until"),
        ("PUT", "spectators", {"days": 1, "side": "france"}, "HR-SET-12", "side"),
    ],
)
def test_what_the_rules_refuse_writes_nothing(umpire_program, saratoga, verb, part, body, rule, field):
    found = problem(changed(umpire_program, part, body, verb), 422, "rule")
    assert (found["rule"], found.get("field", "")) == (rule, field)
    assert acts_done() == 0


def test_what_is_not_as_documented_is_told(umpire_program):
    for verb, part, body in (
        ("PATCH", "conduct", {"battle_policy": "duel"}),
        ("PATCH", "conduct", {"title": "x" * 999}),
        ("PATCH", "conduct", {"ruleset_options": ["awi"]}),
        ("PATCH", "conduct", {"ruleset_options": {"awi": "15mm"}}),
        ("PATCH", "rules", {"settings": [1]}),
        ("PUT", "rhythm", {}),
        ("PUT", "deadline", {"until": "soon"}),
        ("PUT", "deadline", {"until": "9999-12-31T23:59:59-12:00"}),
        ("PUT", "spectators", {"days": 999, "side": ""}),
        ("PUT", "spectators", {"days": 1}),
    ):
        answer = changed(umpire_program, part, body, verb)
        assert answer.status_code in (400, 422), (part, body, answer.content)
    problem(umpire_program.call("PATCH", f"{SETTINGS}conduct/", {"title": "x"}, If_Match="*"), 400, "invalid")
    assert acts_done() == 0
