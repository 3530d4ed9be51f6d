"""What a mail server's refusals mean and for whom, by a real server on this machine (HR-DUE-13)."""

import socket
from collections.abc import Iterator
from datetime import timedelta
from smtplib import SMTPRecipientsRefused

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from campaign.models import Fault, Invitation, MailWaiting, Notice, Seat, User
from campaign.services.jobs.monitoring import watch_keep
from campaign.services.notifications import email as mails
from campaign.services.notifications.delivery import notices_send
from campaign.services.notifications.email import (
    MailFailed,
    mail_meaning,
    mail_send,
    mail_send_or_keep,
    mails_retry,
)
from campaign.services.seats.invitations import invitation_make, invitation_send, invitation_take_back
from tests.factories.notices import addressed, tell
from tests.factories.people import signed_in
from tests.factories.sinks import MailSink, mail_sink

pytestmark = pytest.mark.django_db
ADDRESS = (
    "The mail server does not take e-mail for john@example.org (550). Check the address and enter it again."
)
SERVER = (
    "This site cannot send e-mail at the moment. The administrator has been notified, and the site tries "
    "again by itself."
)


def later_said(code: int) -> str:
    return f"The mail server could not take the e-mail just now ({code}). The site tries again by itself."


def full_said(code: int) -> str:
    return (
        f"The mailbox of john@example.org is full ({code}), so its mail server takes no e-mail. "
        "Make room in it, or enter another address."
    )


def full_later_said(code: int) -> str:
    return (
        f"The mailbox of john@example.org is full ({code}). Make room in it, or enter another address. "
        "The site tries again by itself."
    )


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


@pytest.fixture
def locked_post(settings, post) -> Iterator[MailSink]:
    """A mail server that wants a password."""
    with mail_sink(password="right") as sink:
        settings.EMAIL_PORT = sink.port
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "club", "right"
        yield sink


def letter() -> EmailMessage:
    return EmailMessage("Hello", "A text.", "The club <campaign@club.example.org>", ["john@example.org"])


def failure() -> MailFailed:
    with pytest.raises(MailFailed) as failed:
        mail_send_or_keep(letter())
    return failed.value


def amiss() -> list[str]:
    return [fault.said for fault in Fault.objects.filter(kind="mail", over_at=None)]


# --- what each refusal means ---


@pytest.mark.parametrize(
    ("command", "answer", "said", "keeper", "final"),
    [
        ("RCPT", "550 No such box", ADDRESS, None, True),
        ("RCPT", "550 5.1.1 User unknown", ADDRESS, None, True),
        ("RCPT", "552 5.2.2 Mailbox full", full_said(552), None, True),
        ("RCPT", "550 5.2.2 Over quota", full_said(550), None, True),
        ("RCPT", "552 Requested action aborted", full_said(552), None, True),
        ("RCPT", "552 5.3.4 Message too big", SERVER, "refuses a recipient (552): 5.3.4", False),
        ("RCPT", "452 4.2.2 Mailbox full", full_later_said(452), None, False),
        ("RCPT", "452 Insufficient system storage", later_said(452), None, False),
        ("RCPT", "553 Bad name", ADDRESS.replace("550", "553"), None, True),
        (
            "RCPT",
            "550 5.7.1 Relaying denied",
            SERVER,
            "refuses a recipient (550): 5.7.1 Relaying",
            False,
        ),
        ("RCPT", "554 Relay access denied", SERVER, "refuses a recipient (554): Relay access denied", False),
        ("RCPT", "450 4.2.0 Greylisted", later_said(450), None, False),
        ("RCPT", "451 Try again", later_said(451), None, False),
        ("RCPT", "421 Closing", later_said(421), "takes no e-mail just now (421): Closing", False),
        ("MAIL", "421 Too many", later_said(421), "takes no e-mail just now (421): Too many", False),
        ("MAIL", "550 Not yours", SERVER, "Not yours. Correct DEFAULT_FROM_EMAIL.", False),
        ("DATA", "450 Later", later_said(450), None, False),
        ("DATA", "550 5.1.1 No such user", ADDRESS, None, True),
        ("DATA", "550 5.2.1 Mailbox disabled", ADDRESS, None, True),
        ("DATA", "552 5.2.2 Mailbox full", full_said(552), None, True),
        ("DATA", "554 5.2.2 Mailbox of the user is over quota", full_said(554), None, True),
        ("DATA", "552 Exceeded storage allocation", full_said(552), None, True),
        ("DATA", "452 4.2.2 The mailbox is full", full_later_said(452), None, False),
        ("DATA", "452 Mailbox full", full_later_said(452), None, False),
        ("DATA", "452 Too many mails", later_said(452), None, False),
        ("DATA", "552 5.3.4 Message too big", SERVER, "refuses e-mail of the site (552): 5.3.4", False),
        ("DATA", "552 Message size exceeds the limit", SERVER, "the site (552): Message size", False),
        ("DATA", "554 5.7.1 Looks like spam", SERVER, "refuses e-mail of the site (554): 5.7.1 Looks", False),
    ],
)
def test_refusals_are_told_apart_hr_due_13(post, command, answer, said, keeper, final):
    post.answers[command] = answer
    failed = failure()
    assert (str(failed), failed.final) == (said, final)
    assert len(amiss()) == (0 if keeper is None else 1)
    assert keeper is None or keeper in amiss()[0]
    assert MailWaiting.objects.exists() == (not final), "kept to be tried again, or not"
    assert post.letters == []


