"""Who calls: the address a request comes from, behind a trusted proxy or without."""

import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

FORWARDING_HEADERS = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_REAL_IP")


def caller(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The caller's address; None where it cannot be known, as behind a proxy that nobody declared."""
    told = str(request.META.get("REMOTE_ADDR", ""))
    if settings.TRUSTED_PROXY and (forwarded := request.META.get("HTTP_X_FORWARDED_FOR", "")):
        told = str(forwarded).rpartition(",")[2].strip()
    elif any(header in request.META for header in FORWARDING_HEADERS):
        return None
    try:
        return ip_address(told)
    except ValueError:
        return None


def may_watch(request: HttpRequest) -> bool:
    """Whether the figures of the site are for this caller: by METRICS_TOKEN or METRICS_ADDRESSES."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    if wanted and kind == "Bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    address = caller(request)
    return address is not None and any(
        address in ip_network(network, strict=False) for network in settings.METRICS_ADDRESSES
    )
