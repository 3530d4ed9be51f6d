"""Outcomes of orders: receipts, a formation's history, and the side's formations with and without orders."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.pagination import build_page, build_page_shape
from campaign.api.framework.serializers import PageQuery, Shape
from campaign.api.orders.orders import SEEN, PaperView
from campaign.api.orders.shapes import PaperShape, SeenShape, WriteShape
from campaign.rules.errors import RuleViolation
from campaign.selectors.orders.orders import PaperRow, find_receipt, list_receipts, papers_of
from campaign.selectors.orders.overview import STATES, overview_rows
from campaign.services.orders.drafts import (
    Repeated,
    draft_submit,
    drafts_submit,
    find_last_ordered_day,
    orders_repeat,
)
from campaign.services.orders.march_orders import nothing_new_say
from campaign.services.orders.submission import written_draft

WEEK = 7


class Receipts(PaperView):
    """The papers submitted."""

    @endpoint("receipts_list", "Receipts", answer=build_page_shape(PaperShape), query=PageQuery, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The last hundred papers submitted, newest first, with what became of each."""
        return build_page(list_receipts(self.viewer, self.reading.names), self.asked)


class Receipt(PaperView):
    """One receipt."""

    @endpoint("receipts_read", "A receipt", answer=PaperShape, seen=SEEN)
    def get(self, request: Request, slug: str, book: str, number: int) -> PaperRow:
        """A paper as it was submitted; `book` is a side's id, or “umpire”."""
        side = "" if book == "umpire" else book
        row = find_receipt(self.viewer, side, number, self.reading.names)
        if row is None:
            raise Http404
        return row


class History(PaperView):
    """The orders of a formation."""

    @endpoint(
        "orders_history",
        "A formation's papers",
        answer=build_page_shape(PaperShape),
        query=PageQuery,
        seen=SEEN,
    )
    def get(self, request: Request, slug: str, formation: str) -> dict[str, Any]:
        """The last hundred papers about one of your formations, drafts too, newest first."""
        rows = papers_of(self.viewer, formation, self.reading.names)
        if not rows and all(seen.id != formation for seen in self.reading.view.own):
            raise Http404
        return build_page(rows, self.asked)


class OverviewRowShape(Shape):
    """A formation and how it stands with its orders."""

    formation = serializers.CharField(source="orders.seen.id")
    name = serializers.CharField(source="orders.seen.name")
    side = serializers.CharField(source="orders.seen.side")
    where = serializers.CharField(source="orders.where")
    text = serializers.CharField(source="orders.text")
    state = serializers.ChoiceField([*STATES.items()])
    by = serializers.CharField(allow_blank=True, help_text="Who wrote its paper, or its draft.")


class OverviewShape(Shape):
    """The whole side at a glance."""

    formations = OverviewRowShape(many=True)


