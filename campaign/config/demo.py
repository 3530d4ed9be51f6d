"""The demo doors: who may enter a seat on the front page without a password."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

from campaign.config.callers import FORWARDING_HEADERS, caller


def doors_open(request: HttpRequest) -> bool:
    """Whether this request may use the demo doors.

    True only on a demo (settings.DEMO: AWI_DEMO is set and the database is the default file), when
    both the caller's address and the host it asked for are this machine's own, and no proxy stands
    between: behind a proxy on the same machine everybody comes from 127.0.0.1.
    """
    if not settings.DEMO:
        return False
    if any(header in request.META for header in FORWARDING_HEADERS):
        return False
    host, _port = split_domain_port(str(request.META.get("HTTP_HOST", "")))
    address = caller(request)
    near = address is not None and address.is_loopback
    return near and (host == "localhost" or _loopback(host.strip("[]")))


def _loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
