"""A person's ways: added, proved, chosen from, removed (HR-DUE-07)."""

from datetime import time, timedelta

import pytest
from django.core import mail
from django.utils import timezone

from campaign.models import Delivery, Notice, NoticeChannel
from campaign.ops.encryption import compute_fingerprint, decrypt_text, encrypt_text
from campaign.rules.errors import RuleViolation
from campaign.selectors.notifications.notifications import out_of_reach, way_line
from campaign.services.notifications import channels as ways
from campaign.services.notifications.channels import (
    channel_add,
    channel_confirm,
    channel_own,
    channel_remove,
    channel_save,
    channel_secret_new,
    channel_test,
)
from campaign.services.notifications.delivery import notices_expand, notices_send
from tests.factories.notices import addressed, tell

pytestmark = pytest.mark.django_db
Kind = NoticeChannel.Kind
HOOK = "https://club.example.org/hook?key=abc"


def code_of(channel: NoticeChannel) -> str:
    channel.refresh_from_db()
    code = decrypt_text(channel.code)
    assert code is not None
    return code


def refusal(call, **given) -> RuleViolation:
    with pytest.raises(RuleViolation) as refused:
        call(**given)
    assert refused.value.rule_id == "HR-DUE-07"
    return refused.value


def test_an_address_is_kept_sealed_and_never_shown_hr_due_07(burgoyne):
    channel, secret = channel_add(user=burgoyne, kind=Kind.WEBHOOK, address=HOOK, label=" The  club ")
    row = NoticeChannel.objects.values().get()
    assert "key=abc" not in repr(row) and secret not in repr(row) and len(secret) > 40
    assert (channel.shown, channel.label) == ("https://club.example.org/…", "The club")
    assert (decrypt_text(channel.address), decrypt_text(channel.secret)) == (HOOK, secret)
    other, _ = channel_add(user=burgoyne, kind=Kind.MAIL, address="johnny@example.org")
    assert other.shown == "j…@example.org"


def test_what_is_sealed_is_read_with_an_older_key_and_not_with_a_foreign_one(settings):
    sealed, mark = encrypt_text("a"), compute_fingerprint("a")
    old = settings.SECRET_KEY
    settings.SECRET_KEY = "another key of the site, as long as it must be"
    assert decrypt_text(sealed) is None and compute_fingerprint("a") != mark
    settings.SECRET_KEY_FALLBACKS = [old]
    assert decrypt_text(sealed) == "a"


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        ("mail", "nobody"),
        ("mail", "a@b\nBcc: c@d.org"),
        ("mail", "a@example.org, b@example.org"),
        ("webhook", "http://club.example.org/"),
        ("webhook", "ftp://club.example.org/"),
        ("webhook", "https://"),
        ("webhook", "https://user:word@club.example.org/"),
        ("webhook", "https://club.example.org/#part"),
        ("webhook", "https://club.example.org:99999/"),
        ("webhook", "https://[::1/"),
        ("webhook", "https://club.example.org/" + "a" * 500),
        ("service", "https://example.org/api/webhooks/1/abc"),
        ("service", "mailto://user:word@example.org"),
        ("service", "file:///etc/passwd"),
        ("service", "json://127.0.0.1"),
        ("service", "discord://"),
        ("service", "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?template=/etc/passwd"),
        ("service", "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js?Template=file:///etc/passwd"),
        ("service", "tgram://123456789:abcdefg_hijklmnop/12315544/?image=no&template=http://127.0.0.1/"),
        ("service", "nonsense"),
        ("account", "a@example.org"),
        ("pigeon", "a@example.org"),
    ],
)
def test_an_address_that_is_none_is_refused_and_nothing_written_hr_due_07(burgoyne, kind, address):
    assert refusal(channel_add, user=burgoyne, kind=kind, address=address).field in ("address", "kind")
    assert not NoticeChannel.objects.exists()


