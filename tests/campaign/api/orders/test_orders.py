"""Papers through the API: the same services and the same view as the pages, for each role."""

import pytest

from campaign.models import OrderPaper
from campaign.selectors.campaign_context import Reading
from campaign.selectors.orders.overview import overview_rows
from campaign.services.orders import drafts
from campaign.services.turns.days import day_advance
from rosters.models import Unit
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
ORDERS = "campaigns/saratoga/orders/"
MARCH = {"formation": "advanced_corps", "via": ["valcour_island"], "stance": "attack"}


def given(program, **order):
    answer = program.post(ORDERS, {"order": {**MARCH, **order}})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_orders_are_those_of_the_page_for_each_role(
    crown_program, rebel_program, umpire_program, spectator_program, stranger_program, burgoyne
):
    given(crown_program)
    body = crown_program.get(ORDERS).json()
    reading = Reading.of(burgoyne, "saratoga")
    assert [row["formation"] for row in body["formations"]] == [row.seen.id for row in reading.orders]
    assert [row["text"] for row in body["formations"]] == [row.text for row in reading.orders]
    ordered = next(row for row in body["formations"] if row["formation"] == "advanced_corps")
    assert (ordered["paper"], ordered["mine"], ordered["order"]["via"]) == (1, True, ["valcour_island"])
    assert body["last_paper"] == 1 and body["days_completed"] == 0 and not body["closed"]
    other = rebel_program.get(ORDERS).json()
    assert {row["side"] for row in other["formations"]} == {"rebel"} and other["last_paper"] == 0
    both = umpire_program.get(ORDERS).json()["formations"]
    assert {row["side"] for row in both} == {"crown", "rebel"}
    assert not any(row["mine"] for row in both)
    problem(spectator_program.get(ORDERS), 404, "not-found")
    problem(stranger_program.get(ORDERS), 404, "not-found")


def test_an_order_comes_in_with_its_receipt_and_is_read_by_its_side_and_the_umpire(
    crown_program, rebel_program, umpire_program
):
    paper = given(crown_program)
    assert (paper["receipt"], paper["state"], paper["kind"]) == ("1-1-1", "standing", "activity")
    assert paper["order"] == {
        "formation": "advanced_corps", "via": ["valcour_island"], "pace": "normal", "stance": "attack",
        "light_order": False, "activity": "march", "target": "", "starts": 0, "by_water": False, "stages": [],
    }  # fmt: skip
    assert OrderPaper.objects.get().seal == paper["seal"] and paper["lines"]
    assert crown_program.get(f"{ORDERS}1/").json() == paper
    receipt = "campaigns/saratoga/receipts/crown/1/"
    assert crown_program.get(receipt).json() == paper
    assert umpire_program.get(receipt).json() == {**paper, "mine": False}
    problem(rebel_program.get(receipt), 404, "not-found")
    assert rebel_program.get(receipt).content == rebel_program.get(f"{receipt[:-2]}99/").content
    problem(rebel_program.get(f"{ORDERS}1/"), 404, "not-found")
    assert crown_program.get("campaigns/saratoga/receipts/").json()["count"] == 1
    assert rebel_program.get("campaigns/saratoga/receipts/").json()["count"] == 0


def test_trying_an_order_lays_the_march_out_and_writes_nothing(crown_program):
    body = crown_program.post(f"{ORDERS}validate/", {"order": MARCH}).json()
    preview = body["preview"]
    assert preview["legs"][-1]["destination"] == "valcour_island"
    assert preview["days"][-1]["end"]["place"] == "valcour_island"
    assert not any(day["rests"] for day in preview["days"])
    rest = crown_program.post(f"{ORDERS}validate/", {"order": {**MARCH, "activity": "rest"}}).json()[
        "preview"
    ]
    assert rest["days"][0]["rests"] and rest["days"][0]["end"] == preview["start"]
    assert [leg["day"] for leg in rest["legs"]] == [leg["day"] + 1 for leg in preview["legs"]]
    refused = crown_program.post(f"{ORDERS}validate/", {"order": {**MARCH, "via": ["nowhere"]}})
    assert problem(refused, 422, "rule")["field"] == "via"
    assert not OrderPaper.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"order": MARCH, "acts": [{"kind": "garrison", "formation": "advanced_corps"}]},
        {"order": {**MARCH, "pace": "gallop"}},
        {"order": {**MARCH, "via": "valcour_island"}},
        {"order": {**MARCH, "colour": "red"}},
        {"order": {**MARCH, "starts": -1}},
        {"order": {"via": []}},
        {"acts": []},
        {"acts": [{"kind": "dance"}]},
        {"order": MARCH, "side": "rebel"},
        {"order": {**MARCH, "formation": "x" * 201}},
    ],
)
@pytest.mark.parametrize("address", [ORDERS, f"{ORDERS}validate/", f"{ORDERS}drafts/"])
def test_a_paper_that_is_not_as_documented_is_400_and_writes_nothing(crown_program, address, body):
    problem(crown_program.post(address, body), 400, "invalid")
    assert not OrderPaper.objects.exists()


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        ({"formation": "nobody"}, "HR-FOR-04"),
        ({"via": ["nowhere"]}, None),
        ({"formation": "main_army"}, None),
    ],
)
def test_the_rules_refuse_with_their_name_and_write_nothing(crown_program, order, rule):
    body = problem(crown_program.post(ORDERS, {"order": {**MARCH, **order}}), 422, "rule")
    assert rule is None or body["rule"] == rule
    assert not OrderPaper.objects.exists()


