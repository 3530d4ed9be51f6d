"""One day of a campaign: weather, arrivals, orders, marches in continuous time, battles, night.

`advance_day` is pure. Nothing ticks: the clock goes from one thing that falls due to the next (an
arrival, a meeting, a battle's end), and at one minute battles end first, then columns arrive, then
enemies who find each other at a place meet, then the free march on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from campaign.rules.army.organisation import Organisation, organise_formations
from campaign.rules.contact.aftermath import close_battle, contact_of
from campaign.rules.contact.contact import Contact, Settlement
from campaign.rules.contact.engagement import Encounter, at_hand, join_battle
from campaign.rules.contact.siege import sieges_evening
from campaign.rules.contact.surrender_talks import terms_evening
from campaign.rules.contact.warriors import warriors_evening
from campaign.rules.day.arrivals import play_morning
from campaign.rules.day.dawn import resolve_dawn
from campaign.rules.day.field import (
    ARRIVAL,
    BATTLE_ENDS,
    MARCH_ENDS,
    MEETING,
    MIDNIGHT,
    PACE_CHANGES,
    SETS_OFF,
    DayState,
    ScheduledMoment,
    count_strength,
)
from campaign.rules.day.night import march_losses, next_morning, recover_units
from campaign.rules.day.weather import conditions_on
from campaign.rules.dispatches.couriers import NOWHERE, Elsewhere, orders_by_courier
from campaign.rules.dispatches.organisation_dispatches import acts_by_courier
from campaign.rules.errors import RuleViolation
from campaign.rules.march.boats import land_boats
from campaign.rules.march.columns import Column, Exact, draw_apart, restart_motion
from campaign.rules.march.marching import day_minutes, formation_mobility, passes_with_weather
from campaign.rules.march.setting_off import aim_anew, enemy_here, is_free_to_march, set_off, take_boats
from campaign.rules.orders.labour import evening_work, find_remaining_order
from campaign.rules.orders.orders import checked_march, order_of_the_day
from campaign.rules.orders.tasks import SEEKING, next_part
from campaign.rules.scouting.intelligence import Intelligence, hours_of_watch, look_out
from campaign.rules.supply.supply import hungry_minutes
from campaign.rules.world.outcome import Completed, Pending
from campaign.rules.world.place_control import claim_place
from campaign.rules.world.world import Formation, Order, Unit, World, present_units
from rosters.domain.dice import DiceRoller

__all__ = ["Contact", "Settlement", "advance_day"]


def advance_day(
    world: World,
    orders: Mapping[str, Order],
    dice: DiceRoller,
    outcomes: Mapping[str, Settlement],
    organisation: Iterable[Organisation] = (),
    settle: Callable[[Contact], Settlement] | None = None,
    others: Elsewhere = NOWHERE,
) -> Completed | Pending:
    """Play the day of `world` with new orders, by formation id, laid over the standing ones.

    `organisation` is carried out at dawn, before anybody marches and after who comes and goes (HR-ORG-07).

    Gives the next morning and the day's events; or, when the battle whose window closes first has
    no settlement in `outcomes` (by contact key), that contact: settle it and play the day again
    from the same morning. With `settle` each is settled as its window closes, and none waited for.
    `others` is what couriers must know of other parts of the theatre (HR-COU-01, HR-COU-03).
    Raises RuleViolation for an ended campaign (HR-CAL-02) and for a settlement that does not fit its
    contact (HR-CON-11).
    """
    if world.ended:
        raise RuleViolation("HR-CAL-02", "The campaign has ended; no more days are played.")
    conditions, weather, wind = conditions_on(world, dice)
    today, events = play_morning(world, dice, conditions.weather)
    today, organisation, letters = acts_by_courier(today, organisation, dice, others)
    today, organised = organise_formations(today, organisation)
    today, orders, sent = orders_by_courier(today, orders, dice, others)
    field = DayState(today, dice, conditions)
    known = Intelligence(today, dice, others)
    field.log(
        "weather",
        0,
        "HR-WEA-01",
        field.both,
        rolls=(*weather.rolls, wind),
        data={
            "weather": weather.weather,
            "recorded": weather.recorded,
            "foul_wind": conditions.foul_wind,
            "wet_days": conditions.wet_days,
        },
    )
    field.events += [*events, *letters, *organised, *sent]
    _place_formations(field, orders)
    start = field.settings.march_starts
    contested = resolve_dawn(field, start)
    for key in sorted(field.columns):
        if field.columns[key].path and field.columns[key].battle is None:
            field.march(field.columns[key], start)
            if field.columns[key].sets_off > start:
                field.sets_off(field.columns[key])
    for place in contested:
        claim_place(field, place, start)
    hours = hours_of_watch(field)
    while field.clock:
        while hours and hours[0] <= field.clock[0].time:
            hour = hours[0]
            look_out(field, known, hours, hour)
            aim_anew(field, known, hour)
        waiting = _play_minute(field, outcomes, settle)
        if waiting is not None:
            return Pending((waiting,), tuple(field.settled_contacts))
    look_out(field, known, hours, MIDNIGHT)
    march_losses(field)
    recover_units(field)
    evening_work(field)
    sieges_evening(field)
    terms_evening(field)
    warriors_evening(field)
    return next_morning(field, known)


# --- morning ---


def _place_formations(field: DayState, orders: Mapping[str, Order]) -> None:
    """Put the formations on the map with their orders; refuse what has become impossible."""
    world = field.world
    present = present_units(world)
    for key in sorted(world.formations):
        formation = world.formations[key]
        if formation.position is None or key not in present:
            continue
        column = _build_column(field, formation, present[key])
        field.add(column)
        if key in orders:
            column.formation = replace(formation, waited=0)
        order = order_of_the_day(world, column.formation, orders.get(key, formation.order))
        if order is not None:
            order = next_part(world, column.formation, order)
        if order is not None:
            _give_order(field, column, order, present)
    for key in sorted(set(orders) - set(field.columns)):
        _log_refusal(field, RuleViolation("HR-FOR-04", f"{key} is not on the map."), key)


def _build_column(field: DayState, formation: Formation, units: Sequence[Unit]) -> Column:
    settings, position = field.settings, formation.position
    assert position is not None
    column = Column(
        formation,
        tuple(unit.id for unit in units),
        formation_mobility(units),
        count_strength(units),
        "give_battle",
        place=position.place,
        left=hungry_minutes(day_minutes("normal", settings), formation, settings),
        since=settings.march_starts,
    )
    if position.route:
        route = field.atlas.routes[position.route]
        column.route, column.came_from = route, position.origin
        column.at = position.yards if position.origin == route.a else route.yards - position.yards
    return column


def _give_order(field: DayState, column: Column, order: Order, present: Mapping[str, Sequence[Unit]]) -> None:
    try:
        plan = checked_march(field.world, order, None, present, field.conditions)
        if order.by_water and plan.legs and field.settings.boats == "counted":
            take_boats(field, column, plan)
    except RuleViolation as violation:
        if not passes_with_weather(violation):
            _log_refusal(field, violation, column.id)
            return
        field.log(
            "march_held_up",
            0,
            violation.rule_id,
            (column.side,),
            formation=column.id,
            data={"reason": violation.message},
        )
        column.order, column.stance, column.via = order, order.stance, order.via
        return
    column.order, column.stance = order, order.stance
    column.path = [(leg.route, leg.origin) for leg in plan.legs]
    column.via = order.via
    column.sets_off = field.settings.march_starts + order.starts
    if order.activity in SEEKING and not column.path and not enemy_here(field, column):
        field.log("no_trace", 0, "HR-ORD-03", (column.side,), formation=column.id, place=column.place)
    column.light = order.light_order
    column.left = hungry_minutes(day_minutes(order.pace, field.settings), column.formation, field.settings)
    if order.activity == "rest":
        return
    _pass_stop(column, column.place)
    if order.via and not column.via:
        _finish_march(column)


def _log_refusal(field: DayState, violation: RuleViolation, formation: str) -> None:
    known = field.world.formations.get(formation)
    field.log(
        "order_refused",
        0,
        violation.rule_id,
        (known.side,) if known is not None else (),
        formation=formation if known is not None else "",
        data={"reason": violation.message, "formation": formation},
    )


def _pass_stop(column: Column, place: str) -> None:
    while column.via and column.via[0] == place:
        column.via = column.via[1:]


def _finish_march(column: Column) -> None:
    """Halt a formation at the end of its march; an unusual stance stays."""
    column.path = []
    column.order = find_remaining_order(column.order) if column.order is not None else None


# --- the clock ---


def _play_minute(
    field: DayState, outcomes: Mapping[str, Settlement], settle: Callable[[Contact], Settlement] | None
) -> Contact | None:
    """Play all that falls due at the earliest minute; gives the contact the day must wait for."""
    batch = field.next_minute()
    if not batch:
        return None
    now = batch[0].time
    touched: set[str] = set()
    free: list[Column] = []
    arrived: list[Column] = []
    for due in batch:
        if due.kind == BATTLE_ENDS:
            battle = field.battles[due.subject]
            settlement = outcomes.get(battle.key)
            if settlement is None and settle is not None:
                settlement = settle(contact_of(field, battle))
            if settlement is None:
                return contact_of(field, battle)
            free += close_battle(field, battle, settlement)
            touched.add(battle.place)
    for due in batch:
        if due.kind == ARRIVAL and field.holds(due):
            column = field.columns[due.subject]
            _enter_place(field, column, now)
            touched.add(column.place)
            arrived.append(column)
    for place in sorted(touched - {""}):
        _resolve_place(field, place, now, [each for each in arrived if each.place == place])
    for column in sorted(free + arrived, key=lambda each: each.id):
        if column.id in field.columns and is_free_to_march(column):
            field.march(column, now)
    for due in batch:  # who is met in the last minute of his march has been met
        if due.kind == SETS_OFF:
            set_off(field, due.subject, now)
        elif due.kind == MEETING and field.holds(due):
            _meet_on_route(field, due, now)
        elif due.kind == MARCH_ENDS and field.holds(due):
            _halt_on_route(field, field.columns[due.subject], now)
        elif due.kind == PACE_CHANGES and field.holds(due):
            column = field.columns[due.subject]
            field.stand(column, now)
            if column.left > 0:
                field.march(column, now)
            else:
                _halt_on_route(field, column, now)
    return None


def _enter_place(field: DayState, column: Column, now: Exact) -> None:
    """A column comes to the place at the end of its route."""
    route_id, origin = column.path.pop(0)
    field.clear(column, column.yard(now), now)
    field.count_march(column, now)
    place = field.atlas.routes[route_id].other(origin)
    field.put_at_place(column, place, route_id, origin)
    column.since = now
    _pass_stop(column, place)
    field.log(
        "arrives" if not column.path else "passes",
        now,
        "HR-MAR-09",
        (column.side,),
        formation=column.id,
        place=place,
        route=route_id,
        data={"marched": column.marched},
    )
    if not column.path:
        land_boats(field.boats, column.id, place)
    if not column.path and not column.helping and column.order is not None and column.order.via:
        _finish_march(column)


def _halt_on_route(field: DayState, column: Column, now: Exact) -> None:
    """The day's march is over, part-way along a route."""
    field.stand(column, now)
    column.left = 0
    assert column.route is not None
    field.log(
        "halts",
        now,
        "HR-MAR-09",
        (column.side,),
        formation=column.id,
        route=column.route.id,
        data={"marched": column.marched, "towards": column.route.other(column.came_from)},
    )