class Overview(PaperView):
    """The whole side at a glance."""

    @endpoint("orders_overview", "Who has orders", answer=OverviewShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """Every formation of yours by what presses most: those without orders first."""
        reading = self.reading
        return {"formations": overview_rows(reading.orders, reading.papers, reading.ahead)}


# --- drafts ---


class RefusalShape(Shape):
    """The reason for which an order would be refused."""

    rule = serializers.CharField(source="rule_id")
    detail = serializers.CharField(source="message")
    field = serializers.CharField(allow_blank=True)


class DraftShape(Shape):
    """A draft that was kept."""

    paper = PaperShape()
    refusal = RefusalShape(allow_null=True, help_text="Why it would not be taken now; null: it would.")


class RepeatedShape(Shape):
    """The outcome of repeating one formation's order."""

    formation = serializers.CharField()
    name = serializers.CharField()
    paper = serializers.IntegerField(allow_null=True, help_text="Number of the draft or paper.")
    reason = serializers.CharField(allow_blank=True, help_text="Why there is none.")


class RepeatShape(Shape):
    """The orders to copy."""

    of = serializers.ChoiceField(["last_day", "week_ago"], default="last_day")


class Draft(PaperView):
    """Keeping a draft."""

    @endpoint(
        "orders_draft",
        "Keep a draft",
        body=WriteShape,
        answer=DraftShape,
        status=201,
        scope=Scope.ORDER,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """A paper that counts for nothing until submitted; acts and choices go on the draft there is.

        One written for a day gone by (`days_completed`) is kept too, and `refusal` says so (HR-CAL-03)."""
        paper, refusal = written_draft(**self.writer(), written=self.parse_order())
        return {"paper": self.row(paper.number), "refusal": refusal}


class DraftSubmit(PaperView):
    """Submitting one draft."""

    @endpoint(
        "orders_draft_submit",
        "Submit a draft",
        body=SeenShape,
        answer=PaperShape,
        scope=Scope.ORDER,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str, number: int) -> PaperRow:
        """The paper it becomes, which has a number of its own; it stays a draft where that is refused.

        With `last_paper` it replaces no newer order. Rules: HR-PAP-02, HR-PAP-04."""
        row, seen = self.row(number), self.given.get("last_paper")
        return self.row(draft_submit(paper=row.paper, actor=self.viewer.user, seen=seen).number)


class SideOrdersView(PaperView):
    """Actions for the side as a whole."""

    def commander(self) -> dict[str, Any]:
        if not self.viewer.may_order:
            raise Http404
        return self.writer()

    def describe_repeats(self, done: list[Repeated]) -> list[dict[str, Any]]:
        """Return the receipts of formations the viewer commands."""
        names = self.reading.names
        return [
            {
                "formation": each.formation,
                "name": names.formation(each.formation),
                "paper": None if each.paper is None else each.paper.number,
                "reason": each.reason,
            }
            for each in done
            if self.viewer.commands(each.formation)
        ]


class DraftsSubmit(SideOrdersView):
    """Submitting all drafts of orders."""

    @endpoint(
        "orders_drafts_submit",
        "Submit all drafts of orders",
        body=SeenShape,
        answer=RepeatedShape(many=True),
        scope=Scope.ORDER,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> list[dict[str, Any]]:
        """The refused stay drafts and say why; with `last_paper` no newer order is replaced (HR-PAP-04)."""
        return self.describe_repeats(drafts_submit(**self.commander(), seen=self.given.get("last_paper")))


class NothingNewShape(Shape):
    """That nothing is new."""

    days_completed = serializers.IntegerField(
        min_value=0, required=False, help_text="Days completed when it was said; another day is refused."
    )


class NothingNewToldShape(Shape):
    """For which day nothing is new."""

    day = serializers.IntegerField(help_text="Campaign day, 1 for the first.")


class NothingNew(SideOrdersView):
    """The word that there is nothing new."""

    @endpoint(
        "orders_nothing_new",
        "Say that there is nothing new",
        body=NothingNewShape,
        answer=NothingNewToldShape,
        scope=Scope.ORDER,
    )
    def post(self, request: Request, slug: str) -> dict[str, int]:
        """Older orders go on, and the coming deadline is not missed. Rule: HR-DUE-02."""
        given = self.commander()
        return {"day": nothing_new_say(**given, written=self.given.get("days_completed")) + 1}


class Repeat(SideOrdersView):
    """Orders given before."""

    @endpoint(
        "orders_repeat",
        "Copy earlier orders as drafts",
        body=RepeatShape,
        answer=RepeatedShape(many=True),
        scope=Scope.ORDER,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> list[dict[str, Any]]:
        """Those of the last day you gave any on, or of the same day a week ago."""
        given, today = self.commander(), self.reading.world.day
        if self.given["of"] == "week_ago":
            day: int | None = today - WEEK
        else:
            day = find_last_ordered_day(self.campaign, self.viewer.side, today)
        if day is None or day < 0:
            raise RuleViolation("HR-PAP-02", "There are no such orders to copy; write new ones.")
        return self.describe_repeats(orders_repeat(**given, day=day))
