"""The umpire's evening by the API: days, trials, settling, acts, real dice, the way back."""

import pytest

from campaign.models import Battle, Campaign, DayRecord, Job, JournalEntry
from campaign.services.turns.days import day_advance
from campaign.services.turns.runs import turn_job
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
HERE = "campaigns/saratoga/"
FIELD = {"contact": "d0/ticonderoga/1", "attacker": "crown", "defender": "rebel"}
WRITES = [
    ("advance/", {"day": 0}),
    ("dry-run/", None),
    ("umpire/acts/", {"act": {"version": 1, "kind": "pause", "on": True}, "reason": "Rest."}),
    ("umpire/dice/", {"dice": [{"rule": "x", "subject": "y", "index": 0, "value": 3}], "reason": "Thrown."}),
    ("umpire/rewind/", {"record": 1, "reason": "Back."}),
]


@pytest.mark.parametrize(("address", "body"), WRITES)
def test_others_have_no_such_thing(crown_program, stranger_program, spectator_program, address, body):
    for program in (crown_program, stranger_program, spectator_program):
        problem(program.post(HERE + address, body), 404, "not-found")
    assert not Job.objects.exists() and DayRecord.objects.filter(kind="act").count() == 0


def test_a_token_without_the_scope_is_refused(saratoga, carleton):
    program = Program(carleton, ("read", "order"))
    for address, body in WRITES:
        problem(program.post(HERE + address, body), 403, "scope")


def test_the_turn_is_asked_for_once(umpire_program, saratoga):
    desk = umpire_program.get(f"{HERE}umpire/").json()
    assert (desk["head"], desk["turn_from"]) == (saratoga.head_id, 0)
    first = umpire_program.post(f"{HERE}advance/", {"day": 0})
    assert (first.status_code, first.json()["kind"]) == (202, "advance_day")
    assert umpire_program.post(f"{HERE}advance/", {"day": 0}).json()["number"] == first.json()["number"]
    refused = problem(umpire_program.post(f"{HERE}advance/", {"day": 5}), 422, "rule")
    assert "has not come yet; days played so far: 0." in refused["detail"] and refused["field"] == "day"
    problem(umpire_program.post(f"{HERE}advance/", {}), 400, "invalid")
    problem(umpire_program.post(f"{HERE}advance/", {"day": 0, "until": 3}), 422, "rule")
    both = umpire_program.post(f"{HERE}advance/", {"day": 0, "until": 3, "one_day": True})
    assert "not both" in str(problem(both, 400, "invalid"))


def test_one_day_of_a_turn_is_played_hr_cal_12(umpire_program, saratoga):
    Campaign.objects.update(run_until="turn", days_a_turn=3)
    asked = umpire_program.post(f"{HERE}advance/", {"day": 0, "one_day": True})
    assert asked.status_code == 202
    Job.objects.update(state="running")
    assert turn_job(Job.objects.get(), lambda percent, note: None)["day"] == 1


def test_the_day_is_tried_out_HR_UMP_13(umpire_program, crown_program, saratoga):
    assert umpire_program.get(f"{HERE}dry-run/").json()["job"] is None
    problem(crown_program.get(f"{HERE}dry-run/"), 404, "not-found")
    asked = umpire_program.post(f"{HERE}dry-run/").json()
    shown = umpire_program.get(f"{HERE}dry-run/").json()
    assert (shown["job"], shown["running"], shown["number"]) == (asked["number"], True, 0)
    found = {
        "day": 0, "head": saratoga.head_id, "number": 1, "called": {}, "battles": [], "refused": [],
        "moves": [], "points": [{"formation": "advanced_corps", "before": 90, "after": 80}],
        "holders": [], "dice": [], "weather": "fair",
    }  # fmt: skip
    Job.objects.update(state="done", result=found)
    body = umpire_program.get(f"{HERE}dry-run/").json()
    assert (body["number"], body["stale"], body["weather"]) == (1, False, "fair")
    assert [(row["before"], row["after"]) for row in body["points"]] == [(90, 80)]


