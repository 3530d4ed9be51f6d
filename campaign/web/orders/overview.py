"""The whole side at a glance: who has orders, what a formation was ordered, last orders copied."""

from collections import Counter
from datetime import timedelta

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.rules.errors import RuleViolation
from campaign.selectors.orders.orders import papers_of
from campaign.selectors.orders.overview import STATES, overview_rows
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.orders.drafts import Repeated, drafts_submit, find_last_ordered_day, orders_repeat
from campaign.web.access import form_address, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number
from campaign.web.orders.organisation import sheet_page

WEEK = 7


def _build_orders_url(slug: str) -> str:
    return sheet_page(slug, "orders")


@signed_in
@never_cache
@require_safe
def overview_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Every formation of the viewer's with its orders; `?show=` keeps those of one state."""
    desk = CampaignPage.of(request.user, slug)
    rows = overview_rows(desk.orders, desk.papers, desk.ahead)
    counted = Counter(row.state for row in rows)
    show = request.GET.get("show", "")
    may = desk.viewer.may_order and not desk.world.ended
    last = find_last_ordered_day(desk.campaign, desk.viewer.side, desk.world.day) if may else None
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "rows": [row for row in rows if show not in STATES or row.state == show],
        "states": [(key, name, counted[key]) for key, name in STATES.items() if counted[key]],
        "show": show if show in STATES else "",
        "all": len(rows),
        "may_order": may,
        "late": desk.late,
        "drafts": sum(row.draft is not None for row in rows) if may else 0,
        "seen": desk.papers.last,
        "week": desk.world.day >= WEEK,
        "last": None if last is None else desk.world.theatre.start + timedelta(days=last),
    }
    return render(request, "campaign/overview.html", context)


@signed_in
@never_cache
@require_safe
def history_page(request: HttpRequest, slug: str, formation: str) -> HttpResponse:
    """All papers about one of the viewer's formations, by whom and what became of them."""
    desk = CampaignPage.of(request.user, slug)
    rows = papers_of(desk.viewer, formation, desk.names)
    seen = next((seen for seen in desk.view.own if seen.id == formation), None)
    if seen is None and not rows:
        raise Http404("There is no such formation of yours.")
    context = {
        "campaign": desk.campaign,
        "name": seen.name if seen else rows[0].name,
        "formation": formation,
        "rows": [(row, desk.world.theatre.start + timedelta(days=row.paper.day)) for row in rows],
        "may_order": seen is not None and desk.viewer.may_order and desk.viewer.commands(formation),
    }
    return render(request, "campaign/history.html", context)


@signed_in
@form_address(_build_orders_url)
def repeat_orders(request: HttpRequest, slug: str) -> HttpResponse:
    """Copy the orders of the last day, or of the same day a week ago, as drafts."""
    desk = _get_page_for_commander(request, slug)
    today = desk.world.day
    week = request.POST.get("from") == "week"
    last = today - WEEK if week else find_last_ordered_day(desk.campaign, desk.viewer.side, today)
    try:
        done = orders_repeat(
            campaign=desk.campaign,
            side=desk.viewer.side,
            actor=desk.viewer.user,
            day=-1 if last is None else last,
        )
    except RuleViolation as violation:
        messages.error(request, f"{violation.message} ({violation.rule_id})")
    else:
        kept = sum(each.paper is not None for each in done)
        said = f"{kept} order{'' if kept == 1 else 's'} copied as drafts; they count when submitted."
        _report_repeats(request, desk, done, said)
    return redirect("orders-overview", slug)


@signed_in
@form_address(_build_orders_url)
def submit_drafts(request: HttpRequest, slug: str) -> HttpResponse:
    """Submit all drafts of orders; those refused stay."""
    desk = _get_page_for_commander(request, slug)
    seen = parse_whole_number(request.POST.get("seen", ""))
    done = drafts_submit(campaign=desk.campaign, side=desk.viewer.side, actor=desk.viewer.user, seen=seen)
    sent = sum(each.paper is not None for each in done)
    _report_repeats(request, desk, done, f"{sent} draft{'' if sent == 1 else 's'} submitted.")
    return redirect("orders-overview", slug)


def _get_page_for_commander(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.may_order:
        raise Http404("You give no orders in this campaign.")
    return desk


def _report_repeats(request: HttpRequest, desk: CampaignPage, done: list[Repeated], said: str) -> None:
    """Report the result of repeating orders, with a reason for each that failed."""
    done = [each for each in done if desk.viewer.commands(each.formation)]
    if any(each.paper for each in done) or not done:
        messages.success(request, said)
    for each in done:
        if each.paper is None:
            name = desk.names.formation(each.formation)
            told = each.reason if each.reason.startswith(name) else f"{name}: {each.reason}"
            messages.error(request, told)
