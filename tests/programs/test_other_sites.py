"""What programs do at an address that is no site of ours, or leads elsewhere."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from campaign.outside import Site, SiteRefused


class Elsewhere(BaseHTTPRequestHandler):
    """A proxy that leads to https, and behind it a page of HTML."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Welcome</h1>")

    def do_POST(self) -> None:
        self.send_response(301)
        self.send_header("Location", self.path)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("program", ["staff", "client"])
def test_what_is_to_be_done_is_not_turned_into_a_question(
    program: str, elsewhere: str, examples: Path
) -> None:
    """A POST led on by a 301 becomes a GET: it looked like success, and nothing had been done."""
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match="301"):
        site(elsewhere, "awi_x").post("campaigns/a/orders/", {}, key="one")


@pytest.mark.parametrize("address", ["127.0.0.1:8000", "club.example.org", "nowhere://x"])
def test_what_is_no_address_is_a_sentence(address: str) -> None:
    with pytest.raises(SiteRefused, match="address"):
        Site(address, "awi_x").get("me/")


@pytest.mark.parametrize("program", ["staff", "client"])
def test_a_page_instead_of_the_api_is_a_sentence(program: str, elsewhere: str, examples: Path) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match="not a site of this kind"):
        site(elsewhere, "awi_x").get("me/")


def test_without_a_key_of_the_installation_commands_say_so(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "manage.py", "playseat", "https://club.example.org", "a", "--token", "awi_x"],
        env={
            "AWI_VAR": str(tmp_path),
            "PATH": "/usr/bin",
            "DJANGO_SETTINGS_MODULE": "campaign.config.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1
    assert "make secret" in found.stderr and "Traceback" not in found.stderr
