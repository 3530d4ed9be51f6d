"""ETags: the answer one has already, and changes only of what one has seen."""

import hashlib
import json
import re
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from campaign.api.framework.problems import ApiProblem

#: An ETag of ours as it may come back: a proxy that packs the answer makes it weak, or adds to it.
OURS = re.compile(r'(?:W/)?"([0-9a-f]{32})(?:-\w+)?"')


def etag_of(data: Any) -> str:
    """The ETag of what is shown, quoted: it changes when anything of it does."""
    text = json.dumps(data, sort_keys=True, cls=JSONEncoder)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def with_etag(request: Request, answer: HttpResponseBase) -> HttpResponseBase:
    """The answer with its ETag; 304 with nothing in it for a caller who has it."""
    if isinstance(answer, Response):
        etag = etag_of(answer.data)
    elif isinstance(answer, HttpResponse):
        etag = f'"{hashlib.sha256(answer.content).hexdigest()[:32]}"'
    else:
        return answer  # told as it is made, once
    if _has_etag(request, "If-None-Match", etag):
        answer = HttpResponse(status=304)
    answer["ETag"] = etag
    return answer


def demand_condition(request: Request) -> None:
    """Whoever changes something says what he has seen of it."""
    if not request.headers.get("If-Match", ""):
        raise ApiProblem("unconditional")


def demand_match(request: Request, data: Any) -> None:
    """Refuses a change of what is no longer as the caller saw it; `data` is what it is now."""
    if not _has_etag(request, "If-Match", etag_of(data)):
        raise ApiProblem("stale")


def _has_etag(request: Request, header: str, etag: str) -> bool:
    """True if a header names this ETag, or any."""
    asked = parse_etags(request.headers.get(header, ""))
    return "*" in asked or etag in [OURS.sub(r'"\1"', each) for each in asked]
