"""Browsers of people."""

from allauth.mfa.totp.internal import auth
from django.test import Client

from campaign.models import User


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def authenticator_shows(secret: str) -> str:
    """The code of this half minute, good for the next one too (MFA_TOTP_TOLERANCE)."""
    _, now, _ = auth.yield_hotp_counters_from_time()
    return auth.format_hotp_value(auth.hotp_value(secret, now))
