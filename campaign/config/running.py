"""Settings of those who run the site: its log, its figures, its backups."""

import logging
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from campaign.config.environment import VAR_DIR, env
from campaign.config.logs import FORMATS, logging_settings, structlog_configure

LOG_FORMAT = env.str("LOG_FORMAT", default="line")
if LOG_FORMAT not in FORMATS:
    raise ImproperlyConfigured(f"LOG_FORMAT is line or json, not {LOG_FORMAT!r}.")
LOGGING = logging_settings(LOG_FORMAT, env.str("LOG_LEVEL", default="INFO"))
structlog_configure()
DJANGO_STRUCTLOG_CELERY_ENABLED = True  # a job's lines bear the id of the request that asked for it
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL = logging.DEBUG
DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL = logging.INFO

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_ADDRESSES: list[str] = env.list("METRICS_ADDRESSES", default=[])
DISK_FREE_MB = env.int("DISK_FREE_MB", default=500)

BACKUP_DIR = Path(env.str("BACKUP_DIR", default=str(VAR_DIR / "backups")))
BACKUP_KEEP = env.int("BACKUP_KEEP", default=14)
BACKUP_HOURS = env.int("BACKUP_HOURS", default=24)

__all__ = [
    "BACKUP_DIR", "BACKUP_HOURS", "BACKUP_KEEP", "DISK_FREE_MB", "DJANGO_STRUCTLOG_CELERY_DEFAULT_LOG_LEVEL",
    "DJANGO_STRUCTLOG_CELERY_ENABLED", "DJANGO_STRUCTLOG_IP_LOGGING_ENABLED",
    "DJANGO_STRUCTLOG_STATUS_4XX_LOG_LEVEL", "DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL", "LOGGING",
    "LOG_FORMAT", "METRICS_ADDRESSES", "METRICS_TOKEN",
]  # fmt: skip
