"""The OpenAPI document, and the page on which people read and try it."""

from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import endpoint
from campaign.api.framework.problems import KINDS
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import ApiView

WORDS = """\
Everything a player or an umpire can do on the site, for programs. You see what your seat sees, and nothing
more: what you may not see does not exist for you (404).

Sign in with `Authorization: Bearer awi_…`, a token from your profile, or with the site's own session. Each
error is problem+json with a sentence; a refusal by the rules (422) names its rule and field. A GET has an
ETag; a change of something one has read asks for it as If-Match. A POST may carry an Idempotency-Key. A 429
says in Retry-After how long to wait.
"""


@lru_cache(maxsize=1)
def build_document() -> dict[str, Any]:
    """The document, made once in a process."""
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def complete_document(result: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Complete the schema that drf-spectacular makes: add the description and refuse unknown fields."""
    result["info"]["description"] = WORDS
    for name, shape in result["components"]["schemas"].items():
        if name.endswith("Request") and shape.get("type") == "object":
            shape.setdefault("additionalProperties", False)
    return result


class Document(ApiView):
    """The OpenAPI document of this API."""

    @endpoint(
        "document_read",
        "The OpenAPI document",
        open=True,
        files={"application/vnd.oai.openapi+json": "The document."},
    )
    def get(self, request: Request) -> JsonResponse:
        """This document, in OpenAPI 3.1."""
        media = "application/vnd.oai.openapi+json"
        return JsonResponse(build_document(), content_type=media)


class KindShape(Shape):
    """A kind of problem."""

    type = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    detail = serializers.CharField()


class Problems(ApiView):
    """The kinds of problems there are."""

    @endpoint("problems_list", "Kinds of problems", answer=KindShape(many=True), open=True)
    def get(self, request: Request) -> list[dict[str, Any]]:
        """Every kind a problem's `type` may name."""
        return [_build_problem_kind(code) for code in KINDS]


class ProblemKind(ApiView):
    """The address a problem's `type` names."""

    @endpoint("problems_read", "A kind of problem", answer=KindShape, open=True)
    def get(self, request: Request, code: str) -> dict[str, Any]:
        """The meaning of a problem's `type`."""
        return _build_problem_kind(code)


def _build_problem_kind(code: str) -> dict[str, Any]:
    kind = KINDS.get(code)
    if kind is None:
        raise Http404
    at = f"/api/v1/problems/{code}/"
    return {"type": at, "status": kind.status, "title": kind.title, "detail": kind.detail}


@require_safe
def redirect_to_docs(request: HttpRequest) -> HttpResponse:
    """Redirect from the API's own address to its documentation."""
    return redirect("api-docs")


@require_safe
def docs_page(request: HttpRequest) -> HttpResponse:
    """Swagger UI over the document, from this server alone."""
    return render(request, "api/docs.html")
