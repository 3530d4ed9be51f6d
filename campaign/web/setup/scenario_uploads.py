"""Scenarios of one's own: put up as a zip, looked at, begun with, removed (HR-SCN-01)."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign.models import UploadedScenario, User
from campaign.ops.rate_limit import SCENARIO, upload_verify
from campaign.rules.errors import RuleViolation
from campaign.scenarios.making import template_files
from campaign.scenarios.packing import MOST_PACKED, left_out, scenario_zip
from campaign.scenarios.problems import ScenarioProblem
from campaign.selectors.setup.scenarios import own_scenarios_of
from campaign.services.setup.drafts import may_set_up
from campaign.services.setup.scenario_uploads import MOST, ScenarioRefused, scenario_remove, scenario_upload
from campaign.web.access import form_address, signed_in
from campaign.web.forms import SentenceForm

LIMITS = {"most": MOST, "megabytes": MOST_PACKED // 2**20}


class UploadForm(SentenceForm):
    """The zip of a scenario."""

    file = forms.FileField(
        label="The scenario's files as a zip",
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages={
            "required": "Choose the zip file.",
            "empty": "The file is empty; choose another.",
            "invalid": "Choose the zip file.",
            "missing": "Choose the zip file.",
        },
    )


def _get_owner(request: HttpRequest) -> User:
    """Return the person if they may set up campaigns; raise Http404 otherwise."""
    if not may_set_up(request.user):
        raise Http404("Campaigns are set up by the staff of this site.")
    assert isinstance(request.user, User)
    return request.user


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def scenarios_page(request: HttpRequest) -> HttpResponse:
    """One's own scenarios; posted, one more, or all that is wrong with it."""
    owner, faults = _get_owner(request), list[ScenarioProblem]()
    form = UploadForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_bound and form.is_valid():
        file: UploadedFile[Any] = form.cleaned_data["file"]
        try:
            upload_verify(owner.pk, SCENARIO)
            data = file.read(MOST_PACKED + 1)
            row = scenario_upload(data=data, actor=owner)
            others = left_out(data)
        except ScenarioRefused as refused:
            faults = refused.problems
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            unread = f" Not read: {', '.join(others)}; only tables saved as CSV are." if others else ""
            messages.success(request, f"{row.title} is sound, and yours to begin campaigns with.{unread}")
            return redirect(f"{reverse('own-scenarios')}#{row.slug}")
    context = {"form": form, "faults": faults, "rows": own_scenarios_of(owner), **LIMITS}
    return render(request, "campaign/own_scenarios.html", context, status=422 if form.is_bound else 200)


@signed_in
@form_address(lambda slug: reverse("own-scenarios"))
def remove_scenario(request: HttpRequest, slug: str) -> HttpResponse:
    """The scenario is gone, unless a campaign was begun with it."""
    owner = _get_owner(request)
    own = get_object_or_404(UploadedScenario.objects.defer("data"), slug=slug, owner=owner)
    try:
        scenario_remove(scenario=own, actor=owner)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, f"{own.title} is removed.")
    return redirect("own-scenarios")


@signed_in
@require_safe
def download_template(request: HttpRequest) -> HttpResponse:
    """A small sound scenario to begin one's own from, as a zip."""
    _get_owner(request)
    answer = HttpResponse(
        scenario_zip(template_files("my-scenario", "My scenario")), content_type="application/zip"
    )
    answer["Content-Disposition"] = 'attachment; filename="my-scenario.zip"'
    return answer
