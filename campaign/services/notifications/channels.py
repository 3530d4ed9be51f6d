"""Notification channels of a person: added, confirmed by a test, chosen and removed (HR-DUE-07)."""

import hmac
import secrets
from collections.abc import Collection
from datetime import time, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from campaign.models import Delivery, MailWaiting, Notice, NoticeChannel, User
from campaign.models.notifications import NO_MAIL, new_key
from campaign.ops.encryption import compute_fingerprint, decrypt_text, encrypt_text
from campaign.rules.errors import RuleViolation
from campaign.services.notifications.delivery import digest_after, format_footer, notices_sum_up
from campaign.services.notifications.transports import Message, NotReached, message_send, service_of

RULE = "HR-DUE-07"
Kind = NoticeChannel.Kind
#: Ways a person has at most, besides his account's address; characters of an address.
MOST, LONGEST = 8, 500
#: Test notices a person may ask for in an hour; how long a code is good; how often it may be tried.
TESTS, GOOD, TRIES = 6, timedelta(days=1), 5


def channel_own(*, user: User) -> NoticeChannel:
    """The way to the account's address, which everybody has."""
    return NoticeChannel.objects.get_or_create(user=user, kind=Kind.ACCOUNT, address_hash="")[0]


def channel_add(*, user: User, kind: str, address: str, label: str = "") -> tuple[NoticeChannel, str]:
    """A new way, which carries nothing before it is proved; for a webhook also its secret, told once.

    Raises RuleViolation for an address that is none, one known already, and too many of them.
    """
    address, label = address.strip(), " ".join(label.split())
    shown = _mask_address(kind, address)
    if len(label) > 60:
        raise RuleViolation(RULE, "A name has 60 letters at most; shorten it.", "label")
    secret = secrets.token_urlsafe(32) if kind == Kind.WEBHOOK else ""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        known = NoticeChannel.objects.filter(user=user).exclude(kind=Kind.ACCOUNT)
        if known.count() >= MOST:
            raise RuleViolation(RULE, f"You have {MOST} ways already; remove one first.", "address")
        digest = compute_fingerprint(f"{kind} {address}")
        if known.filter(kind=kind, address_hash=digest).exists():
            raise RuleViolation(RULE, "You have given this address already.", "address")
        channel = NoticeChannel.objects.create(
            user=user,
            kind=kind,
            label=label,
            address=encrypt_text(address),
            address_hash=digest,
            shown=shown,
            secret=encrypt_text(secret) if secret else "",
        )
    return channel, secret


def channel_test(*, channel: NoticeChannel, user: User) -> None:
    """Send a test notice with a code to a way, at once. Raises RuleViolation when it is not there."""
    _verify_owner(channel, user)
    if channel.goes_nowhere:
        raise RuleViolation(RULE, NO_MAIL)
    key = f"notice-tests-{user.pk}"
    cache.add(key, 0, timeout=3600)
    if cache.incr(key) > TESTS:
        raise RuleViolation(RULE, f"You have asked for {TESTS} test notices within an hour; wait a while.")
    code = f"{secrets.randbelow(10**6):06}"
    until = timezone.now() + GOOD
    rows = NoticeChannel.objects.filter(pk=channel.pk)
    rows.update(code=encrypt_text(code), code_until=until, code_tries=0)
    text = f"This is a test notice. Its code: {code}\n" + format_footer()
    channel.refresh_from_db()
    MailWaiting.objects.filter(channel=channel).delete()  # with a code that is good no more
    try:
        message_send(Message(new_key(), "A test notice", text), channel, waited_for=True)
    except NotReached as failure:
        rows.update(error=str(failure), failing_since=channel.failing_since or timezone.now())
        raise RuleViolation(RULE, f"The test notice did not arrive: {failure}") from failure
    rows.update(error="", failing_since=None)


def channel_confirm(*, channel: NoticeChannel, user: User, code: str) -> NoticeChannel:
    """The person tells the code of the test notice: the way is his, and carries from now on."""
    _verify_owner(channel, user)
    refused = None
    with transaction.atomic():
        current = NoticeChannel.objects.select_for_update().get(pk=channel.pk)
        wanted = decrypt_text(current.code) if current.code else None
        if wanted is None or current.code_until is None or current.code_until < timezone.now():
            raise RuleViolation(RULE, "No code is out for this way; ask for a test notice first.", "code")
        if current.code_tries >= TRIES:
            raise RuleViolation(RULE, "The code was mistaken too often; ask for another test notice.", "code")
        if hmac.compare_digest(wanted.encode(), code.strip().encode()):
            current.verified_at, current.code, current.code_until = timezone.now(), "", None
        else:
            current.code_tries += 1
            refused = RuleViolation(RULE, "That is not the code of the latest test notice.", "code")
        current.save(update_fields=["verified_at", "code", "code_until", "code_tries"])
    if refused:
        raise refused
    return current


