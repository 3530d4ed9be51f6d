"""The server's worker: requests are whole before a thread takes them, and late ones are closed."""

import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from campaign.config.web_worker import (
    BODIES_TOGETHER,
    BODY_SECONDS,
    BYTES_A_SECOND,
    HEADER_SECONDS,
    BufferingTcpServer,
    BufferingWorker,
    Connection,
)

#: Seconds for anything that happens at once; the machine may be busy.
PATIENCE = 60.0
HEADER = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = b"POST /slow HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"


class Served:
    """A small application on a server of ours, with as few threads as the test wants."""

    def __init__(self, application: Callable[..., Any], threads: int = 1, connections: int = 100) -> None:
        self.map: dict[int, Any] = {}
        self.asked: list[str] = []
        self.application = application
        self.dispatcher = ThreadedTaskDispatcher()
        self.dispatcher.set_thread_count(threads)
        listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.address = listener.getsockname()
        worker = BufferingWorker.__new__(BufferingWorker)
        worker.cfg = SimpleNamespace(threads=threads, keepalive=130, worker_connections=connections)
        self.settings: Adjustments = worker.adjustments()
        self.server = BufferingTcpServer(
            self._answer,
            self.map,
            _sock=listener,
            dispatcher=self.dispatcher,
            adj=self.settings,
            sockinfo=(socket.AF_INET, None, None, None),
            bind_socket=False,
        )
        self._over = threading.Event()
        self._loop = threading.Thread(target=self._run, daemon=True)
        self._loop.start()

    def _run(self) -> None:
        while not self._over.is_set():
            wasyncore.loop(timeout=0.02, use_poll=True, map=self.map, count=1)

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        self.asked.append(environ["PATH_INFO"])
        return self.application(environ, start)

    def stop(self) -> None:
        self._over.set()
        self._loop.join()
        self.dispatcher.shutdown(timeout=0)
        wasyncore.close_all(self.map, ignore_all=True)

    def connect(self, sent: bytes = b"") -> socket.socket:
        """A client that has sent so much, once the server has read it."""
        client = socket.create_connection(self.address, timeout=PATIENCE)
        client.sendall(sent)
        self.until(lambda: self.channel(client) is not None)
        found = self.channel(client)
        assert found is not None
        if sent:
            self.until(lambda: received(found) >= len(sent))
        return client

    def channel(self, client: socket.socket) -> Connection | None:
        name = client.getsockname()
        return next((c for c in list(self.server.active_channels.values()) if c.addr == name), None)

    def get(self, path: str = "/") -> bytes:
        connection = http.client.HTTPConnection(*self.address[:2], timeout=PATIENCE)
        connection.request("GET", path)
        text = connection.getresponse().read()
        connection.close()
        return text

    def until(self, true: Callable[[], Any]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < deadline
            time.sleep(0.01)


def read_until(client: socket.socket, end: bytes) -> None:
    """Read an answer as far as these bytes."""
    found = b""
    while not found.endswith(end):
        part = client.recv(1000)
        assert part, found
        found += part


def received(channel: Connection) -> int:
    """Bytes of the present request the server has read, its header too."""
    request = channel.request
    return 0 if request is None else request.header_bytes_received + request.body_bytes_received


def hello(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"hello"]


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    running: list[Served] = []

    def begin(application: Callable[..., Any] = hello, **named: Any) -> Served:
        running.append(Served(application, **named))
        return running[-1]

    yield begin
    for one in running:
        one.stop()


@pytest.mark.parametrize("sent", [b"", HEADER, BODY + b"u"], ids=["nothing", "header", "body"])
def test_half_a_request_takes_no_thread(serve, sent):
    site = serve(threads=1)
    waiting = [site.connect(sent) for _ in range(20)]
    assert site.get("/page") == b"hello"
    assert site.asked == ["/page"], "nothing that is not whole was begun"
    assert all(site.channel(client) is not None for client in waiting)


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        (b"", HEADER_SECONDS),
        (HEADER, HEADER_SECONDS),
        (BODY, HEADER_SECONDS + BODY_SECONDS),
        (BODY + b"u", HEADER_SECONDS + BODY_SECONDS + 1 / BYTES_A_SECOND),
        (BODY + b"u" * 10 * BYTES_A_SECOND, HEADER_SECONDS + BODY_SECONDS + 10),
    ],
    ids=["nothing", "header", "no body", "one byte", "ten seconds' worth"],
)
def test_a_request_has_so_long_and_each_4096_bytes_give_a_second_more(serve, sent, seconds):
    site = serve()
    client = site.connect(sent)
    channel = site.channel(client)
    began = channel.request_began
    assert (channel.is_late(began + seconds - 0.01), channel.is_late(began + seconds + 0.01)) == (False, True)
    site.server.sweep(began + seconds - 0.01)
    assert not channel.will_close
    site.server.sweep(began + seconds + 0.01)
    assert client.recv(1) == b"", "it is closed"
    assert site.get() == b"hello"


