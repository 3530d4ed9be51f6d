"""The journal followed by a cursor, and the rulebook."""

import pytest

from campaign.models import JournalEntry
from campaign.selectors.campaign_context import Reading
from campaign.selectors.press.journal import journal_page
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
JOURNAL = "campaigns/staff/journal/"


@pytest.fixture
def followed(staff_campaign, burgoyne, gates, carleton):
    for user, role, side in (
        (carleton, "umpire", ""),
        (burgoyne, "commander", "crown"),
        (gates, "commander", "rebel"),
    ):
        staff_campaign.seats.create(user=user, role=role, side=side)
    for _ in range(7):
        day_advance(campaign=staff_campaign, actor=None)
    staff_campaign.refresh_from_db()
    return staff_campaign


def whole(program: Program, most: int) -> list[dict]:
    """The journal read in pieces to its end."""
    found, body = [], program.get(f"{JOURNAL}?most={most}").json()
    while True:
        found += body["entries"]
        if not body["more"]:
            return found
        body = program.get(f"{JOURNAL}?most={most}&cursor={body['cursor']}").json()


def test_the_journal_is_that_of_the_pages_for_each_role(followed, burgoyne, gates, carleton):
    told = {}
    for user in (burgoyne, gates, carleton):
        reading = Reading.of(user, "staff")
        lines = []
        for number in (1, 2, 3):
            page = journal_page(reading.viewer, reading.world, reading.names, number)
            lines += [line for day in page.days for line in (*day.lines, *day.routine)]
            if page.older is None:
                break
        found = whole(Program(user), 17)
        assert [row["number"] for row in found] == list(range(1, len(found) + 1))
        assert sorted(row["text"] for row in found) == sorted(line.text for line in lines)
        assert {row["mark"] for row in found} == {line.mark for line in lines}
        told[user] = len(found)
    assert told[carleton] == JournalEntry.objects.count() > max(told[burgoyne], told[gates])


def test_a_cursor_goes_on_when_more_has_happened(followed, burgoyne):
    program = Program(burgoyne)
    body = program.get(f"{JOURNAL}?most=500").json()
    assert not body["more"]
    at = f"{JOURNAL}?cursor={body['cursor']}"
    assert program.get(at).json()["entries"] == []
    day_advance(campaign=followed, actor=None)
    new = program.get(at).json()["entries"]
    assert new and {row["day"] for row in new} <= {7, 8}
    assert new[0]["number"] == len(body["entries"]) + 1
    since = program.get(f"{JOURNAL}?since=8").json()["entries"]
    assert since == new


def test_a_cursor_of_a_course_that_was_left_begins_anew(followed, burgoyne, carleton):
    program = Program(burgoyne)
    cursor = program.get(JOURNAL).json()["cursor"]
    record = followed.records.get(day=1, kind="day")
    campaign_rewind(campaign=followed, record=record, reason="A slip.", actor=carleton)
    problem(program.get(f"{JOURNAL}?cursor={cursor}"), 409, "conflict")
    assert program.get(JOURNAL).json()["revision"] == 2


@pytest.mark.parametrize("query", ["cursor=x", "cursor=1.2", "since=0", "most=501", "cursor=1.0.&since=1"])
def test_what_is_no_cursor_is_400(followed, burgoyne, query):
    problem(Program(burgoyne).get(f"{JOURNAL}?{query}"), 400, "invalid")


def test_another_readers_cursor_tells_nothing(followed, burgoyne, carleton):
    cursor = Program(carleton).get(f"{JOURNAL}?most=40").json()["cursor"]
    problem(Program(burgoyne).get(f"{JOURNAL}?cursor={cursor}"), 409, "conflict")


@pytest.mark.parametrize("query", ["book=VBX", "book=vbw", "q=order&book=VBX"])
def test_a_book_there_is_not_is_refused_with_those_there_are(db, query):
    program = Program(None)
    refused = problem(program.get(f"rules/?{query}"), 400, "invalid")
    assert [error["field"] for error in refused["errors"]] == ["book"]
    assert "There is no book" in refused["detail"] and "HR, AWI-C, AWI-T, VBW" in refused["detail"]
    found = program.get("rules/?book=VBW").json()
    assert found["count"] and found["results"][0]["id"].startswith("VBW-")


def test_the_rules_are_those_of_the_rulebook(db):
    program = Program(None)
    assert program.get("rules/HR-API-01/").json()["title"] == "Programs sign in with a token"
    found = program.get("rules/?q=courier%20taken&page_size=5").json()
    assert 0 < found["count"] < 50
    problem(program.get("rules/HR-NON-99/"), 404, "not-found")
    division = program.get("rules/VBD-CMD-01/").json()
    assert division["same_as"] == "VBW-CMD-01" and division["differs"]
    assert division["choices"][0]["id"] == "unit_commander_radius_in"
