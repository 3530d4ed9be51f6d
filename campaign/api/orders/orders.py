"""Orders and other papers: what stands, what would be refused, putting in, taking back."""

from typing import Any, get_args

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from campaign.api.framework.conditions import demand_match
from campaign.api.framework.contract import Scope, endpoint
from campaign.api.framework.serializers import Shape
from campaign.api.framework.views import CampaignView
from campaign.api.orders.shapes import OrderShape, PaperShape, WriteShape, written_of
from campaign.models import OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import Fortification
from campaign.rules.orders.orders import verify_goes
from campaign.selectors.orders.fatigue_warnings import add_fatigue_warnings, loss_reason
from campaign.selectors.orders.march_enemies import EnemyOnMarch, Outcome, march_enemies, outcome_line
from campaign.selectors.orders.orders import PaperRow, list_pending_detachments, paper_row
from campaign.selectors.orders.preview import PreviewDay, order_preview
from campaign.services.orders.submission import (
    Written,
    paper_strike,
    paper_take_back,
    written_draft,
    written_submit,
    written_try,
)

State = OrderPaper.State
SEEN = (
    "Commanders see and write for their side or column, a deputy while acting for one. "
    "The umpires see what both sides submitted and write only where units appear."
)


class FormationOrdersShape(Shape):
    """A formation of one's own and the order it is under."""

    formation = serializers.CharField(source="row.seen.id")
    name = serializers.CharField(source="row.seen.name")
    side = serializers.CharField(source="row.seen.side")
    where = serializers.CharField(source="row.where")
    text = serializers.CharField(source="row.text", help_text="What it does, in words.")
    tired = serializers.CharField(
        source="row.tired", allow_blank=True, help_text="What marching on without rest may cost."
    )
    garrison = serializers.BooleanField(source="row.seen.garrison")
    mine = serializers.BooleanField(source="row.mine", help_text="Whether it is yours to order.")
    waits = serializers.BooleanField(help_text="For a battle: it takes no orders (HR-CAL-10).")
    order = OrderShape(allow_null=True, source="row.order")
    paper = serializers.IntegerField(allow_null=True, help_text="Number of the paper given today.")


class OrdersShape(Shape):
    """The papers for the coming day."""

    days_completed = serializers.IntegerField(min_value=0, help_text="Send it back with what you write.")
    last_paper = serializers.IntegerField(min_value=0, help_text="Send it back with what you write.")
    late = serializers.CharField(allow_blank=True, help_text="What becomes of orders now; empty: they count.")
    closed = serializers.BooleanField(help_text="Whether an order given now is refused for being late.")
    formations = FormationOrdersShape(many=True)
    organisation = PaperShape(many=True)
    returns = PaperShape(many=True)
    drafts = PaperShape(many=True)
    queued = PaperShape(many=True, help_text="Came late, for the next day.")


class PaperView(CampaignView):
    """A view of papers."""

    def writer(self) -> dict[str, Any]:
        """Build the arguments that name the writer for every order service."""
        if not (self.viewer.side or self.viewer.is_umpire):
            raise Http404
        return {"campaign": self.campaign, "side": self.viewer.side, "actor": self.viewer.user}

    def parse_order(self) -> Written:
        """Return the request's fields; the umpire commands no side, so these are choices alone."""
        reading, given = self.reading, self.given
        if self.viewer.is_umpire and "choices" not in given:
            raise Http404
        taken: set[str] = set()
        if "acts" in given:
            taken = list_pending_detachments(self.viewer, reading.world, reading.papers)
        return written_of(given, reading.world, taken)

    def row(self, number: int) -> PaperRow:
        """A paper of one's own book."""
        row = paper_row(self.viewer, self.viewer.side, number, self.reading.names)
        if row is None:
            raise Http404
        return row


