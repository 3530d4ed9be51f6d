"""Where the site keeps what need not last: three caches, of which `campaign/ops/site_cache.py` says why."""

from pathlib import Path
from typing import Any

NAMES = {"default": "CountedCache", "sessions": "SessionCache", "shared": "SharedCache"}


def caches_of(redis_url: str, folder: Path) -> dict[str, dict[str, Any]]:
    """The setting CACHES: in one Redis, or in files of one folder."""
    if redis_url:
        return {
            name: {"BACKEND": f"campaign.ops.site_cache.{kind}", "LOCATION": redis_url}
            for name, kind in NAMES.items()
        }
    files = {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": folder,
        "OPTIONS": {"MAX_ENTRIES": 3000},  # sessions, attempts counted, visits
    }
    # What one process lays down for another must be kept, so `shared` says when it cannot.
    lenient = {**files, "BACKEND": "campaign.ops.site_cache.FileCache"}
    return {"default": lenient, "sessions": lenient, "shared": files}
