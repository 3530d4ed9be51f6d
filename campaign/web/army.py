"""The army: its order of battle, what changed it and why, what it can count on; as a page and as a file."""

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.fog.visibility import list_known_units
from campaign.selectors.army.chart_shapes import causes_chart, course_chart
from campaign.selectors.army.prospects import build_prospects
from campaign.selectors.army.strength_charts import list_strength_figures
from campaign.selectors.army.unit_history import unit_roll, unit_weeks
from campaign.selectors.army.week import ArmyReading
from campaign.selectors.turns.calendar import load_calendar
from campaign.text.unit_names import arm_words, kind_words, state_words
from campaign.web.access import is_fragment, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number


def _read_army(request: HttpRequest, slug: str) -> ArmyReading:
    """The army of the week that was asked for."""
    return ArmyReading(CampaignPage.of(request.user, slug), parse_whole_number(request.GET.get("week", "")))


@signed_in
@never_cache
@gzip_page
@require_safe
def army_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The order of battle with the week's changes, leaders, pools, and the course of the campaign."""
    sheet = _read_army(request, slug)
    desk, theatre = sheet.desk, sheet.desk.world.theatre
    figures = list_strength_figures(desk.viewer, desk.world, desk.names, sheet.weeks)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "week": sheet.week,
        "at": reverse("army", args=[slug]),
        "asked": f"?week={sheet.week}",
        "weeks": range(sheet.running, 0, -1),
        "closed": sheet.desk.world.day >= 7 * sheet.week,
        "until": theatre.start + timedelta(days=min(7 * sheet.week, theatre.days) - 1),
        "sides": sheet.sides,
        "fold": "fold" in request.GET,
        "prospects": build_prospects(desk.viewer, sheet.world, sheet.names),
        "figures": figures,
        "courses": [
            course_chart("Campaign points on the map", figures, "points"),
            course_chart("Strength points on the map", figures, "sp"),
        ],
        "causes": [causes_chart(f"{side.name}: won and lost", side) for side in figures if side.causes],
    }
    return render(request, "campaign/army.html", context)


@signed_in
@never_cache
@gzip_page
@require_safe
def army_unit(request: HttpRequest, slug: str, unit: str) -> HttpResponse:
    """Show the changes to a unit in one week, with rules and dice; a script gets only the entries."""
    sheet = _read_army(request, slug)
    known = next((each for each in list_known_units(sheet.viewer, sheet.desk.world) if each.id == unit), None)
    if known is None:
        raise Http404("You know of no such unit.")
    desk = sheet.desk
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "unit": known,
        "kind": kind_words(known),
        "arm": arm_words(known),
        "state": state_words(known, desk.world, desk.names),
        "formation": desk.names.formation(known.formation),
        "week": sheet.week,
        "weeks": range(sheet.running, 0, -1),
        "older": sheet.week - 1,
        "newer": sheet.week + 1 if sheet.week < sheet.running else None,
        "lines": unit_roll(desk.viewer, desk.world, desk.names, unit, sheet.week - 1),
    }
    if is_fragment(request):
        return render(request, "campaign/_unit_roll.html", context)
    context["calendar"] = load_calendar(desk.viewer, desk.world)
    context["course"] = unit_weeks(desk.viewer, desk.world, sheet.weeks, known)
    return render(request, "campaign/army_unit.html", context)


# --- as a file ---


@signed_in
@never_cache
@gzip_page
@require_safe
def army_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """The order of battle as a table of figures; no cell of it is a formula."""
    sheet = _read_army(request, slug)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{slug}-army-week-{sheet.week}.csv"
    response["Content-Disposition"] = content_disposition_header(True, name) or ""
    response.write(sheet.table)
    return response
