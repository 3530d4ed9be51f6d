"""The WSGI entry point."""

import os
import sys
from importlib import import_module

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.config.settings")

try:
    application = get_wsgi_application()
except ImproperlyConfigured as error:
    sys.exit(str(error))
# All pages, those of the admin among them, are imported before anybody asks for one.
import_module("campaign.config.urls")
