"""The site as it is set, broker and database included; static files by their plain names, quick passwords.

Requests are counted by a quarter of a minute, so that who has asked too often waits no longer.
"""

from campaign.config.settings import *  # noqa: F403 - the settings, with the differences below
from campaign.ops import rate_limit

rate_limit.WINDOW = 15

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
