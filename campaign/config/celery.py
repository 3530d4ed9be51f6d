"""The Celery application: settings of Django whose names start with CELERY_."""

import os
import warnings

from celery import Celery
from celery.signals import setup_logging
from django_structlog.celery.steps import DjangoStructLogInitStep

from campaign.config import file_broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.config.settings")

# Started as root, as in a container, the worker would print a long warning. What it warns of is messages
# that run code when they are read; ours are JSON and nothing else is accepted.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

file_broker.register_transports()
app = Celery("campaign", include=["campaign.services.jobs.heartbeat"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@setup_logging.connect
def logging_left_alone(**options: object) -> None:
    """Django's LOGGING holds for workers too: who answers this signal keeps Celery from its own."""
