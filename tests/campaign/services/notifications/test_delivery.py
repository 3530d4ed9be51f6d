"""Notices on their ways, to a mail server and a web server of the tests' own (HR-DUE-03, HR-DUE-08)."""

import hashlib
import hmac
import json
import time as clocks
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from campaign.models import Delivery, Notice, NoticeChannel
from campaign.ops.encryption import decrypt_text, encrypt_text
from campaign.services.notifications import delivery as sending
from campaign.services.notifications.channels import channel_add, channel_own, channel_save
from campaign.services.notifications.delivery import notices_expand, notices_send
from campaign.services.notifications.notifications import Kind, notice_again
from campaign.services.notifications.transports import Message, NotReached, message_send
from campaign.services.seats.absences import quiet_hours_set
from tests.factories.notices import addressed, tell

pytestmark = pytest.mark.django_db
EVERY = list(Notice.Kind.values)


def proved(user, kind: str, address: str, **more) -> NoticeChannel:
    channel, _ = channel_add(user=user, kind=kind, address=address)
    NoticeChannel.objects.filter(pk=channel.pk).update(verified_at=timezone.now(), **more)
    channel.refresh_from_db()
    return channel


def later(monkeypatch, moment: datetime) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


# --- mail ---


def test_a_letter_arrives_once_under_its_name_hr_due_03(saratoga, burgoyne, post):
    tell(saratoga, addressed(burgoyne))
    assert notices_send() == 1 and notices_send() == 0
    ((to, letter),) = post.letters
    key = Delivery.objects.get().key
    assert to == ["johnny@example.org"] and letter["X-Notice-Id"] == key
    assert letter["Message-ID"] == f"<{key}@club.example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    text = letter.get_payload(decode=True).decode()
    assert (
        "The campaign was played on." in text
        and "/campaigns/saratoga/" in text
        and "/account/notices/" in text
    )
    assert Notice.objects.get().state == "sent"


def test_an_address_the_mail_server_does_not_know_is_not_tried_again_hr_due_08(saratoga, burgoyne, post):
    post.refused.add("johnny@example.org")
    tell(saratoga, addressed(burgoyne))
    assert notices_send() == 0
    notice = Notice.objects.get()
    assert (notice.state, notice.error) == (
        "failed",
        "The mail server does not take e-mail for johnny@example.org (550). Check the address and enter it "
        "again.",
    )
    post.refused.clear()
    notice_again(notice=notice, actor=burgoyne)
    assert notices_send() == 1 and Notice.objects.get().state == "sent"


def test_a_mail_server_that_is_down_is_waited_for_ever_longer_hr_due_08(
    saratoga, burgoyne, settings, monkeypatch
):
    settings.EMAIL_BACKEND = "campaign.ops.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    tell(saratoga, addressed(burgoyne))
    now = timezone.now()
    waited = []
    for _ in range(sending.ATTEMPTS):
        later(monkeypatch, now)
        assert notices_send() == 0
        row = Delivery.objects.get()
        if row.state == "failed":
            break
        waited.append(row.due_at - now)
        later(monkeypatch, row.due_at - timedelta(seconds=1))
        notices_send()
        assert Delivery.objects.get().attempts == row.attempts  # not before its time
        now = row.due_at
    assert waited == list(sending.PAUSES) and waited == sorted(waited)
    assert (row.attempts, Notice.objects.get().state) == (sending.ATTEMPTS, "failed")
    channel = NoticeChannel.objects.get()
    assert channel.failing_since is not None and channel.error


# --- webhooks ---


def test_a_webhook_is_signed_over_time_and_body_hr_due_07(saratoga, burgoyne, web):
    channel = proved(burgoyne, "webhook", f"{web.url}/hook?club=1")
    tell(saratoga, burgoyne, kind=Kind.BATTLE, subject="battle 7")
    assert notices_send() == 1
    (posted,) = web.posted
    secret = decrypt_text(channel.secret)
    stamp = posted.headers["webhook-timestamp"]
    right = hmac.new(secret.encode(), f"{stamp}.".encode() + posted.body, hashlib.sha256).hexdigest()
    assert posted.headers["webhook-signature"] == f"v1={right}"
    assert abs(int(stamp) - clocks.time()) < 60 and posted.path == "/hook?club=1"
    told = json.loads(posted.body)
    assert told["id"] == posted.headers["webhook-id"] == Delivery.objects.get().key
    (item,) = told["notices"]
    assert (item["kind"], item["campaign"]) == ("battle", "saratoga")
    assert item["url"].endswith("/campaigns/saratoga/battles/7/")


