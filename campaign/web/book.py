"""The campaign's book: asked for, read as a page, and printed (HR-REP-03)."""

from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_http_methods

from battles.typesetting import PAPERS
from campaign.models import Job, Seat
from campaign.printing import book_pdf
from campaign.rules.errors import RuleViolation
from campaign.selectors.books import Book, book_desk, book_of
from campaign.selectors.bulletin_sheet import SheetError
from campaign.selectors.standing import calendar
from campaign.services.books import book_ask
from campaign.visible_bulletins import books_for, may_read_book
from campaign.web.access import signed_in
from campaign.web.desk import Desk

#: Seconds for which a printed book is kept; its key has the job's, so it never grows wrong.
KEPT = 24 * 3600


def _reader(request: HttpRequest, slug: str) -> Desk:
    desk = Desk.of(request.user, slug, also=(Seat.Role.SPECTATOR,))
    if not may_read_book(desk.viewer):
        raise Http404("The book is the umpire's until a day after the campaign's end.")
    return desk


@signed_in
@never_cache
@gzip_page
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_book(request: HttpRequest, slug: str) -> HttpResponse:
    """The last book that was made; a posted form asks for a new one."""
    desk = _reader(request, slug)
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
        "calendar": calendar(desk.viewer, desk.world),
        "found": found,
        "papers": PAPERS,
    }
    book = _book(desk, found.book) if found.book else ""
    context["fault" if isinstance(book, str) else "book"] = book
    return render(request, "campaign/book.html", context)


def _book(desk: Desk, job: Job, *, images: bool = False) -> Book | str:
    try:
        return book_of(job, desk.world.theatre, desk.viewer, images=images)
    except SheetError as error:
        return str(error)


@signed_in
@never_cache
@require_GET
def campaign_book_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for the printer; `?paper=` is a4 or letter."""
    desk = _reader(request, slug)
    job = books_for(desk.viewer).filter(state=Job.State.DONE).order_by("-pk").first()
    if job is None:
        raise Http404("No book has been made yet.")
    paper = request.GET.get("paper", "")
    paper = paper if paper in PAPERS else "a4"
    key = f"book-{job.pk}-{job.finished_at.timestamp():.0f}-{paper}" if job.finished_at else ""
    made = cache.get(key) if key else None
    if made is None:
        book = _book(desk, job, images=True)
        if isinstance(book, str):
            messages.error(request, book)
            return redirect(reverse("campaign-book", args=[slug]))
        made = book_pdf(book, paper=paper)
        if key:
            cache.set(key, made, KEPT)
    disposition = content_disposition_header(False, f"{slug}-book.pdf") or ""
    return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": disposition})
