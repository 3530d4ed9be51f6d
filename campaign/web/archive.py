"""A campaign restored from an archive: brought in, followed, stopped, asked for again (HR-ARC-03)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.models import Restoration, User
from campaign.ops.rate_limit import ARCHIVE, upload_verify
from campaign.rules.errors import RuleViolation
from campaign.selectors.archive import restoration_row, restorations_of
from campaign.services.archive.restorations import (
    MOST,
    MOST_PACKED,
    may_restore,
    restoration_again,
    restoration_ask,
    restoration_remove,
    restoration_stop,
)
from campaign.web.access import form_address, is_fragment, signed_in
from campaign.web.forms import SentenceForm

NO_FILE = "Choose the zip file of the archive."


class ArchiveForm(SentenceForm):
    """The archive, and another address for its campaign."""

    file = forms.FileField(
        label="The archive",
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages={
            "required": NO_FILE,
            "empty": "The file is empty; choose another.",
            "invalid": NO_FILE,
            "missing": NO_FILE,
        },
    )
    slug = forms.CharField(
        label="Its address here",
        required=False,
        max_length=80,
        help_text="Letters, figures and hyphens. Empty: the one it had.",
    )


def _get_owner(request: HttpRequest) -> User:
    """Return the person if they may restore campaigns; raise Http404 otherwise."""
    if not may_restore(request.user):
        raise Http404("Campaigns are restored by the keepers of this site.")
    assert isinstance(request.user, User)
    return request.user


def _get_own_restoration(request: HttpRequest, pk: int) -> Restoration:
    return get_object_or_404(restorations_of(_get_owner(request)), pk=pk)


def _build_restorations_url(pk: int = 0) -> str:
    return reverse("restorations")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def restorations_page(request: HttpRequest) -> HttpResponse:
    """List the archives a person uploaded, with their progress; posted, add one. A script gets only the
    list.
    """
    owner = _get_owner(request)
    form = ArchiveForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_bound and form.is_valid():
        file: UploadedFile[Any] = form.cleaned_data["file"]
        data = file.read(MOST_PACKED + 1)
        try:
            upload_verify(owner.pk, ARCHIVE)
            row = restoration_ask(data=data, actor=owner, slug=form.cleaned_data["slug"])
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            messages.success(
                request, f"{row.title} is being gone through. You may leave this page meanwhile."
            )
            return redirect("restorations")
    rows = [restoration_row(row) for row in restorations_of(owner)]
    context = {
        "form": form,
        "rows": rows,
        "running": any(row.running for row in rows),
        "most": MOST,
        "megabytes": MOST_PACKED // 2**20,
    }
    page = "campaign/_restorations.html" if is_fragment(request) else "campaign/restorations.html"
    return render(request, page, context, status=422 if form.is_bound else 200)


@signed_in
@form_address(_build_restorations_url)
def stop_restoration(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop the work; nothing of it is written."""
    row = _get_own_restoration(request, pk)
    with _report_outcome(request, f"{row.title}: stopped."):
        restoration_stop(restoration=row, actor=_get_owner(request))
    return redirect("restorations")


@signed_in
@form_address(_build_restorations_url)
def retry_restoration(request: HttpRequest, pk: int) -> HttpResponse:
    """Have an archive gone through once more."""
    row = _get_own_restoration(request, pk)
    with _report_outcome(request, f"{row.title} is gone through again."):
        restoration_again(restoration=row, actor=_get_owner(request))
    return redirect("restorations")


@signed_in
@form_address(_build_restorations_url)
def remove_restoration(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a file away; a campaign it gave stays."""
    row = _get_own_restoration(request, pk)
    with _report_outcome(request, f"{row.title} is taken off the list."):
        restoration_remove(restoration=row)
    return redirect("restorations")


@contextmanager
def _report_outcome(request: HttpRequest, done: str) -> Iterator[None]:
    """Report the result of an action in a sentence, or the reason why it was refused."""
    try:
        yield
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, done)
