"""Scouting and couriers in words (HR-FOG, HR-COU): enemies seen and gone, papers sent, taken and read."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from battles.grammar import Subject
from campaign.rules.scouting.knowledge import Sighting
from campaign.rules.world.world import Position, Theatre
from campaign.text.place_names import CampaignNames, position_text


def side_of(facts: Mapping[str, Any], key: str) -> str:
    names: CampaignNames = facts["names"]
    return names.side(facts[key]) if facts[key] else "neither side"


def _enemy_place(facts: Mapping[str, Any]) -> str:
    if facts["place"]:
        return f"at {facts['place']}"
    names: CampaignNames = facts["names"]
    position = Position(
        route=facts["event"].route,
        origin=str(facts["origin"]),
        destination=str(facts["destination"]),
        yards=int(facts["yards"] or 0),
    )
    return position_text(position, names)


#: Who saw an enemy, by the source of the report.
SEEN_BY = {"column": "seen by {by}", "post": "seen by {by}", "country": "country people say",
    "battle": "met in battle", "courier": "by courier from {by}"}  # fmt: skip


def describe_observer(source: str, by: str, names: CampaignNames) -> str:
    """Describe the observer of an enemy."""
    who = names.formations.get(by) or names.place(by)
    return SEEN_BY.get(source, "").format(by=who)


def sighting_text(sighting: Sighting, theatre: Theatre, names: CampaignNames) -> str:
    """Describe the last sighting of an enemy: time and observer."""
    who = describe_observer(sighting.source, sighting.by, names)
    if sighting.in_sight:
        return f"In sight{f', {who}' if who else ''}"
    date = theatre.start + timedelta(days=sighting.day)
    clock = f"{sighting.minute // 60}:{sighting.minute % 60:02d}" if sighting.minute < 1440 else "nightfall"
    return f"Last seen on {date.day} {date:%B} at {clock}{f', {who}' if who else ''}"


def strength_text(sp: int, error: int) -> str:
    """An enemy's strength in words: an estimate, and how far it may be out (HR-FOG-05)."""
    return f"about {sp} SP" + (f", give or take {error} %" if error else "")


def _describe_courier_load(facts: Mapping[str, Any]) -> str:
    names: CampaignNames = facts["names"]
    name = facts["name"] or names.place(str(facts["post"]))
    if facts["paper"] == "report":
        return f"with a report from {name}"
    bound = [names.place(place) for place in facts["via"] or ()]
    return f"with orders for {name}: march to {bound[-1]}" if bound else f"with orders for {name}"


def _describe_sighting(facts: Mapping[str, Any]) -> str:
    by = describe_observer(str(facts["source"]), str(facts["by"]), facts["names"])
    by = f" ({by})" if by else ""
    return f"{facts['name']} of {side_of(facts, 'side')}, about {facts['sp']} SP, {_enemy_place(facts)}{by}"


def _describe_disappearance(facts: Mapping[str, Any]) -> str:
    enemy = Subject(facts["name"])
    return f"{enemy} of {side_of(facts, 'side')} {enemy:+is} no longer {_enemy_place(facts)}"


SCOUTING_SENTENCES: dict[str, str | Callable[[Any], str]] = {
    # --- scouting ---
    "enemy_sighted": _describe_sighting,
    "enemy_gone": _describe_disappearance,
    # --- couriers ---
    "dispatch_sent": "a courier rides with orders for {formation}",
    "order_arrives": "the orders for {formation} arrive",
    "dispatch_taken": lambda facts: (
        f"a courier of {side_of(facts, 'side')} is taken {_describe_courier_load(facts)}"
    ),
    "dispatch_slips_through": lambda facts: (
        f"a courier of {side_of(facts, 'side')} slips past the enemy {_describe_courier_load(facts)}"
    ),
    "report_received": lambda facts: (
        f"word from {facts['formation']}: {_enemy_place(facts)}, {facts['sp']} SP"
    ),
}