def test_a_battle_is_settled_by_word_or_engine(waiting, umpire_program, crown_program):
    battle = Battle.objects.get(campaign=waiting)
    page = f"{HERE}battles/{battle.pk}/settle/"
    problem(crown_program.post(page, {"by": "engine"}), 404, "not-found")
    problem(umpire_program.post(page, {"by": "dice"}), 400, "invalid")
    refused = problem(umpire_program.post(page, {"by": "word", "held_by": "france"}), 422, "rule")
    assert refused["field"] == "held_by"
    assert "(crown)" in refused["detail"] and "(rebel)" in refused["detail"]
    refused = problem(umpire_program.post(page, {"by": "word", "percent_lost": {"france": 5}}), 422, "rule")
    assert refused["field"] == "percent_lost.france"
    assert refused["detail"].startswith("france was not in this battle; ") and "5 %" not in refused["detail"]
    battle.refresh_from_db()
    assert battle.state == "waiting"
    asked = umpire_program.post(page, {"by": "engine"}).json()
    assert asked["job"]["kind"] == "battle_settle" and asked["battle"] is None
    word = {"by": "word", "held_by": "rebel", "percent_lost": {"crown": 20, "rebel": 10}}
    done = umpire_program.post(page, word)
    assert done.status_code == 200, done.content
    assert done.json()["battle"]["held_by"] == "rebel"
    body = crown_program.get(f"{HERE}battles/{battle.pk}/").json()
    assert (body["state"], body["held_by"], body["may_enter"]) == ("settled", "rebel", False)


def test_an_act_is_done_on_the_head_one_has_seen(umpire_program, saratoga):
    act = {"act": {"version": 1, "kind": "pause", "on": True}, "reason": "Rest.", "head": saratoga.head_id}
    done = umpire_program.post(f"{HERE}umpire/acts/", act)
    assert done.status_code == 201, done.content
    assert umpire_program.get(f"{HERE}umpire/").json()["head"] == done.json()["record"]
    assert umpire_program.post(f"{HERE}umpire/acts/", act).json() == done.json()
    problem(umpire_program.post(f"{HERE}umpire/acts/", act | {"reason": "Another."}), 422, "rule")
    assert DayRecord.objects.filter(kind="act").count() == 1


@pytest.mark.parametrize(
    "act",
    [{}, {"version": 1}, {"version": 9, "kind": "pause"}, {"version": 1, "kind": "pause"}]
    + [{"version": 1, "kind": "place", "formation": 3, "position": []}]
    + [
        {"version": 1, "kind": "deadline", "until": "soon"},
        {"version": 1, "kind": "command", "formation": "x"},
    ]
    + [{"version": 1, "kind": "rules", "changes": [["nothing", 1]]}]
    + [{"version": 1, "kind": "conduct", "changes": [["battle_policy", "automatic"]]}]
    + [{"version": 1, "kind": "battle_way", "field": FIELD, "way": "engine"}]
    + [{"version": 1, "kind": kind} for kind in ("rewind", "annul", "command", "treaty", "rules", "die")]
    + [{"version": 1, "kind": ["pause"]}, {"version": 1, "kind": "pause", "on": "yes"}],
)
def test_an_act_that_cannot_be_is_refused_and_writes_nothing(umpire_program, act):
    problem(umpire_program.post(f"{HERE}umpire/acts/", {"act": act, "reason": "Why not."}), 422, "rule")
    assert DayRecord.objects.filter(kind="act").count() == 0


