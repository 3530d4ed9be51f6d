"""Addresses and secrets kept sealed in the database, under keys made from SECRET_KEY."""

import base64
import hashlib
import hmac

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


def seal(text: str) -> str:
    """A text as it is kept: unreadable without the site's key."""
    return _keys().encrypt(text.encode()).decode()


def unseal(sealed: str, good: int | None = None) -> str | None:
    """The text, or None: sealed under a key this site no longer has, or more than `good` seconds ago."""
    try:
        return _keys().decrypt(sealed.encode(), good).decode()
    except InvalidToken:
        return None


def fingerprint(text: str) -> str:
    """Tells whether two sealed texts are the same, and nothing else."""
    return hmac.digest(_derived(settings.SECRET_KEY, b"fingerprint"), text.encode(), "sha256").hex()


def _keys() -> MultiFernet:
    """The site's key first, older ones of SECRET_KEY_FALLBACKS for reading."""
    known = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derived(key, b"seal"))) for key in known])


def _derived(key: str | bytes, use: bytes) -> bytes:
    return hmac.digest(force_bytes(key), b"campaign/" + use, hashlib.sha256)
