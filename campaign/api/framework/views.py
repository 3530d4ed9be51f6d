"""Shared parts of all views of the API: person, rate limit, wording, campaign."""

from collections.abc import Container, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import transaction
from django.http import Http404, HttpRequest
from rest_framework import exceptions
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign.api.framework.contract import Contract
from campaign.api.framework.parsing import check_text, is_odd_address, refuse_unknown_fields
from campaign.api.framework.problems import ApiProblem
from campaign.fog.viewers import NotSeated, Viewer
from campaign.models import ApiToken, Campaign, User
from campaign.ops.callers import counted_as
from campaign.ops.rate_limit import count_person_request, count_request
from campaign.selectors.campaign_context import Reading


def count_address(request: HttpRequest) -> None:
    """Every request counts for the address it comes from."""
    _refuse_if_too_often(count_request("address", counted_as(request) or "", settings.API_ADDRESS_A_MINUTE))


def count_unknown(request: HttpRequest) -> None:
    """One without a good token or session: few of those are borne from one address."""
    _refuse_if_too_often(count_request("unknown", counted_as(request) or "", settings.API_UNKNOWN_A_MINUTE))


def count_person(person: int, cost: int) -> None:
    """A request counts for its person, dear ones more than once."""
    _refuse_if_too_often(count_person_request(person, cost))


def _refuse_if_too_often(wait: int) -> None:
    """Raises the problem when there is something to wait for."""
    if wait:
        raise ApiProblem("too-often", headers={"Retry-After": str(wait)})


class ApiView(APIView):
    """A view whose methods are decorated with `endpoint`."""

    permission_classes = ()  # signed in or not is asked here, by the endpoint
    format_kwarg = None
    given: dict[str, Any]
    asked: dict[str, Any]

    @property
    def contract(self) -> Contract | None:
        """Return the contract of the method asked for, if there is such a method."""
        handler = getattr(self, str(self.request.method).lower(), None)
        return getattr(handler, "contract", None)

    @property
    def person(self) -> User:
        """Return the person who asks; not for open endpoints."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def shape_context(self) -> dict[str, object]:
        """Build the context that the answer's shapes need beside their data."""
        return {}

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """All that is asked before the method: in this order, so that nothing is told to whom it is not."""
        contract = self.contract
        if contract is None:
            raise exceptions.MethodNotAllowed(str(request.method))
        count_address(request)
        self._signed_in(request, contract)
        if is_odd_address(kwargs):
            raise Http404
        with self.strangers_first():
            request.accepted_renderer, request.accepted_media_type = self.perform_content_negotiation(request)
            _refuse_large(request, contract.largest)
            self.asked = self._query(request, contract)

    def admit(self) -> None:
        """Raises Http404 for a person to whom nothing here is shown, whatever he sends."""

    @contextmanager
    def strangers_first(self) -> Iterator[None]:
        """Check access first, so that people without it learn nothing about errors in their request."""
        try:
            yield
        except (ApiProblem, exceptions.APIException):
            self.admit()
            raise

    def _signed_in(self, request: Request, contract: Contract) -> None:
        try:
            known = request.user.is_authenticated
        except exceptions.AuthenticationFailed:
            count_unknown(request)
            raise
        if not known:
            count_unknown(request)
            if not contract.open:
                raise exceptions.NotAuthenticated
            return
        count_person(self.person.pk, contract.cost)
        self.demand_scope(contract.scope)

    def demand_scope(self, scope: str) -> None:
        """Refuses a token without a scope, where that hangs on who asks or what for."""
        if isinstance(self.request.auth, ApiToken) and scope not in self.request.auth.scopes:
            raise ApiProblem("scope", f"This asks for the scope “{scope}”; the token has it not.")

    def _query(self, request: Request, contract: Contract) -> dict[str, Any]:
        for name, text in request.query_params.items():
            check_text(f"{name}{text}")
        if contract.query is None:
            refuse_unknown_fields(request.query_params, ())
            return {}
        found = contract.query(data=request.query_params)
        refuse_unknown_fields(request.query_params, found.fields)
        found.is_valid(raise_exception=True)
        return dict(found.validated_data)

    def get_renderers(self) -> list[Any]:
        """JSON, and the media types the endpoint names, which it answers itself."""
        files = self.contract.files if self.contract else {}
        named = [
            type("Named", (BaseRenderer,), {"media_type": media, "format": media.partition("/")[2]})()
            for media in files
        ]
        return [*named, JSONRenderer()]


class CampaignView(ApiView):
    """A view of one campaign, as the seat of who asks lets him see it. `also` are roles without a desk."""

    also: Container[str] = ()

    _read: Reading | None = None

    def admit(self) -> None:
        assert self.viewer

    @property
    def reading(self) -> Reading:
        """The campaign and what the viewer knows of it. Raises Http404 for who is not let in."""
        if self._read is None:
            self._read = Reading.of(self.request.user, self.kwargs["slug"], also=self.also)
        return self._read

    @property
    def viewer(self) -> Viewer:
        return self.reading.viewer

    @property
    def campaign(self) -> Campaign:
        return self.reading.campaign

    def umpire(self) -> Viewer:
        """The viewer, who does the umpire's work; for others there is nothing here."""
        if not self.viewer.is_umpire:
            raise NotSeated
        return self.viewer

    def chief(self) -> Viewer:
        """The viewer, who is the umpire himself."""
        if not self.viewer.is_chief:
            raise NotSeated
        return self.viewer

    @contextmanager
    def lock_campaign(self) -> Iterator[None]:
        """Nobody else changes the campaign between looking (`demand_match`) and writing."""
        with transaction.atomic():
            Campaign.objects.select_for_update().get(pk=self.campaign.pk)
            self.read_anew()
            yield

    def read_anew(self) -> None:
        """Forget what was read: it may be old."""
        self._read = None


class UmpireView(CampaignView):
    """A view for who does the umpire's work; for others there is nothing here."""

    def admit(self) -> None:
        self.umpire()


class ChiefView(CampaignView):
    """A view for the umpire himself."""

    def admit(self) -> None:
        self.chief()


def _refuse_large(request: Request, largest: int) -> None:
    if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
        raise ApiProblem("invalid", "Send the body whole, with its Content-Length; in pieces it is not read.")
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        raise SuspiciousOperation("The length of the body is no number.") from None
    if length > largest:
        raise ApiProblem("too-large", f"At most {largest // 1024} KB at once.")
