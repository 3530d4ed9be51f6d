"""Words for what has been dug, broken and felled: signs on places and routes of the map."""

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.narration import Names
from campaign.rules.world import YARDS_PER_MILE

#: Counters by kind and by place or route, as `visibility.MapView` has them.
Counters = Mapping[str, Mapping[str, Any]]


def place_signs(counters: Counters, place: str, names: Names) -> Iterator[str]:
    """What is known of works, boats, food, sieges and terms at a place."""
    works = counters.get("works", {}).get(place)
    if works is not None and works.sp:
        yield f"field works of {works.sp} SP dug by {names.side(works.side)}"
    boats = counters.get("boats", {}).get(place)
    if boats is not None:
        yield f"boats for {boats.men} men in the hands of {names.side(boats.side)}"
    if place in counters.get("magazines", {}):
        yield "a depot of food"
    siege = counters.get("sieges", {}).get(place)
    if siege is not None:
        down = f", {siege.works_lost} SP of its works down" if siege.works_lost else ""
        yield f"invested by {names.side(siege.side)}{down}"
    terms = counters.get("terms", {}).get(place)
    if terms is not None:
        yield f"{names.side(terms.side)} treats for surrender"


def route_signs(counters: Counters, route: str, crossing: str) -> Iterator[str]:
    """What is known of the crossing of a route, and of trees across it."""
    raft = counters.get("rafts", {}).get(route)
    if route in counters.get("bridges", {}):
        yield "bridge of rafts carried away" if crossing == "ford" else f"{crossing} broken"
    elif raft is not None and not raft.left:
        yield "a bridge of rafts"
    felled = counters.get("felled", {}).get(route)
    if felled is not None:
        yield f"{(felled.high - felled.low) / YARDS_PER_MILE:.1f} miles felled and broken"
