"""Work of halted formations, done in the evening by the strength there (HR-WRK, HR-BRG, HR-OBS, HR-BOA)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from battles.grammar import Subject
from campaign.rules.day.field import MIDNIGHT, DayState
from campaign.rules.errors import RuleViolation
from campaign.rules.map.bridges import is_known_to, list_known_broken_routes
from campaign.rules.map.roads import (
    lay_bridge,
    obstruct_road,
    rafts_in_rain,
    update_known_ways,
    verify_lay,
    verify_obstruct,
)
from campaign.rules.march.columns import Column
from campaign.rules.world.markers import Boats, Bridge, Raft, Works
from campaign.rules.world.world import Activity, Formation, Order, Unit, World

#: Activities that are work done at a place.
WORK: frozenset[Activity] = frozenset(
    {"entrench", "dismantle", "break_bridge", "repair_bridge", "gather_boats", "lay_bridge", "obstruct"}
)
#: Men of so many points: a strength point is 20 points and 50 men (AWI-C-STR-02, AWI-T-SCA-04).
POINTS, MEN = 2, 5
#: Places in boats that a train takes (HR-BOA-02).
TRAIN_PLACES = 50


def men_of(units: Iterable[Unit]) -> int:
    """Men in units at their points; drivers of trains do not dig or row."""
    return sum(unit.points for unit in units if not unit.is_train) * MEN // POINTS


def lift_of(units: Iterable[Unit]) -> int:
    """Men's places units take in boats: their men, and for each train as many as for a strength point."""
    units = list(units)
    return men_of(units) + sum(TRAIN_PLACES for unit in units if unit.is_train)


def verify_work(world: World, formation: Formation, order: Order, units: Sequence[Unit]) -> None:
    """Refuses work that cannot be done where the formation stands, as its side knows things."""
    position = formation.position
    if position is None or not position.place:
        raise RuleViolation(
            "HR-WRK-03",
            f"{Subject(formation.name):is} on the march; halt it at a place to work there.",
            "activity",
        )
    if not men_of(units):
        raise RuleViolation("HR-WRK-03", f"{Subject(formation.name):has} no men for such work.", "activity")
    _CHECKS[order.activity](world, formation.side, position.place, order.target)


def _verify_entrench(world: World, side: str, place: str, target: str) -> None:
    works = world.works.get(place)
    if works is not None and works.side == side and works.sp >= world.settings.works_most:
        raise RuleViolation(
            "HR-WRK-01", f"The works there have {works.sp} SP; no more can be dug.", "activity"
        )


def _verify_dismantle(world: World, side: str, place: str, target: str) -> None:
    if place not in world.works:
        raise RuleViolation("HR-WRK-02", "There are no field works to take down there.", "activity")


def _bridge_at(world: World, side: str, place: str, target: str, rule: str) -> None:
    route = world.theatre.atlas.routes.get(target)
    if route is None or place not in (route.a, route.b):
        raise RuleViolation(rule, "Name a route that leaves the place where the formation stands.", "target")
    raft = world.rafts.get(target)
    rafts = raft is not None and not raft.left and is_known_to(raft, side)
    if route.crossing not in ("bridge", "ferry") and not rafts:
        raise RuleViolation(rule, "That route has neither bridge nor ferry; choose another.", "target")


def _verify_break(world: World, side: str, place: str, target: str) -> None:
    _bridge_at(world, side, place, target, "HR-BRG-01")
    if target in list_known_broken_routes(world, side):
        raise RuleViolation("HR-BRG-01", "That crossing is broken already.", "target")


def _verify_repair(world: World, side: str, place: str, target: str) -> None:
    _bridge_at(world, side, place, target, "HR-BRG-02")
    if target not in list_known_broken_routes(world, side):
        raise RuleViolation("HR-BRG-02", "That crossing stands; there is nothing to mend.", "target")


def _verify_gather(world: World, side: str, place: str, target: str) -> None:
    if world.settings.boats == "unlimited":
        raise RuleViolation(
            "HR-BOA-01", "In this campaign there are boats enough at every port; simply embark.", "activity"
        )
    if world.theatre.atlas.places[place].port == "none":
        raise RuleViolation("HR-BOA-01", "There is no water there; gather boats at a port.", "activity")
    boats = world.boats.get(place)
    if boats is not None and boats.side == side and boats.men >= world.settings.boats_most_men:
        raise RuleViolation(
            "HR-BOA-01", f"Boats for {boats.men} men lie there; there are no more to be had.", "activity"
        )


def can_work(world: World, side: str, place: str, activity: Activity, target: str) -> bool:
    """True if a side may have such work done at a place, as far as the place allows it."""
    try:
        _CHECKS[activity](world, side, place, target)
    except RuleViolation:
        return False
    return True


