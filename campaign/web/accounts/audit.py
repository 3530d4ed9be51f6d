"""Audit entries for sign-ins and accounts, written from the signals of Django, allauth and axes."""

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as factors
from axes.signals import user_locked_out
from django.contrib.admin.models import LogEntry
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest

from campaign.ledger.audit import Kind, audit_note
from campaign.models import User
from campaign.web.accounts.sign_in_guard import door_open, find_tried_name

FACTORS = {"totp": "an authenticator", "recovery_codes": "recovery codes"}


@receiver(user_logged_in)
def note_sign_in(user: User, **_more: Any) -> None:
    audit_note(Kind.CAME_IN, user)


@receiver(user_logged_out)
def note_sign_out(user: User | None, **_more: Any) -> None:
    if user is not None:
        audit_note(Kind.WENT, user)


@receiver(user_login_failed)
def note_failed_sign_in(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_more: Any
) -> None:
    """A wrong password; of who is shut out already only that he was is noted, once."""
    if request is not None and not getattr(request, "axes_locked_out", False):
        audit_note(Kind.FAILED, None, "password", name=find_tried_name(request, credentials))


@receiver(user_locked_out)
def note_lockout(request: HttpRequest, **_more: Any) -> None:
    if request.axes_failures_since_start is not None:  # type: ignore[attr-defined]
        audit_note(Kind.SHUT_OUT, None, name=find_tried_name(request, request.axes_credentials))  # type: ignore[attr-defined]


@receiver(factors.authentication_failed)
def note_wrong_code(user: User, **_more: Any) -> None:
    audit_note(Kind.FAILED, user, "code")


@receiver(account.user_signed_up)
def note_sign_up(user: User, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, "signed up")


@receiver(account.password_changed)
@receiver(account.password_set)
def note_password_change(user: User, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, "password changed")


@receiver(account.password_reset)
def note_password_reset(user: User, **_more: Any) -> None:
    """Let a person sign in again after they reset their password by e-mail, whoever guessed at the old
    one.
    """
    door_open(user)
    audit_note(Kind.ACCOUNT, user, "forgotten password set anew")


@receiver(account.email_changed)
@receiver(account.email_added)
@receiver(account.email_removed)
def note_email_change(user: User, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, "e-mail address changed")


@receiver(factors.authenticator_added)
def note_factor_addition(user: User, authenticator: Any, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, f"second factor: {FACTORS.get(authenticator.type, 'one')} set up")


@receiver(factors.authenticator_removed)
def note_factor_removal(user: User, authenticator: Any, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, f"second factor: {FACTORS.get(authenticator.type, 'one')} given up")


@receiver(factors.authenticator_reset)
def note_factor_renewal(user: User, authenticator: Any, **_more: Any) -> None:
    audit_note(Kind.ACCOUNT, user, f"second factor: {FACTORS.get(authenticator.type, 'one')} made anew")


@receiver(factors.authenticator_used)
def note_recovery_code_use(user: User, authenticator: Any, **_more: Any) -> None:
    if authenticator.type == "recovery_codes":
        audit_note(Kind.ACCOUNT, user, "second factor: a recovery code used")


@receiver(post_save, sender=LogEntry)
def note_admin_act(instance: LogEntry, raw: bool = False, **_more: Any) -> None:
    """Note the changes that Django logs at /admin/: people added, changed and deleted, lockouts lifted."""
    if raw:  # a backup being put back, whose audit comes with it
        return
    what = f"{instance.content_type}: {instance}"
    audit_note(Kind.ADMIN, instance.user, what)
