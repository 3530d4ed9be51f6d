#!/usr/bin/env python
"""Django's command line for the campaign manager."""

import io
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "campaign.config.settings")
    for stream in (sys.stdout, sys.stderr):  # a terminal without UTF-8 shows ? for what it does not have
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (DatabaseError, OSError) as error:
        from campaign.ops.database_locks import damage_advice, is_database_damaged, is_disk_full

        if is_database_damaged(error):
            sys.exit(damage_advice())
        if is_disk_full(error):
            sys.exit("The disk is full; the command stopped. Free some space and run it again.")
        raise
