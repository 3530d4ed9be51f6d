"""Sending notifications: each is tried until it is delivered, with growing pauses (HR-DUE-08).

At least once: a worker that dies between sending and writing it down leaves a lease that runs out, and
the message goes again under the same key, by which a receiver knows it.
"""

import logging
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Q, When
from django.urls import reverse
from django.utils import timezone

from campaign.models import Delivery, Notice, NoticeChannel, User, find_person_time_zone
from campaign.services.notice_facts import complete_notices
from campaign.services.notifications.notifications import Kind, format_email, link_of, notice_text
from campaign.services.notifications.transports import Message, NotReached, message_send
from campaign.services.press.bulletins import bulletin_letter
from campaign.services.seats.absences import is_quiet

logger = logging.getLogger(__name__)

State = Delivery.State
#: How long after an attempt that failed the next one comes; after the last nobody tries any more.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 2 * 60, 6 * 60, 12 * 60, 24 * 60))
ATTEMPTS = len(PAUSES) + 1
#: How long a worker holds what it sends; longer than any way takes.
LEASE = timedelta(minutes=3)
#: The longest a delivery is put off: a digest, or the last pause, over a change of clocks.
LONGEST_WAIT = timedelta(hours=26)
#: Seconds one stroke of the clock sends for; the rest goes with the next.
BUDGET = 20.0
#: Seconds after which a way counts as slow in this stroke.
SLOW = 2.0
#: Notices that never wait for a digest: tomorrow they are worth nothing.
URGENT = (Kind.DUE, Kind.LATE, Kind.GRACE, Kind.OFFERED, Kind.OVERDUE, Kind.AWAY)
#: Notices looked at in one stroke.
MOST = 500


def notices_send(seconds: float = BUDGET) -> int:
    """Send what is due; returns how many messages went out. Safe twice and by two workers at once."""
    until = time.monotonic() + seconds
    notices_expand()
    sent, slow = 0, set[int]()
    for channel, group in _in_turn(_group_deliveries(timezone.now()), slow):
        began = time.monotonic()
        if began > until:
            break
        if rows := _claim_deliveries(group):
            sent += _send_deliveries(rows)
        if time.monotonic() - began > SLOW:
            slow.add(channel)
    return sent


def _in_turn(groups: list[tuple[int, list[int]]], slow: set[int]) -> Iterator[tuple[int, list[int]]]:
    """Iterate over the deliveries sent together, by channel; those of channels that were slow come last."""
    behind = []
    for channel, group in groups:
        if channel in slow:
            behind.append((channel, group))
        else:
            yield channel, group
    yield from behind


# --- notices to ways ---


def notices_expand() -> int:
    """Give each new notice its deliveries: one for every way of its reader that carries its kind."""
    new = list(Notice.objects.filter(state=Notice.State.PENDING).select_related("user")[:MOST])
    if not new:
        return 0
    ways = _list_working_channels({notice.user_id: notice.user for notice in new})
    now = timezone.now()
    with transaction.atomic():
        rows = [
            _build_delivery(notice, channel, now)
            for notice in new
            for channel in ways.get(notice.user_id, ())
            if notice.kind not in channel.left_out
        ]
        Delivery.objects.bulk_create(rows, ignore_conflicts=True)
        there = {row.notice_id for row in rows}
        keys = [notice.pk for notice in new]
        waiting = Notice.objects.filter(pk__in=keys, state=Notice.State.PENDING)
        waiting.filter(pk__in=there).update(state=Notice.State.SENDING)
        waiting.exclude(pk__in=there).update(state=Notice.State.KEPT)
    return len(new)


def _list_working_channels(users: dict[int, User]) -> dict[int, list[NoticeChannel]]:
    """List the working channels by person; everybody with an address has one for it from the start."""
    own = NoticeChannel.objects.filter(user__in=users, kind=NoticeChannel.Kind.ACCOUNT)
    without = set(users) - set(own.values_list("user_id", flat=True))
    NoticeChannel.objects.bulk_create(
        [NoticeChannel(user_id=key, kind=NoticeChannel.Kind.ACCOUNT) for key in sorted(without)],
        ignore_conflicts=True,
    )
    found: dict[int, list[NoticeChannel]] = {}
    for channel in NoticeChannel.objects.filter(user__in=users, on=True).select_related("user"):
        if channel.works:
            found.setdefault(channel.user_id, []).append(channel)
    return found


