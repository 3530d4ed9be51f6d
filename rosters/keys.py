"""Keys of rows that count nothing."""

import secrets
import threading
import time
from typing import Any

from django.db import models

#: Where keys begin to count milliseconds: 1 January 2026, UTC.
EPOCH = 1_767_225_600_000
#: Keys of one millisecond. What JavaScript counts exactly (2**53) lasts until 2054.
A_MILLISECOND = 10_000
#: Less than any key of a row made with `KeyField`, and more than any counted before.
LEAST = 10**12


class KeyField(models.BigAutoField):
    """A row's key, as addresses and answers have it: it tells when the row was made, not how many there are.

    Keys of one process follow one another, so rows in order of key are in order of making. Rows of older
    releases keep the numbers they were counted by, and their addresses.
    """

    def has_default(self) -> bool:
        """So that Django inserts a new row at once, and looks for none of that key first."""
        return True

    def get_default(self) -> None:
        """None: a row that is not saved has no key."""

    def get_pk_value_on_save(self, instance: models.Model) -> int:
        return make_row_key()

    def deconstruct(self) -> Any:
        """The database knows no difference, so migrations name Django's own column."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.BigAutoField", arguments, options


def make_row_key(above: int = 0) -> int:
    """A key after all that this process has given out, and `above` another, at a random distance."""
    global _last
    with _lock:
        now = (time.time_ns() // 1_000_000 - EPOCH) * A_MILLISECOND
        _last = max(now, _last + 1, above + 1) + secrets.randbelow(A_MILLISECOND)
        return _last


_last, _lock = LEAST, threading.Lock()
