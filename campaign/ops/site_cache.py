"""The site's cache on Redis, and what becomes of it while Redis does not answer: pages go on.

Three caches in one Redis, by what may stand in for them:

- `default` for what is counted and remembered (requests of programs, sign-ups, letters asked for, visits):
  each process counts for itself meanwhile.
- `sessions`: they are in the database too, and are read there meanwhile.
- `shared` for what one process lays down for another or must be asked of all: raises CacheAway.

A process that found Redis away leaves it alone for a few seconds, and says so once a minute.
"""

import functools
import logging
from time import monotonic
from typing import Any

from django.core.cache import BaseCache, caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.dummy import DummyCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from campaign.ops.database_locks import is_disk_full

logger = logging.getLogger(__name__)

#: Seconds for which one process leaves a Redis alone that did not answer, and between two lines in its log.
REST, LINES = 3.0, 60.0
#: Seconds a Redis may take: pages wait for it.
PATIENCE = 2.0
#: What changes a key that is named first, or the keys of a list or a dict.
ONE, SEVERAL = ("add", "set", "delete", "incr", "touch"), ("set_many", "delete_many")
FOREVER_AGO = float("-inf")


class CacheAway(Exception):
    """The cache all processes share does not answer; the sentence is for whoever asked."""

    def __init__(self) -> None:
        super().__init__(
            "A part of the site this needs does not answer just now. Nothing was done; try again in a minute."
        )


def get_shared_cache() -> BaseCache:
    """Return the cache that other processes read too. On Redis it raises CacheAway while that is away."""
    return caches["shared"]


def shared_verify() -> None:
    """Raise CacheAway unless what every process must know of can be kept."""
    get_shared_cache().get("anything")


class RedisAbsence:
    """One process's record of an unreachable Redis: until when it is not asked, and the sessions it could
    not change there.
    """

    def __init__(self) -> None:
        self.until = self.told = FOREVER_AGO
        self.owed: dict[str, None] = {}

    def lasts(self) -> bool:
        return monotonic() < self.until

    def note(self, error: Exception) -> None:
        now = monotonic()
        self.until = now + REST
        if now - self.told >= LINES:
            self.told = now
            logger.error("The cache on Redis does not answer; pages go on without it: %s", error)

    def over(self) -> None:
        if self.until != FOREVER_AGO:
            self.until = self.told = FOREVER_AGO
            logger.warning("The cache on Redis answers again")


#: By the address of the Redis; a cache object serves one thread.
ABSENCES: dict[str, RedisAbsence] = {}


class Asked:
    """Django's client of a Redis; while that is away `instead` answers, or CacheAway is raised."""

    def __init__(self, client: RedisCacheClient, absence: RedisAbsence, instead: BaseCache | None) -> None:
        self.client, self.absence, self.instead = client, absence, instead

    def __getattr__(self, name: str) -> Any:
        return functools.partial(self._ask, name)

    def _ask(self, name: str, *given: Any) -> Any:
        if self.instead is not None and self.absence.lasts():
            return self._without(name, *given)
        try:
            self._settle()
            found = getattr(self.client, name)(*given)
        except (RedisError, OSError) as error:
            self.absence.note(error)
            if self.instead is None:
                raise CacheAway from error
            return self._without(name, *given)
        self.absence.over()
        return found

    def _without(self, name: str, *given: Any) -> Any:
        if self.instead is NOTHING:
            keys = given[:1] if name in ONE else given[0] if name in SEVERAL else ()
            self.absence.owed.update(dict.fromkeys(keys))
        return getattr(self.instead, name)(*given)

    def _settle(self) -> None:
        """Take out what this process changed meanwhile: a session that ended is not to come back."""
        if owed := list(self.absence.owed):
            self.client.delete_many(owed)
            for key in owed:
                self.absence.owed.pop(key, None)


COUNTED_HERE, NOTHING = LocMemCache("while Redis is away", {}), DummyCache("", {})


class SharedCache(RedisCache):
    """Raises CacheAway; neither waits long nor tries for long."""

    instead: BaseCache | None = None

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        # once more at once: a connection kept from before Redis was started again is dead
        quick = {
            "socket_connect_timeout": PATIENCE,
            "socket_timeout": PATIENCE,
            "retry": Retry(NoBackoff(), 1),
        }
        super().__init__(server, params)
        self._client = RedisCacheClient([server], **{**quick, **params.get("OPTIONS", {})})
        self._absence = ABSENCES.setdefault(server, RedisAbsence())

    @functools.cached_property
    def _cache(self) -> Any:
        """The client that Django's cache calls."""
        return Asked(self._client, self._absence, self.instead)


class CountedCache(SharedCache):
    """While Redis is away each process counts and remembers for itself."""

    instead = COUNTED_HERE


class SessionCache(SharedCache):
    """While Redis is away nothing is found, and nothing kept."""

    instead = NOTHING


class FileCache(FileBasedCache):
    """Files instead of Redis. On a full disk nothing is kept, and whoever reads a page goes on."""

    def set(
        self, key: Any, value: Any, timeout: float | None = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        try:
            super().set(key, value, timeout, version)
        except OSError as error:
            if not is_disk_full(error):
                raise
            logger.warning("The disk is full: the cache keeps nothing.")
