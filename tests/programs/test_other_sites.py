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

import campaign.ai.http_player
from campaign.ai.http_player import Site, SiteRefused


class Elsewhere(BaseHTTPRequestHandler):
    """A proxy that leads to https, and behind it a page of HTML; below /lost/ there is none."""

    def do_GET(self) -> None:
        if self.path == "/api/v1/me/there/":
            body = b'{"path": "here"}'
            self.send_response(200)
            self.send_header("ETag", '"1"')
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_response(404 if self.path.startswith("/lost/") else 200)
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


@pytest.mark.parametrize("program", ["staff", "client"])
@pytest.mark.parametrize("address", ["127.0.0.1:8000", "club.example.org", "nowhere://x", "notaurl", ""])
def test_what_is_no_address_is_a_sentence_that_says_how_one_looks(
    program: str, address: str, examples: Path
) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match=f"“{address}” is no address .* as https://club.example.org"):
        site(address, "awi_x").get("me/")


@pytest.mark.parametrize("program", ["staff", "client"])
def test_where_nobody_answers_it_says_so(
    program: str, examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    monkeypatch.setattr(awi, "PAUSE", 0)
    monkeypatch.setattr(campaign.ai.http_player, "PAUSE", 0)
    with pytest.raises(refused, match=r"^http://127.0.0.1:1 does not answer: is the address right"):
        site("http://127.0.0.1:1", "awi_x").get("me/")


@pytest.mark.parametrize("program", ["staff", "client"])
@pytest.mark.parametrize("end", ["", "/", "/api/v1", "/api/v1/"])
def test_an_address_may_end_in_that_of_the_api(
    program: str, end: str, elsewhere: str, examples: Path
) -> None:
    awi: Any = importlib.import_module("awi_client")
    site = Site if program == "staff" else awi.Client
    assert site(elsewhere + end, "awi_x").get("me/there/") == {"path": "here"}


@pytest.mark.parametrize("program", ["staff", "client"])
@pytest.mark.parametrize("below", ["", "/lost"])
def test_a_page_instead_of_the_api_is_a_sentence(
    program: str, below: str, elsewhere: str, examples: Path
) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match=r"not a site of this kind.* as https://club.example.org"):
        site(elsewhere + below, "awi_x").get("me/")


@pytest.mark.parametrize("program", ["staff", "client"])
def test_a_token_that_was_not_filled_in_is_a_sentence(program: str, elsewhere: str, examples: Path) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match="no token"):
        site(elsewhere, "awi_…").get("me/there/")


@pytest.mark.parametrize("program", ["staff", "client"])
@pytest.mark.parametrize("address", ["http://club..example.org", f"http://{'a' * 70}.example.org"])
def test_an_address_without_the_name_of_a_host_is_a_sentence(
    program: str, address: str, examples: Path
) -> None:
    awi: Any = importlib.import_module("awi_client")
    site, refused = (Site, SiteRefused) if program == "staff" else (awi.Client, awi.Problem)
    with pytest.raises(refused, match="no address of a site"):
        site(address, "awi_x").get("me/")


@pytest.mark.parametrize(
    ("token", "address", "said"),
    [
        ("", "http://127.0.0.1:1", "set AWI_TOKEN"),
        ("awi_x", "notaurl", "“notaurl” is no address of a site"),
    ],
)
def test_the_bot_says_what_is_missing(examples: Path, token: str, address: str, said: str) -> None:
    found = subprocess.run(
        [sys.executable, str(examples / "bot.py"), address, "saratoga"],
        env={"PATH": "/usr/bin", "AWI_TOKEN": token, "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert found.returncode in (1, 2) and said in found.stderr and "Traceback" not in found.stderr


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
