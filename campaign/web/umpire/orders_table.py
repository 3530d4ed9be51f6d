"""The orders of both sides beside each other, verified against the coming morning; for the umpire alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from campaign.models import Campaign, OrderPaper, Seat
from campaign.rules.army.organisation import Organisation
from campaign.rules.errors import RuleViolation
from campaign.rules.orders.consistency import verify_order_agrees
from campaign.rules.orders.orders import verify_order
from campaign.rules.world.world import Order, World
from campaign.selectors.orders.orders import PaperRow
from campaign.selectors.orders.overview import OverviewRow, overview_rows
from campaign.selectors.orders.preview import march_lay_out
from campaign.selectors.seats import SeatRow
from campaign.selectors.turns.deadlines import MISSED, sides_heard_in
from campaign.services.orders.day_orders import acts_of
from campaign.text.place_names import join_names
from campaign.web.campaign_page import CampaignPage
from campaign.web.orders.itinerary import Itinerary, build_itinerary

Author = OrderPaper.Author
#: States of a formation that need nobody's eye; their rows are folded.
QUIET = ("garrison",)
IDLE = ("idle", "draft")


@dataclass(frozen=True, slots=True)
class DeskRow:
    """A formation on the desk: its order, by whom and when it came in, and whether the morning takes it.

    `refusal` is what the rules will say of the order, None when they take it; `march` the way laid out.
    """

    overview: OverviewRow
    by: str
    at: datetime | None
    refusal: RuleViolation | None = None
    march: Itinerary | None = None

    @property
    def id(self) -> str:
        return self.overview.orders.seen.id

    @property
    def state(self) -> str:
        return self.overview.state

    @property
    def acts(self) -> list[tuple[str, str, str]]:
        """List the umpire's corrections to an order: correction, first values of its form, and label."""
        one, key = self.overview.orders, quote(self.id)
        formation = f"formation={key}"
        found = [("order", formation, "Another march")]
        if one.order is not None:
            found.append(("command", formation, "Halt"))
        if one.paper is not None and one.paper.side:
            found.append(("strike", f"subject={one.paper.kind}/{one.paper.side}/{key}", "Strike the paper"))
        return [
            *found,
            ("place", formation, "Put elsewhere"),
            ("split", formation, "Split"),
            ("rename", f"id=formation/{key}", "Rename"),
        ]

    @property
    def word(self) -> str:
        return self.overview.word


@dataclass(frozen=True, slots=True)
class SideOrders:
    """A side's half of the table.

    `state` is how it stands with its papers, `told` the same in words: heard, awaited, missed, or staff when
    nobody commands.
    """

    id: str
    name: str
    tint: str
    commander: str
    state: str
    told: str
    rows: tuple[DeskRow, ...]
    idle: tuple[DeskRow, ...]
    garrisons: tuple[DeskRow, ...]
    papers: tuple[PaperRow, ...]
    late: tuple[PaperRow, ...]

    @property
    def refusal_count(self) -> int:
        return sum(row.refusal is not None for row in self.rows)

    @property
    def idle_names(self) -> str:
        return join_names(row.overview.orders.seen.name for row in self.idle)

    @property
    def formations_text(self) -> str:
        """For how many of its formations there are orders, new or from earlier days; garrisons aside."""
        many = len(self.rows) + len(self.idle)
        ordered = sum(row.overview.orders.order is not None for row in self.rows)
        return f"{ordered} of {many} formation{'s' * (many != 1)}"


def side_orders(desk: CampaignPage, seats: Iterable[SeatRow]) -> list[SideOrders]:
    """Both sides' orders for the coming morning, in the theatre's order."""
    rows = desk_rows(desk)
    commanders = {row.seat.side: row for row in seats if row.seat.role == Seat.Role.COMMANDER}
    content = [side for side, row in commanders.items() if row.seat.nothing_new == desk.world.day]
    heard = sides_heard_in(desk.campaign, desk.world, content)
    found = []
    for side in desk.world.theatre.sides:
        mine = [row for row in rows if row.overview.orders.seen.side == side.id]
        mine.sort(key=lambda row: row.refusal is None)  # what is to be seen to comes first
        state, told = _describe_side_orders(desk, commanders.get(side.id), side.id in heard, mine)
        found.append(
            SideOrders(
                id=side.id,
                name=side.name,
                tint=desk.names.tint(side.id),
                commander=_describe_commander(commanders.get(side.id)),
                state=state,
                told=told,
                rows=tuple(row for row in mine if row.state not in (*QUIET, *IDLE)),
                idle=tuple(row for row in mine if row.state in IDLE),
                garrisons=tuple(row for row in mine if row.state in QUIET),
                papers=tuple(row for row in desk.papers.organisation if row.paper.side == side.id),
                late=tuple(row for row in desk.papers.queued if row.paper.side == side.id),
            )
        )
    return found


