"""SMTP in bounded time: no mail server, however slow or talkative, holds up who sends (HR-DUE-13).

Django's time limit is one for each answer. A server that says a letter at a time passes it for ever.
"""

import smtplib
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from typing import TypeVar

from django.core.mail.backends import smtp

from campaign.ops.ssrf_guard import OpenConnections

_connections: ContextVar[OpenConnections | None] = ContextVar("smtp", default=None)

T = TypeVar("T")


class _Plain(smtplib.SMTP):
    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        connection: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        if (opened := _connections.get()) is not None:
            opened.add(connection)
        return connection


class _Encrypted(smtplib.SMTP_SSL, _Plain):
    """The socket is known before the TLS handshake, which `SMTP_SSL` makes on what `_Plain` gives it."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend, whose connections end with the time limit they were opened in."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _Encrypted if self.use_ssl else _Plain


def run_within(seconds: float, work: Callable[[], T]) -> T:
    """Run some SMTP work in a thread of its own, within so many seconds; return or raise what it does.

    When the time is up its connections are cut and TimeoutError is raised, even while a name is looked up.
    The work may not use the database.
    """
    opened, done = OpenConnections(), Future[T]()

    def attempt() -> None:
        _connections.set(opened)
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)
        finally:
            opened.close()

    threading.Thread(target=copy_context().run, args=(attempt,), daemon=True).start()
    try:
        return done.result(seconds)
    finally:
        opened.cut()
