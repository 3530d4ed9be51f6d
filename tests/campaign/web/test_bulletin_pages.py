"""Pages of bulletins: each reader his own, the umpire all, and a form that loses nothing (HR-REP-01)."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from campaign.models import Bulletin, Campaign, User
from campaign.services.notifications.delivery import notices_send
from campaign.services.press.bulletins import bulletins_publish
from campaign.services.seats.changes import seat_open, spectators_set
from campaign.services.turns.days import day_advance
from campaign.services.turns.rewind import campaign_rewind
from tests.factories.people import signed_in
from tests.factories.years import NEXT_YEAR

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


def test_publishing_keeps_the_foreword_that_was_typed(week_over, umpire, crown) -> None:
    page = umpire.get(address("bulletin", 1), {"copy": "crown"}).content.decode()
    assert f'formaction="{address("bulletin-publish", 1)}"' in page
    form = {"copy": "crown", "before": "", "foreword": "Typed, and published at once."}
    umpire.post(address("bulletin-publish", 1), form)
    assert "Typed, and published at once." in crown.get(address("bulletin", 1)).content.decode()


def test_publishing_over_another_umpires_foreword_publishes_nothing(week_over, umpire) -> None:
    form = {"copy": "crown", "before": "what stood there", "foreword": "My own words."}
    answer = umpire.post(address("bulletin-publish", 1), form)
    page = answer.content.decode()
    assert answer.status_code == 422 and "Somebody has changed" in page
    assert "My own words.</textarea>" in page
    assert not Bulletin.objects.exists()


def test_a_foreword_too_late_is_told_and_still_to_be_copied(week_over, umpire, carleton) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    form = {"copy": "crown", "before": "", "foreword": "From an old window."}
    for name in ("bulletin-foreword", "bulletin-publish"):
        answer = umpire.post(address(name, 1), form)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert "what was printed stands" in page and "From an old window.</textarea>" in page


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
    spectators_set(campaign=week_over, days=1, side="", reason="Late enough.", actor=carleton)
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
    assert words.index("The weather") < words.index("Strength"), "what is short has no page of its own"


def test_a_damaged_bulletin_is_told_and_breaks_nothing(week_over, crown, carleton) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    Bulletin.objects.update(body={"edition": 1, "week": "<b>"})
    page = crown.get(address("bulletin", 1))
    assert page.status_code == 200 and "cannot be read" in page.content.decode()
    assert crown.get(address("bulletin-pdf", 1)).status_code == 302


def test_hr_rep_02_gone_back_the_umpire_finds_what_players_still_read(week_over, umpire, carleton) -> None:
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    start = week_over.records.get(kind="start")
    campaign_rewind(campaign=week_over, record=start, reason="A mistake.", actor=carleton)
    page = umpire.get(address("bulletins")).content.decode()
    assert "overtaken: the campaign has gone back" in page and "Week 1" in page
    assert "No week is over yet" not in page and address("bulletin-publish", 1) not in page


def test_a_campaign_that_rests_says_so_where_orders_are_given_and_the_day_is_played(
    saratoga, umpire, crown
) -> None:
    page = reverse("campaign", args=["saratoga"])
    assert address("advance") in umpire.get(page, {"sheet": "day"}).content.decode()
    Campaign.objects.update(paused="Till Easter.")
    for client, sheet in ((umpire, "day"), (crown, "orders")):
        told = client.get(page, {"sheet": sheet}).content.decode()
        assert "The campaign rests: Till Easter." in told and address("advance") not in told


def test_a_very_long_word_of_a_foreword_breaks_on_paper(week_over, umpire) -> None:
    form = {"copy": "crown", "before": "", "foreword": "w" * 130}
    umpire.post(address("bulletin-foreword", 1), form)
    answer = umpire.get(address("bulletin-pdf", 1), {"copy": "crown"})
    words = PdfReader(BytesIO(answer.content)).pages[0].extract_text()
    lines = [line for line in words.splitlines() if "www" in line]
    assert len(lines) > 1 and all(line.count("w") < 130 for line in lines)


def test_page_and_letter_tell_the_deadline_by_the_readers_clock(week_over, crown, burgoyne, carleton) -> None:
    moment = datetime(NEXT_YEAR, 12, 24, 20, 30, tzinfo=UTC)
    Campaign.objects.update(deadline=moment, time_zone="Asia/Tokyo")
    burgoyne.time_zone, burgoyne.email = "America/New_York", "burgoyne@example.org"
    burgoyne.save()
    week_over.refresh_from_db()
    bulletins_publish(campaign=week_over, week=1, actor=carleton)
    due = f"{moment:%A}, 24 December at 15:30 (America/New York)"
    page = " ".join(crown.get(address("bulletin", 1)).content.decode().split())
    assert f"Orders for the next day are due on {due}." in page
    notices_send()
    letter = next(each for each in mail.outbox if "bulletin" in each.subject)
    assert f"Orders for the next day are due on {due}." in letter.body
    assert due in str(letter.alternatives[0][0])