def test_what_the_document_says_of_signatures_is_so_hr_due_07(saratoga, burgoyne, web, monkeypatch):
    channel = proved(burgoyne, "webhook", f"{web.url}/hook")
    tell(saratoga, burgoyne)
    notices_send()
    (posted,) = web.posted
    text = (Path(__file__).parents[4] / "docs/notices.md").read_text(encoding="utf-8")
    code: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], code)  # the document's own lines
    given = {name.title(): value for name, value in posted.headers.items()}
    secret = decrypt_text(channel.secret)
    assert code["is_ours"](secret, given, posted.body)
    assert not code["is_ours"]("another", given, posted.body)
    assert not code["is_ours"](secret, given, posted.body + b" ")
    now = clocks.time()
    monkeypatch.setattr(clocks, "time", lambda: now + 301)
    assert not code["is_ours"](secret, given, posted.body)  # caught, and sent again later


@pytest.mark.parametrize(
    ("status", "final"), [(500, False), (429, False), (404, True), (410, True), (302, True)]
)
def test_a_webhook_is_asked_again_unless_it_says_no_hr_due_08(saratoga, burgoyne, web, status, final):
    web.status, web.location = status, f"{web.url}/elsewhere"
    proved(burgoyne, "webhook", f"{web.url}/hook")
    tell(saratoga, burgoyne)
    assert notices_send() == 0
    assert [posted.path for posted in web.posted] == ["/hook"]  # nothing is followed
    assert Notice.objects.get().state == ("failed" if final else "sending")
    web.status = 204
    Delivery.objects.update(due_at=timezone.now())
    assert notices_send() == int(not final)
    assert len({posted.headers["webhook-id"] for posted in web.posted}) == 1


def test_a_webhook_never_leads_inside_hr_due_07(saratoga, burgoyne, web, settings):
    channel = proved(burgoyne, "webhook", f"{web.url}/hook")
    settings.NOTICE_PRIVATE_ADDRESSES = False
    tell(saratoga, burgoyne)
    assert notices_send() == 0 and not web.posted
    assert Notice.objects.get().error == "Its address is not one of the open network."
    with pytest.raises(NotReached) as refused:
        message_send(Message("k", "s", "t"), channel)
    assert refused.value.final


def test_an_address_under_a_lost_key_is_told_as_that_hr_due_07(saratoga, burgoyne, web, settings):
    proved(burgoyne, "webhook", f"{web.url}/hook")
    settings.SECRET_KEY = "another key of the site, as long as it must be"
    tell(saratoga, burgoyne)
    assert notices_send() == 0 and "add it anew" in Notice.objects.get().error


def test_a_service_is_reached_through_apprise_hr_due_07(saratoga, burgoyne, web):
    proved(burgoyne, "service", f"json://127.0.0.1:{web.port}/club?redirect=yes")
    tell(saratoga, burgoyne)
    assert notices_send() == 1
    (posted,) = web.posted
    told = json.loads(posted.body)
    assert "a day has been played" in told["title"] and "/campaigns/saratoga/" in told["message"]


def test_a_service_inside_is_refused_and_its_redirects_not_followed_hr_due_07(
    saratoga, burgoyne, web, settings
):
    proved(burgoyne, "service", f"json://127.0.0.1:{web.port}/club?redirect=yes")
    web.status, web.location = 307, f"{web.url}/elsewhere"
    tell(saratoga, burgoyne)
    assert notices_send() == 0 and {posted.path for posted in web.posted} == {"/club"}
    web.posted.clear()
    settings.NOTICE_PRIVATE_ADDRESSES = False
    Delivery.objects.update(due_at=timezone.now())
    assert notices_send() == 0 and not web.posted