def test_a_byte_now_and_then_gains_no_time(serve):
    site = serve()
    client = site.connect(HEADER)
    channel = site.channel(client)
    began = channel.request_began
    client.sendall(b"aaa")
    site.until(lambda: received(channel) == len(HEADER) + 3)
    assert channel.request_began == began


def test_a_connection_that_waits_for_its_next_request_is_not_late(serve):
    site = serve()
    client = site.connect()
    for _ in range(2):
        client.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        read_until(client, b"hello")
        assert not site.channel(client).is_late(time.monotonic() + 3600)


def test_when_all_connections_are_taken_the_one_that_sent_least_and_waited_longest_goes(serve):
    # two of the twelve are the server itself and what wakes it
    site = serve(connections=12)
    upload = site.connect(BODY + b"u" * 100)
    others = [site.connect(HEADER) for _ in range(8)]
    newer = [site.connect(HEADER) for _ in range(3)]
    assert [client.recv(1) for client in others[:3]] == [b""] * 3
    assert site.channel(upload) is not None
    assert all(site.channel(client) is not None for client in [*others[3:], *newer])
    assert site.get() == b"hello"


def test_unfinished_bodies_are_bounded_together(serve, monkeypatch):
    assert BODIES_TOGETHER < 2 * 2**30
    monkeypatch.setattr("campaign.config.web_worker.BODIES_TOGETHER", 250)
    site = serve()
    clients = [site.connect(BODY + b"u" * size) for size in (90, 100, 120)]
    site.server.sweep(time.monotonic())
    assert clients[0].recv(1) == b""
    assert [site.channel(client).will_close for client in clients[1:]] == [False, False]


def test_what_streams_is_sent_as_it_is_made(serve):
    go_on = threading.Event()

    def stream(environ, start):
        start("200 OK", [("Content-Type", "text/plain")])
        yield b"first"
        assert go_on.wait(PATIENCE)
        yield b"second"

    site = serve(stream)
    client = site.connect()
    client.sendall(b"GET / HTTP/1.0\r\n\r\n")
    read_until(client, b"first")
    go_on.set()
    read_until(client, b"second")


def test_a_client_that_does_not_read_holds_no_thread(serve):
    made = threading.Event()

    def large(environ, start):
        if environ["PATH_INFO"] == "/":
            return hello(environ, start)
        start("200 OK", [("Content-Length", str(64 * 2**20))])
        return parts()

    def parts():
        for _ in range(64):
            yield b"x" * 2**20
        made.set()

    site = serve(large)
    client = site.connect()
    client.sendall(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert made.wait(PATIENCE), "more than sockets and waitress's own limit of 16 MB hold"
    assert site.get() == b"hello"
    found = 0
    while found < 64 * 2**20:
        found += len(client.recv(2**20))


@pytest.mark.parametrize("chunked", [False, True], ids=["of known length", "in chunks"])
def test_an_upload_arrives_whole(serve, chunked):
    photograph = bytes(range(256)) * 8192

    def take(environ, start):
        sent = environ["wsgi.input"].read()
        start("200 OK", [("Content-Type", "text/plain")])
        return [f"{environ['CONTENT_LENGTH']} {sent == photograph}".encode()]

    site = serve(take)
    connection = http.client.HTTPConnection(*site.address[:2], timeout=PATIENCE)
    parts = (photograph[start : start + 50_000] for start in range(0, len(photograph), 50_000))
    connection.request("POST", "/", parts if chunked else photograph, encode_chunked=chunked,
                       headers={"Transfer-Encoding": "chunked"} if chunked else {})  # fmt: skip
    assert connection.getresponse().read() == b"2097152 True"


def test_a_header_without_end_is_refused_at_32_kb(serve):
    site = serve()
    client = site.connect(HEADER)
    client.sendall(b"a" * 33 * 2**10)
    assert client.recv(100).startswith(b"HTTP/1.0 431 ")
    assert site.asked == []


def test_what_a_proxy_wrote_reaches_the_settings_and_nothing_names_the_server(serve):
    seen = {}

    def look(environ, start):
        seen.update(environ)
        return hello(environ, start)

    site = serve(look)
    connection = http.client.HTTPConnection(*site.address[:2], timeout=PATIENCE)
    connection.request("GET", "/", headers={"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https",
                                            "X_Forwarded_For": "192.0.2.9"})  # fmt: skip
    assert "Server" not in connection.getresponse().headers
    assert (seen["HTTP_X_FORWARDED_FOR"], seen["wsgi.url_scheme"]) == ("192.0.2.1", "http")