def _build_delivery(notice: Notice, channel: NoticeChannel, now: datetime) -> Delivery:
    daily = channel.daily_at is not None and notice.kind not in URGENT
    due = digest_after(channel, now) if daily else now
    return Delivery(notice=notice, channel=channel, daily=daily, due_at=due)


def digest_after(channel: NoticeChannel, now: datetime) -> datetime:
    """Time of a channel's next digest, by its person's own clock."""
    assert channel.daily_at is not None
    local = now.astimezone(find_person_time_zone(channel.user))
    today = local.replace(hour=channel.daily_at.hour, minute=channel.daily_at.minute, second=0, microsecond=0)
    return today if today > local else today + timedelta(days=1)


# --- what is due ---


def _build_due_filter(now: datetime) -> Q:
    """Build the filter for deliveries that may be sent: due, or held by a worker that has not come back.

    One due later than any can be was put off before the machine's time was set back.
    """
    due = Q(due_at__lte=now) | Q(due_at__gt=now + LONGEST_WAIT)
    return Q(due, state=State.PENDING) | Q(_build_expired_lease_filter(now), state=State.SENDING)


def _build_expired_lease_filter(now: datetime) -> Q:
    """Build the filter for expired leases, including those a clock setback made impossibly long."""
    return Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)


def _group_deliveries(now: datetime) -> list[tuple[int, list[int]]]:
    """Group deliveries that are sent together, a digest or one notification each: the longest due first.

    Ways that failed the last time go last: one that does not answer takes its time to say so.
    """
    failing = Case(When(channel__failing_since=None, then=0), default=1)
    rows = Delivery.objects.filter(_build_due_filter(now), channel__user__is_active=True)
    rows = rows.exclude(channel__user__in=_list_quiet_users(now))
    groups: dict[tuple[Any, ...], tuple[int, list[int]]] = {}
    for row in rows.order_by(failing, "due_at", "pk")[: 2 * MOST]:
        together = ("digest", row.channel_id, row.batch) if row.daily else ("one", row.pk)
        groups.setdefault(together, (row.channel_id, []))[1].append(row.pk)
    return list(groups.values())


def _list_quiet_users(now: datetime) -> list[int]:
    """List the people who get nothing now because of their quiet hours (HR-DUE-05).

    Left out before the longest due are taken, else a thousand sleepers would keep everybody's from going.
    """
    waiting = Delivery.objects.filter(_build_due_filter(now)).values("channel__user")
    sleepers = User.objects.filter(pk__in=waiting).exclude(quiet_from=None)
    return [
        user.pk for user in sleepers.only("quiet_from", "quiet_until", "time_zone") if is_quiet(user, now)
    ]


def _claim_deliveries(keys: list[int]) -> list[Delivery]:
    """Claim deliveries for sending; an empty list if another worker has any of them."""
    now = timezone.now()
    with transaction.atomic():
        rows = list(
            Delivery.objects.select_for_update(of=("self",))
            .filter(_build_due_filter(now), pk__in=keys)
            .select_related("notice__campaign", "notice__user", "channel__user")
            .order_by("pk")
        )
        if len(rows) != len(keys):
            return []
        for row in rows:
            row.state, row.lease_until, row.attempts = State.SENDING, now + LEASE, row.attempts + 1
            row.batch = row.batch or rows[0].key
        Delivery.objects.bulk_update(rows, ["state", "lease_until", "attempts", "batch"])
    return rows


# --- sending ---


def _send_deliveries(rows: list[Delivery]) -> int:
    """Send one message and store the outcome: 1 if it was delivered."""
    failure = _attempt_delivery(rows, rows[0].channel)
    with transaction.atomic():  # a worker that dies here leaves its lease, and the message goes once more
        _write_down(rows, failure)
    return int(failure is None)


