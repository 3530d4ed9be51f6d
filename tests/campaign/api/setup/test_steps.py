"""A campaign is set up and made by a program (HR-SET-15)."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign, CampaignDraft, User
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
RHYTHM = {
    "time_zone": "Europe/London", "cadence_days": 7, "days_a_turn": 7, "advance_at_deadline": False,
    "late_orders": "refuse", "missed_orders": "carry_on", "run_until": "turn", "run_on_days": 3,
    "settle_after_days": None,
}  # fmt: skip
SEATS = {
    "seats": [
        {"role": "commander", "side": "crown", "title": "Burgoyne", "way": "mail", "whom": "j@example.org",
         "deputy": {"way": "link"}},
        {"role": "column", "side": "crown", "formations": ["advanced_corps"], "way": "account",
         "whom": "fraser"},
        {"role": "assistant"},
    ],
    "days": 3,
}  # fmt: skip


@pytest.fixture
def program(db) -> Program:
    User.objects.create_user("fraser")
    return Program(User.objects.create_user("germain"))


@pytest.fixture
def begun(program) -> str:
    made = program.post("setups/", {"scenario": "saratoga-1777"})
    assert made.status_code == 201, made.content
    return f"setups/{made.json()['number']}/"


def kept(program: Program, here: str, step: str, body: dict[str, Any]) -> Any:
    return program.put(f"{here}{step}/", body, If_Match=program.get(here)["ETag"])


def filled(program: Program, here: str) -> None:
    until = (timezone.now() + timedelta(days=7)).isoformat()
    for step, body in (
        ("name", {"title": "The Hudson", "slug": "hudson"}),
        ("seats", SEATS),
        ("rules", {"settings": {"road_miles": "16"}}),
        ("clock", {**RHYTHM, "until": until}),
        (
            "battles",
            {
                "battle_policy": "table",
                "table_units": 12,
                "ruleset": "vb_wing",
                "ruleset_options": {"vb_wing": {"save_succeeds_on": 5, "cards": "off"}},
            },
        ),
    ):
        answer = kept(program, here, step, body)
        assert answer.status_code == 200, (step, answer.content)


def test_a_campaign_is_set_up_and_made_once_HR_SET_15(program, begun, settings):
    settings.MAIL_IS_SENT = True
    missing = problem(program.get(f"{begun}check/"), 422, "rule")
    assert (missing["rule"], missing["field"]) == ("HR-SET-15", "name")
    problem(program.post(f"{begun}make/"), 422, "rule")
    filled(program, begun)
    read = program.get(begun).json()
    assert (read["missing"], read["stale"], read["campaign"]) == ([], False, "")
    review = program.get(f"{begun}check/").json()
    assert [row["now"] for row in review["options"]] == ["16 miles a day"] and len(review["seats"]) >= 3
    made = program.post(f"{begun}make/", Idempotency_Key="k")
    assert made.status_code == 201, made.content
    links = {row["seat"]: row for row in made.json()["links"]}
    assert [row["sent"] for row in links.values()] == [True, False, False] and len(mail.outbox) == 1
    assert sum("/join/" in row["link"] for row in links.values()) == 1
    assert program.post(f"{begun}make/", Idempotency_Key="k").json() == {"campaign": "hudson", "links": []}
    assert program.post(f"{begun}make/").json() == {"campaign": "hudson", "links": []}
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.table_units, campaign.cadence_days) == ("hudson", 12, 7)
    assert campaign.settings["road_miles"] == 16 and campaign.deadline is not None
    assert campaign.ruleset == campaign.head.versions["ruleset"] == "vb_wing"
    assert campaign.ruleset_options == {"vb_wing": {"save_succeeds_on": 5}}
    assert program.get("campaigns/hudson/").json()["viewer"]["role"] == "umpire"
    invited = Program(User.objects.get(username="fraser")).get("me/invitations/").json()
    assert [row["campaign"] for row in invited] == ["hudson"]
    assert program.get(begun).json()["campaign"] == "hudson"


def test_a_set_up_is_its_persons_alone(program, begun, stranger_program, settings):
    for other in (stranger_program,):
        assert other.get("setups/").json() == []
        problem(other.get(begun), 404, "not-found")
        problem(other.put(f"{begun}name/", {"title": "x", "slug": "x"}, If_Match="*"), 404, "not-found")
        problem(other.get(f"{begun}check/"), 404, "not-found")
        problem(other.post(f"{begun}make/"), 404, "not-found")
        problem(other.delete(begun), 404, "not-found")
    settings.NEW_CAMPAIGNS = "staff"
    problem(program.get("setups/"), 404, "not-found")
    problem(program.post("setups/", {"odd": 1}), 404, "not-found")
    assert CampaignDraft.objects.count() == 1


def test_a_step_is_kept_of_what_was_read_and_a_set_up_thrown_away(program, begun):
    name = {"title": "The Hudson", "slug": "hudson"}
    problem(program.put(f"{begun}name/", name), 428, "unconditional")
    seen = program.get(begun)["ETag"]
    assert program.put(f"{begun}name/", name, If_Match=seen).status_code == 200
    problem(program.put(f"{begun}name/", name | {"slug": "other"}, If_Match=seen), 412, "stale")
    assert program.get("setups/").json()[0]["title"] == "The Hudson"
    filled(program, begun)
    other = kept(program, begun, "scenario", {"scenario": "saratoga-1777", "bare": True}).json()
    assert other["missing"] == ["seats", "rules"]  # of another country
    problem(Program(User.objects.get(username="germain"), ("read",)).delete(begun), 403, "scope")
    assert program.delete(begun).status_code == 204
    problem(program.get(begun), 404, "not-found")


def seat(**given: Any) -> dict[str, Any]:
    return {"seats": [given], "days": None}


@pytest.mark.parametrize(
    ("step", "body", "rule", "field"),
    [
        ("scenario", {"scenario": "nowhere"}, "HR-SET-15", "scenario"),
        ("name", {"title": "x", "slug": "no address"}, "HR-SET-02", "slug"),
        ("seats", seat(role="commander", side="france"), "HR-SET-04", "side"),
        ("seats", seat(role="assistant", side="crown"), "HR-SET-04", "side"),
        ("seats", seat(role="column", side="crown"), "HR-SET-05", "formations"),
        (
            "seats",
            seat(role="column", side="rebel", formations=["advanced_corps"]),
            "HR-SET-05",
            "formations",
        ),
        ("seats", seat(role="assistant", way="mail", whom="nobody"), "HR-SET-13", "whom"),
        ("seats", seat(role="assistant", way="account", whom="nobody"), "HR-SET-04", "whom"),
        ("seats", seat(role="assistant", way="account", whom="germain"), "HR-SET-04", "whom"),
        ("seats", {"seats": [{"role": "commander", "side": "crown"}] * 2, "days": 1}, "HR-SET-04", "role"),
        ("seats", {"seats": [], "days": 1, "spectator_side": "france"}, "HR-SET-12", "spectator_side"),
        ("rules", {"settings": {"odd": "1"}}, "HR-SET-01", "odd"),
        ("clock", {**RHYTHM, "time_zone": "Mars"}, "HR-DUE-01", "time_zone"),
        ("clock", {**RHYTHM, "until": "2001-01-01T20:00Z"}, "HR-UMP-11", "until"),
        ("clock", {**RHYTHM, "until": "9999-01-01T20:00Z"}, "HR-UMP-11", "until"),
        ("battles", {"battle_policy": "ask", "table_units": 1, "ruleset": "awi"}, "HR-UMP-18", "table_units"),
        ("battles", {"battle_policy": "ask", "table_units": 9, "ruleset": "chess"}, "HR-UMP-18", "ruleset"),
        (
            "battles",
            {
                "battle_policy": "ask",
                "table_units": 9,
                "ruleset": "awi",
                "ruleset_options": {"awi": {"evade": "x"}},
            },
            "AWI-T-CHG-09",
            "ruleset_options.awi.evade",
        ),
    ],
)
def test_what_will_not_do_is_not_kept(program, begun, step, body, rule, field):
    before = CampaignDraft.objects.get().body
    found = problem(kept(program, begun, step, body), 422, "rule")
    assert (found["rule"], found["field"]) == (rule, field)
    assert CampaignDraft.objects.get().body == before
    problem(kept(program, begun, step, {"odd": 1}), 400, "invalid")


def test_hr_rec_04_a_program_chooses_the_drafts_tables_and_reads_what_they_do(program, begun):
    told = program.get("scenarios/saratoga-1777/recruitment/").json()
    assert (told["scenario_has"], told["weeks"]) == ("damped", 18)
    by_value = {row["value"]: row for row in told["choices"]}
    assert [row["title"] for row in told["choices"]] == [
        "As in the published draft",
        "Balanced for this site",
        "No weekly dice",
    ]
    assert by_value["draft"]["changes"] == [
        {"kind": "regular", "points": 5.0},
        {"kind": "militia", "points": 2.5},
        {"kind": "european", "points": 1.667},
    ]
    points = {
        value: {one["side"]: one["points"] for one in row["strength"]} for value, row in by_value.items()
    }
    assert points["draft"]["rebel"] > 1.3 * points["off"]["rebel"] and by_value["damped"]["rules"] == [
        "HR-REC-04"
    ]
    assert kept(program, begun, "rules", {"settings": {"recruitment": "draft"}}).status_code == 200
    filled(program, begun)
    kept(program, begun, "rules", {"settings": {"recruitment": "draft"}})
    review = program.get(f"{begun}check/").json()
    assert review["recruitment"] == "As in the published draft"
    assert f"United States {points['draft']['rebel']} points" in review["recruitment_line"]
    problem(program.get("scenarios/nowhere/recruitment/"), 404, "not-found")


def test_hr_set_18_a_program_sets_up_with_armies_of_its_own(program):
    answer = program.get("scenarios/saratoga-1777/armies/", Accept="text/csv")
    assert answer.status_code == 200
    table = answer.content.decode()
    rows = table.splitlines()
    row = next(number for number, line in enumerate(rows) if "br_24_1," in line)
    better = [*rows[:row], rows[row].replace(",80,", ",75,"), *rows[row + 1 :]]
    assert better != rows
    made = program.post("setups/", {"scenario": "saratoga-1777", "armies": "\n".join(better)})
    assert made.status_code == 201, made.content
    here, armies = f"setups/{made.json()['number']}/", made.json()["chosen"]["scenario"]["armies"]
    assert (armies["name"], armies["units"], len(armies["digest"])) == ("armies.csv", 284, 64)
    assert program.get("setups/").json()[0]["chosen"]["scenario"]["armies"] == armies
    filled(program, here)
    assert program.post(f"{here}make/").status_code == 201
    assert armies["digest"] == Campaign.objects.get().head.inputs["armies"]
    assert world_load(Campaign.objects.get()).units["br_24_1"].points == 75
    worse = [*rows[:row], rows[row].replace(",80,", ",121,"), *rows[row + 1 :]]
    found = problem(
        program.post("setups/", {"scenario": "saratoga-1777", "armies": "\n".join(worse)}), 422, "rule"
    )
    assert (found["rule"], found["field"]) == ("HR-SET-18", "armies")
    assert [each["field"] for each in found["errors"]] == [f"row {row + 1}, points"]
    for blank in ("", "   ", "\n\n"):  # an empty file is none, and never the scenario's own armies
        found = problem(program.post("setups/", {"scenario": "saratoga-1777", "armies": blank}), 422, "rule")
        assert (found["rule"], found["field"]) == ("HR-SET-18", "armies")
        assert found["errors"] == [
            {"field": "row 1", "detail": "The file is empty; its first row names the columns."}
        ]
    moved = program.post(
        "setups/", {"scenario": "saratoga-1777", "armies": "\n\n" + "\n".join(worse).lstrip("\ufeff")}
    )
    assert [each["field"] for each in problem(moved, 422, "rule")["errors"]] == [f"row {row + 3}, points"]
    both = {"scenario": "saratoga-1777", "armies": table, "bare": True}
    assert problem(program.post("setups/", both), 422, "rule")["rule"] == "HR-SET-18"
    problem(program.get("scenarios/nowhere/armies/"), 404, "not-found")


def test_a_scenario_is_looked_at_before_it_is_chosen(program):
    drawing = program.get("scenarios/saratoga-1777/map/", Accept="image/svg+xml")
    assert drawing["Content-Type"] == "image/svg+xml" and b"<svg" in drawing.content
    told = program.get("scenarios/saratoga-1777/sources/", Accept="text/plain")
    assert told.status_code == 200 and len(told.content) > 100
    for address in ("scenarios/nowhere/map/", "scenarios/nowhere/sources/"):
        problem(program.get(address), 404, "not-found")