def test_what_was_written_for_a_day_gone_by_or_without_knowing_the_newest_is_refused(crown_program):
    given(crown_program)
    late = crown_program.post(ORDERS, {"order": {**MARCH, "via": []}, "days_completed": 3})
    assert problem(late, 422, "rule")["rule"] == "HR-CAL-03"
    unseen = crown_program.post(ORDERS, {"order": {**MARCH, "via": []}, "last_paper": 0})
    assert problem(unseen, 422, "rule")["rule"] == "HR-PAP-04"
    again = crown_program.post(ORDERS, {"order": MARCH, "last_paper": 0})
    assert again.json()["number"] == 1  # sent twice it is one paper
    assert OrderPaper.objects.count() == 1


def test_a_key_submits_once_HR_API_02(crown_program):
    first = crown_program.post(ORDERS, {"order": MARCH}, Idempotency_Key="a")
    again = crown_program.post(ORDERS, {"order": MARCH}, Idempotency_Key="a")
    assert first.json() == again.json() and again["Idempotency-Replayed"] == "true"
    assert OrderPaper.objects.count() == 1


def test_a_paper_is_replaced_and_taken_back_only_as_it_was_read(crown_program, rebel_program):
    given(crown_program)
    one = f"{ORDERS}1/"
    halt = {"order": {"formation": "advanced_corps"}}
    problem(crown_program.put(one, halt), 428, "unconditional")
    problem(crown_program.delete(one), 428, "unconditional")
    problem(crown_program.put(one, halt, If_Match='"old"'), 412, "stale")
    problem(crown_program.delete(one, If_Match='"old"'), 412, "stale")
    problem(rebel_program.put(one, halt, If_Match="*"), 404, "not-found")
    tag = crown_program.get(one)["ETag"]
    other = {"order": {"formation": "brunswick_column"}}
    assert problem(crown_program.put(one, other, If_Match=tag), 422, "rule")["rule"] == "HR-PAP-01"
    second = crown_program.put(one, halt, If_Match=tag).json()
    assert (second["number"], second["version"], second["order"]["via"]) == (2, 2, [])
    problem(crown_program.delete(one, If_Match=tag), 412, "stale")  # it has been replaced
    tag = crown_program.get(f"{ORDERS}2/")["ETag"]
    assert crown_program.delete(f"{ORDERS}2/", If_Match=tag).status_code == 204
    assert crown_program.get(f"{ORDERS}2/").json()["state"] == "withdrawn"
    tag = crown_program.get(f"{ORDERS}2/")["ETag"]
    assert problem(crown_program.put(f"{ORDERS}2/", halt, If_Match=tag), 422, "rule")["rule"] == "HR-CAL-06"


def test_reading_is_not_ordering(burgoyne, saratoga):
    reader = Program(burgoyne, scopes=("read",))
    assert reader.post(f"{ORDERS}validate/", {"order": MARCH}).status_code == 200
    for call, address in (("POST", ORDERS), ("PUT", f"{ORDERS}1/"), ("DELETE", f"{ORDERS}1/")):
        problem(reader.call(call, address, {"order": MARCH}, If_Match="*"), 403, "scope")
    assert not OrderPaper.objects.exists()


def test_who_commands_no_side_writes_no_order(umpire_program, spectator_program, stranger_program):
    for program in (umpire_program, spectator_program, stranger_program):
        for address in (ORDERS, f"{ORDERS}validate/", f"{ORDERS}drafts/"):
            problem(program.post(address, {"order": MARCH}), 404, "not-found")
    assert not OrderPaper.objects.exists()


