"""The site as it is set, broker and database included; static files by their plain names, quick passwords."""

from campaign.config.settings import *  # noqa: F403 - the settings, with the differences below

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