def test_services_with_an_address_of_their_own_are_known(burgoyne):
    for address in (
        "discord://4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js",
        "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/",
        "tgram://123456789:abcdefg_hijklmnop/12315544/",
    ):
        channel, secret = channel_add(user=burgoyne, kind=Kind.SERVICE, address=address)
        assert channel.shown == address.partition("://")[0] + "://…" and not secret


def test_an_address_is_given_once_and_ways_are_not_without_number_hr_due_07(burgoyne, gates):
    channel_add(user=burgoyne, kind=Kind.WEBHOOK, address=HOOK)
    assert "already" in refusal(channel_add, user=burgoyne, kind=Kind.WEBHOOK, address=HOOK).message
    channel_add(user=gates, kind=Kind.WEBHOOK, address=HOOK)
    for number in range(ways.MOST - 1):
        channel_add(user=burgoyne, kind=Kind.MAIL, address=f"a{number}@example.org")
    assert "remove one" in refusal(channel_add, user=burgoyne, kind="mail", address="b@example.org").message


# --- the test notice ---


def test_a_way_is_proved_by_the_code_of_its_test_notice_hr_due_07(burgoyne, gates):
    channel, _ = channel_add(user=burgoyne, kind=Kind.MAIL, address="johnny@example.org")
    assert not channel.works
    assert "ask for a test" in refusal(channel_confirm, channel=channel, user=burgoyne, code="123456").message
    channel_test(channel=channel, user=burgoyne)
    (letter,) = mail.outbox
    assert letter.to == ["johnny@example.org"] and code_of(channel) in letter.body
    wrong = f"{(int(code_of(channel)) + 1) % 10**6:06}"
    assert refusal(channel_confirm, channel=channel, user=burgoyne, code=wrong).field == "code"
    refusal(channel_confirm, channel=channel, user=gates, code=code_of(channel))
    assert channel_confirm(channel=channel, user=burgoyne, code=f" {code_of(channel)} ").works
    channel.refresh_from_db()
    assert channel.code == ""


def test_a_code_is_not_guessed_and_grows_old_hr_due_07(burgoyne):
    channel, _ = channel_add(user=burgoyne, kind=Kind.MAIL, address="johnny@example.org")
    channel_test(channel=channel, user=burgoyne)
    wrong = f"{(int(code_of(channel)) + 1) % 10**6:06}"
    for _ in range(ways.TRIES):
        refusal(channel_confirm, channel=channel, user=burgoyne, code=wrong)
    told = refusal(channel_confirm, channel=channel, user=burgoyne, code=code_of(channel))
    assert "too often" in told.message
    channel_test(channel=channel, user=burgoyne)
    NoticeChannel.objects.update(code_until=timezone.now() - timedelta(minutes=1))
    told = refusal(channel_confirm, channel=channel, user=burgoyne, code=code_of(channel))
    assert "No code is out" in told.message


def test_nobody_is_showered_with_test_notices_hr_due_07(burgoyne):
    for number in range(ways.TESTS):
        if number == 3:
            channel_remove(channel=NoticeChannel.objects.get(), user=burgoyne)
        if not NoticeChannel.objects.exists():
            channel, _ = channel_add(user=burgoyne, kind=Kind.MAIL, address="enemy@example.org")
        channel_test(channel=channel, user=burgoyne)
    assert "wait" in refusal(channel_test, channel=channel, user=burgoyne).message
    assert len(mail.outbox) == ways.TESTS


