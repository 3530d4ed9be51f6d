"""Bulletins by the API: each its own copy, as on the page; forewords only over what one has read."""

import pytest

from campaign.selectors.campaign_context import Reading
from campaign.selectors.press.bulletins import find_bulletin_copy
from tests.campaign.api.program import Program, problem
from tests.campaign.services.press.test_bulletins import play

pytestmark = pytest.mark.django_db
WEEK = "campaigns/saratoga/bulletins/1/"


@pytest.fixture
def week_over(saratoga):
    play(saratoga, 7)
    return saratoga


def test_a_side_reads_its_own_copy_once_it_is_out(week_over, burgoyne, gates, carleton):
    crown, rebel, umpire = Program(burgoyne), Program(gates), Program(carleton)
    assert crown.get("campaigns/saratoga/bulletins/").json() == {"weeks": []}
    problem(crown.get(WEEK), 404, "not-found")
    problem(crown.post(f"{WEEK}publish/"), 404, "not-found")
    assert umpire.get(f"{WEEK}?copy=crown").json()["published"] is False
    assert umpire.post(f"{WEEK}publish/").json() == {"copies": 3}
    assert umpire.post(f"{WEEK}publish/").json() == {"copies": 0}
    body = crown.get(WEEK).json()
    theatre = Reading.of(burgoyne, "saratoga").world.theatre
    shown = find_bulletin_copy(Reading.of(burgoyne, "saratoga").viewer, theatre, 1, "crown")
    assert (body["copy"], body["body"]) == ("crown", shown.body)
    assert rebel.get(f"{WEEK}?copy=crown").content == rebel.get(f"{WEEK}?copy=nobody").content
    [week] = crown.get("campaigns/saratoga/bulletins/").json()["weeks"]
    assert (week["copies"], week["published"]) == (["crown"], True)
    sheet = crown.get(f"{WEEK}sheet/", Accept="application/pdf")
    assert sheet["Content-Type"] == "application/pdf" and sheet.content.startswith(b"%PDF")


def test_a_foreword_goes_before_what_was_read_and_no_other(week_over, burgoyne, carleton):
    umpire = Program(carleton)
    words = {"copy": "crown", "foreword": "Gentlemen."}
    problem(umpire.put(f"{WEEK}foreword/", words), 428, "unconditional")
    etag = umpire.get(f"{WEEK}?copy=crown")["ETag"]
    kept = umpire.put(f"{WEEK}foreword/", words, If_Match=etag)
    assert kept.json()["foreword"] == "Gentlemen."
    problem(umpire.put(f"{WEEK}foreword/", {**words, "foreword": "No."}, If_Match=etag), 412, "stale")
    assert umpire.get(f"{WEEK}?copy=crown").json()["foreword"] == "Gentlemen."
    problem(Program(burgoyne).put(f"{WEEK}foreword/", words, If_Match="*"), 404, "not-found")
    reader = Program(carleton, scopes=("read", "order"))
    problem(reader.put(f"{WEEK}foreword/", words, If_Match="*"), 403, "scope")
    umpire.post(f"{WEEK}publish/")
    late = {"copy": "crown", "foreword": "Otherwise."}
    assert problem(umpire.put(f"{WEEK}foreword/", late, If_Match="*"), 422, "rule")["rule"] == "HR-REP-01"