def test_a_wrong_password_is_the_keepers_hr_due_13(locked_post, settings):
    settings.EMAIL_HOST_PASSWORD = "wrong"
    failed = failure()
    assert (str(failed), failed.final) == (SERVER, False)
    (said,) = amiss()
    assert "refuses the site's name and password (535)" in said and said.endswith("Correct EMAIL_URL.")
    assert "wrong" not in said


def test_nobody_at_the_port_is_the_keepers_hr_due_13(post, settings):
    settings.EMAIL_PORT = 1
    assert str(failure()) == SERVER
    assert amiss() == [
        "The mail server 127.0.0.1:1 refuses the connection. Check host and port of EMAIL_URL."
    ]


def test_a_host_that_is_not_found_is_the_keepers_hr_due_13(post, settings):
    settings.EMAIL_HOST = "mail.invalid"
    assert str(failure()) == SERVER
    assert "The host of the mail server is not found: mail.invalid:" in amiss()[0]


def test_a_silent_server_is_the_keepers_hr_due_13(post, settings):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = silent.getsockname()[1], 0.2
        assert str(failure()) == SERVER
    assert "timed out" in amiss()[0] or "not answer in time" in amiss()[0]


def test_an_encrypted_line_that_does_not_come_about_is_the_keepers_hr_due_13(post, settings):
    settings.EMAIL_USE_SSL = True
    assert str(failure()) == SERVER
    assert "No encrypted line to the mail server" in amiss()[0]
    settings.EMAIL_USE_SSL, settings.EMAIL_USE_TLS = False, True
    assert str(failure()) == SERVER
    assert "cannot do what EMAIL_URL asks of it: STARTTLS" in amiss()[0]
    assert len(amiss()) == 1, "one fault, with the latest words"


def test_of_several_recipients_the_worst_counts_hr_due_13():
    refused = SMTPRecipientsRefused({"a@x.org": (450, b"later"), "b@x.org": (550, b"5.1.1 unknown")})
    meaning = mail_meaning(refused)
    assert meaning.final and "b@x.org (550)" in meaning.said


def test_a_servers_words_bring_no_escapes_onto_a_page_or_terminal_hr_due_13():
    refused = SMTPRecipientsRefused({"a@x.org": (554, b"\x1b[31mred\r\n\x00 " + b"x" * 500)})
    said = mail_meaning(refused).keeper
    assert "\x1b" not in said and "\x00" not in said and "\n" not in said and len(said) < 300


# --- the keeper ---


def test_the_fault_is_over_when_e_mail_goes_again_hr_due_13(post):
    post.answers["MAIL"] = "550 Not yours"
    failure()
    assert amiss()
    post.answers.clear()
    mail_send(letter())
    assert amiss() == [] and len(post.letters) == 1


