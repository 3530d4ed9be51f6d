"""The audit: one line for each act, in its transaction; lines older than AUDIT_DAYS are deleted."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from campaign.models import AuditEntry, Campaign, User

Kind = AuditEntry.Kind

_address: ContextVar[str | None] = ContextVar("address", default=None)


@contextmanager
def asked_from(address: str | None) -> Iterator[None]:
    """Set the address that audit entries written inside this context are noted with."""
    token = _address.set(address)
    try:
        yield
    finally:
        _address.reset(token)


def audit_note(
    kind: Kind, person: User | None, what: str = "", *, campaign: Campaign | None = None, name: str = ""
) -> AuditEntry:
    """Write one line; call it inside the transaction of what is noted, so that both stand or neither."""
    entry = _build_audit_entry(kind, person, what, campaign, name)
    entry.save(force_insert=True)
    return entry


def _build_audit_entry(
    kind: Kind, person: User | None, what: str, campaign: Campaign | None, name: str
) -> AuditEntry:
    return AuditEntry(
        kind=kind,
        user=person,
        name=(person.get_username() if person is not None else name)[:150],
        address=_address.get(),
        campaign=campaign,
        what=what[:300],
    )


def umpire_note(actor: User | None, what: str, campaign: Campaign, kind: Kind = Kind.UMPIRE) -> None:
    """Note in the audit what an umpire, or an administrator in their place, did to a campaign; without an
    actor it was the machine, and nothing is noted.
    """
    if actor is not None:
        audit_note(kind, actor, what, campaign=campaign)


def umpire_notes(actor: User | None, did: Iterable[str], campaign: Campaign) -> None:
    """As `umpire_note`, for several things done at once: a line each."""
    if actor is not None:
        AuditEntry.objects.bulk_create(
            [_build_audit_entry(Kind.UMPIRE, actor, what, campaign, "") for what in did]
        )


def audit_prune() -> int:
    """Take away what has been kept long enough; how many lines that were."""
    before = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    old = AuditEntry.objects.filter(at__lt=before)
    return QuerySet.delete(old)[0]  # past the manager's refusal, which is for everybody else
