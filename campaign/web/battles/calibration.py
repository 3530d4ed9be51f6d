"""Calibration of the odds: the page, its table of figures, and the request for missing predictions (HR-
CAB-01).
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.calibration import (
    WAYS,
    CalibrationRow,
    battles_without,
    list_calibration_rows,
    measure_reliability,
    predictions_running,
    table_text,
)
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.battles.predictions import predictions_ask
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage


def _build_calibration_url(slug: str, pk: int = 0) -> str:
    return reverse("calibration", args=[slug])


def _get_page_for_umpire(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire reads how good the odds are.")
    return desk


def _list_calibration_rows(request: HttpRequest, desk: CampaignPage) -> list[CalibrationRow]:
    """Battles of this campaign, or with `?all` of every campaign the person is umpire of; of one way."""
    return list_calibration_rows(desk.viewer, everywhere="all" in request.GET, way=request.GET.get("way", ""))


@signed_in
@never_cache
@require_safe
def calibration_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The page: what the figures say in plain words, and the figures."""
    desk = _get_page_for_umpire(request, slug)
    found = measure_reliability(_list_calibration_rows(request, desk))
    query = request.GET.urlencode()
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "found": found,
        "diagram": mark_safe(found.diagram),  # figures only
        "everywhere": "all" in request.GET,
        "way": request.GET.get("way", ""),
        "ways": WAYS,
        "query": query,
        "running": predictions_running(desk.viewer),
        "without": battles_without(desk.viewer),
    }
    return render(request, "campaign/calibration.html", context)


@signed_in
@never_cache
@require_safe
def calibration_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The same battles as a table of figures; no cell of it is a formula."""
    desk = _get_page_for_umpire(request, slug)
    response = HttpResponse(
        table_text(_list_calibration_rows(request, desk)), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = content_disposition_header(True, f"{slug}-odds.csv") or ""
    return response


@signed_in
@form_address(_build_calibration_url)
@require_POST
def ask_calibration(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the odds of battles worked out that have none."""
    desk = _get_page_for_umpire(request, slug)
    try:
        asked = predictions_ask(campaign=desk.campaign, actor=desk.viewer.user)
    except RuleViolation as refusal:
        messages.error(request, f"{refusal.message} ({refusal.rule_id})")
    else:
        told = f"The odds of {asked} battle{'' if asked == 1 else 's'} are being worked out."
        messages.success(request, told if asked else "Every battle has its odds.")
    return redirect("calibration", slug)
