"""Reading besides the bulletins: the week's gazette, the campaign's book, a side's journal as a file."""

from typing import Any

import orjson
from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from rest_framework import serializers
from rest_framework.request import Request

from battles.printing.typesetting import PAPERS
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.api.jobs import JobShape
from campaign.fog.press import may_read_book
from campaign.models import Job, Seat
from campaign.selectors.jobs import JobRow, build_job_row
from campaign.selectors.press.books import BookDesk, book_desk
from campaign.selectors.press.gazette import find_gazette, latest_week
from campaign.selectors.proof import side_paper
from campaign.services.press.books import book_ask, book_print_ask, book_printing
from campaign.text.gazette import Gazette

READERS = "A side by its own journal, spectators late, the umpires everything."
BOOK = "The umpires; a day after the end every seat with a desk, and spectators."


class SentenceShape(Shape):
    """A sentence and the entry of the journal it is from."""

    text = serializers.CharField()
    day = serializers.IntegerField(min_value=1)
    mark = serializers.CharField(help_text="The entry's address in its day.")


class ParagraphShape(Shape):
    """The gazette's text about one day."""

    date = serializers.DateField()
    sentences = SentenceShape(many=True)


class ArticleShape(Shape):
    """A heading with its paragraphs."""

    title = serializers.CharField()
    paragraphs = ParagraphShape(many=True)
    left_out = serializers.IntegerField(help_text="Entries of the week that are not printed.")


class PrintedLossShape(Shape):
    """A unit's losses of the week."""

    name = serializers.CharField()
    points = serializers.IntegerField()
    left = serializers.IntegerField()


class GazetteShape(Shape):
    """A week's newspaper."""

    title = serializers.CharField()
    week = serializers.IntegerField(min_value=1)
    weeks = serializers.IntegerField(min_value=1, help_text="The latest there is.")
    first = serializers.DateField()
    last = serializers.DateField()
    head = SentenceShape(allow_null=True)
    lead = SentenceShape(allow_null=True)
    articles = ArticleShape(many=True)
    losses = PrintedLossShape(many=True)


class BookShape(Shape):
    """The state of the campaign's book."""

    made_at = serializers.DateTimeField(allow_null=True, help_text="null: there is none to read yet.")
    stale = serializers.BooleanField(help_text="Whether days have been played since.")
    making = serializers.IntegerField(allow_null=True, help_text="The job that makes another.")
    failed = serializers.CharField(allow_blank=True, help_text="Why the last could not be made.")


class PrintedShape(Shape):
    """The PDF that was asked for."""

    job = JobShape(allow_null=True, help_text="The work; null: it is there already.")


class PaperQuery(Shape):
    """The paper it is printed on."""

    paper = serializers.ChoiceField([*PAPERS], default="a4")


class GazetteOf(CampaignView):
    """A week's gazette."""

    also = (Seat.Role.SPECTATOR,)

    @endpoint("gazette_read", "A week's gazette", answer=GazetteShape, seen=READERS)
    def get(self, request: Request, slug: str, week: int) -> dict[str, Any]:
        """A week of your journal as a newspaper would have it; week 0 is the latest."""
        reading = self.reading
        latest = latest_week(reading.world)
        paper: Gazette | None = find_gazette(reading.viewer, reading.world, reading.names, week or latest)
        if paper is None:
            raise Http404
        names = ("title", "week", "first", "last", "head", "lead", "articles", "losses")
        return {**{name: getattr(paper, name) for name in names}, "weeks": latest}


class BookView(CampaignView):
    """A view of the book."""

    also = (Seat.Role.SPECTATOR,)

    def admit(self) -> None:
        if not may_read_book(self.viewer):
            raise Http404

    @property
    def book_state(self) -> BookDesk:
        return book_desk(self.viewer)


class BookOf(BookView):
    """The campaign's book (HR-REP-03)."""

    @endpoint("book_read", "Where the book stands", answer=BookShape, seen=BOOK)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Shows whether there is a book, and whether a new one is being made."""
        found = self.book_state
        return {
            "made_at": found.book.finished_at if found.book else None,
            "stale": found.stale,
            "making": found.making.pk if found.making else None,
            "failed": found.failed,
        }

    @endpoint(
        "book_make",
        "Have the book made",
        answer=JobShape,
        status=202,
        cost=20,
        refuses=(422,),
        seen=f"{BOOK} An umpire needs the umpire's scope, the others that of papers.",
    )
    def post(self, request: Request, slug: str) -> JobRow:
        """Has the book made as the campaign stands; while one is made, that is the one. Rules: HR-REP-03."""
        self.demand_scope(Scope.UMPIRE if self.viewer.is_umpire else Scope.ORDER)
        return build_job_row(book_ask(campaign=self.campaign, actor=self.person), self.viewer)


class BookSheet(BookView):
    """The book on paper."""

    @property
    def book(self) -> Job:
        """The last book that was made. Raises Http404."""
        found = self.book_state.book
        if found is None:
            raise Http404
        return Job.objects.get(pk=found.pk)

    @endpoint(
        "book_sheet",
        "The book as PDF",
        files={"application/pdf": "The book."},
        query=PaperQuery,
        cost=5,
        seen=BOOK,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The last book for the printer, once its sheets are set (404 before: ask by POST)."""
        made = book_printing(book=self.book, paper=self.asked["paper"], viewer=self.viewer).made
        if made is None:
            raise Http404
        name = content_disposition_header(False, f"{slug}-book.pdf") or ""
        return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": name})

    @endpoint(
        "book_print",
        "Have the book's PDF set",
        answer=PrintedShape,
        status=202,
        query=PaperQuery,
        cost=20,
        refuses=(422,),
        seen=f"{BOOK} The scope is as for having the book made.",
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Has the last book set for the printer; it is kept for a day. Rules: HR-REP-03."""
        self.demand_scope(Scope.UMPIRE if self.viewer.is_umpire else Scope.ORDER)
        job = book_print_ask(book=self.book, paper=self.asked["paper"], viewer=self.viewer)
        return {"job": None if job is None else build_job_row(job, self.viewer)}


class SideJournal(CampaignView):
    """A side's journal as a file."""

    @endpoint(
        "days_side_journal",
        "A side's journal with its salts",
        files={"application/json": "The journal, to be checked against the chain."},
        cost=5,
        seen="A side its own, the umpires both.",
    )
    def get(self, request: Request, slug: str, side: str) -> HttpResponse:
        """The data with which a side may verify the chain of days (HR-PRF-01)."""
        known = {each.id for each in self.reading.world.theatre.sides}
        if side not in known or not (self.viewer.is_umpire or self.viewer.side == side):
            raise Http404
        return HttpResponse(orjson.dumps(side_paper(self.campaign, side)), content_type="application/json")
