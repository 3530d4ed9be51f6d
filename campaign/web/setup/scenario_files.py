"""Files of a scenario one may begin with: its small map, its order of battle, what it says of its sources."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from campaign.models import User
from campaign.selectors.setup.scenarios import (
    find_scenario_card,
    scenario_armies,
    scenario_sketch,
    scenario_sources,
)
from campaign.web.access import signed_in


@signed_in
@require_safe
@cache_control(private=True, max_age=3600)
def show_scenario_map(request: HttpRequest, slug: str) -> HttpResponse:
    """A scenario's small map."""
    assert isinstance(request.user, User)
    drawing = scenario_sketch(slug) if find_scenario_card(request.user, slug) else ""
    if not drawing:
        raise Http404("There is no such scenario.")
    return HttpResponse(drawing, content_type="image/svg+xml")


@signed_in
@require_safe
def download_armies(request: HttpRequest, slug: str) -> HttpResponse:
    """A scenario's order of battle as a table, to correct and begin a campaign with (HR-SET-18)."""
    assert isinstance(request.user, User)
    card = find_scenario_card(request.user, slug)
    if card is None or card.fault:
        raise Http404("There is no such scenario.")
    answer = HttpResponse(scenario_armies(slug), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-order-of-battle.csv"'
    return answer


@signed_in
@require_safe
def show_sources(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the scenario's own text about its sources, unchanged."""
    assert isinstance(request.user, User)
    card = find_scenario_card(request.user, slug)
    if card is None or not card.sources:
        raise Http404("There is nothing to be read of its sources.")
    return HttpResponse(scenario_sources(slug), content_type="text/plain; charset=utf-8")
