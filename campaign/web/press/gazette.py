"""The gazette: a week of the journal as a newspaper would have it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.models import Seat
from campaign.selectors.press.gazette import find_gazette, latest_week
from campaign.selectors.turns.calendar import load_calendar
from campaign.text.gazette import MOTTO
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage


@signed_in
@never_cache
@require_safe
def gazette_latest(request: HttpRequest, slug: str) -> HttpResponse:
    """To the paper of the week last played in."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    return redirect("gazette", slug, latest_week(desk.world))


@signed_in
@never_cache
@gzip_page
@require_safe
def gazette_page(request: HttpRequest, slug: str, week: int) -> HttpResponse:
    """A week's paper."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    paper = find_gazette(desk.viewer, desk.world, desk.names, week)
    if paper is None:
        raise Http404(f"Week {week} has not begun.")
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "paper": paper,
        "motto": MOTTO,
        "before": week - 1 or None,
        "after": week + 1 if week < latest_week(desk.world) else None,
    }
    return render(request, "campaign/gazette.html", context)
