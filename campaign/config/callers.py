"""Who calls: the one place that says which address a request comes from, behind a proxy or without."""

import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

FORWARDING_HEADERS = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_REAL_IP")
#: Leading bits of an IPv6 address that are one household's; it changes the others as it likes.
HOUSEHOLD = 64


def caller(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The address a request comes from; None where the server was told none.

    Behind the one proxy of TRUSTED_PROXY it is the last that X-Forwarded-For names, which that proxy wrote;
    what callers wrote before it, or without such a proxy, counts for nothing.
    """
    told = str(request.META.get("REMOTE_ADDR", ""))
    if settings.TRUSTED_PROXY and (forwarded := request.META.get("HTTP_X_FORWARDED_FOR", "")):
        told = str(forwarded).rpartition(",")[2].strip()
    for written in (told, split_domain_port(told)[0].strip("[]")):  # some proxies write the port as well
        try:
            address = ip_address(written)
        except ValueError:
            continue
        return getattr(address, "ipv4_mapped", None) or address
    return None


def counted_as(request: HttpRequest) -> str | None:
    """What limits count a request under: its IPv4 address, or the network of a household of IPv6."""
    address = caller(request)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSEHOLD), strict=False).network_address)
    return None if address is None else str(address)


def caller_vouched(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The caller's address where something is opened by it: None behind a proxy that nobody declared.

    Such a proxy on the same machine would make everybody a caller from here.
    """
    declared = settings.TRUSTED_PROXY and request.META.get("HTTP_X_FORWARDED_FOR")
    if not declared and any(header in request.META for header in FORWARDING_HEADERS):
        return None
    return caller(request)


def may_watch(request: HttpRequest) -> bool:
    """Whether the figures of the site are for this caller: by METRICS_TOKEN or METRICS_ADDRESSES."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    if wanted and kind == "Bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    address = caller_vouched(request)
    return address is not None and any(
        address in ip_network(network, strict=False) for network in settings.METRICS_ADDRESSES
    )
