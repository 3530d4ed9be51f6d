"""What an order from an earlier day costs on the coming one for want of rest (HR-MAR-05)."""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.marching import rest_is_due
from campaign.rules.world import World
from campaign.selectors.orders import FormationOrders
from campaign.services.previews import order_preview
from rosters.domain.strength import POINTS_PER_SP


def with_tired(rows: Iterable[FormationOrders], world: World, campaign: Campaign) -> list[FormationOrders]:
    """Orders, those still running from an earlier day with a warning when the day costs men."""
    return [replace(row, tired=_tired(row, world, campaign)) for row in rows]


def _tired(row: FormationOrders, world: World, campaign: Campaign) -> str:
    order, formation = row.order, row.seen.formation
    if row.paper or order is None or formation is None or order.activity == "rest" or not order.via:
        return ""
    if not rest_is_due(formation.marched, world.settings):
        return ""
    try:
        preview = order_preview(campaign=campaign, side=row.seen.side, order=order, world=world)
    except RuleViolation:
        return ""  # the day will say why
    day = preview.days[0] if preview.days else None
    if day is None or not day.unrested or not day.points:
        return ""
    loss = f"{about_points(day.points)}, {about_points(day.points_adverse)} in bad weather"
    return f"Day {day.unrested} of marching without rest: {loss}"


def about_points(points: Fraction) -> str:
    """Campaign points a march may cost, in words, and how many strength points they are (AWI-C-OVR-01)."""
    if points < 1:
        return "hardly any points"
    strength = f"{float(points / POINTS_PER_SP):.1f}".removesuffix(".0")
    return f"about {round(points)} {'point' if round(points) == 1 else 'points'} ({strength} SP)"
