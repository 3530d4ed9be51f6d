"""Credentials besides the password: tokens and calendars, revoked when the password may be known.

His windows end by themselves with a new password, for Django binds each session to it.
"""

from django.db import transaction

from campaign.ledger.audit import Kind, audit_note
from campaign.models import CalendarFeed, User
from campaign.services.accounts.tokens import tokens_good, tokens_revoke
from campaign.services.notifications.calendars import calendar_end


def has_credentials(user: User) -> bool:
    """True when the person has active tokens or a calendar at a secret address."""
    return bool(tokens_good(user)) or CalendarFeed.objects.filter(user=user).exists()


def credentials_end(*, user: User) -> int:
    """Revoke the person's tokens and end his calendar's address (HR-API-01, HR-DUE-10); how many ended."""
    with transaction.atomic():
        tokens = tokens_revoke(user=user)
        calendars = calendar_end(user=user)
        if tokens or calendars:
            audit_note(Kind.ACCOUNT, user, f"ended: tokens {tokens}, calendar addresses {calendars}")
    return tokens + calendars
