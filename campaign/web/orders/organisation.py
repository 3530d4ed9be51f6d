"""Pages of papers besides marches: organisation, choices for the returns, drafts, receipts."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.fog.visibility import orders_for
from campaign.models import OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.selectors.orders.orders import find_receipt as receipt_row
from campaign.selectors.orders.orders import list_pending_detachments
from campaign.selectors.orders.orders import list_receipts as receipt_rows
from campaign.selectors.orders.preview import count_courier_days
from campaign.services.orders.drafts import draft_discard, draft_submit, organisation_draft, returns_draft
from campaign.services.orders.march_orders import may_withdraw
from campaign.services.orders.organisation import (
    organisation_strike,
    organisation_submit,
    returns_strike,
    returns_submit,
)
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.orders.itinerary import describe_courier
from campaign.web.orders.organisation_forms import ACT_FIELDS, ACT_FORMS, ActForm, PaperForm
from campaign.web.orders.return_forms import CHOICE_FIELDS, CHOICE_FORMS, PLACE_FORMS, ChoiceForm


def sheet_page(slug: str, sheet: str) -> str:
    return f"{reverse('campaign', args=[slug])}?sheet={sheet}"


def _orders_page(slug: str, number: int = 0) -> str:
    return sheet_page(slug, "orders")


def _returns_page(slug: str) -> str:
    return sheet_page(slug, "returns")


def _get_page_for_commander(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug)
    if desk.viewer.is_umpire:
        raise Http404("The umpire commands no side; sign in as one of its commanders.")
    return desk


def _build_service_arguments(desk: CampaignPage) -> dict[str, Any]:
    """Build the arguments that every order service takes."""
    return {"campaign": desk.campaign, "side": desk.viewer.side, "actor": desk.viewer.user}


def parse_seen(request: HttpRequest) -> dict[str, Any]:
    """The day a form was written for, and the last paper its writer knew of (HR-PAP-04)."""
    return {name: parse_whole_number(request.POST.get(name, "")) for name in ("seen", "written")}


def _bind_paper_form(desk: CampaignPage, request: HttpRequest, forms: Mapping[str, type[Any]]) -> Any:
    form = forms.get(request.POST.get("kind", ""))
    if form is None:
        raise Http404("There is no such paper.")
    return form(request.POST, world=desk.world, viewer=desk.viewer.when_written, names=desk.names)


def _render_errors(
    desk: CampaignPage, request: HttpRequest, sheet: str, forms: Mapping[str, Any], bound: PaperForm
) -> Any:
    name = "act_forms" if sheet == "orders" else "choice_forms"
    context = desk.context(sheet, request, **{name: desk.paper_forms(forms, bound)})
    return render(request, "campaign/campaign.html", context, status=422)


@signed_in
@form_address(_orders_page)
def organise_forces(request: HttpRequest, slug: str) -> HttpResponse:
    """Put an act of organisation on its formation's paper, or on its draft."""
    desk = _get_page_for_commander(request, slug)
    form: ActForm = _bind_paper_form(desk, request, ACT_FORMS)
    if form.is_valid():
        given, seen = _build_service_arguments(desk), parse_seen(request)
        try:
            act = form.act(list_pending_detachments(desk.viewer, desk.world, desk.papers))
            if "draft" in request.POST:
                said = describe_draft(organisation_draft(**given, act=act, **seen)[1])
            else:
                said = describe_receipt(desk, organisation_submit(**given, acts=[act], add=True, **seen))
            messages.success(request, said)
            return redirect(_orders_page(slug))
        except RuleViolation as violation:
            form.refuse(violation, ACT_FIELDS)
    return _render_errors(desk, request, "orders", ACT_FORMS, form)


