"""How often one may ask: each person, each address, and addresses that do not know who they are."""

from django.conf import settings
from django.http import HttpRequest

from campaign.api.framework.problems import ApiProblem
from campaign.ops.callers import counted_as
from campaign.ops.rate_limit import count_person_request, count_request


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
