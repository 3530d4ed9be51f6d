"""Transports of notifications: e-mail, a messaging service, or a signed webhook (HR-DUE-07)."""

import hmac
import json
import logging
import time
from dataclasses import dataclass, field
from email.utils import parseaddr
from socket import gaierror
from typing import Any
from urllib.parse import parse_qsl

import requests
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from urllib3.exceptions import LocationParseError, NameResolutionError

from campaign.models import NoticeChannel
from campaign.models.notifications import NO_MAIL
from campaign.ops.encryption import decrypt_text
from campaign.ops.ssrf_guard import AddressRefused, guard_outgoing_requests
from campaign.services.notifications.email import PAGE_SECONDS, MailFailed, mail_send, mail_send_or_keep

logger = logging.getLogger(__name__)

#: Seconds a service or a program has for its answer, from the first word to the last.
SECONDS = 10
#: Answers after which a program is asked again: too early, too often.
AGAIN = (408, 425, 429)
#: What an address of a service may ask for after its "?". Others of apprise's read this machine's files.
ASKED = frozenset(
    {"thread", "topic", "priority", "sound", "silent", "preview", "format", "image", "footer", "redirect"}
)


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be sent: `key` identifies it to the receiver, `items` is for programs."""

    key: str
    subject: str
    text: str
    html: str = ""
    kind: str = "test"
    items: list[dict[str, Any]] = field(default_factory=list)


class NotReached(Exception):
    """The message is not there, in a sentence for its reader; `final` when trying again is no use."""

    def __init__(self, sentence: str, *, final: bool = False) -> None:
        super().__init__(sentence)
        self.final = final


def message_send(message: Message, channel: NoticeChannel, *, waited_for: bool = False) -> None:
    """Send a message by a way. Raises NotReached.

    While somebody waits for the page it takes no longer than a page may. E-mail of theirs that may still
    succeed is then kept and tried again by itself.
    """
    Kind = NoticeChannel.Kind
    if channel.goes_nowhere:
        raise NotReached(NO_MAIL, final=True)
    if channel.kind == Kind.ACCOUNT:
        if not channel.user.email:
            raise NotReached("Your account has no address for letters.", final=True)
        return _send_email(message, channel.user.email, channel if waited_for else None)
    address = decrypt_text(channel.address)
    if address is None:
        raise NotReached("Its address cannot be read any more; remove this way and add it anew.", final=True)
    if channel.kind == Kind.MAIL:
        return _send_email(message, address, channel if waited_for else None)
    seconds = PAGE_SECONDS if waited_for else SECONDS
    if channel.kind == Kind.SERVICE:
        return _send_to_service(message, address, seconds)
    return _send_to_webhook(message, address, decrypt_text(channel.secret) or "", seconds)


def sign_webhook(secret: str, timestamp: str, body: bytes) -> str:
    """Webhook signature: HMAC-SHA256 over timestamp, a full stop and the body, as in docs/notices.md."""
    return hmac.digest(secret.encode(), f"{timestamp}.".encode() + body, "sha256").hex()


def _send_email(message: Message, address: str, keep: NoticeChannel | None) -> None:
    """Send a message as e-mail. A repeat has the same Message-ID, so that mailboxes recognise it.

    What may still succeed is kept for the way `keep`.
    """
    host = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"
    mail = EmailMultiAlternatives(
        message.subject,
        message.text,
        settings.DEFAULT_FROM_EMAIL,
        [address],
        headers={
            "Message-ID": f"<{message.key}@{host}>",
            "X-Notice-Id": message.key,
            "Auto-Submitted": "auto-generated",
        },
    )
    if message.html:
        mail.attach_alternative(message.html, "text/html")
    try:
        if keep is None:
            mail_send(mail)
        else:
            mail_send_or_keep(mail, channel=keep)
    except MailFailed as failure:
        raise NotReached(str(failure), final=failure.final) from failure


def _send_to_service(message: Message, url: str, seconds: float) -> None:
    """Send a message through apprise, which reports only success or failure; a failure is tried again."""
    plugin = service_of(url)
    if plugin is None:
        raise NotReached("This service is not known here any more; add the way anew.", final=True)
    try:
        with guard_outgoing_requests(seconds):
            there = plugin.notify(title=message.subject, body=message.text)
    except Exception as error:  # any of a hundred services' own
        logger.warning("A service failed: %s", type(error).__name__)
        raise NotReached("The service failed.") from error
    if not there:
        raise NotReached("The service did not take it.")


def service_of(url: str) -> Any:
    """apprise's plugin for an address, None for a service not allowed here (NOTICE_SERVICES)."""
    import apprise  # slow to import, and only needed where something is sent

    if url.partition("://")[0].lower() not in settings.NOTICE_SERVICES:
        return None
    if not {name.lower() for name, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True)} <= ASKED:
        return None
    asset = apprise.AppriseAsset(
        app_id="Campaign manager",
        app_desc="Campaign manager",
        app_url=settings.SITE_URL,
        http_redirects=False,
        storage_mode="memory",
    )
    try:
        plugin = apprise.Apprise.instantiate(url, asset=asset, suppress_exceptions=True)
    except Exception:
        return None
    if plugin is not None:
        plugin.redirects = False  # whatever the address asks for
        plugin.socket_connect_timeout = plugin.socket_read_timeout = SECONDS / 2
        plugin.verify_certificate = True
    return plugin


def _send_to_webhook(message: Message, url: str, secret: str, seconds: float) -> None:
    body = json.dumps(
        {
            "id": message.key,
            "kind": message.kind,
            "subject": message.subject,
            "text": message.text,
            "notices": message.items,
        },
        separators=(",", ":"),
        sort_keys=True,
    ).encode()
    timestamp = str(int(time.time()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Campaign manager",
        "Webhook-Id": message.key,
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"v1={sign_webhook(secret, timestamp, body)}",
    }
    try:
        with guard_outgoing_requests(seconds), requests.Session() as session:
            session.trust_env = False
            # the answer's body is not read: what it says is of no use here
            answer = session.post(
                url, data=body, headers=headers, timeout=seconds, allow_redirects=False, stream=True
            )
            status = answer.status_code
            answer.close()
    except AddressRefused as error:
        raise NotReached("Its address is not one of the open network.", final=True) from error
    except (UnicodeError, LocationParseError) as error:  # no name of a host, as with two dots
        raise NotReached("Its host is not found.", final=True) from error
    except (requests.RequestException, OSError) as error:
        if _of_kind(error, AddressRefused):
            raise NotReached("Its address is not one of the open network.", final=True) from error
        if _of_kind(error, NameResolutionError, gaierror):  # may be the site's own network: tried again
            raise NotReached("Its host is not found.") from error
        raise NotReached("It does not answer.") from error
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        raise NotReached(f"It answers {status}: it leads elsewhere, which is not followed.", final=True)
    raise NotReached(f"It answers {status}.", final=status < 500 and status not in AGAIN)


def _of_kind(error: BaseException | None, *kinds: type[BaseException]) -> bool:
    """True when one of these errors is somewhere in the chain of causes."""
    seen = 0
    while error is not None and seen < 10:
        reason = getattr(error, "reason", None)
        if isinstance(error, kinds) or isinstance(reason, kinds):
            return True
        inner = error.args[0] if error.args and isinstance(error.args[0], BaseException) else None
        error = error.__cause__ or error.__context__ or inner
        seen += 1
    return False