def test_the_watch_asks_the_server_itself_hr_due_13(locked_post, settings):
    settings.EMAIL_HOST_PASSWORD = "wrong"
    failure()
    watch_keep()
    assert amiss(), "it still refuses the password"
    settings.EMAIL_HOST_PASSWORD = "right"
    watch_keep()
    assert amiss() == [] and locked_post.letters == []


def test_administrators_read_it_on_their_own_page_and_others_do_not_hr_due_13(
    saratoga, crown, post, settings
):
    settings.EMAIL_PORT = 1
    failure()
    keeper = signed_in(User.objects.create_superuser("keeper"))
    shown = keeper.get("/").content.decode()
    assert "This site needs your attention" in shown and "refuses the connection" in shown
    assert "refuses the connection" not in crown.get("/").content.decode()


# --- tried again ---


def later(monkeypatch, **after: int) -> None:
    now = timezone.now() + timedelta(**after)
    monkeypatch.setattr(mails.timezone, "now", lambda: now)


def test_what_was_refused_for_now_is_sent_by_itself_hr_due_13(post, monkeypatch):
    post.answers["RCPT"] = "450 4.2.0 Greylisted"
    failure()
    assert "A text." not in MailWaiting.objects.get().sealed
    assert mails_retry() == 0, "not before its time"
    later(monkeypatch, minutes=2)
    assert mails_retry() == 0
    assert MailWaiting.objects.get().attempts == 1
    post.answers.clear()
    later(monkeypatch, minutes=30)
    assert mails_retry() == 1
    ((to, sent),) = post.letters
    assert (to, sent["Subject"], sent["To"]) == (["john@example.org"], "Hello", "john@example.org")
    assert not MailWaiting.objects.exists()
    assert mails_retry() == 0


def test_it_is_given_up_after_a_day_hr_due_13(post, monkeypatch):
    post.answers["RCPT"] = "450 Later"
    failure()
    for _ in range(len(mails.PAUSES)):
        monkeypatch.undo()
        due = MailWaiting.objects.get().due_at
        monkeypatch.setattr(mails.timezone, "now", lambda due=due: due)
        mails_retry()
    assert not MailWaiting.objects.exists()
    assert timedelta(hours=20) < sum(mails.PAUSES, timedelta()) < timedelta(hours=30)


def test_notices_say_the_same_and_are_tried_again_hr_due_08_hr_due_13(saratoga, burgoyne, post):
    post.answers["RCPT"] = "450 Later"
    tell(saratoga, addressed(burgoyne))
    assert notices_send() == 0
    assert (Notice.objects.get().state, Notice.objects.get().error) == ("sending", later_said(450))


# --- invitations ---


def invited(seat: Seat, umpire: User) -> Invitation:
    made, token = invitation_make(campaign=seat.campaign, seat=seat, email="john@example.org", actor=umpire)
    assert not invitation_send(invitation=made, token=token)
    return made


def test_an_invitation_to_a_wrong_address_says_so_and_is_not_tried_again_hr_due_13(empty, carleton, post):
    post.answers["RCPT"] = "550 5.1.1 User unknown"
    made = invited(empty, carleton)
    assert made.letter == ADDRESS
    assert (made.state, MailWaiting.objects.count(), amiss()) == ("open", 0, [])


def test_an_invitation_refused_for_now_is_sent_later_hr_due_13(empty, carleton, post, monkeypatch):
    post.answers["RCPT"] = "450 Later"
    made = invited(empty, carleton)
    assert made.letter == later_said(450)
    post.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 1
    made.refresh_from_db()
    assert made.letter == "" and "/join/" in post.letters[0][1].get_payload()


def test_an_invitation_taken_back_meanwhile_is_not_sent_hr_due_13(empty, carleton, post, monkeypatch):
    post.answers["RCPT"] = "450 Later"
    invitation_take_back(invitation=invited(empty, carleton), actor=carleton)
    post.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 0 and post.letters == [] and not MailWaiting.objects.exists()


