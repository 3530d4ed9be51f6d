"""Work that takes a while: what is going on, found again after one has left its page."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.rules.errors import RuleViolation
from campaign.selectors.jobs import job_row, job_rows
from campaign.services.jobs.jobs import job_stop
from campaign.services.jobs.retry import work_again
from campaign.web.access import form_address, is_fragment, signed_in
from campaign.web.campaign_page import CampaignPage


def _build_jobs_url(slug: str, pk: int = 0) -> str:
    return reverse("jobs", args=[slug])


@signed_in
@never_cache
@require_safe
def jobs_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the viewer's background tasks with their progress; a script that refreshes the page gets only
    the list.
    """
    desk = CampaignPage.of(request.user, slug)
    rows = job_rows(desk.viewer)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "rows": rows,
        "running": any(row.running for row in rows),
    }
    return render(request, "campaign/_jobs.html" if is_fragment(request) else "campaign/jobs.html", context)


@signed_in
@form_address(_build_jobs_url)
def stop_job(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Stop a piece of work that writes nothing."""
    viewer = CampaignPage.of(request.user, slug).viewer
    row = job_row(viewer, pk)
    if row is None:
        raise Http404("There is no such work of yours.")
    if not row.may_stop:
        messages.error(request, f"{row.name}: this cannot be stopped, or has ended already.")
    else:
        job_stop(job=row.job, actor=viewer.user, umpire=viewer.is_umpire)
        messages.success(request, f"{row.name}: stopped.")
    return redirect("week-desk" if request.POST.get("back") == "desk" else "jobs", slug)


@signed_in
@form_address(_build_jobs_url)
def retry_job(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask once more for work that failed or was stopped."""
    viewer = CampaignPage.of(request.user, slug).viewer
    row = job_row(viewer, pk)
    if row is None:
        raise Http404("There is no such work of yours.")
    if not row.may_again:
        messages.error(request, f"{row.name}: it has not failed, or is not yours to ask again. (HR-JOB-02)")
    else:
        try:
            work_again(job=row.job, actor=viewer.user, umpire=viewer.is_umpire)
        except RuleViolation as violation:
            messages.error(request, f"{row.name}: {violation.message} ({violation.rule_id})")
        else:
            messages.success(request, f"{row.name}: asked for again.")
    return redirect("jobs", slug)
