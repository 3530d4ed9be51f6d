"""The journal as a page of its own: searched, by day, and by entry."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.models import Seat
from campaign.selectors.press.journal import (
    build_search_choices,
    days_beside,
    find_journal_day,
    journal_page,
    search_journal,
    search_of,
)
from campaign.selectors.turns.calendar import load_calendar
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number

LABELS = {
    "week": "Week",
    "kind": "Of",
    "place": "Place",
    "formation": "Formation",
    "unit": "Unit",
    "rule": "Rule",
}


@signed_in
@never_cache
@gzip_page
@require_safe
def show_journal(request: HttpRequest, slug: str) -> HttpResponse:
    """The journal, some days a page, or what of it is looked for."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    choices = build_search_choices(desk.viewer, desk.world, desk.names)
    asked = request.GET.dict()
    search = search_of(asked, choices)
    page = parse_whole_number(asked.get("page", "")) or 1
    context = _build_head(desk) | {
        "search": search,
        "fields": [
            (name, LABELS[name], getattr(choices, name), search.given.get(name, "")) for name in LABELS
        ],
        "same": urlencode({**search.given, **({"q": search.text} if search.text else {})}),
    }
    if search.empty:
        context["journal"] = journal_page(desk.viewer, desk.world, desk.names, page)
    else:
        context["journal"] = search_journal(desk.viewer, desk.world, desk.names, search, page)
    return render(request, "campaign/journal.html", context)


@signed_in
@never_cache
@gzip_page
@require_safe
def show_journal_day(request: HttpRequest, slug: str, day: int) -> HttpResponse:
    """A day's entries, each with an address of its own."""
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    told = find_journal_day(desk.viewer, desk.world, desk.names, day - 1) if day else None
    if told is None:
        raise Http404(f"Day {day} has not come.")
    before, after = days_beside(desk.viewer, day - 1)
    context = _build_head(desk) | {"day": told, "before": before, "after": after}
    return render(request, "campaign/journal_day.html", context)


def _build_head(desk: CampaignPage) -> dict[str, Any]:
    return {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
    }
