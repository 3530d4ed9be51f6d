"""How far a column can march in the coming days, for the map (HR-MAR-08)."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from campaign.selectors.map.reach import reach_features
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage


@signed_in
@never_cache
@gzip_page
@require_safe
def show_reach(request: HttpRequest, slug: str) -> HttpResponse:
    """What `?formation=` can reach in one, two and three days at `pace`; without one, nothing."""
    desk: CampaignPage = CampaignPage.of(request.user, slug)
    asked = request.GET.get("formation", "")
    found = {"type": "FeatureCollection", "features": []}
    if asked:
        found = reach_features(
            desk,
            asked,
            request.GET.get("pace", "normal"),
            light_order="light_order" in request.GET,
            by_water="by_water" in request.GET,
        )
    return JsonResponse(found, content_type="application/geo+json")
