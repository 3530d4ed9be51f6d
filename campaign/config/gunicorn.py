"""How gunicorn serves the site: one process of several threads, on loopback unless told."""

import contextlib
import os
from typing import Any

import segno

bind = os.environ.get("AWI_BIND", "127.0.0.1:8000")
wsgi_app = "campaign.config.wsgi:application"
workers = int(os.environ.get("WEB_WORKERS", "1"))
threads = int(os.environ.get("WEB_THREADS", "8"))
worker_class = "gthread"
timeout = 60
graceful_timeout = 10
loglevel = "warning"


def when_ready(server: Any) -> None:
    """Print the address once the socket answers, for phones of the club as a QR code too."""
    if os.environ.get("AWI_LAN") == "1":
        with contextlib.suppress(UnicodeEncodeError):  # a terminal that knows no blocks has the address
            segno.make(f"http://{bind}", micro=False).terminal(compact=True)
        print("Phones in this network open the campaign by the code.", flush=True)
    print(f"The campaign is open at http://{bind} (stop it with Ctrl+C)", flush=True)
