"""Pages of bulletins: each reader his own, the umpire all, and a form that loses nothing (HR-REP-01)."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaign.models import Bulletin, Campaign, User
from campaign.services.bulletins import bulletins_publish
from campaign.services.seating import seat_open, spectators_set
from campaign.services.turns import day_advance
from tests.factories.people import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def week_over(saratoga) -> Campaign:
    for _ in range(7):
        day_advance(campaign=saratoga, actor=None)
    saratoga.refresh_from_db()
    return saratoga


@pytest.fixture
def umpire(carleton, saratoga) -> Client:
    return signed_in(carleton)


def address(name: str, *args: Any) -> str:
    return reverse(name, args=["saratoga", *args])


def test_the_umpire_previews_writes_and_publishes(week_over, umpire, crown, rebel) -> None:
    assert "not published" in umpire.get(address("bulletins")).content.decode()
    assert crown.get(address("bulletin", 1)).status_code == 404
    for side in ("crown", "rebel", ""):
        page = umpire.get(address("bulletin", 1), {"copy": side}).content.decode()
        assert "so it would read now" in page and "<svg" in page
    form = {"copy": "crown", "before": "", "foreword": "Gentlemen,\r\n\r\nit rained."}
    kept = umpire.post(address("bulletin-foreword", 1), form, follow=True)
    assert "The foreword is kept." in kept.content.decode()
    told = umpire.post(address("bulletin-publish", 1), follow=True).content.decode()
    assert "3 copies are out" in told
    assert "published already" in umpire.post(address("bulletin-publish", 1), follow=True).content.decode()
    page = crown.get(address("bulletin", 1)).content.decode()
    assert "it rained." in page and "The Crown Gazette" in page
    assert "it rained." not in rebel.get(address("bulletin", 1)).content.decode()
    assert "The United States" not in crown.get(address("bulletins")).content.decode()


def test_a_refused_foreword_stays_in_its_field(week_over, umpire) -> None:
    form = {"copy": "crown", "before": "what stood there", "foreword": "My own words."}
    answer = umpire.post(address("bulletin-foreword", 1), form)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Somebody has changed" in page and "My own words.</textarea>" in page
    assert not Bulletin.objects.filter(foreword="My own words.").exists()


def test_nobody_else_reaches_a_copy_or_its_forms(week_over, crown, carleton, rebel) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    for client, others in ((crown, ("rebel", "")), (rebel, ("crown", ""))):
        for other in (*others, "france"):
            assert client.get(address("bulletin", 1), {"copy": other}).status_code == 404
            assert client.get(address("bulletin-pdf", 1), {"copy": other}).status_code == 404
        assert client.get(address("bulletin", 2)).status_code == 404
        assert client.get(address("bulletin", 1), {"course": "9"}).status_code == 404
        assert client.post(address("bulletin-publish", 1)).status_code == 404
        assert client.post(address("bulletin-foreword", 1), {"foreword": "x"}).status_code == 404
    stranger = signed_in(User.objects.create_user("stranger"))
    assert stranger.get(address("bulletins")).status_code == 404
    assert Client().get(address("bulletins")).status_code == 302


def test_hr_set_12_a_spectator_reads_the_public_copy_late(week_over, carleton) -> None:
    press = User.objects.create_user("press")
    seat_open(campaign=week_over, role="spectator", user=press, actor=carleton)
    spectators_set(campaign=week_over, days=1, side="", actor=carleton)
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    client = signed_in(press)
    assert client.get(address("bulletin", 1)).status_code == 404
    day_advance(campaign=week_over, actor=None)
    page = client.get(address("bulletin", 1)).content.decode()
    assert "The Impartial Gazette" in page
    assert client.get(address("bulletin", 1), {"copy": "crown"}).status_code == 404


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_the_printed_sheet_says_what_the_page_says(week_over, umpire, paper, size) -> None:
    answer = umpire.get(address("bulletin-pdf", 1), {"copy": "crown", "paper": paper})
    assert answer["Content-Type"] == "application/pdf"
    pages = PdfReader(BytesIO(answer.content)).pages
    assert (round(pages[0].mediabox.width), round(pages[0].mediabox.height)) == size
    words = " ".join(page.extract_text() for page in pages)
    assert "The Crown Gazette" in words and "Not published" in words and "Strength" in words


def test_a_damaged_bulletin_is_told_and_breaks_nothing(week_over, crown, carleton) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    Bulletin.objects.update(body={"edition": 1, "week": "<b>"})
    page = crown.get(address("bulletin", 1))
    assert page.status_code == 200 and "cannot be read" in page.content.decode()
    assert crown.get(address("bulletin-pdf", 1)).status_code == 302
