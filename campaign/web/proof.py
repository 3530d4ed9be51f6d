"""The page of proof: the chain for every seat, and a side's journal with the salts to check it."""

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.selectors.proof import CHECK, CHECK_DICE, proof, side_paper
from campaign.selectors.standing import calendar
from campaign.state import theatre_load
from campaign.web.access import signed_in
from campaign.web.desk import Desk


@signed_in
@never_cache
@require_safe
def proof_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The chain of days, and how to check it."""
    desk = Desk.of(request.user, slug)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": calendar(desk.viewer, desk.world),
        "proof": proof(desk.viewer, desk.world),
        "sides": [side for side in desk.world.theatre.sides if _reads(desk, side.id)],
        "check": CHECK,
        "check_dice": CHECK_DICE,
    }
    return render(request, "campaign/proof.html", context)


@signed_in
@never_cache
@require_safe
def side_journal(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """A side's journal as a file, for its own people and the umpire."""
    desk = Desk.of(request.user, slug)
    if side not in {each.id for each in theatre_load(desk.campaign).sides} or not _reads(desk, side):
        raise Http404("That journal is not yours to read.")
    response = HttpResponse(orjson.dumps(side_paper(desk.campaign, side)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{side}.json"'
    return response


def _reads(desk: Desk, side: str) -> bool:
    return desk.viewer.is_umpire or desk.viewer.side == side
