"""Standing orders of the viewer's formations, and the orders their side has submitted, cut to the viewer."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from fractions import Fraction

from django.db.models import Q

from battles.grammar import Subject
from campaign.fog.visibility import MapView, SeenFormation, Viewer, orders_for
from campaign.models import OrderPaper
from campaign.rules.errors import RuleViolation
from campaign.rules.march.itinerary import DAYS, arrival_odds
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_from_json
from campaign.text.order_text import order_text, paper_lines
from campaign.text.place_names import CampaignNames, position_text

State = OrderPaper.State
Kind = OrderPaper.Kind

#: Papers on the page of receipts.
RECEIPTS_SHOWN = 100
#: Days for which a lapsed draft is still shown.
LAPSED_SHOWN = 7


@dataclass(frozen=True, slots=True)
class FormationOrders:
    """One own formation and the order it is under; `paper` is today's, if one was given."""

    seen: SeenFormation
    tint: str
    where: str
    text: str
    order: Order | None
    paper: OrderPaper | None
    mine: bool
    tired: str = ""
    """The cost of the coming day for want of rest, of an order from an earlier day (HR-MAR-05)."""

    @property
    def idle(self) -> bool:
        """Neither a new order nor an older one still being carried out."""
        return self.order is None


@dataclass(frozen=True, slots=True)
class PaperRow:
    """A paper in words: whom it is about, and its lines."""

    paper: OrderPaper
    name: str
    tint: str
    lines: tuple[str, ...]
    mine: bool

    @property
    def is_lapsed(self) -> bool:
        """Whether it is a draft for a day that has been played."""
        return self.paper.state == State.LAPSED

    @property
    def by(self) -> str:
        """Name of the person who submitted the order."""
        writer = self.paper.submitted_by
        if writer is not None:
            return writer.get_full_name() or writer.get_username()
        return "the staff" if self.paper.author == OrderPaper.Author.STAFF else f"the {self.paper.author}"


@dataclass(frozen=True, slots=True)
class SidePapers:
    """Open papers of a side besides its marches: of organisation, for the returns, drafts, late ones."""

    organisation: list[PaperRow] = field(default_factory=list)
    returns: list[PaperRow] = field(default_factory=list)
    drafts: list[PaperRow] = field(default_factory=list)
    choice_drafts: list[PaperRow] = field(default_factory=list)
    queued: list[PaperRow] = field(default_factory=list)
    orders: dict[str, OrderPaper] = field(default_factory=dict)
    last: int = 0
    """The highest number among the viewer's own: what they have seen."""


def side_papers(viewer: Viewer, world: World, names: CampaignNames) -> SidePapers:
    """The papers that still matter, in one query."""
    found, last = SidePapers(), 0
    lapsed = Q(state=State.LAPSED, version=0, day__gte=world.day - LAPSED_SHOWN)
    papers = orders_for(viewer).filter(Q(state__in=(State.STANDING, State.QUEUED, State.DRAFT)) | lapsed)
    for paper in papers.select_related("submitted_by").order_by("side", "formation", "pk"):
        if paper.side == viewer.side:
            last = max(last, paper.number)
        if paper.state in (State.DRAFT, State.LAPSED):
            drafts = found.choice_drafts if paper.kind == Kind.RETURNS else found.drafts
            drafts.append(_build_order_row(viewer, paper, names))
        elif paper.state == State.QUEUED:
            found.queued.append(_build_order_row(viewer, paper, names))
        elif paper.day < world.day:
            continue  # of a day undone
        elif paper.kind == Kind.RETURNS:
            found.returns.append(_build_order_row(viewer, paper, names))
        elif paper.day == world.day and paper.kind == Kind.ORGANISATION:
            found.organisation.append(_build_order_row(viewer, paper, names))
        elif paper.day == world.day:
            found.orders[paper.formation] = paper
    return replace(found, last=last)


def _build_order_row(viewer: Viewer, paper: OrderPaper, names: CampaignNames) -> PaperRow:
    paper.campaign = viewer.campaign  # whose secret its seal needs
    about = names.formation(paper.formation)
    if paper.kind == Kind.RETURNS:
        about = names.side(paper.side) if paper.side else "The umpire"
    return PaperRow(
        paper,
        about,
        names.tint(paper.side),
        tuple(paper_lines(paper, names)),
        _may_change_order(viewer, paper),
    )


def _may_change_order(viewer: Viewer, paper: OrderPaper) -> bool:
    """True when the viewer may withdraw or submit the order."""
    return paper.side == viewer.side and viewer.commands(paper.formation)


def list_receipts(viewer: Viewer, names: CampaignNames) -> list[PaperRow]:
    """The last papers submitted, newest first."""
    papers = orders_for(viewer).exclude(version=0).select_related("submitted_by")
    return [_build_order_row(viewer, paper, names) for paper in papers.order_by("-pk")[:RECEIPTS_SHOWN]]


