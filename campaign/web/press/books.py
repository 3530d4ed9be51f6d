"""The campaign's book: asked for, read as a page, and printed (HR-REP-03)."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from battles.printing.typesetting import PAPERS
from campaign.fog.press import books_for, may_read_book
from campaign.models import Job, Seat
from campaign.rules.errors import RuleViolation
from campaign.selectors.press.books import CampaignBook, book_desk, load_campaign_book
from campaign.selectors.press.bulletin_page import SheetError
from campaign.selectors.turns.calendar import load_calendar
from campaign.services.press.books import book_ask, book_print_ask, book_printing
from campaign.web.access import signed_in
from campaign.web.campaign_page import CampaignPage


def _get_page_for_reader(request: HttpRequest, slug: str) -> CampaignPage:
    desk = CampaignPage.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    if not may_read_book(desk.viewer):
        raise Http404("The book is the umpire's until a day after the campaign's end.")
    return desk


@signed_in
@never_cache
@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_book(request: HttpRequest, slug: str) -> HttpResponse:
    """The last book that was made; a posted form asks for a new one."""
    desk = _get_page_for_reader(request, slug)
    if request.method == "POST":
        try:
            book_ask(campaign=desk.campaign, actor=desk.viewer.user)
        except RuleViolation as refusal:
            messages.error(request, f"{refusal.message} ({refusal.rule_id})")
        return redirect("campaign-book", slug)
    found = book_desk(desk.viewer)
    context: dict[str, Any] = {
        "viewer": desk.viewer,
        "campaign": desk.campaign,
        "calendar": load_calendar(desk.viewer, desk.world),
        "found": found,
    }
    book = _find_book(desk, found.book) if found.book else ""
    context["fault" if isinstance(book, str) else "book"] = book
    if found.book and not isinstance(book, str):
        context["prints"] = [
            (key, book_printing(book=found.book, paper=key, viewer=desk.viewer)) for key in PAPERS
        ]
        context["printing"] = any(printing.making for _, printing in context["prints"])
    return render(request, "campaign/book.html", context)


def _find_book(desk: CampaignPage, job: Job) -> CampaignBook | str:
    try:
        return load_campaign_book(job, desk.world.theatre, desk.viewer)
    except SheetError as error:
        return str(error)


@signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_book_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for the printer once it is made; `?paper=` is a4 or letter. A posted form has it made."""
    desk = _get_page_for_reader(request, slug)
    book = books_for(desk.viewer).filter(state=Job.State.DONE).order_by("-pk").first()
    if book is None:
        raise Http404("No book has been made yet.")
    paper = request.GET.get("paper", "")
    paper = paper if paper in PAPERS else "a4"
    if request.method == "POST":
        book_print_ask(book=book, paper=paper, viewer=desk.viewer)
    made = book_printing(book=book, paper=paper, viewer=desk.viewer).made
    if made is None or request.method == "POST":
        return redirect("campaign-book", slug)
    disposition = content_disposition_header(False, f"{slug}-book.pdf") or ""
    return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": disposition})
