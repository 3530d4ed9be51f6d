"""Rate limit: requests counted by the minute, for programs and for files by pages (HR-API-03)."""

import hashlib
import time

from django.conf import settings
from django.core.cache import cache

from campaign.rules.errors import RuleViolation

RULE = "HR-API-03"
#: Seconds of the window that is counted.
WINDOW = 60
#: What a file brought in counts, by what it is: so much dearer than another request it is to take.
PHOTOGRAPHS, TABLE, SCENARIO, ARCHIVE = 5, 20, 20, 60


def count_request(whom: str, name: str, most: int, cost: int = 1) -> int:
    """Count a request; return the seconds to wait if there were too many, else 0."""
    now = time.time()
    window, gone = divmod(now, WINDOW)
    mark = hashlib.sha256(name.encode()).hexdigest()[:24]
    key = f"api/{whom}/{mark}/{int(window)}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        asked = cache.incr(key, cost)
    except ValueError:  # swept away between the two
        return 0
    return max(1, int(WINDOW - gone)) if asked > most else 0


def count_person_request(person: int, cost: int) -> int:
    """Count a request of a person, by a program or by a page: both are one budget."""
    return count_request("person", str(person), settings.API_PERSON_A_MINUTE, cost)


def upload_verify(person: int, cost: int) -> None:
    """Count a file that is brought in by a page; raises RuleViolation for too many in a minute."""
    if wait := count_person_request(person, cost):
        words = f"You have brought many files within a minute; try again in {wait} seconds."
        raise RuleViolation(RULE, words, "file")
