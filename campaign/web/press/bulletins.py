"""The week's bulletins: the umpire writes and publishes them, everybody reads his own (HR-REP-01)."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from battles.printing.typesetting import PAPERS
from campaign.fog.press import PUBLIC, count_closed_weeks, may_read_book
from campaign.models import Seat, clock_time, find_time_zone, format_time_zone
from campaign.rules.errors import RuleViolation
from campaign.selectors.press.bulletin_page import BulletinSheet, SheetError, sheet_of
from campaign.selectors.press.bulletins import (
    Copy,
    copy_choices,
    copy_first,
    find_bulletin_copy,
    public_when,
    week_rows,
)
from campaign.selectors.press.print_pages import bulletin_pdf
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.press.bulletins import LENGTH, bulletins_publish, foreword_write
from campaign.web.access import form_address, led_on, signed_in
from campaign.web.campaign_page import CampaignPage
from campaign.web.forms import parse_whole_number


def _build_bulletin_url(slug: str, week: int) -> str:
    return reverse("bulletin", args=[slug, week])


def _get_page(request: HttpRequest, slug: str) -> CampaignPage:
    return CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))


@signed_in
@never_cache
@require_safe
def bulletins_page(request: HttpRequest, slug: str) -> HttpResponse:
    """The weeks, with what has become of each."""
    desk = _get_page(request, slug)
    context = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "weeks": week_rows(desk.viewer, desk.world.theatre),
        "book_open": may_read_book(desk.viewer),
    }
    return render(request, "campaign/bulletins.html", context)


@signed_in
@never_cache
@gzip_page
@require_safe
def bulletin_page(request: HttpRequest, slug: str, week: int) -> HttpResponse:
    """A copy of a week's bulletin: `?copy=` names the side, empty for the public's."""
    desk = _get_page(request, slug)
    return _render_copy(request, desk, _get_copy(request, desk, week))


def _get_copy(request: HttpRequest, desk: CampaignPage, week: int) -> Copy:
    side = request.GET.get("copy", copy_first(desk.viewer, desk.world.theatre))
    revision = parse_whole_number(request.GET.get("course", ""))
    found = (
        find_bulletin_copy(desk.viewer, desk.world.theatre, week, side, revision)
        if side is not None
        else None
    )
    if found is None:
        raise Http404(f"There is no bulletin of week {week} for you.")
    return found


def _render_copy(
    request: HttpRequest,
    desk: CampaignPage,
    copy: Copy,
    refusal: RuleViolation | None = None,
    written: str = "",
) -> HttpResponse:
    viewer, campaign = desk.viewer, desk.campaign
    writes = viewer.is_umpire and not copy.is_published
    context = {
        "viewer": viewer,
        "campaign": campaign,
        "calendar": load_calendar(viewer, desk.world),
        "copy": copy,
        "sheet": _find_sheet(desk, copy),
        "note": copy.note,
        "choices": copy_choices(viewer, desk.world.theatre),
        "writes": writes,
        "length": LENGTH,
        "refusal": refusal,
        "written": written if refusal else copy.foreword,
        "public_when": public_when(campaign, copy.week) if viewer.is_umpire else "",
        "query": _build_query(copy),
        "papers": PAPERS,
        "weeks": range(1, count_closed_weeks(campaign) + 1) if viewer.is_umpire else (),
    }
    sheet = context["sheet"]
    if isinstance(sheet, BulletinSheet) and sheet.deadline and copy.side != PUBLIC:
        zone = find_time_zone(request.user, campaign)
        context |= {"deadline": clock_time(sheet.deadline, zone), "zone": format_time_zone(zone)}
    return render(request, "campaign/bulletin.html", context, status=422 if refusal else 200)


def _find_sheet(desk: CampaignPage, copy: Copy) -> BulletinSheet | str:
    """The copy ready to be read, or why it cannot be."""
    try:
        return sheet_of(copy.body, desk.world.theatre)
    except SheetError as error:
        return str(error)


def _build_query(copy: Copy) -> str:
    asked: dict[str, Any] = {"copy": copy.side}
    if copy.overtaken and copy.bulletin is not None:
        asked["course"] = copy.bulletin.revision
    return urlencode(asked)


@signed_in
@never_cache
@require_safe
def bulletin_file(request: HttpRequest, slug: str, week: int) -> HttpResponse:
    """The same for the printer; `?paper=` is a4 or letter."""
    desk = _get_page(request, slug)
    copy = _get_copy(request, desk, week)
    sheet = _find_sheet(desk, copy)
    if isinstance(sheet, str):
        messages.error(request, sheet)
        return redirect(f"{_build_bulletin_url(slug, week)}?{_build_query(copy)}")
    paper = request.GET.get("paper", "")
    made = bulletin_pdf(
        sheet,
        campaign=desk.campaign.title,
        copy=copy.label,
        foreword=copy.foreword,
        note=copy.note,
        paper=paper if paper in PAPERS else "a4",
    )
    name = f"{slug}-week-{week}-{copy.side or 'public'}.pdf"
    disposition = content_disposition_header(False, name) or ""
    return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": disposition})


# --- the umpire writes ---


@signed_in
@led_on
@form_address(_build_bulletin_url)
@require_POST
def save_foreword(request: HttpRequest, slug: str, week: int) -> HttpResponse:
    """Keep the umpire's words before one copy."""
    desk, side = _get_page_for_umpire(request, slug), request.POST.get("copy", "")
    try:
        _save_foreword(request, desk, week, side)
    except RuleViolation as refusal:
        return _render_refusal(request, desk, week, side, refusal)
    messages.success(request, "The foreword is kept.")
    return redirect(f"{_build_bulletin_url(slug, week)}?{urlencode({'copy': side})}")


@signed_in
@led_on
@form_address(_build_bulletin_url)
@require_POST
def publish_bulletin(request: HttpRequest, slug: str, week: int) -> HttpResponse:
    """Publish all copies of the week; a foreword that comes with it is kept first, or nothing is done."""
    desk, side = _get_page_for_umpire(request, slug), request.POST.get("copy", "")
    try:
        with transaction.atomic():
            if "foreword" in request.POST:
                _save_foreword(request, desk, week, side)
            new = bulletins_publish(campaign=desk.campaign, week=week, actor=desk.viewer.user)
    except RuleViolation as refusal:
        if "foreword" in request.POST:
            return _render_refusal(request, desk, week, side, refusal)
        messages.error(request, f"{refusal.message} ({refusal.rule_id})")
        return redirect("bulletins", slug)
    told = f"{new} copies are out, and their readers are told." if new else "It was published already."
    messages.success(request, told)
    return redirect("bulletins", slug)


def _save_foreword(request: HttpRequest, desk: CampaignPage, week: int, side: str) -> None:
    foreword_write(
        campaign=desk.campaign,
        week=week,
        side=side,
        foreword=request.POST.get("foreword", ""),
        before=request.POST.get("before", ""),
        actor=desk.viewer.user,
    )


def _render_refusal(
    request: HttpRequest, desk: CampaignPage, week: int, side: str, refusal: RuleViolation
) -> HttpResponse:
    """The copy again, with what was written and why it is not kept."""
    copy = find_bulletin_copy(desk.viewer, desk.world.theatre, week, side)
    if copy is None:
        raise Http404(refusal.message) from refusal
    return _render_copy(request, desk, copy, refusal, request.POST.get("foreword", ""))


def _get_page_for_umpire(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug)
    if not desk.viewer.is_umpire:
        raise Http404("Only the umpire writes bulletins.")
    return desk