# --- which way, and when ---


def test_reached_by_one_way_is_reached_hr_due_08(saratoga, burgoyne, web, post):
    web.status = 404
    proved(burgoyne, "webhook", f"{web.url}/hook")
    tell(saratoga, addressed(burgoyne))
    assert notices_send() == 1
    assert Notice.objects.get().state == "sent"
    assert sorted(Delivery.objects.values_list("state", flat=True)) == ["failed", "sent"]


def test_a_notice_goes_by_the_ways_that_carry_its_kind_hr_due_07(saratoga, burgoyne, gates, post):
    own = channel_own(user=addressed(burgoyne))
    channel_save(channel=own, user=burgoyne, kinds=["due"], daily_at=None)
    channel_add(user=burgoyne, kind="mail", address="other@example.org")  # not proved
    tell(saratoga, burgoyne, gates)
    tell(saratoga, burgoyne, kind=Kind.DUE, subject=timezone.now().isoformat())
    assert notices_send() == 1
    assert [to for to, _ in post.letters] == [["johnny@example.org"]]
    assert dict(Notice.objects.filter(user=burgoyne).values_list("kind", "state")) == {
        "published": "kept",
        "due": "sent",
    }
    assert Notice.objects.get(user=gates).state == "kept"  # he has no address


def test_sleepers_keep_nobody_elses_notices_from_going_hr_due_05(
    saratoga, burgoyne, gates, post, monkeypatch
):
    monkeypatch.setattr(sending, "MOST", 1)  # two are looked at in a stroke
    now = timezone.now()
    quiet_hours_set(
        user=addressed(burgoyne),
        quiet_from=(now - timedelta(hours=1)).time(),
        quiet_until=(now + timedelta(hours=1)).time(),
    )
    for number in range(3):
        tell(saratoga, burgoyne, subject=f"record {number}")
        notices_expand()
    tell(saratoga, addressed(gates, "gates@example.org"))
    assert notices_send() == 1
    assert [to for to, _ in post.letters] == [["gates@example.org"]]
    quiet_hours_set(user=burgoyne, quiet_from=None, quiet_until=None)
    assert notices_send() == 2


def test_a_digest_waits_for_its_hour_and_goes_out_once_hr_due_07(saratoga, burgoyne, post, monkeypatch):
    addressed(burgoyne)
    burgoyne.time_zone = "America/New_York"
    burgoyne.save()
    own = channel_own(user=burgoyne)
    channel_save(channel=own, user=burgoyne, kinds=EVERY, daily_at=time(18))
    noon = datetime(2026, 6, 1, 16, tzinfo=UTC)  # noon in New York
    later(monkeypatch, noon)
    for subject in ("record 1", "record 2"):
        tell(saratoga, burgoyne, subject=subject)
    tell(saratoga, burgoyne, kind=Kind.DUE, subject=noon.isoformat())
    assert notices_send() == 1  # what is about a deadline never waits
    assert "orders are due" in post.letters.pop()[1]["Subject"]
    assert set(Delivery.objects.filter(daily=True).values_list("due_at", flat=True)) == {
        datetime(2026, 6, 1, 22, tzinfo=UTC)
    }
    later(monkeypatch, noon + timedelta(hours=6))
    monkeypatch.setattr(sending, "message_send", lambda *args: (_ for _ in ()).throw(NotReached("down")))
    assert notices_send() == 0
    batch = set(Delivery.objects.filter(daily=True).values_list("batch", flat=True))
    monkeypatch.undo()
    later(monkeypatch, noon + timedelta(hours=7))
    tell(saratoga, burgoyne, subject="record 3")  # of the next digest
    assert notices_send() == 1
    ((_, letter),) = post.letters
    assert letter["Subject"] == "2 notices of your campaigns" and len(batch) == 1
    assert letter["X-Notice-Id"] in batch


def test_mail_off_is_off_hr_due_07(saratoga, burgoyne, post):
    own = channel_own(user=addressed(burgoyne))
    channel_save(channel=own, user=burgoyne, kinds=EVERY, daily_at=None, on=False)
    tell(saratoga, burgoyne)
    assert notices_send() == 0 and not post.letters and Notice.objects.get().state == "kept"


