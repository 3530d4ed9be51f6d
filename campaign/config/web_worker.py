"""The gunicorn worker of the site: waitress, which receives a whole request before a thread takes it.

gunicorn looks after the processes. In each of them one loop reads all connections. A client that sends
slowly, sends nothing or does not read its answer takes no thread, and a slow request is closed in time.
"""

import os
import resource
import socket
import time
from operator import attrgetter
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ThreadedTaskDispatcher

from campaign.ops.upload_checks import LARGEST_REQUEST

#: Seconds from a request's first byte (or from the opening of a connection) to the end of its header.
HEADER_SECONDS = 10.0
#: Seconds for a body, and bytes of it that give one second more.
BODY_SECONDS = 20.0
BYTES_A_SECOND = 4096
#: Bytes of a header, and of all unfinished bodies of a process together.
LARGEST_HEADER = 32 * 2**10
BODIES_TOGETHER = 6 * LARGEST_REQUEST
#: Bytes of one request or answer that stay in memory; the rest waits in a temporary file.
IN_MEMORY = 64 * 2**10
#: File descriptors of one connection at most (itself, what comes in, what goes out), and those of the site.
DESCRIPTORS_EACH, DESCRIPTORS_ELSE = 3, 256


class Connection(HTTPChannel):
    """One connection; knows since when its present request has been coming in, by a clock nobody sets."""

    request_began: float | None

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.request_began = time.monotonic()

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.request_began = time.monotonic()
        taken: bool = super().received(data)
        if self.request is None:
            self.request_began = None
        return taken

    @property
    def body_received(self) -> int:
        """Bytes that have come in of an unfinished body."""
        return 0 if self.request is None else self.request.body_bytes_received

    def is_late(self, now: float) -> bool:
        """True if the incoming request has taken longer than it may."""
        if self.requests or self.request_began is None:
            return False
        allowed = HEADER_SECONDS
        if self.request is not None and self.request.headers_finished:
            allowed += BODY_SECONDS + self.body_received / BYTES_A_SECOND
        return now - self.request_began > allowed


class BufferingServer:
    """The server's additions to waitress: time limits, and room for new connections when all are taken."""

    channel_class = Connection
    active_channels: dict[int, Connection]
    adj: Any
    _map: dict[int, Any]

    def sweep(self, now: float) -> None:
        """Close what is late, and the smallest unfinished bodies while all are too large together."""
        channels = list(self.active_channels.values())
        for channel in channels:
            if channel.is_late(now):
                channel.will_close = True
        bodies = sorted((c for c in channels if c.body_received), key=lambda c: c.body_received)
        total = sum(channel.body_received for channel in bodies)
        for channel in bodies:
            if total <= BODIES_TOGETHER:
                break
            channel.will_close = True
            total -= channel.body_received

    def handle_accept(self) -> None:
        if len(self._map) >= self.adj.connection_limit - 1:
            self.make_room()
        super().handle_accept()  # type: ignore[misc]

    def make_room(self) -> None:
        """Close the connection that has sent least and waited longest; one that is being answered stays."""
        free = [channel for channel in self.active_channels.values() if not channel.requests]
        if free:
            key = attrgetter("total_outbufs_len", "body_received", "last_activity")
            min(free, key=key).handle_close()


class BufferingTcpServer(BufferingServer, TcpWSGIServer):
    """On an address."""


class BufferingUnixServer(BufferingServer, UnixWSGIServer):
    """On a socket in the file system."""


class BufferingWorker(Worker):
    """Runs waitress on the sockets gunicorn has opened, with as many threads as gunicorn is told."""

    def init_process(self) -> None:
        self.connections: dict[int, Any] = {}
        self.next_sweep = 0.0
        super().init_process()

    def run(self) -> None:
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(self.cfg.threads)
        settings = self.adjustments()
        servers = []
        for listener in self.sockets:
            kind = BufferingUnixServer if listener.FAMILY == socket.AF_UNIX else BufferingTcpServer
            servers.append(
                kind(
                    self.wsgi,
                    self.connections,
                    _sock=listener.sock,
                    dispatcher=dispatcher,
                    adj=settings,
                    sockinfo=(listener.FAMILY, None, None, None),
                    bind_socket=False,
                )
            )
        while self.alive and self.ppid == os.getppid():
            self.notify()
            self.turn(servers)
        for server in servers:
            server.accepting = False
        self.drain(servers)
        dispatcher.shutdown(timeout=0)
        wasyncore.close_all(self.connections, ignore_all=True)

    def adjustments(self) -> Adjustments:
        return Adjustments(
            threads=self.cfg.threads,
            connection_limit=self.connection_limit(),
            channel_timeout=self.cfg.keepalive,
            cleanup_interval=1,
            asyncore_use_poll=True,
            max_request_header_size=LARGEST_HEADER,
            max_request_body_size=LARGEST_REQUEST + 2**20,
            inbuf_overflow=IN_MEMORY,
            outbuf_overflow=4 * IN_MEMORY,
            # A thread never waits for a client that does not read: what it has not taken is in a file.
            outbuf_high_watermark=2**40,
            # Which proxy is believed is the settings' matter (TRUSTED_PROXY).
            clear_untrusted_proxy_headers=False,
            ident=None,
            log_socket_errors=False,
        )

    def connection_limit(self) -> int:
        """`worker_connections`, or what the system lets one process open."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = self.cfg.worker_connections * DESCRIPTORS_EACH + DESCRIPTORS_ELSE
        enough = hard == resource.RLIM_INFINITY or hard >= wanted
        soft = max(soft, wanted) if enough else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return int(min(self.cfg.worker_connections, (soft - DESCRIPTORS_ELSE) // DESCRIPTORS_EACH))

    def turn(self, servers: list[Any], patience: float = 1.0) -> None:
        """Wait for the next events, `patience` seconds at most, and see to them and to what is late."""
        wasyncore.loop(timeout=patience, use_poll=True, map=self.connections, count=1)
        now = time.monotonic()
        if now >= self.next_sweep:
            self.next_sweep = now + 1.0
            for server in servers:
                server.sweep(now)

    def drain(self, servers: list[Any]) -> None:
        """Answer what has come in whole, as long as gunicorn waits for a worker that is told to stop."""
        deadline = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < deadline:
            channels = [channel for server in servers for channel in server.active_channels.values()]
            if not any(channel.requests or channel.total_outbufs_len for channel in channels):
                return
            self.notify()
            self.turn(servers, 0.1)
