"""Papers in words: orders, acts of organisation, choices for the returns. Pure but for the row it reads."""

from dataclasses import replace
from typing import TYPE_CHECKING

from campaign.names import listed
from campaign.narration import PACES, STANCES, Names, order_text
from campaign.rules.organisation import (
    Depot,
    Detach,
    Escort,
    Garrison,
    HandOver,
    Join,
    Organisation,
    Ration,
    Transfer,
    organisation_from_json,
)
from campaign.rules.week import WeekChoices
from campaign.rules.world import Order, Stage
from campaign.rules.world_json import order_from_json

if TYPE_CHECKING:
    from campaign.models import OrderPaper


def paper_lines(paper: "OrderPaper", names: Names) -> list[str]:
    """What a paper says, a line for each order, act or choice."""
    if paper.kind == "activity":
        return order_lines(order_from_json(paper.body), names)
    if paper.kind == "organise":
        return [act_text(organisation_from_json(row), names) for row in paper.body["acts"]]
    return [choice_text(choice, names) for choice in WeekChoices.from_json(paper.body).single()]


def order_lines(order: Order, names: Names) -> list[str]:
    """An order, and a line for each further stage."""
    enemy = f" (no. {order.target})" if order.activity in ("follow", "intercept") else ""
    first = order_text(replace(order, stages=()), names)
    return [
        first.replace("the enemy", f"the enemy{enemy}", 1),
        *(stage_text(each, names) for each in order.stages),
    ]


def stage_text(stage: Stage, names: Names) -> str:
    """A further stage of an itinerary (HR-ORD-02)."""
    *between, last = (names.place(place) for place in stage.via)
    wait = f" after a halt of {stage.wait} day{'s' if stage.wait > 1 else ''}" if stage.wait else ""
    way = f" by {' and '.join(between)}" if between else ""
    boats = ", in boats" if stage.by_water else ""
    told = f"then{wait} marches on to {last}{way}, {PACES[stage.pace]}{boats}; is to {STANCES[stage.stance]}"
    reach = f"within {stage.miles} mile{'' if stage.miles == 1 else 's'} of" if stage.miles else "at"
    near = f"is known {reach} {names.place(stage.via[0])}"
    only = {
        "always": "",
        "no_enemy": f", only if no enemy {near}",
        "enemy": f", only if an enemy {near}",
        "held": f", only if {names.place(stage.subject)} is its side's",
    }
    return told + only[stage.when]


def act_text(act: Organisation, names: Names) -> str:
    """An act of organisation, about its formation."""
    match act:
        case Detach():
            order = f", which {'; '.join(order_lines(act.order, names))}" if act.order else ""
            return f"detaches {_units(act.units, names)} as {act.name}{order}"
        case Transfer():
            return f"takes in {_units(act.units, names)}"
        case Escort():
            return f"takes {names.formation(act.wagons)} under escort"
        case Join():
            return f"joins {names.formation(act.into)}"
        case Garrison():
            return "becomes the garrison of the place" if act.on else "is relieved of its garrison duty"
        case HandOver():
            return f"is handed over to {names.general(act.leader)}"
        case Ration():
            return "goes on two-thirds ration" if act.short else "goes back to full ration"
        case Depot():
            return "lays its load down as a depot"


def choice_text(choice: WeekChoices, names: Names) -> str:
    """A single choice for the returns."""
    for fill in choice.fills:
        return f"{names.unit(fill.giver)} fills up {names.unit(fill.receiver)} by {fill.points} points"
    for move in choice.balancing:
        return f"{names.unit(move.giver)} gives {move.points} points to {names.unit(move.receiver)}"
    for drop in choice.downgrades:
        return f"{drop.points} points go from the {names.pool(drop.source)} to the {names.pool(drop.target)}"
    for pool in choice.raised:
        return f"a unit is raised from the {names.pool(pool)}"
    for key in choice.first:
        return f"{names.unit(key)} is rebuilt before others"
    for placement in choice.placements:
        return f"{names.unit(placement.subject)} appears at {names.place(placement.place)}"
    return "nothing"


def _units(units: tuple[str, ...], names: Names) -> str:
    return listed(names.unit(key) for key in units)
