"""Every refusal of the API, as problem+json (RFC 9457): what is wrong and what to do about it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpResponse
from rest_framework import exceptions
from rest_framework.views import set_rollback

from campaign.ops.site_cache import CacheAway
from campaign.rules.errors import RuleViolation
from campaign.services.jobs.jobs import JobLost

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: the end of its `type`, its title, and what it says when nothing more is known."""

    code: str
    status: int
    title: str
    detail: str


KINDS = {
    kind.code: kind
    for kind in (
        Kind("invalid", 400, "The request is not as documented", "Mend what is named and send it again."),
        Kind(
            "signed-out",
            401,
            "Not signed in",
            "Send “Authorization: Bearer awi_…” with a token of yours that has not run out (one is made at "
            "/account/tokens/), or sign in on the site.",
        ),
        Kind("forbidden", 403, "Not allowed", "You may not do this."),
        Kind("scope", 403, "The token may not do this", "Use a token with the scope this asks for."),
        Kind("csrf", 403, "The form's token is missing", "Send the CSRF cookie's value as X-CSRFToken."),
        Kind("not-found", 404, "Nothing here", "There is nothing here that you may see."),
        Kind("method", 405, "Not at this address", "Use one of the methods of the header Allow."),
        Kind("not-acceptable", 406, "Not in this form", "Ask for one of the documented media types."),
        Kind("key-reused", 409, "The key came with another request", "Use a new Idempotency-Key."),
        Kind("in-work", 409, "Still in work", "The first request has no answer yet; ask again later."),
        Kind("conflict", 409, "Overtaken", "Something else was done first; look again."),
        Kind("stale", 412, "It has changed meanwhile", "Get it again and send its ETag as If-Match."),
        Kind("too-large", 413, "Too large", "Send less at once."),
        Kind("media-type", 415, "Not this media type", "Send one of the documented media types."),
        Kind("rule", 422, "The rules refuse it", "Read the rule."),
        Kind("unconditional", 428, "Say what you change", "Send the ETag you read as If-Match."),
        Kind("too-often", 429, "Too many requests", "Wait as long as Retry-After says."),
        Kind("fault", 500, "A fault of ours", "Nothing was done; it has been noted."),
        Kind("not-ready", 503, "Not ready", "Try again in a minute."),
    )
}
BY_STATUS = {kind.status: kind for kind in reversed(KINDS.values())}


class ApiProblem(Exception):
    """A problem of a known kind, raised anywhere in a view."""

    def __init__(self, code: str, detail: str = "", *, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail or code)
        self.kind = KINDS[code]
        self.detail = detail or self.kind.detail
        self.headers = headers or {}


def problem_response(
    kind: Kind, detail: str = "", *, headers: dict[str, str] | None = None, **more: Any
) -> HttpResponse:
    """The answer; `more` are members beside the usual ones, left out where empty."""
    body = {
        "type": f"/api/v1/problems/{kind.code}/",
        "title": kind.title,
        "status": kind.status,
        "detail": detail or kind.detail,
        **{name: value for name, value in more.items() if value},
    }
    answer = HttpResponse(
        json.dumps(body, ensure_ascii=False), status=kind.status, content_type=MEDIA_TYPE, headers=headers
    )
    answer["Cache-Control"] = "no-store"
    return answer


def problem_handler(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """Turns what a view raised into its problem; None for a fault, which the server logs."""
    answer = _find_answer(error)
    if answer is not None:
        set_rollback()
    return answer


def _find_answer(error: Exception) -> HttpResponse | None:
    match error:
        case ApiProblem():
            return problem_response(error.kind, error.detail, headers=error.headers)
        case RuleViolation():
            return build_refusal_response(error)
        case Http404():  # the same whether it is not there or not theirs
            return problem_response(KINDS["not-found"])
        case PermissionDenied():
            return problem_response(KINDS["forbidden"])
        case RequestDataTooBig():
            return problem_response(KINDS["too-large"])
        case CacheAway():
            return problem_response(KINDS["not-ready"], str(error), headers={"Retry-After": "60"})
        case JobLost():
            return problem_response(KINDS["conflict"])
        case exceptions.APIException():
            return _of_framework(error)
    return None


def build_refusal_response(error: RuleViolation) -> HttpResponse:
    """A refusal by the rules as an answer, where what was written of it must stand."""
    return problem_response(KINDS["rule"], error.message, rule=error.rule_id, field=error.field)


def _of_framework(error: exceptions.APIException) -> HttpResponse | None:
    headers: dict[str, str] = {}
    if asked_for := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = asked_for
    match error:
        case exceptions.ValidationError():
            errors = flatten_errors(error.detail)
            detail = "; ".join(f"{row['field']}: {row['detail']}".removeprefix(": ") for row in errors[:3])
            return problem_response(KINDS["invalid"], detail, errors=errors)
        case exceptions.ParseError():
            return problem_response(KINDS["invalid"], str(error.detail))
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return problem_response(KINDS["signed-out"], headers=headers)
        case exceptions.PermissionDenied() if str(error.detail).startswith("CSRF"):
            return problem_response(KINDS["csrf"])
        case exceptions.UnsupportedMediaType():
            return problem_response(KINDS["media-type"])
    kind = BY_STATUS.get(error.status_code)
    return problem_response(kind, headers=headers) if kind else None


@contextmanager
def rename_refused_fields(names: Mapping[str, str] | Callable[[str], str]) -> Iterator[None]:
    """A refusal inside names the fields as the body does; `names` are those by the services' names."""
    try:
        yield
    except RuleViolation as refused:
        field = names(refused.field) if callable(names) else names.get(refused.field, refused.field)
        raise RuleViolation(refused.rule_id, refused.message, field) from refused


def flatten_errors(detail: Any, path: str = "") -> list[dict[str, str]]:
    """A serializer's errors as a list: the field, as "stages.0.to", and a sentence."""
    if isinstance(detail, dict):
        rows = []
        for name, value in detail.items():
            here = path if name == "non_field_errors" else f"{path}.{name}".removeprefix(".")
            rows += flatten_errors(value, here)
        return rows
    if isinstance(detail, list):
        if all(isinstance(each, str) for each in detail):
            return [{"field": path, "detail": str(each)} for each in detail]
        rows = []
        for index, value in enumerate(detail):
            rows += flatten_errors(value, f"{path}.{index}".removeprefix("."))
        return rows
    return [{"field": path, "detail": str(detail)}]
