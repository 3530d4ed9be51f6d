"""Requests with the caller's idempotency key: done once, and answered the same every time (HR-API-02)."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.models import IdempotencyKey, User

#: An answer is kept this long.
KEPT = timedelta(days=7)
#: A request that has had no answer for so long is taken for lost, and may be made again.
LOST_AFTER = timedelta(minutes=10)
LONGEST = 100


class KeyReused(Exception):
    """The key came before with another request."""


class StillInWork(Exception):
    """The request that came with this key has no answer yet."""


def key_claim(*, user: User, key: str, method: str, path: str, digest: str) -> IdempotencyKey:
    """The row of a request: with its answer if it came before, without one if it is to be done now.

    Called inside the transaction of the request's effect, whoever comes second waits for the first.
    Raises KeyReused, and StillInWork where the first has claimed it in a transaction of its own.
    """
    with transaction.atomic():
        row, new = IdempotencyKey.objects.select_for_update().get_or_create(
            user=user, key=key, defaults={"method": method, "path": path[:300], "digest": digest}
        )
        if new:
            return row
        if (row.method, row.path, row.digest) != (method, path[:300], digest):
            raise KeyReused
        if row.status is None:
            if row.made_at > timezone.now() - LOST_AFTER:
                raise StillInWork
            row.made_at = timezone.now()
            row.save(update_fields=["made_at"])
    return row


def key_answer(*, row: IdempotencyKey, status: int, answer: Any, headers: Mapping[str, str]) -> None:
    """Keep what was answered."""
    row.status, row.answer, row.headers = status, answer, dict(headers)
    row.save(update_fields=["status", "answer", "headers"])


def key_drop(*, row: IdempotencyKey) -> None:
    """Forget a request that was refused: it wrote nothing, so asking again is asking anew."""
    row.delete()


def keys_delete_expired() -> int:
    """Delete stored answers older than a week; returns their number."""
    old = IdempotencyKey.objects.filter(made_at__lt=timezone.now() - KEPT)
    return old.delete()[0]
