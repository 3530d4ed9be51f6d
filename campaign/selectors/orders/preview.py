"""Preview of an order: route, arrivals, and the cost of forced marching."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from campaign.ledger.world_rows import world_load
from campaign.models import Campaign
from campaign.rules.contact.casualties import counts_as_militia, forced_march_rule
from campaign.rules.dispatches.couriers import days_behind, list_headquarters
from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import WATER_KINDS
from campaign.rules.map.paths import MarchPlan
from campaign.rules.march.itinerary import DayMarch, build_schedule
from campaign.rules.march.marching import forced_march_risk, formation_mobility
from campaign.rules.orders.orders import list_formation_units, plan_march, verify_order
from campaign.rules.scouting.knowledge import build_reported_world
from campaign.rules.world.world import Order, Position, Unit, World


@dataclass(frozen=True, slots=True)
class PreviewLeg:
    """A stretch of one route, and the campaign day (0 is the first) and minute of its end."""

    route: str
    origin: str
    destination: str
    yards: int
    day: int
    minute: int


@dataclass(frozen=True, slots=True)
class ForcedMarchChance:
    """The chance that each unit of a kind loses points on a forced march, in fair and in bad weather."""

    militia: bool
    fair: Fraction
    adverse: Fraction


@dataclass(frozen=True, slots=True)
class PreviewDay:
    """One campaign day of the march and where it ends.

    `percent_over` is what it counts above a normal day; `points` the campaign points the whole
    formation may expect to lose by it in fair weather and `points_adverse` in bad, under `rule`
    ("" within a normal day). `unrested` is which day of marching without rest it is, when the day is
    no longer than a normal one and counts as forced for want of rest alone (HR-MAR-05), else 0.
    `rests` marks a day of rest before the march, which costs nothing.
    `chances` are those of its units to lose anything, exact, by kind.
    """

    day: int
    end: Position
    percent_over: int
    rule: str
    points: Fraction
    points_adverse: Fraction
    unrested: int = 0
    rests: bool = False
    chances: tuple[ForcedMarchChance, ...] = ()


#: Whether boats are a choice on a march: there is one, or only water or only land between, or the fastest way
#: of all is by water.
BoatChoice = Literal["open", "water", "land", "fastest"]


@dataclass(frozen=True, slots=True)
class OrderPreview:
    """A march laid out in fair weather; without legs and days the formation stands.

    The order counts `courier_days` later than its days say (HR-COU-02).
    """

    order: Order
    start: Position
    legs: tuple[PreviewLeg, ...] = ()
    days: tuple[PreviewDay, ...] = ()
    courier_days: int = 0


def order_preview(*, campaign: Campaign, side: str, order: Order, world: World | None = None) -> OrderPreview:
    """Preview `order` in fair weather without meeting an enemy (HR-MAR-09). Writes nothing.

    Raises RuleViolation as `order_submit` does for an order the rules do not allow.
    """
    world = build_reported_world(world_load(campaign) if world is None else world, side)
    verify_order(world, order, side=side)
    return replace(march_lay_out(world, order), courier_days=count_courier_days(world, order.formation))


def count_courier_days(world: World, formation: str) -> int:
    """Days a courier rides to where a formation was last reported; 0 near headquarters (HR-COU-02)."""
    one = world.formations.get(formation)
    if one is None or not world.settings.couriers:
        return 0
    known = build_reported_world(world, one.side)
    start, end = list_headquarters(known).get(one.side), known.formations[formation].position
    if start is None or end is None:
        return 0
    return days_behind(known.theatre.atlas, known.settings, start, end)


def march_lay_out(world: World, order: Order) -> OrderPreview:
    """The preview of an order that has been verified in this world."""
    formation = world.formations[order.formation]
    assert formation.position is not None  # verify_order refuses a formation that is not on the map
    if not order.via:
        return OrderPreview(order, formation.position)
    units = list_formation_units(world, formation.id)
    rest = order.activity == "rest"
    plan = plan_march(world, formation, order, units)
    days = build_schedule(
        world.theatre.atlas,
        plan,
        order.pace,
        formation_mobility(units),
        world.settings,
        light_order=order.light_order,
        light_days=formation.light_days,
        marched=formation.marched,
        starts=order.starts,
        rest=rest,
    )
    halt = PreviewDay(world.day, formation.position, 0, "", Fraction(0), Fraction(0), rests=True)
    return OrderPreview(
        order,
        formation.position,
        legs=tuple(
            PreviewLeg(
                leg.route, leg.origin, leg.destination, leg.yards, world.day + arrival.day, arrival.minute
            )
            for leg, arrival in zip(plan.legs, days.arrivals, strict=True)
        ),
        days=(*[halt] * rest, *(_build_preview_day(world, day, units) for day in days.days)),
    )


def boat_choice(world: World, side: str, order: Order) -> BoatChoice:
    """Choice between boat and land for a side's march (HR-BOA-02): "open", or the only way there is."""
    world = build_reported_world(world, side)
    plan = _plan_or_none(world, order)
    if not order.via or plan is None:
        return "open"
    afloat = {world.theatre.atlas.routes[leg.route].kind in WATER_KINDS for leg in plan.legs}
    counted = replace(world, settings=replace(world.settings, boats="counted"))
    by_land = _plan_or_none(counted, replace(order, by_water=False))
    by_boat = plan if order.by_water else _plan_or_none(world, replace(order, by_water=True))
    if by_boat is None:
        return "open" if True in afloat else "land"
    if by_land is None:
        return "water" if afloat == {True} else "open"
    chosen_freely = plan if not order.by_water else _plan_or_none(world, replace(order, by_water=False))
    return "fastest" if chosen_freely is not None and chosen_freely.legs == by_boat.legs else "open"


def _plan_or_none(world: World, order: Order) -> MarchPlan | None:
    """The march of an order, None where there is no such way."""
    try:
        return plan_march(
            world, world.formations[order.formation], order, list_formation_units(world, order.formation)
        )
    except RuleViolation:
        return None


def _build_preview_day(world: World, day: DayMarch, units: list[Unit]) -> PreviewDay:
    for_want_of_rest = day.percent_over > 0 and day.minutes <= world.settings.march_minutes
    return PreviewDay(
        day=world.day + day.day,
        end=day.end,
        percent_over=day.percent_over,
        rule=forced_march_rule(day.percent_over),
        points=_compute_expected_loss(units, day.percent_over, adverse=False),
        points_adverse=_compute_expected_loss(units, day.percent_over, adverse=True),
        unrested=day.marching if for_want_of_rest else 0,
        chances=_list_chances(units, day.percent_over),
    )


def _list_chances(units: list[Unit], percent: int) -> tuple[ForcedMarchChance, ...]:
    kinds = sorted({counts_as_militia(unit) for unit in units if unit.points}) if percent else []
    return tuple(
        ForcedMarchChance(
            militia, *(forced_march_risk(percent, militia, adverse)[0] for adverse in (False, True))
        )
        for militia in kinds
    )


def _compute_expected_loss(units: list[Unit], percent: int, *, adverse: bool) -> Fraction:
    """Compute the points the units are expected to lose together (AWI-C-MAR-01 to 03)."""
    kinds = Counter(counts_as_militia(unit) for unit in units if unit.points) if percent else Counter()
    losses = (count * forced_march_risk(percent, militia, adverse)[1] for militia, count in kinds.items())
    return sum(losses, Fraction(0))
