"""What tests of several apps share: the programs they drive, and a Redis of their own."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, sync_playwright

# Players of worked checks are modules without tests; failures there are to show values too.
pytest.register_assert_rewrite("tests.battles.checks")
# Playwright's synchronous interface keeps an event loop in the thread in which tests use the ORM.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# A busy machine is no fault of what is tested; slowness is measured by `make bench`.
hypothesis_settings.register_profile("any machine", deadline=None)
hypothesis_settings.load_profile("any machine")

CI = os.environ.get("CI") == "true"


def program(*names: str) -> str:
    """Path of the first of these programs that is installed.

    Elsewhere a test that drives a missing one is left out; in CI nothing is left out, so it fails.
    """
    for name in names:
        if path := shutil.which(name):
            return path
    message = f"{names[0]} is not installed; as root on Debian `make test` installs it."
    if CI:
        pytest.fail(message)
    pytest.skip(message)


def free_port() -> int:
    """A TCP port of loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Debian's browser, for playwright's `executable_path`."""
    return program("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A headless Chromium; a test opens its own context in it."""
    with sync_playwright() as playwright:
        # What a browser asks the wide world for in the background only fails and delays here.
        arguments = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        if os.geteuid() == 0:
            # Chromium's sandbox cannot be set up by root, and pages under test are our own.
            arguments.append("--no-sandbox")
        yield playwright.chromium.launch(executable_path=chromium, args=arguments)


@pytest.fixture
def redis_url(tmp_path: Path) -> Iterator[str]:
    """Address of a Redis server that lives as long as the test."""
    port = free_port()
    server = subprocess.Popen(
        [
            program("redis-server"),
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            tmp_path,
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for_port(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait()


def wait_for_port(port: int, seconds: float = 20.0) -> None:
    """Return once something listens on `port` of loopback; raise TimeoutError after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"Nothing listens on port {port} after {seconds:.0f} s.")


def left_out(config: pytest.Config) -> int:
    """How many tests were skipped."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return len(reporter.stats.get("skipped", [])) if reporter else 0


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI nothing is left out: a run with skipped tests is a failed run."""
    if CI and session.exitstatus == pytest.ExitCode.OK and left_out(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say so, where people look."""
    if CI and (count := left_out(config)):
        terminalreporter.write_line(f"In CI nothing is left out, but {count} tests were skipped.", red=True)