@signed_in
@form_address(_returns_page)
def choose_for_returns(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a choice on the side's paper for the week's returns; the umpire says where units appear."""
    desk = CampaignPage.of(request.user, slug)
    forms = PLACE_FORMS if desk.viewer.is_umpire else CHOICE_FORMS
    form: ChoiceForm = _bind_paper_form(desk, request, forms)
    if form.is_valid():
        given, seen = _build_service_arguments(desk), parse_seen(request)
        try:
            if "draft" in request.POST:
                said = describe_draft(returns_draft(**given, choices=form.choices(), **seen)[1])
            else:
                said = describe_receipt(
                    desk, returns_submit(**given, choices=form.choices(), add=True, **seen)
                )
            messages.success(request, said)
            return redirect(_returns_page(slug))
        except RuleViolation as violation:
            form.refuse(violation, CHOICE_FIELDS)
    return _render_errors(desk, request, "returns", forms, form)


def describe_draft(refusal: RuleViolation | None) -> str:
    """Describe a draft that has just been saved."""
    if refusal is None:
        return "The draft is kept. It counts when you submit it."
    return f"The draft is kept; as it stands it would be refused: {refusal.message} ({refusal.rule_id})"


def describe_receipt(desk: CampaignPage, paper: OrderPaper) -> str:
    """Describe an order that has just been received."""
    about = desk.names.formation(paper.formation) if paper.kind != "returns" else "the week's returns"
    kept = " It came late and is kept for the next day." if paper.state == OrderPaper.State.QUEUED else ""
    courier = ""
    if paper.kind != "returns" and not kept:
        courier = describe_courier(desk.world, count_courier_days(desk.world, paper.formation))
    rides = f" {courier}." if courier else ""
    return f"Order for {about} received. Receipt {paper.receipt}.{kept}{rides}"


@signed_in
@form_address(_orders_page)
def remove_order_line(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Strike a line off a paper of organisation or returns."""
    desk = CampaignPage.of(request.user, slug)
    paper = get_object_or_404(orders_for(desk.viewer), number=number, side=desk.viewer.side)
    line = parse_whole_number(request.POST.get("line", ""))
    strikes: dict[str, Callable[..., Any]] = {"organise": organisation_strike, "returns": returns_strike}
    if line is None or paper.kind not in strikes:
        raise Http404("There is no such line.")
    _report_act(
        request,
        lambda: strikes[paper.kind](paper=paper, number=line, actor=desk.viewer.user),
        "The line is struck off.",
    )
    return redirect(sheet_page(slug, "returns" if paper.kind == "returns" else "orders"))


@signed_in
@form_address(_orders_page)
def submit_or_discard_draft(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Submit a draft, or throw it away when that button was pressed."""
    desk = CampaignPage.of(request.user, slug)
    paper = get_object_or_404(OrderPaper, campaign=desk.campaign, side=desk.viewer.side, number=number)
    back = sheet_page(slug, "returns" if paper.kind == "returns" else "orders")
    if "discard" in request.POST:
        _report_act(request, lambda: draft_discard(paper=paper, actor=desk.viewer.user), "The draft is gone.")
    else:
        try:
            done = draft_submit(paper=paper, actor=desk.viewer.user, seen=parse_seen(request)["seen"])
            messages.success(request, describe_receipt(desk, done))
        except RuleViolation as violation:
            messages.error(request, f"{violation.message} ({violation.rule_id})")
    return redirect(back)


@signed_in
@never_cache
@require_safe
def receipts_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The papers submitted, newest first."""
    desk = CampaignPage.of(request.user, slug)
    rows = receipt_rows(desk.viewer, desk.names)
    return render(request, "campaign/receipts.html", {"campaign": desk.campaign, "rows": rows})


@signed_in
@never_cache
@require_safe
def receipt_page(request: HttpRequest, slug: str, number: int, side: str | None = None) -> HttpResponse:
    """Show one receipt: the text of the order when it was submitted, and its outcome; without a side, one
    of the viewer's own.
    """
    desk = CampaignPage.of(request.user, slug)
    book = desk.viewer.side if side is None else "" if side == "umpire" else side
    row = receipt_row(desk.viewer, book, number, desk.names)
    if row is None:
        raise Http404("There is no such receipt.")
    date = desk.world.theatre.start + timedelta(days=row.paper.day)
    sheet = "returns" if row.paper.kind == "returns" else "orders"
    may = row.mine and not desk.world.ended and may_withdraw(row.paper)
    context = {"campaign": desk.campaign, "row": row, "date": date, "open": may, "sheet": sheet}
    return render(request, "campaign/receipt.html", context)


def _report_act(request: HttpRequest, act: Callable[[], Any], done: str) -> None:
    try:
        act()
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, done)
