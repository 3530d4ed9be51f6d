"""Each request is counted, timed and told in the log by its route; never by its address."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django_structlog.middlewares import RequestMiddleware
from prometheus_client import Counter, Histogram

REQUESTS = Counter("campaign_requests", "Requests answered.", ["route", "method", "status"])
SECONDS = Histogram(
    "campaign_request_seconds",
    "Time until the answer was ready, by route.",
    ["route"],
    buckets=(0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 5.0),
)
#: Asked every few seconds by machines: who might be signed in there is not looked up for the log.
MACHINES = ("health", "ready", "metrics", "favicon")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def route_of(request: HttpRequest) -> str:
    """The name of the address asked for: a fixed set, whatever people type."""
    match = request.resolver_match
    if match is not None:
        return match.view_name or match.route
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "unknown"


class MetricsMiddleware:
    """Counts and times all requests, static files too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        route = route_of(request)
        method = request.method if request.method in METHODS else "other"
        SECONDS.labels(route).observe(time.perf_counter() - began)
        REQUESTS.labels(route, method, str(response.status_code)).inc()
        return response


class RequestLogMiddleware(RequestMiddleware):
    """Gives a request its id, binds what its lines say, and tells how it ended.

    The answer carries the id as `X-Request-ID`, so that somebody who met a fault can name it.
    """

    def __call__(self, request: HttpRequest) -> Any:
        self.prepare(request)
        told = str(structlog.contextvars.get_contextvars()["request_id"])
        # The site is served by threads alone, so nothing is awaited here.
        response: HttpResponse = self.get_response(request)  # type: ignore[assignment]
        response.headers["X-Request-ID"] = told
        self.handle_response(request, response)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """The campaign, once its address is known."""
        match = request.resolver_match
        if match is not None and "campaigns/<slug:slug>" in match.route:
            structlog.contextvars.bind_contextvars(campaign=kwargs["slug"])

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        if request.path_info.strip("/").partition(".")[0] not in MACHINES:
            with suppress(DatabaseError):  # the page itself says what it cannot do without
                RequestMiddleware.bind_user_id(request)

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        return f"{request.method} {route_of(request)}"
