"""Pages on which people enter absences and the quiet hours in which no e-mail comes (HR-SET-09, HR-
DUE-05).
"""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaign.models import Absence, User, local_date
from campaign.rules.errors import RuleViolation
from campaign.services.seats.absences import absence_add, absence_end, quiet_hours_set
from campaign.web.access import form_address, signed_in
from campaign.web.forms import SentenceForm


def _build_date_field(label: str) -> forms.DateField:
    sentence = "Give a day, as 2026-12-24."
    return forms.DateField(
        label=label,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": sentence, "invalid": sentence},
    )


def _build_hour_field(label: str) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "Give an hour, as 22:00."},
    )


class AbsenceForm(SentenceForm):
    """Days away, both counted in."""

    first = _build_date_field("First day away")
    last = _build_date_field("Last day away")
    word = forms.CharField(
        label="A word to the others",
        required=False,
        max_length=120,
        help_text="As “hiking”, or nothing.",
    )


class QuietForm(SentenceForm):
    """Hours without letters."""

    quiet_from = _build_hour_field("From")
    quiet_until = _build_hour_field("Until")


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def away_page(request: HttpRequest) -> HttpResponse:
    """The page of both; a posted form is one of them."""
    assert isinstance(request.user, User)
    person = User.objects.get(pk=request.user.pk)
    hours = {"quiet_from": person.quiet_from, "quiet_until": person.quiet_until}
    asked = request.POST.get("kind", "") if request.method == "POST" else ""
    absence = AbsenceForm(request.POST if asked == "absence" else None)
    quiet = QuietForm(request.POST if asked == "quiet" else None, initial=hours)
    bound: SentenceForm | None = {"absence": absence, "quiet": quiet}.get(asked)
    if bound is not None and bound.is_valid():
        try:
            if bound is absence:
                absence_add(user=person, **absence.cleaned_data)
            else:
                quiet_hours_set(user=person, **quiet.cleaned_data)
        except RuleViolation as violation:
            bound.refuse(violation)
        else:
            messages.success(request, "It is noted.")
            return redirect("away")
    context: dict[str, Any] = {
        "person": person,
        "absences": person.absences.filter(last__gte=local_date(person)),
        "absence_form": absence,
        "quiet_form": quiet,
    }
    return render(request, "campaign/away.html", context, status=422 if bound else 200)


@signed_in
@form_address(lambda pk: reverse("away"))
def end_absence(request: HttpRequest, pk: int) -> HttpResponse:
    """Back again, or not gone at all."""
    assert isinstance(request.user, User)
    absence_end(absence=get_object_or_404(Absence, pk=pk, user=request.user), user=request.user)
    messages.success(request, "The absence is struck out: you count as here on those days.")
    return redirect("away")
