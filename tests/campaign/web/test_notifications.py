"""The pages of a person's notices: what is new, his ways, his calendar (HR-DUE-07, HR-DUE-09, HR-DUE-10)."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import CalendarFeed, Campaign, Delivery, Notice, NoticeChannel
from campaign.ops.encryption import decrypt_text
from campaign.services.notifications.channels import channel_add, channel_own
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.notifications import WORDS
from campaign.web.notifications import CHOICES
from tests.campaign.web.test_shown_once import sessions

pytestmark = pytest.mark.django_db
SETTINGS = "/account/notices/"


@pytest.fixture
def told(saratoga, burgoyne, gates) -> Campaign:
    deadline = (timezone.now() + timedelta(days=1)).isoformat()
    for user in (burgoyne, gates):
        Notice.objects.create(campaign=saratoga, user=user, kind="published", subject="record 1")
        Notice.objects.create(campaign=saratoga, user=user, kind="due", subject=deadline)
    return saratoga


def page(client, path=SETTINGS) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_every_kind_has_its_words_and_can_be_turned_off_hr_due_07():
    assert set(WORDS) == set(Notice.Kind)
    assert {kind for kind, _ in CHOICES} == set(Notice.Kind)


def test_what_is_new_is_counted_until_it_is_looked_at_hr_due_09(told, crown, rebel):
    assert "2<span" in page(crown, "/")
    text = page(crown, "/notices/")
    assert text.count("New:") == 2 and "The campaign was played on." in text and "Orders are due on" in text
    assert "New:" not in page(crown, "/notices/") and "2<span" not in page(crown, "/")
    assert "2<span" in page(rebel, "/")


def test_they_are_called_by_one_name_on_all_pages_hr_due_09(told, crown, burgoyne):
    own = f"{SETTINGS}{channel_own(user=burgoyne).pk}/"
    ways = f'<a href="{SETTINGS}">How notices reach you</a>'
    assert "<h1>Notices</h1>" in page(crown, "/notices/") and ways in page(crown, "/notices/")
    assert "<h1>How notices reach you</h1>" in page(crown) and ways in page(crown, own)
    for path in ("/notices/", SETTINGS, own, "/account/", told.get_absolute_url()):
        text = page(crown, path)
        assert '<a href="/notices/"' in text and "What is new" not in text and "Your notices" not in text


def test_how_a_notice_went_out_stands_beside_it_hr_due_09(told, crown, burgoyne):
    burgoyne.email = "johnny@example.org"
    burgoyne.save()
    channel, _ = channel_add(
        user=burgoyne, kind="webhook", address="https://club.example.org/", label="My bot"
    )
    notices_send()
    notice = Notice.objects.filter(user=burgoyne)[0]
    Delivery.objects.create(notice=notice, channel=channel, state="failed")
    text = page(crown, "/notices/")
    assert "Sent: Mail to your account&#x27;s address" in text and "Did not arrive: My bot" in text


def test_old_notices_stand_on_further_pages(told, crown, burgoyne):
    rows = [Notice(campaign=told, user=burgoyne, kind="published", subject=f"r{n}") for n in range(40)]
    Notice.objects.bulk_create(rows)
    assert "?page=2" in page(crown, "/notices/") and "Newer" in page(crown, "/notices/?page=2")
    assert page(crown, "/notices/?page=nonsense") and page(crown, "/notices/?page=99")


def test_a_way_is_added_tried_proved_and_chosen_from_on_its_page_hr_due_07(saratoga, crown, burgoyne):
    given = {"kind": "add", "way": "mail", "address": "other@example.org", "label": "At work"}
    answer = crown.post(SETTINGS, given, follow=True)
    assert "A test notice is sent" in answer.content.decode()
    channel = NoticeChannel.objects.get(kind="mail")
    here = f"{SETTINGS}{channel.pk}/"
    assert answer.redirect_chain[-1][0] == here
    (code,) = re.findall(r"code: (\d{6})", mail.outbox[-1].body)
    assert code == decrypt_text(channel.code)
    assert crown.post(here, {"kind": "confirm", "code": "nonsense"}).status_code == 422
    assert "from now on" in crown.post(here, {"kind": "confirm", "code": code}, follow=True).content.decode()
    saved = {"kind": "save", "on": "on", "kinds": ["due"], "when": "daily", "daily_at": ""}
    assert crown.post(here, saved).status_code == 422
    crown.post(here, {**saved, "daily_at": "18:00"})
    channel.refresh_from_db()
    assert channel.daily_at.hour == 18
    assert set(channel.left_out) == set(Notice.Kind.values) - {"due"}
    assert "every day at 18:00" in page(crown)
    crown.post(here, {**saved, "when": "now", "daily_at": "18:00"})
    channel.refresh_from_db()
    assert channel.daily_at is None
    crown.post(here, {"kind": "remove"})
    assert not NoticeChannel.objects.filter(kind="mail").exists()


def test_a_secret_is_shown_once_hr_due_07(saratoga, crown, burgoyne, settings):
    settings.NOTICE_PRIVATE_ADDRESSES = True
    given = {"kind": "add", "way": "webhook", "address": "http://127.0.0.1:1/hook"}
    answer = crown.post(SETTINGS, given)
    channel = NoticeChannel.objects.get(kind="webhook")
    here = f"{SETTINGS}{channel.pk}/"
    assert (answer.status_code, answer["Location"]) == (302, here), "a reload would add another"
    secret = decrypt_text(channel.secret)
    assert secret not in sessions()
    text = page(crown, here)
    assert secret in text and "did not arrive" in text
    assert secret not in page(crown, here) and "/hook" not in page(crown, here)
    assert "Nothing goes this way: its test notice did not arrive." in page(crown)
    answer = crown.post(here, {"kind": "secret"})
    assert (answer.status_code, answer["Location"]) == (302, here), "a reload would make another secret"
    other = page(crown, here)
    channel.refresh_from_db()
    assert secret not in other and decrypt_text(channel.secret) in other


def test_where_no_mail_is_sent_no_way_by_letter_is_offered_hr_due_07(saratoga, crown, burgoyne, settings):
    burgoyne.email = "johnny@example.org"
    burgoyne.save()
    own = f"{SETTINGS}{channel_own(user=burgoyne).pk}/"
    by_letter = "Mail to another address"
    assert by_letter in page(crown) and "sends no mail" not in page(crown)
    assert "Send a test notice" in page(crown, own)
    settings.MAIL_IS_SENT = False
    text = page(crown)
    assert by_letter not in text and text.count("This site sends no mail") == 2
    assert "Send a test notice" not in page(crown, own) and "sends no mail" in page(crown, own)
    answer = crown.post(SETTINGS, {"kind": "add", "way": "mail", "address": "a@example.org"})
    assert answer.status_code == 422 and answer.content.decode().count("This site sends no mail") == 3
    assert not NoticeChannel.objects.filter(kind="mail").exists()
    assert "did not arrive" not in crown.post(own, {"kind": "test"}, follow=True).content.decode()
    assert not mail.outbox


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"way": "mail"},
        {"way": "pigeon", "address": "a@example.org"},
        {"way": "mail", "address": "nobody"},
        {"way": "service", "address": "mailto://a:b@example.org"},
        {"way": "webhook", "address": "https://a:b@example.org/"},
        {"way": "mail", "address": "a" * 600},
        {"way": "mail", "address": "a@example.org", "label": "a" * 99},
    ],
)
def test_a_wrong_way_is_refused_beside_its_field_hr_due_07(saratoga, crown, given):
    answer = crown.post(SETTINGS, {"kind": "add", **given})
    assert answer.status_code == 422 and "error" in answer.content.decode()
    assert not NoticeChannel.objects.exclude(kind="account").exists() and not mail.outbox


def test_anothers_way_does_not_exist_hr_due_07(saratoga, crown, rebel, gates):
    channel, _ = channel_add(user=gates, kind="mail", address="horatio@example.org")
    here = f"{SETTINGS}{channel.pk}/"
    assert crown.get(here).status_code == crown.get(f"{SETTINGS}9999/").status_code == 404
    for kind in ("test", "save", "confirm", "secret", "remove"):
        assert crown.post(here, {"kind": kind}).status_code == 404
    assert NoticeChannel.objects.filter(pk=channel.pk).exists() and not mail.outbox
    assert "horatio" not in page(rebel, here)


def test_the_way_to_the_account_stays_hr_due_07(saratoga, crown, burgoyne):
    own = channel_own(user=burgoyne)
    assert crown.post(f"{SETTINGS}{own.pk}/", {"kind": "remove"}).status_code == 409
    assert "Your account has no address" in page(crown)


def test_a_calendars_address_is_shown_once_hr_due_10(saratoga, crown, client):
    answer = crown.post(SETTINGS, {"kind": "calendar"})
    assert (answer.status_code, answer["Location"]) == (302, SETTINGS), "a reload would end the address"
    assert "/calendar/" not in sessions()
    text = page(crown)
    (address,) = re.findall(r'value="http://testserver(/calendar/[^"]+)"', text)
    assert client.get(address).status_code == 200
    token = address.removeprefix("/calendar/").removesuffix(".ics")
    assert token not in page(crown) and "An address was made" in page(crown)
    crown.post(SETTINGS, {"kind": "calendar-end"})
    assert client.get(address).status_code == 404 and not CalendarFeed.objects.exists()


def test_signed_out_one_is_sent_to_the_door(client):
    for path in ("/notices/", SETTINGS, f"{SETTINGS}1/"):
        assert client.get(path).status_code == 302