class Orders(PaperView):
    """The papers for the coming day."""

    @endpoint("orders_list", "Orders for the coming day", answer=OrdersShape, seen=SEEN)
    def get(self, request: Request, slug: str) -> dict[str, Any]:
        """The current orders of your formations, and those submitted for the coming day and the weekly
        returns.
        """
        return build_orders_answer(self)

    @endpoint(
        "orders_submit",
        "Put in a paper",
        body=WriteShape,
        answer=PaperShape,
        status=201,
        scope=Scope.ORDER,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> PaperRow:
        """An order, acts of organisation or choices, in place of the paper about the same that stands."""
        given = self.writer()
        written = self.parse_order()
        if written.order is not None:
            verify_goes(self.reading.world, written.order)
        return self.row(written_submit(**given, written=written).number)


class PositionShape(Shape):
    """At a place; or on a route, so many yards from one of its ends."""

    place = serializers.CharField(allow_blank=True)
    route = serializers.CharField(allow_blank=True)
    origin = serializers.CharField(allow_blank=True)
    destination = serializers.CharField(allow_blank=True)
    yards = serializers.IntegerField(min_value=0)


class LegShape(Shape):
    """A stretch of one route, and when its end is reached."""

    route = serializers.CharField()
    origin = serializers.CharField()
    destination = serializers.CharField()
    yards = serializers.IntegerField()
    day = serializers.IntegerField(help_text="Campaign day, from 0.")
    minute = serializers.IntegerField()


class ChanceShape(Shape):
    """The chance that a unit of a kind loses points on a forced day."""

    militia = serializers.BooleanField()
    fair = serializers.FloatField()
    adverse = serializers.FloatField(help_text="In bad weather.")


class PreviewDayShape(Shape):
    """A day of the march."""

    day = serializers.IntegerField(help_text="Campaign day, from 0.")
    end = PositionShape()
    percent_over = serializers.IntegerField(help_text="Above a normal day.")
    rule = serializers.CharField(allow_blank=True, help_text="Under which men are lost; empty: none are.")
    points = serializers.FloatField(help_text="To be lost, as expected.")
    points_adverse = serializers.FloatField(help_text="The same in bad weather.")
    unrested = serializers.IntegerField(help_text="Day of marching without rest; 0: that costs nothing.")
    rests = serializers.BooleanField(help_text="A day of rest before the march.")
    chances = ChanceShape(many=True)
    reason = serializers.SerializerMethodField(
        help_text="Why it costs strength, how much, and what avoids it, in words; empty: it costs none."
    )

    def get_reason(self, day: PreviewDay) -> str:
        return loss_reason(day)


class EnemySeenShape(Shape):
    """An enemy formation on the way, as the map of your side shows it."""

    id = serializers.CharField(help_text="As in `map/`.")
    name = serializers.CharField()
    sp = serializers.IntegerField(help_text="An estimate.")
    error = serializers.IntegerField(source="sighting.error", help_text="How far it may be out, percent.")
    day = serializers.IntegerField(source="sighting.day", help_text="Campaign day it was seen, from 0.")
    minute = serializers.IntegerField(source="sighting.minute")
    in_sight = serializers.BooleanField()


class EnemyOnMarchShape(Shape):
    """A spot on the way where your side knows of enemies, or that it knows them to hold with works."""

    position = PositionShape()
    day = serializers.IntegerField(
        source="leg.day", default=None, allow_null=True,
        help_text="When the column comes there; on a route, to the end of the leg. Null: it stands there.",
    )  # fmt: skip
    minute = serializers.IntegerField(source="leg.minute", default=None, allow_null=True)
    seen = EnemySeenShape(many=True)
    works = serializers.ChoiceField(choices=list(get_args(Fortification)))
    outcome = serializers.ChoiceField(
        choices=list(get_args(Outcome)),
        help_text="What the order does at works held with troops (HR-SIE-01); empty: there are no works.",
    )
    reason = serializers.SerializerMethodField(help_text="What decides the outcome, in words.")

    def get_reason(self, enemy: EnemyOnMarch) -> str:
        return outcome_line(enemy)[0]


class PreviewShape(Shape):
    """A preview of an order in fair weather without meeting an enemy (HR-MAR-09), with the enemies known
    on the way.
    """

    order = OrderShape()
    start = PositionShape()
    legs = LegShape(many=True)
    days = PreviewDayShape(many=True)
    enemies = EnemyOnMarchShape(many=True, help_text="Known on the way, in order.")


class TrialShape(Shape):
    """An order as it would be accepted at this moment; one that would be refused is a 422."""

    preview = PreviewShape(allow_null=True, help_text="Of an order.")


class Validate(PaperView):
    """Trying a paper."""

    @endpoint(
        "orders_validate",
        "Try a paper",
        body=WriteShape,
        answer=TrialShape,
        refuses=(422,),
        seen=SEEN,
    )
    def post(self, request: Request, slug: str) -> dict[str, Any]:
        """Would this be taken now, and what would it mean? Writes nothing."""
        given, world = self.writer(), self.reading.world
        written, preview = self.parse_order(), None
        if written.order is not None:
            verify_goes(world, written.order)
            preview = order_preview(
                campaign=self.campaign, side=self.viewer.side, order=written.order, world=world
            )
        written_try(**given, written=written)
        if preview is None:
            return {"preview": None}
        enemies = march_enemies(self.reading.view, world, preview)
        laid = {"order": preview.order, "start": preview.start, "legs": preview.legs, "days": preview.days}
        return {"preview": {**laid, "enemies": enemies}}


class OrderDetail(PaperView):
    """One paper of one's own book, or a draft."""

    @endpoint(
        "orders_read", "A paper", answer=PaperShape, seen="Papers of your own side; the umpire's own alone."
    )
    def get(self, request: Request, slug: str, number: int) -> PaperRow:
        """A paper or draft by its number."""
        return self.row(number)

    @endpoint(
        "orders_replace",
        "Put another in a paper's place",
        body=WriteShape,
        answer=PaperShape,
        scope=Scope.ORDER,
        match=True,
        seen=SEEN,
    )
    def put(self, request: Request, slug: str, number: int) -> PaperRow:
        """The new paper, with a number of its own, is about the same formation; a draft stays a draft."""
        with self.lock_campaign():
            row = self.row(number)
            demand_match(request, PaperShape(row).data)
            written = self.parse_order()
            verify_replaces(row.paper, written)
            if row.paper.state == State.DRAFT:
                if row.paper.kind != OrderPaper.Kind.ACTIVITY and not written.add:
                    paper_take_back(paper=row.paper, actor=self.viewer.user)
                done = written_draft(**self.writer(), written=written)[0]
            else:
                done = written_submit(**self.writer(), written=written)
            return self.row(done.number)

    @endpoint("orders_withdraw", "Take a paper back", scope=Scope.ORDER, match=True, seen=SEEN)
    def delete(self, request: Request, slug: str, number: int) -> None:
        """Withdraws a paper, so that the older order counts again; a draft is thrown away."""
        with self.lock_campaign():
            row = self.row(number)
            demand_match(request, PaperShape(row).data)
            paper_take_back(paper=row.paper, actor=self.viewer.user)


class LineShape(Shape):
    """A line of a paper."""

    line = serializers.IntegerField(min_value=0, max_value=10_000, help_text="0 is the first.")


class OrderLineRemove(PaperView):
    """A line struck off."""

    @endpoint(
        "orders_strike",
        "Strike a line off a paper",
        body=LineShape,
        answer=PaperShape,
        scope=Scope.ORDER,
        match=True,
        seen=SEEN,
    )
    def post(self, request: Request, slug: str, number: int) -> PaperRow:
        """Of organisation or returns; the answer is the paper without it, withdrawn when none is left."""
        with self.lock_campaign():
            row = self.row(number)
            demand_match(request, PaperShape(row).data)
            left = paper_strike(paper=row.paper, number=self.given["line"], actor=self.viewer.user)
            return self.row(left.number if left else number)


def build_orders_answer(view: CampaignView) -> dict[str, Any]:
    """Build the answer for `OrdersShape`."""
    reading = view.reading
    papers, locked = reading.papers, reading.ahead.waiting_formations
    rows = add_fatigue_warnings(reading.orders, reading.world, reading.campaign)
    return {
        "days_completed": reading.world.day,
        "last_paper": papers.last,
        "late": reading.late.told if reading.late else "",
        "closed": bool(reading.late and reading.late.is_closed),
        "formations": [
            {
                "row": row,
                "waits": row.seen.id in locked,
                "paper": row.paper.number if row.paper else None,
            }
            for row in rows
        ],
        "organisation": papers.organisation,
        "returns": papers.returns,
        "drafts": [*papers.drafts, *papers.choice_drafts],
        "queued": papers.queued,
    }


def verify_replaces(paper: OrderPaper, written: Written) -> None:
    """Refuses what is not about the same as the paper it is to replace, or a paper that is over."""
    if paper.state not in (State.STANDING, State.QUEUED, State.DRAFT):
        raise RuleViolation("HR-CAL-06", "This paper no longer stands; put in a new one.")
    about = written.subject or paper.formation
    if written.kind != paper.kind or about != paper.formation:
        raise RuleViolation("HR-PAP-01", "This is about something else; put it in as a paper of its own.")
