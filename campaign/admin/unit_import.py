"""Units brought in from a file, as a page: the file is asked for, then what it would do, then why.

What a file does is `services/umpire/unit_tables.py`; the plan that was looked at comes back signed.
"""

from typing import Any

from django import forms
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from tablib import Dataset
from unfold.widgets import UnfoldAdminFileFieldWidget

from campaign.admin.base import DeskAdmin
from campaign.admin.confirm_action import render_done_message, style_fields
from campaign.admin.umpired_campaigns import UmpireCampaigns, get_umpire_campaigns
from campaign.models import Campaign
from campaign.ops.rate_limit import TABLE, upload_verify
from campaign.rules.errors import RuleViolation
from campaign.rules.umpire.corrections import act_from_json, act_to_json
from campaign.services.umpire.unit_tables import (
    LARGEST,
    UnitTablePlan,
    build_unit_plan,
    plan_perform,
    read_unit_table,
)
from campaign.web.forms import SentenceForm
from campaign.web.umpire.correction_forms import reason_field

SALT = "units-from-a-file"


class FileForm(SentenceForm):
    """The campaign, and the file."""

    campaign = forms.ChoiceField(label="Campaign")
    file = forms.FileField(
        label="File",
        help_text="CSV or XLSX with the columns id, name and points.",
        widget=UnfoldAdminFileFieldWidget,  # the package's script writes the file's name into it
    )

    def __init__(self, *args: Any, work: UmpireCampaigns) -> None:
        super().__init__(*args)
        choice = self.fields["campaign"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(each.slug, work.format_title(each)) for each in work.campaigns.values()]
        self.work = work
        style_fields(self)

    def clean_campaign(self) -> Campaign:
        slug = self.cleaned_data["campaign"]
        return next(each for each in self.work.campaigns.values() if each.slug == slug)

    def clean_file(self) -> Dataset:
        try:
            upload_verify(self.work.person.pk, TABLE)
            file = self.cleaned_data["file"]
            return read_unit_table(file.read(LARGEST + 1))
        except RuleViolation as violation:
            raise forms.ValidationError(violation.message) from violation


class ImportConfirmForm(SentenceForm):
    """The reason for the import; the plan comes back signed."""

    plan = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"] = reason_field()
        style_fields(self)


class ImportPage(DeskAdmin):
    """The list of units with the page that takes a file."""

    list_before_template = "umpire/_import_link.html"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.import_view)
        return [path("import/", view, name="rosters_unit_import"), *super().get_urls()]

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """The file is asked for, then shown as what it would do, then done."""
        if "plan" in request.POST:
            return self._apply_plan(request)
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = FileForm(*sent, work=get_umpire_campaigns(request))
        form.initial = {"campaign": request.GET.get("of", "")}
        if not form.is_bound or not form.is_valid():
            return self._answer(request, {"form": form}, 422 if form.is_bound else 200)
        campaign: Campaign = form.cleaned_data["campaign"]
        plan = build_unit_plan(campaign, form.cleaned_data["file"])
        if plan.wrong or not plan.acts:
            return self._answer(request, {"form": form, "plan": plan}, 422 if plan.wrong else 200)
        signed = signing.dumps(
            {
                "user": get_umpire_campaigns(request).person.pk,
                "campaign": campaign.pk,
                "head": plan.head,
                "acts": [(row, act_to_json(act)) for row, act in plan.acts],
                "changes": plan.changes,
            },
            salt=SALT,
            compress=True,
        )
        confirm = ImportConfirmForm(initial={"plan": signed})
        called = get_umpire_campaigns(request).format_title(campaign)
        return self._answer(request, {"confirm": confirm, "plan": plan, "called": called})

    def _apply_plan(self, request: HttpRequest) -> HttpResponse:
        form, work = ImportConfirmForm(request.POST), get_umpire_campaigns(request)
        try:
            kept = signing.loads(request.POST["plan"], salt=SALT, max_age=24 * 3600)
        except signing.BadSignature:
            kept = {"campaign": 0, "user": 0, "head": None}
        campaign = work.campaigns.get(kept["campaign"])
        if campaign is None or kept["user"] != work.person.pk:
            empty = FileForm(work=work)
            return self._answer(
                request, {"form": empty, "lost": "This preview is old; bring the file again."}, 422
            )
        plan = UnitTablePlan(
            acts=[(row, act_from_json(act)) for row, act in kept["acts"]],
            changes=[(row, words) for row, words in kept["changes"]],
            head=kept["head"],
        )
        if form.is_valid():
            try:
                records = plan_perform(
                    campaign=campaign,
                    plan=plan,
                    digest=plan.digest,  # what was shown comes back signed
                    reason=form.cleaned_data["reason"],
                    actor=work.person,
                )
            except RuleViolation as violation:
                form.refuse(violation)
            else:
                self.message_user(request, render_done_message(campaign, records, work))
                return redirect(reverse("umpire:rosters_unit_changelist"))
        return self._answer(
            request, {"confirm": form, "plan": plan, "called": work.format_title(campaign)}, 422
        )

    def _answer(self, request: HttpRequest, shown: dict[str, Any], status: int = 200) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Units from a file",
            "back": reverse("umpire:rosters_unit_changelist"),
            **shown,
        }
        return TemplateResponse(request, "umpire/import.html", context, status=status)
