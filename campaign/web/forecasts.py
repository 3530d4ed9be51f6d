"""The page of forecasts (HR-FRC-01)."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaign.rules.errors import RuleViolation
from campaign.selectors.forecasts.forecasts import find_forecast, forecast_job_latest
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.forecasts.forecasts import (
    MOST_RUNS,
    MOST_WEEKS,
    NAMES,
    RULE,
    USUAL_RUNS,
    USUAL_WEEKS,
    forecast_ask,
)
from campaign.services.jobs.jobs import job_stop
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number

#: Letters of what was given instead of a number that a refusal repeats.
LONGEST = 20


def _build_forecast_url(slug: str, pk: int = 0) -> str:
    return reverse("forecast", args=[slug])


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forecast_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaign forecast; posted, start a new one."""
    desk = _get_page_for_forecast(request, slug)
    if request.method == "POST":
        try:
            weeks, runs = (
                _parse_number(request, "weeks", MOST_WEEKS),
                _parse_number(request, "runs", MOST_RUNS),
            )
            forecast_ask(
                campaign=desk.campaign, actor=desk.viewer.user, side=desk.viewer.side, weeks=weeks, runs=runs
            )
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("forecast", slug)
    return render(
        request,
        "campaign/forecast.html",
        {
            "viewer": desk.viewer,
            "campaign": desk.campaign,
            "calendar": load_calendar(desk.viewer, desk.world),
            "forecast": find_forecast(desk.viewer),
            "usual_weeks": USUAL_WEEKS,
            "usual_runs": USUAL_RUNS,
        },
    )


def _parse_number(request: HttpRequest, name: str, most: int) -> int:
    """A whole number of the form. Raises RuleViolation with what stands there instead."""
    given = request.POST.get(name, "").strip()
    found = parse_whole_number(given)
    if found is None:
        words = f"not “{given[:LONGEST]}”" if given else "and none was given"
        raise RuleViolation(RULE, f"A forecast has 1 to {most} {NAMES[name]}, {words}.", name)
    return found


@signed_in
@form_address(_build_forecast_url)
@require_POST
def stop_forecast(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop a forecast."""
    viewer = _get_page_for_forecast(request, slug).viewer
    job = forecast_job_latest(viewer)
    if job is not None:
        try:
            job_stop(job=job, actor=viewer.user, umpire=viewer.is_umpire)
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
        else:
            messages.success(request, "The forecast is not worked out any further.")
    return redirect("forecast", slug)


def _get_page_for_forecast(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.may_forecast:
        raise Http404("Forecasts are the umpire's in this campaign.")
    return desk
