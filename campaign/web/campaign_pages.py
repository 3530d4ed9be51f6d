"""The campaign's pages: one view, one call of a service or a few selectors."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.fog.battles import list_watchable_jobs
from campaign.fog.viewers import OnlyPublic
from campaign.models import Seat
from campaign.rules.errors import RuleViolation
from campaign.selectors.jobs import estimate_seconds_left
from campaign.services.accounts.visits import visit_note
from campaign.services.turns.runs import advance_request
from campaign.text.job_names import left_words
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.orders.organisation import sheet_page as _page


def _day_page(slug: str) -> str:
    return _page(slug, "day")


@signed_in
@never_cache
@gzip_page
@require_safe
def campaign_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The map with the desk beside it; only the desk when a tab asked for it.

    Whose seat opens only the public page, or one battle, is led there.
    """
    try:
        desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    except OnlyPublic:
        return redirect("campaign-public", slug)
    visit_note(desk.viewer)
    first = next(iter(desk.sheets))
    sheet = request.GET.get("sheet", first)
    context = desk.context(sheet if sheet in desk.sheets else first, request)
    only_desk = (
        request.headers.get("HX-Target") == "desk" and "HX-History-Restore-Request" not in request.headers
    )
    if only_desk and request.headers.get("Morning", "") not in ("", str(desk.world.day)):
        # header and map of the open page are of a day gone by
        return HttpResponse(status=204, headers={"HX-Redirect": request.get_full_path()})
    response = render(request, "campaign/_desk.html" if only_desk else "campaign/campaign.html", context)
    response["Vary"] = "HX-Request, HX-Target, Cookie"
    return response


# --- the umpire's day ---


@signed_in
@form_address(_day_page)
def request_next_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the coming day; a worker plays it."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire advances the day.")
    # The day the umpire saw: a second click, or one from an old page, plays nothing.
    seen = parse_whole_number(request.POST.get("day", ""))
    if seen is None:
        return HttpResponseBadRequest("Which day is to be advanced is missing; load the page again.")
    _try_act(
        request,
        lambda: advance_request(
            campaign=desk.campaign, actor=desk.viewer.user, day=seen, one_day="one" in request.POST
        ),
        "",
    )
    if request.POST.get("back") == "desk":
        return redirect("week-desk", slug)
    return redirect(_day_page(slug))


@signed_in
@never_cache
@require_safe
def show_job(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the progress of a job, for the page that asks every second; a finished job reloads the page."""
    desk = CampaignPage.of(request.user, slug)
    found = get_object_or_404(list_watchable_jobs(desk.viewer), pk=pk)
    left = left_words(estimate_seconds_left(found, timezone.now()))
    context = {"job": found, "campaign": desk.campaign, "left": left}
    response = render(request, "campaign/_job.html", context)
    if found.state not in ("queued", "running"):
        response["HX-Refresh"] = "true"
    return response


def _try_act(request: HttpRequest, act: Any, done: str) -> bool:
    """Do something and say how it went; False when the rules refused it."""
    try:
        act()
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return False
    if done:
        messages.success(request, done)
    return True
