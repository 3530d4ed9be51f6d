"""A campaign restored from an archive on the site: brought in, followed, stopped, refused (HR-ARC-03)."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from campaign.models import Campaign, Job, Restoration, User
from campaign.ops import rate_limit
from campaign.services.archive.export import campaign_export
from campaign.tasks import run_job
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/new/restore/"


@pytest.fixture
def keeper(saratoga) -> Client:
    """The browser of who keeps the site."""
    return signed_in(User.objects.create_superuser("clinton"))


@pytest.fixture
def archive(saratoga, tmp_path) -> bytes:
    campaign_export(campaign=saratoga, path=tmp_path / "a.zip", with_secret=True)
    return (tmp_path / "a.zip").read_bytes()


def words(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def brought(client: Any, data: bytes, **given: str) -> Any:
    return client.post(PAGE, {"file": SimpleUploadedFile("a.zip", data, "application/zip"), **given})


def test_brought_in_it_is_followed_and_its_campaign_is_there_hr_arc_03(archive, keeper):
    assert "Restore a campaign from an archive" in words(keeper.get("/campaigns/new/"))
    assert "You have brought none." in words(keeper.get(PAGE))
    assert brought(keeper, archive, slug="again")["Location"] == PAGE
    page = keeper.get(PAGE)
    assert "Saratoga 1777 : queued" in words(page) and "Stop" in words(page)
    piece = keeper.get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert piece.lstrip().startswith('<div id="restorations" hx-get')
    run_job(Job.objects.get().pk)
    text = words(keeper.get(PAGE))
    assert "restored, and you are its umpire" in text and "Stop" not in text
    assert "Seats" in words(keeper.get("/campaigns/again/seats/"))
    row = Restoration.objects.get()
    assert keeper.post(f"{PAGE}{row.pk}/remove/")["Location"] == PAGE
    assert (
        "You have brought none." in words(keeper.get(PAGE)) and Campaign.objects.filter(slug="again").exists()
    )


def test_stopped_and_tried_again(archive, keeper, crown):
    brought(keeper, archive, slug="again")
    row = Restoration.objects.select_related("job").get()
    for what in ("stop", "again", "remove"):
        assert crown.post(f"{PAGE}{row.pk}/{what}/").status_code == 404
    assert "still being gone through" in words(keeper.post(f"{PAGE}{row.pk}/remove/", follow=True))
    assert "stopped." in words(keeper.post(f"{PAGE}{row.pk}/stop/", follow=True))
    assert "HR-JOB-02" in words(keeper.post(f"{PAGE}{row.pk}/stop/", follow=True))
    assert "gone through again" in words(keeper.post(f"{PAGE}{row.pk}/again/", follow=True))
    assert Job.objects.get().state == Job.State.QUEUED


def test_what_is_wrong_is_told_in_a_sentence_and_nothing_is_kept(archive, keeper, saratoga):
    for data, given, told in (
        (b"none", {}, "not a complete ZIP file"),
        (archive, {}, "There is a campaign saratoga already"),
        (archive, {"slug": "a b"}, "is no address"),
    ):
        answer = brought(keeper, data, **given)
        assert answer.status_code == 422 and told in words(answer)
    assert "Choose the zip file" in words(keeper.post(PAGE, {}))
    assert not Restoration.objects.exists()


def test_files_by_page_count_as_those_by_programs_hr_api_03(archive, keeper, settings):
    settings.API_PERSON_A_MINUTE = rate_limit.ARCHIVE - 1
    answer = brought(keeper, archive, slug="again")
    assert "try again in" in words(answer) and answer.status_code == 422
    assert not Restoration.objects.exists()


def test_who_does_not_keep_the_site_has_no_such_page_and_is_led_to_none_hr_arc_03(crown, desk):
    for browser in (crown, desk):
        assert browser.get(PAGE).status_code == 404
        assert PAGE not in browser.get("/campaigns/new/").content.decode()
