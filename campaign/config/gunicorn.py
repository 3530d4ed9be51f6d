"""Settings of gunicorn: one process of several threads, on loopback unless told otherwise."""

import contextlib
import gc
import os
import shutil
import sys
import tempfile
from typing import Any

import segno
from django.core.exceptions import ImproperlyConfigured

from campaign.config.checked_values import CheckedEnv
from campaign.config.logs import logging_settings

bind = os.environ.get("AWI_BIND", "127.0.0.1:8000")
wsgi_app = "campaign.config.wsgi:application"
try:
    workers = CheckedEnv().int("WEB_WORKERS", default=1)
    threads = CheckedEnv().int("WEB_THREADS", default=8)
except ImproperlyConfigured as error:
    sys.exit(str(error))
worker_class = "campaign.config.web_worker.BufferingWorker"
# Open connections of one process; beyond them the one that has sent least is closed for the next.
worker_connections = 1000
timeout = 60
graceful_timeout = 10
# Loaded once, before the processes part, so that they share what they do not write.
preload_app = True
# Longer than proxies keep an idle connection (Caddy: 120), or one may be shut as a request comes in on it.
keepalive = 130
loglevel = "warning"
_log = logging_settings(os.environ.get("LOG_FORMAT", "line"), os.environ.get("LOG_LEVEL", "INFO"))
logconfig_dict = {**_log, "loggers": {"gunicorn.error": {"level": "WARNING"}}}

# Each process counts requests in files of its own in one folder, and /metrics adds them up. The package
# looks for the folder when it is first imported, so nothing above may import it.
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
if FOLDER not in os.environ:
    os.environ[FOLDER] = tempfile.mkdtemp(prefix="campaign-metrics-")


def on_starting(server: Any) -> None:
    """All code is loaded, and the collector of garbage passes it over: walking it took long."""
    from django.urls import get_resolver

    assert get_resolver().url_patterns
    gc.collect()
    gc.freeze()


def child_exit(server: Any, worker: Any) -> None:
    """A worker that has ended has nothing open any more."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """The counts end with the server, unless another goes on with them."""
    if not server.reexec_pid:
        shutil.rmtree(os.environ[FOLDER], ignore_errors=True)


def when_ready(server: Any) -> None:
    """Print the address once the socket answers, for phones of the club as a QR code too."""
    if os.environ.get("AWI_LAN") == "1":
        with contextlib.suppress(UnicodeEncodeError):  # a terminal that knows no blocks has the address
            segno.make(f"http://{bind}", micro=False).terminal(compact=True)
        print("Phones in this network open the campaign by the code.", flush=True)
    print(f"The campaign is open at http://{bind}{doors_address()} (stop it with Ctrl+C)", flush=True)


def doors_address() -> str:
    """The end of the address that opens the demo doors; empty where there are none."""
    from django.conf import settings

    from campaign.ops.demo import TOKEN, doors_token

    return f"/?{TOKEN}={doors_token()}" if settings.DEMO else ""
