"""The campaign's book: the umpire's until the secret is told, made by a job, kept, made anew (HR-REP-03)."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader

from campaign import tasks
from campaign.fog.battles import list_settled_photos
from campaign.fog.viewers import Viewer
from campaign.models import Battle, BattlePhoto, Campaign, DayRecord, Job
from campaign.rules.errors import RuleViolation
from campaign.selectors.press import book_body
from campaign.services.battles.settlement import battle_settle_by_word
from campaign.services.dispatches import letter_send
from campaign.services.press.books import book_ask, book_print_ask, book_printing
from campaign.services.turns.days import day_advance
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


def page(client: Client) -> str:
    answer = client.get(reverse("campaign-book", args=["saratoga"]))
    assert answer.status_code == 200
    return answer.content.decode()


def made(campaign: Campaign, actor) -> Job:
    job = book_ask(campaign=campaign, actor=actor)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


def printed_by(client: Client, paper: str = "a4") -> bytes:
    """The PDF: asked for, made by a worker, and read."""
    address = f"{reverse('campaign-book-pdf', args=['saratoga'])}?paper={paper}"
    assert client.get(address).status_code == 302 and f"Make the PDF, {paper.capitalize()}" in page(client)
    for _ in range(2):
        assert client.post(address).headers["Location"] == reverse("campaign-book", args=["saratoga"])
    job = Job.objects.filter(kind="book_print").latest("pk")
    assert f"The PDF, {paper.capitalize()}, is being made" in page(client)
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "done", job.error
    assert f'{address.replace("&", "&amp;")}">PDF, {paper.capitalize()}' in page(client)
    return client.get(address).content


def end(campaign: Campaign, ago: timedelta) -> None:
    """The campaign ended so long ago."""
    Campaign.objects.filter(pk=campaign.pk).update(state="ended")
    DayRecord.objects.filter(pk=campaign.head_id).update(created_at=timezone.now() - ago)
    campaign.refresh_from_db()


def test_hr_rep_03_the_umpire_has_it_made_found_again_and_made_anew(week_over, umpire, carleton) -> None:
    assert "Make the book" in page(umpire)
    address = reverse("campaign-book", args=["saratoga"])
    for _ in range(2):
        umpire.post(address)
    (job,) = Job.objects.filter(kind="campaign_book")
    assert "being made" in page(umpire)
    tasks.run_job(job.pk)
    told = page(umpire)
    assert "The book of the campaign" in told and "Make it again" in told and "gone on since" not in told
    assert "Week 1:" in told and told.count("<svg") >= 3 and week_over.commitment in told
    day_advance(campaign=week_over, actor=None)
    assert "The campaign has gone on since" in page(umpire)
    umpire.post(address)
    assert Job.objects.filter(kind="campaign_book").count() == 2
    assert "Week 1:" in page(umpire), "the old one is read while the new one is made"


def test_hr_rep_03_it_is_the_umpires_alone_until_the_secret_is_told(
    week_over, crown, umpire, carleton, burgoyne
) -> None:
    made(week_over, carleton)
    end(week_over, timedelta(hours=1))
    for name in ("campaign-book", "campaign-book-pdf"):
        assert crown.get(reverse(name, args=["saratoga"])).status_code == 404
        assert Client().get(reverse(name, args=["saratoga"])).status_code == 302
    assert crown.post(reverse("campaign-book", args=["saratoga"])).status_code == 404
    with pytest.raises(RuleViolation, match="its umpire's alone"):
        book_ask(campaign=week_over, actor=burgoyne)
    end(week_over, timedelta(days=2))
    assert "Make the book" in page(crown), "the umpire's own of before is not theirs to read"
    book = made(week_over, burgoyne)
    assert book.result["book"]["secret"] == bytes(week_over.secret).hex()
    assert bytes(week_over.secret).hex() in page(crown)


def test_hr_rep_03_letters_are_printed_at_the_end_but_sealed_ones_to_the_umpire(
    week_over, carleton, burgoyne, gates
) -> None:
    seats = {seat.role + seat.side: seat.pk for seat in week_over.seats.all()}
    given = {"campaign": week_over}
    letter_send(author=burgoyne, to=[seats["commanderrebel"]], text="Between us two.", **given)
    letter_send(author=burgoyne, to=[seats["umpire"]], text="In confidence.", **given)
    letter_send(author=gates, to=[seats["umpire"]], text="For all to read.", sealed=False, **given)
    assert made(week_over, carleton).result["book"]["letters"] == []
    end(week_over, timedelta(days=2))
    texts = [letter["text"] for letter in made(week_over, carleton).result["book"]["letters"]]
    assert texts == ["Between us two.", "For all to read."]


def photographed(battle: Battle, actor) -> BattlePhoto:
    """The battle is settled, and a photograph of its table has been taken."""
    kept = BytesIO()
    Image.new("RGB", (1600, 1200), "#456").save(kept, "JPEG")
    lost = {battle.attacker: 20, battle.defender: 10}
    battle_settle_by_word(battle=battle, field_held_by=battle.defender, percent_lost=lost, actor=actor)
    Campaign.objects.filter(pk=battle.campaign_id).update(day=1)  # no week is over; the book tells it anyhow
    given = {"side": "rebel", "caption": "The <breakthrough>", "image": kept.getvalue()}
    return BattlePhoto.objects.create(battle=battle, user=actor, **given)


def test_hr_tab_07_the_photographs_of_the_table_are_in_the_book(
    battle, umpire, crown, carleton, monkeypatch
) -> None:
    monkeypatch.setattr(book_body, "GREAT_SP", 1)  # a small fight will do
    campaign, photo = battle.campaign, photographed(battle, carleton)
    campaign.refresh_from_db()
    book = made(campaign, carleton)
    assert "photo" not in str(book.result).lower(), "who reads sees those he may see, not what a job wrote"
    told = page(umpire)
    address = reverse("battle-photo", args=["saratoga", battle.pk, photo.pk])
    assert f'src="{address}"' in told and "The &lt;breakthrough&gt;" in told
    assert umpire.get(address)["Content-Type"] == "image/jpeg"
    printed = printed_by(umpire)
    pages = PdfReader(BytesIO(printed)).pages
    assert any("The <breakthrough>" in each.extract_text() for each in pages)
    assert sum(len(each.images) for each in pages) == 1 and len(printed) < 2_000_000
    assert crown.get(reverse("campaign-book", args=["saratoga"])).status_code == 404
    Battle.objects.filter(pk=battle.pk).update(state="waiting")
    assert not list_settled_photos(Viewer(campaign, carleton, "umpire", "", ""), [battle.pk])


def test_before_the_first_day_there_is_nothing_to_print(saratoga, umpire, carleton) -> None:
    with pytest.raises(RuleViolation, match="nothing to print"):
        book_ask(campaign=saratoga, actor=carleton)
    answer = umpire.post(reverse("campaign-book", args=["saratoga"]), follow=True)
    assert "nothing to print" in answer.content.decode()
    assert umpire.get(reverse("campaign-book-pdf", args=["saratoga"])).status_code == 404


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_the_printed_book_holds_its_chapters(week_over, umpire, carleton, paper, size) -> None:
    made(week_over, carleton)
    first = printed_by(umpire, paper)
    pages = PdfReader(BytesIO(first)).pages
    assert (round(pages[0].mediabox.width), round(pages[0].mediabox.height)) == size
    words = " ".join(each.extract_text() for each in pages)
    for chapter in ("Contents", "Strength", "Week 1", "Who sat where", "Proof"):
        assert chapter in words
    again = umpire.get(reverse("campaign-book-pdf", args=["saratoga"]), {"paper": paper})
    assert again.content == first and Job.objects.filter(kind="book_print").count() == 1


def test_hr_rep_03_a_book_that_is_no_longer_his_to_read_is_not_printed_for_him(week_over, carleton) -> None:
    book = made(week_over, carleton)
    viewer = Viewer(week_over, carleton, "umpire", "", "")
    job = book_print_ask(book=book, paper="a4", viewer=viewer)
    assert job is not None and book_print_ask(book=book, paper="a4", viewer=viewer) == job
    week_over.seats.filter(user=carleton).delete()
    tasks.run_job(job.pk)
    job.refresh_from_db()
    assert job.state == "failed" and "no seat any more" in job.error
    assert "no seat any more" in book_printing(book=book, paper="a4", viewer=viewer).error
