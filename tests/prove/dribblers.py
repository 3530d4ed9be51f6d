"""Clients that begin a request and do not finish it, and how long pages take meanwhile.

By itself against a running site: python -m tests.prove.dribblers 127.0.0.1:8000
"""

import contextlib
import http.client
import selectors
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Self

from tests.servers import wait_for_port

#: Seconds between two bytes of a dribbler: shorter than any idle limit a server has.
EVERY = 2.0

#: What a client sends at once, by the kind of attack; after that one byte `EVERY` seconds.
BEGINNINGS = {
    "silent": b"",
    "headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "body": (
        b"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 100000\r\n\r\nu"
    ),
    "unread": b"GET /static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js HTTP/1.1\r\n"
    b"Host: 127.0.0.1\r\n\r\n",
}
#: Kinds that send no more once they have begun.
STILL = {"silent", "unread"}


@dataclass
class Dribblers:
    """`number` sockets kept open by one thread; a socket that the server closes is opened again."""

    address: tuple[str, int]
    kind: str
    number: int
    closed: int = 0
    refused: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._sockets: list[socket.socket | None] = [None] * self.number
        for place in range(self.number):
            self._open(place)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        for one in self._sockets:
            if one is not None:
                one.close()

    @property
    def open(self) -> int:
        return sum(one is not None for one in self._sockets)

    def _open(self, place: int) -> None:
        one = socket.socket()
        if self.kind == "unread":
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        one.settimeout(2)
        try:
            one.connect(self.address)
            one.sendall(BEGINNINGS[self.kind])
        except OSError:
            self.refused += 1
            one.close()
            return
        one.setblocking(False)
        self._sockets[place] = one

    def _run(self) -> None:
        while not self._stop.wait(EVERY):
            for place, one in enumerate(self._sockets):
                if one is not None and self._is_closed(one):
                    self.closed += 1
                    one.close()
                    self._sockets[place] = one = None
                if one is None:
                    self._open(place)
                elif self.kind not in STILL:
                    with contextlib.suppress(OSError):
                        one.send(b"a")

    def _is_closed(self, one: socket.socket) -> bool:
        """Whether the server has answered and closed, or reset; what it sends is thrown away."""
        if self.kind == "unread":
            with selectors.PollSelector() as look:
                look.register(one, selectors.EVENT_READ)
                return one.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
        try:
            while data := one.recv(65536):
                del data
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True


def page_times(
    address: tuple[str, int], path: str = "/", number: int = 40, patience: float = 20.0
) -> list[float]:
    """Seconds for each of `number` answers, each on a connection of its own; `patience` where none came."""
    found = []
    for _ in range(number):
        started = time.monotonic()
        connection = http.client.HTTPConnection(*address, timeout=patience)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            took = time.monotonic() - started if answer.status == 200 else patience
        except (OSError, http.client.HTTPException):
            took = patience
        finally:
            connection.close()
        found.append(took)
        if took >= patience and len(found) >= 3:
            break
        time.sleep(0.1)
    return found


def main(where: str, number: int = 200) -> None:
    """Print the answer times without an attack and under each kind."""
    host, _, port = where.rpartition(":")
    address = (host, int(port))
    wait_for_port(address[1], 60.0)
    calm = page_times(address)
    print(f"{'calm':<8} worst {max(calm):6.3f} s, median {sorted(calm)[len(calm) // 2]:.3f} s", flush=True)
    for kind in BEGINNINGS:
        with Dribblers(address, kind, number) as crowd:
            time.sleep(EVERY)
            times = page_times(address)
            print(
                f"{kind:<8} worst {max(times):6.3f} s, median {sorted(times)[len(times) // 2]:.3f} s; "
                f"{crowd.open} open, {crowd.closed} closed by the server, {crowd.refused} refused",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
