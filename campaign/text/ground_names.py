"""Words for what has been dug, broken and felled: signs on places and routes of the map."""

from collections.abc import Iterator, Mapping
from typing import Any

from campaign.rules.map.atlas import Atlas
from campaign.rules.world.world import YARDS_PER_MILE
from campaign.text.place_names import CampaignNames

#: Counters by kind and by place or route, as `visibility.MapView` has them.
Counters = Mapping[str, Mapping[str, Any]]


def place_signs(counters: Counters, place: str, names: CampaignNames) -> Iterator[str]:
    """Yield sentences on the known works, boats, food, sieges and terms at a place."""
    return (text for _, _, text in _iter_place_signs(counters, place, names))


def route_signs(counters: Counters, route: str, crossing: str) -> Iterator[str]:
    """Yield sentences on the known crossing of a route, and on trees across it."""
    return (text for _, _, text in _iter_route_signs(counters, route, crossing))


def iter_ground_signs(
    counters: Counters, atlas: Atlas, names: CampaignNames
) -> Iterator[tuple[str, str, str, str]]:
    """Yield every known sign: its kind, its place or route, the side it belongs to or "", and a sentence."""
    for key in sorted({key for kind in counters.values() for key in kind}):
        if key in atlas.routes:
            found = _iter_route_signs(counters, key, atlas.routes[key].crossing)
        else:
            found = _iter_place_signs(counters, key, names)
        for kind, side, text in found:
            yield kind, key, side, text


def _iter_place_signs(counters: Counters, place: str, names: CampaignNames) -> Iterator[tuple[str, str, str]]:
    works = counters.get("works", {}).get(place)
    if works is not None and works.sp:
        yield "works", works.side, f"field works of {works.sp} SP dug by {names.side(works.side)}"
    boats = counters.get("boats", {}).get(place)
    if boats is not None:
        yield "boats", boats.side, f"boats for {boats.men} men in the hands of {names.side(boats.side)}"
    depot = counters.get("magazines", {}).get(place)
    if depot is not None:
        yield "depot", depot.side, "a depot of food"
    siege = counters.get("sieges", {}).get(place)
    if siege is not None:
        down = f", {siege.works_lost} SP of its works down" if siege.works_lost else ""
        yield "siege", siege.side, f"invested by {names.side(siege.side)}{down}"
    terms = counters.get("terms", {}).get(place)
    if terms is not None:
        yield "terms", terms.side, f"{names.side(terms.side)} treats for surrender"


def _iter_route_signs(counters: Counters, route: str, crossing: str) -> Iterator[tuple[str, str, str]]:
    raft = counters.get("rafts", {}).get(route)
    if route in counters.get("bridges", {}):
        yield "broken", "", "bridge of rafts carried away" if crossing == "ford" else f"{crossing} broken"
    elif raft is not None and not raft.left:
        yield "raft", "", "a bridge of rafts"
    felled = counters.get("felled", {}).get(route)
    if felled is not None:
        miles = (felled.high - felled.low) / YARDS_PER_MILE
        yield "felled", "", f"{miles:.1f} miles felled and broken"
