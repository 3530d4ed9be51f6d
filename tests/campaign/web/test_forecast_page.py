"""The page of forecasts: the umpire's, and a side's where the campaign allows it (HR-FRC-01)."""

import pytest

from campaign.models import Job
from campaign.services.forecasts.forecasts import forecast_ask

PAGE = "/campaigns/saratoga/forecast/"
FOUND = {
    "campaign": "saratoga", "side": "", "day": 0, "weeks": 1, "runs": 10,
    "sides": [
        {"id": "crown", "name": "Crown", "points": [{"p10": 6553, "p50": 6553, "p90": 6553},
                                                    {"p10": 6400, "p50": 6500, "p90": 6600}]},
        {"id": "rebel", "name": "United States", "points": [{"p10": 1, "p50": 1, "p90": 1}] * 2},
    ],
    "places": [
        {"id": "albany", "name": "Albany", "objective": 150, "now": "rebel", "held": [{"rebel": 1.0}]},
    ],
    "battles": {
        "weeks": [{"mean": 1.5, "p10": 1, "p50": 1, "p90": 2}], "small_fights": 0.0,
        "where": [{"id": "ticonderoga", "name": "Ticonderoga", "share": 0.7}],
    },
}  # fmt: skip


@pytest.fixture
def allowed(saratoga):
    saratoga.settings = {**saratoga.settings, "forecasts": "sides"}
    saratoga.save()
    return saratoga


def done(job: Job, **more: object) -> None:
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, result={**FOUND, **more})


def test_the_umpire_asks_watches_and_stops(desk):
    assert "Work out a forecast" in desk.get(PAGE).content.decode()
    page = desk.post(PAGE, {"weeks": "2", "runs": "20"}, follow=True).content.decode()
    job = Job.objects.get(kind="forecast")
    assert job.payload["weeks"] == 2 and job.payload["runs"] == 20 and job.payload["side"] == ""
    assert "<progress" in page
    page = desk.post(f"{PAGE}stop/", follow=True).content.decode()
    assert "not worked out any further" in page
    job.refresh_from_db()
    assert job.state == "cancelled"
    done(job)
    assert "there is nothing to stop." in desk.post(f"{PAGE}stop/", follow=True).content.decode()


def test_figures_are_shown_and_wrong_ones_refused(desk, saratoga, carleton):
    done(forecast_ask(campaign=saratoga, actor=carleton, weeks=1, runs=10))
    page = desk.get(PAGE).content.decode()
    assert "6500 (6400 to 6600)" in page and "6553" in page and "70 %" in page and "Albany" in page
    page = desk.post(PAGE, {"weeks": "900", "runs": "20"}, follow=True).content.decode()
    assert "1 to 52 weeks" in page


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"weeks": "x", "runs": "20"}, "A forecast has 1 to 52 weeks, not “x”."),
        ({"weeks": "-3", "runs": "20"}, "A forecast has 1 to 52 weeks, not “-3”."),
        ({"weeks": "2.5", "runs": "20"}, "A forecast has 1 to 52 weeks, not “2.5”."),
        ({"weeks": "9" * 90, "runs": "20"}, f"A forecast has 1 to 52 weeks, not “{'9' * 20}”."),
        ({"weeks": "2", "runs": "<many>"}, "A forecast has 1 to 2000 courses, not “&lt;many&gt;”."),
        ({"weeks": "2", "runs": "9000"}, "A forecast has 1 to 2000 courses, not 9000."),
        ({"runs": "20"}, "A forecast has 1 to 52 weeks, and none was given."),
    ],
)
def test_a_refusal_says_what_was_given(desk, given, said):
    assert said in desk.post(PAGE, given, follow=True).content.decode()
    assert not Job.objects.filter(kind="forecast").exists()


def test_sides_have_none_unless_the_campaign_allows_it(crown, desk):
    assert crown.get(PAGE).status_code == 404
    assert crown.post(PAGE, {"weeks": "1", "runs": "1"}).status_code == 404
    assert PAGE not in crown.get("/campaigns/saratoga/").content.decode()
    assert PAGE in desk.get("/campaigns/saratoga/").content.decode()


def test_hr_frc_02_a_side_reads_its_own_forecast_only(crown, rebel, allowed, carleton):
    crown.post(PAGE, {"weeks": "1", "runs": "10"})
    job = Job.objects.get(kind="forecast")
    assert job.payload["side"] == "crown"
    done(job, side="crown")
    assert "6500" in crown.get(PAGE).content.decode()
    done(forecast_ask(campaign=allowed, actor=carleton, weeks=2, runs=10))  # the umpire's, from what is true
    assert "6500" not in rebel.get(PAGE).content.decode()


def test_strangers_find_no_page(stranger):
    assert stranger.get(PAGE).status_code == 404
