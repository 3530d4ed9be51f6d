"""Overview of a side's orders: one row for each formation, with or without an order."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.models import OrderPaper
from campaign.selectors.orders.orders import FormationOrders, PaperRow, SidePapers
from campaign.selectors.turns.provisional_days import ProvisionalPlay

#: The states a formation may be in, the most pressing first, as they are called.
STATES = {
    "idle": "Without orders",
    "draft": "Only a draft",
    "ordered": "New orders",
    "queued": "Late, for the next day",
    "standing": "Still under orders",
    "locked": "Waiting for a battle",
    "garrison": "Garrisons",
}


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """A formation, how it stands, and the papers it stands so by."""

    orders: FormationOrders
    state: str
    draft: PaperRow | None = None
    queued: PaperRow | None = None

    @property
    def word(self) -> str:
        return "Garrison" if self.state == "garrison" else STATES[self.state]

    @property
    def paper(self) -> OrderPaper | None:
        """The paper submitted for it, if there is one."""
        return self.queued.paper if self.queued else self.orders.paper

    @property
    def by(self) -> str:
        """Name of the person who submitted the formation's order, or wrote its draft."""
        paper = self.paper or (self.draft.paper if self.draft else None)
        return PaperRow(paper, "", "", (), False).by if paper else ""


def overview_rows(
    orders: Iterable[FormationOrders], papers: SidePapers, ahead: ProvisionalPlay
) -> list[OverviewRow]:
    """All formations of the viewer's, by what presses most, then by name."""
    drafts = {
        row.paper.formation: row
        for row in papers.drafts
        if row.paper.kind == OrderPaper.Kind.ACTIVITY and not row.is_lapsed
    }
    queued = {row.paper.formation: row for row in papers.queued if row.paper.kind == OrderPaper.Kind.ACTIVITY}
    locked = set(ahead.waiting_formations)
    rows = [
        _build_overview_row(each, drafts.get(each.seen.id), queued.get(each.seen.id), locked)
        for each in orders
    ]
    rank = list(STATES)
    return sorted(rows, key=lambda row: (rank.index(row.state), row.orders.seen.side, row.orders.seen.name))


def _build_overview_row(
    orders: FormationOrders, draft: PaperRow | None, queued: PaperRow | None, locked: set[str]
) -> OverviewRow:
    if orders.seen.id in locked:
        state = "locked"
    elif queued is not None:
        state = "queued"
    elif orders.paper is not None:
        state = "ordered"
    elif draft is not None:
        state = "draft"
    elif orders.order is not None:
        state = "standing"
    else:
        state = "garrison" if orders.seen.garrison else "idle"
    return OverviewRow(orders, state, draft, queued)
