"""Orders of organisation to columns apart from headquarters ride like orders to march (HR-COU-02)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.rules.army.organisation import (
    Organisation,
    in_order,
    organisation_from_json,
    organisation_to_json,
    subject_of,
)
from campaign.rules.dispatches.couriers import (
    NOWHERE,
    Elsewhere,
    days_behind,
    enemies_of,
    list_headquarters,
    send_dispatch,
)
from campaign.rules.world.events import Event
from campaign.rules.world.markers import Dispatch
from campaign.rules.world.world import Order, World
from campaign.rules.world.world_json import order_from_json
from rosters.domain.dice import DiceRoller


def acts_by_courier(
    world: World, acts: Iterable[Organisation], dice: DiceRoller, others: Elsewhere = NOWHERE
) -> tuple[World, list[Organisation], list[Event]]:
    """The acts that count this morning: those near headquarters, and those that arrive (HR-COU-02).

    The others are put on their way, one letter for each formation. `others` is of other parts of the theatre.
    """
    if not world.settings.couriers:
        return world, list(acts), []
    events: list[Event] = []
    counted, dispatches = acts_due(world), dict(world.dispatches)
    for key, paper in world.dispatches.items():
        if paper.kind == "letter" and paper.due <= world.day:
            del dispatches[key]
            facts = {"sent": paper.day}
            events.append(Event("order_arrives", 0, "HR-COU-02", (), formation=paper.to, data=facts))
    seats = {**others.seats, **list_headquarters(world)}
    letters: dict[str, list[Organisation]] = {}
    for act in in_order(acts):
        letters.setdefault(subject_of(act), []).append(act)
    for key in sorted(letters):
        formation = world.formations.get(key)
        start = seats.get(formation.side) if formation is not None else None
        if formation is None or formation.position is None or start is None:
            counted += letters[key]
            continue
        days = days_behind(world.theatre.atlas, world.settings, start, formation.position)
        if not days:
            counted += letters[key]
            continue
        side, body = formation.side, {"acts": [organisation_to_json(act) for act in letters[key]]}
        paper = Dispatch(side, "letter", start.place, key, world.day, world.day + days, body)
        way = (start, formation.position)
        enemies = [*enemies_of(world, side), *others.enemies(side)]
        content = {"name": formation.name, "via": []}
        safe, happened = send_dispatch(world, paper, content, way, enemies, world.holders, dice, 0)
        if safe:
            dispatches[f"{side}/letter/{world.day}/{key}"] = paper
        events += [*happened, Event("dispatch_sent", 0, "HR-COU-02", (side,), formation=key)]
    return replace(world, dispatches=dict(sorted(dispatches.items()))), counted, events


def acts_due(world: World) -> list[Organisation]:
    """Acts of organisation that couriers bring this morning, those sent first before the others."""
    papers = [(paper.day, key) for key, paper in world.dispatches.items() if _is_due(world, key, "letter")]
    return [
        organisation_from_json(row) for _, key in sorted(papers) for row in world.dispatches[key].body["acts"]
    ]


def orders_due(world: World) -> Mapping[str, Order]:
    """Orders to march that couriers bring this morning, by formation; of two the later."""
    papers = [(paper.day, key) for key, paper in world.dispatches.items() if _is_due(world, key, "order")]
    return {
        world.dispatches[key].to: order_from_json(world.dispatches[key].body) for _, key in sorted(papers)
    }


def _is_due(world: World, key: str, kind: str) -> bool:
    return world.dispatches[key].kind == kind and world.dispatches[key].due <= world.day
