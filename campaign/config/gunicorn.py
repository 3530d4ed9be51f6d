"""How gunicorn serves the site: one process of several threads, on loopback unless told."""

import os
from typing import Any

bind = os.environ.get("AWI_BIND", "127.0.0.1:8000")
wsgi_app = "campaign.config.wsgi:application"
workers = int(os.environ.get("WEB_WORKERS", "1"))
threads = int(os.environ.get("WEB_THREADS", "8"))
worker_class = "gthread"
timeout = 60
graceful_timeout = 10
loglevel = "warning"


def when_ready(server: Any) -> None:
    """Print the address once the socket answers."""
    print(f"The campaign is open at http://{bind} (stop it with Ctrl+C)", flush=True)
