"""The page of proof: the chain for every seat, and a side's journal with the salts to check it."""

import orjson
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.scenarios.theatres import theatre_load
from campaign.selectors.archive import archive_standing, find_archive_file, may_archive
from campaign.selectors.proof import CHECK, CHECK_DICE, load_proof, side_paper
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.archive.jobs import archive_ask
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage


@signed_in
@never_cache
@require_safe
def proof_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The chain of days, and how to check it."""
    desk = CampaignPage.of(request.user, slug)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "proof": load_proof(desk.viewer, desk.world),
        "sides": [side for side in desk.world.theatre.sides if _may_read(desk, side.id)],
        "check": CHECK,
        "check_dice": CHECK_DICE,
        "archive": archive_standing(desk.viewer),
    }
    return render(request, "campaign/proof.html", context)


@signed_in
@never_cache
@require_safe
def side_journal(request: HttpRequest, slug: str, side: str) -> HttpResponse:
    """A side's journal as a file, for its own people and the umpire."""
    desk = CampaignPage.of(request.user, slug)
    if side not in {each.id for each in theatre_load(desk.campaign).sides} or not _may_read(desk, side):
        raise Http404("That journal is not yours to read.")
    response = HttpResponse(orjson.dumps(side_paper(desk.campaign, side)), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{slug}-{side}.json"'
    return response


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def archive_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The archive once it is made; a posted form has it made, the page says how far that is (HR-ARC-02)."""
    desk = CampaignPage.of(request.user, slug)
    if not may_archive(desk.viewer):
        raise Http404("Until a day after its end the archive of a campaign is its umpire's alone.")
    if request.method == "POST":
        archive_ask(campaign=desk.campaign, actor=desk.viewer.user)
    made = find_archive_file(desk.viewer)
    if made is None or request.method == "POST":
        return redirect(f"{reverse('proof', args=[slug])}#archive")
    name = content_disposition_header(True, f"{slug}-day-{desk.campaign.day}.zip") or ""
    return HttpResponse(made, content_type="application/zip", headers={"Content-Disposition": name})


def _may_read(desk: CampaignPage, side: str) -> bool:
    return desk.viewer.is_umpire or desk.viewer.side == side
