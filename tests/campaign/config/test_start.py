"""What a process imports when it starts."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
LOADED = "import sys; print('campaign.config.urls' in sys.modules, 'campaign.admin.armies' in sys.modules)"


@pytest.mark.parametrize(
    ("start", "loaded"),
    [
        ("import django; django.setup(); import campaign.tasks", "False False"),
        ("import campaign.config.wsgi", "True True"),
    ],
    ids=["a worker has no pages", "a web server has all before anybody asks"],
)
def test_pages_are_imported_where_they_are_served(start: str, loaded: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{start}; {LOADED}"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == loaded
