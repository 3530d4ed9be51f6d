"""The demo doors: who may enter a seat on the front page without a password."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils.crypto import constant_time_compare, salted_hmac

from campaign.ops.callers import behind_proxy, find_caller

#: The parameter of the front page that `make run` prints, and the cookie that keeps what it says.
TOKEN = "demo"


def doors_token() -> str:
    """Return the token that opens the demo seats of this installation, as in the address that `make run`
    prints.
    """
    return salted_hmac("campaign.demo-doors", TOKEN, algorithm="sha256").hexdigest()[:32]


def doors_near(request: HttpRequest) -> bool:
    """True if the demo seats may open to this request at all.

    True only on a demo (settings.DEMO: AWI_DEMO is set and the database is the default file), when
    both the caller's address and the host it asked for are this machine's own, and nothing shows that a proxy
    stands between: behind a proxy on the same machine everybody comes from 127.0.0.1.
    """
    if not settings.DEMO or behind_proxy(request):
        return False
    host, _port = split_domain_port(str(request.META.get("HTTP_HOST", "")))
    address = find_caller(request)
    near = address is not None and address.is_loopback
    return near and (host == "localhost" or _is_loopback(host.strip("[]")))


def doors_open(request: HttpRequest) -> bool:
    """True if this request may use the demo seats: it is near, and from a browser that opened the printed
    address.

    A proxy may write no header of its own; who comes through it does not know the token.
    """
    return doors_near(request) and token_matches(request.COOKIES.get(TOKEN, ""))


def token_matches(text: str) -> bool:
    """True if this is the token of this installation."""
    return constant_time_compare(text, doors_token())


def _is_loopback(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
