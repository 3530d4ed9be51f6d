"""Secrets of two-factor authentication, stored encrypted under the site's key."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.db import transaction

from campaign.ops.encryption import decrypt_text, encrypt_text, is_probably_encrypted, sealed_now

#: What of an authenticator's data is secret: a text, or a list of texts.
SECRETS = ("secret", "seed", "migrated_codes")


def factor_open(kept: str) -> str:
    """The secret as it was made. Raises PermissionDenied if the site has lost its key."""
    if not is_probably_encrypted(kept):
        return kept  # of an older release, until factors_seal has come by
    text = decrypt_text(kept)
    if text is None:
        raise PermissionDenied(
            "Your second factor cannot be read, because the site's key was changed. Ask the site's "
            "administrator to take it away; then set it up anew."
        )
    return text


def factors_seal() -> int:
    """Seal what an older release kept in the clear, or under a key the site had before; how many factors.

    The clock asks for it and no migration: the release before, running on beside this one, reads none sealed.
    """
    count = 0
    for pk in Authenticator.objects.values_list("pk", flat=True):
        with transaction.atomic():
            found = Authenticator.objects.select_for_update().filter(pk=pk).first()
            if found is None:
                continue
            data = {
                name: _seal_value(value) if name in SECRETS else value for name, value in found.data.items()
            }
            if data != found.data:
                found.data = data
                found.save(update_fields=["data"])
                count += 1
    return count


def _seal_value(value: Any) -> Any:
    if isinstance(value, list):
        return [_seal_value(each) for each in value]
    if not isinstance(value, str) or sealed_now(value):
        return value
    text = decrypt_text(value) if is_probably_encrypted(value) else value
    return value if text is None else encrypt_text(text)
