"""Settings for tests and static checks: no secret needed, nothing kept, plain static names."""

import os

os.environ.setdefault("SECRET_KEY", "for tests only, never for a site that people can reach")
os.environ.setdefault("HTTPS", "false")
# tests call single steps of the engine from Python
os.environ.setdefault("AWI_ENGINE_STEPS", "1")

from campaign.config.settings import *  # noqa: F403 - the settings, with the differences below

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
_HERE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
CACHES = {"default": _HERE, "sessions": _HERE, "shared": _HERE}
# Mail arrives, in Django's outbox; that it goes nowhere is what a test says that asks what then.
MAIL_IS_SENT = True
# How many requests fit into a minute hangs on the machine; tests of the limits set their own.
API_PERSON_A_MINUTE = API_ADDRESS_A_MINUTE = API_UNKNOWN_A_MINUTE = 10**6
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {}
CELERY_RESULT_BACKEND = "cache+memory://"
