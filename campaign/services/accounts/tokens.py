"""Personal tokens for programs: made and revoked by their person on the site alone (HR-API-01)."""

import hashlib
import logging
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.utils import timezone

from campaign.ledger.audit import Kind, audit_note
from campaign.models import ApiToken, User
from campaign.ops.database_locks import refuse_locked_writes
from campaign.rules.errors import RuleViolation
from campaign.services.seats.assignment import verify_account
from rosters.domain.text import name_fault

logger = logging.getLogger(__name__)

RULE = "HR-API-01"
#: What every token begins with, so that one left lying about is known for what it is.
PREFIX = "awi_"
#: Days a token is good for: usual, and at most.
USUAL, LONGEST = 90, 366
#: Good tokens a person may have at one time.
MOST = 20
LONGEST_NAME = 60
#: The last use is noted this often: each note is a write in a request that may only read.
NOTED_EVERY = timedelta(hours=1)
Scope = ApiToken.Scope


def token_make(*, user: User, name: str, scopes: Collection[str], days: int = USUAL) -> tuple[ApiToken, str]:
    """A token, and what the program sends, which nobody can tell later. Raises RuleViolation (HR-API-01)."""
    verify_account(user)
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or name_fault(name):
        raise RuleViolation(RULE, f"Give the token a name of at most {LONGEST_NAME} letters.", "name")
    unknown = set(scopes) - set(Scope.values)
    if unknown or not scopes:
        raise RuleViolation(RULE, f"Say what the token may do: {', '.join(Scope.values)}.", "scopes")
    if not 1 <= days <= LONGEST:
        raise RuleViolation(RULE, f"A token is good for 1 to {LONGEST} days.", "days")
    text = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if len(tokens_good(user)) >= MOST:
            raise RuleViolation(RULE, f"You have {MOST} tokens; revoke those you no longer need.", "name")
        token = ApiToken.objects.create(
            user=user,
            name=name,
            token_hash=_hash_token(text),
            scopes=[scope for scope in Scope.values if scope in scopes or scope == Scope.READ],
            expires_at=timezone.now() + timedelta(days=days),
        )
        audit_note(Kind.ACCOUNT, user, f"token “{name}” made: {', '.join(token.scopes)}, {days} days")
    return token, text


def token_revoke(*, token: ApiToken, user: User) -> None:
    """The token opens nothing from now on. Raises RuleViolation for one of somebody else's (HR-API-01)."""
    if token.user_id != user.pk:
        raise RuleViolation(RULE, "This is not your token.", "token")
    with transaction.atomic():
        if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
            audit_note(Kind.ACCOUNT, user, f"token “{token.name}” revoked")


def tokens_revoke(*, user: User) -> int:
    """None of the person's tokens opens anything from now on; how many did."""
    good = ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now())
    return good.update(revoked_at=timezone.now())


def tokens_good(user: User) -> list[ApiToken]:
    """The person's tokens that open something, the newest first."""
    return list(ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=timezone.now()))


def token_find(text: str) -> ApiToken | None:
    """The good token a program sent, of a person who may still sign in; its use is noted now and then."""
    if not text.startswith(PREFIX):
        return None
    token = ApiToken.objects.select_related("user").filter(token_hash=_hash_token(text)).first()
    if token is None or not token.good or not token.user.is_active:
        return None
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - NOTED_EVERY:
        _use_note(token, now)
    return token


def _use_note(token: ApiToken, now: datetime) -> None:
    """Note the last use if nobody holds a lock; otherwise a later request does."""
    try:
        with refuse_locked_writes(), transaction.atomic():
            row = ApiToken.objects.filter(pk=token.pk)
            if row.select_for_update(skip_locked=True).first() is not None:
                row.update(last_used_at=now)
    except OperationalError as error:
        logger.info("The last use of a token was not noted: %s", error)


def _hash_token(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
