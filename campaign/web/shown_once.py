"""Secrets shown once: a token or link, kept between the answer that makes it and the page that shows it.

The answer to a form leads to a page, so that a reload makes nothing twice; meanwhile the session keeps the
secret, sealed (`campaign.ops.encryption`): who reads the table of sessions, the cache or a backup learns
none.
"""

import json
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from campaign.ops.encryption import decrypt_text, encrypt_text

#: Seconds after which a secret that no page has shown is shown by none.
GOOD = 600


def secret_keep(session: SessionBase, name: str, what: dict[str, Any]) -> None:
    """Keep it for the page that follows; plain data only."""
    session[name] = encrypt_text(json.dumps(what))


def secret_take(session: SessionBase, name: str) -> dict[str, Any] | None:
    """Return a kept secret and forget it; None if there is none or it is too old."""
    return _read_secret(session.pop(name, ""), GOOD)


def secret_look(session: SessionBase, name: str) -> dict[str, Any] | None:
    """Return a kept secret, which stays until it is taken or the session ends."""
    return _read_secret(session.get(name, ""), None)


def _read_secret(sealed: Any, good: int | None) -> dict[str, Any] | None:
    text = decrypt_text(sealed, good) if isinstance(sealed, str) else None
    found: dict[str, Any] | None = json.loads(text) if text else None
    return found
