"""Settings for tests and static checks: no secret needed, quick passwords, unhashed static names."""

import os

os.environ.setdefault("SECRET_KEY", "for tests only, never for a site that people can reach")
os.environ.setdefault("HTTPS", "false")

from campaign.config.settings import *  # noqa: E402, F403 - the environment must be set first
from campaign.config.settings import CELERY_BEAT_SCHEDULE, STORAGES

STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, str] = {}
CELERY_RESULT_BACKEND = "cache+memory://"
__all__ = ["CELERY_BEAT_SCHEDULE"]
