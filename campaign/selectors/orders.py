"""What the viewer's formations have been told, cut to the viewer."""

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.models import OrderPaper
from campaign.narration import Names, order_text, position_text
from campaign.rules.world import Order, World
from campaign.rules.world_json import order_from_json
from campaign.visibility import MapView, SeenFormation, Viewer, orders_for


@dataclass(frozen=True, slots=True)
class FormationOrders:
    """One own formation and the order it is under; `paper` is today's, if one was given."""

    seen: SeenFormation
    tint: str
    where: str
    text: str
    order: Order | None
    paper: OrderPaper | None

    @property
    def idle(self) -> bool:
        """Neither a new order nor an older one still being carried out."""
        return self.order is None


def formation_orders(viewer: Viewer, world: World, view: MapView, names: Names) -> list[FormationOrders]:
    """Own formations with their orders, by name; garrisons last."""
    papers = {
        paper.formation: paper
        for paper in orders_for(viewer).filter(day=world.day, state=OrderPaper.State.STANDING)
    }
    rows = []
    for seen in sorted(view.own, key=lambda seen: (seen.garrison, seen.side, seen.name)):
        paper = papers.get(seen.id)
        standing = seen.formation.order if seen.formation else None
        order = order_from_json(paper.body) if paper else standing
        rows.append(
            FormationOrders(
                seen=seen,
                tint=names.tint(seen.side),
                where=position_text(seen.position, names),
                text=order_text(order, names) if order else "stands where it is",
                order=order,
                paper=paper,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class OrdersReceived:
    """How a side stands with its orders: new ones for the day, formations still marching by earlier
    ones, and formations that could have one."""

    side: str
    given: int
    marching: int
    able: int


def orders_received(rows: Iterable[FormationOrders], names: Names) -> list[OrdersReceived]:
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
