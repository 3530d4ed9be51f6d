"""Contracts of endpoints, written once: enforced (`views.py`) and documented from the same words."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings

from campaign.api.framework.conditions import demand_condition, with_etag
from campaign.api.framework.idempotency import HEADER, answer_once
from campaign.api.framework.parsing import demand_lines, refuse_unknown_fields
from campaign.api.framework.problems import BY_STATUS, MEDIA_TYPE
from campaign.api.framework.serializers import ProblemShape
from campaign.models import ApiToken

Scope = ApiToken.Scope
#: A body's bytes, where an endpoint says nothing else.
USUAL_BODY = 256 * 1024
WRITES = ("POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class Contract:
    """An endpoint's promises; see `endpoint`."""

    name: str
    answer: Any
    status: int
    body: Any
    query: Any
    scope: str
    match: bool
    together: bool
    once: Collection[str]
    secret: bool
    cost: int
    largest: int
    files: Mapping[str, str]
    open: bool


def endpoint(
    name: str,
    summary: str,
    *,
    answer: Any = None,
    status: int = 200,
    body: Any = None,
    query: Any = None,
    scope: str = Scope.READ,
    match: bool = False,
    together: bool = True,
    once: Collection[str] = (),
    secret: bool = False,
    cost: int = 1,
    largest: int = USUAL_BODY,
    files: Mapping[str, str] | None = None,
    seen: str = "",
    refuses: Collection[int] | None = None,
    examples: Collection[OpenApiExample] = (),
    open: bool = False,
) -> Callable[[Callable[..., Any]], Any]:
    """Decorates a method of an `ApiView`.

    `name` is the operation's stable id, as "orders_submit"; its first word is the tag. `answer` and `body`
    are serializers, `query` one of the address's parameters. The method finds what was sent, checked, in
    `self.given` and `self.asked`, and returns what `answer` shows, or a response of its own.

    `seen` says what each role sees. `match` asks for If-Match (use `demand_match` in the method). A POST
    takes an Idempotency-Key; `together` False for one that sends something out while it is answered, which
    no transaction waits for; `once` are secret fields of the answer that are not kept with the key. An answer
    with such fields, and any that is `secret`, is not stored by browsers and proxies. `cost` is what it
    counts against the throttle, `largest` the body's bytes, `files` media types with words where the answer
    is no JSON. `refuses` are statuses beside the usual ones; left out it is 422, a rule's refusal, for what
    changes anything, and none for what only reads. `open`: for all.
    """
    also = refuses if refuses is not None else () if scope == Scope.READ else (422,)
    contract = Contract(
        name=name,
        answer=answer,
        status=status,
        body=body,
        query=query,
        scope=str(scope),
        match=match,
        together=together,
        once=once,
        secret=secret or bool(once),
        cost=cost,
        largest=largest,
        files=files or {},
        open=open,
    )

    def decorate(method: Callable[..., Any]) -> Any:
        verb = method.__name__.upper()

        def handle_request(view: Any, request: Request, **parts: Any) -> HttpResponseBase:
            def act() -> HttpResponseBase:
                view.admit()
                if match:
                    demand_condition(request)
                view.given = (
                    _validate_body(view, body, request) if body is not None else _refuse_body(request)
                )
                return _build_response(view, contract, method(view, request, **parts))

            if verb == "POST" and not open:
                with view.strangers_first():  # a key is compared with the body, which may be none
                    return answer_once(request, act, together=together, once=once)
            return with_etag(request, act()) if verb == "GET" else act()

        @wraps(method)
        def answer_request(view: Any, request: Request, **parts: Any) -> HttpResponseBase:
            answer = handle_request(view, request, **parts)
            if contract.secret:
                answer["Cache-Control"] = "no-store"
            return answer

        documented: Any = extend_schema(
            operation_id=name,
            summary=summary,
            description=" ".join(filter(None, ((method.__doc__ or "").strip(), seen))),
            tags=[name.partition("_")[0]],
            request=_describe_request(body, largest),
            responses=_describe_responses(contract, verb, also),
            parameters=_describe_parameters(contract, verb),
            examples=list(examples),
            auth=[] if open else None,
        )(answer_request)
        documented.contract = contract
        return documented

    return decorate


def _validate_body(view: Any, shape: Any, request: Request) -> dict[str, Any]:
    found = shape(data=request.data, context={"view": view})
    demand_lines(found)
    found.is_valid(raise_exception=True)
    return dict(found.validated_data)


def _refuse_body(request: Request) -> dict[str, Any]:
    """Return the empty data of an endpoint without a body; refuse a body with something in it."""
    if request.method in ("POST", "PUT", "PATCH") and request.data != {}:
        if isinstance(request.data, Mapping):
            refuse_unknown_fields(request.data, ())
        words = "Nothing is asked for here; send no body, or an empty object in braces: {}."
        raise ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [words]})
    return {}


def _build_response(view: Any, contract: Contract, found: Any) -> HttpResponseBase:
    if isinstance(found, HttpResponseBase):
        return found
    if contract.answer is None:
        return Response(status=204)
    shape, context = contract.answer, view.shape_context()
    if isinstance(shape, type):
        shown = shape(found, context=context).data
    else:
        shown = type(shape.child)(found, many=True, context=context).data
    return Response(shown, status=contract.status)


# --- how it is documented ---


def _describe_request(body: Any, largest: int) -> Any:
    if body is None:
        return None
    media = getattr(body, "media_type", "application/json")
    return {media: body}


def _find_schema_type(media: str) -> OpenApiTypes:
    """A file is bytes, but for one that is JSON of another name, as GeoJSON."""
    return OpenApiTypes.OBJECT if media.endswith(("/json", "+json")) else OpenApiTypes.BINARY


def _describe_responses(contract: Contract, verb: str, refuses: Collection[int]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    if contract.files:
        found |= {
            (contract.status, media): OpenApiResponse(_find_schema_type(media), words)
            for media, words in contract.files.items()
        }
    if contract.answer is not None:
        found[(contract.status, "application/json")] = contract.answer
    elif not contract.files:
        found[204] = OpenApiResponse(description="It is done.")
    if verb == "GET":
        found[304] = OpenApiResponse(description="You have it already: the ETag is the one you sent.")
    problems = {400, 401, 404, 406, 429, *refuses}  # a token that is not good is refused everywhere
    if not contract.open:
        problems.add(403)
    if verb in WRITES:
        problems |= {409, 413, 415} if verb != "DELETE" else {409}
    if contract.match:
        problems |= {412, 428}
    for status in sorted(problems):
        found[(status, MEDIA_TYPE)] = OpenApiResponse(ProblemShape, BY_STATUS[status].title)
    return found


def _describe_parameters(contract: Contract, verb: str) -> list[Any]:
    found: list[Any] = [] if contract.query is None else [contract.query]
    header: Any = OpenApiParameter.HEADER
    if verb == "POST" and not contract.open:
        words = "A name of your own for this request: sent again with it, it is done once."
        found.append(OpenApiParameter(HEADER, str, header, description=words))
    if contract.match:
        words = "The ETag of what you read; something else meanwhile is a 412."
        found.append(OpenApiParameter("If-Match", str, header, required=True, description=words))
    if verb == "GET":
        words = "An ETag you have: if it is still the one, the answer is 304 and empty."
        found.append(OpenApiParameter("If-None-Match", str, header, description=words))
    return found