def channel_save(
    *,
    channel: NoticeChannel,
    user: User,
    kinds: Collection[str],
    daily_at: time | None,
    on: bool = True,
    label: str = "",
) -> NoticeChannel:
    """Which notices go by a way, and when: at once, or every day at an hour of the person's clock."""
    _verify_owner(channel, user)
    label = " ".join(label.split())
    if unknown := set(kinds) - set(Notice.Kind.values):
        raise RuleViolation(RULE, f"There is no notice of kind {min(unknown)}.", "kinds")
    if len(label) > 60:
        raise RuleViolation(RULE, "A name has 60 letters at most; shorten it.", "label")
    channel.left_out = [kind for kind in Notice.Kind.values if kind not in kinds]
    channel.daily_at, channel.on, channel.label = daily_at, on, label
    with transaction.atomic():
        channel.save(update_fields=["left_out", "daily_at", "on", "label"])
        waiting = channel.deliveries.filter(state=Delivery.State.PENDING)
        _drop_deliveries(waiting.filter(notice__kind__in=channel.left_out) if on else waiting)
        now = timezone.now()
        digest = waiting.filter(daily=True, batch="")
        digest.update(due_at=digest_after(channel, now) if daily_at else now)
    return channel


def channel_secret_new(*, channel: NoticeChannel, user: User) -> str:
    """Another secret for a webhook; the old one signs nothing from now on."""
    _verify_owner(channel, user)
    if channel.kind != Kind.WEBHOOK:
        raise RuleViolation(RULE, "Only a webhook has a secret.")
    secret = secrets.token_urlsafe(32)
    channel.secret = encrypt_text(secret)
    channel.save(update_fields=["secret"])
    return secret


def channel_remove(*, channel: NoticeChannel, user: User) -> None:
    """Forget a way and its address; what was on it goes by it no more."""
    _verify_owner(channel, user)
    if channel.kind == Kind.ACCOUNT:
        raise RuleViolation(RULE, "The way to your account's address stays; switch it off instead.")
    with transaction.atomic():
        _drop_deliveries(channel.deliveries.exclude(state=Delivery.State.SENT))
        NoticeChannel.objects.filter(pk=channel.pk).delete()


def _drop_deliveries(deliveries: QuerySet[Delivery]) -> None:
    """Delete these deliveries; notifications without any other channel then exist on the site only."""
    rows = list(deliveries.values_list("pk", "notice_id"))
    Delivery.objects.filter(pk__in=[key for key, _ in rows]).delete()
    notices = Notice.objects.filter(pk__in={notice for _, notice in rows}, state=Notice.State.SENDING)
    notices_sum_up(list(notices.values_list("pk", flat=True)))


def _verify_owner(channel: NoticeChannel, user: User) -> None:
    if channel.user_id != user.pk:
        raise RuleViolation(RULE, "That is not your way.", "channel")


# --- addresses ---


def _mask_address(kind: str, address: str) -> str:
    """Check an address and return the part of it that is shown. Raises RuleViolation."""
    if len(address) > LONGEST or not address.isprintable():
        raise RuleViolation(RULE, f"An address is one line of {LONGEST} characters at most.", "address")
    match kind:
        case Kind.MAIL:
            if not settings.MAIL_IS_SENT:
                raise RuleViolation(RULE, f"{NO_MAIL} Give an address of a service, or a webhook.", "kind")
            return _mask_email(address)
        case Kind.SERVICE:
            return _mask_service(address)
        case Kind.WEBHOOK:
            return _mask_webhook(address)
    raise RuleViolation(RULE, "Say what kind of way it is.", "kind")


def _mask_email(address: str) -> str:
    try:
        validate_email(address)
    except ValidationError:
        raise RuleViolation(RULE, "Give a mail address, as name@example.org.", "address") from None
    name, _, host = address.rpartition("@")
    return f"{name[0]}…@{host}"[:120]


def _mask_service(address: str) -> str:
    scheme = address.partition("://")[0].lower()
    if scheme in ("http", "https"):
        raise RuleViolation(
            RULE,
            "Give the address in its short form, as discord://ID/TOKEN or slack://TOKEN; "
            "a web address is a webhook.",
            "address",
        )
    if service_of(address) is None:
        known = ", ".join(settings.NOTICE_SERVICES)
        raise RuleViolation(
            RULE, f"That is no address of a service known here. It begins with one of: {known}.", "address"
        )
    return f"{scheme}://…"


def _mask_webhook(address: str) -> str:
    schemes = ("https", "http") if settings.NOTICE_PRIVATE_ADDRESSES else ("https",)
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise RuleViolation(RULE, "That is no address of the web.", "address") from None
    if parts.scheme not in schemes or not parts.hostname or " " in address:
        raise RuleViolation(RULE, "Give a web address that begins with https://.", "address")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise RuleViolation(RULE, "Leave user, password and what follows a # out of the address.", "address")
    return f"{parts.scheme}://{parts.hostname}{f':{port}' if port else ''}/…"[:120]
