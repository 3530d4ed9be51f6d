"""Settlements with the enemy, made by a side or the umpire on the campaign's score page."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from campaign.rules.errors import RuleViolation
from campaign.services.orders.treaties import treaty_make
from campaign.services.umpire.corrections import act_perform
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.orders.organisation import sheet_page
from campaign.web.orders.treaty_forms import AnswerForm, TreatyForm


def _standing_page(slug: str) -> str:
    return sheet_page(slug, "standing")


@signed_in
@form_address(_standing_page)
def settle_with_enemy(request: HttpRequest, slug: str) -> HttpResponse:
    """Concede, offer or answer terms, exchange prisoners; for the umpire, end the campaign."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.may_speak:
        raise Http404("Only a side's commander speaks for it.")
    form = _bind_treaty_form(desk, request)
    if form.is_valid():
        try:
            _apply_treaty_form(desk, form, parse_whole_number(request.POST.get("head", "")))
            messages.success(request, "It is done, and stands in the journal.")
            return redirect(_standing_page(slug))
        except RuleViolation as violation:
            form.refuse(violation)
    if isinstance(form, AnswerForm):  # its buttons have no fields to stand beside
        messages.error(request, " ".join(str(each) for errors in form.errors.values() for each in errors))
        return redirect(_standing_page(slug))
    forms = desk.paper_forms(desk.treaties, form)
    return render(
        request,
        "campaign/campaign.html",
        desk.context("standing", request, treaty_forms=forms),
        status=422,
    )


def _bind_treaty_form(desk: CampaignPage, request: HttpRequest) -> TreatyForm:
    kinds = dict(desk.treaties)
    if not desk.viewer.is_umpire:
        kinds[AnswerForm.kind] = AnswerForm
    kind = kinds.get(request.POST.get("kind", ""))
    if kind is None:
        raise Http404("There is no such form.")
    form = kind(request.POST, world=desk.world, viewer=desk.viewer, names=desk.names)
    assert isinstance(form, TreatyForm)
    return form


def _apply_treaty_form(desk: CampaignPage, form: TreatyForm, seen: int | None) -> None:
    given = {"campaign": desk.campaign, "actor": desk.viewer.user, "seen": seen}
    if desk.viewer.is_umpire:
        act_perform(act=form.treaty(), reason=form.reason, **given)  # type: ignore[arg-type]
    else:
        treaty_make(side=desk.viewer.side, treaty=form.treaty(), **given)  # type: ignore[arg-type]
