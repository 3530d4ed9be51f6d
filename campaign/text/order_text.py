"""Papers in words: orders, acts of organisation, choices for the returns. Pure but for the row it reads."""

from dataclasses import replace
from typing import TYPE_CHECKING

from battles.grammar import Subject, format_amount
from campaign.rules.army.organisation import (
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
from campaign.rules.returns.week import WeekChoices
from campaign.rules.world.world import Order, Stage
from campaign.rules.world.world_json import order_from_json
from campaign.text.place_names import CampaignNames, join_names

if TYPE_CHECKING:
    from campaign.models import OrderPaper


PACES = {
    "normal": "at the normal pace",
    "plus_half": "half as far again a day",
    "double": "by double marches",
}
STANCES = {
    "attack": "attack whatever it meets",
    "give_battle": "give battle",
    "delay": "delay the enemy",
    "avoid": "avoid battle",
}
DOINGS = {
    "follow": "follows the enemy",
    "intercept": "goes to intercept the enemy",
    "entrench": "digs in",
    "dismantle": "takes the works down",
    "break_bridge": "breaks the crossing of",
    "repair_bridge": "mends the crossing of",
    "gather_boats": "gathers boats",
    "lay_bridge": "lays a bridge of rafts on",
    "obstruct": "fells and breaks",
    "siege": "lays siege",
}
#: Doings that name their route.
OF_A_ROUTE = frozenset({"break_bridge", "repair_bridge", "lay_bridge", "obstruct"})


def order_text(order: Order, names: CampaignNames) -> str:
    """An order in words, as is said of its formation."""
    body = Subject(names.formation(order.formation))
    after = f"; then {len(order.stages)} further stages" if len(order.stages) > 1 else ""
    if len(order.stages) == 1:
        after = f"; then on to {names.place(order.stages[0].via[-1])}"
    stance = f"{body:+is} to {body:+{STANCES[order.stance]}}{after}"
    if not order.via and order.activity in ("march", "rest"):
        return f"{body:+{'rests' if order.activity == 'rest' else 'halts'}} and {stance}"
    return f"{_describe_order(order, body, names)}; {stance}"


def _describe_order(order: Order, body: Subject, names: CampaignNames) -> str:
    if order.activity not in ("march", "rest"):
        doing = f"{body:+{DOINGS[order.activity]}}"
        return f"{doing} {names.route(order.target)}" if order.activity in OF_A_ROUTE else doing
    *between, last = (names.place(place) for place in order.via)
    way = f" by {' and '.join(between)}" if between else ""
    late = f", starting {order.starts // 60} h {order.starts % 60:02} min late" if order.starts else ""
    how = ", in light order" if order.light_order else ""
    how += ", in boats" if order.by_water else ""
    march = f"{body:+marches} to {last}{way}, {PACES[order.pace]}{how}{late}"
    return march if order.activity == "march" else f"{body:+rests} a day, then {march}"


def paper_lines(paper: "OrderPaper", names: CampaignNames) -> list[str]:
    """Describe a submitted order: a line for each march order, act of organisation or choice."""
    if paper.kind == "activity":
        return order_lines(order_from_json(paper.body), names)
    if paper.kind == "organise":
        return [act_text(organisation_from_json(row), names) for row in paper.body["acts"]]
    return [choice_text(choice, names) for choice in WeekChoices.from_json(paper.body).single()]


def order_lines(order: Order, names: CampaignNames) -> list[str]:
    """An order, and a line for each further stage."""
    enemy = f" (no. {order.target})" if order.activity in ("follow", "intercept") else ""
    first = order_text(replace(order, stages=()), names)
    return [
        first.replace("the enemy", f"the enemy{enemy}", 1),
        *(stage_text(each, names, names.formation(order.formation)) for each in order.stages),
    ]


def stage_text(stage: Stage, names: CampaignNames, formation: str) -> str:
    """A further stage of an itinerary of that formation (HR-ORD-02)."""
    body = Subject(formation)
    *between, last = (names.place(place) for place in stage.via)
    wait = f" after a halt of {stage.wait} day{'s' if stage.wait > 1 else ''}" if stage.wait else ""
    way = f" by {' and '.join(between)}" if between else ""
    boats = ", in boats" if stage.by_water else ""
    stance = f"{body:+is} to {body:+{STANCES[stage.stance]}}"
    told = f"then{wait} {body:+marches} on to {last}{way}, {PACES[stage.pace]}{boats}; {stance}"
    reach = f"within {stage.miles} mile{'' if stage.miles == 1 else 's'} of" if stage.miles else "at"
    near = f"is known {reach} {names.place(stage.via[0])}"
    only = {
        "always": "",
        "no_enemy": f", only if no enemy {near}",
        "enemy": f", only if an enemy {near}",
        "held": f", only if {names.place(stage.subject)} is {body:+its} side's",
    }
    return told + only[stage.when]


def act_text(act: Organisation, names: CampaignNames) -> str:
    """An act of organisation, about its formation."""
    body = Subject(names.formation(act.into if isinstance(act, Transfer) else act.formation))
    match act:
        case Detach():
            order = f", which {'; '.join(order_lines(act.order, names))}" if act.order else ""
            return f"{body:+detaches} {_format_units(act.units, names)} as {act.name}{order}"
        case Transfer():
            return f"{body:+takes} in {_format_units(act.units, names)}"
        case Escort():
            return f"{body:+takes} {names.formation(act.wagons)} under escort"
        case Join():
            return f"{body:+joins} {names.formation(act.into)}"
        case Garrison():
            done = "becomes the garrison of the place" if act.on else "is relieved of its garrison duty"
            return f"{body:+{done}}"
        case HandOver():
            return f"{body:+is} handed over to {names.general(act.leader)}"
        case Ration():
            return f"{body:+goes} {'on two-thirds' if act.short else 'back to full'} ration"
        case Depot():
            return f"{body:+lays its} load down as a depot"


def choice_text(choice: WeekChoices, names: CampaignNames) -> str:
    """A single choice for the returns."""
    for fill in choice.fills:
        giver, points = Subject(names.unit(fill.giver)), format_amount(fill.points, "point")
        return f"{giver:fills} up {names.unit(fill.receiver)} by {points}"
    for move in choice.balancing:
        giver, points = Subject(names.unit(move.giver)), format_amount(move.points, "point")
        return f"{giver:gives} {points} to {names.unit(move.receiver)}"
    for drop in choice.downgrades:
        go = "1 point goes" if drop.points == 1 else f"{drop.points} points go"
        return f"{go} from the {names.pool(drop.source)} to the {names.pool(drop.target)}"
    for pool in choice.raised:
        return f"a unit is raised from the {names.pool(pool)}"
    for key in choice.first:
        return f"{Subject(names.unit(key)):is} rebuilt before others"
    for placement in choice.placements:
        return f"{Subject(names.unit(placement.subject)):appears} at {names.place(placement.place)}"
    return "nothing"


def _format_units(units: tuple[str, ...], names: CampaignNames) -> str:
    return join_names(names.unit(key) for key in units)