def test_what_waits_heeds_what_its_person_says_meanwhile_hr_due_07(saratoga, burgoyne, gates, post):
    own = channel_own(user=addressed(burgoyne))
    evening = (timezone.now() + timedelta(hours=2)).time()
    channel_save(channel=own, user=burgoyne, kinds=EVERY, daily_at=evening)
    tell(saratoga, burgoyne)
    tell(saratoga, burgoyne, kind=Kind.LETTER, subject="letter 1")
    assert notices_send() == 0
    channel_save(channel=own, user=burgoyne, kinds=["published"], daily_at=evening)
    assert Delivery.objects.get().notice.kind == "published"
    assert Notice.objects.get(kind="letter").state == "kept"
    channel_save(channel=own, user=burgoyne, kinds=EVERY, daily_at=None)
    assert notices_send() == 1
    tell(saratoga, addressed(gates, "gates@example.org"))
    gates.is_active = False
    gates.save()
    assert notices_send() == 0 and Notice.objects.get(user=gates).state == "kept"


def test_a_notice_of_before_there_were_ways_is_not_stuck(saratoga, burgoyne):
    """A release finds notices that wait: they go out."""
    Notice.objects.create(campaign=saratoga, user=addressed(burgoyne), kind="published", subject="r")
    assert notices_expand() == 1 and notices_expand() == 0
    assert Delivery.objects.get().state == "pending"


def test_a_service_that_is_allowed_no_more_is_told_as_that(saratoga, burgoyne, settings):
    channel = proved(burgoyne, "webhook", "https://club.example.org/")
    NoticeChannel.objects.update(kind="service", address=encrypt_text("json://127.0.0.1"))
    channel.refresh_from_db()
    with pytest.raises(NotReached, match="not known here") as refused:
        message_send(Message("k", "s", "t"), channel)
    assert refused.value.final


def test_a_slow_way_holds_up_no_other_hr_due_08(saratoga, carleton, burgoyne, post, web, monkeypatch):
    """What else it has comes after all others', in this stroke and, once it failed, in those that follow."""
    hands = [100.0]  # of a clock that what is slow moves on, and nothing else
    monkeypatch.setattr(sending, "time", SimpleNamespace(monotonic=lambda: hands[0]))
    NoticeChannel.objects.create(user=carleton, kind=NoticeChannel.Kind.ACCOUNT, on=False)
    hook = proved(carleton, NoticeChannel.Kind.WEBHOOK, web.url)
    arrived = []
    sent = sending._send_deliveries

    def noted(rows):
        arrived.append(rows[0].channel.kind)
        if rows[0].channel == hook:
            hands[0] += sending.SLOW + 1
        return sent(rows)

    monkeypatch.setattr(sending, "_send_deliveries", noted)
    for number in range(3):
        tell(saratoga, carleton, subject=f"record {number}")
    for number in range(3):
        tell(saratoga, addressed(burgoyne), subject=f"record {number}")
    assert notices_send() == 6
    assert arrived == ["webhook", "account", "account", "account", "webhook", "webhook"]
    arrived.clear()
    NoticeChannel.objects.filter(pk=hook.pk).update(failing_since=timezone.now())
    tell(saratoga, carleton, subject="record 9")
    tell(saratoga, burgoyne, subject="record 9")
    assert notices_send() == 2
    assert arrived == ["account", "webhook"]


@pytest.mark.parametrize(
    ("state", "put_off", "goes"),
    [
        ("pending", {"due_at": 3 * 24}, True),
        ("pending", {"due_at": 23}, False),
        ("sending", {"lease_until": 24}, True),
        ("sending", {"lease_until": 0.04}, False),
    ],
)
def test_what_was_put_off_before_time_was_set_back_is_sent(saratoga, gates, state, put_off, goes):
    addressed(gates)
    tell(saratoga, gates)
    notices_expand()
    hours = {name: timezone.now() + timedelta(hours=count) for name, count in put_off.items()}
    Delivery.objects.update(state=state, **hours)
    assert notices_send() == (1 if goes else 0)