def test_the_page_of_seats_says_what_became_of_it_hr_due_13(empty, carleton, post, settings):
    settings.MAIL_IS_SENT = True
    desk, page = signed_in(carleton), "/campaigns/saratoga/seats/"
    prefix = f"invite-{empty.pk}"
    form = {"kind": "invite", "seat": empty.pk, f"{prefix}-email": "john@example.org", f"{prefix}-days": "7"}
    for answer, said in (("550 Unknown", ADDRESS), ("421 Closing", later_said(421))):
        post.answers["RCPT"] = answer
        shown = desk.post(page, form, follow=True).content.decode()
        assert f"The invitation is made, but not sent. {said}" in shown
        assert f"Not sent. {said}" in shown and "is sent to" not in shown
        assert "/join/" in shown, "the link is there to be passed on by hand"


# --- accounts ---

GOOD = "The lake is wide at Crown Point"
JOHN = {"username": "john", "email": "john@example.org", "password1": GOOD, "password2": GOOD}


@pytest.fixture
def with_mail(settings, post) -> MailSink:
    """As with EMAIL_URL set."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = False
    settings.MAIL_IS_SENT = True
    return post


def words(response) -> str:
    return " ".join(response.content.decode().split())


def claims_sent(shown: str) -> bool:
    return any(said in shown for said in ("on its way", "We have sent you", "Check your e-mail"))


def test_a_wrong_address_is_corrected_on_the_form_it_was_entered_in_hr_due_13(with_mail):
    with_mail.answers["RCPT"] = "550 5.1.1 User unknown"
    client = Client()
    answer = client.post("/sign-up/", JOHN, follow=True)
    assert ADDRESS in words(answer) and not claims_sent(words(answer))
    assert not User.objects.filter(username="john").exists(), "the name is free for the next attempt"
    with_mail.answers.clear()
    again = words(client.post("/sign-up/", JOHN, follow=True))
    assert "Check your e-mail" in again and len(with_mail.letters) == 1
    assert ADDRESS not in again


@pytest.mark.parametrize(
    ("command", "answer", "said"),
    [
        ("RCPT", "450 Greylisted", later_said(450)),
        ("RCPT", "421 Closing", later_said(421)),
        ("MAIL", "550 Not yours", SERVER),
    ],
)
def test_who_signs_up_is_told_that_no_e_mail_went_out_yet_hr_due_13(
    with_mail, monkeypatch, command, answer, said
):
    with_mail.answers[command] = answer
    client = Client()
    shown = words(client.post("/sign-up/", JOHN, follow=True))
    assert "The e-mail is not sent" in shown and said in shown
    assert not claims_sent(shown)
    with_mail.answers.clear()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 1
    assert "/account/confirm-email/" in with_mail.letters[0][1].get_payload()


@pytest.mark.parametrize(("answer", "said"), [("450 Later", later_said(450)), ("550 Gone", ADDRESS)])
def test_who_has_forgotten_the_password_likewise_hr_due_13(with_mail, burgoyne, answer, said):
    addressed(burgoyne, "john@example.org")
    with_mail.answers["RCPT"] = answer
    client = Client()
    shown = words(client.post("/account/password/reset/", {"email": "john@example.org"}, follow=True))
    assert said in shown and not claims_sent(shown)
    with_mail.answers.clear()
    assert "Check your e-mail" in words(
        client.post("/account/password/reset/", {"email": "john@example.org"}, follow=True)
    )


def test_another_address_that_is_refused_likewise_hr_due_13(with_mail, burgoyne):
    with_mail.answers["RCPT"] = "550 Unknown"
    client = signed_in(burgoyne)
    client.post("/account/reauthenticate/", {"password": "Gentleman Johnny"})
    shown = words(
        client.post("/account/email/", {"email": "john@example.org", "action_add": ""}, follow=True)
    )
    assert ADDRESS in shown and not claims_sent(shown)


def test_an_e_mail_tried_again_is_the_same_one_to_the_letter_box_hr_due_13(
    empty, carleton, post, monkeypatch
):
    """Whose mail server took it and said so too late: the second is known by its Message-ID."""
    tried = []
    monkeypatch.setattr(EmailMessage, "send", lambda mail: tried.append(mail.message()) or taken_too_late())
    invited(empty, carleton)
    failure()
    later(monkeypatch, minutes=2)
    assert mails_retry() == 0
    names = [mail["Message-ID"] for mail in tried]
    assert len(names) == 4 and names[:2] == names[2:] and len(set(names)) == 2
    assert names[0].endswith("@club.example.org>")


def taken_too_late() -> None:
    raise TimeoutError