def papers_of(viewer: Viewer, formation: str, names: CampaignNames) -> list[PaperRow]:
    """All papers about one formation that the viewer may see, drafts too, newest first."""
    papers = orders_for(viewer).exclude(kind=Kind.RETURNS).filter(formation=formation)
    found = papers.select_related("submitted_by").order_by("-pk")
    return [_build_order_row(viewer, paper, names) for paper in found[:RECEIPTS_SHOWN]]


def find_receipt(viewer: Viewer, side: str, number: int, names: CampaignNames) -> PaperRow | None:
    """One paper as it was submitted; None when there is none that the viewer may see."""
    row = paper_row(viewer, side, number, names)
    return None if row is None or row.paper.version == 0 else row


def paper_row(viewer: Viewer, side: str, number: int, names: CampaignNames) -> PaperRow | None:
    """One paper or draft; None when there is none that the viewer may see."""
    papers = orders_for(viewer).select_related("submitted_by")
    paper = papers.filter(side=side, number=number).first()
    return None if paper is None else _build_order_row(viewer, paper, names)


def list_pending_detachments(viewer: Viewer, world: World, papers: SidePapers) -> set[str]:
    """Ids of detachments on papers that are not carried out yet, or may be on their way (HR-COU-02)."""
    rows = [*papers.organisation, *papers.queued, *papers.drafts]
    bodies = [row.paper.body for row in rows]
    if world.settings.couriers:
        sent = orders_for(viewer).filter(kind=Kind.ORGANISATION, state=State.CARRIED_OUT)
        bodies += sent.values_list("body", flat=True)
    return {act["id"] for body in bodies for act in body.get("acts", ()) if "id" in act}


def formation_orders(
    viewer: Viewer, view: MapView, names: CampaignNames, papers: SidePapers
) -> list[FormationOrders]:
    """Own formations with their orders, by name; garrisons last."""
    rows = []
    for seen in sorted(view.own, key=lambda seen: (seen.garrison, seen.side, seen.name)):
        paper = papers.orders.get(seen.id)
        standing = seen.formation.order if seen.formation else None
        order = order_from_json(paper.body) if paper else standing
        rows.append(
            FormationOrders(
                seen=seen,
                tint=names.tint(seen.side),
                where=position_text(seen.position, names),
                text=order_text(order, names) if order else f"{Subject(seen.name):+stands where it is}",
                order=order,
                paper=paper,
                mine=seen.side == viewer.side and viewer.commands(seen.id),
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class MarchExpected:
    """Expected arrival of a column under orders, in words."""

    name: str
    tint: str
    text: str


def list_march_forecasts(
    rows: Iterable[FormationOrders], world: World, names: CampaignNames, waiting: Container[str] = ()
) -> list[MarchExpected]:
    """The chance of each march to be over before dark, by day; for the umpire, who may know the weather.

    Formations `waiting` for the outcome of a battle do not march until it is known (HR-CAL-10).
    """
    found = []
    for row in rows:
        if (
            row.seen.id in waiting
            or row.order is None
            or not row.order.via
            or row.order.stages
            or row.seen.garrison
        ):
            continue
        try:
            odds = arrival_odds(world, row.order)
        except RuleViolation:
            continue  # the day will say why
        start = world.theatre.start
        days = [f"{start + timedelta(days=each.day):%-d %B}, {_format_chance(each.chance)}" for each in odds]
        when = "; ".join(days) or f"not within {DAYS} days"
        text = f"at {names.place(row.order.via[-1])} before dark: {when}"
        found.append(MarchExpected(row.seen.name, row.tint, text))
    return found


def _format_chance(chance: Fraction) -> str:
    """Whole percent; what is not certain is never called so."""
    if chance == 1:
        return "certain"
    return f"{min(99, max(1, round(100 * chance)))} %"


@dataclass(frozen=True, slots=True)
class OrdersReceived:
    """A side's orders in numbers: new ones for the day, formations still marching by earlier ones, and
    formations that could have one.
    """

    side: str
    given: int
    marching: int
    able: int


def list_orders_received(rows: Iterable[FormationOrders], names: CampaignNames) -> list[OrdersReceived]:
    """Orders received, by side in order of id."""
    by_side: dict[str, list[FormationOrders]] = {}
    for row in rows:
        by_side.setdefault(row.seen.side, []).append(row)
    return [
        OrdersReceived(
            side=names.side(side),
            given=sum(row.paper is not None for row in of_side),
            marching=sum(
                row.paper is None and row.order is not None and bool(row.order.via) for row in of_side
            ),
            able=sum(not row.seen.garrison for row in of_side),
        )
        for side, of_side in sorted(by_side.items())
    ]
