"""A mail server that takes its time holds up neither a page nor the clock (HR-DUE-13)."""

import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.utils import timezone

from campaign.models import Invitation, MailWaiting, Notice, User
from campaign.rules.errors import RuleViolation
from campaign.services.jobs.monitoring import message_tell, watch_keep
from campaign.services.notifications import email as mails
from campaign.services.notifications.channels import (
    channel_add,
    channel_confirm,
    channel_remove,
    channel_test,
)
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.email import WAITS_SAID, mails_retry
from campaign.services.setup.drafts import links_send
from campaign.web.shown_once import secret_look
from tests.campaign.services.notifications.test_email import SERVER, amiss, failure, later, later_said
from tests.campaign.web.setup.test_pages_pages import filled, page
from tests.factories.notices import addressed, tell
from tests.factories.people import signed_in
from tests.factories.sinks import SlowMail, slow_mail

pytestmark = pytest.mark.django_db

SLOW = "The mail server 127.0.0.1:{port} does not answer in time. Check host and port of EMAIL_URL."


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


@pytest.fixture
def slow(settings, post, monkeypatch) -> Iterator[SlowMail]:
    """A mail server that always says something and never gets to the end."""
    monkeypatch.setattr(mails, "PAGE_SECONDS", 0.3)
    monkeypatch.setattr(mails, "SECONDS", 0.3)
    settings.MAIL_IS_SENT = True
    with slow_mail() as server:
        settings.EMAIL_PORT = server.port
        yield server
        assert server.calls and server.cut_off.wait(10), "the connection was cut"


def test_a_server_that_dribbles_is_given_up_in_time_hr_due_13(slow):
    failed = failure()
    assert (str(failed), failed.final) == (SERVER, False)
    assert amiss() == [SLOW.format(port=slow.port)]
    assert MailWaiting.objects.count() == 1, "kept to be tried again"


def test_no_page_waits_for_a_slow_server_hr_due_13(slow, empty, carleton):
    desk, prefix = signed_in(carleton), f"invite-{empty.pk}"
    form = {"kind": "invite", "seat": empty.pk, f"{prefix}-email": "john@example.org", f"{prefix}-days": "7"}
    shown = desk.post("/campaigns/saratoga/seats/", form, follow=True).content.decode()
    assert f"The invitation is made, but not sent. {SERVER}" in shown
    assert MailWaiting.objects.count() == 1


def test_a_test_notice_that_could_not_be_sent_is_tried_again_as_it_says_hr_due_13(
    post, carleton, monkeypatch
):
    way, _ = channel_add(user=carleton, kind="mail", address="john@example.org")
    post.answers["RCPT"] = "450 Later"
    with pytest.raises(RuleViolation) as refused:
        channel_test(channel=way, user=carleton)
    assert refused.value.message == f"The test notice did not arrive: {later_said(450)}"
    post.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 1
    code = re.search(r"Its code: (\d{6})", post.letters[0][1].get_payload())[1]
    assert channel_confirm(channel=way, user=carleton, code=code).verified_at is not None


def test_a_slow_server_stops_neither_clock_nor_watch_hr_due_13(slow, saratoga, burgoyne):
    tell(saratoga, addressed(burgoyne))
    assert notices_send() == 0
    assert Notice.objects.get().state == "sending"
    MailWaiting.objects.create(sealed="", due_at=timezone.now())
    failure()
    MailWaiting.objects.update(due_at=timezone.now())
    assert mails_retry() == 0
    watch_keep()
    assert amiss() == [SLOW.format(port=slow.port)]
    assert slow.calls == 4, "notice, e-mail, e-mail again, and the watch's question"


def test_what_is_amiss_is_mailed_later_to_the_administrator_hr_due_13(post, settings, monkeypatch):
    settings.FAULT_MAIL = ["keeper@example.org"]
    post.answers["RCPT"] = "450 Later"
    message_tell(queue="celery", name="1", why="it is no message")
    assert post.letters == []
    post.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 1
    assert "put aside as broker/aside/1" in post.letters[0][1].get_payload()


def test_all_invitations_of_a_set_up_wait_no_longer_than_one_hr_due_13(slow, monkeypatch):
    """The first is not answered in time, the rest waits untried; the links are kept before any is sent."""
    kept = []

    def sending(given):
        kept.append(secret_look(hand.session, "setup_links"))
        return links_send(given)

    monkeypatch.setattr("campaign.web.setup.pages.links_send", sending)
    User.objects.create_user("fraser")
    hand = signed_in(User.objects.create_user("anna"))
    draft = filled(hand)
    answer = hand.post(page(draft, "review"))
    assert slow.calls == 1 and MailWaiting.objects.count() == 2
    assert [link["token"] != "" for link in kept[0]["links"]].count(True) == 4
    assert Invitation.objects.filter(letter=SERVER).count() == 1
    assert Invitation.objects.filter(letter=WAITS_SAID).count() == 1
    assert hand.get(answer.url).content.decode().count("/join/") == 4, "to be passed on by hand, too"


def test_of_test_notices_that_wait_only_the_last_of_a_channel_is_sent_hr_due_13(post, carleton, monkeypatch):
    """Its code alone is good; with the channel it is dropped, too."""
    way, _ = channel_add(user=carleton, kind="mail", address="john@example.org")
    other, _ = channel_add(user=carleton, kind="mail", address="jack@example.org")
    post.answers["RCPT"] = "450 Later"
    for each in (other, way, way, way):
        with pytest.raises(RuleViolation):
            channel_test(channel=each, user=carleton)
    assert MailWaiting.objects.count() == 2
    channel_remove(channel=other, user=carleton)
    post.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 1
    [(to, sent)] = post.letters
    code = re.search(r"Its code: (\d{6})", sent.get_payload())[1]
    assert to == ["john@example.org"]
    assert channel_confirm(channel=way, user=carleton, code=code).verified_at is not None
