"""Addresses of callers: the one place that finds the address of a request, behind a proxy or without."""

import hmac
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

#: How headers begin that proxies, tunnels and content networks write, and browsers do not.
PROXY_HEADERS = tuple(
    f"HTTP_{name}"
    for name in (
        "FORWARDED", "X_FORWARDED", "X_REAL_IP", "VIA", "CF_", "CDN_", "TRUE_CLIENT_IP", "X_CLIENT_IP",
        "X_CLUSTER_", "CLIENT_IP", "X_ORIGINAL_", "X_ORIGINATING_", "X_REQUEST_START", "X_ENVOY_", "FASTLY_",
        "FLY_", "X_AMZN_", "X_AMZ_", "X_AZURE_", "X_ARR_", "TAILSCALE_", "X_SCHEME", "X_PROXY", "X_HTTPS",
        "PROXY_", "FRONT_END_HTTPS", "X_APPENGINE_", "X_VERCEL_", "X_RAILWAY_", "NGROK_", "X_TRAEFIK_",
    )
)  # fmt: skip
#: Leading bits of an IPv6 address that are one household's; it changes the others as it likes.
HOUSEHOLD = 64


def find_caller(request: HttpRequest) -> IPv4Address | IPv6Address | None:
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
    """Return the key by which limits count a request: its IPv4 address, or the IPv6 network of a
    household.
    """
    address = find_caller(request)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, HOUSEHOLD), strict=False).network_address)
    return None if address is None else str(address)


def behind_proxy(request: HttpRequest) -> bool:
    """True if anything shows a proxy in between: a header of one, or HTTP/1.0, as nginx speaks."""
    if request.META.get("SERVER_PROTOCOL") == "HTTP/1.0":
        return True
    return any(name.startswith(PROXY_HEADERS) for name in request.META)


def find_trusted_caller(request: HttpRequest) -> IPv4Address | IPv6Address | None:
    """The caller's address where something is opened by it: None behind a proxy that nobody declared.

    Such a proxy on the same machine would make everybody a caller from here.
    """
    declared = settings.TRUSTED_PROXY and request.META.get("HTTP_X_FORWARDED_FOR")
    if not declared and behind_proxy(request):
        return None
    return find_caller(request)


def may_watch(request: HttpRequest) -> bool:
    """True if this caller may read the site's metrics: by METRICS_TOKEN or METRICS_ADDRESSES."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    if wanted and kind == "Bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    address = find_trusted_caller(request)
    return address is not None and any(
        address in ip_network(network, strict=False) for network in settings.METRICS_ADDRESSES
    )
