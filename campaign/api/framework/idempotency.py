"""`Idempotency-Key` on a POST: done once, however often it is sent (HR-API-02)."""

import hashlib
import json
from collections.abc import Callable, Collection

from django.db import transaction
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder

from campaign.api.framework.problems import ApiProblem
from campaign.models import IdempotencyKey, User
from campaign.services.jobs.idempotency import (
    LONGEST,
    KeyReused,
    StillInWork,
    key_answer,
    key_claim,
    key_drop,
)

HEADER = "Idempotency-Key"
#: Headers of an answer that are kept with it.
KEPT = ("ETag", "Location")


def answer_once(
    request: Request, act: Callable[[], HttpResponseBase], *, together: bool, once: Collection[str]
) -> HttpResponseBase:
    """The answer of `act`, or the one it gave when the same was sent before.

    `together`: key and effect are one transaction; else the key is claimed first, for what reckons long
    and writes in transactions of its own. `once` are fields of the answer that are not kept.
    """
    key = request.headers.get(HEADER, "")
    if not key:
        return act()
    if len(key) > LONGEST or not key.isascii() or not key.isprintable():
        raise ApiProblem("invalid", f"{HEADER} has at most {LONGEST} plain letters.")
    digest = compute_digest(
        request
    )  # reads the body, however slowly it comes: nothing may be locked meanwhile
    if together:
        with transaction.atomic():  # a refusal undoes the claim with all the rest
            row = _claim_key(request, key, digest)
            return _rebuild_answer(row) if row.status is not None else _store_answer(row, act(), once)
    row = _claim_key(request, key, digest)
    if row.status is not None:
        return _rebuild_answer(row)
    try:
        answer = act()
    except Exception:
        key_drop(row=row)
        raise
    return _store_answer(row, answer, once)


def _claim_key(request: Request, key: str, digest: str) -> IdempotencyKey:
    assert isinstance(request.user, User)
    try:
        return key_claim(
            user=request.user,
            key=key,
            method=str(request.method),
            path=request.get_full_path(),
            digest=digest,
        )
    except KeyReused:
        raise ApiProblem("key-reused") from None
    except StillInWork:
        raise ApiProblem("in-work", headers={"Retry-After": "5"}) from None


def _store_answer(row: IdempotencyKey, answer: HttpResponseBase, once: Collection[str]) -> HttpResponseBase:
    if answer.status_code >= 400:
        key_drop(row=row)  # refused: nothing was done
        return answer
    assert isinstance(answer, Response), "Answers to a POST are JSON, so that they can be kept."
    data = None if answer.data is None else json.loads(json.dumps(answer.data, cls=JSONEncoder))
    if isinstance(data, dict):
        data |= {name: type(data[name])() for name in once if name in data}
    headers = {name: answer[name] for name in KEPT if name in answer}
    key_answer(row=row, status=answer.status_code, answer=data, headers=headers)
    return answer


def _rebuild_answer(row: IdempotencyKey) -> Response:
    return Response(row.answer, status=row.status, headers={**row.headers, "Idempotency-Replayed": "true"})


def compute_digest(request: Request) -> str:
    """Compute a digest that tells one body from another: from the fields, and from the files' names and
    contents.
    """
    found = hashlib.sha256()
    data = request.data
    if hasattr(data, "lists"):
        for name, values in sorted(data.lists()):
            for value in values:
                found.update(name.encode() + b"\0")
                if hasattr(value, "chunks"):
                    found.update(str(value.name).encode() + b"\0")  # the name says which format it is
                    for chunk in value.chunks():
                        found.update(chunk)
                    value.seek(0)
                else:
                    found.update(str(value).encode())
    else:
        found.update(json.dumps(data, sort_keys=True).encode())
    return found.hexdigest()
