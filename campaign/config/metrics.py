"""The figures of the site for Prometheus, at /metrics."""

import os
from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from campaign.ops.callers import may_watch
from campaign.selectors.site_figures import site_figures, work_times

#: figure -> what it says, and the name of its label
TOLD = {
    "campaigns": ("Campaigns by state.", "state"),
    "days_played": ("Days played in all campaigns, courses given up included.", ""),
    "battles": ("Battles by state.", "state"),
    "jobs": ("Jobs by state.", "state"),
    "queue_age_seconds": ("How long the oldest queued job has waited.", ""),
    "notices": ("Notices by state.", "state"),
    "deliveries": ("Notices on each way of a person's, by state.", "state"),
    "notice_age_seconds": ("How long the oldest notice or delivery has been due and is not sent.", ""),
    "clock_age_seconds": ("How long ago each clock struck.", "clock"),
}


class SiteCollector(Collector):
    """Metrics counted in the database."""

    def collect(self) -> Iterator[Any]:
        for name, values in site_figures().items():
            text, label = TOLD[name]
            family = GaugeMetricFamily(f"campaign_{name}", text, labels=[label] if label else [])
            for key, value in values.items():
                family.add_metric([key] if label else [], value)
            yield family
        text = "How long attempts at work took, on all workers: jobs, and what the clock asks for."
        worked = HistogramMetricFamily("campaign_work_seconds", text, labels=["kind", "ended"])
        for one in work_times():
            worked.add_metric([one.kind, one.ended], one.within, one.seconds)
        yield worked


def render_metrics() -> bytes:
    """All figures in Prometheus's text form: requests of every process of this machine, and the site's."""
    registry = CollectorRegistry()
    registry.register(SiteCollector())
    told = generate_latest(registry)
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:  # set by campaign/config/gunicorn.py
        counted = CollectorRegistry()
        MultiProcessCollector(counted)
        return told + generate_latest(counted)
    return told + generate_latest(REGISTRY)


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """For those METRICS_ADDRESSES and METRICS_TOKEN let in; for others there is no such page."""
    if not may_watch(request):
        raise Http404
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE_LATEST)
