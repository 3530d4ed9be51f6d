"""The whole campaign as a file, asked for and fetched on the page of proof (HR-ARC-02)."""

import io
import zipfile

import pytest

from campaign.models import Job
from campaign.services.turns.days import day_advance
from campaign.tasks import run_job

pytestmark = pytest.mark.django_db
PROOF, FILE = "/campaigns/saratoga/proof/", "/campaigns/saratoga/archive.zip"


def shown(client) -> str:
    return client.get(PROOF).content.decode()


def test_the_umpire_has_it_made_and_fetches_it_hr_arc_02(desk, saratoga, django_capture_on_commit_callbacks):
    assert "Make the archive" in shown(desk)
    assert desk.get(FILE)["Location"] == f"{PROOF}#archive", "it is not made by looking"
    assert desk.post(FILE)["Location"] == f"{PROOF}#archive"
    job = Job.objects.get(kind="campaign_archive")
    assert "The archive is being made." in shown(desk) and 'http-equiv="refresh"' in shown(desk)
    run_job(job.pk)
    assert "Fetch the archive" in shown(desk)
    answer = desk.get(FILE)
    assert (
        answer["Content-Type"] == "application/zip" and "saratoga-day-0.zip" in answer["Content-Disposition"]
    )
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert "manifest.json" in archive.namelist() and "secret.json" not in archive.namelist()
    day_advance(campaign=saratoga, actor=None)
    assert "Make the archive" in shown(desk), "that was of another morning"
    assert desk.get(FILE).status_code == 302


def test_it_is_nobody_elses_before_the_end_hr_arc_02(crown, rebel):
    for client in (crown, rebel):
        assert "archive.zip" not in shown(client)
        assert client.get(FILE).status_code == client.post(FILE).status_code == 404
    assert not Job.objects.exists()


def test_why_it_could_not_be_made_is_told_and_it_is_asked_for_again(desk):
    desk.post(FILE)
    Job.objects.update(state=Job.State.FAILED, error="The disk is full.")
    page = shown(desk)
    assert "The disk is full." in page and "Make the archive" in page
