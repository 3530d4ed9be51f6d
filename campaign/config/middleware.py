"""Middleware of the site."""

from collections.abc import Callable

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse

from campaign.audit import asked_from
from campaign.config.callers import counted_as
from campaign.rules.errors import RuleViolation
from campaign.site_cache import CacheAway
from campaign.uploads import USUAL_REQUEST, most_of_request

# unfold runs on Alpine.js, which evaluates attributes, and its widgets write style attributes.
ADMIN_POLICY = {"script-src": [SELF, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}


class ContentSecurityPolicyMiddleware(CSPMiddleware):
    """The strict policy of the settings everywhere, loosened for administrators and the umpire's desk."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith((reverse("admin:index"), reverse("umpire:index"))):
            parts.replace = {**ADMIN_POLICY, **(parts.replace or {})}
        return parts


class HeadMiddleware:
    """An answer to HEAD is that to GET without its body, of which the server would complain in its log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = []
            elif isinstance(response, HttpResponse):
                response.content = b""
        return response


class AskedFromMiddleware:
    """The caller's address beside what is noted of a request that changes something (`campaign.audit`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return self.get_response(request)
        with asked_from(counted_as(request)):
            return self.get_response(request)


class RequestSizeMiddleware:
    """A request larger than its address takes is refused before any of it is read.

    Addresses of the API say for themselves how much they take.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = request.META.get("CONTENT_LENGTH") or "0"
        length = int(size) if str(size).isdecimal() else 0
        if length <= USUAL_REQUEST or request.path_info.startswith("/api/"):
            return self.get_response(request)
        try:
            name = resolve(request.path_info).view_name
        except Resolver404:
            name = ""
        most = most_of_request(name)
        if length <= most:
            return self.get_response(request)
        return render(request, "413.html", {"most": most // 2**20}, status=413)


class ZeroByteMiddleware:
    """What holds a zero byte is refused: no form sends one, PostgreSQL keeps and looks for none.

    Programs' bodies and addresses are looked through by the API itself (`campaign/api/parsing.py`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/") or not self._held(request):
            return self.get_response(request)
        return render(request, "400.html", status=400)

    def _held(self, request: HttpRequest) -> bool:
        asked = request.path_info + request.META.get("QUERY_STRING", "")
        if "\0" in asked or "%00" in asked:
            return True
        if request.method != "POST":
            return False
        return any("\0" in text for name, texts in request.POST.lists() for text in (name, *texts))


class RefusalMiddleware:
    """A refusal that no page has caught, by a rule or as the cache is away, is a page with the sentence."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, CacheAway):
            if "HX-Request" in request.headers:
                return HttpResponse(str(exception), status=503, content_type="text/plain; charset=utf-8")
            return render(request, "503.html", {"sentence": str(exception)}, status=503)
        if isinstance(exception, RuleViolation):
            if "HX-Request" in request.headers:  # a script shows the sentence in the open page
                sentence = f"{exception.message} ({exception.rule_id})"
                return HttpResponse(sentence, status=409, content_type="text/plain; charset=utf-8")
            return render(request, "campaign/refused.html", {"violation": exception}, status=409)
        return None
