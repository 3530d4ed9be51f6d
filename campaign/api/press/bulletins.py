"""The week's bulletins: read by their readers, written and published by the umpire (HR-REP-01)."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from rest_framework import serializers
from rest_framework.request import Request

from battles.printing.typesetting import PAPERS
from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.problems import ApiProblem
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView, UmpireView
from campaign.models import Seat
from campaign.selectors.press.bulletin_page import SheetError, sheet_of
from campaign.selectors.press.bulletins import Copy, copy_first, find_bulletin_copy, week_rows
from campaign.selectors.press.print_pages import bulletin_pdf
from campaign.services.press.bulletins import LENGTH, bulletins_publish, foreword_write

SEEN = (
    "A side reads its own copy once published, spectators the public one, late; the umpires all, and drafts."
)


class BulletinCopyQuery(Shape):
    """The side whose copy is asked for, and the course of the campaign."""

    copy = serializers.CharField(
        max_length=40, allow_blank=True, required=False, help_text="A side; empty: the public's."
    )
    course = serializers.IntegerField(
        min_value=1, max_value=10**6, required=False, help_text="A revision that was left."
    )


class BulletinSheetQuery(BulletinCopyQuery):
    """The same, and the paper."""

    paper = serializers.ChoiceField([*PAPERS], default="a4")


class WeekShape(Shape):
    """A week that is over."""

    week = serializers.IntegerField(min_value=1)
    first = serializers.DateField()
    last = serializers.DateField()
    copies = serializers.SerializerMethodField(help_text="Whose copies you may read; empty is the public's.")
    published = serializers.BooleanField()
    state = serializers.CharField(allow_blank=True)

    def get_copies(self, row: Any) -> list[str]:
        return [side for side, _ in row.copies]


class WeeksShape(Shape):
    """The weeks with a bulletin for you, the newest first."""

    weeks = WeekShape(many=True)


class BulletinShape(Shape):
    """A copy of a week's bulletin."""

    week = serializers.IntegerField(min_value=1)
    copy = serializers.CharField(allow_blank=True, source="side")
    name = serializers.CharField()
    published = serializers.BooleanField(source="is_published")
    note = serializers.CharField(allow_blank=True, help_text="Empty: it stands.")
    foreword = serializers.CharField(allow_blank=True)
    body = serializers.DictField(help_text="Facts, as they were kept when it was published.")


class ForewordShape(Shape):
    """The umpire's words before a copy."""

    copy = serializers.CharField(max_length=40, allow_blank=True)
    foreword = serializers.CharField(max_length=LENGTH, allow_blank=True, trim_whitespace=False)


class PublishedShape(Shape):
    """The number of copies newly published."""

    copies = serializers.IntegerField(min_value=0)


class BulletinView(CampaignView):
    """A view of a week's bulletin."""

    also = (Seat.Role.SPECTATOR,)

    def get_copy(self, week: int, side: str | None, revision: int | None = None) -> Copy:
        theatre = self.reading.world.theatre
        side = copy_first(self.viewer, theatre) if side is None else side
        found = find_bulletin_copy(self.viewer, theatre, week, side, revision) if side is not None else None
        if found is None:
            raise Http404
        return found


class Bulletins(BulletinView):
    """The weeks."""

    @endpoint("bulletins_list", "Bulletins", answer=WeeksShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The weeks that have a bulletin you may read."""
        return {"weeks": week_rows(self.viewer, self.reading.world.theatre)}


class BulletinDetail(BulletinView):
    """A week's bulletin."""

    @endpoint("bulletins_read", "A bulletin", answer=BulletinShape, query=BulletinCopyQuery, seen=SEEN)
    def get(self, request: Request, slug: str, week: int) -> Copy:
        """A copy of a week's bulletin: your own, or the one asked for."""
        return self.get_copy(week, self.asked.get("copy"), self.asked.get("course"))


class BulletinPdf(BulletinView):
    """The same for the printer."""

    @endpoint(
        "bulletins_sheet",
        "A bulletin as PDF",
        files={"application/pdf": "The sheet."},
        query=BulletinSheetQuery,
        cost=10,
        refuses=(409,),
        seen=SEEN,
    )
    def get(self, request: Request, slug: str, week: int) -> HttpResponse:
        """A copy of a week's bulletin on paper."""
        copy = self.get_copy(week, self.asked.get("copy"), self.asked.get("course"))
        try:
            sheet = sheet_of(copy.body, self.reading.world.theatre)
        except SheetError as error:
            raise ApiProblem("conflict", str(error)) from error
        made = bulletin_pdf(
            sheet,
            campaign=self.campaign.title,
            copy=copy.label,
            foreword=copy.foreword,
            note=copy.note,
            paper=self.asked["paper"],
        )
        name = content_disposition_header(False, f"{slug}-week-{week}-{copy.side or 'public'}.pdf") or ""
        return HttpResponse(made, content_type="application/pdf", headers={"Content-Disposition": name})


class Foreword(UmpireView, BulletinView):
    """The umpire's words before a copy."""

    @endpoint(
        "bulletins_foreword",
        "Write a foreword",
        answer=BulletinShape,
        body=ForewordShape,
        scope=Scope.UMPIRE,
        match=True,
        seen="The umpires alone.",
    )
    def put(self, request: Request, slug: str, week: int) -> Copy:
        """Keeps the umpire's words before a copy that is not published; If-Match is of that copy."""
        side = self.given["copy"]
        with self.lock_campaign():
            now = self.get_copy(week, side)
            demand_match(request, BulletinShape(now).data)
            foreword_write(
                campaign=self.campaign,
                week=week,
                side=side,
                foreword=self.given["foreword"],
                before=now.foreword,
                actor=self.person,
            )
            return self.get_copy(week, side)


class Publish(UmpireView, BulletinView):
    """Publishing a week."""

    @endpoint(
        "bulletins_publish",
        "Publish a week",
        answer=PublishedShape,
        scope=Scope.UMPIRE,
        cost=5,
        seen="The umpires alone.",
    )
    def post(self, request: Request, slug: str, week: int) -> dict[str, int]:
        """Publishes all copies of a week's bulletin and tells their readers; done before, it does nothing."""
        new = bulletins_publish(campaign=self.campaign, week=week, actor=self.person)
        return {"copies": new or 0}