@pytest.mark.parametrize(
    ("act", "field", "words"),
    [
        ({"kind": "zz"}, "act.kind", "“zz” is no act that is done here; send one of place, "),
        ({"kind": "rewind"}, "act.kind", "“rewind” is no act that is done here; send one of place, "),
        ({}, "act.kind", "The act does not say its kind; send one of place, "),
        ({"kind": "pause"}, "act.version", "The act's form has version None; use version 1."),
        ({"version": 1, "kind": "pause"}, "act.on", "The act does not say on; fill it in."),
        ({"version": 1, "kind": "pause", "on": True, "x": 1}, "act.x", "no field 'x' in such an act;"),
        (
            {"version": 1, "kind": "place", "formation": "x", "position": {"zz": 1}},
            "act.position.zz",
            "no field 'zz' in such an act;",
        ),
        (
            {"version": 1, "kind": "weather", "day": 0, "weather": "snow"},
            "act.weather",
            "weather is 'snow'; choose one of fair, rain, storm, fog, or an empty text.",
        ),
    ],
)
def test_an_act_is_refused_in_its_own_words_at_its_own_field(umpire_program, act, field, words):
    body = {"act": act, "reason": "Why not."}
    refused = problem(umpire_program.post(f"{HERE}umpire/acts/", body), 422, "rule")
    assert refused["field"] == field and words in refused["detail"]
    assert "rewind" not in refused["detail"].replace("“rewind”", "") and "order" not in refused["detail"]
    assert DayRecord.objects.filter(kind="act").count() == 0


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        ({"kind": "pool", "pool": "german/line", "points": 30}, "points_changed"),
        ({"kind": "general", "general": "fraser", "state": "dead", "formation": ""}, "general_set"),
        ({"kind": "holder", "place": "three_rivers_point", "side": "crown"}, "holder_set"),
        ({"kind": "food", "of": "formation", "id": "advanced_corps", "rations": 500}, "food_set"),
    ],
)
def test_a_correction_is_an_act_that_one_side_reads(umpire_program, saratoga, act, kind):
    """HR-UMP-19 to HR-UMP-22."""
    page = f"{HERE}umpire/acts/"
    if kind == "food_set":
        food = {"version": 1, "kind": "rules", "changes": [{"name": "supply", "was": "off", "value": "food"}]}
        assert umpire_program.post(page, {"act": food, "reason": "They eat."}).status_code == 201
    done = umpire_program.post(page, {"act": {"version": 1, **act}, "reason": "A slip."})
    assert done.status_code == 201, done.content
    told = JournalEntry.objects.filter(record=done.json()["record"]).exclude(kind="umpire_act")
    assert list(told.values_list("kind", "sides")) == [(kind, "|crown|")]


@pytest.mark.parametrize(
    ("act", "field"),
    [
        ({"kind": "pool", "pool": "german", "points": 30}, "act.pool"),
        ({"kind": "general", "general": "fraser", "state": "missing", "formation": ""}, "act.state"),
        ({"kind": "general", "general": "fraser", "state": "dead"}, "act.formation"),
        ({"kind": "holder", "place": "hubbardton", "side": "france"}, "act.side"),
        ({"kind": "food", "of": "formation", "id": "advanced_corps", "rations": 500}, "act.id"),
    ],
)
def test_a_correction_is_refused_at_its_own_field(umpire_program, act, field):
    """HR-UMP-19 to HR-UMP-22."""
    body = {"act": {"version": 1, **act}, "reason": "A slip."}
    assert problem(umpire_program.post(f"{HERE}umpire/acts/", body), 422, "rule")["field"] == field
    assert DayRecord.objects.filter(kind="act").count() == 0


def test_real_dice_are_entered_together_or_not_at_all_HR_UMP_12(umpire_program):
    page = f"{HERE}umpire/dice/"
    wrong = {"rule": "HR-WEA-01", "subject": "nothing", "index": 0, "value": 99}
    refused = problem(umpire_program.post(page, {"dice": [wrong], "reason": "Thrown."}), 422, "rule")
    assert refused["field"].startswith("dice.0")
    problem(umpire_program.post(page, {"dice": [], "reason": "Thrown."}), 400, "invalid")
    problem(umpire_program.post(page, {"dice": [wrong | {"value": "x"}], "reason": "a"}), 400, "invalid")
    assert DayRecord.objects.filter(kind="act").count() == 0


def test_the_campaign_goes_back_HR_UMP_14(umpire_program, staff_campaign, saratoga, carleton):
    day_advance(campaign=Campaign.objects.get(pk=saratoga.pk), actor=None)
    desk = umpire_program.get(f"{HERE}umpire/").json()
    assert [row["undone"] for row in desk["mornings"]] == [1]
    target = {"record": desk["mornings"][0]["record"], "head": desk["head"], "reason": "Once more."}
    problem(umpire_program.post(f"{HERE}umpire/rewind/", target | {"record": 999999}), 404, "not-found")
    done = umpire_program.post(f"{HERE}umpire/rewind/", target)
    assert done.status_code == 201, done.content
    saratoga.refresh_from_db()
    assert (saratoga.day, saratoga.revision, done.json()["revision"]) == (0, 2, 2)
    assert umpire_program.get(f"{HERE}umpire/").json()["day_undone"] == 1
