"""E-mail that could not even be sent: by the settings, the server's answer or the address (HR-DUE-13)."""

import binascii
from smtplib import SMTPException

import pytest
from django.core.mail import EmailMessage

from campaign.models import MailWaiting
from campaign.services.notifications.email import MailFailed, mail_meaning, mail_send_or_keep
from tests.campaign.services.notifications.test_email import SERVER, amiss, failure
from tests.factories.sinks import mail_sink

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("host", ["smtp..example.org", f"{'a' * 70}.example.org", "."])
def test_a_host_that_cannot_be_looked_up_is_the_keepers_hr_due_13(post, settings, host: str):
    """The page that sent the e-mail was a 500."""
    settings.EMAIL_HOST = host
    assert failure().meaning.said == SERVER
    assert amiss()[0].startswith(f"The host of the mail server is not found: {host}:")
    assert MailWaiting.objects.count() == 1


def test_a_password_with_letters_smtp_does_not_know_is_the_keepers_hr_due_13(post, settings):
    with mail_sink(password="right") as sink:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", sink.port
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "club", "gehe\u00edm"
        assert failure().meaning.said == SERVER
    told = "The name or password in EMAIL_URL has letters that mail servers do not take. Change it."
    assert amiss() == [told]


def test_an_address_that_cannot_be_written_is_for_the_person_hr_due_13(post):
    to = f"john@{'x' * 70}\u00e9.example.org"
    with pytest.raises(MailFailed) as failed:
        mail_send_or_keep(EmailMessage("Hello", "A text.", "club@club.example.org", [to]))
    told = f"No e-mail can be addressed to {to}. Check the address and enter it again."
    assert (failed.value.meaning.said, failed.value.final, amiss()) == (told, True, [])
    assert not MailWaiting.objects.exists()


@pytest.mark.parametrize(
    ("error", "keeper"),
    [
        (
            SMTPException("No suitable authentication method found."),
            "The mail server and EMAIL_URL do not go together: No suitable authentication method found.",
        ),
        (binascii.Error("Incorrect padding"), "answers what is not SMTP: Incorrect padding."),
    ],
)
def test_a_way_of_signing_in_that_fails_is_the_keepers_hr_due_13(error: OSError | ValueError, keeper: str):
    meaning = mail_meaning(error)
    assert meaning.said == SERVER and meaning.keeper.endswith(keeper) and not meaning.final
