"""The log: what belongs together says so, in JSON or in one line, and no secret stands in it."""

import io
import json
import logging
from collections.abc import Iterator

import pytest
from django.http import HttpRequest
from django.urls import reverse

from campaign.config import health
from campaign.config.logs import EACH, logging_settings
from campaign.models import Campaign, User
from campaign.services.jobs.jobs import job_request
from campaign.services.setup.campaigns import campaign_create
from campaign.tasks import HANDLERS, run_job

pytestmark = pytest.mark.django_db


class Told(io.StringIO):
    """What was logged since."""

    def lines(self) -> list[str]:
        return self.getvalue().splitlines()

    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.lines()]


@pytest.fixture(params=["json"])
def told(request: pytest.FixtureRequest) -> Iterator[Told]:
    """The log of this test, in the form its parameter names; all levels as in production with JSON."""
    found = Told()
    handler = logging.StreamHandler(found)
    made = dict(logging_settings(request.param, "INFO")["formatters"]["told"])
    handler.setFormatter(made.pop("()")(**made))
    root, each = logging.getLogger(), [logging.getLogger(name) for name in EACH]
    levels = [logger.level for logger in each]
    root.addHandler(handler)
    for logger in each:
        logger.setLevel(logging.INFO)
    yield found
    root.removeHandler(handler)
    for logger, level in zip(each, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture
def campaign(db) -> Campaign:
    return campaign_create(scenario="saratoga-1777", slug="saratoga")


def test_a_request_is_told_with_its_id_person_campaign_and_route(client, campaign, told):
    gates = User.objects.create_user("gates", email="gates@example.org")
    client.force_login(gates)
    answer = client.get("/campaigns/saratoga/?sheet=rumours")
    [event] = [event for event in told.events() if event["event"] == "request_finished"]
    assert event["request_id"] == answer["X-Request-ID"] and len(event["request_id"]) == 36
    assert (event["user_id"], event["campaign"], event["request"]) == (gates.pk, "saratoga", "GET campaign")
    assert (event["code"], event["level"]) == (answer.status_code, "info")
    assert event["timestamp"].endswith("Z") and event["logger"] == EACH[0]
    assert not [secret for secret in ("gates", "rumours", "127.0.0.1") if secret in told.getvalue()]


def test_the_key_of_a_link_is_not_logged_even_where_it_leads_nowhere(client, told):
    client.get(reverse("invitation-link", args=["a-key-that-opens-a-seat"]))
    client.get("/account/password/reset/key/1-c0ffee-5ec2e7/")
    client.get("/nowhere/a-key-of-another-site/")
    assert len([event for event in told.events() if event["event"] == "request_finished"]) == 3
    assert not [key for key in ("a-key", "c0ffee", "5ec2e7") if key in told.getvalue()]


def test_a_crash_is_told_once_with_its_trace_and_the_id_the_answer_bears(client, told, monkeypatch):
    def broken(request: HttpRequest) -> None:
        raise ZeroDivisionError("no men left")

    monkeypatch.setattr(health.connection, "cursor", broken)
    client.raise_request_exception = False
    answer = client.get("/health/")
    assert answer.status_code == 500
    [event] = [event for event in told.events() if event["level"] == "error"]
    assert event["event"] == "request_failed" and event["request_id"] == answer["X-Request-ID"]
    assert "Traceback" in event["exception"] and "\n" in event["exception"]


def test_a_job_s_lines_say_which_job_and_whose(campaign, told, monkeypatch):
    def handler(job, report):
        logging.getLogger("rosters.services").warning("Two units have one name")
        return {}

    monkeypatch.setitem(HANDLERS, "levy", "tests.campaign.config.test_logs.levy")
    monkeypatch.setitem(globals(), "levy", handler)
    job = job_request(kind="levy", key="levy", payload={}, campaign=campaign)
    run_job.apply(args=[job.pk])
    events = {event["event"]: event for event in told.events()}
    for name in ("Two units have one name", "Job done, attempt 1"):
        event = events[name]
        assert (event["job"], event["kind"], event["campaign"]) == (job.pk, "levy", campaign.slug)


@pytest.mark.parametrize("told", ["line"], indirect=True)
def test_for_people_it_is_one_readable_line_whatever_is_in_it(told):
    logging.getLogger("campaign.services.jobs.jobs").warning("%s stops job 3", "gates\nERROR forged: line")
    try:
        raise ValueError("wrong")
    except ValueError:
        logging.getLogger("campaign.tasks").exception("Job 3 failed", extra={"attempt": 2})
    first, second, *trace = told.lines()
    assert first[19:] == " WARNING campaign.services.jobs.jobs: gates\\nERROR forged: line stops job 3"
    assert second[19:].startswith(" ERROR campaign.tasks: Job 3 failed")
    assert trace[0].startswith("Traceback") and trace[-1] == "ValueError: wrong"


def test_on_a_terminal_requests_are_told_only_when_they_fail():
    quiet, full = (logging_settings(form, "INFO")["loggers"] for form in ("line", "json"))
    assert all(quiet[name] == {"level": "WARNING"} for name in EACH)
    assert not set(EACH) & set(full)