def _write_down(rows: list[Delivery], failure: NotReached | None) -> None:
    channel, notices = rows[0].channel, sorted({row.notice_id for row in rows})
    # one at a time for each notice, else two ways that fail at once each count on the other
    list(Notice.objects.select_for_update().filter(pk__in=notices).order_by("pk"))
    held = Delivery.objects.filter(
        pk__in=[row.pk for row in rows], state=State.SENDING, lease_until=rows[0].lease_until
    )
    now = timezone.now
    if failure is not None:
        error = str(failure)[:300]
        logger.warning("Notice %s could not be sent: %s", rows[0].notice_id, error)
        attempts = max(row.attempts for row in rows)
        if failure.final or attempts >= ATTEMPTS:
            held.update(state=State.FAILED, error=error, lease_until=None)
        else:
            due = now() + PAUSES[attempts - 1]
            held.update(state=State.PENDING, error=error, lease_until=None, due_at=due)
        failing = NoticeChannel.objects.filter(pk=channel.pk)
        failing.update(error=error, failing_since=channel.failing_since or now())
    else:
        held.update(state=State.SENT, error="", lease_until=None, sent_at=now())
        NoticeChannel.objects.filter(pk=channel.pk).update(error="", failing_since=None, reached_at=now())
    notices_sum_up(notices)


def _attempt_delivery(rows: list[Delivery], channel: NoticeChannel) -> NotReached | None:
    """Try to deliver a message; returns the failure or None. A broken message blocks no other."""
    try:
        message_send(message_of(rows), channel)
    except NotReached as failure:
        return failure
    except Exception:
        logger.exception("Notice %s could not be written", rows[0].notice_id)
        return NotReached("It could not be written; the log says why.")
    return None


def notices_sum_up(notices: Iterable[int]) -> None:
    """Write on notices what has become of their deliveries: reached by one way is reached."""
    for key in sorted(notices):
        rows = list(Delivery.objects.filter(notice=key).values_list("state", "attempts", "error", "sent_at"))
        states = {state for state, *_ in rows}
        sent = [moment for *_, moment in rows if moment is not None]
        changes: dict[str, Any] = {"attempts": max((tried for _, tried, *_ in rows), default=0)}
        if State.SENT in states:
            changes |= {"state": Notice.State.SENT, "sent_at": min(sent), "error": ""}
        else:
            changes["error"] = next((error for *_, error, _ in rows if error), "")
            waits = states & {State.PENDING, State.SENDING}
            failed = Notice.State.FAILED if rows else Notice.State.KEPT
            changes["state"] = Notice.State.SENDING if waits else failed
        Notice.objects.filter(pk=key).update(**changes)


# --- words ---


def message_of(rows: list[Delivery]) -> Message:
    """The message of some deliveries of one way: a notice, or a digest of several."""
    channel, notices = rows[0].channel, complete_notices(row.notice for row in rows)
    items = [item_of(notice) for notice in notices]
    key, (first, *more) = rows[0].key, notices
    if more:
        lines = [f"{item['subject']}\n{item['text']}\n{item['url']}\n" for item in items]
        subject = f"{len(items)} notices of your campaigns"
        return Message(key, subject, "\n".join(lines) + format_footer(), kind="digest", items=items)
    mail = channel.kind in (NoticeChannel.Kind.ACCOUNT, NoticeChannel.Kind.MAIL)
    if first.kind == Kind.BULLETIN and mail:  # told in the letter itself, of everything else there is a link
        subject, text, html = bulletin_letter(first)
        return Message(key, subject, text, html, kind=first.kind, items=items)
    subject, text = format_email(first)
    return Message(key, subject, text + format_footer() if mail else text, kind=first.kind, items=items)


def item_of(notice: Notice) -> dict[str, Any]:
    """A notice as programs read it: no more than its letter says."""
    subject, sentence = notice_text(notice)
    return {
        "kind": notice.kind,
        "campaign": notice.campaign.slug,
        "title": notice.campaign.title,
        "subject": subject,
        "text": sentence,
        "url": link_of(notice),
        "at": notice.created_at.isoformat(),
    }


def format_footer() -> str:
    """Footer of an e-mail: where to choose which notifications are sent."""
    return f"\nWhat is sent to you, and how: {settings.SITE_URL.rstrip('/')}{reverse('notice-settings')}\n"
