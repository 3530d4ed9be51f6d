"""Health checks for monitors: is the process alive, and is it ready to serve?

`/health/` says that the process answers and reaches its database. `/ready/` looks at everything a request
or a job needs; a proxy sends nobody to a machine that answers 503. What it found of each part it says to whom
`/metrics` is open, and in the log; to everybody else only whether the site is ready. What is
amiss and keeps nobody from being served, as a clock that stands still, is a warning.
"""

import functools
import logging
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.ops.callers import may_watch
from campaign.ops.site_cache import get_shared_cache
from campaign.services.turns.clock import find_clock_silence, silence_text
from campaign.services.turns.outages import list_clock_setbacks

logger = logging.getLogger(__name__)

#: Seconds a server may take to answer before it counts as gone.
PATIENCE = 3.0


class NotReady(Exception):
    """A part of the site is not as it must be; the sentence is for whoever runs the site."""


@never_cache
@require_safe
def health_page(request: HttpRequest) -> HttpResponse:
    """Plain text `ok` once the database answers; a broken database is a 500 by itself."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readiness_page(request: HttpRequest) -> HttpResponse:
    """`ready`, `ready, with warnings`, or 503 and `not ready`; for who may watch a line for each part."""
    found = {name: _find_fault(name, look) for name, look in PARTS.items()}
    warned = {name: _find_fault(name, look) for name, look in WARNINGS.items()}
    fails = any(found.values())
    lines = ["not ready" if fails else "ready, with warnings" if any(warned.values()) else "ready"]
    if may_watch(request):
        lines = [f"{name}: {fault or 'ok'}" for name, fault in found.items()]
        lines += [f"{name}: {f'warning: {fault}' if fault else 'ok'}" for name, fault in warned.items()]
    return HttpResponse("\n".join(lines) + "\n", status=503 if fails else 200, content_type="text/plain")


def _find_fault(name: str, look: Callable[[], None]) -> str:
    """Describe the fault of a part, in words that give no address away; empty if there is none."""
    try:
        look()
    except NotReady as fault:
        logger.warning("Not ready: %s: %s", name, fault)
        return str(fault)
    except Exception:
        logger.exception("Not ready: %s", name)
        return "does not answer; the log says why"
    return ""


def check_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


@functools.cache
def _list_migrations() -> frozenset[tuple[str, str]]:
    """Every migration of the installed release; those a squashed one replaces stand for it."""
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return frozenset(key for key, one in loader.disk_migrations.items() if not one.replaces)


def check_migrations() -> None:
    """All of this release's are applied. More than those may be: a newer release beside this one."""
    missing = _list_migrations() - set(MigrationRecorder(connection).applied_migrations())
    if missing:
        raise NotReady(f"{len(missing)} are not applied; run manage.py migrate")


def check_broker() -> None:
    if settings.REDIS_URL:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE
        ) as server:
            server.ping()
        return
    queue = settings.CELERY_BROKER_TRANSPORT_OPTIONS.get("data_folder_out")
    if queue and not os.access(str(queue), os.W_OK | os.X_OK):
        raise NotReady("its folder cannot be written")


def check_cache() -> None:
    """The cache gives back what it was given, to every process."""
    cache, key, value = get_shared_cache(), f"ready-{secrets.token_hex(4)}", secrets.token_hex(8)
    cache.set(key, value, 30)
    found = cache.get(key)
    with suppress(Exception):
        cache.delete(key)
    if found != value:
        raise NotReady("forgets what it is given")


def check_disk() -> None:
    """Room for the database, backups and the compiled engine."""
    free = shutil.disk_usage(Path(settings.VAR_DIR)).free // 2**20
    if free < settings.DISK_FREE_MB:
        raise NotReady(f"{free} MB are free, of {settings.DISK_FREE_MB} MB wanted")


def check_clock() -> None:
    """Deadlines are kept, and by a time that nobody has set back."""
    now = timezone.now()
    if (since := find_clock_silence(now)) is not None:
        told = f"{since.day} {since:%B, %H:%M} UTC"
        raise NotReady(f"{silence_text('The clock', since, told)} Look whether beat and a worker run.")
    if told_back := list_clock_setbacks(now):
        raise NotReady(list(told_back.values())[-1])


PARTS: dict[str, Callable[[], None]] = {
    "database": check_database,
    "migrations": check_migrations,
    "broker": check_broker,
    "cache": check_cache,
    "disk": check_disk,
}
#: What keeps nobody from being served, and has to be looked at.
WARNINGS: dict[str, Callable[[], None]] = {"clock": check_clock}
