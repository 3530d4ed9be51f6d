"""The facts a sentence about a journal entry may name: what the entry says, and the names of its ids."""

from typing import Any

from battles.grammar import Subject
from campaign.rules.world.events import Event
from campaign.text.place_names import CampaignNames, format_id


class EventFacts(dict[str, Any]):
    """Facts for a sentence; one an event lacks is left blank rather than failing a page."""

    def __missing__(self, key: str) -> str:
        return Subject()


def build_event_facts(event: Event, names: CampaignNames) -> EventFacts:
    """Collect the facts that a sentence about an event may name: its data, and the names of its ids."""
    facts = EventFacts(event.data)
    unit = names.unit(event.unit) if event.unit else ""
    pool = names.pool(event.pool) if event.pool else ""
    formation = names.formation(event.formation) if event.formation else ""
    route = names.route(event.route) if event.route else ""
    place = names.place(event.place) if event.place else ""
    facts.update(
        event=event,
        names=names,
        unit=Subject(unit),
        pool=Subject(f"the {pool}" if pool else ""),
        formation=Subject(formation),
        who=unit or pool or formation,
        place=place,
        route=route,
        where=f"at {place}" if place else f"on {route}" if route else "",
        kind=format_id(event.kind),
    )
    return facts


def name_side(facts: EventFacts, key: str) -> str:
    """The name of the side that a fact is the id of, or "neither side"."""
    names: CampaignNames = facts["names"]
    return names.side(facts[key]) if facts[key] else "neither side"


def find_side_subject(facts: EventFacts, key: str = "side") -> Subject:
    """The same as the subject of a sentence."""
    return Subject(name_side(facts, key))


def format_reason(facts: EventFacts) -> str:
    """A person's reason, without the full stop that the sentence brings."""
    return str(facts["reason"]).rstrip(".")
