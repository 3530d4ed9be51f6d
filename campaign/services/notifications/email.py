"""E-mail given to the mail server: its refusals explained, and what is tried again (HR-DUE-13).

A refused address is for the person to correct. A mail server that does not work is for the administrator,
who is told by a `Fault`. What may still succeed is kept, sealed, and tried again with growing pauses.
"""

import binascii
import json
import logging
import re
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import make_msgid, parseaddr
from smtplib import (
    SMTPAuthenticationError,
    SMTPConnectError,
    SMTPDataError,
    SMTPException,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from socket import gaierror
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.message import EmailMessage
from django.db import IntegrityError, transaction
from django.utils import timezone

from campaign.models import Fault, Invitation, MailWaiting, NoticeChannel
from campaign.ops.encryption import decrypt_text, encrypt_text
from campaign.ops.smtp import run_within

logger = logging.getLogger(__name__)

#: How long after an attempt that failed the next one comes; after the last nobody tries any more.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 15 * 60))
#: What is tried again in one stroke of the clock.
MOST = 50
#: Seconds that one e-mail may take, from the first word to the last: of a worker, and while somebody waits
#: for the page.
SECONDS, PAGE_SECONDS = 20.0, 5.0
#: Seconds in which no further e-mail is begun: the clock and other jobs wait meanwhile.
BUDGET = 20.0
#: What an attempt raises: smtplib's errors are OSErrors. A host that cannot be looked up, a password that
#: cannot be sent and an answer that is no base64 are ValueErrors.
ATTEMPT_ERRORS = (OSError, ValueError)
#: The subject of the one fault about the mail server.
SUBJECT = "mail server"
#: Answers to RCPT that speak of the address where no enhanced code says more (RFC 5321, 4.2.3).
OF_ADDRESS = (501, 550, 551, 552, 553, 555)

ADDRESS_SAID = (
    "The mail server does not take e-mail for {address} ({code}). Check the address and enter it again."
)
FULL_SAID = (
    "The mailbox of {address} is full ({code}), so its mail server takes no e-mail. Make room in it, or "
    "enter another address."
)
FULL_LATER_SAID = (
    "The mailbox of {address} is full ({code}). Make room in it, or enter another address. The site tries "
    "again by itself."
)
UNWRITTEN_SAID = "No e-mail can be addressed to {address}. Check the address and enter it again."
LATER_SAID = "The mail server could not take the e-mail just now ({code}). The site tries again by itself."
WAITS_SAID = "The e-mail has not been sent yet. The site sends it by itself."
SERVER_SAID = (
    "This site cannot send e-mail at the moment. The administrator has been notified, and the site tries "
    "again by itself."
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Explanation of a failure: `said` for the person, `keeper` for the administrator; each may be ""."""

    said: str
    keeper: str = ""
    final: bool = False


class MailFailed(Exception):
    """The mail server has not taken an e-mail; `meaning` says why and for whom."""

    def __init__(self, meaning: Meaning) -> None:
        super().__init__(meaning.said)
        self.meaning = meaning

    @property
    def final(self) -> bool:
        return self.meaning.final


def mail_send(mail: EmailMessage, *, seconds: float | None = None) -> None:
    """Hand an e-mail to the mail server, once. Raises MailFailed; the administrator is told or untold."""
    try:
        run_within(SECONDS if seconds is None else seconds, mail.send)
    except ATTEMPT_ERRORS as error:
        meaning = mail_meaning(error, ", ".join(mail.to))
        logger.warning("An e-mail could not be sent: %s", meaning.keeper or meaning.said)
        if meaning.keeper:
            _fault_open(meaning.keeper)
        raise MailFailed(meaning) from error
    _fault_close()


def mail_send_or_keep(
    mail: EmailMessage,
    *,
    invitation: Invitation | None = None,
    channel: NoticeChannel | None = None,
    seconds: float | None = None,
) -> None:
    """The same while somebody waits; what may still succeed is kept and tried again by itself.

    Raises MailFailed all the same.
    """
    _set_message_id(mail)
    try:
        mail_send(mail, seconds=PAGE_SECONDS if seconds is None else seconds)
    except MailFailed as failure:
        if not failure.final:
            _keep_email(mail, timezone.now() + PAUSES[0], invitation=invitation, channel=channel)
        raise


def mails_send_or_keep(mails: Iterable[tuple[EmailMessage, Invitation]]) -> list[str]:
    """Send several in the time of one; gives what to say of each, "" for those sent.

    Once half the time is gone or the mail server does not work, the rest is kept untried: the clock sends it.
    """
    until, said = time.monotonic() + PAGE_SECONDS, []
    for mail, invitation in mails:
        left = until - time.monotonic()
        if left < PAGE_SECONDS / 2:
            _keep_email(mail, timezone.now(), invitation=invitation)
            said.append(WAITS_SAID)
            continue
        try:
            mail_send_or_keep(mail, invitation=invitation, seconds=left)
        except MailFailed as failure:
            said.append(failure.meaning.said)
            if failure.meaning.keeper and not failure.final:
                until = time.monotonic()
        else:
            said.append("")
    return said


def _keep_email(mail: EmailMessage, due_at: datetime, **about: Any) -> None:
    _set_message_id(mail)
    MailWaiting.objects.create(
        sealed=encrypt_text(json.dumps(_serialize_email(mail))), due_at=due_at, **about
    )


def _set_message_id(mail: EmailMessage) -> None:
    """Set an e-mail's Message-ID before the first attempt, so that mailboxes can recognise a repeat."""
    host = parseaddr(mail.from_email)[1].rpartition("@")[2] or "localhost"
    mail.extra_headers.setdefault("Message-ID", make_msgid(domain=host))


def mails_retry() -> int:
    """Try again what waits and is due; returns how many e-mails went out. Safe by two workers at once."""
    sent, began = 0, time.monotonic()
    for pk in MailWaiting.objects.filter(due_at__lte=timezone.now()).values_list("pk", flat=True)[:MOST]:
        if time.monotonic() - began > BUDGET:  # a server that does not answer must not stop the clock
            break
        with transaction.atomic():
            row = MailWaiting.objects.select_for_update(skip_locked=True).filter(pk=pk).first()
            if row is None or row.due_at > timezone.now():
                continue
            # held for longer than an attempt takes: a worker that dies leaves it to be tried again
            row.attempts, row.due_at = row.attempts + 1, timezone.now() + PAUSES[1]
            row.save(update_fields=["attempts", "due_at"])
        sent += _retry_email(row)
    return sent


def mail_meaning(error: OSError | ValueError, address: str = "") -> Meaning:
    """Explain an error of smtplib or the network."""
    if isinstance(error, ValueError) and not isinstance(error, OSError):
        return _of_value(error, address)
    if isinstance(error, SMTPRecipientsRefused):
        return _of_recipients(error)
    if isinstance(error, SMTPServerDisconnected):
        return Meaning(SERVER_SAID, f"The mail server breaks off the connection: {_describe_error(error)}.")
    if isinstance(error, SMTPNotSupportedError):
        return Meaning(
            SERVER_SAID, f"The mail server cannot do what EMAIL_URL asks of it: {_describe_error(error)}."
        )
    if isinstance(error, SMTPResponseException):
        return _of_answer(error, address)
    if type(error) is SMTPException:  # no way of signing in is known to both
        return Meaning(
            SERVER_SAID, f"The mail server and EMAIL_URL do not go together: {_describe_error(error)}."
        )
    if isinstance(error, ssl.SSLError):
        return Meaning(
            SERVER_SAID,
            f"No encrypted line to the mail server {_describe_server()}: {_describe_error(error)}. "
            "Check scheme and port of "
            "EMAIL_URL, and the server's certificate.",
        )
    if isinstance(error, TimeoutError):
        return Meaning(SERVER_SAID, f"The mail server {_describe_server()} does not answer in time. {_CHECK}")
    if isinstance(error, ConnectionRefusedError):
        return Meaning(SERVER_SAID, f"The mail server {_describe_server()} refuses the connection. {_CHECK}")
    if isinstance(error, gaierror):
        return Meaning(
            SERVER_SAID, f"The host of the mail server is not found: {_describe_server()}. {_CHECK}"
        )
    return Meaning(
        SERVER_SAID,
        f"The mail server {_describe_server()} cannot be reached: {_describe_error(error)}. {_CHECK}",
    )


_CHECK = "Check host and port of EMAIL_URL."


def _of_value(error: ValueError, address: str) -> Meaning:
    """The reason why a message could not be sent: settings, the server's answer or the address."""
    if not f"{settings.EMAIL_HOST_USER}{settings.EMAIL_HOST_PASSWORD}".isascii():
        return Meaning(
            SERVER_SAID,
            "The name or password in EMAIL_URL has letters that mail servers do not take. Change it.",
        )
    try:
        settings.EMAIL_HOST.encode("idna")
    except UnicodeError:
        return Meaning(
            SERVER_SAID, f"The host of the mail server is not found: {_describe_server()}. {_CHECK}"
        )
    if isinstance(error, binascii.Error):
        return Meaning(
            SERVER_SAID,
            f"The mail server {_describe_server()} answers what is not SMTP: {_describe_error(error)}.",
        )
    return Meaning(UNWRITTEN_SAID.format(address=address), final=True)


def _of_recipients(error: SMTPRecipientsRefused) -> Meaning:
    refused = [(address, code, _clean_text(said)) for address, (code, said) in error.recipients.items()]
    if not refused:
        return Meaning(SERVER_SAID, "The mail server refuses every recipient.")
    address, code, said = max(refused, key=lambda each: each[1])
    if _is_mailbox_full(code, said):
        return _explain_full_mailbox(code, address)
    if code < 500:
        return _explain_temporary_refusal(code, said)
    enhanced = re.match(r"5\.(\d{1,3})\.\d{1,3}\b", said)
    of_address = enhanced[1] in ("1", "2") if enhanced else code in OF_ADDRESS and not _is_relay_refusal(said)
    if of_address:
        return Meaning(ADDRESS_SAID.format(address=address, code=code), final=True)
    return Meaning(SERVER_SAID, f"The mail server refuses a recipient ({code}): {said}.")


def _of_answer(error: SMTPResponseException, address: str) -> Meaning:
    code, said = error.smtp_code, _clean_text(error.smtp_error)
    if isinstance(error, SMTPDataError) and _is_mailbox_full(code, said):
        return _explain_full_mailbox(code, address)
    if isinstance(error, SMTPAuthenticationError) and not 400 <= code < 500:
        keeper = f"The mail server refuses the site's name and password ({code}): {said}. Correct EMAIL_URL."
        return Meaning(SERVER_SAID, keeper)
    if 400 <= code < 500:
        return _explain_temporary_refusal(code, said)
    if isinstance(error, SMTPSenderRefused):
        sender = settings.DEFAULT_FROM_EMAIL
        keeper = f"The mail server refuses the sender {sender} ({code}): {said}. Correct DEFAULT_FROM_EMAIL."
        return Meaning(SERVER_SAID, keeper)
    if isinstance(error, SMTPDataError) and re.match(r"5\.[12]\.\d", said):  # known to be wrong only now
        return Meaning(ADDRESS_SAID.format(address=address, code=code), final=True)
    if isinstance(error, SMTPConnectError):
        return Meaning(
            SERVER_SAID, f"The mail server {_describe_server()} does not let the site in ({code}): {said}."
        )
    return Meaning(SERVER_SAID, f"The mail server refuses e-mail of the site ({code}): {said}.")


def _is_mailbox_full(code: int, said: str) -> bool:
    """Whether an answer means the mailbox of one person and not the server's own storage (RFC 3463, X.2.2).

    Without an enhanced code 552 means it, unless its words are about the size of the e-mail.
    """
    if enhanced := re.match(r"[45]\.\d{1,3}\.\d{1,3}\b", said):
        return enhanced[0][2:] == "2.2"
    if code not in (422, 450, 452, 550, 552, 554):
        return False
    if re.search(r"mailbox.*\bfull\b|over ?quota|quota.*exceed|exceed.*quota", said, re.IGNORECASE):
        return True
    return code == 552 and not re.search(r"\bsize\b|too (big|large)", said, re.IGNORECASE)


def _explain_full_mailbox(code: int, address: str) -> Meaning:
    """A full mailbox is for its owner to mend; after a temporary refusal the site tries again."""
    if code < 500:
        return Meaning(FULL_LATER_SAID.format(address=address, code=code))
    return Meaning(FULL_SAID.format(address=address, code=code), final=True)


def _explain_temporary_refusal(code: int, said: str) -> Meaning:
    """Explain a temporary refusal, such as greylisting; a closing server concerns the administrator."""
    keeper = f"The mail server takes no e-mail just now ({code}): {said}." if code == 421 else ""
    return Meaning(LATER_SAID.format(code=code), keeper)


def _is_relay_refusal(said: str) -> bool:
    return re.search(r"relay|authenticat|spam|blocked|polic", said, re.IGNORECASE) is not None


def _clean_text(said: Any) -> str:
    """A server's words on one line, without characters a page or terminal could misread."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:200].rstrip(".")


def _describe_error(error: BaseException) -> str:
    return _clean_text(getattr(error, "strerror", None) or error)


def _describe_server() -> str:
    return f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"


# --- the administrator ---


def mail_probe() -> None:
    """Ask the mail server whether it would take e-mail of the site now; closes the fault if it would."""
    try:
        run_within(SECONDS, _probe_server)
    except ATTEMPT_ERRORS as error:
        logger.info("The mail server still does not work: %s", mail_meaning(error).keeper)
    else:
        _fault_close()


def _probe_server() -> None:
    connection = get_connection()
    try:
        connection.open()
        server = getattr(connection, "connection", None)
        if server is not None:
            sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
            server.ehlo_or_helo_if_needed()
            code, said = server.mail(sender)
            if code >= 400:
                raise SMTPSenderRefused(code, said, sender)
    finally:
        connection.close()


def _fault_open(said: str) -> None:
    open_ones = Fault.objects.filter(kind=Fault.Kind.MAIL, subject=SUBJECT, over_at=None)
    if open_ones.update(said=said[:500]):
        return
    try:
        with transaction.atomic():
            Fault.objects.create(kind=Fault.Kind.MAIL, subject=SUBJECT, said=said[:500])
    except IntegrityError:  # another has just written it
        return
    logger.error("Amiss: %s", said)


def _fault_close() -> None:
    Fault.objects.filter(kind=Fault.Kind.MAIL, subject=SUBJECT, over_at=None).update(over_at=timezone.now())


# --- what waits ---


def _serialize_email(mail: EmailMessage) -> dict[str, Any]:
    return {
        "subject": mail.subject,
        "body": mail.body,
        "from_email": mail.from_email,
        "to": list(mail.to),
        "headers": dict(mail.extra_headers),
        "html": [content for content, kind in getattr(mail, "alternatives", []) if kind == "text/html"],
        "subtype": mail.content_subtype,
    }


def _parse_email(kept: dict[str, Any]) -> EmailMessage:
    fields = {name: kept[name] for name in ("subject", "body", "from_email", "to", "headers")}
    mail = EmailMultiAlternatives(**fields)
    mail.content_subtype = kept["subtype"]
    for html in kept["html"]:
        mail.attach_alternative(html, "text/html")
    return mail


def _retry_email(row: MailWaiting) -> int:
    """Try a stored e-mail again: 1 if it was sent. Otherwise it waits on, or is given up."""
    text = decrypt_text(row.sealed)
    ended = row.invitation is not None and row.invitation.state != Invitation.State.OPEN
    if ended or text is None:  # sealed under a key the site no longer has
        row.delete()
        return 0
    try:
        mail_send(_parse_email(json.loads(text)))
    except MailFailed as failure:
        if failure.final or row.attempts >= len(PAUSES):
            _letter_note(row, failure.meaning.said if failure.final else GIVEN_UP)
            row.delete()
        else:
            row.due_at = timezone.now() + PAUSES[row.attempts]
            row.save(update_fields=["due_at"])
        return 0
    _letter_note(row, "")
    row.delete()
    return 1


GIVEN_UP = "The e-mail could not be sent for a day, and is not tried any more. Pass the link on yourself."


def _letter_note(row: MailWaiting, said: str) -> None:
    """Write on an invitation what has become of its e-mail."""
    if row.invitation_id is not None:
        Invitation.objects.filter(pk=row.invitation_id).update(letter=said[:200])
