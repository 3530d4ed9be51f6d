"""Addresses and secrets kept sealed in the database, under keys made from SECRET_KEY."""

import base64
import hashlib
import hmac
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


def encrypt_text(text: str) -> str:
    """Encrypt a text under the site's key."""
    return _build_cipher().encrypt(text.encode()).decode()


def decrypt_text(sealed: str, good: int | None = None) -> str | None:
    """The text, or None: sealed under a key this site no longer has, or more than `good` seconds ago."""
    try:
        return _build_cipher().decrypt(sealed.encode(), good).decode()
    except InvalidToken:
        return None


def is_probably_encrypted(text: str) -> bool:
    """True when a text begins as every encrypted one does: Fernet's version, and a moment of this century."""
    return text.startswith("gAAAA")


def sealed_now(text: str) -> bool:
    """True when the text is encrypted under the site's present key, not under an older one."""
    try:
        _build_cipher([settings.SECRET_KEY]).decrypt(text.encode())
    except InvalidToken:
        return False
    return True


def compute_fingerprint(text: str) -> str:
    """Return a keyed digest of a text: equal for equal texts, and it tells nothing else."""
    return hmac.digest(_derive_key(settings.SECRET_KEY, b"fingerprint"), text.encode(), "sha256").hex()


def _build_cipher(known: Sequence[str | bytes] = ()) -> MultiFernet:
    """The site's key first, older ones of SECRET_KEY_FALLBACKS for reading."""
    known = known or [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_derive_key(key, b"seal"))) for key in known])


def _derive_key(key: str | bytes, use: bytes) -> bytes:
    return hmac.digest(force_bytes(key), b"campaign/" + use, hashlib.sha256)
