"""The campaign's book, made as a job, and its PDF from a worker (HR-REP-03).

Both are kept and found again. The PDF is kept for a day.
"""

import hashlib
from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.db import transaction

from battles.printing.typesetting import TypesettingError
from campaign.fog.battles import list_settled_photos
from campaign.fog.press import BOOK, books_for, may_read_book
from campaign.fog.viewers import NotSeated, Viewer, viewer_of
from campaign.models import Campaign, Job, Seat, User
from campaign.ops.site_cache import get_shared_cache
from campaign.rules.errors import RuleViolation
from campaign.scenarios.theatres import theatre_load
from campaign.selectors.press.book_body import book_body
from campaign.selectors.press.books import load_campaign_book
from campaign.selectors.press.bulletin_page import SheetError
from campaign.selectors.press.print_pages import book_pdf
from campaign.services.battles.packs import KEPT, Printing
from campaign.services.jobs.jobs import job_request
from campaign.services.seats.assignment import lock_campaign

RULE = "HR-REP-03"


def book_ask(*, campaign: Campaign, actor: User) -> Job:
    """Ask for the book as the campaign stands. While one is being made, that is the one.

    Raises RuleViolation for somebody who may not read it, and before the first day is played.
    """
    with transaction.atomic():
        campaign = lock_campaign(campaign)
        try:
            allowed = may_read_book(viewer_of(actor, campaign, also=(Seat.Role.SPECTATOR,)))
        except NotSeated:
            allowed = False
        if not allowed:
            raise RuleViolation(
                RULE, f"Until a day after its end the book of {campaign} is its umpire's alone.", "actor"
            )
        if not campaign.day or campaign.head is None:
            raise RuleViolation(RULE, "No day has been played yet, so there is nothing to print.", "day")
        made = Job.objects.filter(campaign=campaign, kind=BOOK)
        busy = made.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).first()
        if busy is not None:
            return busy
        return job_request(
            kind=BOOK,
            key=f"book/{campaign.slug}/{made.count() + 1}/{campaign.head.record_hash[:16]}",
            payload={"head": campaign.head.record_hash, "told": campaign.dice_told},
            campaign=campaign,
            actor=actor,
        )


def campaign_book_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but its result, so it is safe to run twice."""
    assert job.campaign_id is not None
    campaign = Campaign.objects.select_related("head").get(pk=job.campaign_id)
    return {"book": book_body(campaign, report)}


KIND = "book_print"


def book_printing(*, book: Job, paper: str, viewer: Viewer) -> Printing:
    """State of the PDF of a finished book on this paper size, with the photographs the viewer may see."""
    mark = _build_cache_key(book, paper, viewer)
    made = cache.get(mark)
    if made is not None:
        return Printing(made)
    job = Job.objects.filter(key__startswith=f"{mark}/").order_by("-pk").first()
    failed = job is not None and job.state == Job.State.FAILED
    return Printing(job=job, error=job.error if job is not None and failed else "")


def book_print_ask(*, book: Job, paper: str, viewer: Viewer) -> Job | None:
    """Ask for the PDF of a finished book; None when it is there. While it is being made, that is the one."""
    mark = _build_cache_key(book, paper, viewer)
    if cache.get(mark) is not None:
        return None
    with transaction.atomic():
        campaign = lock_campaign(viewer.campaign)
        asked = Job.objects.filter(key__startswith=f"{mark}/")
        busy = asked.filter(state__in=(Job.State.QUEUED, Job.State.RUNNING)).first()
        if busy is not None:
            return busy
        return job_request(
            kind=KIND,
            key=f"{mark}/{asked.count() + 1}",
            payload={"book": book.pk, "paper": paper},
            campaign=campaign,
            actor=viewer.user,
        )


def book_print_job(job: Job, report: Callable[[int, str], None]) -> dict[str, Any]:
    """The job's work. It writes nothing but the PDF it keeps, so it is safe to run twice.

    It is set for who asked: a book he may no longer read is refused.
    """
    report(10, "The pages are being set.")
    assert job.campaign is not None and job.requested_by is not None
    try:
        viewer = viewer_of(job.requested_by, job.campaign, also=(Seat.Role.SPECTATOR,))
    except NotSeated as error:
        raise RuleViolation(RULE, "Who asked for the book has no seat any more.") from error
    found = books_for(viewer).filter(pk=job.payload["book"], state=Job.State.DONE).first()
    if found is None or not may_read_book(viewer):
        raise RuleViolation(RULE, "The book is not there any more; have it made again.")
    paper = job.payload["paper"]
    try:
        book = load_campaign_book(found, theatre_load(job.campaign), viewer, images=True)
        made = book_pdf(book, paper=paper)
    except (SheetError, TypesettingError) as error:
        raise RuleViolation(RULE, str(error)) from error
    get_shared_cache().set(_build_cache_key(found, paper, viewer), made, KEPT)
    return {"bytes": len(made)}


def _build_cache_key(book: Job, paper: str, viewer: Viewer) -> str:
    """Build the cache key of this PDF from the book, the paper size and the visible photographs."""
    body = (book.result or {}).get("book", {})
    battles = [battle["key"] for battle in body.get("battles", ())]
    photos = list(list_settled_photos(viewer, battles).values_list("pk", flat=True).order_by("pk"))
    told = f"{book.finished_at} {photos}"
    return f"book-print/{book.pk}/{paper}/{hashlib.sha256(told.encode()).hexdigest()[:24]}"
