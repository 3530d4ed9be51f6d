"""Journal entries as sentences people read. Pure: an event and the names of things go in."""

from battles.grammar import format_amount
from campaign.rules.dispatches.couriers import inner_event
from campaign.rules.world.events import Event
from campaign.text.event_facts import EventFacts, build_event_facts
from campaign.text.event_table import EVENT_KINDS
from campaign.text.place_names import CampaignNames


def narrate(event: Event, names: CampaignNames) -> str:
    """One sentence that says what an event was; a change of points stands behind it in brackets."""
    facts = build_event_facts(event, names)
    if (inner := inner_event(event)) is not None:
        facts["said"] = narrate(inner, names).rstrip(".")
    kind = EVENT_KINDS.get(event.kind)
    sentence = kind.sentence if kind else _describe_unknown_event
    text = sentence(facts) if callable(sentence) else sentence.format_map(facts)
    if event.before is not None and event.after is not None:
        if event.before == event.after:
            text += f" (no change, {format_amount(event.after, 'point')})"
        else:
            text += f" ({format_amount(event.before, 'point')}, now {event.after})"
    text = " ".join(text.split())
    return end_sentence(f"{text[:1].upper()}{text[1:]}")


def end_sentence(text: str) -> str:
    """Add a full stop to a sentence, unless it ends in one or in "!" or "?"."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _describe_unknown_event(facts: EventFacts) -> str:
    """Describe an event without a sentence of its own: its kind, who and where."""
    return f"{facts['kind']}{': ' if facts['who'] else ''}{facts['who']} {facts['where']}"