def _resolve_place(field: DayState, place: str, now: Exact, movers: Sequence[Column]) -> None:
    """Columns have come to a place: they join its battle, meet the enemy, or take it."""
    columns = field.at(place)
    battle = next((each.battle for each in columns if each.battle is not None), None)
    if battle is not None:
        for column in columns:
            if column.battle is None:
                join_battle(field, battle, column, now)
        return
    if movers and len({column.side for column in columns}) > 1:
        Encounter(field, now, columns, movers).resolve()
    claim_place(field, place, now)


def _meet_on_route(field: DayState, due: ScheduledMoment, now: Exact) -> None:
    """Two columns come together on a route: they join a battle there, or an encounter begins."""
    one, other = field.columns[due.subject], field.columns[due.other]
    assert one.route is not None
    yard = one.yard(now)
    level: list[Column] = []
    if one.side != other.side:
        level = [each for each in field.along(one.route.id) if each.yard(now) == yard]
        draw_apart(one, other, now)
        for column in level:  # who marches level with them stops with them
            restart_motion(column, (one if column.side == one.side else other).yard(now), now)
    battle = one.battle or other.battle
    if battle is not None:
        for column in (one, other):
            if column.battle is None:
                join_battle(field, battle, column, now)
        return
    movers = [column for column in (one, other) if column.speed]
    near = [each for each in at_hand(field, one.route.id, yard, now) if each.battle is None]
    Encounter(field, now, near, movers, yard).resolve()
    for column in sorted(level, key=lambda each: each.id):
        if column.id in field.columns and column.speed:  # its way is free again, from where it now is
            field.count_march(column, now)
            field.march(column, now)