def test_organisation_is_put_in_line_by_line_and_struck(crown_program, world):
    unit = next(u for u in world.units.values() if u.formation == "advanced_corps" and not u.static)
    detach = {"kind": "detach", "formation": "advanced_corps", "units": [unit.id], "name": "Picket"}
    detach["order"] = {"via": ["valcour_island"]}
    paper = crown_program.post(ORDERS, {"acts": [detach]}).json()
    assert (paper["kind"], paper["acts"][0]["id"]) == ("organise", "advanced_corps-d1")
    assert paper["acts"][0]["order"]["via"] == ["valcour_island"]
    assert "wagons" not in paper["acts"][0]
    [listed] = crown_program.get(ORDERS).json()["organisation"]
    assert listed == paper
    tag = crown_program.get(f"{ORDERS}1/")["ETag"]
    problem(crown_program.post(f"{ORDERS}1/strike/", {"line": 0}), 428, "unconditional")
    refused = crown_program.post(f"{ORDERS}1/strike/", {"line": 7}, If_Match=tag)
    assert problem(refused, 422, "rule")["rule"] == "HR-CAL-06"
    struck = crown_program.post(f"{ORDERS}1/strike/", {"line": 0}, If_Match=tag).json()
    assert struck["state"] == "withdrawn"


def test_lines_too_take_no_newer_papers_place_HR_PAP_04(crown_program, world):
    """Acts sent whole replace a paper only if its writer knew it; sent twice they stand once."""
    ours = [u.id for u in world.units.values() if u.formation == "advanced_corps" and not u.static]
    detach = {"kind": "detach", "formation": "advanced_corps", "name": "Picket"}
    one, other = ({"acts": [{**detach, "units": [unit]}]} for unit in ours[:2])
    first = crown_program.post(ORDERS, {**one, "last_paper": 0}).json()
    assert crown_program.post(ORDERS, {**one, "last_paper": 0}).json() == first
    unseen = crown_program.post(ORDERS, {**other, "last_paper": 0})
    assert problem(unseen, 422, "rule")["rule"] == "HR-PAP-04"
    late = crown_program.post(ORDERS, {**other, "days_completed": 9})
    assert problem(late, 422, "rule")["rule"] == "HR-CAL-03"
    seen = crown_program.post(ORDERS, {**other, "last_paper": first["number"]})
    assert seen.json()["version"] == 2, seen.content


def test_an_act_with_too_much_or_too_little_is_refused_by_its_rule(crown_program):
    for act in ({"kind": "join", "formation": "advanced_corps"}, {"kind": "detach"}):
        assert problem(crown_program.post(ORDERS, {"acts": [act]}), 422, "rule")["rule"] == "HR-ORG-07"


def test_choices_are_the_sides_and_the_umpires(crown_program, umpire_program):
    refused = crown_program.post(ORDERS, {"choices": {"placements": [{"subject": "x", "place": "albany"}]}})
    problem(refused, 422, "rule")
    unit = {"choices": {"first": ["no_such_unit"]}}
    problem(crown_program.post(ORDERS, unit), 422, "rule")
    problem(umpire_program.post(ORDERS, unit), 422, "rule")
    assert not OrderPaper.objects.exists()


def test_drafts_count_for_nothing_until_they_are_submitted(crown_program, rebel_program, umpire_program):
    kept = crown_program.post(f"{ORDERS}drafts/", {"order": {**MARCH, "via": ["nowhere"]}}).json()
    assert kept["refusal"]["field"] == "via" and kept["paper"]["state"] == "draft"
    kept = crown_program.post(f"{ORDERS}drafts/", {"order": MARCH}).json()
    assert kept["refusal"] is None and kept["paper"]["receipt"] == ""
    number = kept["paper"]["number"]
    assert [row["number"] for row in crown_program.get(ORDERS).json()["drafts"]] == [number]
    assert rebel_program.get(ORDERS).json()["drafts"] == umpire_program.get(ORDERS).json()["drafts"] == []
    problem(crown_program.get(f"campaigns/saratoga/receipts/crown/{number}/"), 404, "not-found")
    problem(rebel_program.post(f"{ORDERS}{number}/submit/"), 404, "not-found")
    tag = crown_program.get(f"{ORDERS}{number}/")["ETag"]
    mended = crown_program.put(
        f"{ORDERS}{number}/", {"order": {**MARCH, "stance": "avoid"}}, If_Match=tag
    ).json()
    assert (mended["state"], mended["order"]["stance"]) == ("draft", "avoid")
    paper = crown_program.post(f"{ORDERS}{mended['number']}/submit/").json()
    assert (paper["state"], paper["version"]) == ("standing", 1)
    assert crown_program.get(ORDERS).json()["drafts"] == []