def desk_rows(desk: CampaignPage) -> list[DeskRow]:
    """Every formation on the map with its order, verified as the day will verify it."""
    acts: dict[str, list[Organisation]] = {}
    for paper in desk.papers.organisation:
        acts.setdefault(paper.paper.side, []).extend(acts_of(paper.paper))
    return [
        _build_desk_row(desk, each, acts.get(each.orders.seen.side, []))
        for each in overview_rows(desk.orders, desk.papers, desk.ahead)
    ]


def order_refusal(world: World, order: Order, acts: Iterable[Organisation]) -> RuleViolation | None:
    """Say why the coming morning would not accept an order beside the side's other orders; None if it
    would.
    """
    try:
        verify_order(world, order)
        verify_order_agrees(world, order, acts)
    except RuleViolation as violation:
        return violation
    return None


def _build_desk_row(desk: CampaignPage, each: OverviewRow, acts: list[Organisation]) -> DeskRow:
    order, paper = each.orders.order, each.orders.paper
    by = _describe_author(each)
    at = paper.submitted_at if paper is not None else None
    if order is None or desk.world.ended or each.state == "locked":
        return DeskRow(each, by, at)
    refusal = order_refusal(desk.world, order, acts)
    if refusal is not None or not order.via:
        return DeskRow(each, by, at, refusal)
    march = build_itinerary(march_lay_out(desk.world, order), desk.world, desk.names)
    return DeskRow(each, by, at, None, march)


def _describe_author(each: OverviewRow) -> str:
    paper = each.orders.paper
    if paper is None:
        return "carried on" if each.orders.order is not None else ""
    who = PaperRow(paper, "", "", (), False).by
    if paper.author == Author.UMPIRE:
        return who if who == "the umpire" else f"{who}, umpire"
    return who


def _describe_commander(row: SeatRow | None) -> str:
    if row is None or row.seat.user is None:
        return "Nobody commands"
    return f"{row.name} commands" + (f", {row.away}" if row.away else "")


def _new_papers(desk: CampaignPage, orders: Sequence[DeskRow]) -> bool:
    """True if a side's own people have submitted an order for the coming morning among its formations'
    orders.
    """
    sides = {each.overview.orders.seen.side for each in orders}
    papers = [*(each.overview.orders.paper for each in orders)]
    papers += [row.paper for row in desk.papers.organisation if row.paper.side in sides]
    return any(paper is not None and paper.author == Author.COMMANDER for paper in papers)


def _describe_side_orders(
    desk: CampaignPage, row: SeatRow | None, heard: bool, orders: Sequence[DeskRow]
) -> tuple[str, str]:
    """Describe the state of a side's orders: a key and a sentence; `orders` are those of its formations."""
    campaign = desk.campaign
    if heard and not _new_papers(desk, orders):
        going = sum(each.by == "carried on" for each in orders)
        if not going:
            return "heard", "No new orders: the commander has said so, or withdrawn them."
        columns = "1 column marches" if going == 1 else f"{going} columns march"
        return "heard", f"No new orders; {columns} on by earlier orders."
    if heard:
        return "heard", "Papers have come in."
    if row is None or row.seat.user is None:
        return "staff", "Nothing has come in; the staff writes its orders when the day is played (HR-BOT-01)."
    if campaign.overdue:
        missed = MISSED[Campaign.MissedOrders(campaign.missed_orders)]
        return "missed", f"Nothing came in by the deadline: {missed} (HR-DUE-02)."
    return "awaited", "Nothing has come in yet."
