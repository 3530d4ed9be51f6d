"""Battle files, and each fought under every ruleset side by side: a person's own pages (HR-BAT-12)."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.forms.boundfield import BoundWidget
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles.files.reading import find_shipped_battles
from campaign.fog.battles import may_ask_odds
from campaign.fog.visibility import battles_for, fights_of
from campaign.models import Job, User
from campaign.rules.errors import RuleViolation
from campaign.selectors.battles.comparisons import (
    ShippedBattle,
    build_comparison,
    comparison_rows,
    shipped_rows,
)
from campaign.services.battles.comparisons import (
    USUAL,
    comparison_again,
    comparison_ask,
    comparison_of_battle,
)
from campaign.services.battles.standalone_fights import (
    KEPT,
    MOST_RUNS,
    FightRefused,
    document_with_armies,
    read_uploaded_document,
)
from campaign.services.jobs.jobs import job_stop
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import SentenceForm
from rosters.importing import RosterErrors

NEITHER = "Choose a battle, or a file of your own."
RUNS = f"Enter a whole number of fights from 1 to {MOST_RUNS:,}."


class BattleFileForm(SentenceForm):
    """A battle that comes with the program, or a file of one's own, and how often it is fought."""

    name = forms.ChoiceField(
        label="A battle that comes with the program",
        widget=forms.RadioSelect,
        required=False,
        error_messages={"invalid_choice": NEITHER},
    )
    file = forms.FileField(
        label="Or a battle file of your own",
        required=False,
        help_text="It goes before what is chosen above.",
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={"empty": "The file is empty; choose another.", "invalid": NEITHER},
    )
    armies = forms.FileField(
        label="Order of battle (CSV or XLSX), if not that of the file",
        required=False,
        help_text="An order of battle, one unit a row. Each side it names has its units and no others.",
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.xlsx"}),
        error_messages={"empty": "The file is empty; choose another.", "invalid": NEITHER},
    )
    runs = forms.IntegerField(
        label="Fights under each ruleset",
        min_value=1,
        max_value=MOST_RUNS,
        initial=USUAL,
        help_text="After a thousand a chance is known to about three in a hundred.",
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), RUNS),
        widget=forms.NumberInput(attrs={"class": "narrow-number", "inputmode": "numeric"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.notes: list[str] = []
        name = self.fields["name"]
        assert isinstance(name, forms.ChoiceField)
        name.choices = [(row.name, row.title) for row in shipped_rows()]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors and not given.get("name") and not given.get("file"):
            self.add_error("name", NEITHER)
        return given

    @property
    def battle_rows(self) -> list[tuple[BoundWidget, ShippedBattle]]:
        """Each shipped battle's radio button with what it is."""
        return list(zip(self["name"], shipped_rows(), strict=True))

    def document(self) -> Mapping[str, Any]:
        """The file that was chosen, with the armies chosen for it.

        Raises RuleViolation for one that is none, RosterErrors for armies that do not fit it.
        """
        armies: UploadedFile[Any] | None = self.cleaned_data["armies"]
        document = self._read_document()
        if armies is not None:
            document, self.notes = document_with_armies(document, armies)
        return document

    def _read_document(self) -> Mapping[str, Any]:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is not None:
            return read_uploaded_document(file)
        with find_shipped_battles()[self.cleaned_data["name"]].open("rb") as shipped_file:
            return read_uploaded_document(shipped_file)


def _get_person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _get_own_comparison(request: HttpRequest, pk: int) -> Job:
    return get_object_or_404(fights_of(_get_person(request), "comparison"), pk=pk)


def _build_comparison_url(pk: int) -> str:
    return reverse("comparison", args=[pk])


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def battle_files(request: HttpRequest) -> HttpResponse:
    """The battles there are to fight, and what the person has had fought; posted, one more."""
    person, faults = _get_person(request), list[tuple[str, str]]()
    form = BattleFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_bound and form.is_valid():
        try:
            job = comparison_ask(data=form.document(), actor=person, runs=form.cleaned_data["runs"])
        except FightRefused as refused:
            faults = refused.faults
        except RosterErrors as refused:
            faults = [(one.place.capitalize(), one.message) for one in refused.groups]
        except RuleViolation as violation:
            form.refuse(violation)
        else:
            for note in form.notes:
                messages.warning(request, note)
            return redirect("comparison", job.pk)
    context = {"form": form, "faults": faults, "rows": comparison_rows(person), "kept": KEPT}
    return render(request, "campaign/battle_files.html", context, status=422 if form.is_bound else 200)


@signed_in
@never_cache
@require_safe
def comparison_page(request: HttpRequest, pk: int) -> HttpResponse:
    """One battle under every ruleset, as far as it is; only that when the page asks again."""
    return render(
        request, "campaign/comparison.html", {"found": build_comparison(_get_own_comparison(request, pk))}
    )


@signed_in
@form_address(_build_comparison_url)
def stop_comparison(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop fighting; what was fought stays."""
    try:
        job_stop(job=_get_own_comparison(request, pk), actor=_get_person(request), umpire=False)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect("comparison", pk)


@signed_in
@form_address(_build_comparison_url)
def restart_comparison(request: HttpRequest, pk: int) -> HttpResponse:
    """Fight on where it failed or was stopped."""
    try:
        job = comparison_again(job=_get_own_comparison(request, pk), actor=_get_person(request))
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("comparison", pk)
    return redirect("comparison", job.pk)


@signed_in
@form_address(lambda slug, pk: reverse("battle", args=[slug, pk]))
def battle_comparison(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Have a campaign's battle that waits fought under every ruleset: who may have its odds worked out."""
    desk = CampaignPage.of(request.user, slug)
    if not may_ask_odds(desk.viewer):
        raise Http404("Only the umpire works out odds.")
    found = get_object_or_404(battles_for(desk.viewer), pk=pk)
    side = "" if desk.viewer.is_umpire else desk.viewer.side
    try:
        job = comparison_of_battle(battle=found, actor=desk.viewer.user, side=side)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
        return redirect("battle", slug, pk)
    return redirect("comparison", job.pk)
