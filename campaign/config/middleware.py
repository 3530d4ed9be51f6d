"""Middleware of the site."""

from collections.abc import Callable

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve, reverse

from campaign.ledger.audit import asked_from
from campaign.ops.callers import counted_as
from campaign.ops.site_cache import CacheAway
from campaign.ops.upload_checks import USUAL_REQUEST, most_of_request
from campaign.rules.errors import RuleViolation
from rosters.domain.text import normalize_text, replace_faults, text_fault

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
    """The caller's address beside what is noted of a request that changes something
    (`campaign.ledger.audit`).
    """

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


class TextMiddleware:
    """Texts of forms in their normal form; what cannot be kept or shown is refused with a sentence.

    Programs' bodies and addresses are looked through by the API itself (`campaign/api/framework/parsing.py`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith("/api/"):
            return self.get_response(request)
        asked = request.path_info + request.META.get("QUERY_STRING", "")
        if "\0" in asked or "%00" in asked:
            return self._refuse(request, "The address holds an invisible control character (U+0000).")
        if request.method == "POST":
            request.POST = _normalize_fields(request.POST)  # type: ignore[assignment]
            for name, texts in request.POST.lists():
                for text in (name, *texts):
                    if fault := text_fault(text):
                        field = replace_faults(name).replace("_", " ").replace("-", " ")
                        return self._refuse(request, f"In the field “{field}”: {fault}")
        return self.get_response(request)

    def _refuse(self, request: HttpRequest, sentence: str) -> HttpResponse:
        if "HX-Request" in request.headers:  # a script shows the sentence in the open page
            return HttpResponse(sentence, status=400, content_type="text/plain; charset=utf-8")
        return render(request, "400.html", {"sentence": sentence}, status=400)


def _normalize_fields(given: QueryDict) -> QueryDict:
    """The fields of a form with normalized texts; passwords stay as they were typed."""
    fields = given.copy()
    for name, texts in given.lists():
        if "password" not in name:
            fields.setlist(name, [normalize_text(text) for text in texts])
    fields._mutable = False
    return fields


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
