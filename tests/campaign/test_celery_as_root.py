"""What Celery says when the site is started as root."""

import subprocess
import sys

CODE = """
import os
os.getuid = os.geteuid = lambda: 0
from campaign.config.celery import app
from celery.platforms import check_privileges
assert set(app.conf.accept_content) == {"json"}
check_privileges(app.conf.accept_content)
"""


def test_started_as_root_the_worker_does_not_print_a_warning_that_the_club_can_do_nothing_about():
    ended = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert ended.stderr == ""
