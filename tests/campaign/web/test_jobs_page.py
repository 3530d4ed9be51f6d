"""Work that takes a while is found again: by who asked for it, and by nobody else."""

import pytest

from campaign.models import Battle, Job
from campaign.services.forecasts import forecast_ask
from campaign.services.predictions import predictions_ask
from campaign.services.turn_runs import advance_request
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
