"""The gazette, the book and a side's journal through the API."""

from datetime import timedelta

import pytest
from django.utils import timezone

from campaign.models import Campaign, DayRecord, Job
from campaign.selectors.campaign_context import Reading
from campaign.selectors.press.gazette import find_gazette
from campaign.selectors.proof import side_paper
from campaign.services.turns.days import day_advance
from campaign.tasks import run_job
from tests.campaign.api.program import Program, problem

pytestmark = pytest.mark.django_db
HERE = "campaigns/saratoga/"


@pytest.fixture
def played(saratoga) -> Campaign:
    day_advance(campaign=saratoga, actor=None)
    return Campaign.objects.get(pk=saratoga.pk)


def test_the_gazette_says_what_its_page_says(played, burgoyne, stranger_program):
    program = Program(burgoyne)
    body = program.get(f"{HERE}gazette/1/").json()
    reading = Reading.of(burgoyne, "saratoga")
    paper = find_gazette(reading.viewer, reading.world, reading.names, 1)
    assert paper is not None and (body["title"], body["weeks"]) == (paper.title, 1)
    assert [row["title"] for row in body["articles"]] == [article.title for article in paper.articles]
    assert program.get(f"{HERE}gazette/0/").json() == body
    problem(program.get(f"{HERE}gazette/9/"), 404, "not-found")
    problem(stranger_program.get(f"{HERE}gazette/1/"), 404, "not-found")


def test_a_sides_journal_is_its_own(spectator_program, played, crown_program, umpire_program):
    address = f"{HERE}days/rebel/"
    assert umpire_program.get(address).json() == side_paper(played, "rebel")
    assert crown_program.get(f"{HERE}days/crown/").json()["side"] == "crown"
    for program in (crown_program, spectator_program):
        problem(program.get(address), 404, "not-found")
    problem(umpire_program.get(f"{HERE}days/france/"), 404, "not-found")


def test_the_book_is_made_and_printed_HR_REP_03(played, umpire_program, crown_program, carleton, burgoyne):
    for address in ("book/", "book/sheet/"):
        problem(crown_program.get(HERE + address), 404, "not-found")
    problem(crown_program.post(f"{HERE}book/"), 404, "not-found")
    problem(umpire_program.get(f"{HERE}book/sheet/", Accept="application/pdf"), 404, "not-found")
    problem(Program(carleton, ("order",)).post(f"{HERE}book/"), 403, "scope")
    job = umpire_program.post(f"{HERE}book/").json()
    assert umpire_program.get(f"{HERE}book/").json()["making"] == job["number"]
    run_job(job["number"])
    state = umpire_program.get(f"{HERE}book/").json()
    assert (state["made_at"] is not None, state["stale"], state["failed"]) == (True, False, "")
    problem(umpire_program.get(f"{HERE}book/sheet/", Accept="application/pdf"), 404, "not-found")
    printing = umpire_program.post(f"{HERE}book/sheet/?paper=letter").json()["job"]
    run_job(printing["number"])
    assert umpire_program.post(f"{HERE}book/sheet/?paper=letter").json() == {"job": None}
    sheet = umpire_program.get(f"{HERE}book/sheet/?paper=letter", Accept="application/pdf")
    assert sheet.content.startswith(b"%PDF")
    problem(umpire_program.get(f"{HERE}book/sheet/?paper=odd", Accept="application/pdf"), 400, "invalid")
    DayRecord.objects.filter(campaign=played).update(created_at=timezone.now() - timedelta(days=2))
    Campaign.objects.filter(pk=played.pk).update(state=Campaign.State.ENDED)
    asked = Program(burgoyne, ("order",)).post(f"{HERE}book/")
    assert asked.status_code == 202, asked.content
    assert crown_program.get(f"{HERE}jobs/{asked.json()['number']}/").json()["kind"] == "campaign_book"
    assert Job.objects.filter(kind="campaign_book").count() == 2


def test_there_is_no_book_of_a_campaign_without_a_day(umpire_program):
    assert problem(umpire_program.post(f"{HERE}book/"), 422, "rule")["rule"] == "HR-REP-03"
