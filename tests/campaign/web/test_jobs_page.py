"""Work that takes a while is found again: by who asked for it, and by nobody else."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.fog.viewers import viewer_of
from campaign.models import Battle, Job
from campaign.selectors.jobs import estimate_seconds_left, job_rows
from campaign.services.battles.predictions import predictions_ask
from campaign.services.forecasts.forecasts import forecast_ask
from campaign.services.turns.runs import advance_request
from campaign.text.job_names import left_words
from tests.campaign.web.posed import words

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/saratoga/jobs/"


def test_the_umpire_finds_days_and_forecasts_and_stops_what_writes_nothing(desk, crown, saratoga, carleton):
    day = advance_request(campaign=saratoga, actor=carleton)
    forecast = forecast_ask(campaign=saratoga, actor=carleton, side="", weeks=1, runs=1)
    text = words(desk.get(PAGE))
    assert "The day : queued" in text and "Forecast : queued" in text
    assert "Nothing has been asked for" in words(crown.get(PAGE))
    for job in (day, forecast):
        assert crown.post(f"{PAGE}{job.pk}/stop/").status_code == 404
        desk.post(f"{PAGE}{job.pk}/stop/")
        job.refresh_from_db()
    assert (day.state, forecast.state) == (Job.State.QUEUED, Job.State.CANCELLED)
    assert "cannot be stopped" in words(desk.get(PAGE))


def test_work_that_failed_is_asked_for_again_on_its_page_hr_job_02(desk, crown, saratoga, carleton):
    day = advance_request(campaign=saratoga, actor=carleton)
    assert "not failed" in words(desk.post(f"{PAGE}{day.pk}/again/", follow=True))
    Job.objects.update(state=Job.State.FAILED, attempts=5, error="Its worker died.")
    assert "Ask again" in words(desk.get(PAGE))
    assert crown.post(f"{PAGE}{day.pk}/again/").status_code == 404
    assert "The day: asked for again." in words(desk.post(f"{PAGE}{day.pk}/again/", follow=True))
    day.refresh_from_db()
    assert day.state == Job.State.QUEUED


def test_a_page_that_asks_again_gets_the_list_alone(desk, saratoga, carleton):
    advance_request(campaign=saratoga, actor=carleton)
    piece = desk.get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert piece.lstrip().startswith('<div id="jobs" hx-get')


def test_work_about_a_battle_is_called_by_it(desk, battle, carleton):
    """Asked for the odds of many battles one sees which is which."""
    title = battle.inputs["file"]["title"]
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.SETTLED)
    assert predictions_ask(campaign=battle.campaign, actor=carleton) == 1
    assert title and f"Odds of a battle that was fought, {title}" in words(desk.get(PAGE))
    Battle.objects.all().delete()
    assert "Odds of a battle that was fought :" in words(desk.get(PAGE)), "it has fallen away meanwhile"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (4, "a few seconds left"),
        (42, "about 40 seconds left"),
        (57, "about 55 seconds left"),
        (58, "about 1 minute left"),
        (150, "about 2 minutes left"),
        (3570, "about 1 hour left"),
        (7200, "about 2 hours left"),
    ],
)
def test_what_is_left_of_work_in_words(seconds, words):
    assert left_words(seconds) == words


def test_many_pieces_of_work_at_their_beginning_ask_no_query_each(
    saratoga, carleton, django_assert_num_queries
):
    now = timezone.now()
    for kind, taken in (("advance_day", 70), ("dry_run", 20), ("campaign_book", 40)):
        for number in range(7):  # the last five count
            ended = {"state": "done", "finished_at": now + timedelta(seconds=taken if number > 1 else 900)}
            given = {"campaign": saratoga, "kind": kind, "payload": {}, "started_at": now}
            Job.objects.create(key=f"{kind}{number}", **given, **ended)
    viewer = viewer_of(carleton, saratoga)

    def begin(kind: str, number: int) -> None:
        Job.objects.create(
            key=f"{kind} now {number}",
            campaign=saratoga,
            kind=kind,
            payload={},
            state="running",
            started_at=now,
        )

    begin("advance_day", 0)
    with CaptureQueriesContext(connection) as one:
        job_rows(viewer)
    for number in (1, 2):
        for kind in ("advance_day", "dry_run", "campaign_book"):
            begin(kind, number)
    with django_assert_num_queries(len(one)):
        rows = job_rows(viewer)
    left = {row.job.kind: row.seconds_left for row in rows if row.running}
    assert {kind: round(seconds, -1) for kind, seconds in left.items()} == {
        "advance_day": 70, "dry_run": 20, "campaign_book": 40,
    }  # fmt: skip


def test_work_is_reckoned_by_its_own_pace_and_at_its_beginning_by_the_last_of_its_kind(desk, saratoga):
    now = datetime(2026, 11, 27, 20, tzinfo=UTC)

    def job(key: str, taken: int = 0, **values) -> Job:
        given = {"campaign": saratoga, "kind": "advance_day", "payload": {"day": 0}, "started_at": now}
        if taken:
            given |= {"state": Job.State.DONE, "finished_at": now + timedelta(seconds=taken)}
        return Job.objects.create(key=key, **{**given, **values})

    going = job("now", state=Job.State.RUNNING, progress=5)
    later = now + timedelta(seconds=10)
    assert estimate_seconds_left(going, later) is None  # nothing is known yet
    for number, taken in enumerate((600, 60, 70, 80, 90, 100)):  # the first is too long ago to count
        job(f"turn{number}", taken)
    job("day", 20, payload={"day": 0, "until": 1})
    assert estimate_seconds_left(going, later) == 70
    going.payload = {"day": 0, "until": 1}
    assert estimate_seconds_left(going, later) == 10
    going.progress = 25
    assert estimate_seconds_left(going, later) == 30
    going.state = Job.State.QUEUED
    assert estimate_seconds_left(going, later) is None
    Job.objects.filter(pk=going.pk).update(progress=50, started_at=timezone.now() - timedelta(seconds=30))
    assert "50 % done, about 30 seconds left" in words(desk.get(PAGE))
    assert "50 % done, about 30 seconds left." in words(desk.get(f"{PAGE}{going.pk}/"))
