"""The order form: tried, kept as a draft, submitted; what cannot stand is not lost."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.gzip import gzip_page

from campaign.fog.visibility import orders_for
from campaign.models import OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.orders import verify_goes
from campaign.selectors.orders.march_enemies import march_enemies
from campaign.selectors.orders.orders import find_receipt, side_papers
from campaign.selectors.orders.preview import boat_choice, order_preview
from campaign.services.orders.drafts import order_draft
from campaign.services.orders.march_orders import (
    NewerPaper,
    build_advanced_refusal,
    nothing_new_say,
    order_submit,
    order_withdraw,
)
from campaign.text.order_text import paper_lines
from campaign.web.access import form_address, is_fragment, mark_form_unsent, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.orders.itinerary import Itinerary, build_itinerary
from campaign.web.orders.march_order_forms import OrderForm
from campaign.web.orders.organisation import describe_draft, describe_receipt, parse_seen, sheet_page

#: Refusals that are no fault of the order itself: it is kept as a draft (HR-PAP-04).
ADVANCED = "HR-CAL-03"
KEPT = (ADVANCED, "HR-CAL-04", "HR-CAL-05")


def _orders_page(slug: str, number: int = 0) -> str:
    """Build the address of the order forms; `number`, an order's, is not needed for it."""
    return sheet_page(slug, "orders")


@signed_in
@gzip_page
@form_address(_orders_page)
def give_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Submit an order, keep it as a draft, or try it, as the form's button was."""
    desk = CampaignPage.of(request.user, slug)
    form = _order_form(request, desk)
    if "further" in request.POST:
        again = desk.order_form(initial=request.POST.dict(), further=1)
        return _render_orders(request, desk, {"form": again, **parse_seen(request)}, 200)
    given: dict[str, Any] = {
        "campaign": desk.campaign,
        "side": desk.viewer.side,
        "actor": desk.viewer.user,
    }
    more: dict[str, Any] = {"form": form, **parse_seen(request)}
    if form.is_valid():
        try:
            if "draft" not in request.POST:
                verify_goes(desk.world, form.order())
            if "try" in request.POST:
                return _render_orders(request, desk, {**more, "preview": _build_preview(desk, form)}, 200)
            if "draft" in request.POST:
                written = parse_seen(request)["written"]
                said = describe_draft(order_draft(**given, order=form.order(), written=written)[1])
            else:
                known = {**given, **parse_seen(request)}
                said = describe_receipt(desk, order_submit(order=form.order(), **known))
            messages.success(request, said)
            return _redirect_window(request, sheet_page(slug, "orders"))
        except NewerPaper as newer:
            order_draft(**given, order=form.order())
            form.refuse(_describe_newer_order(desk, newer))
            more = {"form": form}
        except RuleViolation as violation:
            if violation.rule_id in KEPT and "submit" in request.POST:
                paper, _ = order_draft(**given, order=form.order())
                kept = f"{violation.message} What you wrote is kept as a draft."
                violation = RuleViolation(violation.rule_id, kept)
                if violation.rule_id == ADVANCED and is_fragment(request):
                    messages.error(request, f"{kept} ({ADVANCED})")
                    return _redirect_window(request, f"{sheet_page(slug, 'orders')}&draft={paper.number}")
                more = {"form": form}
            form.refuse(violation)
    desk.papers = side_papers(desk.viewer, desk.world, desk.names)  # a draft may have been kept
    return _render_orders(request, desk, more, 422)


def _describe_newer_order(desk: CampaignPage, newer: NewerPaper) -> RuleViolation:
    """Build the error for someone who wrote without knowing of a newer order, with the text of that order."""
    row = find_receipt(desk.viewer, newer.paper.side, newer.paper.number, desk.names)
    assert row is not None  # it is the viewer's own side's
    own = newer.paper.submitted_by_id == desk.viewer.user.pk
    writer = "yourself, in another window" if own else row.by
    said = (
        f"A newer order for {row.name} stands, version {newer.paper.version} from {writer}: "
        f"{'; '.join(row.lines)}. What you wrote is kept as a draft; submit it again to replace that."
    )
    return RuleViolation(newer.rule_id, said)