_CHECKS: dict[Activity, Callable[[World, str, str, str], None]] = {
    "entrench": _verify_entrench,
    "dismantle": _verify_dismantle,
    "break_bridge": _verify_break,
    "repair_bridge": _verify_repair,
    "gather_boats": _verify_gather,
    "lay_bridge": verify_lay,
    "obstruct": verify_obstruct,
}


# --- the evening ---


def evening_work(field: DayState) -> None:
    """Credit halted formations with their day's work, in order of id (HR-WRK-03)."""
    fought = {key for battle in field.battles.values() for key in battle.joined}
    for key in sorted(field.columns):
        column = field.columns[key]
        order = column.order
        if order is None or order.activity not in WORK or key in fought or not _at_work(field, column):
            continue
        if _WORKS[order.activity](field, column, men_of(field.units_of(column))):
            column.order = find_remaining_order(order)
    rafts_in_rain(field)
    update_known_ways(field)


def find_remaining_order(order: Order) -> Order | None:
    """The remaining order when its work is done: its further stages, or an unusual stance."""
    if order.stages:
        return replace(order, activity="march", target="", via=(), starts=0)
    return None if order.stance == "give_battle" else Order(order.formation, stance=order.stance)


def _at_work(field: DayState, column: Column) -> bool:
    if not column.place or column.marched or column.retreated or column.waits:
        return False
    return all(other.side == column.side for other in field.at(column.place))


def _entrench(field: DayState, column: Column, men: int) -> bool:
    """Dig 1 SP of works for each `works_men_days`, up to the most; enemy works are reversed."""
    settings = field.settings
    works = field.works.get(column.place, Works(column.side, 0))
    before = works.sp
    days = works.left + men
    while days >= settings.works_men_days and works.sp < settings.works_most:
        days -= settings.works_men_days
        works = replace(works, sp=works.sp + 1)
    full = works.sp >= settings.works_most
    field.works[column.place] = Works(column.side, works.sp, 0 if full else days)
    _log_work(field, column, "entrenched", "HR-WRK-01", men=men, sp=works.sp, gained=works.sp - before)
    return full


def _dismantle_works(field: DayState, column: Column, men: int) -> bool:
    """Taking works down is half the labour of digging them (HR-WRK-02)."""
    works = field.works.get(column.place)
    if works is None:
        return True
    unit = field.settings.works_men_days
    left = max(0, works.sp * unit + works.left - 2 * men)
    sp = left // unit
    if sp:
        field.works[column.place] = replace(works, sp=sp, left=left % unit)
    else:
        del field.works[column.place]
    _log_work(field, column, "works_dismantled", "HR-WRK-02", men=men, sp=sp, gained=sp - works.sp)
    return not sp


def _break_bridge(field: DayState, column: Column, men: int) -> bool:
    assert column.order is not None
    target = column.order.target
    if target in field.bridges:  # broken already, and its side did not know
        field.bridges[target] = replace(field.bridges[target], known_by="")
        return True
    field.bridges[target] = Bridge(field.world.day, known_by=column.side)
    _log_work(field, column, "bridge_broken", "HR-BRG-01", route=target)
    return True


def _repair_bridge(field: DayState, column: Column, men: int) -> bool:
    assert column.order is not None
    target = column.order.target
    bridge = field.bridges.get(target)
    if bridge is None:
        return True
    work = bridge.work + men
    whole = work >= field.settings.bridge_men_days
    if whole:
        del field.bridges[target]
        if field.world.theatre.atlas.routes[target].crossing == "bridge" or target in field.rafts:
            field.rafts[target] = Raft(field.world.day, known_by=column.side)  # HR-BRG-04
    else:
        field.bridges[target] = replace(bridge, work=work)
    _log_work(
        field, column, "bridge_repaired" if whole else "bridge_mended", "HR-BRG-02", route=target, men=men
    )
    return whole


def _gather_boats(field: DayState, column: Column, men: int) -> bool:
    """Boats for a share of the men at work come in each day, up to what a place has (HR-BOA-01)."""
    settings = field.settings
    lying = field.boats.get(column.place)
    have = lying.men if lying is not None else 0
    found = max(1, men * settings.boats_percent // 100)
    now = min(max(settings.boats_most_men, have), have + found)
    field.boats[column.place] = Boats(column.side, now)
    _log_work(field, column, "boats_gathered", "HR-BOA-01", men=now, gained=now - have)
    return now >= settings.boats_most_men


def _log_work(field: DayState, column: Column, kind: str, rule: str, route: str = "", **facts: int) -> None:
    field.log(
        kind, MIDNIGHT, rule, (column.side,), formation=column.id, place=column.place, route=route, data=facts
    )


_WORKS: dict[Activity, Callable[[DayState, Column, int], bool]] = {
    "entrench": _entrench,
    "dismantle": _dismantle_works,
    "break_bridge": _break_bridge,
    "repair_bridge": _repair_bridge,
    "gather_boats": _gather_boats,
    "lay_bridge": lay_bridge,
    "obstruct": obstruct_road,
}
