"""Boats where they are counted: embarking, landing, and what becomes of them (HR-BOA)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.rules.errors import RuleViolation
from campaign.rules.map.atlas import WATER_KINDS, Atlas, Route
from campaign.rules.map.paths import Leg, can_embark
from campaign.rules.world.markers import Boats
from campaign.rules.world.world import Formation

#: What the key of boats begins with that a formation is afloat in.
WITH = "with/"


def carries_boats(route: Route) -> bool:
    """True if boats can use this route: a waterway, or a portage."""
    return route.kind in WATER_KINDS or route.kind == "portage"


def boats_with(boats: Mapping[str, Boats], formation: str) -> Boats | None:
    """The boats a formation is afloat in."""
    return boats.get(WITH + formation)


def verify_embark(
    atlas: Atlas,
    boats: Mapping[str, Boats],
    formation: Formation,
    men: int,
    legs: Iterable[Leg],
    *,
    counted: bool,
) -> None:
    """Refuses a march by water for want of boats where it begins (HR-BOA-02, HR-WAT-01; field `by_water`)."""
    position = formation.position
    first = next(iter(legs), None)
    if first is None or position is None:
        return
    if not position.place:
        afloat = not counted or boats_with(boats, formation.id) is not None
        if not (afloat and carries_boats(atlas.routes[position.route])):
            raise RuleViolation(
                "HR-BOA-02", f"{formation.name} is on the march by land; boats lie at places.", "by_water"
            )
        return
    place = atlas.places[position.place]
    if not counted:
        if not can_embark(atlas, atlas.routes[first.route], place.id):
            raise RuleViolation(
                "HR-WAT-01", f"There is no port at {place.name}; take boats where there is one.", "by_water"
            )
        return
    lying = boats.get(place.id)
    lift = lying.men if lying is not None and lying.side == formation.side else 0
    if not lift:
        raise RuleViolation(
            "HR-BOA-02", f"There are no boats of yours at {place.name}; gather some first.", "by_water"
        )
    if lift < men:
        raise RuleViolation(
            "HR-BOA-02",
            f"The boats at {place.name} carry {lift} men and {formation.name} takes {men}; gather more or "
            "detach some.",
            "by_water",
        )


def embark(boats: dict[str, Boats], formation: Formation, men: int) -> None:
    """Load boats for `men` at a formation's place; the caller has checked that there are enough."""
    assert formation.position is not None
    place = formation.position.place
    lying = boats.pop(place)
    if lying.men > men:
        boats[place] = replace(lying, men=lying.men - men)
    aboard = boats.get(WITH + formation.id)
    boats[WITH + formation.id] = Boats(formation.side, men + (aboard.men if aboard else 0))


def land_boats(boats: dict[str, Boats], formation: str, place: str) -> None:
    """Leave a formation's boats at a place; what lies there of the enemy's falls to it."""
    mine = boats.pop(WITH + formation, None)
    if mine is None:
        return
    lying = boats.get(place)
    boats[place] = replace(mine, men=mine.men + (lying.men if lying else 0))


def hand_on(
    boats: Mapping[str, Boats], formation: str, into: str, men: int | None = None
) -> dict[str, Boats]:
    """The boats after `men` of a formation afloat, or all, have moved to another."""
    found = dict(boats)
    mine = found.pop(WITH + formation, None)
    if mine is None:
        return found
    gone = mine.men if men is None else min(men, mine.men)
    if gone:
        other = found.get(WITH + into)
        found[WITH + into] = replace(mine, men=gone + (other.men if other else 0))
    if mine.men > gone:
        found[WITH + formation] = replace(mine, men=mine.men - gone)
    return found


def boats_at_night(
    boats: Mapping[str, Boats], places: Mapping[str, str], holders: Mapping[str, str]
) -> dict[str, Boats]:
    """Boats at the day's end: drawn up where their formation is ashore, lost with one that is gone.

    `places` has the place of every formation on the map, "" on a route. What lies at a place falls to
    who holds it (HR-BOA-03).
    """
    found = dict(boats)
    for key in sorted(boats):
        if not key.startswith(WITH):
            continue
        formation = key.removeprefix(WITH)
        if formation not in places:
            del found[key]
        elif places[formation]:
            land_boats(found, formation, places[formation])
    for key, lying in found.items():
        holder = holders.get(key, "")
        if not key.startswith(WITH) and holder and holder != lying.side:
            found[key] = replace(lying, side=holder)
    return dict(sorted(found.items()))
