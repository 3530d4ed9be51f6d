"""Where notices arrive in tests: a web server and a mail server on this machine, each in a thread."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from tests.servers import free_port


@dataclass(frozen=True)
class Posted:
    """A request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class WebSink:
    """A server that keeps what is posted; it answers with `status`, after `wait` seconds, drop by drop."""

    port: int = 0
    status: int = 204
    wait: float = 0.0
    location: str = ""
    posted: list[Posted] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def web_sink() -> Iterator[WebSink]:
    sink = WebSink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            headers = {name.lower(): text for name, text in self.headers.items()}
            sink.posted.append(Posted(self.path, headers, self.rfile.read(length)))
            self.send_response(sink.status)
            if sink.location:
                self.send_header("Location", sink.location)
            try:
                self.flush_headers()
                for number in range(int(sink.wait * 10)):  # it never quite falls silent
                    self.wfile.write(f"X-Drop-{number}: a\r\n".encode())
                    time.sleep(0.1)
                self.end_headers()
            except OSError:
                return  # cut off

        do_GET = do_POST

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    sink.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@dataclass
class MailSink:
    """A mail server that keeps what it takes; addresses in `refused` it does not know.

    `answers` are what it says to commands instead, by their names: "RCPT": "450 Later". `password` is the
    only one it lets in, if it asks for any.
    """

    port: int
    letters: list[tuple[list[str], Message]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    password: str = ""


class _Box:
    def __init__(self, sink: MailSink) -> None:
        self.sink = sink

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if answer := self.sink.answers.get("MAIL"):
            return answer
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if answer := self.sink.answers.get("RCPT"):
            return answer
        if address in self.sink.refused:
            return "550 No such box"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if answer := self.sink.answers.get("DATA"):
            return answer
        self.sink.letters.append((list(envelope.rcpt_tos), message_from_bytes(envelope.content)))
        return "250 Taken"


@dataclass
class SlowMail:
    """A mail server that greets a letter a `pause`, and never to the end; `calls` are its connections."""

    port: int = 0
    calls: int = 0
    cut_off: Event = field(default_factory=Event)


@contextmanager
def slow_mail(pause: float = 0.02) -> Iterator[SlowMail]:
    """The server, running: each pause is shorter than any time limit between two answers."""
    sink, over = SlowMail(), Event()
    listener = socket.create_server(("127.0.0.1", 0))
    sink.port = listener.getsockname()[1]

    def greet(connection: socket.socket) -> None:
        with connection:
            for count in range(2000):
                if over.wait(pause):
                    return
                try:
                    connection.sendall(b"220-" if count == 0 else b"\r\n220-" if count % 40 == 0 else b"a")
                except OSError:
                    sink.cut_off.set()
                    return

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            sink.calls += 1
            Thread(target=greet, args=(connection,), daemon=True).start()

    Thread(target=serve, daemon=True).start()
    try:
        yield sink
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


@contextmanager
def mail_sink(password: str = "", port: int = 0) -> Iterator[MailSink]:
    """The server, running; with a password it asks for it; at a `port`, or any."""
    sink = MailSink(port or free_port(), password=password)

    def known(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        return AuthResult(success=data.password == sink.password.encode(), handled=False)

    asks: dict[str, Any] = (
        {"authenticator": known, "auth_require_tls": False, "auth_required": True} if password else {}
    )
    controller = Controller(_Box(sink), hostname="127.0.0.1", port=sink.port, **asks)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()
