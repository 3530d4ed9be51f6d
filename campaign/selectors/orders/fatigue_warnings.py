"""Warnings of fatigue: the strength a march costs, and why: forced days, and days without rest (HR-
MAR-05).
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from campaign.models import Campaign
from campaign.rules.errors import RuleViolation
from campaign.rules.march.marching import rest_is_due
from campaign.rules.world.world import World
from campaign.selectors.orders.orders import FormationOrders
from campaign.selectors.orders.preview import PreviewDay, order_preview
from rosters.domain.strength import POINTS_PER_SP


def add_fatigue_warnings(
    rows: Iterable[FormationOrders], world: World, campaign: Campaign
) -> list[FormationOrders]:
    """Orders, those still running from an earlier day with a warning when the day costs men."""
    return [replace(row, tired=_describe_fatigue(row, world, campaign)) for row in rows]


def _describe_fatigue(row: FormationOrders, world: World, campaign: Campaign) -> str:
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
    return f"Day {day.unrested} of marching without rest: {loss_words(day.points, day.points_adverse)}"


def loss_reason(day: PreviewDay) -> str:
    """Explain why a day's march costs strength, how much, and what avoids it; "" when it costs none.

    A day that is not rolled for is silent; of a forced one without points, as a train's, only that it is.
    """
    if not day.rule or (day.unrested and not day.points):
        return ""
    loss = f"expect to lose {loss_words(day.points, day.points_adverse)}"
    if day.unrested:
        return (
            f"Day {day.unrested} of marching without rest: each unit rolls as for a forced march, so {loss}. "
            "A day of rest avoids it."
        )
    forced = f"Forced, {day.percent_over} % over a normal day"
    return f"{forced}: {loss}." if day.points else f"{forced}."


def loss_words(fair: Fraction, adverse: Fraction) -> str:
    """Describe the expected loss of a march, in fair weather and in bad (AWI-C-OVR-01)."""
    return f"{_strength_words(fair)}, in bad weather {_strength_words(adverse)}"


def _strength_words(points: Fraction) -> str:
    """Campaign points as strength points first: "about 0.6 SP (12 points)"."""
    if points < 1:
        return "under 0.1 SP"
    strength = f"{float(points / POINTS_PER_SP):.1f}".removesuffix(".0")
    return f"about {strength} SP ({round(points)} {'point' if round(points) == 1 else 'points'})"
