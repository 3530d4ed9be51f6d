"""What tests of several apps share: the programs they drive, and servers of their own."""

import gc
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.db import connection
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.random_examples import examples_bound, profiles_register
from tests.servers import TEMPLATE, Redis, ServerMissing, migrated_file, own_database

# Players of worked checks are modules without tests; failures there are to show values too.
pytest.register_assert_rewrite("tests.battles.checks")
# Playwright's synchronous interface keeps an event loop in the thread in which tests use the ORM.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

profiles_register()
# Thousands of tests and their modules are there to the end: to go through them all for garbage again and
# again takes a tenth of the time.
gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """After the profile of `--hypothesis-profile` is loaded."""
    examples_bound()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is there now stays, and is looked through for garbage no more."""
    gc.collect()
    gc.freeze()


CI = os.environ.get("CI") == "true"


def program(*names: str) -> str:
    """Path of the first of these programs that is installed."""
    for name in names:
        if path := shutil.which(name):
            return path
    return left_out_here(str(ServerMissing(names[0])))


def left_out_here(message: str) -> NoReturn:
    """A test that drives what is missing is left out; in CI nothing is left out, so it fails."""
    if CI:
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of Debian's browser, for playwright's `executable_path`."""
    return program("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """A headless Chromium; a test opens its own context in it."""
    # A page that is slow on a busy machine is no fault of the page; what never comes fails all the same.
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        # What a browser asks the wide world for in the background only fails and delays here.
        arguments = ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        if os.geteuid() == 0:
            # Chromium's sandbox cannot be set up by root, and pages under test are our own.
            arguments.append("--no-sandbox")
        yield playwright.chromium.launch(executable_path=chromium, args=arguments)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """The tests' own database has its tables before it is migrated, which then finds nothing to do."""
    if template := os.environ.get(TEMPLATE):
        connection.settings_dict["TEST"]["TEMPLATE"] = template
    name = connection.creation._get_test_db_name()
    if connection.vendor != "sqlite" or not connection.creation.is_in_memory_db(name):
        yield
        return
    with closing(sqlite3.connect(name, uri=True)) as memory:  # lives as long as somebody is connected to it
        with closing(sqlite3.connect(migrated_file())) as migrated:
            migrated.backup(memory)
        yield


#: Seconds in which the slowest page is answered, on a busy machine too.
ANSWERED_IN = 240


class Answer:
    """An answer of the site's, as the server sends it; it says when it has let go of it."""

    def __init__(self, pieces: Any, over: Callable[[], None]) -> None:
        self.pieces, self.over = pieces, over

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.pieces)

    def close(self) -> None:
        """The server calls it at the end, also when nobody listens any more."""
        over, self.over = self.over, lambda: None
        try:
            getattr(self.pieces, "close", lambda: None)()
        finally:
            over()


class InTurn:
    """The site, to be asked by many threads that have one connection to the database between them.

    Each is answered by itself: two in one transaction would end each other's. Kept is how many wait or are
    being answered, to the last of an answer that is sent in pieces.
    """

    def __init__(self, site: Callable[..., Any]) -> None:
        self.site, self.asking = site, 0
        self.turn, self.changed = threading.Lock(), threading.Condition()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        with self.changed:
            self.asking += 1
        try:
            with self.turn:
                return Answer(self.site(environ, start_response), self._over)
        except BaseException:
            self._over()
            raise

    def _over(self) -> None:
        with self.changed:
            self.asking -= 1
            self.changed.notify_all()

    def answered(self) -> None:
        """Return once nobody is being answered any more."""
        with self.changed:
            done = self.changed.wait_for(lambda: not self.asking, ANSWERED_IN)
        assert done, f"A page has not been answered in {ANSWERED_IN} s."


@pytest.fixture(scope="session")
def live_server(live_server: LiveServer) -> Iterator[LiveServer]:
    """The site as browsers find it; on SQLite in memory its threads have the tests' own connection."""
    server, shared = live_server.thread.httpd, live_server.thread.connections_override or {}
    if shared and (site := server.get_app()):
        server.set_app(InTurn(site))
    yield live_server
    # The browser's last windows are closed after the server, and their threads let go of the connection then.
    for held in shared.values():
        held.inc_thread_sharing()


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a window asked for before it was closed is answered before the next test begins."""
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")  # is emptied after that
    site = request.getfixturevalue("live_server").thread.httpd.get_app()
    yield
    if isinstance(site, InTurn):
        site.answered()


@pytest.fixture
def redis_url() -> Iterator[str]:
    """Address of a Redis server that lives as long as the test."""
    try:
        server = Redis()
    except ServerMissing as missing:
        left_out_here(str(missing))
    with server:
        yield server.url


@pytest.fixture
def new_database(tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes a database, of the kind the tests use, with tables and no rows; gives its address."""
    with ExitStack() as databases:
        yield lambda: databases.enter_context(own_database(tmp_path))


@pytest.fixture
def database_url(new_database: Callable[[], str]) -> str:
    """Address of one such database."""
    return new_database()


#: Fixtures by which a test without a mark of its own reaches a database.
DATABASES = {"db", "transactional_db", "django_db_setup", "new_database"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches a database, which is all that another kind of database can change, and browsers.

    Long tests come first, or one of two processes waits at the end for the other's. After this pytest-django
    puts those that empty the database behind those that need it as it was migrated.
    """
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & DATABASES:
            item.add_marker("database")
        if "browser" in fixtures:
            item.add_marker("browser")
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


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
