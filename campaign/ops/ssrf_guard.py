"""Requests to addresses that people name: never into the site's own network, and never for long.

Every connection that `requests` opens inside `outgoing()` goes to an address looked up and checked here,
so neither a name that changes its address nor a redirect leads inside (HR-DUE-07).
"""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

import urllib3.util.connection
from django.conf import settings

#: Addresses that hold another inside them: carried over to IPv4 by a gateway.
NAT64 = ipaddress.ip_network("64:ff9b::/96")
#: Kept for the network's own business, though Python counts parts of them as public.
KEPT = tuple(ipaddress.ip_network(each) for each in ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b:1::/48"))


class AddressRefused(OSError):
    """The address lies in a network of this site's own."""


class OpenConnections:
    """The open connections of one request: cut when its time is up."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.handles: list[socket.socket] = []
        self.over = False

    def add(self, connection: socket.socket) -> None:
        # a handle of our own: the other passes into the TLS layer
        handle = connection.dup()
        with self.lock:
            self.handles.append(handle)
            if self.over:
                _shut_socket(handle)

    def cut(self) -> None:
        with self.lock:
            self.over = True
            for handle in self.handles:
                _shut_socket(handle)

    def close(self) -> None:
        with self.lock:
            for handle in self.handles:
                handle.close()
            self.handles.clear()


_guard: ContextVar[OpenConnections | None] = ContextVar("outgoing", default=None)
_plain = urllib3.util.connection.create_connection


@contextmanager
def guard_outgoing_requests(seconds: float) -> Iterator[None]:
    """Requests made inside reach public addresses only, and are cut after so many seconds."""
    guard = OpenConnections()
    token = _guard.set(guard)
    timer = threading.Timer(seconds, guard.cut)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _guard.reset(token)
        guard.close()


def is_public(address: str) -> bool:
    """True when an address belongs to the public internet."""
    found: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inside = found.ipv4_mapped or found.sixtofour or (found.teredo or (None, None))[1]
        if found in NAT64:
            inside = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inside is not None:
            found = inside
    if any(found in each for each in KEPT):
        return False
    return found.is_global and not (found.is_multicast or found.is_reserved or found.is_unspecified)


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a name, all of which must be public. Raises AddressRefused, OSError."""
    found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(row[4][0]) for row in found))
    if not settings.NOTICE_PRIVATE_ADDRESSES and not all(is_public(each) for each in addresses):
        raise AddressRefused("the address is not one of the open network")
    return addresses


def _create_connection(address: tuple[str, int], *args: Any, **kwargs: Any) -> socket.socket:
    guard = _guard.get()
    if guard is None:
        return _plain(address, *args, **kwargs)
    host, port = address
    failed: OSError = OSError("the name has no address")
    for each in addresses_of(host, port):
        try:
            connection = _plain((each, port), *args, **kwargs)
        except OSError as error:
            failed = error
            continue
        guard.add(connection)
        return connection
    raise failed


def _shut_socket(handle: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        handle.shutdown(socket.SHUT_RDWR)


urllib3.util.connection.create_connection = _create_connection