def test_where_no_mail_is_sent_nothing_claims_to_go_by_letter_hr_due_07(saratoga, burgoyne, settings):
    """What a site without EMAIL_URL "sends" ends in its log."""
    own = channel_own(user=addressed(burgoyne))
    old, _ = channel_add(user=burgoyne, kind=Kind.MAIL, address="old@example.org")
    NoticeChannel.objects.filter(pk=old.pk).update(verified_at=timezone.now())
    old.refresh_from_db()
    without = {saratoga.pk: ([], [])}
    assert own.works and old.works
    assert out_of_reach({saratoga.pk: [burgoyne]}, timezone.now()) == without
    settings.MAIL_IS_SENT = False
    told = refusal(channel_add, user=burgoyne, kind=Kind.MAIL, address="johnny@example.org")
    assert told.field == "kind" and "sends no mail" in told.message
    for channel in (own, old):
        assert not channel.works and way_line(channel).troubled == "This site sends no mail."
        assert "sends no mail" in refusal(channel_test, channel=channel, user=burgoyne).message
    without = {saratoga.pk: ([], [burgoyne])}
    assert out_of_reach({saratoga.pk: [burgoyne]}, timezone.now()) == without
    tell(saratoga, burgoyne)
    notices_send()
    assert Notice.objects.get().state == "kept" and not Delivery.objects.exists() and not mail.outbox


def test_what_waited_for_a_letter_is_given_up_when_no_mail_is_sent_hr_due_08(saratoga, burgoyne, settings):
    tell(saratoga, addressed(burgoyne))
    notices_expand()
    settings.MAIL_IS_SENT = False
    assert notices_send() == 0 and not mail.outbox
    notice = Notice.objects.get()
    assert (notice.state, notice.error) == ("failed", "This site sends no mail.")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://127.0.0.1/hook", "Its address is not one of the open network."),
        ("https://no-such-host.invalid/hook", "Its host is not found."),
        ("https://club..example.org/hook", "Its host is not found."),  # no name of a host: was a 500
        (f"https://{'a' * 70}.example.org/hook", "Its host is not found."),
    ],
)
def test_a_way_that_cannot_work_says_why_hr_due_07(burgoyne, address, why):
    channel, _ = channel_add(user=burgoyne, kind=Kind.WEBHOOK, address=address)
    assert why in refusal(channel_test, channel=channel, user=burgoyne).message
    channel.refresh_from_db()
    line = way_line(channel)
    assert why in line.troubled and "did not arrive" in line.troubled and "remove this way" in line.troubled


# --- what goes by it ---


def test_kinds_and_hour_are_chosen_by_its_person_hr_due_07(burgoyne, gates):
    channel = channel_own(user=burgoyne)
    assert channel_own(user=burgoyne) == channel and not channel.works
    given = {"kinds": ["due", "late"], "daily_at": time(18), "on": True}
    saved = channel_save(channel=channel, user=burgoyne, **given)
    assert set(Notice.Kind.values) - set(saved.left_out) == {"due", "late"}
    refusal(channel_save, channel=channel, user=gates, **given)
    told = refusal(channel_save, channel=channel, user=burgoyne, kinds=["gossip"], daily_at=None)
    assert told.field == "kinds"


def test_a_new_secret_is_a_webhooks_and_its_owners_hr_due_07(burgoyne, gates):
    channel, first = channel_add(user=burgoyne, kind=Kind.WEBHOOK, address=HOOK)
    second = channel_secret_new(channel=channel, user=burgoyne)
    channel.refresh_from_db()
    assert second != first and decrypt_text(channel.secret) == second
    refusal(channel_secret_new, channel=channel, user=gates)
    refusal(channel_secret_new, channel=channel_own(user=burgoyne), user=burgoyne)


def test_a_way_removed_leaves_no_notice_waiting_for_it_hr_due_07(burgoyne, gates, saratoga):
    channel, _ = channel_add(user=burgoyne, kind=Kind.WEBHOOK, address=HOOK)
    notice = Notice.objects.create(
        campaign=saratoga, user=burgoyne, kind="published", subject="record 1", state="sending"
    )
    Delivery.objects.create(notice=notice, channel=channel, attempts=2)
    refusal(channel_remove, channel=channel, user=gates)
    refusal(channel_remove, channel=channel_own(user=burgoyne), user=burgoyne)
    channel_remove(channel=channel, user=burgoyne)
    notice.refresh_from_db()
    assert notice.state == "kept" and not Delivery.objects.exists()
