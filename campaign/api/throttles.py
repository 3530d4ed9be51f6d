"""How often one may ask: each person, each address, and addresses that do not know who they are."""

import hashlib
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from campaign.api.problems import Problem
from campaign.config.callers import counted_as

#: Seconds of the window that is counted.
WINDOW = 60


def count(whom: str, name: str, most: int, cost: int = 1) -> None:
    """Count a request of somebody; raises the problem when there were too many in this minute."""
    now = time.time()
    window, gone = divmod(now, WINDOW)
    mark = hashlib.sha256(name.encode()).hexdigest()[:24]
    key = f"api/{whom}/{mark}/{int(window)}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        asked = cache.incr(key, cost)
    except ValueError:  # swept away between the two
        return
    if asked > most:
        raise Problem("too-often", headers={"Retry-After": str(max(1, int(WINDOW - gone)))})


def count_address(request: HttpRequest) -> None:
    """Every request counts for the address it comes from."""
    count("address", counted_as(request) or "", settings.API_ADDRESS_A_MINUTE)


def count_unknown(request: HttpRequest) -> None:
    """One without a good token or session: few of those are borne from one address."""
    count("unknown", counted_as(request) or "", settings.API_UNKNOWN_A_MINUTE)


def count_person(person: int, cost: int) -> None:
    """A request counts for its person, dear ones more than once."""
    count("person", str(person), settings.API_PERSON_A_MINUTE, cost)
