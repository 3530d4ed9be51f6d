"""The archive by the API: a job, then a file, for the umpire alone until the end (HR-ARC-02)."""

import pytest

from campaign.models import Job
from campaign.services.archive.jobs import archive_ask
from campaign.services.archive.zip_files import archive_read
from campaign.tasks import run_job
from tests.campaign.api.program import problem

pytestmark = pytest.mark.django_db
ARCHIVE = "campaigns/saratoga/archive/"


def test_the_umpire_has_the_archive_made_and_fetches_it_HR_ARC_02(umpire_program, saratoga, tmp_path):
    problem(umpire_program.get(ARCHIVE, Accept="application/zip"), 404, "not-found")
    asked = umpire_program.post(ARCHIVE)
    assert asked.status_code == 202
    again = umpire_program.post(ARCHIVE).json()
    assert again["number"] == asked.json()["number"]
    run_job(again["number"])
    assert umpire_program.get(f"campaigns/saratoga/jobs/{again['number']}/").json()["state"] == "done"
    answer = umpire_program.get(ARCHIVE)
    assert answer["Content-Type"] == "application/zip"
    file = tmp_path / "a.zip"
    file.write_bytes(answer.content)
    manifest, files = archive_read(file)
    assert manifest["campaign"] == "saratoga" and "secret.json" not in files
    assert umpire_program.get(ARCHIVE, If_None_Match=answer["ETag"]).status_code == 304


def test_others_are_told_nothing_of_it_HR_ARC_02(crown_program, stranger_program, saratoga, carleton):
    job = archive_ask(campaign=saratoga, actor=carleton)
    run_job(job.pk)
    for program in (crown_program, stranger_program):
        problem(program.get(ARCHIVE), 404, "not-found")
        problem(program.post(ARCHIVE), 404, "not-found")
    problem(crown_program.get(f"campaigns/saratoga/jobs/{job.pk}/"), 404, "not-found")
    assert Job.objects.count() == 1