def _redirect_window(request: HttpRequest, address: str) -> HttpResponse:
    """On to a page; a script that sent the form takes the whole window there."""
    if is_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": address})
    return redirect(address)


def _render_orders(
    request: HttpRequest, desk: CampaignPage, more: dict[str, Any], status: int
) -> HttpResponse:
    """The page with the form as it was written; for a script only the papers, so that the map stays.

    The script is answered, so to it a refusal is no failure. When its map and header are of a day gone by,
    the whole page is loaded, and the script offers there what was written.
    """
    if is_fragment(request) and parse_seen(request)["written"] not in (None, desk.world.day):
        messages.error(request, f"{build_advanced_refusal().message} ({ADVANCED})")
        return mark_form_unsent(_redirect_window(request, sheet_page(desk.campaign.slug, "orders")))
    more = {name: value for name, value in more.items() if value is not None}
    context = desk.context("orders", request, **more)
    if is_fragment(request):
        return render(request, "campaign/_desk.html", context)
    return render(request, "campaign/campaign.html", context, status=status)


@signed_in
@form_address(_orders_page)
def preview_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview an order as a fragment under the form, with errors beside their fields."""
    desk = CampaignPage.of(request.user, slug)
    form = _order_form(request, desk)
    preview = None
    if request.POST.get("formation") and form.is_valid():
        try:
            verify_goes(desk.world, form.order())
            preview = _build_preview(desk, form)
        except RuleViolation as violation:
            form.refuse(violation)
    elif not request.POST.get("formation"):
        form = desk.order_form()
    context = {"form": form, "preview": preview, "fragment": True, "campaign": desk.campaign}
    return render(request, "campaign/_preview.html", context)


def _build_preview(desk: CampaignPage, form: OrderForm) -> Itinerary:
    side, order = desk.viewer.side, form.order()
    preview = order_preview(campaign=desk.campaign, side=side, order=order, world=desk.world)
    enemies = march_enemies(desk.view, desk.world, preview)
    boats = boat_choice(desk.world, side, order)
    return build_itinerary(preview, desk.world, desk.names, enemies, boats)


def _order_form(request: HttpRequest, desk: CampaignPage) -> OrderForm:
    if desk.viewer.is_umpire:
        raise Http404("The umpire commands no side; sign in as one of its commanders.")
    writer = desk if desk.viewer.may_order else CampaignPage(desk.viewer.when_written)
    return writer.order_form(request.POST)


@signed_in
@form_address(_orders_page)
def withdraw_order(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Withdraw an order."""
    desk = CampaignPage.of(request.user, slug)
    paper = get_object_or_404(orders_for(desk.viewer), number=number, side=desk.viewer.side)
    try:
        order_withdraw(paper=paper, actor=desk.viewer.user)
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        messages.success(request, _describe_withdrawal(desk, paper))
    return redirect(sheet_page(slug, "returns" if paper.kind == "returns" else "orders"))


@signed_in
@form_address(_orders_page)
def report_nothing_new(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that there is nothing new: the older orders go on."""
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.side or desk.viewer.is_umpire:
        raise Http404("This seat commands no side.")
    try:
        nothing_new_say(
            campaign=desk.campaign,
            side=desk.viewer.side,
            actor=desk.viewer.user,
            written=parse_whole_number(request.POST.get("written", "")),
        )
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        told = "You have nothing new: your older orders go on, and no deadline is missed."
        drafts = desk.papers.drafts
        if drafts:
            told += " Your drafts are not submitted, so they do not count."
        messages.success(request, told)
    return redirect(sheet_page(slug, "orders"))


def _describe_withdrawal(desk: CampaignPage, paper: OrderPaper) -> str:
    """Describe a withdrawn order: its formation and its text."""
    what = {"activity": "order", "organise": "organisation"}.get(paper.kind, "")
    whose = (
        f"The {what} for {desk.names.formation(paper.formation)}"
        if what
        else "The choices for the week's end"
    )
    lines = "; ".join(paper_lines(paper, desk.names))
    return f"{whose} {'is' if what else 'are'} withdrawn: {lines}. Receipt {paper.receipt}."