@pytest.mark.parametrize("kind", ["order", "choices", "acts"])
def test_a_draft_written_for_a_day_gone_by_says_so_hr_cal_03(crown_program, kind):
    """It is kept, as the page keeps it: what was written must not be lost."""
    unit = Unit.objects.filter(formation__slug="advanced_corps").order_by("slug")[0]
    detach = {"kind": "detach", "formation": "advanced_corps", "units": [unit.slug], "name": "Picket"}
    body = {"order": {"order": MARCH}, "choices": {"choices": {}}, "acts": {"acts": [detach]}}[kind]
    today = crown_program.get(ORDERS).json()["days_completed"]
    kept = crown_program.post(f"{ORDERS}drafts/", {**body, "days_completed": today}).json()
    fresh = (kept["refusal"] or {}).get("rule", "")
    old = crown_program.post(f"{ORDERS}drafts/", {**body, "days_completed": today + 40}).json()
    assert fresh != "HR-CAL-03" and old["refusal"]["rule"] == "HR-CAL-03"
    assert old["paper"]["state"] == "draft"


@pytest.mark.parametrize("all_of_them", [True, False])
def test_a_draft_takes_no_newer_papers_place_unseen_hr_pap_04(crown_program, all_of_them):
    seen = crown_program.get(ORDERS).json()["last_paper"]
    stands = given(crown_program)["number"]
    other = {"order": {**MARCH, "stance": "avoid"}, "last_paper": seen}
    draft = crown_program.post(f"{ORDERS}drafts/", other).json()["paper"]["number"]
    address = f"{ORDERS}drafts/submit/" if all_of_them else f"{ORDERS}{draft}/submit/"
    answer = crown_program.post(address, {"last_paper": seen})
    if all_of_them:
        [told] = answer.json()
        assert told["paper"] is None and "(HR-PAP-04)" in told["reason"]
    else:
        assert problem(answer, 422, "rule")["rule"] == "HR-PAP-04"
    assert crown_program.get(f"{ORDERS}{stands}/").json()["state"] == "standing"
    assert crown_program.get(f"{ORDERS}{draft}/").json()["state"] == "draft"
    known = crown_program.get(ORDERS).json()["last_paper"]
    assert crown_program.post(address, {"last_paper": known}).status_code == 200
    assert crown_program.get(f"{ORDERS}{stands}/").json()["state"] == "replaced"


def test_a_draft_written_while_earlier_orders_are_copied_stays_hr_pap_04(
    crown_program, saratoga, carleton, monkeypatch
):
    given(crown_program)
    day_advance(campaign=saratoga, actor=carleton)
    looks = drafts.verify_free

    def another_writes(campaign, formation, ahead):
        looks(campaign, formation, ahead)
        crown_program.post(f"{ORDERS}drafts/", {"order": {**MARCH, "stance": "avoid"}})

    monkeypatch.setattr(drafts, "verify_free", another_writes)
    [told] = crown_program.post(f"{ORDERS}repeat/", {}).json()
    assert told["paper"] is None and "(HR-PAP-04)" in told["reason"]
    [draft] = crown_program.get(ORDERS).json()["drafts"]
    assert draft["order"]["stance"] == "avoid"


def test_a_draft_is_thrown_away(crown_program):
    number = crown_program.post(f"{ORDERS}drafts/", {"order": MARCH}).json()["paper"]["number"]
    assert crown_program.delete(f"{ORDERS}{number}/", If_Match="*").status_code == 204
    problem(crown_program.get(f"{ORDERS}{number}/"), 404, "not-found")


def test_all_drafts_are_submitted_and_last_orders_copied(crown_program, umpire_program, saratoga, carleton):
    crown_program.post(f"{ORDERS}drafts/", {"order": MARCH})
    [done] = crown_program.post(f"{ORDERS}drafts/submit/").json()
    assert (done["formation"], done["reason"]) == ("advanced_corps", "") and done["paper"]
    none = crown_program.post(f"{ORDERS}repeat/", {"of": "week_ago"})
    assert problem(none, 422, "rule")["rule"] == "HR-PAP-02"
    day_advance(campaign=saratoga, actor=carleton)
    [copied] = crown_program.post(f"{ORDERS}repeat/", {}).json()
    assert copied["formation"] == "advanced_corps"
    problem(umpire_program.post(f"{ORDERS}repeat/", {}), 404, "not-found")
    history = crown_program.get(f"{ORDERS}of/advanced_corps/").json()
    assert [row["state"] for row in history["results"]][-1] == "carried_out"
    problem(umpire_program.get(f"{ORDERS}of/nobody/"), 404, "not-found")


def test_the_overview_is_the_pages(crown_program, burgoyne):
    given(crown_program)
    rows = crown_program.get(f"{ORDERS}overview/").json()["formations"]
    reading = Reading.of(burgoyne, "saratoga")
    shown = overview_rows(reading.orders, reading.papers, reading.ahead)
    assert [(row["formation"], row["state"]) for row in rows] == [
        (row.orders.seen.id, row.state) for row in shown
    ]
    assert next(row for row in rows if row["state"] == "ordered")["by"]
